"""Orders that state a lasting wish: names, manner of answering, standing rules, decisions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellkept.judges.english.worth import topics
from wellkept.judges.english.worth.weights import LIKELY, NONE, Worth
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause


def directive(clause: Clause) -> Worth:
    """Orders that state how the speaker wants things: names, manner of answering, standing rules, team decisions."""
    verb = clause.verb
    if verb is None:
        return Worth(confidence=NONE, reason="no_verb")
    if verb.modal == "let's":
        is_choice = (
            (verb.lemma != "go" or clause.rest.casefold().startswith("with "))
            and verb.lemma in {"use", "go", "switch", "adopt", "pick", "choose", "stick", "drop"}
            and bool(clause.rest.strip())
        )
        return (
            Worth(confidence=LIKELY, reason="decision")
            if is_choice and not re.search(r"(?i)\b(?:it|this|that|there|on)\b\s*$", clause.text)
            else Worth(confidence=NONE, reason="talk")
        )
    if is_standing_order(clause):
        return Worth(confidence=LIKELY, reason="directive")
    return Worth(confidence=NONE, reason="command")


_STANDING = deferred(
    r"(?i)\b(?:always|never|from now on|in (?:the )?future|don['’]?t ever|every time|whenever|going forward)\b"
)


_MANNER = deferred(
    r"(?i)^(?:please |pls |also |just |could you |can you )*(?:keep|make|give|use|write|speak|talk|answer|respond"
    r"|reply|be|avoid|don['’]?t use|do not use|stop using)\b.*"
    r"\b(?:answers?|replies|responses?|explanations?|brief(?:ly)?|concise(?:ly)?|short|formal(?:ly)?|casual(?:ly)?"
    r"|emojis?|bullet points?|tone|metric|imperial|units|spelling|jargon|polite|"
    rf"celsius|fahrenheit|kilomet\w+|in (?:{'|'.join(sorted(topics.LANGUAGES))}))\b"
)


_CHEERING = frozenset(("mind", "forget", "keep", "give", "believe", "stay", "let", "chase", "dream", "fight"))


def is_standing_order(clause: Clause) -> bool:
    """Whether an imperative says how the speaker always wants it, not what to do now."""
    verb = clause.verb
    if verb is None:
        return False
    text = clause.text
    if verb.lemma == "call" and (clause.indirect is not None or clause.object is not None):
        person = clause.indirect or clause.object
        return (
            person is not None
            and (person.pronoun == "i" or person.relation is not None)
            and bool(re.search(r"(?i)\bcall (?:me|my \w+) (?!when|back|later|at|if|an?\b|tomorrow|asap)\w", text))
        )
    if _STANDING.search(text) and verb.lemma not in _CHEERING:
        return True
    return bool(_MANNER.search(text)) and not re.search(
        r"(?i)\b(?:this|it|that|the following|again|paragraph|sentence|text|email)\b", text
    )
