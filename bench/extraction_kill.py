"""Kill storm over learning in the background: every exchange is read once, whenever the process dies.

    python bench/extraction_kill.py [--kills 60] [--seed 1] [--broken]

A child observes exchanges and runs the jobs that read them, and says on a pipe what was acknowledged; in shared memory
it says where it is. The parent kills it, starts another, and at last lets the queue run dry. Then the ledger is counted
by job: each message has been read exactly once, none waits, and each exchange left one memory that was told once.
`--broken` runs the same with jobs that store each step by itself; there it must find faults.
"""

from __future__ import annotations

import argparse
import mmap
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import wellkept
from wellkept.config import Config
from wellkept.flows import views
from wellkept.flows.engine import Engine
from wellkept.flows.upkeep.schedule import Duty
from wellkept.jobs import JOBS, Runner, RunnerOptions
from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.policies.upkeep.extraction import Extraction
from wellkept.store.contract import NewestRows, OfChat
from wellkept.types import Claim

PHASES = ("starting", "observing", "waiting", "reading", "writing")
CHATS = ("dm", "walk", "desk")
DEBOUNCE = timedelta(milliseconds=40)
LEASE_SECONDS = 0.4
NAMES = ("Ana", "Rui", "Eva", "Ivo", "Mia", "Noa", "Leo", "Kim", "Zoe", "Max", "Ida", "Ben", "Lea", "Tom", "Uma", "Vik")


@dataclass(frozen=True, kw_only=True)
class Report:
    """What a storm found."""

    kills: int
    landed: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    messages: int = 0
    faults: tuple[str, ...] = ()


class SlowJudge(RulesJudge):
    """The rules, with a sign of where they are; slow enough to be killed at work."""

    def __init__(self, phase: Callable[[str], None]) -> None:
        self._phase = phase

    def extract(self, reading: Reading) -> tuple[Claim, ...]:
        self._phase("reading")
        time.sleep(0.004)
        claims = super().extract(reading)
        self._phase("writing")
        return claims


def fact(number: int) -> str:
    """What the exchange of this number tells; no two tell the same."""
    return f"My cousin {NAMES[number % len(NAMES)]}{number} works as a baker."


def opened(path: Path, *, judge: RulesJudge | None = None, later: float = 0.0) -> wellkept.Memory:
    """The memory of the storm; `later` seconds from now, so that leases and pauses are over."""

    def clock() -> datetime:
        return datetime.now(UTC) + timedelta(seconds=later)

    memory = wellkept.open(path, config=Config(), clock=clock, judge=judge, embedder="none", worker="off")
    memory.engine = replace(memory.engine, extraction=Extraction(debounce=DEBOUNCE, day_max=1_000_000))
    return memory


def tear() -> None:
    """Broken on purpose: what a job does is stored step by step."""

    @contextmanager
    def no_transaction(_duty: Duty) -> Iterator[None]:
        yield

    Duty.transaction = no_transaction  # type: ignore[method-assign]  # broken on purpose


def runner(engine: Engine, name: str) -> Runner:
    """Runs only what is looked at here."""
    options = RunnerOptions(lease_seconds=LEASE_SECONDS)
    return Runner(engine, worker=name, jobs={"extract": JOBS["extract"]}, options=options)


def child(path: Path, shared: mmap.mmap, start: int, *, broken: bool) -> None:
    """Observe and learn until killed; never returns."""

    def phase(name: str) -> None:
        shared[0] = PHASES.index(name)

    if broken:
        tear()
    memory = opened(path, judge=SlowJudge(phase))
    worker = runner(memory.engine, f"w{start}")
    number = start
    while True:
        number += 1
        viewpoint = wellkept.api.Viewpoint(memory, memory.at(user="alice", chat=CHATS[number % len(CHATS)]).place)
        phase("observing")
        said = [
            {"content": fact(number), "id": f"u{number}"},
            {"role": "assistant", "content": "Ah.", "id": f"a{number}"},
        ]
        viewpoint.observe(said)
        os.write(1, f"{number}\n".encode())
        phase("waiting")
        time.sleep(0.02)
        worker.run_due(limit=1)


def run(kills: int, *, seed: int = 1, broken: bool = False, say: Callable[[str], None] = print) -> Report:
    """Kill a learner so many times over one store, let the rest be done, and count."""
    chance = random.Random(seed)
    landed: Counter[str] = Counter()
    acknowledged: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with opened(path) as memory:  # loads what a child would have to load each time
            memory.at(user="nobody", chat="dm").observe([{"content": fact(0)}], wait=True)
        for number in range(kills):
            told, phase = _kill_one(path, number * 10_000, chance, broken=broken)
            landed[phase] += 1
            acknowledged += told
            if (number + 1) % 20 == 0:
                say(f"{number + 1} kills, {len(acknowledged)} acknowledged exchanges")
        faults, messages = look(path, acknowledged)
    return Report(kills=kills, landed=landed, acknowledged=len(acknowledged), messages=messages, faults=tuple(faults))


def _kill_one(path: Path, start: int, chance: random.Random, *, broken: bool) -> tuple[list[int], str]:
    reading, writing = os.pipe()
    with mmap.mmap(-1, 16) as shared:
        process = os.fork()
        if process == 0:
            os.close(reading)
            os.dup2(writing, 1)
            try:
                child(path, shared, start, broken=broken)
            finally:
                os._exit(3)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            first = pipe.readline()
            time.sleep(chance.uniform(0.02, 0.6))
            os.kill(process, signal.SIGKILL)
            rest = pipe.read()
        os.waitpid(process, 0)
        phase = PHASES[shared[0]]
    lines = (first + rest).split(b"\n")[:-1]
    return [int(line) for line in lines if line], phase


def look(path: Path, acknowledged: list[int]) -> tuple[list[str], int]:
    """Let the queue run dry, then count by job in the ledger; what is wrong, and how many messages there are."""
    with opened(path, later=3_600) as memory:
        last = runner(memory.engine, "last")
        last.run_due()
        last.stop()
        store = memory.engine.store
        rows = [row.entry for row in store.ledger(NewestRows(tenant="default", limit=1_000_000))]
        read = sum(int(entry.payload["messages"]) for entry in rows if entry.reason == "extracted")
        viewpoints = [memory.at(user="alice", chat=chat) for chat in CHATS]
        places = [views.place_of(viewpoint.place) for viewpoint in viewpoints]
        stored = [message for place in places for message in store.messages(OfChat(place=place, limit=1_000_000))]
        waiting = sum(len(store.messages(OfChat(place=place, is_waiting=True, limit=1_000))) for place in places)
        memories = [one for one in viewpoints[0].list(limit=1_000) if "episode" not in one.tags]
        told = {message.id for message in stored}
    faults = [f"exchange {number} was acknowledged and is lost" for number in acknowledged if f"u{number}" not in told]
    if read != len(stored):
        faults.append(f"{len(stored)} messages, but the ledger counts {read} readings")
    if waiting:
        faults.append(f"{waiting} messages still wait")
    exchanges = sum(message.role == "user" for message in stored)
    if len(memories) != min(exchanges, 1_000):
        faults.append(f"{exchanges} exchanges left {len(memories)} memories")
    faults += [f"{one.id} was told {one.mention_count} times" for one in memories if one.mention_count != 1]
    return faults, len(stored)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broken", action="store_true")
    given = parser.parse_args()
    report = run(given.kills, seed=given.seed, broken=given.broken)
    print(f"{report.kills} kills, by where they hit: {dict(report.landed)}")
    print(f"{report.acknowledged} exchanges acknowledged, {report.messages} messages, {len(report.faults)} faults")
    for fault in report.faults[:10]:
        print(f"  {fault}")
    return int(bool(report.faults) != given.broken)


if __name__ == "__main__":
    sys.exit(main())
