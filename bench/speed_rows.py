"""The rows of the speed bench that need more than one call: links, checkpoints, import, HTTP, the first command."""

from __future__ import annotations

import http.client
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cold_start
from growth_users import WORDS, fill, join, opened, private
from serving import Running, running
from worlds import START

import wellkept
from wellkept.api import Memory
from wellkept.config import Config, MemoryTable
from wellkept.models.bundled import MiniLM
from wellkept.store.contract import Rewiring
from wellkept.types import Edge
from wellkept.vocabulary import EdgeKind

WARM_UP = 10
EDGES = 5
IMPORTED = 5_000
EMBEDDED = 640
RENAMED = """
from wellkept.models.bundled import MiniLM
MiniLM.model_id = "bench-seeded"
MiniLM.weights_hash = property(lambda _self: "1" * 64)
import sys
from wellkept.__main__ import main
sys.exit(main())
"""
"""The server with the bundled model under the name that the drawn vectors were stored with."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table; times in milliseconds."""

    name: str
    target: str
    p50: float
    p95: float
    processor: float | None = None
    """Mean of a call; None where the work is another process's."""
    reference: str = ""
    """What it is measured against, in the same run."""
    ratio: float | None = None
    is_met: bool | None = None


def taken(work: Callable[[int], object], times: int) -> tuple[float, float, float]:
    """p50, p95 and mean processor time of a call, which is handed its number; the first few are not counted."""
    clock, processor = [], []
    for number in range(times + WARM_UP):
        began, worked = time.perf_counter(), time.process_time()
        work(number)
        clock.append((time.perf_counter() - began) * 1_000)
        processor.append((time.process_time() - worked) * 1_000)
    p95 = statistics.quantiles(clock[WARM_UP:], n=20)[-1]
    return statistics.median(clock[WARM_UP:]), p95, statistics.mean(processor[WARM_UP:])


def durable_write(folder: Path, times: int) -> Row:
    """What no durable commit can do without: four kilobytes written and forced to disk."""
    with (folder / "reference").open("wb") as file:

        def write(number: int) -> None:
            file.write(bytes([number % 256]) * 4_096)
            file.flush()
            os.fsync(file.fileno())

        p50, p95, processor = taken(write, times)
    return Row(name="reference: 4 kB written and synced", target="", p50=p50, p95=p95, processor=processor)


def link(app: Memory, durable: Row, times: int) -> Row:
    """An edge: a fifth of what a memory's five take in a transaction of their own."""
    place = app.at(user="ada", chat="dm-ada")
    store = app.engine.store
    memories = place.list(limit=times + WARM_UP + EDGES)

    def relate(number: int) -> None:
        memory = memories[number]
        edges = tuple(
            Edge(kind=EdgeKind.RELATED_TO, src=memory.id, dst=other.id, strength=0.5)
            for other in memories[number + 1 : number + 1 + EDGES]
        )
        with store.transaction():
            store.keep(Rewiring(tenant="default", add=tuple(edges), at=START))

    p50, p95, processor = (value / EDGES for value in taken(relate, times))
    return _beside(
        Row(
            name="link, an edge, commit included", target="≤ 2", p50=p50, p95=p95, processor=processor, is_met=p50 <= 2
        ),
        durable,
    )


def checkpoints(app: Memory, durable: Row, times: int) -> list[Row]:
    """A supervisor's state of 100 kB."""
    chance = random.Random(1)
    data = {"messages": [" ".join(chance.choices(WORDS, k=13)) for _ in range(1_000)]}
    version = 0

    def save(_number: int) -> None:
        nonlocal version
        version = app.checkpoints.save("ada", "bench", data, version=version).version

    saving = taken(save, times)
    loading = taken(lambda _number: app.checkpoints.load("ada", "bench"), times)
    rows = []
    for name, (p50, p95, processor) in (("checkpoint save, 100 kB", saving), ("checkpoint load, 100 kB", loading)):
        row = Row(name=name, target="p95 < 100", p50=p50, p95=p95, processor=processor, is_met=p95 < 100)
        rows.append(_beside(row, durable))
    return rows


def imports(folder: Path) -> list[Row]:
    """An export taken in whole, then embedded in the background, beside the embedder's own rate in the same run."""
    source = opened(folder / "source.db")
    with source.engine.store.transaction():
        join(source.engine.store, "ada", {"dm-ada": "private"})
        fill(source.engine.store, private("ada", IMPORTED, seed=1))
    with (folder / "export.jsonl").open("w", encoding="utf-8") as file:
        source.upkeep.export(file)
    source.close()
    config = Config(memory=MemoryTable(auto_gc=False))
    with wellkept.open(folder / "target.db", config=config, clock=lambda: START, worker="off") as target:
        began, worked = time.perf_counter(), time.process_time()
        with (folder / "export.jsonl").open(encoding="utf-8") as file:
            target.upkeep.import_(file)
        clock, processor = time.perf_counter() - began, time.process_time() - worked
        words = _is_found_by_words(target)
    rate = IMPORTED / clock
    row = Row(
        name=f"import, {rate:,.0f} memories a second, {IMPORTED / processor:,.0f} by processor time",
        target="≥ 2,000, found by words at once",
        p50=clock / IMPORTED * 1_000,
        p95=clock / IMPORTED * 1_000,
        processor=processor / IMPORTED * 1_000,
        is_met=words and IMPORTED / processor >= 2_000,
    )
    return [row, _vectors(folder)]


def _is_found_by_words(target: Memory) -> bool:
    place = target.at(user="ada", chat="dm-ada")
    memory = next(iter(place.list(limit=1)))
    found = place.recall(" ".join(memory.content.split()[:4]), sources=("memories",), limit=3)
    return memory.id in [hit.id for hit in found]


def _vectors(folder: Path) -> Row:
    """What is stored without vectors gets them, batch by batch; beside the embedder alone on the same texts."""
    config, embedder = Config(memory=MemoryTable(auto_gc=False)), MiniLM()
    path = folder / "unembedded.db"
    chance = random.Random(2)
    texts = [f"{' '.join(chance.choices(WORDS, k=9))} live work color {number}" for number in range(EMBEDDED)]
    with wellkept.open(path, config=config, clock=lambda: START, embedder="none", worker="off") as bare:
        place = bare.at(user="ada", chat="dm-ada")
        for text in texts:
            place.add(text)
        stored = [memory.content for memory in place.list(limit=EMBEDDED)]
    embedder.embed(stored[:64])
    with wellkept.open(path, config=config, clock=lambda: START, embedder=embedder, worker="off") as memory:
        # In turns, so that a busy moment is busy for both.
        own, alone = 0.0, 0.0
        worked = time.process_time()
        done = memory.upkeep.embed()
        own = time.process_time() - worked
        worked = time.process_time()
        for start in range(0, done, 64):
            embedder.embed(stored[start : start + 64])
        alone = time.process_time() - worked
    share = alone / own
    return Row(
        name=f"vectors in the background, {done} memories",
        target="≥ 80 % of the embedder's own rate",
        p50=own / done * 1_000,
        p95=own / done * 1_000,
        processor=own / done * 1_000,
        reference="the embedder alone",
        ratio=1 / share,
        is_met=share >= 0.8,
    )


def over_http(folder: Path, asked: Sequence[str]) -> tuple[Row, float]:
    """`memory.query` for bullets on a running server with the whole store, and the megabytes the server takes."""
    limits = {"WELLKEPT_SERVER__REQUESTS_PER_MINUTE": "0", "WELLKEPT_MEMORY__AUTO_GC": "false"}
    with running(folder, program=RENAMED, **limits) as server:
        connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
        p50, p95, _ = taken(lambda number: _query(connection, asked[number]), len(asked) - WARM_UP)
        connection.close()
        megabytes = server.rss_mib
        _check(server)
    return Row(name="memory.query bullets over HTTP", target="p95 < 150", p50=p50, p95=p95, is_met=p95 < 150), megabytes


def _query(connection: http.client.HTTPConnection, query: str) -> None:
    body: dict[str, Any] = {"query": query, "viewpoint": {"user": "ada", "chat": "dm-ada"}}
    connection.request("POST", "/v1/query", json.dumps(body), {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = json.loads(response.read())
    if response.status != 200 or not answer:
        raise SystemExit(f"the server did not answer the query: {response.status} {answer}")


def _check(server: Running) -> None:
    if server.process.poll() is not None:
        raise SystemExit("the server ended while it was asked")


def first_command(folder: Path, runs: int) -> list[Row]:
    """A cold `memory search` and `import wellkept`, beside numpy, onnxruntime and the model alone."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WELLKEPT")}
    environment = kept | {"WELLKEPT_DB": str(folder / "cold.db"), "WELLKEPT_USER": cold_start.USER}
    cold_start.fill(folder / "cold.db", 1_000)
    names = ("python", "import wellkept", "wellkept memory search", cold_start.PEER)
    times: dict[str, list[cold_start.Run]] = {name: [] for name in names}
    for number in range(runs + 1):
        for name in names:
            run = cold_start.once([sys.executable, *cold_start.CASES[name]], environment)
            if number:  # the first round warms the file cache
                times[name].append(run)
    clock = {name: statistics.median(run.clock for run in found) * 1_000 for name, found in times.items()}
    worst = {name: max(run.clock for run in found) * 1_000 for name, found in times.items()}
    processor = {name: statistics.median(run.processor for run in found) * 1_000 for name, found in times.items()}
    search, peer = "wellkept memory search", cold_start.PEER
    ratio = processor[search] / processor[peer]
    own = processor["import wellkept"] - processor["python"]
    return [
        Row(
            name="cold start, memory search", target="≤ 600, or ≤ 1.5 × the reference", p50=clock[search],
            p95=worst[search], processor=processor[search], reference="numpy + onnxruntime + model", ratio=ratio,
            is_met=clock[search] <= 600 or ratio <= 1.5,
        ),
        Row(
            name="import wellkept", target="≤ 150", p50=clock["import wellkept"] - clock["python"],
            p95=worst["import wellkept"] - clock["python"], processor=own, is_met=own <= 150,
        ),
    ]  # fmt: skip


def _beside(row: Row, reference: Row) -> Row:
    return Row(**{**vars(row), "reference": "a synced write", "ratio": row.p50 / reference.p50})
