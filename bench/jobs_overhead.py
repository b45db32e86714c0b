"""What a job costs besides its work: queued, claimed and finished, beside the bare commits that durability needs.

    python bench/jobs_overhead.py [--jobs 500]

A commit waits for the disk, whatever is in it: three of them (cause, claim, effect) are the floor that no durable queue
goes below, and one of the three is there without any job. What is above the floor is ours.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter

import wellkept
from wellkept.config import Config, MemoryTable
from wellkept.jobs import Runner, Work
from wellkept.store.contract import Entry, NewJob, Store
from wellkept.vocabulary import Space

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
LIMIT_MS = 1.0


def commit(store: Store) -> None:
    """The smallest durable write."""
    store.record("default", Space.SYSTEM, "bare", Entry(op="admin"), at=NOW)


def measured(jobs: int) -> tuple[float, float]:
    """Milliseconds of a bare commit, and of a job from its queuing to its end; medians, taken by turns."""
    config = Config(memory=MemoryTable(auto_gc=False))
    with tempfile.TemporaryDirectory(prefix="wellkept-jobs-") as folder:
        path = Path(folder) / "memory.db"
        with wellkept.open(path, config=config, clock=lambda: NOW, embedder="none", worker="off") as memory:
            store = memory.engine.store
            runner = Runner(memory.engine, worker="bench", jobs={"nothing": Work(doc="", run=lambda _: None)})
            bare, whole = [], []
            for number in range(jobs):
                begun = perf_counter()
                commit(store)
                bare.append(perf_counter() - begun)
                begun = perf_counter()
                with store.transaction():
                    store.keep(NewJob(tenant="default", name="nothing", key=str(number), due_at=NOW))
                runner.run_due(limit=1)
                whole.append(perf_counter() - begun)
            runner.stop()
    return 1_000 * median(bare), 1_000 * median(whole)


def main() -> int:
    """Measure and say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=500)
    bare, whole = measured(parser.parse_args().jobs)
    ours = whole - 3 * bare
    print(f"a bare commit        {bare:.3f} ms")
    print(f"a job, three commits {whole:.3f} ms")
    print(f"above the commits    {ours:.3f} ms (at most {LIMIT_MS})")
    return int(ours > LIMIT_MS)


if __name__ == "__main__":
    sys.exit(main())
