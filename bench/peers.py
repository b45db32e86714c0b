"""How fast recall is beside mem0 and a plain BM25 + dense + RRF, with the same texts, the embedding left out.

    wellkept bench peers [--sizes 5000 50000] [--queries 100] [--python PATH] [--json FILE]

mem0 runs in a virtual environment of its own, made for the run unless `--python` names an interpreter that has it. Both
hold the memories of one user; texts and vectors are drawn from a seed and handed to both, so that neither embeds.
The bar is on processor time, which other work on the machine changes less; the clock is shown beside it. The plain
search holds everything in memory and knows nothing of people, time, rights or commits: it is what ranking alone costs.
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
import venv
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from growth_users import WORDS, Load, SeededVectors, fill, join, opened
from retrieval_baselines import Baselines
from retrieval_data import Conversation, Turn

from wellkept.surfaces.cli.screen import Column, Screen, progress
from wellkept.vocabulary import Space

PEER = "mem0ai"
FASTER_MIN = 10.0
WARM_UP = 5
LIMIT = 10
SCRIPT = Path(__file__).with_name("peer_mem0.py")


@dataclass(frozen=True, kw_only=True)
class Times:
    """Milliseconds of recalls: on the clock, and of the processor, which other work on the machine changes less."""

    p50: float
    p95: float
    processor: float

    @classmethod
    def of(cls, taken: Sequence[tuple[float, float]]) -> Times:
        clock = [one for one, _ in taken]
        processor = statistics.mean(one for _, one in taken)
        return cls(p50=statistics.median(clock), p95=statistics.quantiles(clock, n=20)[-1], processor=processor)


def filled(folder: Path, size: int, queries: int) -> tuple[Path, list[str]]:
    """A store with the memories of one user, and questions."""
    app = opened(folder / "own.db")
    store = app.engine.store
    with store.transaction():
        join(store, "ada", {"dm-ada": "private"})
        fill(store, Load(space=Space.USER, owner="ada", count=size, speaker="ada", learned_in="dm-ada", seed=1))
    chance = np.random.default_rng(7)
    asked = [f"What did I say about {' '.join(chance.choice(WORDS, 3))}?" for _ in range(queries + WARM_UP)]
    app.close()
    return folder / "own.db", asked


def own(path: Path, asked: Sequence[str]) -> Times:
    app = opened(path)
    place = app.at(user="ada", chat="dm-ada")
    taken = []
    for query in asked:
        began, worked = time.perf_counter(), time.process_time()
        place.recall(query, limit=LIMIT)
        taken.append(((time.perf_counter() - began) * 1_000, (time.process_time() - worked) * 1_000))
    app.close()
    return Times.of(taken[WARM_UP:])


def plain(size: int, asked: Sequence[str]) -> Times:
    """BM25, a product over all vectors and reciprocal ranks of both, over the same sentences."""
    chance = random.Random(1)
    texts = [f"{' '.join(chance.choices(WORDS, k=9))} live work color {row}" for row in range(size)]
    turns = tuple(Turn(id=str(row), session="", at=None, speaker="user", text=text) for row, text in enumerate(texts))
    embedder: Any = SeededVectors()
    search = Baselines(Conversation(id="", turns=turns, questions=()), embedder).methods["rrf"]
    taken = []
    for query in asked:
        began, worked = time.perf_counter(), time.process_time()
        search(query)
        taken.append(((time.perf_counter() - began) * 1_000, (time.process_time() - worked) * 1_000))
    return Times.of(taken[WARM_UP:])


def peer(python: str, folder: Path, size: int, asked: Sequence[str]) -> Times:
    task = {"size": size, "asked": list(asked), "limit": LIMIT, "folder": str(folder / "peer")}
    (folder / "task.json").write_text(json.dumps(task), encoding="utf-8")
    # What it would send home or keep in the caller's folders stays here.
    settings = {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder / "settings"), "OPENAI_API_KEY": "none"}
    command = [python, str(SCRIPT), str(folder / "task.json")]
    done = subprocess.run(command, env=os.environ | settings, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return Times.of(json.loads(done.stdout.splitlines()[-1])[WARM_UP:])


def environment(folder: Path) -> str:
    """An interpreter with the peer, in an environment of its own."""
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    subprocess.run([str(python), "-m", "pip", "install", "-q", PEER, "numpy"], check=True)
    return str(python)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sizes", type=int, nargs="+", default=[5_000, 50_000])
    options.add_argument("--queries", type=int, default=100)
    options.add_argument("--python", help="an interpreter that has mem0ai")
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    rows: list[dict[str, Any]] = []
    with progress("memories") as show, tempfile.TemporaryDirectory() as name:
        python = chosen.python or environment(Path(name))
        for size in chosen.sizes:
            folder = Path(name) / str(size)
            folder.mkdir()
            path, asked = filled(folder, size, chosen.queries)
            # One after the other and again, so that a busy machine is busy for both.
            first, other, second = own(path, asked), peer(python, folder, size, asked), own(path, asked)
            mine = max(first, second, key=lambda times: times.processor)
            pair = {"wellkept": asdict(mine), "mem0": asdict(other), "plain": asdict(plain(size, asked))}
            ratios = {"times_clock": other.p50 / mine.p50, "times_processor": other.processor / mine.processor}
            rows.append({"memories": size, **pair, **ratios})
            show(size)
    methods = [f"{name} p50/p95/processor ms" for name in ("wellkept", "mem0", "BM25 + dense + RRF")]
    names = ("memories", *methods, "× p50", "× processor")
    columns = [Column(name=name, is_number=True) for name in names]
    Screen("text").table(columns, [_cells(row) for row in rows])
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if min(row["times_processor"] for row in rows) < FASTER_MIN:
        sys.exit(f"less than {FASTER_MIN:.0f} × faster")


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    pairs = [" / ".join(f"{value:.1f}" for value in row[name].values()) for name in ("wellkept", "mem0", "plain")]
    return (f"{row['memories']:,}", *pairs, f"{row['times_clock']:.1f}", f"{row['times_processor']:.1f}")


if __name__ == "__main__":
    main()
