"""What a governed item weighs: importance by rules, and the integer score of governed recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wellkept.patterns import deferred
from wellkept.policies.words import terms
from wellkept.policies.writing.keys import signs
from wellkept.values import frozen, once
from wellkept.vocabulary import EventType

if TYPE_CHECKING:
    from wellkept.types import Memory
    from wellkept.vocabulary import Source

BASE: Mapping[EventType, int] = {
    EventType.PREFERENCE: 3,
    EventType.DECISION: 3,
    EventType.FACT: 4,
    EventType.CORRECTION: 4,
    EventType.EXECUTION: 2,
    EventType.CONTEXT: 1,
}
PROFILE_MAX = 20
REASONS = ("matches_query", "recency", "importance")
"""What gives points."""

_EMPHASIS = deferred(r"(?i)\b(?:always|never|must|avoid)\b")
_ENDING = deferred(r"(?i)(?<=\w)['’](?:s|t|d|m|re|ve|ll)\b")
_UNSPACED = deferred("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]")


@frozen
class Weight:
    """An importance and the rules that gave it, in their order."""

    importance: int
    reasons: tuple[str, ...]


def importance(event: EventType, source: Source, text: str, *, is_correction: bool = False) -> Weight:
    """The importance of an item when it is written.

    >>> importance(EventType.PREFERENCE, "user", "Always use metric units")
    Weight(importance=5, reasons=('event:preference', 'source:user', 'emphasis'))
    """
    weight, reasons = BASE[event], [f"event:{event}"]
    more = (
        (source == "user", "source:user"),
        (_EMPHASIS.search(text) is not None, "emphasis"),
        (is_correction or event is EventType.CORRECTION, "corrective"),
    )
    for is_so, reason in more:
        if is_so:
            weight += 1
            reasons += [reason]
    return Weight(importance=weight, reasons=tuple(reasons))


@frozen
class Scored:
    """An item with its score and why it was recalled."""

    memory: Memory
    score: int
    reasons: tuple[str, ...]


def rank(items: Sequence[Memory], asked: Asked, *, limit: int | None = None) -> list[Scored]:
    """Best first: by score, then the newer, then by id. Age is counted from the newest of these items."""
    newest = max([item.tick or 0 for item in items], default=0)
    given = [(item, _points(item, asked, newest)) for item in items]
    order = sorted([(-sum(got), -(item.tick or 0), item.id, item, got) for item, got in given])
    return [
        Scored(
            memory=item,
            score=-less,
            reasons=tuple([reason for reason, points in zip(REASONS, got, strict=True) if points]),
        )
        for less, _, _, item, got in order[:limit]
    ]


@frozen
class Asked:
    """A query as it is held against texts."""

    signs: str
    words: frozenset[str]
    pairs: frozenset[str]
    """Of a script without spaces: what its words are there."""

    @classmethod
    def of(cls, query: str) -> Asked:
        """The query, read once."""
        asked = signs(query)
        pairs = frozenset(terms(query)) if _UNSPACED.search(asked) else frozenset()
        return cls(signs=asked, words=_words(query, asked), pairs=pairs)


@frozen
class Said:
    """A text as queries are held against it."""

    text: str
    signs: str
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Said:
        """The text, read once."""
        said = signs(text)
        return cls(text=text, signs=f" {said} ", words=_words(text, said))


def _words(text: str, read: str) -> frozenset[str]:
    """The words of a text that was read: what "what's" and "the user's" share is no word."""
    is_shortened = "'" in text or "’" in text
    return frozenset((signs(_ENDING.sub(" ", text)) if is_shortened else read).split())


def match(asked: Asked, said: Said) -> int:
    """2 when the whole query stands in the text, 1 when they share a word, else 0.

    >>> def matched(query: str, text: str) -> int:
    ...     return match(Asked.of(query), Said.of(text))
    >>> matched("concise updates", "The user prefers concise updates"), matched("updates?", "concise updates")
    (2, 2)
    >>> matched("which updates", "concise updates"), matched("date", "concise updates")
    (1, 0)
    >>> matched("what's new", "The user's editor is vim")
    0
    """
    if not asked.signs:
        return 0
    # A word stands by itself where words are set apart; in scripts without spaces it stands among others.
    if f" {asked.signs} " in said.signs or (asked.pairs and asked.signs in said.signs):
        return 2
    return int(
        not asked.words.isdisjoint(said.words) or not asked.pairs.isdisjoint(terms(said.text) if asked.pairs else ())
    )


def points(item: Memory, asked: Asked, newest: int) -> dict[str, int]:
    """What an item has for its words, its age in ticks from the newest, and its importance: the score is the sum."""
    return dict(zip(REASONS, _points(item, asked, newest), strict=True))


def _points(item: Memory, asked: Asked, newest: int) -> tuple[int, int, int]:
    age = newest - (item.tick or 0)
    return (
        match(asked, once(item, "_said", _said)),
        2 if age <= 2 else 1 if age <= 5 else 0,  # noqa: PLR2004 -- the ticks of the contract
        2 if item.importance >= 4 else 1 if item.importance >= 2 else 0,  # noqa: PLR2004 -- as above
    )


def _said(item: Memory) -> Said:
    return Said.of(item.content)
