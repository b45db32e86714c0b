"""What every flow is handed: store, judge, embedder, clock and the options of the policies."""

from __future__ import annotations

import logging
from dataclasses import field
from typing import TYPE_CHECKING

from wellkept.errors import EmbedderUnavailable
from wellkept.flows.read.access import AccessCounts
from wellkept.policies.people.references import Entities
from wellkept.policies.ranking.rank import JoinOptions, RankOptions
from wellkept.policies.ranking.rank_messages import MessageRankOptions
from wellkept.policies.summaries import Episodes
from wellkept.policies.upkeep.extraction import Extraction
from wellkept.policies.upkeep.lifecycle import Lifecycle
from wellkept.policies.visibility import Categories
from wellkept.policies.writing.gate import GateOptions
from wellkept.policies.writing.keys import Bands
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.judges.base import Judge
    from wellkept.models.embedder import Embedder
    from wellkept.policies.callers import Hook
    from wellkept.policies.visibility import PrivacyMode
    from wellkept.store.contract import Store

NO_VECTORS = "The embedder did not answer: found by words only."

_log = logging.getLogger("wellkept")


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

    def similarity(self, cosine: float | None) -> float:
        """Calibrated similarity 0..1 of a raw cosine; 0 when there is none."""
        if cosine is None or self.embedder is None:
            return 0.0
        return float(self.embedder.calibrate(cosine))
