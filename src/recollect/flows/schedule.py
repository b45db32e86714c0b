"""Schedules: when a tick has passed, its job is queued and the watermark moved in one transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from recollect.store.base_jobs import NewJob

if TYPE_CHECKING:
    from recollect.flows.engine import Engine

DAY = timedelta(days=1)


def tick(tenant: str, name: str, every: timedelta, engine: Engine) -> bool:
    """Queue the job when it is time; ticks that were missed are caught up once. Whether it was queued."""
    store, now = engine.store, engine.clock()
    since = store.watermark(tenant, name)
    if since is not None and now - since < every:
        return False
    reached = now if since is None else since + (now - since) // every * every
    with store.transaction():
        is_ours = store.advance(tenant, name, since=since, to=reached)
        if is_ours:
            store.enqueue(NewJob(tenant=tenant, name=name, due_at=now))
    return is_ours
