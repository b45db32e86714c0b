"""What somebody holds against somebody: ill feeling, judgement, suspicion, alleged wrong, and plans for them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar.lexicon import words
from wellkept.judges.english.grammar.verbs import verb_form
from wellkept.judges.english.messages.slips import by_letter, is_slip
from wellkept.judges.english.people import grievance_words as lists
from wellkept.judges.english.people import relations
from wellkept.patterns import deferred
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wellkept.types import Reference

_WORD = deferred(r"[\w@]+(?:['’-]\w+)*")
_THEM = words("him her them he she they his their hers theirs himself herself themselves")
_NO_NAME = words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december i i'm i've i'd i'll english french german spanish italian christmas easter"
)
_PREPOSITIONS = words("in at for of from on into near about with by than as because when while to")
_NEAR = 3
"""Words between a verb and the person it is done to: "kick *my old friend* Ravi out"."""
MISTYPED_MIN = 6
_BETWEEN = words("my our your his her their the that this old dear own so-called damn bloody poor mr mrs ms dr prof")


@frozen
class _Said:
    """A statement word by word, with the places where it speaks of somebody."""

    text: str
    """In small letters, with straight apostrophes."""
    words: tuple[str, ...]
    forms: tuple[frozenset[str], ...]
    """Of each word, what it may be a form of."""
    known: frozenset[int]
    """Places of people: by their names, as relations, by pronouns."""
    named: frozenset[int]
    """Places of capitals that may be names."""
    people: frozenset[int]
    """Places of both."""
    is_own: bool
    """Whether the speaker is the one who acts or feels in it."""
    """Whether one of the turns may stand in it."""


def is_held_against(texts: Iterable[str], subjects: tuple[Reference, ...], speaker: str | None) -> bool:
    """Whether one of the tellings of a fact holds something against somebody other than the speaker."""
    told = [text for text in dict.fromkeys(texts) if _may_be_against(text)]
    if not told:
        return False
    names = frozenset(
        word.casefold()
        for who in subjects
        if not who.is_speaker
        for one in (who.name, who.handle, who.relation)
        for word in (one or "").split()
    )
    own = frozenset((speaker or "").casefold().split())
    for text in told:
        said = _said(text, names, own)
        if said is not None and _is_against(said):
            return True
    return False


_TURNS = (lists.NERVES, lists.RESERVED, lists.DISLIKE, lists.UNLIKE, lists.WRONG, lists.FOREIGN)
_BEARING = lists.AGAINST | lists.HATE | lists.ENDS | lists.WANT | lists.BADLY | lists.MISDEEDS


def _may_be_against(text: str) -> bool:
    """Whether any word or turn stands in it by which something is held against somebody."""
    if not text.isascii():
        return True
    low = text.lower()
    if any(turn.search(low) for turn in _TURNS):
        return True
    found = _WORD.findall(low)
    if any(map(_is_bearing, found)) or lists.INTENT.search(low):
        return True
    copula = _end(lists.COPULA, low)
    return copula is not None and any(map(_is_unfavourable, found[len(_WORD.findall(low[:copula])) :]))


def _said(text: str, names: frozenset[str], own: frozenset[str]) -> _Said | None:
    """None where it speaks of nobody."""
    plain = text.replace("’", "'")
    found: list[str] = _WORD.findall(plain)
    low = [word.casefold() for word in found]
    bare = [word.removesuffix("'s").removesuffix("'") for word in low] if "'" in plain else low
    known = {
        at
        for at, word in enumerate(bare)
        if word not in own and (word in names or word in _THEM or (word in relations.CANONICAL and word != "so"))
    }
    named = {
        at
        for at, word in enumerate(found)
        if not "a" <= word[0] <= "z" and word[0].isupper()
        and bare[at] not in own and low[at] not in _NO_NAME and verb_form(bare[at]) is None
        and not (at == 0 and bare[at] in _OPENING)
    }  # fmt: skip
    if not known and not named:
        return None
    is_own = low[0].split("'")[0] in {"i", "we"} or bare[0] in own or low[:2] == ["the", "user"]
    return _Said(
        text=plain.casefold(),
        words=tuple(low),
        forms=tuple(map(_forms, low)),
        known=frozenset(known),
        named=frozenset(named),
        people=frozenset(known | named),
        is_own=is_own,
    )


_OPENING = words("we my our the a an this that it there you honestly frankly and but so also if when because yes no")


def _is_against(said: _Said) -> bool:
    if not lists.PETS.isdisjoint(said.words):
        return False
    if _turns(said):
        return True
    return _feels(said) or _plans(said) or _judges(said) or _alleges(said)


def _turns(said: _Said) -> bool:
    """Turns of speech that hold something against whoever is spoken of, or against those who come next."""
    if any(turn.search(said.text) for turn in (lists.NERVES, lists.UNLIKE, lists.FOREIGN)):
        return True
    reserve = _end(lists.RESERVED, said.text) if said.is_own else None
    if reserve is not None and _speaks_of(said, reserve, said.known):
        return True
    start = _end(lists.DISLIKE, said.text)
    if start is not None and _speaks_of(said, start, said.known | (said.named - {0})):
        return True
    wrong = _end(lists.WRONG, said.text)
    return wrong is not None and min(said.people) < len(_WORD.findall(said.text[:wrong]))


def _feels(said: _Said) -> bool:
    """Ill feeling towards somebody: the person stands after the words for it."""
    for at, forms in enumerate(said.forms):
        if forms & lists.AGAINST and any(place > at for place in said.people):
            return True
        if forms & lists.HATE and _follows(said, at, said.known, reach=len(said.words)):
            return True
    return False


def _plans(said: _Said) -> bool:
    """What somebody wants to do to somebody, unless it is a kindness."""
    for at, forms in enumerate(said.forms):
        if forms & lists.ENDS and _follows(said, at, said.people, reach=_NEAR):
            return True
        if forms & lists.WANT and _follows(said, at, said.known, reach=_NEAR):
            return True
    intent = lists.INTENT.search(said.text)
    if intent is None:
        return False
    at = len(_WORD.findall(said.text[: intent.end()])) - 1
    return not said.forms[at] & lists.KIND and _follows(said, at, said.known, reach=_NEAR)


def _judges(said: _Said) -> bool:
    """An unfavourable word that is said to be true of somebody."""
    if not lists.BADLY.isdisjoint(said.words):
        return True
    copula = _end(lists.COPULA, said.text)
    if copula is None:
        return False
    for at in range(len(_WORD.findall(said.text[:copula])), len(said.words)):
        word, following = said.words[at], said.words[at + 1 : at + 2]
        if word in _PREPOSITIONS:
            return False
        if at not in said.people and _is_unfavourable(word) and not lists.ENTHUSIASM & set(following):
            return True
    return False


def _alleges(said: _Said) -> bool:
    """A wrong that somebody does."""
    first = min(said.people)
    done = [at for at, forms in enumerate(said.forms) if forms & lists.MISDEEDS]
    return any(at > first and at not in said.named for at in done)


def _follows(said: _Said, at: int, people: frozenset[int], *, reach: int) -> bool:
    """Whether a person comes next after a place, with nothing between but words that belong to a person."""
    if reach > _NEAR:
        return any(place > at for place in people)
    for place in range(at + 1, min(at + 1 + reach, len(said.words))):
        if place in people and said.words[place] not in _BETWEEN - {"her"}:
            return True
        if said.words[place] not in _BETWEEN:
            return False
    return False


def _end(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.search(text)
    return found.end() if found is not None else None


def _speaks_of(said: _Said, start: int, people: frozenset[int]) -> bool:
    first = len(_WORD.findall(said.text[:start]))
    return any(place >= first for place in people)


@lru_cache(maxsize=4096)
def _forms(word: str) -> frozenset[str]:
    """A word and what it may be a form of."""
    form = verb_form(word)
    out = {word} if form is None else {word, form.lemma}
    for ending in ("s", "es", "ed", "d", "ing", "'s") if word[-1:] in {"s", "d", "g"} else ():
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)]
            out |= {stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem}
    return frozenset(out)


@lru_cache(maxsize=4096)
def _is_bearing(word: str) -> bool:
    return not _BEARING.isdisjoint(_forms(word))


@lru_cache(maxsize=4096)
def _is_unfavourable(word: str) -> bool:
    if word in lists.UNFAVOURABLE or _forms(word) & lists.NAMES_FOR:
        return True
    if len(word) < MISTYPED_MIN or verb_form(word) is not None or word in lists.WORDS_OF_THEIR_OWN:
        return False
    return any(is_slip(word, one) for one in _LONG.get(word[0], ()))


_LONG = by_letter(lists.UNFAVOURABLE, letters_min=MISTYPED_MIN)
