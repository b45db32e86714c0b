"""How a store grows: recall, memory, bytes on disk and import, from a thousand memories of one user to fifty thousand.

    wellkept bench growth [--sizes 1000 2000 5000 10000 20000 50000] [--queries 60] [--json FILE] [--plot FILE]

Each size is a store of its own, filled by an import through the public API, texts and vectors drawn from a seed. It is
imported and asked by processes of its own, so that each tells the memory it takes. A NumPy product over as many vectors
stands beside. Growth is judged by processor time, which other work on the machine changes less.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from figures import lines
from growth_users import DIMENSIONS, WORDS, Load, fill, join, opened

from wellkept.surfaces.cli.screen import Column, Screen, progress
from wellkept.vocabulary import Space

SIZES = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
PROCESSOR_MAX = 50.0
"""Milliseconds of a recall at the largest size."""
STEEPEST = 1.2
"""Recall grows at most so much faster than the number of memories."""
WARM_UP = 5


@dataclass(frozen=True, kw_only=True)
class Point:
    """One size."""

    memories: int
    p50_ms: float
    p95_ms: float
    processor_ms: float
    product_ms: float
    """Processor time of a NumPy product over as many vectors."""
    process_mb: float
    store_mb: float
    imported_per_second: float
    """By processor time."""


def tell(folder: Path, size: int) -> None:
    """An export of one user's memories."""
    app = opened(folder / "source.db")
    store = app.engine.store
    with store.transaction():
        join(store, "ada", {"dm-ada": "private"})
        load = Load(space=Space.USER, owner="ada", count=size, speaker="ada", learned_in="dm-ada", seed=1, is_open=True)
        fill(store, load)
    with (folder / "export.jsonl").open("w", encoding="utf-8") as file:
        app.upkeep.export(file)
    app.close()


def take_in(folder: Path, size: int) -> dict[str, float]:
    app = opened(folder / "own.db")
    worked = time.process_time()
    with (folder / "export.jsonl").open(encoding="utf-8") as file:
        app.upkeep.import_(file)
    rate = size / (time.process_time() - worked)
    app.close()
    bytes_ = sum(file.stat().st_size for file in folder.glob("own.db*"))
    return {"imported_per_second": rate, "store_mb": bytes_ / 2**20}


def ask(folder: Path, size: int, queries: int) -> dict[str, float]:
    chance = random.Random(3)
    asked = [f"What did I say about {' '.join(chance.choices(WORDS, k=3))}?" for _ in range(queries + WARM_UP)]
    app = opened(folder / "own.db")
    place = app.at(user="ada", chat="dm-ada")
    clock, processor = [], []
    for query in asked:
        began, worked = time.perf_counter(), time.process_time()
        found = place.recall(query)
        clock.append((time.perf_counter() - began) * 1_000)
        processor.append((time.process_time() - worked) * 1_000)
        if not found.hits:
            raise SystemExit(f"nothing was found for {query!r}")
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    app.close()
    matrix = np.random.default_rng(5).standard_normal((size, DIMENSIONS), dtype=np.float32)
    worked = time.process_time()
    for row in range(queries):
        np.vecdot(matrix, matrix[row])
    return {
        "p50_ms": statistics.median(clock[WARM_UP:]),
        "p95_ms": statistics.quantiles(clock[WARM_UP:], n=20)[-1],
        "processor_ms": statistics.mean(processor[WARM_UP:]),
        "product_ms": (time.process_time() - worked) * 1_000 / queries,
        "process_mb": pages * os.sysconf("SC_PAGE_SIZE") / 2**20,
    }


def step(name: str, folder: Path, size: int, queries: int) -> dict[str, float]:
    """One of the three, in a process of its own."""
    command = [sys.executable, __file__, "--step", name, "--folder", str(folder)]
    command += ["--sizes", str(size), "--queries", str(queries)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    found: dict[str, float] = json.loads(done.stdout or "{}")
    return found


def measured(sizes: Sequence[int], queries: int) -> list[Point]:
    points = []
    with progress("memories") as show:
        for size in sizes:
            with tempfile.TemporaryDirectory() as name:
                found = [step(one, Path(name), size, queries) for one in ("tell", "import", "ask")]
            points.append(Point(memories=size, **{key: value for one in found for key, value in one.items()}))
            show(size)
    return points


def _step(name: str, folder: Path, size: int, queries: int) -> None:
    if name == "tell":
        tell(folder, size)
    else:
        print(json.dumps(take_in(folder, size) if name == "import" else ask(folder, size, queries)))


def faults(points: Sequence[Point]) -> list[str]:
    """What grows more than it may."""
    first, last = points[0], points[-1]
    found = []
    if last.processor_ms > PROCESSOR_MAX:
        found.append(f"recall takes {last.processor_ms:.0f} ms at {last.memories:,} memories")
    if last.processor_ms / first.processor_ms > STEEPEST * last.memories / first.memories:
        found.append("recall grows faster than the memories")
    return found


def _show(points: Sequence[Point]) -> None:
    names = ("memories", "p50 ms", "p95 ms", "processor ms", "× product", "process MB", "store MB", "imported /s")
    cells = [
        (
            f"{one.memories:,}",
            f"{one.p50_ms:.1f}",
            f"{one.p95_ms:.1f}",
            f"{one.processor_ms:.2f}",
            f"{one.processor_ms / one.product_ms:.1f}",
            f"{one.process_mb:.0f}",
            f"{one.store_mb:.1f}",
            f"{one.imported_per_second:,.0f}",
        )
        for one in points
    ]
    Screen("text").table([Column(name=name, is_number=True) for name in names], cells)


def _plot(points: Sequence[Point]) -> str:
    """Everything against its value at the first size, so that one chart holds it."""
    first = points[0]
    curves = {
        "recall": [one.processor_ms / first.processor_ms for one in points],
        "product": [one.product_ms / first.product_ms for one in points],
        "process": [one.process_mb / first.process_mb for one in points],
        "store": [one.store_mb / first.store_mb for one in points],
        "import": [one.imported_per_second / first.imported_per_second for one in points],
    }
    sizes = [float(one.memories) for one in points]
    drawn = {name: list(zip(sizes, values, strict=True)) for name, values in curves.items()}
    return lines(f"Growth, × the value at {first.memories:,} memories", drawn, across="memories of one user", up="×")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options.add_argument("--queries", type=int, default=60)
    options.add_argument("--json", type=Path, help="write all figures here")
    options.add_argument("--plot", type=Path, help="write the curves (SVG) here")
    options.add_argument("--step", choices=("tell", "import", "ask"), help=argparse.SUPPRESS)
    options.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.step is not None:
        _step(chosen.step, chosen.folder, chosen.sizes[0], chosen.queries)
        return
    points = measured(chosen.sizes, chosen.queries)
    _show(points)
    if chosen.json is not None:
        chosen.json.write_text(json.dumps([asdict(one) for one in points], indent=1) + "\n", encoding="utf-8")
    if chosen.plot is not None:
        chosen.plot.write_text(_plot(points), encoding="utf-8")
    found = faults(points)
    if found:
        sys.exit("; ".join(found))


if __name__ == "__main__":
    main()
