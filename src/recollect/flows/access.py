"""How often memories are recalled: counted in memory, written in batches; losing a batch in a crash is allowed."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recollect.flows.engine import Engine
    from recollect.types import Viewpoint

BATCH = 256
"""Recalled memories of one reader whose access is written together."""

Reader = tuple[str, str | None]


class AccessCounts:
    """What each reader recalled. A reader's counts move nobody else's ranking, neither by what they are nor by when."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._pending: dict[Reader, Counter[str]] = {}
        self._lock = threading.Lock()

    def add(self, place: Viewpoint, memory_ids: Iterable[str]) -> None:
        """Count; written when this reader's own batch is full."""
        reader = (place.tenant, place.user)
        with self._lock:
            counts = self._pending.setdefault(reader, Counter())
            counts.update(memory_ids)
            full = {reader: self._pending.pop(reader)} if counts.total() >= BATCH else {}
        self._write(full)

    def flush(self) -> None:
        """Write what is buffered."""
        with self._lock:
            pending, self._pending = self._pending, {}
        self._write(pending)

    def _write(self, pending: Mapping[Reader, Mapping[str, int]]) -> None:
        store = self._engine.store
        for (tenant, user), counts in pending.items():
            # Reading what somebody else keeps must not change how it ranks for them.
            store.accessed(tenant, counts, at=self._engine.clock(), reader=user or "")
