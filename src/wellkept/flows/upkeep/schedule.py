"""Schedules: when a tick has passed, its job is queued and the watermark moved in one transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.flows.upkeep.duty import digest
from wellkept.policies.upkeep.slots import latest_slot
from wellkept.store.contract import NewJob
from wellkept.vocabulary import Kind, Space

if TYPE_CHECKING:
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.types import Memory

DAY = timedelta(days=1)
CURATED_AFTER = 25
"""New memories of a scope after which its curator is due, whatever the hour."""


def tick(tenant: str, name: str, every: timedelta, engine: Engine) -> bool:
    """Queue the job when the tenant's slot has come; ticks that were missed are caught up once. Whether it was queued.

    A tenant that is seen for the first time waits for its slot, so that a fleet of new ones does not begin at once.
    """
    since = engine.store.watermark(tenant, name)
    slot = latest_slot(tenant, every, engine.clock())
    if since is None:
        engine.store.advance(tenant, name, since=None, to=slot)
        return False
    return since < slot and _queue(tenant, name, since, slot, engine)


def tick_now(tenant: str, name: str, every: timedelta, engine: Engine) -> bool:
    """Queue the job at once, unless it was queued in this span already. Whether it was."""
    since, now = engine.store.watermark(tenant, name), engine.clock()
    return (since is None or now - since >= every) and _queue(tenant, name, since, now, engine)


def curator_after(memory: Memory, engine: Engine, *, now: datetime) -> None:
    """Queue the curator for a scope each time it has taken in so many memories, in the transaction of the write."""
    if memory.space is Space.SESSION or memory.kind is not Kind.SEMANTIC:
        return
    stored = engine.store.ever_stored(memory.tenant, memory.space, memory.owner)
    if stored and stored % CURATED_AFTER == 0:
        payload = {"space": str(memory.space), "owner": memory.owner}
        key = f"{memory.space}/{digest(memory.owner)}"
        engine.store.enqueue(NewJob(tenant=memory.tenant, name="curate", key=key, payload=payload, due_at=now))


def _queue(tenant: str, name: str, since: datetime | None, to: datetime, engine: Engine) -> bool:
    store = engine.store
    with store.transaction():
        is_ours = store.advance(tenant, name, since=since, to=to)
        if is_ours:
            store.enqueue(NewJob(tenant=tenant, name=name, due_at=engine.clock()))
    return is_ours
