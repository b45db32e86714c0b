"""Embed what has no vector of the present model: after an outage, an import, or a change of embedder."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from recollect.errors import EmbedderUnavailable
from recollect.store.base_jobs import NewJob

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from recollect.flows.duty import Duty
    from recollect.flows.engine import Engine

BATCH = 64
PAUSE = timedelta(minutes=1)
"""An embedder that did not answer is left alone for so long."""


def later(tenant: str, engine: Engine, *, now: datetime) -> None:
    """Queue it, in the transaction of a write whose text got no vector."""
    if engine.model is not None:
        engine.store.enqueue(NewJob(tenant=tenant, name="embed", due_at=now + PAUSE))


def job(duty: Duty) -> Mapping[str, int]:
    """As a job: tried again later when the embedder does not answer."""
    done = embed_missing(duty.tenant, duty.engine, progress=duty.progress)
    model = duty.engine.model
    if model is not None and duty.engine.store.unembedded(duty.tenant, model, limit=1):
        raise EmbedderUnavailable("Some memories have no vector yet: the embedder did not answer.")
    return {"embedded": done}


def embed_missing(tenant: str, engine: Engine, *, progress: Callable[[int], None] = lambda _done: None) -> int:
    """How many memories got vectors. Stops early when the embedder does not answer."""
    done = 0
    model = engine.model
    while model is not None:
        missing = engine.store.unembedded(tenant, model, limit=BATCH)
        vectors = engine.vectors([memory.content for memory in missing])
        if vectors is None:
            break
        with engine.store.transaction():
            for number, memory in enumerate(missing):
                engine.store.embed(memory, vectors[number : number + 1], model=model)
        done += len(missing)
        progress(done)
    return done
