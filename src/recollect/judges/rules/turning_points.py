"""What changes a life: told as a plan it is a fact as well as an intent."""

from __future__ import annotations

from recollect.gated import gated
from recollect.judges.rules import lexicon
from recollect.judges.rules.verbs import gerund, third_person

_MOVES = lexicon.words("move emigrate")
_STEPS = lexicon.words("marry retire graduate adopt")
_ENTERS = lexicon.words("start join quit")
LIFE = (
    _MOVES
    | _STEPS
    | _ENTERS
    | lexicon.words(
        "buy become learn lose travel visit sell stop study have open found apply pursue conceive save climb run "
        "volunteer foster return live own"
    )
)
"""What people do with their lives and not with a tool: "I want to marry", "we need to adopt"."""


def _forms(verbs: frozenset[str]) -> str:
    return "|".join(form for verb in sorted(verbs) for form in (verb, third_person(verb), gerund(verb)))


_CHANGES = gated(
    rf"(?i)\b(?:(?:{_forms(_MOVES | {'relocate', 'immigrate'})}) (?:to|in|out|into|abroad|back|from|house)"
    rf"|{_forms(_STEPS)}|(?:get|gets|getting) (?:married|engaged|divorced)"
    rf"|(?:{_forms(_ENTERS | {'begin', 'leave', 'take'})})"
    r"(?: up| on)? (?:[\w'-]+ ){0,4}?(?:job|position|role|apprenticeship|internship|phd|degree|studies|university"
    r"|college|school|team|company|firm|leave)"
    r"|(?:have|has|having|expect|expects|expecting|undergo|undergoing) (?:[\w'-]+ ){0,3}?(?:baby|babies|child|children"
    r"|kids?|twins|surgery|operation|transplant))\b"
)


def changes_a_life(text: str) -> bool:
    """Whether a plan tells how somebody will live from then on.

    >>> changes_a_life("I'm starting a new job at Bosch on Monday"), changes_a_life("I'm going to call Dad on Monday")
    (True, False)
    """
    return _CHANGES.search(text) is not None
