"""How fast the verbs are: 100,000 memories, 5,000 of them visible to the asker, each row beside a reference of the run.

    wellkept bench speed [--memories 100000] [--visible 5000] [--queries 200] [--json FILE]

Recalls embed their query with the bundled model; the other vectors are drawn from a seed. Processor time stands beside
the clock, because other work on the machine changes it less. A row is met by the clock, or, where a reference is named
in its target, by the ratio; on a busy machine the ratios are what counts.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from growth_users import WORDS, Load, fill, join, private
from speed_rows import WARM_UP, Row, checkpoints, durable_write, first_command, imports, link, over_http, taken
from worlds import START

import wellkept
from wellkept.api import Memory, Viewpoint
from wellkept.config import Config, MemoryTable
from wellkept.flows import views
from wellkept.models.bundled import MiniLM
from wellkept.store.contract import Search
from wellkept.surfaces.cli.screen import Column, Screen, progress
from wellkept.vocabulary import Space

MEGABYTES_MAX = 450
STORE = "memory.db"


class Named(MiniLM):
    """The bundled model under the name that the drawn vectors were stored with."""

    model_id = "bench-seeded"

    @property
    def weights_hash(self) -> str:
        return "1" * 64


def world(path: Path, memories: int, visible: int) -> Memory:
    """One user's memories among those of others."""
    config = Config(memory=MemoryTable(auto_gc=False))
    app = wellkept.open(path, config=config, clock=lambda: START, embedder=Named())
    store = app.engine.store
    with store.transaction():
        join(store, "ada", {"dm-ada": "private"})
        fill(store, Load(space=Space.USER, owner="ada", count=visible, speaker="ada", learned_in="dm-ada", seed=1))
    with progress("memories of others") as show:
        for number in range((memories - visible) // visible):
            with store.transaction():
                join(store, f"user{number}", {f"dm-user{number}": "private"})
                fill(store, private(f"user{number}", visible, seed=100 + number))
            show((number + 1) * visible)
    return app


def questions(count: int) -> list[str]:
    chance = random.Random(3)
    return [f"What did I say about {' '.join(chance.choices(WORDS, k=3))}?" for _ in range(count + WARM_UP)]


def asked(app: Memory, visible: int, queries: int) -> list[Row]:
    """What only reads: beside a NumPy product over the visible rows."""
    place = app.at(user="ada", chat="dm-ada")
    texts = questions(queries)
    vectors = app.engine.embedder.embed(texts)  # type: ignore[union-attr]  # opened with one
    matrix = np.random.default_rng(5).standard_normal((visible, 384)).astype(np.float32)
    product = _row(
        "reference: NumPy product over the visible rows", "", lambda number: matrix @ vectors[number], queries
    )
    rows = [
        _row("embedding of a query", "", lambda number: app.engine.vectors([texts[number]]), queries),
        _row("recall, embedding included", "p50 ≤ 10, p95 ≤ 25", lambda number: place.recall(texts[number]), queries),
        _row("vector part", "≤ 2 × the product", _by_vector(place, app, vectors), queries),
        _row("context block", "p95 < 60", lambda number: place.context(texts[number]), queries // 2),
    ]
    beside = [_beside(row, product) for row in rows]
    met = {
        "recall, embedding included": beside[1].p50 <= 10 and beside[1].p95 <= 25,
        "vector part": (beside[2].ratio or 0) <= 2,
        "context block": beside[3].p95 < 60,
    }
    return [product, *(Row(**{**vars(row), "is_met": met.get(row.name)}) for row in beside)]


def _beside(row: Row, product: Row) -> Row:
    """By the median on the clock: what the threads of a product spin while they wait is no work."""
    return Row(**{**vars(row), "reference": "the product", "ratio": row.p50 / product.p50})


def _row(name: str, target: str, work: Callable[[int], object], times: int) -> Row:
    p50, p95, processor = taken(work, times)
    return Row(name=name, target=target, p50=p50, p95=p95, processor=processor)


def written(app: Memory, folder: Path, queries: int) -> list[Row]:
    """What commits: beside a write that is forced to disk."""
    place = app.at(user="ada", chat="dm-ada")
    durable = durable_write(folder, queries // 2)
    p50, p95, processor = taken(lambda number: place.remember(_fact(number)), queries // 2)
    remember = Row(
        name="remember", target="p50 ≤ 15, p95 ≤ 40", p50=p50, p95=p95, processor=processor,
        reference="a synced write", ratio=p50 / durable.p50, is_met=p50 <= 15 and p95 <= 40,
    )  # fmt: skip
    return [durable, remember, link(app, durable, queries // 2), *checkpoints(app, durable, queries // 4)]


def _by_vector(place: Viewpoint, app: Memory, vectors: Any) -> Callable[[int], object]:  # noqa: ANN401 -- an array
    """Scoring alone, without reading what was found."""
    view = views.view_of(place.place, app.engine, START)
    store: Any = app.engine.store
    arms = store._arms  # noqa: SLF001 -- a part is measured
    sight = arms.sights.sight(store._parameters(view))  # noqa: SLF001 -- the same

    def search(number: int) -> object:
        sought = Search(view=view, vector=vectors[number], model=app.engine.model, limit=50)
        return arms._vectors("default", sight, sought)  # noqa: SLF001 -- the same

    return search


def _fact(number: int) -> str:
    return f"My locker number at gym {WORDS[number * 7 % len(WORDS)]} is {number}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--memories", type=int, default=100_000)
    options.add_argument("--visible", type=int, default=5_000)
    options.add_argument("--queries", type=int, default=200)
    options.add_argument("--runs", type=int, default=5, help="of the first command")
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = world(folder / STORE, chosen.memories, chosen.visible)
        rows = [*asked(app, chosen.visible, chosen.queries), *written(app, folder, chosen.queries)]
        app.close()
        query, megabytes = over_http(folder, questions(chosen.queries))
        rows += [query, *imports(folder), *first_command(folder, chosen.runs)]
    _show(rows, megabytes)
    if chosen.json is not None:
        figures = {"rows": [asdict(row) for row in rows], "server_megabytes": megabytes, "memories": chosen.memories}
        chosen.json.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _show(rows: Sequence[Row], megabytes: float) -> None:
    columns = [
        Column(name="operation", style="cyan"),
        *(Column(name=name, is_number=True) for name in ("p50 ms", "p95 ms", "processor ms", "ratio")),
        Column(name="to"),
        Column(name="target"),
        Column(name=""),
    ]
    marks = {None: "", True: "met", False: "missed here"}
    cells = [
        (
            row.name,
            f"{row.p50:.2f}",
            f"{row.p95:.2f}",
            "" if row.processor is None else f"{row.processor:.2f}",
            "" if row.ratio is None else f"{row.ratio:.1f}",
            row.reference,
            row.target,
            marks[row.is_met],
        )
        for row in rows
    ]
    screen = Screen("text")
    screen.table(columns, cells)
    screen.say(f"memory of the server with all of it, model included: {megabytes:.0f} MB (target {MEGABYTES_MAX})")


if __name__ == "__main__":
    main()
