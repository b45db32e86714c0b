"""How often memories are recalled: counted in memory, written in batches; losing a batch in a crash is allowed."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from typing import TYPE_CHECKING

from recollect.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from recollect.flows.duty import Duty
    from recollect.flows.engine import Engine
    from recollect.types import Viewpoint

BATCH = 256
"""Recalled memories of one reader whose access is written together."""

Reader = tuple[str, str | None]
Pending = dict[Reader, Counter[str]]

_log = logging.getLogger("recollect")


class AccessCounts:
    """What each reader recalled. A reader's counts move nobody else's ranking, neither by what they are nor by when."""

    def __init__(self) -> None:
        self._pending: Pending = {}
        self._lock = threading.Lock()
        self._writers: list[threading.Thread] = []

    def add(self, place: Viewpoint, memory_ids: Iterable[str], engine: Engine) -> None:
        """Count. A reader's full batch is written beside the recall, which waits for no other writer."""
        reader = (place.tenant, place.user)
        with self._lock:
            counts = self._pending.setdefault(reader, Counter())
            counts.update(memory_ids)
            if counts.total() < BATCH:
                return
            full = {reader: self._pending.pop(reader)}
            writer = threading.Thread(target=_write, args=(full, engine), name="recollect-access", daemon=True)
            self._writers = [*(one for one in self._writers if one.is_alive()), writer]
            writer.start()

    def flush(self, engine: Engine, tenant: str | None = None) -> int:
        """Write what is buffered, of all tenants or of one; of how many memories."""
        with self._lock:
            writers, self._writers = self._writers, []
            wanted = [reader for reader in self._pending if tenant in (None, reader[0])]
            pending = {reader: self._pending.pop(reader) for reader in wanted}
        for writer in writers:
            writer.join()
        _write(pending, engine)
        return sum(map(len, pending.values()))


def job(duty: Duty) -> Mapping[str, int]:
    """As a job: what this process has counted for the tenant. The counts are what importance is earned by."""
    return {"memories": duty.engine.access.flush(duty.engine, duty.tenant)}


def _write(pending: Mapping[Reader, Mapping[str, int]], engine: Engine) -> None:
    for (tenant, user), counts in pending.items():
        try:
            # Reading what somebody else keeps must not change how it ranks for them.
            engine.store.accessed(tenant, counts, at=engine.clock(), reader=user or "")
        except StoreError as error:
            _log.warning("recalls of %d memories were not counted: %s", len(counts), error)
