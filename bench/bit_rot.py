"""Bit rot: one bit of a database file is turned over, and whoever reads must be told, or read what was written.

    wellkept bench bit-rot [--flips 160] [--seed 1] [--unsummed]

Each flip hits a copy of one store, in a byte that is not zero. Then everything is read: an export of every table, the
doctor, recalls and lists of every user. A flip is `told` where a typed error or a finding of the doctor says that
something is wrong, `harmless` where every row of the export is as before, `unnoticed` where it is not, and `untyped`
where an error comes out that is not one of ours. `bookkeeping` are rows that nobody is shown and no checksum covers:
queues, counters, caches and the word index; columns that are caches count as `harmless`. `--unsummed` takes the
checksums out first; there it must find flips that go unnoticed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import wellkept
from bench.jobs_kill_world import NOW, Bag
from bench.worlds import fill, sentence
from wellkept.api import Memory
from wellkept.config import Config, MemoryTable
from wellkept.errors import WellkeptError
from wellkept.judges.english import RulesJudge
from wellkept.store.encoding import SUMMED

BOOKKEEPING = {
    "job",
    "watermark",
    "person_rev",
    "counter",
    "tally",
    "pair_check",
    "thread_reader",
    "trace_mention",
    "words",
}
CACHES = {"rev", "words", "state_at", "embedded_model", "cited", "waits", "access_count", "last_accessed_at"}
"""Columns of covered tables that are made anew from others, or count."""
USERS = ("alice", "bob", "carol")
QUIET = Config(memory=MemoryTable(auto_gc=False))


@dataclass(kw_only=True)
class Report:
    """What became of the flips."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def opened(path: Path) -> Memory:
    """The store at a fixed hour, read by rules: a model would add nothing to what is tested."""
    return wellkept.open(str(path), config=QUIET, clock=lambda: NOW, embedder=Bag(), judge=RulesJudge(), worker="off")


def make(path: Path, seed: int) -> None:
    """A store with something in most tables."""
    chance = random.Random(seed)
    with opened(path) as memory:
        for user in USERS:
            place = memory.at(user=user, chat=f"dm-{user}")
            for _ in range(6):
                place.remember(sentence(chance))
            place.observe([{"role": "user", "content": sentence(chance)} for _ in range(4)], wait=True)
            place.chat(f"Remind me to call {fill('{person}', chance)} tomorrow")
            place.save_checkpoint("plan", {"step": 1})
            place.edit(place.list(limit=1)[0].id, f"I keep {user}'s lamps in the cellar")
        session = memory.governed(session="s1", user="alice")
        session.record(user=sentence(chance), ai="Noted.")
        memory.upkeep.run()
        memory.upkeep.doctor(fix=True)


def read(path: Path) -> tuple[list[str], list[str]]:
    """What was said to be wrong, and every row there is."""
    told: list[str] = []
    rows: list[str] = []
    with opened(path) as memory:
        for look in (_rows, _doctor, _answers):
            try:
                found = look(memory)
            except WellkeptError as error:
                told.append(error.code)
                continue
            if look is _rows:
                rows = found
            else:
                told += found
    return told, rows


def _rows(memory: Memory) -> list[str]:
    lines = memory.engine.store.lines("default")
    return [json.dumps({name: line[name] for name in line.keys() - CACHES}, sort_keys=True) for line in lines]


def _doctor(memory: Memory) -> list[str]:
    found = memory.upkeep.doctor()
    return [one.code for one in found.findings if one.code != "unsummed"] + [one.code for one in found.sealed]


def _answers(memory: Memory) -> list[str]:
    for user in USERS:
        place = memory.at(user=user, chat=f"dm-{user}")
        place.recall("Where do I live and work?")
        place.context("What do you know about me?", peek=True)
        for one in place.list(limit=50):
            place.history(one.id)
        place.todos()
        place.sessions()
        place.checkpoint("plan")
        place.people()
    memory.at(user="alice").traces("s1")
    return []


def run(
    flips: int, *, seed: int = 1, is_unsummed: bool = False, say: Callable[[str], None] = lambda _line: None
) -> Report:
    """Turn so many bits over, one a copy."""
    report, chance = Report(), random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="wellkept-") as folder:
        sound, copy = Path(folder) / "sound.db", Path(folder) / "rotten.db"
        make(sound, seed)
        if is_unsummed:
            _take_out_sums(sound)
        content = bytearray(sound.read_bytes())
        told, before = read(sound)
        assert not told, f"the doctor finds something in a sound store: {told}"
        places = [place for place, byte in enumerate(content) if byte]
        for number in range(flips):
            place, bit = chance.choice(places), chance.randrange(8)
            content[place] ^= 1 << bit
            copy.write_bytes(content)
            content[place] ^= 1 << bit
            outcome = _outcome(copy, before)
            report.counts[outcome] += 1
            if outcome not in ("told", "harmless", "bookkeeping"):
                report.faults.append(f"flip {number}: bit {bit} of byte {place}: {outcome}")
                say(report.faults[-1])
            for left in Path(folder).glob("rotten.db*"):
                left.unlink()
    return report


def _outcome(copy: Path, before: list[str]) -> str:
    try:
        told, rows = read(copy)
    except WellkeptError:
        return "told"
    except Exception as error:
        return f"untyped {type(error).__name__}"
    if told or rows == before:
        return "told" if told else "harmless"
    changed = sorted({json.loads(row)["_type"] for row in {*rows} ^ {*before}} - BOOKKEEPING)
    return f"unnoticed in {', '.join(changed)}" if changed else "bookkeeping"


def _take_out_sums(path: Path) -> None:
    with opened(path) as memory:
        for table in SUMMED:
            memory.engine.store._db.driver.run(f"UPDATE {table} SET checksum = NULL", {})  # type: ignore[attr-defined]  # noqa: S608, SLF001 -- behind the store on purpose


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flips", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unsummed", action="store_true")
    given = parser.parse_args()
    report = run(given.flips, seed=given.seed, is_unsummed=given.unsummed, say=print)
    print(", ".join(f"{name} {count}" for name, count in sorted(report.counts.items())))
    print(f"faults: {len(report.faults)} of {given.flips} flips")
    return int(bool(report.faults) != given.unsummed)


if __name__ == "__main__":
    sys.exit(main())
