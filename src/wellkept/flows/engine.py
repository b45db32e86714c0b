"""What every flow is handed: store, judge, embedder, clock, the options of the policies, and what is still to count."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from wellkept.errors import EmbedderUnavailable, StoreError
from wellkept.policies.people.references import Entities
from wellkept.policies.ranking.rank import JoinOptions, RankOptions
from wellkept.policies.ranking.rank_messages import MessageRankOptions
from wellkept.policies.summaries import Episodes
from wellkept.policies.upkeep.extraction import Extraction
from wellkept.policies.upkeep.lifecycle import Lifecycle
from wellkept.policies.visibility import Categories
from wellkept.policies.writing.gate import GateOptions
from wellkept.policies.writing.keys import Bands
from wellkept.store.contract import Entry, NewJob, Reads, Searches
from wellkept.values import frozen
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.judges.base import Judge
    from wellkept.models import Embedder
    from wellkept.policies.callers import Hook
    from wellkept.policies.visibility import PrivacyMode
    from wellkept.store.contract import Node, Store
    from wellkept.types import Viewpoint


NO_VECTORS = "The embedder did not answer: found by words only."

_log = logging.getLogger("wellkept")


ONE_PIECE_MAX = 200
"""Characters that every model reads whole."""
EMBEDDER_PAUSE = timedelta(minutes=1)
"""An embedder that did not answer is left alone for so long."""
ACCESS_BATCH = 256
"""Recalled memories of one reader whose access is written together."""
SEARCHES_MAX = 4_096
"""Searches of all readers that are held; when they are written makes no difference to anybody."""

Reader = tuple[str, Space, str]
"""The tenant, and whose searches they are: the user's, or the chat's where nobody is named."""


@dataclass(kw_only=True)
class _Reading:
    counts: Counter[str] = field(default_factory=Counter)
    searches: list[tuple[datetime, Entry]] = field(default_factory=list)


Pending = dict[Reader, _Reading]


class AccessCounts:
    """What each reader searched for and recalled: buffered, written in batches; a crash may lose a batch.

    It moves nobody else's ranking, neither by what nor by when.
    """

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
        is_of_chat = place.user is None and place.chat is not None
        owner = (Space.CHAT, place.chat or "") if is_of_chat else (Space.USER, place.user or "")
        reader = (place.tenant, *owner)
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
        if self._pending[reader].counts.total() >= ACCESS_BATCH:
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


@frozen
class Privacy:
    """How strictly memories are shown."""

    mode: PrivacyMode = "default"
    fail_open: bool = True


@frozen
class Engine:
    """The parts that flows work with. Values and interfaces only, but for recalls that are not written yet."""

    store: Store
    judge: Judge
    embedder: Embedder | None
    clock: Callable[[], datetime]
    bands: Bands = field(default_factory=Bands)
    gate: GateOptions = field(default_factory=GateOptions)
    rank: RankOptions = field(default_factory=RankOptions)
    rank_messages: MessageRankOptions = field(default_factory=MessageRankOptions)
    join: JoinOptions = field(default_factory=JoinOptions)
    extraction: Extraction = field(default_factory=Extraction)
    episodes: Episodes = field(default_factory=Episodes)
    pairs_a_day: int = 50
    """Pairs that consolidation compares in a scope."""
    entities: Entities = field(default_factory=Entities)
    privacy: Privacy = field(default_factory=Privacy)
    categories: Categories = field(default_factory=Categories)
    keep_turns: int = 50
    """Turns of a thread for which its changes are kept."""
    lifecycle: Lifecycle = field(default_factory=Lifecycle)
    retention: Mapping[str, Lifecycle] = field(default_factory=dict)
    """Tenants with a lifecycle of their own."""
    webhooks: tuple[Hook, ...] = ()
    """Who is told of changes."""
    on_demand_below: float = 0.5
    """Confidence of an agent below which memory is asked once more in a turn."""
    max_entries: int | None = None
    keeps_traces: bool = True
    """Whether the events of governed sessions are kept beside the ledger; what is decided is the same without."""
    access: AccessCounts = field(default_factory=AccessCounts)
    """What was recalled and is not written yet."""

    def lifecycle_of(self, tenant: str) -> Lifecycle:
        """How long what nobody asks for is kept for this tenant."""
        return self.retention.get(tenant, self.lifecycle)

    @property
    def model(self) -> str | None:
        """Name and weights of the embedder, as they stand beside every vector."""
        return None if self.embedder is None else f"{self.embedder.model_id}@{self.embedder.weights_hash[:8]}"

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """One row a text, or None when there is no embedder or it does not answer: words still work."""
        if self.embedder is None or not texts:
            return None
        try:
            return self.embedder.embed(texts)
        except EmbedderUnavailable as error:
            _log.warning("embedder unavailable: %s", error)
            return None

    def vectors_of(self, texts: Sequence[str]) -> list[NDArray[np.float32]] | None:
        """The rows of each text's pieces, in one call of the embedder; None when nobody answers."""
        if self.embedder is None:
            return None
        pieces = [[text] if len(text) <= ONE_PIECE_MAX else self.embedder.pieces(text) for text in texts]
        rows = self.vectors([piece for parts in pieces for piece in parts])
        ends = [0, *accumulate(map(len, pieces))]
        return None if rows is None else [rows[start:end] for start, end in pairwise(ends)]

    def embed_later(self, tenant: str, *, now: datetime) -> None:
        """Queue it, in the transaction of a write whose text got no vector."""
        if self.model is not None:
            self.store.keep(NewJob(tenant=tenant, name="embed", due_at=now + EMBEDDER_PAUSE))

    def similarity(self, cosine: float | None) -> float:
        """Calibrated similarity 0..1 of a raw cosine; 0 when there is none."""
        if cosine is None or self.embedder is None:
            return 0.0
        return float(self.embedder.calibrate(cosine))
