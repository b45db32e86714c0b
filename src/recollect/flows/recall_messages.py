"""The transcript's part of a recall: messages found and ranked, put into one order with memories."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from recollect.policies import keys
from recollect.policies.message_question import understand
from recollect.policies.rank_messages import Said, rank_messages
from recollect.store.base import Filter
from recollect.store.base_messages import MessageCandidate, MessageSearch
from recollect.types import Hit, Message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from recollect.flows.engine import Engine
    from recollect.flows.requests import RecallRequest
    from recollect.policies.rank_messages import MessageRankOptions
    from recollect.policies.visibility import View

SPARE = 10
"""Messages beyond the limit that take the place of those that memories are made from."""
_ALL = Filter()


def are_asked(request: RecallRequest) -> bool:
    """Filters narrow by what only memories have: with one, nothing of the transcript fits."""
    is_open = replace(request.filter, user_id=None) == _ALL and request.filter.user_id in (None, request.viewpoint.user)
    return "messages" in request.sources and is_open and not request.about


def said(
    request: RecallRequest, view: View, engine: Engine, *, vector: NDArray[np.float32] | None, is_question: bool
) -> tuple[Said, ...]:
    """Messages that bear on the query, best first. A question, asked before or just now, is no answer to itself."""
    if not are_asked(request):
        return ()
    question = understand(request.query, engine.judge.asked_time(request.query, now=view.now))
    search = MessageSearch(
        view=view,
        question=question,
        weights=engine.rank_messages.weights,
        vector=vector,
        model=engine.model,
        session=request.viewpoint.session,
        include_stale=request.include_stale,
        limit=request.limit + SPARE,
    )
    found = [
        Said(
            message=one.message,
            relevance=one.relevance,
            cosine=one.cosine,
            similarity=engine.similarity(one.cosine),
            words=one.share,
            coverage=one.coverage,
            wanted=one.wanted,
            parts=one.parts,
            why=("stale",) if one.is_stale else (),
        )
        for one in _candidates(search, engine, besides=keys.signs(request.query) if is_question else None)
    ]
    return rank_messages(found, question, options=engine.rank_messages)


def _candidates(search: MessageSearch, engine: Engine, *, besides: str | None) -> list[MessageCandidate]:
    """Messages other than a text; when it was said so often that it takes all places, those further down."""
    found = engine.store.message_candidates(search)
    left = [one for one in found if keys.signs(one.message.content) != besides]
    if len(left) + SPARE < len(found) == search.limit:
        return _candidates(replace(search, limit=search.limit * 4), engine, besides=besides)
    return left


def beside(memories: Sequence[Hit], options: MessageRankOptions) -> tuple[Hit, ...]:
    """Memories as they stand beside messages: the best as it is, what fits far less than it below what was said."""
    best = max((hit.score for hit in memories), default=0.0)
    return tuple(
        replace(hit, score=round(hit.score * math.exp((hit.score - best) / options.fade_memories), 6))
        for hit in memories
    )


def joined(
    memories: Sequence[Hit], messages: Sequence[Said], view: View, engine: Engine, *, limit: int, least: float
) -> tuple[Hit, ...]:
    """One order, ties to memories; a message that a returned memory rests on is folded into it as its quote.

    Messages that score less than `least` are returned only as quotes.
    """
    good = (_hit(item, view) for item in messages if item.score >= least)
    ranked = sorted([*memories, *good], key=_best_first)
    folded = _folded([hit for hit in ranked[:limit] if hit.memory is not None], view, engine)
    gone = {place for places in folded.values() for place in places}
    left = [hit for hit in ranked if hit.message is None or hit.message.place not in gone][:limit]
    # What an assistant said tells a memory again; only what somebody else said is its source.
    found = {item.message.place: item.message for item in messages if item.message.role != "assistant"}
    quoted = {memory_id: [found[place] for place in places if place in found] for memory_id, places in folded.items()}
    shown = _with_neighbours([_with_quote(hit, quoted.get(hit.id, ())) for hit in left], view, engine)
    # Numbers of scopes are given out as others come: they stay inside.
    return tuple(
        hit if hit.message is None else replace(hit, message=replace(hit.message, place=(0, 0))) for hit in shown
    )


def _best_first(hit: Hit) -> tuple[float, bool]:
    return -hit.score, hit.source == "message"


def _folded(memories: Sequence[Hit], view: View, engine: Engine) -> Mapping[str, tuple[tuple[int, int], ...]]:
    """Memory id → places of the messages it rests on, and of those that tell it again."""
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for one in engine.store.citations(view.tenant, [hit.id for hit in memories]):
        found[one.memory_id] = tuple(dict.fromkeys((*found.get(one.memory_id, ()), one.place)))
    return found


def _with_quote(hit: Hit, quoted: Sequence[Message]) -> Hit:
    if hit.memory is None or not quoted:
        return hit
    return replace(hit, quote=quoted[0].content, message_ids=tuple(message.id or "" for message in quoted))


def _with_neighbours(hits: Sequence[Hit], view: View, engine: Engine) -> tuple[Hit, ...]:
    messages = [hit.message for hit in hits if hit.message is not None]
    if not messages:
        return tuple(hits)
    beside = engine.store.neighbours(view, messages)
    return tuple(
        hit if hit.message is None else replace(hit, related=tuple(map(line, beside[hit.message.place])))
        for hit in hits
    )


def line(message: Message) -> str:
    """A message as one speaks of it: who, and what."""
    return f"{message.speaker or message.role}: {message.content}"


def _hit(item: Said, view: View) -> Hit:
    message = item.message
    is_own = message.role == "user" and message.speaker is None and message.user_id == view.user
    return Hit(
        id=message.id or "",
        source="message",
        text=message.content,
        score=item.standing,
        why=item.why,
        stated_by="you" if is_own else message.speaker or message.role,
        at=message.at or message.arrived_at,
        parts=item.parts,
        arms=item.arms,
        message=message,
    )
