"""Embed what has no vector of the present model: after an outage, an import, or a change of embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from recollect.flows.engine import Engine

BATCH = 64


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
