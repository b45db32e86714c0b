"""The doctor on a large store: how much memory it needs at most, how long it takes, and whether its bar is drawn.

    python bench/doctor.py [--memories 100000] [--peak-mb 300] [--keep PATH]

Half of the memories stand in one scope, the rest belong to a hundred users; all have vectors of the built-in model,
words and a ledger. A few faults are planted: equal texts, loose spaces, slots with two values, no vector. Then
`wellkept doctor` runs as a process of its own, with a terminal for its bar. It must find what was planted and nothing
else, and stay below the limit; the peak is what the system counted for the process (resident set size).
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

import wellkept
from wellkept.config import Config, MemoryTable
from wellkept.policies.words import term_counts
from wellkept.policies.writing import keys
from wellkept.testing.world import NOW, World
from wellkept.types import Claim
from wellkept.vocabulary import Space

USERS = 100
BATCH = 500
PLANTED = 5
"""Faults of each kind."""
WORDS = ("harbour", "violin", "orchard", "kayak", "bakery", "lantern", "meadow", "granite", "saffron", "compass")
EXPECTED = {"duplicates": PLANTED, "normalize": PLANTED, "contradictions": PLANTED, "embed-missing": PLANTED}


def fill(path: Path, memories: int) -> None:
    """A store of so many memories, with the planted faults."""
    config = Config(memory=MemoryTable(auto_gc=False))
    with wellkept.open(path, config=config, clock=lambda: NOW, worker="off") as memory:
        model = memory.engine.model
        dimensions = memory.engine.vectors(["one"]).shape[1]  # type: ignore[union-attr]  # the model is there
        world = World(memory.engine.store)
        chance = np.random.default_rng(1)
        for start in range(0, memories, BATCH):
            numbers = range(start, min(start + BATCH, memories))
            rows = chance.standard_normal((len(numbers), dimensions)).astype(np.float32)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            with memory.engine.store.transaction():
                for number, row in zip(numbers, rows, strict=True):
                    store(world, text(number, chance), number, row, model)
            if sys.stderr.isatty():
                print(f"\r{numbers[-1] + 1} memories", end="", file=sys.stderr)
        plant(world, memory, model)


def text(number: int, chance: np.random.Generator) -> str:
    """A sentence of its own."""
    return f"Note {number} about the {' and the '.join(chance.choice(WORDS, 3))} near pier {number % 97}."


def store(world: World, said: str, number: int, row: np.ndarray, model: str | None, **fields: Any) -> str:  # noqa: ANN401 -- fields of the record
    """One memory, in the one large scope or in a user's."""
    scope = (Space.USER, "large" if number % 2 else f"user{number % USERS}")
    made = world.draft(said, tenant="default", scope=fields.pop("scope", scope), source="import", **fields)
    terms = term_counts(said)
    change = world.change(made, is_new=True, terms=terms, vectors=row[None, :], model=model)
    world.store.apply([change], at=NOW)
    return made.id


def plant(world: World, memory: wellkept.Memory, model: str | None) -> None:
    """What the doctor is to find."""
    vectors = memory.engine.vectors(["one"])
    assert vectors is not None, "the built-in model answers"
    large = (Space.USER, "large")
    for number in range(PLANTED):
        for _ in range(2):
            store(world, f"The same line, number {number}.", 1, vectors[0], model, scope=large)
        store(world, f"Loose  spaces in line {number}.", 1, vectors[0], model, scope=large)
        for value in ("red", "blue"):
            key = f"favorite:thing{number}"
            alone = keys.discriminator(Claim(content="", value=value, cardinality="one"), key)
            fields: dict[str, Any] = {"fact_key": key, "value": value, "discriminator": alone, "scope": large}
            fields["memory_key"] = f"profile|person|large|{value}"
            store(world, f"The favorite thing {number} is {value}.", 1, vectors[0], model, **fields)
        bare = store(world, f"A line {number} without a vector.", 1, vectors[0], model, scope=large)
        driver = memory.engine.store._db.driver  # type: ignore[attr-defined]  # noqa: SLF001 -- behind the store on purpose
        driver.run("UPDATE memories SET embedded_model = '' WHERE id = :id", {"id": bare})


def measured(path: Path) -> tuple[float, float, str, dict[str, Any]]:
    """Seconds, peak in MB, what stood on the terminal, and the diagnosis of `wellkept doctor`."""
    reading, writing = os.pipe()
    controller, terminal = pty.openpty()
    drawn: list[bytes] = []
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        os.dup2(writing, 1)
        os.dup2(terminal, 2)
        variables = {**os.environ, "TERM": "xterm"}
        command = [sys.executable, "-m", "wellkept", "--db", str(path), "--json", "doctor"]
        os.execvpe(command[0], command, variables)  # noqa: S606 -- the command under test
    os.close(writing)
    os.close(terminal)
    watcher = threading.Thread(target=_watch, args=(controller, drawn), daemon=True)
    watcher.start()
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    _, _, used = os.wait4(child, 0)
    watcher.join(1)
    peak = used.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)
    return time.monotonic() - begun, peak, b"".join(drawn).decode(errors="replace"), json.loads(said)


def _watch(controller: int, drawn: list[bytes]) -> None:
    try:
        while chunk := os.read(controller, 65_536):
            drawn.append(chunk)
    except OSError:  # the other end is closed
        return


def main() -> int:
    """Fill, measure, and say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--peak-mb", type=float, default=300.0)
    parser.add_argument("--keep", type=Path, help="fill this file, or use it as it is")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wellkept-doctor-") as folder:
        path = options.keep or Path(folder) / "memory.db"
        if not path.exists():
            fill(path, options.memories)
        seconds, peak, drawn, found = measured(path)
        megabytes = path.stat().st_size / 1_000_000
    print(f"{options.memories} memories, {megabytes:.0f} MB on disk: {seconds:.0f} s, peak {peak:.0f} MB")
    print(f"found: {found['counts']}")
    is_drawn = "━" in drawn
    print(f"bar: {'drawn' if is_drawn else 'not drawn (it appears after a second)'}")
    is_good = peak <= options.peak_mb and found["counts"] == EXPECTED and (is_drawn or seconds < 3)
    print("within the limits" if is_good else f"OUTSIDE THE LIMITS: {options.peak_mb:.0f} MB, {EXPECTED}")
    return int(not is_good)


if __name__ == "__main__":
    sys.exit(main())
