"""What people are to each other: the words for it in several languages, and what follows from one."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Literal

from wellkept.patterns import deferred, word_lists, word_set
from wellkept.values import frozen

Gender = Literal["female", "male"]
Circle = Literal["family", "love", "past", "work", "social", "service"]
Holders = Literal["one", "some"]
"""`one`: whoever is named later takes the place (wife, boss). `some`: several hold it beside each other (brother)."""

FORMER = "former "
"""Before a relation that somebody else holds now: "former wife"."""
MET = "from "
"""Begins where somebody is known from, which tells them from others of their name: "Aiko from the gym"."""
_CLOSE = {"family", "love", "past"}


@frozen
class Relation:
    """One canonical relation."""

    name: str
    circle: Circle
    gender: Gender | None = None
    holders: Holders = "some"
    covers: frozenset[str] = frozenset()
    """Narrower relations that this word may stand for: parent covers mother and father."""
    inverse: str | None = None
    """What the other one is in return, where that is certain."""


_GENDERED: dict[str, Gender] = {"f": "female", "m": "male"}
_CIRCLES: dict[str, Circle] = {
    "family": "family", "love": "love", "past": "past", "work": "work", "social": "social", "service": "service"
}  # fmt: skip
_QUALIFIERS = deferred(
    r"^(?:(?:older|elder|eldest|oldest|younger|youngest|little|big|baby|kid|late|dear|dearest|beloved|lovely|new|old"
    r"|current|twin|only|good|close|favou?rite|second|first|ältere[rs]?|jüngere[rs]?|kleine[rs]?|große[rs]?|liebe[rs]?"
    r"|hermosa|querid[ao]|grand|grande|petite?|cher|chère|car[ao]|vecchi[ao]|velh[ao])\s+)+",
    re.IGNORECASE,
)


def _key(word: str) -> str:
    folded = unicodedata.normalize("NFKC", word).casefold().strip(" .,;:!?'’\"")
    return re.sub(r"[\s\-‐‑–_]+", "-", folded)


def _plain(word: str) -> str:
    parts = unicodedata.normalize("NFD", word)
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def _rows() -> tuple[tuple[str, ...], ...]:
    lines = word_lists("people/relations.txt")["relations"]
    return tuple(tuple(cell.strip() for cell in line.split("|")) for line in lines)


@cache
def _relations() -> dict[str, Relation]:
    found = {}
    for name, circle, gender, holders, covers, inverse, _ in _rows():
        found[name] = Relation(
            name=name,
            circle=_CIRCLES[circle],
            gender=_GENDERED.get(gender),
            holders="one" if holders == "one" else "some",
            covers=frozenset(covers.split(", ")) if covers else frozenset(),
            inverse=inverse or None,
        )
    return found


@cache
def _singular() -> dict[str, str]:
    """Every word, and its form without marks where no other word has that form, to its relation."""
    found: dict[str, str] = {}
    for name, *_, words in _rows():
        found[_key(name)] = name
        for word in words.replace(";", " ").split():
            found.setdefault(_key(word), name)
    for word, name in tuple(found.items()):
        found.setdefault(_plain(word), name)
    return found


@cache
def _words() -> dict[str, str]:
    return {**_several(), **_singular()}


def canonical(word: str) -> str | None:
    """The relation a word names, in any of the languages; None when it names none.

    >>> canonical("mum"), canonical("Schwester"), canonical("my older brother"), canonical("mother in law")
    ('mother', 'sister', 'brother', 'mother-in-law')
    """
    text = re.sub(r"^(?:my|the)\s+", "", word.strip(), flags=re.IGNORECASE)
    found = _words().get(_key(text))
    if found is not None:
        return found
    bare = _QUALIFIERS.sub("", text)
    return _words().get(_key(bare)) if bare != text else None


def relation(name: str) -> Relation | None:
    """What is known about a canonical relation."""
    return _relations().get(name)


def is_address(word: str) -> bool:
    """Whether the bare word calls a relative: "Mom", "Oma"."""
    return _key(word) in word_set("people/relations.txt", "addressed")


@cache
def _several() -> dict[str, str]:
    entries = (entry.split(": ") for entry in word_lists("people/relations.txt")["several"])
    return {word: name for name, words in entries for word in words.split()}


def is_several(words: str) -> bool:
    """Whether the words mean more than one: "my kids", "mis hermanos". A word that may be one ("lehrer") is one."""
    return any(_key(word) in _several() and _key(word) not in _singular() for word in words.split())


def longest_words() -> int:
    """How many written words the longest relation has."""
    return max(word.count("-") for word in _words()) + 1


def fits(said: str, held: str) -> bool:
    """Whether what is said may mean one who holds the other relation: "spouse" the wife, "my ex-wife" a former wife."""
    if held.startswith(FORMER):
        then = held.removeprefix(FORMER)
        return said in {held, "ex", f"ex-{then}"}
    if said == held or (said.startswith(MET) and held.startswith(f"{said} ")):
        return True
    one, other = relation(said), relation(held)
    return (one is not None and held in one.covers) or (other is not None and said in other.covers)


def agree(said: str, held: str) -> bool:
    """Whether one who holds a relation may well be the said one too: girlfriend, then wife, then ex-wife."""
    if fits(said, held) or fits(said, held.removeprefix(FORMER)):
        return True
    new, old = relation(said), relation(held.removeprefix(FORMER))
    if said.startswith(MET) is not held.startswith(MET):
        told = old if said.startswith(MET) else new
        return told is not None and told.circle not in _CLOSE
    if new is None or old is None:
        return False
    genders = {new.gender, old.gender} - {None}
    return (new.circle, old.circle) in {("love", "love"), ("past", "love"), ("past", "past")} and len(genders) <= 1


def may_coincide(one: str, other: str) -> bool:
    """Whether two relations that differ could still be one person's: a friend who is a colleague. Worth a question."""
    first, second = relation(one.removeprefix(FORMER)), relation(other.removeprefix(FORMER))
    return first is not None and second is not None and not {first.circle, second.circle} & _CLOSE


def inverse(name: str) -> str | None:
    """What the other one is in return, where it is certain: a brother's is sibling, a wife's is spouse."""
    found = relation(name)
    return None if found is None else found.inverse


def holders(name: str) -> Holders:
    """Whether a relation has one holder at a time."""
    found = relation(name)
    return "some" if found is None else found.holders


def gender(name: str) -> Gender | None:
    """The gender a relation tells."""
    found = relation(name.removeprefix(FORMER))
    return None if found is None else found.gender
