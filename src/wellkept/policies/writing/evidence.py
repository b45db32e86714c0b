"""Evidence: what a claim names, counts and dates must have been said, or follow from what was said."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from wellkept.patterns import deferred, word_lists, word_set
from wellkept.policies.writing.shape import STRAIGHT
from wellkept.types import Decision
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


def _is_common(word: str) -> bool:
    return word in word_set("writing/words.txt", "common")


@cache
def _number_words() -> Mapping[str, str]:
    """Word → its number."""
    rows = (line.split(": ") for line in word_lists("writing/words.txt")["numbers"])
    return {word: number for number, words in rows for word in words.split()}


STEM_MIN = 4
"""Letters that two forms of one word share at least: "Kind" and "Kinder"."""
STEM_SHARE = 0.7
"""Of the longer one of two forms."""
UNCASED_SHARE = 0.5
"""Of the pairs of signs, in scripts without capitals, where names cannot be told from other words."""

_WORD = deferred(r"[^\W_]+(?:['’.-][^\W_]+)*")
_ISO = deferred(r"\b\d{4}-\d{2}(?:-\d{2})?\b")
_NUMBER = deferred(r"\d+(?:[.,:]\d+)*")
_GROUPED = deferred(r"(?<=\d)[,.](?=\d{3}(?!\d))")
_SENTENCE_START = deferred(r"(?:^|[.!?:;]\s+|[\"'(\[])$")
_UNCASED = deferred(r"[\u0590-\u109f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")


@frozen
class Grounds:
    """What a claim may rest on."""

    window: tuple[str, ...]
    """The messages that were read, the source last."""
    viewpoint: tuple[str, ...] = ()
    """Names that are known of the place it was said in: the speaker, the persona, people the speaker talks about."""
    derived: tuple[str, ...] = ()
    """What the date and person resolvers made of the window: ISO dates, names of months and days, names."""


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quotation stands in a text: exactly, else without regard to case, quotation marks and spacing.

    >>> find("live  in BERLIN", "I live in Berlin now")
    (2, 16)
    """
    start = text.find(quote)
    if quote.strip() and start >= 0:
        return start, start + len(quote)
    parts = [re.escape(part) for part in _plain(quote).split()]
    match = re.search(r"\s+".join(parts), _plain(text)) if parts else None
    return (match.start(), match.end()) if match is not None else None


def check(content: str, quote: str, grounds: Grounds) -> Decision:
    """Whether a claim made from a quotation of the source has its evidence; the code says what is missing.

    >>> check("Alice has 3 cats", "I have 2 cats", Grounds(window=("I have 2 cats",), viewpoint=("Alice",))).reason
    'evidence_number'
    """
    if not grounds.window or find(quote, grounds.window[-1]) is None:
        return _missing("evidence_span")
    decision = ground(content, grounds)
    if decision.verdict == "pass" and not _shares_a_word(_ISO.sub(" ", content), quote, grounds):
        return _missing("evidence_words")
    return decision


def ground(content: str, grounds: Grounds) -> Decision:
    """Whether the names, numbers and dates of a text were said, whatever it was made from."""
    said = (*grounds.window, *grounds.viewpoint, *grounds.derived)
    if any(date not in " ".join(said) for date in _ISO.findall(content)):
        return _missing("evidence_date")
    undated = _ISO.sub(" ", content)
    # Of a date only the year is a number that may stand alone.
    if not _numbers(undated) <= _numbers(_ISO.sub(lambda date: date[0][:4], " ".join(said)), is_source=True):
        return _missing("evidence_number")
    if any(not _is_said(name, said) for name in _names(undated)) or not _is_said_uncased(undated, said):
        return _missing("evidence_name")
    return Decision(verdict="pass", reason="evidenced")


def is_said(name: str, grounds: Grounds) -> bool:
    """Whether every word of a name was said or is known of the place; function words need no saying."""
    said = (*grounds.window, *grounds.viewpoint, *grounds.derived)
    return all(_is_said(word, said) for word in _folded(name) if not _is_common(word))


def _missing(code: str) -> Decision:
    return Decision(verdict="refuse", reason=code)


def _plain(text: str) -> str:
    """For comparing places: one character stays one character."""
    straight = text.translate(STRAIGHT)
    return "".join(low if len(low := sign.lower()) == 1 else sign for sign in straight)


@lru_cache(maxsize=256)
def _folded(text: str) -> tuple[str, ...]:
    """The words of a text without case, accents and possessive endings."""
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    found = (match[0].replace("’", "'").casefold() for match in _WORD.finditer(bare))
    return tuple(re.sub(r"'s?$", "", word) for word in found)


def _names(content: str) -> Iterator[str]:
    """Capitalised words. The first of a sentence is one only if no common word begins so."""
    for match in _WORD.finditer(content):
        word = match[0]
        if not any(sign.isupper() for sign in word):
            continue
        folded = _folded(word)
        is_first = _SENTENCE_START.search(content[: match.start()]) is not None
        is_common = all(map(_is_common, folded))
        if not (is_first and is_common):
            yield word


def _is_said(word: str, said: Iterable[str]) -> bool:
    parts = [part for whole in _folded(word) for part in re.split(r"[-.']", whole) if part]
    heard = {part for text in said for whole in _folded(text) for part in (whole, *re.split(r"[-.']", whole))}
    return all(_is_heard(part, heard) for part in parts)


def _is_heard(part: str, heard: set[str]) -> bool:
    return part in heard or any(_are_forms(part, other) for other in heard)


def _are_forms(one: str, other: str) -> bool:
    """Whether two words are forms of one: they begin alike and differ in an ending."""
    shared = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        shared += 1
    longer = max(len(one), len(other))
    if shared == longer - 1 and "s" in (one[shared:], other[shared:]):
        return True
    return shared >= min(STEM_MIN, longer) and shared >= STEM_SHARE * longer


def _is_said_uncased(content: str, said: Iterable[str]) -> bool:
    heard = " ".join(said)
    pairs = [run[at : at + 2] for run in _UNCASED.findall(content) for at in range(len(run) - 1)]
    pairs = [pair for pair in pairs if pair not in word_set("writing/words.txt", "uncased common")]
    return not pairs or sum(pair in heard for pair in pairs) >= UNCASED_SHARE * len(pairs)


def _numbers(text: str, *, is_source: bool = False) -> frozenset[str]:
    """The values of numbers in digits and words. In a source "a" counts as one, and parts of a number count too."""
    ungrouped = _GROUPED.sub("", text)
    found = {_value(match[0]) for match in _NUMBER.finditer(ungrouped)}
    numbers = _number_words()
    found |= {numbers[word] for whole in _folded(text) for word in whole.split("-") if word in numbers}
    if is_source:
        found |= {part.lstrip("0") or "0" for number in _NUMBER.findall(text) for part in re.split(r"[.,:]", number)}
        found.add("1")
    else:
        found -= {"1"}
    return frozenset(found)


def _value(number: str) -> str:
    return re.sub(r"(?<=\d)[.,:]0+$", "", number).lstrip("0") or "0"


def _shares_a_word(content: str, quote: str, grounds: Grounds) -> bool:
    """Whether a claim has anything of its quotation in it beside the names of the place."""
    if _UNCASED.search(content):
        return True
    known = {part for text in grounds.viewpoint for part in _folded(text)}
    heard = {part for part in _folded(quote) if not _is_common(part)}
    told = [part for part in _folded(content) if not _is_common(part) and part not in known]
    return not told or not heard or any(_is_heard(part, heard) for part in told)
