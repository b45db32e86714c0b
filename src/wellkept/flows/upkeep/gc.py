"""Garbage collection: archives what is superseded, expired or past its type's lifetime, in small batches."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.store.contract import Change, Entry
from wellkept.vocabulary import State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from wellkept.flows.engine import Engine
    from wellkept.store.contract import Due

BATCH = 100


def gc(
    tenant: str,
    engine: Engine,
    *,
    progress: Callable[[int], None] = lambda _done: None,
    within: Callable[[], AbstractContextManager[None]] | None = None,
) -> Mapping[str, int]:
    """How many were archived, by reason. Safe to run at any time and from several processes."""
    counts: Counter[str] = Counter()
    while True:
        now = engine.clock()
        with (within or engine.store.transaction)():
            due = engine.store.due(tenant, now=now, limit=BATCH)
            engine.store.apply([_archived(item) for item in due], at=now)
        if not due:
            return dict(counts)
        counts.update(item.reason for item in due)
        progress(counts.total())


def _archived(item: Due) -> Change:
    memory = item.memory
    archived = replace(
        memory,
        state=State.ARCHIVED,
        archive_reason=item.reason,
        version=memory.version + 1,
    )
    entry = Entry(
        node="worker",
        op="ttl",
        memory_id=memory.id,
        version=archived.version,
        category=memory.category,
        reason=item.reason,
    )
    return Change(memory=archived, entry=entry)
