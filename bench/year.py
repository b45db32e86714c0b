"""A simulated year: users who tell and ask something every day, upkeep every night, and what must hold all along.

    python bench/year.py [--users 50] [--days 365] [--svg year.svg]

The clock is simulated. Each night `gc`, `soft-delete`, `purge`, `compact` and `evict` run. It is checked that a user's
memories stay within the cap, that the store stops growing, that no pinned or young memory is evicted, that nothing
soft-deleted is ever recalled, that everything can be restored until its purge date, and that what was purged is gone
from tables, index and files. The picture shows memories by state over the year; `--svg` also writes it to a file.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import wellkept
from wellkept.api import Memory
from wellkept.config import Config, MemoryTable
from wellkept.policies.upkeep.lifecycle import Lifecycle
from wellkept.store.contract import NewestRows, Unexpired
from wellkept.store.encoding import micros
from wellkept.store.sqlite.file_bytes import chunks
from wellkept.types import Outcome
from wellkept.vocabulary import State

CAP = 60
GROWN_UP = 270
"""Days after which everything that is ever removed has been removed for a while."""
BEGIN = datetime(2026, 1, 1, 8, tzinfo=UTC)
NIGHTLY = ("gc", "soft-delete", "purge", "compact", "evict")
KINDS = ("insight", "insight", "event", "observation", "knowledge", "preference")
THINGS = (
    "kayak",
    "violin",
    "greenhouse",
    "telescope",
    "bakery",
    "archive",
    "harbour",
    "orchard",
    "workshop",
    "marathon",
)
SHADES = ("red", "blue", "green", "yellow", "purple")
COLOURS = {"active": "#2a7", "superseded": "#c90", "archived": "#888", "soft_deleted": "#c44"}
WIDTH, HEIGHT = 900, 320


@dataclass(kw_only=True)
class Year:
    """One run: the clock, the memory, and what was seen."""

    users: int
    chance: random.Random
    now: datetime = BEGIN
    faults: list[str] = field(default_factory=list)
    counts: list[Mapping[State, int]] = field(default_factory=list)
    soft_deleted: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Id → user and the word that only this memory has."""
    words: dict[str, tuple[str, str]] = field(default_factory=dict)
    purged: list[str] = field(default_factory=list)
    restored: int = 0
    told: int = 0


def word(number: int) -> str:
    """A word that stands in one memory alone."""
    letters = "bcdfghklmnprstvz"
    return "".join(letters[number // 16**place % 16] + "aeiou"[(number + place) % 5] for place in range(4))


def day(year: Year, memory: Memory) -> None:
    """Everybody tells something and asks something."""
    for user in (f"user{number}" for number in range(year.users)):
        viewpoint = memory.at(user=user)
        year.told += 1
        unique = word(year.told)
        thing = year.chance.choice(THINGS)
        text = f"The {unique} {thing} came up again when we talked"
        made: Outcome = viewpoint.add(text, type=year.chance.choice(KINDS))
        if made.id is not None and made.outcome == "created":
            year.words[made.id] = (user, unique)
            if year.chance.random() < 0.01:
                viewpoint.pin(made.id)
        if year.chance.random() < 0.05:
            viewpoint.remember(f"My favorite color is {year.chance.choice(SHADES)}")
        if year.chance.random() < 0.3:
            found = viewpoint.recall(f"what about the {year.chance.choice(THINGS)}?", limit=5)
            states = {hit.id: hit.memory.state for hit in found if hit.memory is not None}
            year.faults += [f"{one} was recalled though {state}" for one, state in states.items() if state != "active"]
    memory.flush()


def night(year: Year, memory: Memory) -> None:
    """Upkeep, then a look at what it did."""
    store = memory.engine.store
    before = {one: store.memory("default", one) for one in list(year.soft_deleted)}
    memory.upkeep.run(NIGHTLY)
    for one, was in before.items():
        if was is not None and store.memory("default", one) is None:
            if was.purge_at is None or was.purge_at > year.now:
                year.faults.append(f"{one} was purged before its day")
            year.purged.append(year.soft_deleted.pop(one)[1])
    rows = store._db.driver.rows("SELECT id FROM memories WHERE state = 'soft_deleted'", {})  # type: ignore[attr-defined]  # noqa: SLF001 -- the space by its word
    year.soft_deleted.update({one: year.words[one] for (one,) in rows if one in year.words})
    for row in store.ledger(NewestRows(tenant="default", limit=400)):
        gone = store.memory("default", row.entry.memory_id or "") if row.entry.reason == "evicted" else None
        if gone is not None and (gone.pinned or row.at - gone.created_at < timedelta(days=7)):
            year.faults.append(f"{gone.id} was evicted, pinned or young")
    year.counts.append(store.counts("default"))
    _sample(year, memory)


def _sample(year: Year, memory: Memory) -> None:
    """A few of the soft-deleted: not recalled, and restorable until their last day."""
    store = memory.engine.store
    last_day = {"until": micros(year.now + timedelta(days=1))}
    sql = "SELECT id FROM memories WHERE state = 'soft_deleted' AND purge_at <= :until ORDER BY id LIMIT 1"
    ending = [one for (one,) in store._db.driver.rows(sql, last_day) if one in year.soft_deleted]  # type: ignore[attr-defined]  # noqa: SLF001 -- the space by its word
    sample = year.chance.sample(sorted(year.soft_deleted), min(2, len(year.soft_deleted)))
    for one in dict.fromkeys((*ending, *sample)):
        user, unique = year.soft_deleted[one]
        found = memory.at(user=user).recall(unique, threshold=0, limit=20)
        if any(hit.id == one for hit in found):
            year.faults.append(f"{one} was recalled though soft-deleted")
        kept = store.memory("default", one)
        if kept is not None and kept.purge_at is not None and kept.purge_at - year.now <= timedelta(days=1):
            memory.at(user=user).restore(one)
            back = store.memory("default", one)
            if back is None or back.state is not State.ACTIVE:
                year.faults.append(f"{one} could not be restored on its last day")
            year.restored += 1
            del year.soft_deleted[one]


def live(year: Year, days: int, path: Path) -> None:
    """The whole year, and what must hold at its end."""
    config = Config(memory=MemoryTable(auto_gc=False, max_entries=CAP), lifecycle=Lifecycle(compact_after_days=90))
    with wellkept.open(path, config=config, clock=lambda: year.now, embedder="none", worker="off") as memory:
        # A simulated year need not outlive a power cut.
        memory.engine.store._db.driver.run("PRAGMA synchronous = OFF", {})  # type: ignore[attr-defined]  # noqa: SLF001 -- the space by its word
        for number in range(days):
            year.now = BEGIN + timedelta(days=number)
            day(year, memory)
            year.now += timedelta(hours=16)
            night(year, memory)
            if number % 30 == 29:
                told = ", ".join(f"{amount} {state}" for state, amount in year.counts[-1].items())
                print(f"day {number + 1:3}: {told}", flush=True)
        memory.upkeep.run(["scrub"])
        store = memory.engine.store
        for user in range(year.users):
            living = store.memories(Unexpired(scope=("default", "user", f"user{user}"), now=year.now, more_than=CAP))  # type: ignore[arg-type]  # the space by its word
            if living:
                year.faults.append(f"user{user} has {len(living)} live memories, the cap is {CAP}")
        year.faults += [f"chain broken: {one}" for one in store.verify("default")]
        content = b"".join(chunk for file in store.files() for chunk in chunks(file))
        left = [unique for unique in year.purged if unique.encode() in content]
        year.faults += [f"{unique} was purged and is still in the files" for unique in left]
        year.faults += _growth([sum(one.values()) for one in year.counts])
        kept = [unique for _, unique in year.soft_deleted.values()]
        if kept and not any(unique.encode() in content for unique in kept):
            year.faults.append("the search of the files finds nothing at all")


def _growth(totals: Sequence[int]) -> list[str]:
    """After what is kept longest has been removed for the first time, the store must not grow any more."""
    if len(totals) < GROWN_UP + 60:
        return []
    settled, later = max(totals[GROWN_UP - 60 : GROWN_UP]), max(totals[-60:])
    return [f"the store grew from {settled} to {later}"] if later > 1.1 * settled else []


def picture(counts: Sequence[Mapping[State, int]], rows: int = 12, columns: int = 72) -> str:
    """Memories by state over time, for a terminal."""
    marks = {"active": "#", "soft_deleted": "~", "archived": ".", "superseded": "+"}
    top = max(max(one.values(), default=1) for one in counts)
    grid = [[" "] * columns for _ in range(rows)]
    for state, mark in marks.items():
        for column in range(columns):
            number = counts[column * (len(counts) - 1) // max(columns - 1, 1)].get(State(state), 0)
            if number:
                grid[rows - 1 - min(number * (rows - 1) // top, rows - 1)][column] = mark
    legend = "   ".join(f"{mark} {state}" for state, mark in marks.items())
    return "\n".join([f"{top:>7} |" + "".join(grid[0]), *(" " * 8 + "|" + "".join(line) for line in grid[1:]), legend])


def svg(counts: Sequence[Mapping[State, int]]) -> str:
    """The same as a drawing."""
    top = max(max(one.values(), default=1) for one in counts)
    lines = []
    for state, colour in COLOURS.items():
        points = " ".join(
            f"{60 + number * (WIDTH - 80) / max(len(counts) - 1, 1):.1f},"
            f"{HEIGHT - 30 - one.get(State(state), 0) * (HEIGHT - 60) / top:.1f}"
            for number, one in enumerate(counts)
        )
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{points}"/>')
    legend = "".join(
        f'<text x="{70 + number * 130}" y="18" fill="{colour}">{state}</text>'
        for number, (state, colour) in enumerate(COLOURS.items())
    )
    axes = (
        f'<path d="M60 25V{HEIGHT - 30}H{WIDTH - 20}" stroke="#444" fill="none"/>'
        f'<text x="8" y="35">{top}</text><text x="{WIDTH - 90}" y="{HEIGHT - 8}">day {len(counts)}</text>'
    )
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{axes}{legend}{"".join(lines)}</svg>\n'


def main() -> int:
    """Live a year and show it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    year = Year(users=options.users, chance=random.Random(options.seed))
    with tempfile.TemporaryDirectory(prefix="wellkept-year-") as folder:
        live(year, options.days, Path(folder) / "memory.db")
    if options.svg is not None:
        options.svg.write_text(svg(year.counts), encoding="utf-8")
    print(picture(year.counts))
    last = sum(year.counts[-1].values())
    print(f"{year.told} told, {last} kept, {len(year.purged)} purged, {year.restored} restored on their last day")
    print(f"{len(year.faults)} faults" + (f", such as: {year.faults[0]}" if year.faults else ""))
    return int(bool(year.faults))


if __name__ == "__main__":
    sys.exit(main())
