"""How long a turn takes on a large store, and how often memory has to be asked a second time.

    wellkept bench turn [--memories 100000] [--visible 5000] [--turns 200]

Everything is real but the stored memories' vectors, which are drawn: the bundled embedder, the rules judge, durable
commits. The reference is what no turn can do without: two embeddings and two commits, measured in the same run. The
second part tells the messages of the extraction set to an empty memory and counts the turns that had to ask again.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from store_speed import BATCH, Drawn, change

import wellkept
from wellkept.api import Memory as App
from wellkept.api import Viewpoint
from wellkept.config import Config, MemoryTable
from wellkept.models.bundled import MiniLM

TARGETS = {"turn and finish": 150.0, "query, bullets": 150.0, "context": 60.0, "recall on demand": 200.0}
"""p95 in milliseconds."""
RATE_MAX = 0.10
ROUND = 10
CONFIDENT = 1.0
SAID = (
    "I had lunch with {} near the harbour today.",
    "What did we say about {} last week?",
    "I will call {} about the invoice tomorrow.",
    "The {} project is going well so far.",
    "My friend {} sent me a postcard.",
)
EVALS = Path(__file__).resolve().parent.parent / "evals" / "extraction" / "train.jsonl"


class Clock:
    """Moves a little with every look, as a real one does."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=50)
        return self.now


def opened(path: Path, embedder: MiniLM) -> App:
    config = Config(memory=MemoryTable(auto_gc=False))
    return wellkept.open(path, config=config, clock=Clock(), embedder=embedder, worker="off")


def fill(app: App, memories: int, visible: int) -> None:
    """The asker's memories and, in nineteen parts, other people's."""
    drawn, store, model = Drawn.seeded(7), app.engine.store, app.engine.model
    others = [f"user{number}" for number in range(1, 20)]
    shares = {"user0": visible} | dict.fromkeys(others, (memories - visible) // len(others))
    for user, count in shares.items():
        app.at(user=user, chat=f"dm-{user}").remember("I like long walks")
        person = store.person("default", user=user)
        assert person is not None, "who remembers is somebody"
        for start in range(0, count, BATCH):
            size = min(BATCH, count - start)
            vectors = drawn.vectors(size)
            with store.transaction():
                made = [change(store, user, person.id, drawn.text(12), vectors[number]) for number in range(size)]
                store.apply([replace(one, model=model) for one in made], at=app.engine.clock())


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def measure(viewpoint: Viewpoint, turns: int) -> dict[str, list[float]]:
    """Milliseconds of each verb, turn by turn."""
    taken: dict[str, list[float]] = {name: [] for name in (*TARGETS, "two embeddings and two commits")}
    drawn = Drawn.seeded(11)
    engine = viewpoint.memory.engine

    def whole(text: str) -> None:
        viewpoint.turn(text).finish("Noted, thank you.")

    def reference(text: str) -> None:
        for _ in range(2):
            engine.vectors([text])
            with engine.store.transaction():
                engine.store.next_id("default", "system", "bench", "person")

    for number in range(turns):
        text = SAID[number % len(SAID)].format(drawn.text(1).capitalize())
        taken["turn and finish"].append(timed(partial(whole, text)))
        taken["query, bullets"].append(timed(partial(viewpoint.query, text)))
        taken["context"].append(timed(partial(viewpoint.context, text)))
        unsure = viewpoint.turn(text)
        taken["recall on demand"].append(timed(partial(unsure.recall_if_needed, 0.0)))
        taken["two embeddings and two commits"].append(timed(partial(reference, text)))
    return taken


def second_askings(folder: Path, embedder: MiniLM) -> tuple[int, int]:
    """Turns of the evaluation conversation, and how many of them had to ask again."""
    with opened(folder / "talk.db", embedder) as app:
        viewpoint = app.at(user="ana", chat="dm")
        messages = [json.loads(line)["message"] for line in EVALS.read_text(encoding="utf-8").splitlines()]
        asked = 0
        for number, text in enumerate(messages, start=1):
            turn = viewpoint.turn(text)
            asked += turn.recall_if_needed(CONFIDENT) is not None
            turn.finish("I see.")
            if number % ROUND == 0:
                app.upkeep.run(["extract"])
        return len(messages), asked


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--visible", type=int, default=5_000)
    parser.add_argument("--turns", type=int, default=200)
    given = parser.parse_args()
    embedder = MiniLM()
    with tempfile.TemporaryDirectory(prefix="wellkept-turn-") as folder:
        with opened(Path(folder) / "memory.db", embedder) as app:
            start = time.perf_counter()
            fill(app, given.memories, given.visible)
            print(f"{given.memories:,} memories, {given.visible:,} visible, in {time.perf_counter() - start:.0f} s")
            viewpoint = app.at(user="user0", chat="dm-user0", thread="t1")
            viewpoint.context("warm up")
            taken = measure(viewpoint, given.turns)
        missed = 0
        print(f"{'':32}{'p50 ms':>9}{'p95 ms':>9}  target p95")
        for name, times in taken.items():
            p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
            target = TARGETS.get(name)
            is_missed = target is not None and p95 >= target
            missed += is_missed
            print(f"{name:32}{p50:9.1f}{p95:9.1f}  {'' if target is None else f'< {target:g}'}{'  missed' * is_missed}")
        turns, asked = second_askings(Path(folder), embedder)
    rate = asked / turns
    print(f"asked again on {asked} of {turns} turns: {rate:.1%} (< {RATE_MAX:.0%})")
    return int(missed > 0 or rate >= RATE_MAX)


if __name__ == "__main__":
    sys.exit(main())
