"""Ranking: named strategies, each a small pure function over score parts, with its weights in one place."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING, Literal, get_args

from wellkept.policies.lifetime import importance
from wellkept.values import changed, frozen
from wellkept.vocabulary import Trust

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from wellkept.types import Memory

StrategyName = Literal["hybrid", "blended", "supervisor", "governed"]
STRATEGY_NAMES: tuple[str, ...] = get_args(StrategyName)

TRUST_FACTOR: Mapping[Trust, float] = {Trust.FACT: 1.0, Trust.UNKNOWN: 0.9, Trust.HEARSAY: 0.8}

SLOT_ASKED = 1.0
PEOPLE_NAMED = 0.75
PEOPLE_RELATED = 0.55
PEOPLE_PRESENT = 0.70
ONE_HOP = 0.50
TWO_HOPS = 0.30


@frozen
class RankOptions:
    """Weights. Those of `hybrid` are decided by the benchmarks; the others are contract."""

    strategy: StrategyName = "hybrid"
    similarity: float = 0.55
    words: float = 0.30
    people: float = 0.15
    relation: float = 0.05
    importance: float = 0.02
    recency: float = 0.02
    recency_half_life_days: float = 14.0
    threshold: float = 0.06
    """Below this score nothing is returned unless asked for."""
    noise: float = 0.15
    """Below this similarity nothing is returned that has no word of the query, unless asked for."""


@frozen
class Found:
    """A memory with what each arm says of it, 0..1, and what ranking makes of that."""

    memory: Memory
    similarity: float = 0.0
    words: float = 0.0
    people: float = 0.0
    relation: float = 0.0
    why: tuple[str, ...] = ()
    score: float = 0.0
    parts: Mapping[str, float] = field(default_factory=dict)

    @property
    def arms(self) -> Mapping[str, float]:
        """The arms that found it, each with what it says."""
        said = {"vector": self.similarity, "words": self.words, "people": self.people, "related": self.relation}
        return {arm: round(value, 6) for arm, value in said.items() if value > 0}


@frozen
class Asked:
    """What ranking answers to: the query, when, and with which weights."""

    query: str
    options: RankOptions
    now: datetime


@frozen
class _Among:
    """What an item is measured by: all that were found for the query."""

    query: str
    frequency: Mapping[str, int]
    newest_tick: int


def rank(found: Sequence[Found], asked: Asked) -> tuple[Found, ...]:
    """Best first, by score. Equal scores: the newer, then the smaller id."""
    options = asked.options
    parts = _parts(found, asked, among=found)
    scored = [changed(item, score=_score(item, own, options)) for item, own in zip(found, parts, strict=True)]
    return tuple(sorted(scored, key=lambda item: (-item.score, -item.memory.updated_at.timestamp(), item.memory.id)))


def explained(shown: Sequence[Found], found: Sequence[Found], asked: Asked) -> tuple[Found, ...]:
    """Those that are shown, of all that were found, with the parts of their scores and the reasons."""
    parts = _parts(shown, asked, among=found)
    return tuple(_told(item, own, asked.options, asked.now) for item, own in zip(shown, parts, strict=True))


def _parts(items: Sequence[Found], asked: Asked, *, among: Sequence[Found]) -> list[dict[str, float]]:
    strategy = _STRATEGIES[asked.options.strategy]
    newest = max((item.memory.tick or 0 for item in among), default=0)
    measured = _Among(query=asked.query, frequency=_frequency(among), newest_tick=newest)
    return [strategy(item, asked.options, measured, asked.now) for item in items]


def _score(item: Found, parts: Mapping[str, float], options: RankOptions) -> float:
    if options.strategy == "governed":
        return sum(parts.values())
    return round(sum(parts.values()) * TRUST_FACTOR[item.memory.trust] + options.relation * item.relation, 6)


def _told(item: Found, parts: Mapping[str, float], options: RankOptions, now: datetime) -> Found:
    why = list(item.why)
    if item.similarity > 0 or item.words > 0:
        why.append("matches_query")
    if _age_days(item.memory, now) <= options.recency_half_life_days:
        why.append("recency")
    if importance.effective(item.memory, now=now) >= 2:  # noqa: PLR2004 -- the threshold of entity cards
        why.append("importance")
    if item.memory.pinned:
        why.append("pinned")
    rounded = {name: round(value, 6) for name, value in parts.items()}
    if options.strategy == "governed":
        return changed(item, parts=rounded, why=tuple(why))
    rounded["trust"] = TRUST_FACTOR[item.memory.trust]
    if item.relation:
        rounded["relation"] = round(options.relation * item.relation, 6)
    return changed(item, parts=rounded, why=tuple(why))


def _hybrid(item: Found, options: RankOptions, _among: _Among, now: datetime) -> dict[str, float]:
    half_lives = _age_days(item.memory, now) / options.recency_half_life_days
    return {
        "similarity": options.similarity * item.similarity,
        "words": options.words * item.words,
        "people": options.people * item.people,
        "importance": options.importance * importance.as_share(importance.effective(item.memory, now=now)),
        "recency": options.recency * 0.5**half_lives,
    }


def _blended(item: Found, options: RankOptions, among: _Among, now: datetime) -> dict[str, float]:
    half_lives = _age_days(item.memory, now) / options.recency_half_life_days
    most = max(among.frequency.values(), default=1)
    occurrence = max((among.frequency[ref] for ref in item.memory.entity_refs), default=0)
    return {
        "similarity": 0.40 * max(item.similarity, item.words, item.people),
        "recency": 0.30 * 0.5**half_lives,
        "frequency": 0.30 * occurrence / most,
        # Of two that are otherwise alike, the one that is spoken of more often.
        "importance": options.importance * importance.as_share(importance.effective(item.memory, now=now)),
    }


def _supervisor(item: Found, _options: RankOptions, _among: _Among, now: datetime) -> dict[str, float]:
    return {
        "similarity": 0.55 * max(item.similarity, item.words, item.people),
        "importance": 0.20 * importance.as_share(importance.effective(item.memory, now=now)),
        "recency": 0.15 / (1 + _age_days(item.memory, now)),
        "pinned": 0.10 if item.memory.pinned else 0.0,
    }


def _governed(item: Found, _options: RankOptions, among: _Among, _now: datetime) -> dict[str, float]:
    """The whole numbers of governed recall: neither trust nor relations weigh here."""
    from wellkept.policies.governance.scores import Asked, points  # who ranks otherwise needs none of it

    return dict(points(item.memory, Asked.of(among.query), among.newest_tick))


_STRATEGIES: Mapping[str, Callable[[Found, RankOptions, _Among, datetime], dict[str, float]]] = {
    "hybrid": _hybrid,
    "blended": _blended,
    "supervisor": _supervisor,
    "governed": _governed,
}


def _frequency(found: Sequence[Found]) -> Mapping[str, int]:
    return Counter(ref for item in found for ref in item.memory.entity_refs)


def _age_days(memory: Memory, now: datetime) -> float:
    return max((now - memory.updated_at).total_seconds() / 86_400, 0.0)
