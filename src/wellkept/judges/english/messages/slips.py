"""Slips of the fingers: which word a mistyped one stands for."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import relations
from wellkept.values import changed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wellkept.judges.english.grammar.tokens import Token

KIN_LETTERS_MIN = 5
"""Letters of a mistyped relation; among shorter words too many lie one letter apart."""
# Words of their own that lie one letter from a relation.
_WORDS = lexicon.words(
    "bother broth sitter sifter fiend fined fried couch layer manger patent parental farther feather chili chill tumor "
    "trailer barker crash crust hobby rabbit midlife shrine employer finance niche nice costumer patient booth "
    "internal counsel grandam"
)


@lru_cache(maxsize=512)
def relation_meant(typed: str) -> str | None:
    """The relation word that a mistyped one stands for; None when it may be a word of its own.

    >>> relation_meant("husbnad"), relation_meant("siter"), relation_meant("hobby")
    ('husband', 'sister', None)
    """
    if len(typed) < KIN_LETTERS_MIN or not (typed.isascii() and typed.isalpha()) or typed in _WORDS:
        return None
    if typed in relations.CANONICAL or typed in relations.PLURALS or typed.removesuffix("s") in relations.CANONICAL:
        return None
    return next((word for word in _LONG.get(typed[0], ()) if is_slip(typed, word)), None)


def kin(tokens: list[Token]) -> list[Token]:
    """Reads "my husbnad" as "my husband": where a relation stands, a word that is none but nearly one is meant."""
    for at in range(1, len(tokens)):
        token = tokens[at]
        is_open = tokens[at - 1].tag == "possessive" and token.tag == "word" and token.form is None
        meant = relation_meant(token.lower) if is_open and not token.is_capital else None
        if meant is not None:
            tokens[at] = changed(token, lower=meant)
    return tokens


def by_letter(words: Iterable[str], *, letters_min: int) -> dict[str, list[str]]:
    """Words that are long enough to be told from each other when mistyped, by their first letter.

    >>> by_letter(["sister", "son", "stepson"], letters_min=5)
    {'s': ['sister', 'stepson']}
    """
    found: dict[str, list[str]] = {}
    for word in sorted(words):
        if len(word) >= letters_min:
            found.setdefault(word[0], []).append(word)
    return found


_LONG = by_letter(relations.CANONICAL, letters_min=KIN_LETTERS_MIN)


def is_slip(typed: str, meant: str) -> bool:
    """Whether one letter is wrong, left out, too many, or two have changed places."""
    at = next((at for at, (one, other) in enumerate(zip(typed, meant, strict=False)) if one != other), None)
    if at is None:
        return len(typed) + 1 == len(meant)
    left, right = typed[at:], meant[at:]
    is_swapped = left[1:2] + left[:1] == right[:2] and left[2:] == right[2:]
    return is_swapped or left[1:] in (right, right[1:]) or left == right[1:]
