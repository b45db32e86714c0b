"""What stands in textbooks: at how many degrees steel melts, who wrote what in 1600. It is nobody's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun

_BY_NATURE = lexicon.words("melt boil freeze evaporate condense sublimate ignite decompose burn")
_AT_DEGREES = deferred(r"(?i)\bat (?:about |around |roughly )?-?\d[\d.,]*(?: ?°| degrees| ?kelvin|\b ?[cfk]\b)")
_FOR_ALL = lexicon.words("discover invent isolate synthesize synthesise patent abolish")
_CONSTANTS = frozenset(("boiling", "melting", "freezing", "flash"))
_LONG_AGO = deferred(r"(?i)\b(?:in|since|around|from|until|between) (?:1[0-8]\d\d\b(?! [a-z])|\d+ (?:bc|bce|ad|ce)\b)")
"""A year in which nobody was born whom anybody knows."""


def is_textbook(subject: Noun, clause: Clause, known: frozenset[str]) -> bool:
    """Whether it is told of the world, and not of somebody or something of the speaker's."""
    verb = clause.verb
    is_own = subject.owner is not None or subject.relation is not None or subject.handle is not None
    if verb is None or is_own or subject.pronoun is not None or (subject.name or "").casefold() in known:
        return False
    if subject.head == "point" and _CONSTANTS & set(subject.modifiers):
        return True
    is_kind = subject.determiner is None and (subject.name or "").casefold() not in lexicon.FIRST_NAMES
    if is_kind and verb.modal is None:
        if verb.lemma in _BY_NATURE and verb.tense == "present" and _AT_DEGREES.search(clause.rest):
            return True
        if verb.lemma in _FOR_ALL and verb.is_passive:
            return True
    is_bare_name = subject.name is not None and not subject.head and subject.determiner is None
    return is_bare_name and verb.tense == "past" and _LONG_AGO.search(clause.rest) is not None
