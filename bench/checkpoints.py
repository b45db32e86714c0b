"""How long a supervisor's checkpoint of 100 kB takes to save and to load, on a file and on PostgreSQL.

python bench/checkpoints.py [--rounds 100] [--kilobytes 100]`
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import wellkept
from bench.postgres_server import Server
from wellkept.config import Config, MemoryTable

MOST_MS = 100
WORDS = ("plan", "book", "train", "Bergen", "hotel", "call", "Lena", "tomorrow")


def measure(url: str, rounds: int, kilobytes: int) -> tuple[float, float]:
    """p95 of saving and of loading, in milliseconds."""
    chance, saving, loading = random.Random(1), [], []
    said = [" ".join(chance.choices(WORDS, k=15)) for _ in range(kilobytes * 10)]
    data = {"state": {"messages": said}, "history": ["hello"]}
    with wellkept.open(url, config=Config(memory=MemoryTable(auto_gc=False)), embedder="none", worker="off") as memory:
        version = 0
        for _ in range(rounds):
            start = time.perf_counter()
            version = memory.checkpoints.save("ana", "th", data, version=version).version
            middle = time.perf_counter()
            memory.checkpoints.load("ana", "th")
            saving.append((middle - start) * 1000)
            loading.append((time.perf_counter() - middle) * 1000)
    return quantiles(saving, n=20)[18], quantiles(loading, n=20)[18]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--kilobytes", type=int, default=100)
    given = parser.parse_args()
    server, worst = Server().create().start(), 0.0
    try:
        print(server.versions())
        server.execute("CREATE EXTENSION vector")
        with tempfile.TemporaryDirectory() as folder:
            for name, url in (("SQLite", f"{folder}/memory.db"), ("PostgreSQL", server.url())):
                saved, loaded = measure(url, given.rounds, given.kilobytes)
                print(
                    f"{name}: {given.kilobytes} kB, save p95 {saved:.1f} ms, load p95 {loaded:.1f} ms (under {MOST_MS})"
                )
                worst = max(worst, saved, loaded)
    finally:
        server.remove()
    return 0 if worst < MOST_MS else 1


if __name__ == "__main__":
    sys.exit(main())
