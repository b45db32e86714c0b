"""Histories of many processes at once: versions and slots are linearizable, and no retry does anything twice.

    wellkept bench histories register [--processes 4] [--seconds 10] [--stale]
    wellkept bench histories slot [--processes 4] [--seconds 10] [--stale]
    wellkept bench histories retries [--kills 40] [--seed 1] [--keyless]

Each process puts down what it called, when it began and when it had its answer. `register`: edits of one memory with
`if_version`, and reads; versions are the order, so a history is linearizable when every version was made once, every
read shows the text of its version, and no call that began after another had ended sees an older version. `slot`: values
of one slot and reads of it; no read shows a value after a later one was acknowledged before the read began. `--stale`
answers some reads from what was read before; there both must find faults.

`retries`: a process that writes under idempotency keys is killed at random moments, and all its calls are made again:
each is stored once, and the answers are the same. `--keyless` retries without keys; there something must be stored
twice.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import wellkept
from wellkept.api import Memory
from wellkept.config import Config, MemoryTable
from wellkept.errors import WellkeptError
from wellkept.judges.english import RulesJudge
from wellkept.operations import OPERATIONS
from wellkept.policies import callers
from wellkept.surfaces.http.gateway import Call, Gateway

QUIET = Config(memory=MemoryTable(auto_gc=False))
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
STALE_EVERY = 7
VERBS = {one.name: one for one in OPERATIONS}


@dataclass(frozen=True, kw_only=True)
class Event:
    """One call of one process."""

    kind: str
    """`write` or `read`."""
    begun: int
    ended: int
    value: str
    version: int = 0


def opened(path: str) -> Memory:
    """A memory on a clock that goes on with the time of the machine."""
    base = time.monotonic()
    return wellkept.open(
        path,
        config=QUIET,
        clock=lambda: START + timedelta(seconds=time.monotonic() - base),
        embedder="none",
        judge=RulesJudge(),
        worker="off",
    )


def _warm(memory: Memory, number: int) -> None:
    """Load what is loaded at first use, and wait for the others that do."""
    own = memory.at(user=f"warm{number}")
    own.edit(str(own.add("The lamp is lit").id), "The lamp is out")
    own.remember("My favorite number is 1")
    time.sleep(1)


# --- one memory under many edits ---


def edit_and_read(path: str, number: int, seconds: float, is_stale: bool) -> list[Event]:  # noqa: FBT001 -- for a pool
    """What one process did with the one memory there is."""
    events: list[Event] = []
    with opened(path) as memory:
        ana = memory.at(user="ana")
        _warm(memory, number)
        found = ana.list(limit=1)[0]
        end, count, held = time.monotonic() + seconds, 0, (found.content, found.version)
        while time.monotonic() < end:
            count += 1
            begun = time.monotonic_ns()
            if not (is_stale and count % STALE_EVERY == 0):
                shown = ana.show(found.id).memory
                held = (shown.content, shown.version)
            events.append(Event(kind="read", begun=begun, ended=time.monotonic_ns(), value=held[0], version=held[1]))
            begun, text = time.monotonic_ns(), f"The crate was seen by guard {number} on round {count}"
            try:
                ana.edit(found.id, text, if_version=held[1])
            except WellkeptError:
                continue  # somebody was faster
            events.append(Event(kind="write", begun=begun, ended=time.monotonic_ns(), value=text, version=held[1] + 1))
    return events


def register_faults(events: Sequence[Event], first: tuple[str, int]) -> list[str]:
    """Where a history of edits and reads of one memory is not linearizable."""
    faults: list[str] = []
    made: dict[int, str] = {first[1]: first[0]}
    for event in events:
        if event.kind == "write":
            if event.version in made:
                faults.append(f"version {event.version} was made twice")
            made[event.version] = event.value
    if sorted(made) != list(range(min(made), max(made) + 1)):
        faults.append("a version is missing")
    faults += [
        f"version {event.version} reads as {event.value!r}"
        for event in events
        if event.kind == "read" and made.get(event.version) != event.value
    ]
    latest = 0
    ends = sorted(events, key=lambda one: one.ended)
    place = 0
    for event in sorted(events, key=lambda one: one.begun):
        while place < len(ends) and ends[place].ended < event.begun:
            latest = max(latest, ends[place].version)
            place += 1
        if event.version < latest:
            faults.append(f"a {event.kind} of version {event.version} began after version {latest} was known")
    return faults


# --- one slot under many values ---


def tell_and_read(path: str, number: int, seconds: float, is_stale: bool) -> list[Event]:  # noqa: FBT001 -- for a pool
    """What one process did with one slot."""
    events: list[Event] = []
    with opened(path) as memory:
        ana = memory.at(user="ana")
        _warm(memory, number)
        end, count, held = time.monotonic() + seconds, 0, ""
        while time.monotonic() < end:
            count += 1
            value, begun = str(number * 100_000 + count), time.monotonic_ns()
            try:
                ana.remember(f"My favorite number is {value}")
            except WellkeptError:
                continue
            events.append(Event(kind="write", begun=begun, ended=time.monotonic_ns(), value=value))
            begun = time.monotonic_ns()
            if not (is_stale and count % STALE_EVERY == 0):
                held = " ".join(one.value or "" for one in ana.list(limit=20) if one.fact_key)
            events.append(Event(kind="read", begun=begun, ended=time.monotonic_ns(), value=held))
    return events


def slot_faults(events: Sequence[Event]) -> list[str]:
    """Reads of more or less than one value, or of one that a later value had replaced before the read began."""
    writes = {event.value: event for event in events if event.kind == "write"}
    ordered = sorted(writes.values(), key=lambda one: one.ended)
    faults: list[str] = []
    for read in (event for event in events if event.kind == "read"):
        seen = writes.get(read.value)
        if seen is None:
            # Somebody who was stopped between the two may have written it without putting it down.
            faults += [f"a read shows {read.value!r}"] if " " in read.value or not read.value else []
            continue
        newer = next((one for one in ordered if one.begun > seen.ended and one.ended < read.begun), None)
        if newer is not None:
            faults.append(f"a read shows {read.value} after {newer.value} was acknowledged")
    return faults


def play(
    what: str, processes: int, seconds: float, *, is_stale: bool = False, path: str | None = None
) -> tuple[int, list[str]]:
    """How many calls were made, and where their history does not hold."""
    with tempfile.TemporaryDirectory(prefix="wellkept-") as folder:
        url = path or str(Path(folder) / "memory.db")
        with opened(url) as memory:
            ana = memory.at(user="ana")
            if what == "register":
                ana.add("The crate stands in the hall")
            first = next(((one.content, one.version) for one in ana.list(limit=1)), ("", 0))
        work = edit_and_read if what == "register" else tell_and_read
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            found = pool.starmap(work, [(url, number, seconds, is_stale) for number in range(processes)])
    events = [event for one in found for event in one]
    return len(events), register_faults(events, first) if what == "register" else slot_faults(events)


# --- retries under kill ---


def calls(seed: int, count: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(key, verb, arguments), the same each time."""
    chance = random.Random(seed)
    for number in range(count):
        text = f"Guard {seed} saw crate {number} in the hall"
        match chance.randrange(3):
            case 0:
                yield f"k{seed}-{number}", "add", {"content": text}
            case 1:
                yield f"k{seed}-{number}", "observe", {"messages": [{"role": "user", "content": text}]}
            case _:
                yield f"k{seed}-{number}", "chat", {"text": text}


def call(gateway: Gateway, key: str | None, verb: str, arguments: dict[str, Any]) -> str:
    """The answer as text."""
    grant = callers.of_scopes(["user:ana"], tenant="default", caller="bench")
    asked = Call(operation=VERBS[verb], arguments=arguments, place={}, grant=grant, surface="bench", key=key)
    return json.dumps(gateway.run(asked), sort_keys=True)


def _child(path: str, seed: int, count: int, *, is_keyless: bool) -> None:
    """Make the calls until killed, and say what was answered; never returns."""
    try:
        with opened(path) as memory:
            gateway = Gateway(memory)
            for key, verb, arguments in calls(seed, count):
                answer = call(gateway, None if is_keyless else key, verb, arguments)
                os.write(1, f"{key} {answer}\n".encode())
    finally:
        os._exit(0)


def retries(
    kills: int, *, seed: int = 1, is_keyless: bool = False, say: Callable[[str], None] = lambda _line: None
) -> tuple[int, list[str]]:
    """How many calls were made twice, and what was stored twice, not at all, or answered otherwise."""
    faults: list[str] = []
    chance, made, count = random.Random(seed), 0, 12
    with tempfile.TemporaryDirectory(prefix="wellkept-") as folder:
        path = str(Path(folder) / "memory.db")
        opened(path).close()
        for number in range(kills):
            answered = _killed(path, seed * 10_000 + number, count, chance, is_keyless=is_keyless)
            with opened(path) as memory:
                gateway = Gateway(memory)
                for key, verb, arguments in calls(seed * 10_000 + number, count):
                    answer = call(gateway, None if is_keyless else key, verb, arguments)
                    made += 1
                    if not is_keyless and key in answered and answered[key] != answer:
                        faults.append(f"{key} was answered otherwise")
                faults += _doubled(memory)
            if (number + 1) % 10 == 0:
                say(f"{number + 1} kills, {len(faults)} faults")
            if len(faults) >= 10:
                break
    return made, faults


def _killed(path: str, seed: int, count: int, chance: random.Random, *, is_keyless: bool) -> dict[str, str]:
    """Start a process, kill it after a while; what it was answered, by key."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        os.dup2(writing, 1)
        _child(path, seed, count, is_keyless=is_keyless)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        first = pipe.readline()
        time.sleep(chance.uniform(0, 0.15))
        os.kill(process, signal.SIGKILL)
        rest = pipe.read()
    os.waitpid(process, 0)
    lines = (first + rest).decode().split("\n")[:-1]
    return dict(line.split(" ", 1) for line in lines)


def _doubled(memory: Memory) -> list[str]:
    rows = memory.engine.store._db.driver.rows  # type: ignore[attr-defined]  # noqa: SLF001 -- behind the store on purpose
    said = Counter(row[0] for row in rows("SELECT content FROM messages WHERE role = 'user'", {}))
    return [f"stored {times} times: {text}" for text, times in said.items() if times != 1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("register", "slot", "retries"))
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--stale", action="store_true")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keyless", action="store_true")
    given = parser.parse_args()
    if given.what == "retries":
        done, faults = retries(given.kills, seed=given.seed, is_keyless=given.keyless, say=print)
        print(f"{done} calls made again after {given.kills} kills")
    else:
        done, faults = play(given.what, given.processes, given.seconds, is_stale=given.stale)
        print(f"{done} calls of {given.processes} processes")
    bound = "" if faults else f"; 95 % sure that fewer than {3 / max(done, 1):.3%} of calls do harm"
    print(f"faults: {len(faults)}{bound}")
    for fault in faults[:10]:
        print(f"  {fault}")
    return int(bool(faults) != (given.stale or given.keyless))


if __name__ == "__main__":
    sys.exit(main())
