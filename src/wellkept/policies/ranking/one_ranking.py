"""Memories and messages as one ranking: where each stands beside the others, and which messages a memory stands for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from wellkept.policies.ranking.rank_messages import Said
from wellkept.policies.writing.gate import is_low_signal
from wellkept.values import changed, frozen

if TYPE_CHECKING:
    from wellkept.policies.ranking.rank import Found
    from wellkept.types import Message

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
