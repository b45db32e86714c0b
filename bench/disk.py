"""Disks that fail: power cuts at any write, errors at any call; what was acknowledged stays, and the rest is whole.

    wellkept bench disk cuts [--cuts 1000] [--seed 1] [--lying]
    wellkept bench disk errors [--seed 1] [--limit 0] [--careless]

Both stand between SQLite and its files, as a VFS. `cuts` records every write and sync of a workload of all verbs, an
erasure included, and plays it back up to a random moment: what was synced is there, of what was not each sector is
there or not, by chance. The store is opened on that, every second time cut off once more while it recovers, and opened
again. `--lying` is a disk that says it has synced and has not: there acknowledged writes must be lost.

`errors` lets the n-th call of the disk fail, for every n of the workload, with an I/O error or a full disk, once or
from then on. Whoever is told of an error finds nothing of that step stored, or is told that nobody knows
(`commit_unknown`: a sync failed), and finds everything acknowledged. `--careless` swallows failed writes: there it must
find faults.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw

import wellkept
from wellkept.api import Memory
from wellkept.config import Config, MemoryTable
from wellkept.errors import UnknownUser, WellkeptError
from wellkept.judges.english import RulesJudge

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
QUIET = Config(memory=MemoryTable(auto_gc=False))
SECTOR = 512
FAULTS_MAX = 20
CALLS = ("xWrite", "xSync", "xTruncate", "xRead")
State = dict[str, tuple[str, str]]
"""Id → text and state of every memory and message of Ana's."""


# --- the disk ---


@dataclass(kw_only=True)
class Disk:
    """What SQLite did to its files, and what is to go wrong."""

    log: list[tuple[str, str, int, bytes]] = field(default_factory=list)
    """Name of the call, end of the file's name, offset, bytes; an acknowledgement is a call `ack` with its number."""
    calls: int = 0
    fails_at: int | None = None
    is_sticky: bool = False
    is_full: bool = False
    is_careless: bool = False
    is_recording: bool = False

    def called(self, call: str) -> bool:
        """Count a call; raises where it is to fail, and says whether it is to be swallowed."""
        self.calls += 1
        is_hit = self.fails_at is not None and (
            self.calls == self.fails_at or (self.is_sticky and self.calls > self.fails_at)
        )
        if not is_hit:
            return False
        if self.is_careless and call in ("xWrite", "xSync"):
            return True
        if self.is_full and call == "xWrite":
            raise apsw.FullError("disk full, on purpose")
        raise apsw.IOError(f"{call} failed, on purpose")


class File(apsw.VFSFile):
    """A file of SQLite on the disk."""

    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:  # noqa: ANN401 -- apsw's own type
        super().__init__("unix", name, flags)
        path = name if isinstance(name, str) else name.filename()
        self._disk, self._name = disk, str(path).rpartition("memory.db")[2] if path else "temporary"

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 -- apsw's name
        self._disk.called("xRead")
        return super().xRead(amount, offset)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: ANN401, N802 -- apsw's name
        if self._disk.called("xWrite"):
            return
        if self._disk.is_recording:
            self._disk.log.append(("write", self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 -- apsw's name
        if self._disk.called("xSync"):
            return
        if self._disk.is_recording:
            self._disk.log.append(("sync", self._name, 0, b""))
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 -- apsw's name
        self._disk.called("xTruncate")
        if self._disk.is_recording:
            self._disk.log.append(("truncate", self._name, newsize, b""))
        super().xTruncate(newsize)


class Vfs(apsw.VFS):
    """Opens files on the disk; the default one while it lives."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        super().__init__("disk", base="unix", makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> File:  # noqa: ANN401, N802 -- apsw's name
        return File(self._disk, name, flags)


@contextmanager
def on(disk: Disk) -> Iterator[None]:
    """Every file that SQLite opens here is on this disk."""
    vfs = Vfs(disk)
    try:
        yield
    finally:
        vfs.unregister()


# --- the workload ---


def opened(path: Path) -> Memory:
    """A memory whose steps are the same each time."""
    return wellkept.open(str(path), config=QUIET, clock=lambda: NOW, embedder="none", judge=RulesJudge(), worker="off")


def steps(memory: Memory, seed: int, count: int) -> Iterator[Callable[[], object]]:
    """What Ana and Zed do, step by step; Zed is erased now and then."""
    chance = random.Random(seed)
    ana, zed = memory.at(user="ana", chat="dm-ana"), memory.at(user="zed", chat="dm-zed")
    ids: list[str] = []

    def add(number: int) -> Callable[[], object]:
        return lambda: ids.append(str(ana.add(f"Crate {number} stands in the north hall").id))

    for number in range(count):
        kind = chance.randrange(8) if len(ids) > 2 else 0
        one = chance.choice(ids) if ids else ""
        match kind:
            case 1:
                yield lambda one=one, number=number: ana.edit(one, f"Crate {number} was moved to the south hall")
            case 2:
                ids.remove(one)
                yield lambda one=one: ana.forget(one)
            case 3:
                yield lambda one=one: ana.pin(one)
            case 4:
                yield lambda number=number: ana.observe([{"role": "user", "content": f"I counted {number} crates"}])
            case 7:
                yield lambda number=number: ana.chat(f"I painted crate {number} blue")
            case 5:
                yield lambda number=number: zed.add(f"Zed hides key {number} under the mat")
            case 6 if number % 3 == 0:
                yield lambda: _erased(memory)
            case _:
                yield add(number)


def _erased(memory: Memory) -> None:
    with suppress(UnknownUser):
        memory.upkeep.erase("zed")


def state(memory: Memory) -> State:
    """What is stored of Ana's, behind every view."""
    rows = memory.engine.store._db.driver.rows  # type: ignore[attr-defined]  # noqa: SLF001 -- behind the store on purpose
    found = rows(
        "SELECT m.id, v.content, m.state FROM memories AS m JOIN versions AS v "
        "ON v.tenant = m.tenant AND v.scope = m.scope AND v.num = m.num AND v.version = m.text_version "
        "WHERE m.owner = 'ana' UNION ALL SELECT id, content, 'said' FROM messages WHERE user_id = 'ana'",
        {},
    )
    return {row[0]: (row[1], row[2]) for row in found}


def faults_of(path: Path, before: State, after: State | None) -> Iterator[str]:
    """What is wrong with a store after the disk failed. It holds one of the two states of Ana's."""
    with opened(path) as memory:
        store = memory.engine.store
        yield from (f"damaged: {one.id}" for one in store.faults("default", "files"))
        yield from (f"chain {one.owner}: {one.fault}" for one in store.verify("default"))
        yield from (f"{one.code}: {one.count}" for one in store.faults("default", "orphans"))
        yield from (f"{one.id} has no text" for one in store.faults("default", "textless"))
        yield from (f"bad row {one.table}/{one.id}" for one in store.faults("default", "rows"))
        found = state(memory)
        if found not in (before, after):
            lost = sorted({*before} - {*found})
            yield f"{len(found)} memories, not {len(before)}" + (f"; lost {lost[:3]}" if lost else "")


# --- power cuts ---


@dataclass(kw_only=True)
class Recorded:
    """A workload as the disk saw it, and what was true after each step."""

    log: list[tuple[str, str, int, bytes]]
    states: list[State]
    """After as many steps as there are acknowledgements before it."""


def recorded(folder: Path, seed: int, count: int) -> Recorded:
    """Play the workload once."""
    disk, path = Disk(is_recording=True), folder / "memory.db"
    states: list[State] = [{}]
    with on(disk):
        memory = opened(path)
        disk.log.append(("ack", "", 0, b""))
        for number, step in enumerate(steps(memory, seed, count)):
            step()
            disk.log.append(("ack", "", number + 1, b""))
            disk.is_recording = False
            states.append(state(memory))
            disk.is_recording = True
        memory.close()
    return Recorded(log=disk.log, states=states)


def cut(log: list[tuple[str, str, int, bytes]], place: Path, chance: random.Random, *, is_lying: bool) -> int:
    """Write the files as they may be after a cut at the end of this log; how many steps were acknowledged."""
    durable: dict[str, bytearray] = {}
    pending: dict[str, list[tuple[str, int, bytes]]] = {}
    acknowledged = -1
    for call, name, offset, data in log:
        if call == "ack":
            acknowledged = offset
        elif call == "sync":
            if not is_lying:
                for one in pending.pop(name, []):
                    _apply(durable.setdefault(name, bytearray()), one, None)
        elif not name.endswith("-shm"):
            pending.setdefault(name, []).append((call, offset, data))
    for name, waiting in pending.items():
        # Whatever was not synced may be there or not, sector by sector.
        for one in waiting:
            _apply(durable.setdefault(name, bytearray()), one, chance)
    for name, content in durable.items():
        place.with_name(f"{place.name}{name}").write_bytes(content)
    return acknowledged


def _apply(content: bytearray, operation: tuple[str, int, bytes], chance: random.Random | None) -> None:
    call, offset, data = operation
    if call == "truncate":
        if chance is None or chance.random() > 0.5:
            del content[offset:]
        return
    for start in range(0, len(data), SECTOR):
        if chance is None or chance.random() > 0.5:
            end = offset + start
            if len(content) < end:
                content.extend(bytes(end - len(content)))
            content[end : end + SECTOR] = data[start : start + SECTOR]


def power_cuts(
    cuts: int, *, seed: int = 1, count: int = 60, is_lying: bool = False, say: Callable[[str], None] = lambda _: None
) -> tuple[int, list[str]]:
    """How many cuts were made, and what was wrong after them."""
    faults: list[str] = []
    chance, done = random.Random(seed), 0
    with tempfile.TemporaryDirectory(prefix="wellkept-") as folder:
        played = recorded(Path(folder), seed, count)
        first = next(place for place, one in enumerate(played.log) if one[0] == "ack")
        while done < cuts and len(faults) < FAULTS_MAX:
            end = chance.randrange(first, len(played.log))
            with tempfile.TemporaryDirectory(prefix="wellkept-") as fresh:
                path = Path(fresh) / "memory.db"
                acknowledged = cut(played.log[: end + 1], path, chance, is_lying=is_lying)
                before = played.states[max(acknowledged, 0)]
                after = played.states[min(acknowledged + 1, len(played.states) - 1)]
                try:
                    if done % 2:
                        path = _cut_again(path, chance, is_lying=is_lying)
                    found = list(faults_of(path, before, after))
                except WellkeptError as error:
                    found = [f"cannot be opened: {error.code}"]
            faults += [f"cut {done} at {end} of {len(played.log)}: {one}" for one in found]
            done += 1
            if done % 200 == 0:
                say(f"{done} cuts, {len(faults)} faults")
    return done, faults


def _cut_again(path: Path, chance: random.Random, *, is_lying: bool) -> Path:
    """Cut the power a second time while the store recovers from the first."""
    before = {file.name: file.read_bytes() for file in path.parent.iterdir() if not file.name.endswith("-shm")}
    disk = Disk(is_recording=True)
    disk.log += [("write", name.removeprefix("memory.db"), 0, content) for name, content in before.items()]
    disk.log += [("sync", name.removeprefix("memory.db"), 0, b"") for name in before]
    start = len(disk.log)
    with on(disk):
        opened(path).close()
    again = path.parent / "again"
    again.mkdir()
    # What the first cut left is on the disk, whatever the disk says of syncs.
    base = disk.log[: chance.randint(start, len(disk.log))]
    cut(base, again / "memory.db", chance, is_lying=False if base[start:] == [] else is_lying)
    return again / "memory.db"


# --- errors ---


def errors(
    *,
    seed: int = 1,
    count: int = 24,
    limit: int = 0,
    is_careless: bool = False,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[Counter[str], list[str]]:
    """Let every call of the disk fail in turn, once and from then on; what happened, and what was wrong."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    whole, states = Disk(), [dict[str, tuple[str, str]]()]
    with tempfile.TemporaryDirectory(prefix="wellkept-") as folder, on(whole):
        _played(Path(folder) / "memory.db", seed, states, counts, count)
    places = list(range(1, whole.calls + 1))
    if limit and limit < len(places):
        places = sorted(random.Random(seed).sample(places, limit))
    for number, place in enumerate(places):
        disk = Disk(
            fails_at=place,
            is_sticky=number % 2 == 1,
            is_full=number % 4 < 2,
            is_careless=is_careless,
        )
        with tempfile.TemporaryDirectory(prefix="wellkept-") as folder:
            path = Path(folder) / "memory.db"
            try:
                with on(disk):
                    before, after = _played(path, seed, states, counts)
                found = list(faults_of(path, before, after))
            except WellkeptError as error:
                found = [f"afterwards: {error.code}"] if path.exists() and is_careless else []
                counts[f"not opened {error.code}"] += 1
            except Exception as error:
                found = [f"untyped {type(error).__name__}: {error}"]
        faults += [f"call {place} of {whole.calls}: {one}" for one in found]
        counts["runs"] += 1
        if len(faults) >= FAULTS_MAX:
            break
        if counts["runs"] % 200 == 0:
            say(f"{counts['runs']} runs, {len(faults)} faults")
    return counts, faults


def _played(
    path: Path, seed: int, states: list[State], counts: Counter[str], count: int | None = None
) -> tuple[State, State]:
    """The workload on a disk that may fail: what was acknowledged, and what may stand instead.

    `count`: nothing fails, and the states after so many steps are put down.
    """
    done = 0
    memory = opened(path)
    try:
        for step in steps(memory, seed, count or len(states) - 1):
            try:
                step()
            except WellkeptError as error:
                counts[error.code] += 1
                # Of a commit that nobody can tell the end of, the one or the other is true.
                return states[done], states[done + 1 if error.code == "commit_unknown" else done]
            done += 1
            if count is not None:
                states.append(state(memory))
    finally:
        # What a real disk says while a file is closed SQLite keeps to itself; a VFS in Python cannot.
        with suppress(WellkeptError, apsw.Error):
            memory.close()
    return states[done], states[done]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("cuts", "errors"))
    parser.add_argument("--cuts", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=0, help="so many of the calls, drawn; 0: all")
    parser.add_argument("--lying", action="store_true")
    parser.add_argument("--careless", action="store_true")
    given = parser.parse_args()
    if given.what == "cuts":
        done, faults = power_cuts(given.cuts, seed=given.seed, is_lying=given.lying, say=print)
        print(f"{done} power cuts, every second one with another cut in the recovery")
        must_fail = given.lying
    else:
        counts, faults = errors(seed=given.seed, limit=given.limit, is_careless=given.careless, say=print)
        done, must_fail = counts.pop("runs"), given.careless
        print(f"{done} runs; told: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
    bound = "" if faults else f"; 95 % sure that fewer than {3 / done:.2%} do harm"
    print(f"faults: {len(faults)}{bound}")
    for fault in faults[:10]:
        print(f"  {fault}")
    return int(bool(faults) != must_fail)


if __name__ == "__main__":
    sys.exit(main())
