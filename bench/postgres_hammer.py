"""Sixteen processes on one user's memory on PostgreSQL: one live winner a key, unbroken chains, no deadlock heard of.

python bench/postgres_hammer.py [--processes 16] [--seconds 60]
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wellkept
from bench.postgres_server import Server
from wellkept.config import Config, MemoryTable
from wellkept.errors import WellkeptError

QUIET = Config(memory=MemoryTable(auto_gc=False))
SLOTS = ("My favorite number is {}", "My favorite color is shade{}", "I live in Ghent{}")


def hammer(url: str, number: int, seconds: float) -> Counter[str]:
    """Say new values of the same slots, read, and count what one is told."""
    told: Counter[str] = Counter()
    with wellkept.open(url, config=QUIET, embedder="none", worker="off") as memory:
        ana = memory.at(user="ana")
        end, count = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            count += 1
            try:
                outcome = ana.remember(SLOTS[count % len(SLOTS)].format(number * 100_000 + count))
                told[outcome.outcome] += 1
                if count % 5 == 0:
                    ana.recall("What is my favorite number?")
                    told["recall"] += 1
            except WellkeptError as error:
                told[f"error {error.code}"] += 1
    return told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    server = Server().create().start()
    try:
        print(server.versions())
        server.execute("CREATE EXTENSION vector")
        wellkept.open(server.url(), config=QUIET, embedder="none", worker="off").close()
        with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
            work = [(server.url(), number, given.seconds) for number in range(given.processes)]
            told = sum(pool.starmap(hammer, work), Counter())
        return look(server.url(), told, given.processes, given.seconds)
    finally:
        server.remove()


def look(url: str, told: Counter[str], processes: int, seconds: float) -> int:
    """Print and judge."""
    with wellkept.open(url, config=QUIET, embedder="none", worker="off") as memory:
        store = memory.engine.store
        rows = store._db.driver.rows  # type: ignore[attr-defined]  # noqa: SLF001 -- the tables themselves
        live = rows(
            "SELECT memory_key, discriminator, COUNT(*) FROM memories WHERE state = 'active' "
            "GROUP BY 1, 2 ORDER BY 3 DESC",
            {},
        )
        broken = list(store.verify("default"))
        gaps = rows("SELECT s.scope FROM scopes AS s WHERE s.ledger_seq <> (SELECT COUNT(*) FROM ledger AS l "
                    "WHERE l.tenant = s.tenant AND l.scope = s.scope)", {})  # fmt: skip
        slots = rows("SELECT fact_key, COUNT(*) FROM memories WHERE state = 'active' GROUP BY 1", {})
    errors = {name: count for name, count in told.items() if name.startswith("error")}
    writes = sum(count for name, count in told.items() if name != "recall" and not name.startswith("error"))
    print(f"{processes} processes, {seconds:.0f} s: {writes} writes ({writes / seconds:.0f} a second), {dict(told)}")
    print(f"live a key: {max((row[2] for row in live), default=0)}; live a slot: {dict(slots)}")
    print(f"broken chains: {len(broken)}; gaps: {len(gaps)}; errors told to callers: {errors or 'none'}")
    is_good = not broken and not gaps and not errors and all(row[2] == 1 for row in live) and writes > 0
    return 0 if is_good and all(count == 1 for _, count in slots) else 1


if __name__ == "__main__":
    sys.exit(main())
