"""How fast the verbs are: 100,000 memories, 5,000 of them visible to the asker, beside a NumPy product of the same run.

    recollect bench speed [--memories 100000] [--visible 5000] [--queries 200] [--json FILE]

Recalls embed their query with the bundled model; the other vectors are drawn from a seed. Processor time stands beside
the clock, because other work on the machine changes it less.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from growth_users import WORDS, Load, fill, join, private
from worlds import START

import recollect
from recollect.app import Memory, Viewpoint
from recollect.config import Config, MemoryTable
from recollect.flows import views
from recollect.models.minilm import MiniLM
from recollect.store.base import Search
from recollect.surfaces.cli.screen import Column, Screen
from recollect.vocabulary import Space

WARM_UP = 10
MEGABYTES_MAX = 450


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table, in milliseconds."""

    name: str
    p50: float
    p95: float
    processor: float
    target: str


class Named(MiniLM):
    """The bundled model under the name that the drawn vectors were stored with."""

    model_id = "bench-seeded"

    @property
    def weights_hash(self) -> str:
        return "1" * 64


def timed(name: str, target: str, work: Callable[[int], object], times: int) -> Row:
    """`work` is called with the number of the call; the first few are not counted."""
    clock, processor = [], []
    for number in range(times + WARM_UP):
        began, worked = time.perf_counter(), time.process_time()
        work(number)
        clock.append((time.perf_counter() - began) * 1_000)
        processor.append((time.process_time() - worked) * 1_000)
    return Row(
        name=name,
        p50=statistics.median(clock[WARM_UP:]),
        p95=statistics.quantiles(clock[WARM_UP:], n=20)[-1],
        processor=statistics.mean(processor[WARM_UP:]),
        target=target,
    )


def world(path: Path, memories: int, visible: int) -> Memory:
    """One user's memories among those of others."""
    config = Config(memory=MemoryTable(auto_gc=False))
    app = recollect.open(path, config=config, clock=lambda: START, embedder=Named())
    store = app.engine.store
    with store.transaction():
        join(store, "ada", {"dm-ada": "private"})
        fill(store, Load(space=Space.USER, owner="ada", count=visible, speaker="ada", learned_in="dm-ada", seed=1))
    for number in range((memories - visible) // visible):
        with store.transaction():
            join(store, f"user{number}", {f"dm-user{number}": "private"})
            fill(store, private(f"user{number}", visible, seed=100 + number))
    return app


def measured(app: Memory, visible: int, queries: int) -> list[Row]:
    place = app.at(user="ada", chat="dm-ada")
    chance = random.Random(3)
    asked = [f"What did I say about {' '.join(chance.choices(WORDS, k=3))}?" for _ in range(queries + WARM_UP)]
    vectors = app.engine.embedder.embed(asked)  # type: ignore[union-attr]  # opened with one
    matrix = np.random.default_rng(5).standard_normal((visible, 384)).astype(np.float32)
    product = timed("NumPy product over the visible rows", "", lambda number: matrix @ vectors[number], queries)
    embedding = timed("embedding of a query", "", lambda number: app.engine.vectors([asked[number]]), queries)
    recalls = timed(
        "recall, embedding included", "p50 ≤ 10, p95 ≤ 25", lambda number: place.recall(asked[number]), queries
    )
    vector = timed("vector part", "≤ 2 × the product", _by_vector(place, app, vectors), queries)
    remember = timed("remember", "p50 ≤ 15, p95 ≤ 40", lambda number: place.remember(_fact(number)), queries // 2)
    context = timed("context block", "p95 < 60", lambda number: place.context(asked[number]), queries // 2)
    return [product, embedding, recalls, vector, remember, context]


def _by_vector(place: Viewpoint, app: Memory, vectors: Any) -> Callable[[int], object]:  # noqa: ANN401 -- an array
    view = views.view_of(place.place, app.engine, START)

    def search(number: int) -> object:
        return app.engine.store.candidates(Search(view=view, vector=vectors[number], model=app.engine.model, limit=50))

    return search


def _fact(number: int) -> str:
    return f"My locker number at gym {WORDS[number * 7 % len(WORDS)]} is {number}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--memories", type=int, default=100_000)
    options.add_argument("--visible", type=int, default=5_000)
    options.add_argument("--queries", type=int, default=200)
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        app = world(Path(folder) / "speed.db", chosen.memories, chosen.visible)
        rows = measured(app, chosen.visible, chosen.queries)
        app.close()
    # Bytes on macOS, kilobytes elsewhere.
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    _show(rows, megabytes)
    if chosen.json is not None:
        figures = {row.name: {"p50": row.p50, "p95": row.p95, "processor": row.processor} for row in rows}
        chosen.json.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _show(rows: Sequence[Row], megabytes: float) -> None:
    product = rows[0].processor
    columns = [
        Column(name="operation", style="cyan"),
        *(Column(name=name, is_number=True) for name in ("p50 ms", "p95 ms", "processor ms", "× product")),
        Column(name="target"),
    ]
    cells = [
        (
            row.name,
            f"{row.p50:.2f}",
            f"{row.p95:.2f}",
            f"{row.processor:.2f}",
            f"{row.processor / product:.1f}",
            row.target,
        )
        for row in rows
    ]
    screen = Screen("text")
    screen.table(columns, cells)
    screen.say(f"memory use at most {megabytes:.0f} MB, building the store included (target {MEGABYTES_MAX})")


if __name__ == "__main__":
    main()
