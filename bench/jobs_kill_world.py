"""The stores that `jobs_kill.py` kills jobs on: how one is filled, opened on a day, and looked at afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

import wellkept
from wellkept.api import Memory
from wellkept.config import Config, MemoryTable
from wellkept.judges.english import RulesJudge
from wellkept.policies.upkeep.lifecycle import Lifecycle
from wellkept.store.contract import NewestRows
from wellkept.testing.world import World, vector

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
SIZE = 150
"""Memories of a store; more than one batch."""
WORD = "Quayside"


class Bag:
    """An embedder of words that costs nothing; its vectors are those of `World`."""

    model_id, weights_hash, dimensions = "bag", "1", 256

    def embed(self, texts: list[str]) -> np.ndarray:
        """One row a text."""
        return np.stack([vector(text) for text in texts])

    def calibrate(self, cosine: float) -> float:
        """As it is."""
        return cosine

    def pieces(self, text: str) -> list[str]:
        """Whole."""
        return [text]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A job, the store it works on, and what must be true when it has come to its end."""

    prepare: Callable[[Memory], None]
    faults: Callable[[Memory], Iterator[str]]
    days: float = 1
    """After which it has something to do."""
    embedder: object = "none"
    judge: RulesJudge | None = None
    cap: int | None = None
    run: Callable[[Memory], object] | None = None
    """Instead of `upkeep.run` with its name."""
    broken: Callable[[Memory], None] | None = None
    """What is done to the memory of every worker so that it must fail."""


def opened(path: str, case: Case, *, days: float) -> Memory:
    """The memory on its day."""
    lifecycle = Lifecycle(compact_after_days=90, transcript_days=90)
    config = Config(memory=MemoryTable(auto_gc=False, max_entries=case.cap), lifecycle=lifecycle)
    now = NOW + timedelta(days=days)
    return wellkept.open(path, config=config, clock=lambda: now, embedder=case.embedder, judge=case.judge, worker="off")  # type: ignore[call-overload]  # an embedder of its own


def tell(memory: Memory, kind: str, size: int = SIZE) -> None:
    """Memories of one user, straight into the store."""
    world = World(memory.engine.store)
    with memory.engine.store.transaction():
        for number in range(size):
            world.tell(f"Note {number} about the harbour of {WORD}.", tenant="default", type=kind, importance=1.0)


def later(memory: Memory, days: float, job: str) -> None:
    """Run a job so many days later, as part of the preparation."""
    path = memory.engine.store.url
    memory.close()
    bare = Case(prepare=lambda _: None, faults=lambda _: iter(()))
    again = opened(path, bare, days=days)
    again.upkeep.run([job])
    again.close()


def raw(memory: Memory, sql: str) -> list[tuple]:  # type: ignore[type-arg]  # rows of any table
    """Rows of the tables as they are."""
    return memory.engine.store._db.driver.rows(sql, {})  # type: ignore[attr-defined,no-any-return]  # noqa: SLF001 -- behind the store on purpose


def told(memory: Memory, reason: str) -> Counter[str | None]:
    """Memory → how often the ledger says this of it."""
    rows = memory.engine.store.ledger(NewestRows(tenant="default", limit=1_000_000))
    return Counter(row.entry.memory_id for row in rows if row.entry.reason == reason)


def once(memory: Memory, reason: str, number: int) -> Iterator[str]:
    """So many memories have a row of this reason in the ledger, each exactly one, and all is whole."""
    found = told(memory, reason)
    found.pop(None, None)
    if len(found) != number:
        yield f"{len(found)} memories are {reason}, not {number}"
    yield from (f"{one} is {reason} {times} times" for one, times in found.items() if times != 1)
    yield from whole(memory)


def whole(memory: Memory) -> Iterator[str]:
    """Chains hold, no job is left, and what the ledger says of a state is what is stored."""
    store = memory.engine.store
    yield from (f"chain broken: {one}" for one in store.verify("default"))
    yield from (f"{one.code}: {one.count}" for one in store.faults("default", "orphans"))
    yield from (f"{one.id} has no text" for one in store.faults("default", "textless"))
    yield from (f"job {job.name} was given up: {job.error}" for job in store.jobs("default", dead=True))
    changed = {
        row.entry.memory_id
        for row in store.ledger(NewestRows(tenant="default", limit=1_000_000))
        if row.entry.op != "create"
    }
    for one, state in raw(memory, "SELECT id, state FROM memories WHERE state IN ('archived', 'soft_deleted')"):
        if one not in changed:
            yield f"{one} is {state} without a ledger row"
