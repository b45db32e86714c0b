"""What is searched for and how often memories are recalled: buffered, written in batches; a crash may lose a batch."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wellkept.errors import StoreError
from wellkept.store.contract import Entry, Reads, Searches
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.schedule import Duty
    from wellkept.store.contract import Node
    from wellkept.types import Viewpoint

BATCH = 256
"""Recalled memories of one reader whose access is written together."""
SEARCHES_MAX = 4_096
"""Searches of all readers that are held; when they are written makes no difference to anybody."""

Reader = tuple[str, Space, str]
"""The tenant, and whose searches they are: the user's, or the chat's where nobody is named."""

_log = logging.getLogger("wellkept")


@dataclass(kw_only=True)
class _Reading:
    counts: Counter[str] = field(default_factory=Counter)
    searches: list[tuple[datetime, Entry]] = field(default_factory=list)


Pending = dict[Reader, _Reading]


class AccessCounts:
    """What each reader searched for and recalled. It moves nobody else's ranking, neither by what nor by when."""

    def __init__(self) -> None:
        self._pending: Pending = {}
        self._searches = 0
        self._lock = threading.Lock()
        self._writers: list[threading.Thread] = []

    def add(self, place: Viewpoint, memory_ids: Iterable[str], engine: Engine) -> None:
        """One search, and what it gave. A reader's full batch is written beside it: it waits for no other writer."""
        self._searched(place, "context", None, list(memory_ids), engine)

    def compared(self, place: Viewpoint, engine: Engine, *, node: Node, sim: float | None) -> None:
        """A write has looked for what is like it; `sim` is the best it found."""
        self._searched(place, node, sim, (), engine)

    def _searched(self, place: Viewpoint, node: Node, sim: float | None, found: Sequence[str], engine: Engine) -> None:
        entry = Entry(node=node, op="search", sim=sim, thread=place.thread, payload={"found": len(found)})
        reader = (place.tenant, *_owner(place))
        with self._lock:
            reading = self._pending.setdefault(reader, _Reading())
            reading.counts.update(found)
            reading.searches.append((engine.clock(), entry))
            self._searches += 1
            full = self._full(reader)
            if not full:
                return
            writer = threading.Thread(target=_write, args=(full, engine), name="wellkept-access", daemon=True)
            self._writers = [*(one for one in self._writers if one.is_alive()), writer]
            writer.start()

    def _full(self, reader: Reader) -> Pending:
        """What is to be written now: a reader's batch, or the searches of all, without what they recalled."""
        if self._pending[reader].counts.total() >= BATCH:
            return self._taken([reader])
        if self._searches < SEARCHES_MAX:
            return {}
        taken = self._taken(list(self._pending))
        self._pending = {one: _Reading(counts=reading.counts) for one, reading in taken.items() if reading.counts}
        return {one: _Reading(searches=reading.searches) for one, reading in taken.items() if reading.searches}

    def _taken(self, readers: Iterable[Reader]) -> Pending:
        taken = {reader: self._pending.pop(reader) for reader in readers}
        self._searches -= sum(len(reading.searches) for reading in taken.values())
        return taken

    def flush(self, engine: Engine, tenant: str | None = None) -> int:
        """Write what is buffered, of all tenants or of one; of how many memories."""
        with self._lock:
            writers, self._writers = self._writers, []
            pending = self._taken([reader for reader in self._pending if tenant in (None, reader[0])])
        for writer in writers:
            writer.join()
        _write(pending, engine)
        return sum(len(reading.counts) for reading in pending.values())


def job(duty: Duty) -> Mapping[str, int]:
    """As a job: what this process has counted for the tenant. The counts are what importance is earned by."""
    return {"memories": duty.engine.access.flush(duty.engine, duty.tenant)}


def _owner(place: Viewpoint) -> tuple[Space, str]:
    if place.user is None and place.chat is not None:
        return Space.CHAT, place.chat
    return Space.USER, place.user or ""


def _write(pending: Mapping[Reader, _Reading], engine: Engine) -> None:
    for (tenant, space, owner), reading in pending.items():
        try:
            with engine.store.transaction():
                # Reading what somebody else keeps must not change how it ranks for them.
                reader = owner if space is Space.USER else ""
                engine.store.keep(Reads(tenant=tenant, times=reading.counts, at=engine.clock(), reader=reader))
                engine.store.keep(Searches(tenant=tenant, space=space, owner=owner, searches=tuple(reading.searches)))
        except StoreError as error:
            _log.warning("recalls of %d memories were not counted: %s", len(reading.counts), error)
