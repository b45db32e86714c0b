"""What changes a life: told as a plan it is a fact as well as an intent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.verbs import gerund, third_person
from wellkept.judges.english.slots.values import WORKPLACES
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause

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


_FIRM = (
    r"(?-i:(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September"
    r"|October|November|December|Easter|Christmas|Ramadan|Diwali|I\b)[A-Z])[\w'&.-]*"
)
_WORKPLACE = rf"(?:{_FIRM}|(?:the|an?|our) (?:[\w'-]+ ){{0,2}}?(?:{'|'.join(sorted(WORKPLACES))}))"
_POSTS = deferred(
    rf"(?i)(?<!we )(?<!we're )\b(?:(?:{_forms(frozenset(('start', 'begin')))})(?: (?:work|working|out))?"
    rf" (?:(?:at|with|for) {_WORKPLACE}|as (?:an? )?[a-z]+)|(?:{_forms(frozenset(('join',)))}) {_FIRM}(?: {_FIRM})*"
    rf" (?:as|from|in|next)|(?:work|working) (?:at|for|with) {_WORKPLACE} from)\b"
)
"""Where somebody will work: "I start at the bakery on 4 January"."""
_CHANGES = deferred(
    rf"(?i)\b(?:(?:{_forms(_MOVES | {'relocate', 'immigrate'})}) (?:to|in|out|into|abroad|back|from|house)"
    rf"|{_forms(_STEPS)}|(?:get|gets|getting) (?:married|engaged|divorced)"
    rf"|(?:{_forms(_ENTERS | {'begin', 'leave', 'take'})})"
    r"(?: up| on)? (?:[\w'-]+ ){0,4}?(?:job|position|role|apprenticeship|internship|phd|degree|studies|university"
    r"|college|school|team|company|firm|leave)"
    r"|(?:have|has|having|expect|expects|expecting|undergo|undergoing) (?:[\w'-]+ ){0,3}?(?:baby|babies|child|children"
    r"|kids?|twins|surgery|operation|transplant))\b"
)


_GETTING = lexicon.words("get land win secure receive")
_SOUGHT = lexicon.words(
    "job position role post apprenticeship internship traineeship placement scholarship grant fellowship bursary "
    "stipend funding loan mortgage visa permit residency citizenship passport licence license flat apartment house "
    "studio room cottage tenancy lease promotion raise rise transfer contract commission tender offer award prize "
    "diploma degree certificate allotment custody green-card mandate"
)
_IN_A_CAST = lexicon.words("part lead")
_ENTERED = lexicon.words("place spot seat")
_SCHOOLS = lexicon.words("school university uni college academy conservatory program programme course")
_AMONG = frozenset(("at", "in", "on"))


def is_outcome(clause: Clause) -> bool:
    """Whether it tells how something ended that somebody had applied for: "I got the visa", "I didn't get the flat"."""
    verb, thing = clause.verb, clause.object
    if verb is None or verb.lemma not in _GETTING or verb.modal is not None:
        return False
    is_decided = verb.tense == "past" or verb.aspect == "perfect"
    if thing is None:
        into = next((item.noun for item in clause.phrases if item.preposition == "into"), None)
        return is_decided and into is not None and into.head in _SCHOOLS
    if not is_decided or thing.parts or thing.determiner not in {"the", "that", "a", "an"} or thing.of is not None:
        return False
    is_among = any(item.preposition in _AMONG for item in clause.phrases)
    return thing.head in _SOUGHT or (is_among and thing.head in _IN_A_CAST | _ENTERED)


def changes_a_life(text: str) -> bool:
    """Whether a plan tells how somebody will live from then on.

    >>> changes_a_life("I'm starting a new job at Bosch on Monday"), changes_a_life("I'm going to call Dad on Monday")
    (True, False)
    >>> changes_a_life("I start at the bakery on 4 January"), changes_a_life("I start at noon on Monday")
    (True, False)
    """
    return _CHANGES.search(text) is not None or _POSTS.search(text) is not None


def is_entry(clause: Clause) -> bool:
    """Whether whom somebody joins is a firm and nobody: "I'm joining Nokia as a designer"."""
    thing = clause.object
    is_joined = clause.verb is not None and clause.verb.lemma == "join" and thing is not None and thing.relation is None
    if not is_joined or thing is None or (thing.name or "").split(" ")[0].casefold() in lexicon.FIRST_NAMES:
        return False
    return _POSTS.search(clause.text) is not None
