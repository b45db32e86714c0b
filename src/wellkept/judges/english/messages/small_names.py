"""Names that are typed in small letters: "my brother caio", "linh is my labmate", and whoever is known by name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.tokens import COMMON_NOUNS, tokenise
from wellkept.judges.english.grammar.verbs import verb_form
from wellkept.judges.english.people import given_names, relations
from wellkept.judges.english.worth import topics
from wellkept.judges.english.worth.soft_words import SOFT
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_KIN = "|".join(sorted((re.escape(word) for word in relations.CANONICAL if len(word) > 2), key=len, reverse=True))
_NAME = r"(?P<name>[^\W\d_A-Z][^\W\d_]+(?:-[^\W\d_]+)?)"
_BEGIN = r"(?:^|(?<=[.!?,;] )|(?<=\band )|(?<=\n))"
_TITLED = deferred(rf"\b(?P<title>mrs?|ms|dr|prof|professor|sir|madam|ma'am|tita|tito|kuya|lola|lolo)\.? {_NAME}\b")
_FULL = deferred(rf"(?:^|(?<=[.!?] )){_NAME} (?P<last>[^\W\d_A-Z][^\W\d_]+) from [^,.!?]{{2,30}}, (?:he|she)\b")
_INTRODUCED = (
    deferred(rf"(?i:\b(?:my|our|his|her|their|['’]s) (?:\w+ )?(?:{_KIN}),? ){_NAME}\b"),
    deferred(rf"(?i:\b(?:my|our) (?:{_KIN})(?:['’]s name)? (?:is|was) (?:called |named )?){_NAME}\b"),
    deferred(rf"{_BEGIN}{_NAME}(?:,| is| was|['’]s) (?:my|our) (?:\w+ )?(?i:{_KIN})\b"),
    _FULL,
    deferred(rf"\b(?:named|called|name is|name['’]s|name was) {_NAME}\b"),
    deferred(
        rf"(?:^|(?<=[.!?,;] )|(?<=\band )|(?<=\n)){_NAME}, (?:he|she)(?:['’]s| (?:is|was|has|works|lives|got|plays))\b"
    ),
)
LETTERS_MIN = 3
_PROPER = deferred(r"(?<![\w'’])[A-Z][^\W\d_]{2,}(?:-[^\W\d_]+)?")
_PLAIN = deferred(r"(?<![\w'’@#/.-])[^\W\d_A-Z][^\W\d_]+(?:-[^\W\d_]+)?(?![\w@/])")
_ADJECTIVAL = ("ed", "ing", "ous", "ful", "ic", "ive", "able", "ible", "ish", "less", "ant", "ent", "ary")
_NO_NAMES = lexicon.words(
    "he she they it who whom whose that which called named one two three yet just here there home away out in on at "
    "back again fine ok sick busy single gay dead due still also now today tonight tomorrow me him her them us lol "
    "haha btw tho though too gonna wanna gotta super kinda etc group thing stuff time birthday wedding house place "
    "tongue"
)
_WORDS = _NO_NAMES | given_names.NAMES | COMMON_NOUNS | SOFT | topics.WORK | lexicon.TIME_NOUNS | topics.PEOPLES
_WORDS |= topics.LANGUAGES | frozenset(relations.CANONICAL)


def named(texts: Sequence[str], known: Iterable[str]) -> frozenset[str]:
    """The names, folded, that the texts introduce and what is known holds, of those that are no other words."""
    return frozenset().union(*map(_introduced, texts), *map(_held, known))


@lru_cache(maxsize=128)
def _introduced(text: str) -> frozenset[str]:
    matches = [match.groupdict() for pattern in (*_INTRODUCED, _TITLED) for match in pattern.finditer(text)]
    found = [one.casefold() for match in matches for one in (match["name"], match.get("last")) if one is not None]
    return frozenset(name for name in found if _is_no_word(name))


@lru_cache(maxsize=512)
def _held(text: str) -> frozenset[str]:
    return frozenset(name for name in map(str.casefold, _PROPER.findall(text)) if _is_no_word(name))


def full(texts: Sequence[str]) -> tuple[str, ...]:
    """First and last names that the texts introduce together: "amara okafor from Enugu, she …"."""
    matches = (match for text in texts for match in _FULL.finditer(text))
    return tuple(f"{_capital(match['name'])} {_capital(match['last'])}" for match in matches)


def with_capitals(text: str, names: frozenset[str]) -> str:
    """The same text, letter for letter in length, with a capital for each of these names.

    >>> with_capitals("and yusuf plays the oud", frozenset({"yusuf"}))
    'and Yusuf plays the oud'
    """
    text = _TITLED.sub(_titled, text)
    return _PLAIN.sub(lambda found: _capital(found[0]) if found[0] in names else found[0], text) if names else text


def _titled(found: re.Match[str]) -> str:
    if not _is_no_word(found["name"]):
        return found[0]
    whole, at = found[0], found.start("name") - found.start()
    return f"{whole[:1].upper()}{whole[1:at]}{_capital(whole[at:])}"


def _capital(word: str) -> str:
    raised = "-".join(f"{part[:1].upper()}{part[1:]}" for part in word.split("-"))
    return raised if len(raised) == len(word) else word


@lru_cache(maxsize=2048)
def _is_no_word(word: str) -> bool:
    """Whether it can be nothing but a name."""
    if word in lexicon.FIRST_NAMES - lexicon.NAME_OR_WORD:
        return True
    if len(word) < LETTERS_MIN or word in _WORDS or word.removesuffix("s") in COMMON_NOUNS:
        return False
    is_plain = "-" not in word and word.endswith(_ADJECTIVAL)
    return verb_form(word) is None and not is_plain and tokenise(word)[0].tag in {"word", "name"}
