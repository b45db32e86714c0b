"""Ranking: memories by their strategies, memories and messages as one ranking, and which of the hits answer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal, get_args

from wellkept.policies.ranking.rank_messages import Said
from wellkept.policies.upkeep.lifecycle import effective_importance, importance_share
from wellkept.policies.writing.gate import is_low_signal
from wellkept.values import changed, frozen
from wellkept.vocabulary import Trust

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from wellkept.types import Memory, Message


StrategyName = Literal["hybrid", "blended", "supervisor", "governed"]
STRATEGY_NAMES: tuple[str, ...] = get_args(StrategyName)

TRUST_FACTOR: Mapping[Trust, float] = {Trust.FACT: 1.0, Trust.UNKNOWN: 0.9, Trust.HEARSAY: 0.8}

SLOT_ASKED = 1.0
PEOPLE_NAMED = 0.75


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
    if effective_importance(item.memory, now=now) >= 2:  # noqa: PLR2004 -- the threshold of entity cards
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
        "importance": options.importance * importance_share(effective_importance(item.memory, now=now)),
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
        "importance": options.importance * importance_share(effective_importance(item.memory, now=now)),
    }


def _supervisor(item: Found, _options: RankOptions, _among: _Among, now: datetime) -> dict[str, float]:
    return {
        "similarity": 0.55 * max(item.similarity, item.words, item.people),
        "importance": 0.20 * importance_share(effective_importance(item.memory, now=now)),
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


# --- Memories and messages as one ranking.


Place = tuple[int, int]


@frozen
class JoinOptions:
    """How memories stand beside messages; docs/retrieval.md has the figures that decided it."""

    source: float = 1.5
    """Power of the share of the best message's standing that the source of a memory has.

    A memory that was learned from what was said is worth what its source is worth beside the rest of the transcript;
    one that was told by itself stands by its own score.
    """
    fade: float = 0.1
    """How much less a memory stands for that has the e-th part left: what fits far less than the best says little."""
    remote: float = 0.2
    """The share of the best score under which a message without any of the keywords is not shown."""
    represents: float = 0.5
    """The least share of a message's score at which a memory says what the message says."""


@frozen
class Placed:
    """A memory with the messages it stands for, or a message, and its place in the one ranking by score."""

    score: float
    item: Found | Said
    quotes: tuple[Message, ...] = ()


@frozen
class Joined:
    """What is ranked together."""

    memories: Sequence[Found]
    """Best first."""
    messages: Sequence[Said]
    """Best first."""
    sources: Mapping[str, Sequence[Place]]
    """Memory id → places of the messages it rests on, and of those that tell it again."""
    least: float = 0.0
    """Messages that score less are shown only as quotes."""
    is_faded: bool = True
    """False: everything known of somebody is asked for, so that each memory stands by its own score."""


def one_ranking(joined: Joined, options: JoinOptions) -> tuple[Placed, ...]:
    """Best first, ties to memories; whatever is said twice, by a memory and by its message, has one place.

    A greeting never stands above what is known.

    The higher of both is its place. It is the memory with the message as its quote, or the message alone where the
    memory says something else of it that does not fit.
    """
    if not joined.messages:
        return tuple(Placed(score=item.score, item=item) for item in joined.memories)
    standings = _standings(joined, options)
    said = {item.message.place: item for item in joined.messages}
    speaks = _spokesmen(joined, said, options)
    placed: list[Placed] = []
    for item, standing in zip(joined.memories, standings, strict=True):
        told = [said[place] for place in joined.sources.get(item.memory.id, ()) if place in said]
        mine = [one for one in told if speaks.get(one.message.place) == item.memory.id]
        first = [one for one in told if not _is_retold(one)]
        is_said_better = first and not mine and not any(_says(item, one, options) for one in first)
        if is_said_better and any(one.score >= joined.least for one in first):
            continue
        score = max([standing, *(one.standing for one in mine)])
        placed.append(Placed(score=score, item=item, quotes=tuple(one.message for one in first)))
    lowest = min((one.score for one in placed), default=math.inf)
    placed += [
        Placed(score=min(item.standing, lowest) if is_low_signal(item.message.content) else item.standing, item=item)
        for place, item in said.items()
        if place not in speaks and item.score >= joined.least and not _is_idle(item)
    ]
    return _sure(sorted(placed, key=lambda one: (-one.score, isinstance(one.item, Said))), joined)


def _sure(placed: Sequence[Placed], joined: Joined) -> tuple[Placed, ...]:
    """Scores by which an answer that is not there can be told from one that is.

    Where the best is a memory that was learned from what was said, both have a say in how sure it is: a memory does not
    know whether the thing that is asked for is named, the messages do.
    """
    top = max((item.standing for item in joined.messages), default=0.0)
    first = placed[0] if placed else None
    if first is None or not joined.is_faded or isinstance(first.item, Said):
        return tuple(placed)
    if first.score <= top or not _is_learned(first.item):
        return tuple(placed)
    share = math.sqrt(top / first.score)
    return tuple(changed(one, score=round(one.score * share, 6)) for one in placed)


def _standings(joined: Joined, options: JoinOptions) -> list[float]:
    """Of each memory, beside the messages."""
    scores = [item.score for item in joined.memories]
    if not joined.is_faded:
        return scores
    standing = {item.message.place: item.standing for item in joined.messages if not _is_retold(item)}
    top = max(item.standing for item in joined.messages)
    # A source that is not among the messages found stands below the last of them.
    below = min(item.standing for item in joined.messages) / 2
    fits = []
    for item in joined.memories:
        places = joined.sources.get(item.memory.id, ()) if _is_learned(item) else ()
        share = max(standing.get(place, below) for place in places) / top if places and top else 1.0
        fits.append(item.score * share**options.source)
    best = max(fits, default=0.0)
    # What was told by itself does not compete with what was said: only better memories make it stand back.
    bests = [max(best, top) if _is_learned(item) else best for item in joined.memories]
    return [round(fit * math.exp((fit - best) / options.fade), 6) for fit, best in zip(fits, bests, strict=True)]


def _spokesmen(joined: Joined, said: Mapping[Place, Said], options: JoinOptions) -> dict[Place, str]:
    """Place of a message → the memory that stands for it: the best that fits about as well."""
    speaks: dict[Place, str] = {}
    for item in joined.memories:
        for place in joined.sources.get(item.memory.id, ()):
            if place in said and (_is_retold(said[place]) or _says(item, said[place], options)):
                speaks.setdefault(place, item.memory.id)
    return speaks


def _says(item: Found, said: Said, options: JoinOptions) -> bool:
    return item.score >= options.represents * said.score


def _is_retold(said: Said) -> bool:
    """What an assistant said tells a memory again; only what somebody else said is its source."""
    return said.message.role == "assistant"


def _is_idle(said: Said) -> bool:
    """A greeting, thanks or assent that has no word of the question: it lies near to everything."""
    return not said.words and is_low_signal(said.message.content)


def _is_learned(item: Found) -> bool:
    return item.memory.source_message_id is not None


# --- Which of the hits of a recall answer a question.


SHARE_MIN = 0.001
"""What the reader says with more certainty than this is not worth more."""


@frozen
class AnswerOptions:
    """A logistic regression on the development conversations: `python -m training.product development --fit`."""

    base: float = -0.58
    reader: float = 0.33
    """For each unit of the reader's log odds."""
    rank: float = -1.05
    """For each e-fold of the place, counted from 1."""
    sure: float = 0.42
    """The least probability of what is given as an answer."""
    besides: float = 0.08
    """The least probability of what is told besides, where the best is sure enough."""


@frozen
class Candidate:
    """A hit, by its place among the hits, and how likely it answers the question."""

    row: int
    probability: float


def choose_answer(shares: Sequence[float], options: AnswerOptions) -> tuple[Candidate, ...]:
    """The best hit and at most one besides, best first; nothing where none is sure enough.

    `shares` are the reader's probabilities in the order of the recall.

    >>> [one.row for one in choose_answer([0.2, 0.99, 0.1], AnswerOptions())]
    [1, 0]
    >>> choose_answer([0.5, 0.5], AnswerOptions())
    ()
    """
    likely = [Candidate(row=row, probability=_probability(share, row, options)) for row, share in enumerate(shares)]
    ordered = sorted(likely, key=lambda one: (-one.probability, one.row))[:2]
    if not ordered or ordered[0].probability < options.sure:
        return ()
    return tuple(one for one in ordered if one is ordered[0] or one.probability >= options.besides)


def _probability(share: float, row: int, options: AnswerOptions) -> float:
    bounded = min(max(share, SHARE_MIN), 1 - SHARE_MIN)
    odds = options.base + options.reader * math.log(bounded / (1 - bounded)) + options.rank * math.log(row + 1)
    return 1 / (1 + math.exp(-odds))
