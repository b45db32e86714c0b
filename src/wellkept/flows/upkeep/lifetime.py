"""The ends of lives, in small batches: soft delete, removal, compaction, eviction. A round can be cut anywhere."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.errors import StoreBusy
from wellkept.flows.write.transitions import row, swept
from wellkept.policies.upkeep import lifecycle
from wellkept.policies.upkeep.lifecycle import leaving
from wellkept.store.contract import Archived, Change, Due, Idle, MessagesBefore, NewJob, Purgeable, Unexpired
from wellkept.vocabulary import State

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.schedule import Sweep
    from wellkept.types import Memory


_log = logging.getLogger("wellkept")
BATCH = 100
COMPACT_DAYS = 90.0
"""When nothing else is said."""


def soft_delete(sweep: Sweep) -> Mapping[str, int]:
    """Take out what nobody asked for: it can be restored until its `purge_at`."""
    store, rule = sweep.engine.store, sweep.engine.lifecycle_of(sweep.tenant)
    done, after = 0, ""
    while True:
        now = sweep.engine.clock()
        since = now - timedelta(days=rule.idle_days)
        ids = store.memory_ids(Idle(tenant=sweep.tenant, since=since, below=rule.below_max, after=after, limit=BATCH))
        if not ids:
            return {"soft_deleted": done}
        with sweep.transaction():
            found = store.memories_by_id(sweep.tenant, ids).values()
            gone = [one for one in found if lifecycle.outlived(one, now=now, rule=rule).verdict == "forget"]
            purge_at = now + timedelta(days=rule.purge_after_days)
            ended = [replace(one, state=State.SOFT_DELETED, purge_at=purge_at, version=one.version + 1) for one in gone]
            store.apply(
                [Change(memory=one, entry=row("ttl", one, "soft_deleted", node="worker")) for one in ended], at=now
            )
        done, after = done + len(gone), ids[-1]
        sweep.progress(done)


def purge(sweep: Sweep) -> Mapping[str, int]:
    """Remove what was soft-deleted and not missed, with everything that belongs to it."""
    store, done = sweep.engine.store, 0
    while True:
        now = sweep.engine.clock()
        ids = store.memory_ids(Purgeable(tenant=sweep.tenant, now=now, limit=BATCH))
        if not ids:
            return {"purged": done}
        with sweep.transaction():
            found = store.memories_by_id(sweep.tenant, ids).values()
            due = [one for one in found if one.state is State.SOFT_DELETED and one.purge_at and one.purge_at <= now]
            remove(due, sweep.engine, reason="purged", now=now)
        done += len(due)
        sweep.progress(done)


def drop_messages(sweep: Sweep) -> Mapping[str, int]:
    """Remove messages that arrived longer ago than the tenant keeps them; what was learned from them stays."""
    store, days, done = sweep.engine.store, sweep.engine.lifecycle_of(sweep.tenant).transcript_days, 0
    while days is not None:
        now = sweep.engine.clock()
        with sweep.transaction():
            gone = store.drop(MessagesBefore(tenant=sweep.tenant, until=now - timedelta(days=days), limit=BATCH))
            if gone:
                store.keep(NewJob(tenant=sweep.tenant, name="scrub", due_at=now))
        done += gone
        sweep.progress(done)
        if not gone:
            break
    return {"messages": done}


def compact(sweep: Sweep, *, after_days: float) -> Mapping[str, int]:
    """Remove what was archived so long ago; what a live memory has superseded stays as long as that lives."""
    store, done, after = sweep.engine.store, 0, ""
    while True:
        now = sweep.engine.clock()
        ids = store.memory_ids(
            Archived(tenant=sweep.tenant, until=now - timedelta(days=after_days), after=after, limit=BATCH)
        )
        if not ids:
            return {"purged": done}
        with sweep.transaction():
            found = store.memories_by_id(sweep.tenant, ids).values()
            old = [one for one in found if one.state is State.ARCHIVED and not _is_history(one, sweep.engine)]
            remove(old, sweep.engine, reason="compacted", now=now)
        done, after = done + len(old), ids[-1]
        sweep.progress(done)


def _is_history(memory: Memory, engine: Engine) -> bool:
    """Is it an earlier truth of what is live now?"""
    seen: set[str] = set()
    following: Memory | None = memory
    while following is not None and following.superseded_by is not None and following.id not in seen:
        seen.add(following.id)
        following = engine.store.memory(memory.tenant, following.superseded_by)
    return following is not None and following is not memory and following.state is State.ACTIVE


def evict(sweep: Sweep) -> Mapping[str, int]:
    """Bring scopes down to `max_entries`, where it was lowered or memories came by another way than a write."""
    store, cap, done = sweep.engine.store, sweep.engine.max_entries, 0
    for place in store.scopes(sweep.tenant) if cap is not None else ():
        with sweep.transaction():
            now = sweep.engine.clock()
            live = store.memories(
                Unexpired(scope=(sweep.tenant, place.space, place.owner), now=now, more_than=cap or 0)
            )
            over = leaving(live, cap=cap or 0, incoming="", now=now)
            store.apply(swept(over, "evicted"), at=now)
        done += len(over)
        sweep.progress(done)
    return {"evicted": done}


def make_room(incoming: Memory, engine: Engine, *, now: datetime) -> None:
    """A scope over its cap that a memory has come to loses the least important others, which stay restorable.

    In the open transaction.
    """
    store, cap = engine.store, engine.max_entries
    if cap is None:
        return
    live = store.memories(Unexpired(scope=(incoming.tenant, incoming.space, incoming.owner), now=now, more_than=cap))
    over = leaving(live, cap=cap, incoming=incoming.id, now=now)
    if len(live) - len(over) > cap:
        _log.warning("A scope holds %d memories and may hold %d: all others are pinned.", len(live) - len(over), cap)
    store.apply(swept(over, "evicted"), at=now)


def remove(memories: Sequence[Memory], engine: Engine, *, reason: str, now: datetime) -> None:
    """Remove memories in the open transaction, and queue the cleaning of the files."""
    for memory in memories:
        engine.store.purge(memory.tenant, memory.id, row("delete", memory, reason, node="worker"), at=now)
    for tenant in {memory.tenant for memory in memories}:
        engine.store.keep(NewJob(tenant=tenant, name="scrub", due_at=now))


def scrub(engine: Engine) -> Mapping[str, int]:
    """Take what was removed out of the files too."""
    if not engine.store.scrub():
        raise StoreBusy("Somebody reads or writes the files; they are cleaned later.")
    return {}


def _why_over(memory: Memory) -> str:
    """Why the life of a memory that is due for archiving is over."""
    if memory.state is State.SUPERSEDED:
        return "superseded"
    return "expired" if memory.expires_at else "ephemeral_decay"


def gc(sweep: Sweep) -> Mapping[str, int]:
    """How many were archived, by reason. Safe to run at any time and from several processes."""
    store, counts = sweep.engine.store, Counter[str]()
    while True:
        now = sweep.engine.clock()
        with sweep.transaction():
            due = store.memories(Due(tenant=sweep.tenant, now=now, limit=BATCH))
            store.apply([change for memory in due for change in swept([memory], _why_over(memory))], at=now)
        if not due:
            return dict(counts)
        counts.update(map(_why_over, due))
        sweep.progress(counts.total())
