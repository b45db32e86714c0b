"""Partings: which relations of the speaker a clause ends ("Marek and I broke up", "she's not my boss any more")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.patterns import deferred
from wellkept.types import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun

LOVE = "partner"
"""The relation that stands for every love, whatever word was used for it."""
_OVER = deferred(r"(?i)\b(?:no longer|any ?more|any longer|not .{0,20}\bnow|used to be)\b")
_APART = deferred(
    r"(?i)\b(?:br(?:oke|eak|eaking|oken) up|split(?:ting)? up|separated|got(?:ten)? divorced|(?:are|am|is) divorced"
    r"|divorced|parted ways|called off (?:the|our) (?:engagement|wedding)|broke off (?:the|our) engagement"
    r"|(?:are|were) no longer (?:together|married|engaged|dating)|ended (?:things|it|our relationship|our marriage)"
    r"|dumped|filed for divorce)\b"
)
_SPLIT = deferred(r"(?i)\b(?:and i|we) split\b(?! (?:the|a|our|it))")
_LEFT = deferred(r"(?i)\bleft (?:me\b|my (?:wife|husband|partner|girlfriend|boyfriend|fianc\w+)\b)")
_SPEAKERS = frozenset({"i", "we"})


def partings(clause: Clause) -> tuple[Reference, ...]:
    """The relations that end, each with the name of whom it was to where that is said."""
    if clause.verb is None or clause.type != "declarative" or clause.conjunction in lexicon.CONDITIONALS:
        return ()
    tie = ended_tie(clause)
    if tie is not None:
        return (tie,)
    text = clause.text
    if not (_APART.search(text) or _SPLIT.search(text) or _LEFT.search(text)):
        return ()
    nouns = tuple(_nouns(clause))
    is_own = any(noun.pronoun in _SPEAKERS or _is_speakers(noun) for noun in nouns)
    if not is_own or clause.verb.is_negative or clause.verb.modal is not None:
        return ()
    if clause.subject is not None and clause.subject.pronoun is None and clause.subject.relation in _OTHERS:
        return ()
    name = next((noun.name for noun in nouns if noun.name is not None), None)
    return (Reference(text=name or f"my {LOVE}", name=name, relation=LOVE),)


def ended_tie(clause: Clause) -> Reference | None:
    """Who is said to be somebody's boss or wife no longer. "She's not my boss" alone may only set something right."""
    tie = clause.complement.noun if clause.complement is not None else None
    if clause.verb is None or clause.verb.lemma != "be" or tie is None or not _OVER.search(clause.text):
        return None
    if tie.relation is None or not _is_speakers(tie):
        return None
    name = clause.subject.name if clause.subject is not None else None
    return Reference(text=name or f"my {tie.relation}", name=name, relation=tie.relation)


_OTHERS = frozenset({"mother", "father", "parent", "sister", "brother", "friend", "son", "daughter", "cousin", "boss"})
"""Whoever parts then parts from somebody of their own."""


def _is_speakers(noun: Noun) -> bool:
    return noun.relation is not None and noun.owner is not None and noun.owner.pronoun in _SPEAKERS


def _nouns(clause: Clause) -> Iterator[Noun]:
    phrases = [phrase.noun for phrase in clause.phrases if phrase.preposition not in {"in", "at", "on", "near", None}]
    for noun in (clause.subject, clause.object, clause.indirect, *phrases):
        if noun is not None:
            yield from noun.parts or (noun,)
