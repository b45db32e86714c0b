"""Kill storm for jobs: each is killed at random moments and started again; in the end its work was done exactly once.

    python bench/jobs_kill.py [--kills 100] [--only gc] [--seed 1] [--broken]

A child runs the job on a prepared store, the parent kills it after a random while and starts the next, until one comes
to its end; then the store is looked at. `note` is a job of many rows, whose effect is counted. `--broken` runs it with
an effect that is committed apart from the end of the job, and over a store whose statements commit one by one: there it
must find faults. Two workers at once work on every second store.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

import recollect
from recollect.app import Memory
from recollect.config import Config, MemoryTable
from recollect.jobs import Runner, Work
from recollect.policies.lifetime import Lifecycle
from recollect.store.base import Entry
from recollect.store.base_jobs import NewJob
from recollect.store.conformance_world import vector
from recollect.store.sqlite import SqliteDriver
from recollect.vocabulary import Space

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
SIZE = 250
"""Memories of a store; more than two batches."""
NOTES = 60
CAP = 40
KILLED, DONE, FAILED = "killed", "done", "failed"


class Bag:
    """An embedder of words that costs nothing."""

    model_id, weights_hash, dimensions = "bag", "0" * 8, 256

    def embed(self, texts: list[str]) -> np.ndarray:
        """One row a text."""
        return np.stack([vector(text) for text in texts])

    def calibrate(self, cosine: float) -> float:
        """As it is."""
        return cosine


@dataclass(frozen=True, kw_only=True)
class Case:
    """A job, the store it works on, and what must be true when it has come to its end."""

    prepare: Callable[[Memory], None]
    days: float
    """After which it has something to do."""
    faults: Callable[[Memory], Iterator[str]]
    embedder: object = "none"
    cap: int | None = None
    run: Callable[[Memory], object] | None = None
    """Instead of `upkeep.run` with its name."""


@dataclass(kw_only=True)
class Report:
    """What a storm found."""

    kills: int = 0
    stores: int = 0
    inside: int = 0
    """Rounds whose kill found the job begun and not finished."""
    faults: list[str] = field(default_factory=list)


def opened(path: Path, case: Case, *, days: float, is_torn: bool = False) -> Memory:
    """The memory on its day. Torn: every statement commits by itself."""
    config = Config(memory=MemoryTable(auto_gc=False, max_entries=case.cap), lifecycle=Lifecycle(compact_after_days=90))
    now = NOW + timedelta(days=days)
    memory = recollect.open(path, config=config, clock=lambda: now, embedder=case.embedder, worker="off")  # type: ignore[arg-type]
    if is_torn:

        @contextmanager
        def no_transaction() -> Iterator[None]:
            yield

        memory.engine.store._db.driver.transaction = no_transaction  # type: ignore[attr-defined]  # noqa: SLF001
    return memory


def tell(memory: Memory, kind: str, size: int = SIZE) -> None:
    """Memories of one user, straight into the store."""
    from recollect.store.conformance_world import World

    world = World(memory.engine.store)
    with memory.engine.store.transaction():
        for number in range(size):
            world.tell(f"Note {number} about the harbour of Quayside.", tenant="default", type=kind, importance=1.0)


def once(memory: Memory, reason: str, number: int) -> Iterator[str]:
    """Every memory has exactly one row of this reason in the ledger, and the chains hold."""
    rows = memory.engine.store.rows("default", limit=1_000_000)
    told = Counter(row.entry.memory_id for row in rows if row.entry.reason == reason and row.entry.memory_id)
    if len(told) != number:
        yield f"{len(told)} memories are {reason}, not {number}"
    yield from (f"{one} is {reason} {times} times" for one, times in told.items() if times != 1)
    yield from whole(memory)


def whole(memory: Memory) -> Iterator[str]:
    """Chains hold, no job is left, and what the ledger says of a state is what is stored."""
    store = memory.engine.store
    yield from (f"chain broken: {one}" for one in store.verify("default"))
    yield from (f"job {job.name} is left" for job in store.pending("default") if job.key)
    changed = Counter(row.entry.memory_id for row in store.rows("default", limit=1_000_000) if row.entry.op == "ttl")
    for state in ("archived", "soft_deleted"):
        rows = store._db.driver.rows(f"SELECT id FROM memories WHERE state = '{state}'", {})  # type: ignore[attr-defined]  # noqa: S608, SLF001
        yield from (f"{one} is {state} without a ledger row" for (one,) in rows if one not in changed)


def _soft_deleted(memory: Memory) -> None:
    tell(memory, "insight")
    config = Case(prepare=lambda _: None, days=0, faults=lambda _: iter(()))
    memory.close()
    again = opened(Path(memory.engine.store.url.removeprefix("sqlite:///")), config, days=61)
    again.upkeep.run(["soft-delete"])
    again.close()


def _archived(memory: Memory) -> None:
    tell(memory, "observation")
    memory.close()
    bare = Case(prepare=lambda _: None, days=0, faults=lambda _: iter(()))
    again = opened(Path(memory.engine.store.url.removeprefix("sqlite:///")), bare, days=10)
    again.upkeep.run(["gc"])
    again.close()


def _embedded(memory: Memory) -> Iterator[str]:
    rows = memory.engine.store._db.driver.rows("SELECT num, COUNT(*) FROM vectors GROUP BY num", {})  # type: ignore[attr-defined]  # noqa: SLF001
    if len(rows) != SIZE or {times for _, times in rows} != {1}:
        yield f"{len(rows)} memories have vectors, not {SIZE}"
    if memory.engine.store.unembedded("default", memory.engine.model or "", limit=1):
        yield "some memories have no vector"


def _without_vectors(memory: Memory) -> None:
    tell(memory, "knowledge")
    driver = memory.engine.store._db.driver  # type: ignore[attr-defined]  # noqa: SLF001
    driver.run("DELETE FROM vectors", {})
    driver.run("UPDATE memories SET embedded_model = ''", {})


def _erased(memory: Memory) -> Iterator[str]:
    for path in memory.engine.store.files():
        if b"Quayside" in path.read_bytes():
            yield f"{path.name} still has the words"
    yield from once(memory, "erased", SIZE + 1)


def _alice(memory: Memory) -> None:
    tell(memory, "knowledge")
    memory.at(user="alice").remember("I live near Quayside with my brother Rufus")
    payload = {"user": "alice", "mentions": False}
    memory.engine.store.enqueue(NewJob(tenant="default", name="erase", key="k", payload=payload, due_at=NOW))


def _run_due(memory: Memory) -> object:
    return memory.upkeep.runner.run_due()


def note_case(*, is_broken: bool) -> Case:
    """Many small jobs, each with one row as its effect."""

    def note(duty: object) -> Mapping[str, int]:
        entry = Entry(op="admin", reason="noted", payload={"key": duty.job.key})  # type: ignore[attr-defined]
        store = duty.engine.store  # type: ignore[attr-defined]
        if is_broken:
            store.record("default", Space.SYSTEM, "notes", entry, at=NOW)
            return {}
        with duty.transaction():  # type: ignore[attr-defined]
            store.record("default", Space.SYSTEM, "notes", entry, at=NOW)
            duty.finish({})  # type: ignore[attr-defined]
        return {}

    def prepare(memory: Memory) -> None:
        with memory.engine.store.transaction():
            for number in range(NOTES):
                memory.engine.store.enqueue(NewJob(tenant="default", name="note", key=str(number), due_at=NOW))

    def run(memory: Memory) -> object:
        worker = f"{os.getpid()}.{memory.engine.clock().timestamp()}"
        return Runner(memory.engine, worker=worker, jobs={"note": Work(doc="", run=note)}).run_due()  # type: ignore[arg-type]

    def faults(memory: Memory) -> Iterator[str]:
        rows = memory.engine.store.rows("default", limit=1_000_000)
        told = Counter(row.entry.payload["key"] for row in rows if row.entry.reason == "noted")
        if len(told) != NOTES:
            yield f"{len(told)} of {NOTES} notes were made"
        yield from (f"note {key} was made {times} times" for key, times in told.items() if times != 1)
        yield from whole(memory)

    return Case(prepare=prepare, days=1, faults=faults, run=run)


CASES: Mapping[str, Case] = {
    "note": note_case(is_broken=False),
    "gc": Case(
        prepare=lambda memory: tell(memory, "observation"),
        days=10,
        faults=lambda memory: once(memory, "ephemeral_decay", SIZE),
    ),
    "soft-delete": Case(
        prepare=lambda memory: tell(memory, "insight"),
        days=61,
        faults=lambda memory: once(memory, "soft_deleted", SIZE),
    ),
    "purge": Case(prepare=_soft_deleted, days=92, faults=lambda memory: once(memory, "purged", SIZE)),
    "compact": Case(prepare=_archived, days=101, faults=lambda memory: once(memory, "compacted", SIZE)),
    "evict": Case(
        prepare=lambda memory: tell(memory, "knowledge"),
        days=8,
        faults=lambda memory: once(memory, "evicted", SIZE - CAP),
        cap=CAP,
    ),
    "embed": Case(prepare=_without_vectors, days=1, faults=_embedded, embedder=Bag()),
    "erase": Case(prepare=_alice, days=1, faults=_erased, run=_run_due),
}


def storm(name: str, case: Case, kills: int, *, chance: random.Random, is_torn: bool = False) -> Report:
    """Kill so often; then let the work come to its end, and look."""
    report = Report()
    with tempfile.TemporaryDirectory(prefix="recollect-kill-") as folder:
        template = Path(folder) / "template.db"
        memory = opened(template, case, days=0)
        case.prepare(memory)
        memory.close()
        longest = 0.2
        while report.kills < kills:
            path = Path(folder) / f"{report.stores}.db"
            shutil.copy(template, path)
            is_done, attempt = False, 0
            while not is_done:
                # A killed worker's lease is over when the next one starts.
                days = case.days + attempt * 0.001
                is_killing = report.kills < kills
                begun = time.monotonic()
                children = [start(path, name, case, days, is_torn=is_torn) for _ in range(1 + report.stores % 2)]
                if is_killing:
                    time.sleep(chance.uniform(0, longest))
                statuses = [end(child, is_killing=is_killing) for child in children]
                is_done = KILLED not in statuses
                report.kills += statuses.count(KILLED)
                report.inside += is_killing and KILLED in statuses and is_begun(path)
                report.faults += ["a worker failed by itself"] * statuses.count(FAILED)
                longest = max(longest, min(time.monotonic() - begun, 1.0)) if is_done else longest
                attempt += 1
            report.stores += 1
            left = opened(path, case, days=case.days + attempt * 0.001)
            report.faults += list(case.faults(left))
            left.close()
    return report


def is_begun(path: Path) -> bool:
    """Has somebody begun a job and not finished it?"""
    driver = SqliteDriver(path)
    try:
        return bool(driver.rows("SELECT 1 FROM jobs WHERE state = 'begun' LIMIT 1", {}))
    finally:
        driver.close()


def start(path: Path, name: str, case: Case, days: float, *, is_torn: bool) -> int:
    """A child that runs the job and leaves; its process id."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        memory = opened(path, case, days=days, is_torn=is_torn)
        (case.run or (lambda one: one.upkeep.run([name])))(memory)
        status = 0
    finally:
        os._exit(status)


def end(child: int, *, is_killing: bool) -> str:
    """Kill it, or wait for it; how it ended."""
    if is_killing:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            is_killing = False
    _, status = os.waitpid(child, 0)
    if not os.WIFEXITED(status):
        return KILLED
    return DONE if os.WEXITSTATUS(status) == 0 else FAILED


def main() -> int:
    """Run the storm and say what it found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--only", choices=list(CASES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broken", action="store_true")
    options = parser.parse_args()
    cases = {options.only: CASES[options.only]} if options.only else dict(CASES)
    if options.broken:
        cases = {"note": note_case(is_broken=True), "gc": CASES["gc"]}
    failed = False
    for name, case in cases.items():
        is_torn = options.broken and name == "gc"
        report = storm(name, case, options.kills, chance=random.Random(options.seed), is_torn=is_torn)
        found = f"{len(report.faults)} faults" + (f", such as: {report.faults[0]}" if report.faults else "")
        killed = f"{report.kills} kills on {report.stores} stores, {report.inside} rounds in its midst"
        print(f"{name:12} {killed}: {found}", flush=True)
        failed |= bool(report.faults) != options.broken
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
