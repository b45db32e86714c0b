"""Episodes: after an exchange, what it was about is kept as one memory, rarely and in few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.flows import views
from wellkept.flows.requests import Statement
from wellkept.flows.write import draft, reconcile, remember
from wellkept.judges.english.privacy import is_confidential
from wellkept.policies.context import fence
from wellkept.policies.secrets.detector import REDACTED
from wellkept.policies.sessions import episodes
from wellkept.policies.sessions.summaries import Talk, without
from wellkept.policies.sessions.summaries import session as sum_up
from wellkept.policies.text import words
from wellkept.store.contract import Filter, Place, Search
from wellkept.types import Claim, Outcome
from wellkept.vocabulary import EventType, Kind, MemoryType, Sensitivity, Space

if TYPE_CHECKING:
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.engine import Engine
    from wellkept.types import Memory, Message, Viewpoint

BEFORE_MAX = 50
QUOTED_MAX = 50
_SURENESS = 0.9


def tell(
    viewpoint: Viewpoint, engine: Engine, *, within: Callable[[], AbstractContextManager[None]] | None = None
) -> Outcome | None:
    """Keep what a private exchange was about, if it is time for that; None when it is not."""
    if viewpoint.user is None or viewpoint.chat_type == "group":
        return None
    now = engine.clock()
    place = Place(tenant=viewpoint.tenant, user=viewpoint.user, persona=viewpoint.persona, chat=viewpoint.chat)
    messages = engine.store.messages_before(place, None, limit=episodes.MESSAGES)
    if not _is_due(viewpoint.user, messages, viewpoint, engine, now):
        return None
    claim = _claim(episodes.last_talk(messages), viewpoint, engine, now)
    if claim is None:
        return None
    vectors = engine.vectors([claim.content])
    with (within or engine.store.transaction)():
        # Another worker may have told it meanwhile.
        if not _is_due(viewpoint.user, messages, viewpoint, engine, now):
            return None
        return _written(claim, vectors, viewpoint, engine, now)


def _is_due(user: str, messages: Sequence[Message], viewpoint: Viewpoint, engine: Engine, now: datetime) -> bool:
    told = engine.store.live(viewpoint.tenant, Space.USER, user, (Kind.EPISODIC,), limit=BEFORE_MAX)
    before = [memory for memory in told if episodes.TAG in memory.tags]
    said_at = [one.arrived_at for one in messages if one.role == "user" and one.arrived_at is not None]
    return episodes.due(before, said_at=said_at, now=now, rule=engine.episodes).verdict == "tell"


def _claim(messages: Sequence[Message], viewpoint: Viewpoint, engine: Engine, now: datetime) -> Claim | None:
    """The episode as a claim: what happened, without what is kept as a fact, is a secret, or was only talk."""
    view = views.view_of(viewpoint, engine, now)
    kept = engine.store.seen(view, Filter(), limit=QUOTED_MAX)
    own = (replace(one, content=fence.own_words(one.content).strip()) for one in messages)
    said = tuple(one for one in own if REDACTED not in one.content and not is_confidential(one.content))
    # Whole sentences as they were said, whatever the judge: they are compared with what is kept already.
    mattered = sum_up(Talk(messages=said)).what_mattered
    told = [one for one in mattered if episodes.stands_alone(one) and engine.judge.is_happening(one)]
    known = [memory for memory in kept if episodes.TAG not in memory.tags]
    facts = [text for memory in known for text in (memory.quote, memory.content) if text]
    person = engine.store.person(view.tenant, view.person) if view.person is not None else None
    name = person.name if person is not None and person.name else "the user"
    said_at = max((one.arrived_at for one in messages if one.arrived_at is not None), default=now)
    text = episodes.text(name, without(told, facts), day=said_at)
    if text is None:
        return None
    return Claim(
        content=text,
        type=MemoryType.EVENT,
        kind=Kind.EPISODIC,
        event_type=EventType.CONTEXT,
        tags=(episodes.TAG,),
        # Whole sentences of a private talk: nobody reads them but whoever said them.
        sensitivity=Sensitivity.SENSITIVE,
        portable=False,
        confidence=_SURENESS,
        event_at=said_at,
    )


def _written(
    claim: Claim, vectors: NDArray[np.float32] | None, viewpoint: Viewpoint, engine: Engine, now: datetime
) -> Outcome:
    view = views.view_of_writer(viewpoint, engine, now)
    speaker = engine.store.person(view.tenant, view.person) if view.person is not None else None
    writer = draft.Writer(viewpoint=viewpoint, view=view, speaker=speaker, engine=engine, node="episodic")
    statement = Statement(text=claim.content, origin="shadow_extraction")
    neighbour = _neighbour(vectors, writer)
    if neighbour is None:
        return remember.write(claim, statement, vectors, writer, same=None)[0]
    memory = draft.memory(claim, statement, (), writer)
    terms = words.term_counts(memory.content)
    return reconcile.merge(
        reconcile.Incoming(memory=memory, claim=claim, terms=terms, vectors=vectors), neighbour, writer
    )


def _neighbour(vectors: NDArray[np.float32] | None, writer: draft.Writer) -> Memory | None:
    """An episode of the last days that tells the same."""
    if vectors is None:
        return None
    engine, view = writer.engine, writer.view
    search = Search(view=view, vector=vectors[0], model=engine.model)
    for candidate in engine.store.near(view.tenant, Space.USER, view.user or "", search):
        memory = candidate.memory
        is_recent = view.now - memory.created_at <= engine.episodes.same_within
        is_alike = engine.similarity(candidate.cosine) >= engine.episodes.same
        if episodes.TAG in memory.tags and is_recent and is_alike:
            return memory
    return None
