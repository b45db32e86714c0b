"""Tokens that belong together: names that go on in capitals, and possessives with nothing behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import relations
from wellkept.values import changed

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.tokens import Token

_AT_HOUSES = lexicon.words("at from to near for")
_SMALL = frozenset(("determiner", "preposition", "adverb", "possessive"))
_ENDS = frozenset(("punctuation", "preposition", "coordinator", "auxiliary", "modal"))


def going_on(tokens: list[Token]) -> list[Token]:
    """Reads "An" in "Nguyen Van An" as a part of the name: inside a sentence an article has no capital."""
    small = [
        at
        for at, token in enumerate(tokens)
        if token.text != token.lower and at and token.tag in _SMALL and token.is_capital
    ]
    if not small or all(token.is_capital for token in tokens if token.text[:1].isalpha()):
        return tokens  # nothing of the kind, or a heading
    for at in small:
        before, token = tokens[at - 1], tokens[at]
        if before.tag == "name" and before.is_capital and not token.text[1:].isupper():
            tokens[at] = changed(token, tag="name")
    return tokens


def houses(tokens: list[Token]) -> list[Token]:
    """Reads "at St. Mary's in Leeds" and "at my brother's" as one word: nobody follows who *is* in Leeds."""
    last = len(tokens) - 1
    open_ends = [
        at
        for at, token in enumerate(tokens)
        if token.lower == "'s" and token.tag == "clitic" and (at == last or tokens[at + 1].tag in _ENDS)
    ]
    out = [*tokens] if open_ends else tokens
    for at in reversed(open_ends):
        if _is_at_somebodys(tokens[:at]):
            name = tokens[at - 1]
            out[at - 1 : at + 1] = [changed(name, text=f"{name.text}'s", lower=f"{name.lower}'s", end=tokens[at].end)]
    return out


def _is_at_somebodys(before: list[Token]) -> bool:
    """Whether a place word stands before a name, or before somebody of the speaker's."""
    first = len(before)
    while first and before[first - 1].tag == "name":
        first -= 1
    is_kin = len(before) > 2 and before[-2].tag == "possessive" and relations.relation_of(before[-1].lower) is not None
    first = len(before) - 2 if is_kin else first
    return 0 < first < len(before) and before[first - 1].lower in _AT_HOUSES
