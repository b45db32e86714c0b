"""Embed what has no vector of the present model: after an outage, an import, or a change of embedder."""

from __future__ import annotations

from datetime import timedelta
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from wellkept.errors import EmbedderUnavailable
from wellkept.store.contract import Embedded, NeverEmbedded, NewJob, Unembedded, UnembeddedMessages
from wellkept.store.parts.messages import indexed_message
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.schedule import Duty
    from wellkept.types import Memory

BATCH = 64
ONE_PIECE_MAX = 200
"""Characters that every model reads whole."""
PAUSE = timedelta(minutes=1)
"""An embedder that did not answer is left alone for so long."""


def later(tenant: str, engine: Engine, *, now: datetime) -> None:
    """Queue it, in the transaction of a write whose text got no vector."""
    if engine.model is not None:
        engine.store.keep(NewJob(tenant=tenant, name="embed", due_at=now + PAUSE))


def job(duty: Duty) -> Mapping[str, int]:
    """As a job: tried again later when the embedder does not answer."""
    done = embed_missing(duty.tenant, duty.engine, progress=duty.progress)
    store, model = duty.engine.store, duty.engine.model
    if model is not None and (
        store.memories(Unembedded(tenant=duty.tenant, model=model, limit=1))
        or store.messages(UnembeddedMessages(tenant=duty.tenant, model=model, limit=1))
    ):
        raise EmbedderUnavailable("Some memories or messages have no vector yet: the embedder did not answer.")
    return {"embedded": done}


def embed_missing(tenant: str, engine: Engine, *, progress: Callable[[int], None] = lambda _done: None) -> int:
    """How many memories and messages got vectors. Stops early when the embedder does not answer."""
    done = _embed_memories(tenant, engine, progress)
    model = engine.model
    while model is not None:
        missing = engine.store.messages(UnembeddedMessages(tenant=tenant, model=model, limit=BATCH))
        rows = vectors_of([indexed_message(message) for message in missing], engine) if missing else None
        if rows is None:
            break
        with engine.store.transaction():
            for message, vectors in zip(missing, rows, strict=True):
                engine.store.keep(Embedded(said=message, vectors=vectors, model=model))
        done += len(missing)
        progress(done)
    return done


def vectors_of(texts: Sequence[str], engine: Engine) -> list[NDArray[np.float32]] | None:
    """The rows of each text's pieces, in one call of the embedder; None when there is none or it does not answer."""
    embedder = engine.embedder
    if embedder is None:
        return None
    pieces = [[text] if len(text) <= ONE_PIECE_MAX else embedder.pieces(text) for text in texts]
    rows = engine.vectors([piece for parts in pieces for piece in parts])
    if rows is None:
        return None
    ends = [0, *accumulate(map(len, pieces))]
    return [rows[start:end] for start, end in pairwise(ends)]


def _compare_later(memories: Sequence[Memory], engine: Engine) -> None:
    """What had no vector when it was stored was compared with nothing but its key: that is made up for, by a job."""
    if not memories:
        return
    store, now = engine.store, engine.clock()
    new = frozenset(
        store.memory_ids(NeverEmbedded(tenant=memories[0].tenant, memory_ids=tuple([memory.id for memory in memories])))
    )
    places: dict[tuple[str, str, str], list[str]] = {}
    for memory in memories:
        if memory.id in new and memory.space is not Space.SESSION:
            places.setdefault((memory.tenant, memory.space, memory.owner), []).append(memory.id)
    for (tenant, space, owner), ids in places.items():
        payload = {"space": str(space), "owner": owner, "ids": ids}
        store.keep(NewJob(tenant=tenant, name="reconcile", key=ids[0], payload=payload, due_at=now))


def _embed_memories(tenant: str, engine: Engine, progress: Callable[[int], None]) -> int:
    done = 0
    model = engine.model
    while model is not None:
        missing = engine.store.memories(Unembedded(tenant=tenant, model=model, limit=BATCH))
        vectors = engine.vectors([memory.content for memory in missing])
        if vectors is None:
            break
        with engine.store.transaction():
            _compare_later(missing, engine)
            for number, memory in enumerate(missing):
                engine.store.keep(Embedded(said=memory, vectors=vectors[number : number + 1], model=model))
        done += len(missing)
        progress(done)
    return done
