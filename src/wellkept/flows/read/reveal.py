"""Reveal: an operator reads a memory that is not theirs to see; whose it is finds that on the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.errors import MemoryNotFound
from wellkept.flows.read import showing
from wellkept.store.contract import Entry
from wellkept.types import Viewpoint
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.flows.read.showing import Shown


def reveal(memory_id: str, viewpoint: Viewpoint, engine: Engine) -> Shown:
    """The memory with this id, whoever owns it, as its owner reads it."""
    with engine.store.transaction():
        memory = engine.store.memory(viewpoint.tenant, memory_id)
        if memory is None:
            raise MemoryNotFound(memory_id)
        read = Entry(
            node="admin",
            op="admin",
            reason="revealed",
            memory_id=memory.id,
            version=memory.version,
            actor=viewpoint.user,
        )
        engine.store.record(memory.tenant, memory.space, memory.owner, read, at=engine.clock())
    owner = memory.owner if memory.space is Space.USER else None
    return showing.shown([memory], Viewpoint(tenant=memory.tenant, user=owner), engine)[0]
