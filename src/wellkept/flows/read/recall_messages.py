"""The transcript's part of a recall: messages found and ranked, put into one order with memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.flows import views
from wellkept.policies.ranking.message_question import understand
from wellkept.policies.ranking.rank_messages import Said, rank_messages
from wellkept.policies.writing import keys
from wellkept.store.contract import Filter, MessageCandidate, MessageSearch
from wellkept.types import Hit, Message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.engine import Engine
    from wellkept.flows.requests import RecallRequest
    from wellkept.policies.ranking.one_ranking import Placed
    from wellkept.policies.ranking.rank import Found
    from wellkept.policies.visibility.memories import View

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
    if not are_asked(request) or not engine.store.has_transcript(view):
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


def sources(found: Sequence[Found], view: View, engine: Engine) -> Mapping[str, tuple[tuple[int, int], ...]]:
    """Memory id → places of the messages it rests on, and of those that tell it again."""
    places: dict[str, tuple[tuple[int, int], ...]] = {}
    for one in engine.store.citations(view.tenant, [item.memory.id for item in found]):
        places[one.memory_id] = tuple(dict.fromkeys((*places.get(one.memory_id, ()), one.place)))
    return places


def shown(placed: Sequence[Placed], memories: Mapping[str, Hit], view: View, engine: Engine) -> tuple[Hit, ...]:
    """The one ranking as hits; `memories` are those of its memories, by id."""
    said = [one.item.message for one in placed if isinstance(one.item, Said)]
    others = [message for message in said if message.user_id != view.user]
    names = views.speakers(others, view, engine) if others else {}
    hits = [
        replace(_hit(one.item, view, names), score=one.score)
        if isinstance(one.item, Said)
        else _quoting(memories[one.item.memory.id], one)
        for one in placed
    ]
    # Numbers of scopes are given out as others come: they stay inside.
    return tuple(
        hit if hit.message is None else replace(hit, message=replace(hit.message, place=(0, 0)))
        for hit in _with_neighbours(hits, view, engine)
    )


def _quoting(hit: Hit, placed: Placed) -> Hit:
    if not placed.quotes:
        return hit if hit.score == placed.score else replace(hit, score=placed.score)
    ids = tuple(message.id or "" for message in placed.quotes)
    return replace(hit, score=placed.score, quote=placed.quotes[0].content, message_ids=ids)


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


def _hit(item: Said, view: View, names: Mapping[str, str]) -> Hit:
    message = item.message
    is_own = message.role == "user" and message.speaker is None and message.user_id == view.user
    name = names.get(message.user_id or "") if message.role == "user" else None
    return Hit(
        id=message.id or "",
        source="message",
        text=message.content,
        score=item.standing,
        why=item.why,
        stated_by="you" if is_own else message.speaker or name or message.role,
        at=message.at or message.arrived_at,
        parts=item.parts,
        arms=item.arms,
        message=message,
    )
