"""A model as judge: its verdicts are asked for before the transaction opens, and what it could not do is on record."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.flows import views
from wellkept.flows.write import draft
from wellkept.judges.base import asks
from wellkept.judges.llm.notices import Fallback
from wellkept.policies.visibility.memories import View
from wellkept.policies.writing import keys
from wellkept.store.contract import Entry, Search

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.engine import Engine
    from wellkept.flows.requests import Statement
    from wellkept.judges.llm.notices import Notice
    from wellkept.types import Claim, Memory, Viewpoint

    Read = tuple[Statement, tuple[Claim, ...], NDArray[np.float32] | None]

NEIGHBOURS = 12
NEAREST = 2
"""Memories that are compared although they are not near: an update may share no word with what it replaces."""


def asked_ahead(statements: Iterable[Read], viewpoint: Viewpoint, engine: Engine, now: datetime) -> Engine:
    """The engine for the transaction: its judge knows the verdicts on the nearest memories and calls no model."""
    judge = engine.judge
    if not asks(judge):
        for read in statements:
            _make_ready(read, viewpoint, engine, now)
        return engine
    pairs = [pair for read in statements for pair in _pairs(read, viewpoint, engine, now)]
    return replace(engine, judge=judge.ahead(pairs))


def _make_ready(read: Read, viewpoint: Viewpoint, engine: Engine, now: datetime) -> None:
    """What the claims will be compared with is looked at before the transaction holds up other writers."""
    statement, claims, vectors = read
    if vectors is None or not claims:
        return
    search = Search(view=View(tenant=viewpoint.tenant, now=now), vector=vectors[0], model=engine.model)
    places = (draft.place(viewpoint, shared=draft.is_shared(claim, statement, viewpoint)) for claim in claims)
    for space, owner in dict.fromkeys(places):
        engine.store.make_ready(viewpoint.tenant, space, owner, search)


def _pairs(read: Read, viewpoint: Viewpoint, engine: Engine, now: datetime) -> Iterator[tuple[Claim, Memory]]:
    """Each claim with the memories of its scope that are near enough to be judged, best first."""
    statement, claims, vectors = read
    if vectors is None or not claims:
        return
    view = views.view_of(viewpoint, engine, now)
    for claim, vector in zip(claims, vectors, strict=True):
        space, owner = draft.place(viewpoint, shared=draft.is_shared(claim, statement, viewpoint))
        search = Search(view=view, vector=vector, model=engine.model, limit=NEIGHBOURS)
        near = engine.store.near(viewpoint.tenant, space, owner, search)
        judged = [
            candidate.memory
            for number, candidate in enumerate(near)
            if engine.similarity(candidate.cosine) >= (engine.bands.maybe if number < NEAREST else engine.bands.judge)
            and candidate.memory.kind is claim.kind
            and not _is_settled_by_slot(claim, candidate.memory)
        ]
        yield from ((claim, memory) for memory in judged[: engine.bands.judge_checks_max])


def _is_settled_by_slot(claim: Claim, memory: Memory) -> bool:
    """Two values of one slot need no judge."""
    return claim.slot is not None and memory.fact_key is not None and keys.slot_of(memory.fact_key) == claim.slot


def record(
    notices: Iterable[Notice], viewpoint: Viewpoint, engine: Engine, now: datetime, *, shared: bool = False
) -> None:
    """A ledger row for each time rules decided in place of the model, and for each claim of it that was left out."""
    space, owner = draft.place(viewpoint, shared=shared)
    for notice in notices:
        entry = Entry(
            op="classify",
            status="error" if isinstance(notice, Fallback) else "denied",
            reason=notice.reason,
            payload={"operation": notice.operation},
            actor=viewpoint.user,
            thread=viewpoint.thread,
        )
        engine.store.record(viewpoint.tenant, space, owner, entry, at=now)
