"""Kill storm: a writer is killed at random moments, and what it left must be all or nothing of every write.

    python bench/kill.py [--kills 200] [--seed 1] [--broken] [--postgres]

A child writes memories and says on a pipe what was acknowledged; in shared memory it says where it is. The parent kills
it, opens the store again and looks: nothing acknowledged is lost, and row, version, words, vector, edges and ledger
belong together. `--broken` runs the same over stores that are broken on purpose; there it must find faults.
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
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from bench.postgres_server import Server
from wellkept.policies.words import term_counts
from wellkept.store.contract import Change, Entry, Store
from wellkept.store.opening import open_store
from wellkept.types import Edge, Memory
from wellkept.vocabulary import EdgeKind, Kind, Space, State

Opener = Callable[[str], Store]
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
MODEL = "kill@1"
PHASES = ("starting", "between", "deciding", "writing", "committing")
"""What the child says of itself. From `deciding` to `committing` a transaction is open."""
OPEN = {"deciding", "writing", "committing"}
OWNERS = ("alice", "bob", "carol")
FAULTS_MAX = 10
EARLY = 0.1


@dataclass(frozen=True, kw_only=True)
class Report:
    """What a storm found."""

    kills: int
    landed: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    faults: tuple[str, ...] = ()

    @property
    def inside(self) -> float:
        """Share of the kills that hit an open transaction."""
        return sum(self.landed[phase] for phase in OPEN) / max(self.kills, 1)


def open_shipped(path: str) -> Store:
    """The store that is shipped."""
    return open_store(path)


def open_torn(path: str) -> Store:
    """Broken on purpose: every statement commits by itself, so that a row can stand without its ledger."""
    store = open_shipped(path)

    @contextmanager
    def no_transaction() -> Iterator[None]:
        yield

    store.transaction = no_transaction  # type: ignore[method-assign]  # broken on purpose
    return store


def open_hasty(path: str) -> Store:
    """Broken on purpose: answers before the commit, and commits only every eighth write."""
    store = open_shipped(path)
    driver = store._db.driver  # type: ignore[attr-defined]  # noqa: SLF001 -- fields of the record
    count = 0

    @contextmanager
    def now_and_then() -> Iterator[None]:
        nonlocal count
        if driver._session.depth == 0:  # noqa: SLF001 -- broken on purpose
            driver.run("BEGIN IMMEDIATE", {})
            driver._session.depth = 1  # noqa: SLF001 -- broken on purpose
        yield
        count += 1
        if count % 8 == 0:
            driver.run("COMMIT", {})
            driver._session.depth = 0  # noqa: SLF001 -- broken on purpose

    store.transaction = now_and_then  # type: ignore[method-assign]  # broken on purpose
    return store


# --- the child ---


class Child:
    """Writes memories until it is killed."""

    def __init__(self, store: Store, shared: mmap.mmap, seed: int) -> None:
        self.store = store
        self._shared = shared
        self._random = random.Random(seed)
        self._live: dict[str, Memory] = {}

    def phase(self, name: str) -> None:
        self._shared[0] = PHASES.index(name)

    def run(self, start: int) -> None:
        number = start
        while True:
            number += 1
            self.phase("between")
            line = self._one(number)
            os.write(1, f"{line}\n".encode())

    def _one(self, number: int) -> str:
        with self.store.transaction():
            self.phase("deciding")
            changes = self._changes(number)
            self.phase("writing")
            self.store.apply(changes, at=NOW)
            self.phase("committing")
        written = [change.memory for change in changes]
        self._live |= {memory.owner: memory for memory in written if memory.state == "active"}
        return " ".join(f"{memory.id}@{memory.version}" for memory in written)

    def _changes(self, number: int) -> list[Any]:
        """Now a new memory, now another text, now one that takes another's place."""
        owner = self._random.choice(OWNERS)
        live = self._live.get(owner)
        if live is not None and number % 3 == 0:
            memory = replace(live, version=live.version + 1, content=f"{owner} wrote {number} again.")
            return [self._change(memory, "update", is_text_changed=True)]
        memory = self._new(owner, number)
        if live is not None and number % 3 == 1:
            over = replace(live, version=live.version + 1, state=State.SUPERSEDED, superseded_by=memory.id)
            entry = Entry(op="update", memory_id=over.id, version=over.version, actor=owner)
            edge = Edge(kind=EdgeKind.SUPERSEDES, src=memory.id, dst=over.id)
            return [Change(memory=over, entry=entry), self._change(memory, "create", is_new=True, edges=(edge,))]
        return [self._change(memory, "create", is_new=True)]

    def _new(self, owner: str, number: int) -> Memory:
        memory_id = self.store.next_id("t", Space.USER, owner, Kind.SEMANTIC)
        return Memory(
            id=memory_id,
            tenant="t",
            content=f"{owner} wrote number {number}.",
            space=Space.USER,
            owner=owner,
            subject_person_ids=(f"p_{owner}",),
            stated_by=f"p_{owner}",
            entity_refs=(f"person:{owner}",),
            memory_key="profile|person|x|fact",
            discriminator=memory_id,
            created_at=NOW,
            observed_at=NOW,
            updated_at=NOW,
        )

    def _change(self, memory: Memory, op: Any, **fields: Any) -> Any:  # noqa: ANN401 -- fields of the record

        entry = Entry(op=op, memory_id=memory.id, version=memory.version, actor=memory.owner)
        vectors = np.full((1, 32), 0.25, dtype=np.float32)
        return Change(
            memory=memory, entry=entry, terms=term_counts(memory.content), vectors=vectors, model=MODEL, **fields
        )


def child(store_factory: Opener, url: str, shared: mmap.mmap, seed: int) -> None:
    """The writing process; never returns. A broken store may fail by itself: that is an end like any other."""
    try:
        Child(store_factory(url), shared, seed).run(seed * 1_000_000)
    finally:
        os._exit(3)


# --- the parent ---


def run(
    kills: int,
    *,
    url: str | None = None,
    store_factory: Opener = open_shipped,
    seed: int = 1,
    say: Callable[[str], None] = print,
) -> Report:
    """Kill a writer so many times over one store, and look after each; stops at ten faults.

    `url` is the address of an empty store; without one a file is made.
    """
    chance = random.Random(seed)
    landed: Counter[str] = Counter()
    acknowledged = done = 0
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        place = url or str(Path(folder) / "memory.db")
        open_shipped(place).close()
        while done < kills and len(faults) < FAULTS_MAX:
            lines, phase = _kill_one(store_factory, place, seed * 100_000 + done, chance)
            landed[phase] += 1
            acknowledged += len(lines)
            faults += [f"kill {done} while {phase}: {fault}" for fault in look(place, lines)]
            done += 1
            if done % 50 == 0:
                say(f"{done} kills, {acknowledged} acknowledged writes, {len(faults)} faults")
    return Report(kills=done, landed=landed, acknowledged=acknowledged, faults=tuple(faults))


def _kill_one(store_factory: Opener, url: str, seed: int, chance: random.Random) -> tuple[list[str], str]:
    """Start a writer, let it write for a while, kill it; what it acknowledged, and where it was."""
    reading, writing = os.pipe()
    with mmap.mmap(-1, 16) as shared:
        # A fork starts in a millisecond; no connection is open in the parent now.
        process = os.fork()
        if process == 0:
            os.close(reading)
            os.dup2(writing, 1)
            child(store_factory, url, shared, seed)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            # Most are killed amid writes, some while the store is being opened.
            first = pipe.readline() if chance.random() > EARLY else b""
            time.sleep(chance.uniform(0.0, 0.06))
            os.kill(process, signal.SIGKILL)
            rest = pipe.read()
        os.waitpid(process, 0)
        phase = PHASES[shared[0]]
    # A line that was cut is a write whose answer never arrived.
    return [line for line in (first + rest).decode().split("\n")[:-1] if line], phase


def look(url: str, lines: list[str]) -> list[str]:
    """Faults of the store after a kill."""
    store = open_shipped(url)
    try:
        rows = store._db.driver.rows  # type: ignore[attr-defined]  # noqa: SLF001 -- the tables themselves are looked at
        faults: list[str] = []
        if store.url.startswith("sqlite"):
            faults += [f"integrity: {row[0]}" for row in rows("PRAGMA integrity_check", {}) if row[0] != "ok"]
            faults += [f"foreign key: {row}" for row in rows("PRAGMA foreign_key_check", {})]
        faults += [f"chain of {item.owner}: {item.fault} at {item.seq}" for item in store.verify("t")]
        faults += [f"{len(found)} x {name}" for name, sql in PARTIAL.items() if (found := rows(sql, {}))]
        faults += _lost(rows, lines)
        return faults
    finally:
        store.close()


def _lost(rows: Any, lines: list[str]) -> list[str]:  # noqa: ANN401 -- fields of the record
    """Acknowledged writes that are not there."""
    stored = {row[0]: row[1] for row in rows("SELECT id, version FROM memories", {})}
    recorded = set(rows("SELECT memory_id, version FROM ledger", {}))
    lost = []
    for line in lines:
        for said in line.split():
            memory_id, version = said.split("@")
            if stored.get(memory_id, 0) < int(version) or (memory_id, int(version)) not in recorded:
                lost.append(f"lost: {said}")
    return lost


PARTIAL = {
    "memory without its text": "SELECT id FROM memories m WHERE NOT EXISTS (SELECT 1 FROM versions v "
    "WHERE v.tenant = m.tenant AND v.scope = m.scope AND v.num = m.num AND v.version = m.text_version)",
    "text without its memory": "SELECT num FROM versions v WHERE NOT EXISTS (SELECT 1 FROM memories m "
    "WHERE m.tenant = v.tenant AND m.scope = v.scope AND m.num = v.num AND m.version >= v.version)",
    "version without a ledger row": "SELECT id FROM memories m WHERE NOT EXISTS (SELECT 1 FROM ledger l "
    "WHERE l.tenant = m.tenant AND l.memory_id = m.id AND l.version = m.version)",
    "ledger row without its version": "SELECT seq FROM ledger l WHERE NOT EXISTS (SELECT 1 FROM memories m "
    "WHERE m.tenant = l.tenant AND m.id = l.memory_id AND m.version >= l.version)",
    "memory whose words are not in the index": "SELECT id FROM memories m WHERE m.words = 0 OR m.words <> "
    "(SELECT COALESCE(SUM(p.tf), 0) FROM postings p WHERE p.tenant = m.tenant AND p.scope = m.scope AND p.num = m.num)",
    "words without a memory": "SELECT num FROM postings p WHERE NOT EXISTS (SELECT 1 FROM memories m "
    "WHERE m.tenant = p.tenant AND m.scope = p.scope AND m.num = p.num)",
    "memory without its vector": "SELECT id FROM memories m WHERE m.embedded_model <> 'kill@1' OR 1 <> "
    "(SELECT COUNT(*) FROM vectors v WHERE v.tenant = m.tenant AND v.scope = m.scope AND v.num = m.num)",
    "memory without its edges": "SELECT id FROM memories m WHERE 2 <> (SELECT COUNT(*) FROM edges e "
    "WHERE e.tenant = m.tenant AND e.kind IN ('ABOUT', 'STATED_BY') AND e.src = m.id)",
    "superseded memory without its superseder": "SELECT id FROM memories m WHERE m.state = 'superseded' AND NOT EXISTS "
    "(SELECT 1 FROM edges e JOIN memories n ON n.tenant = e.tenant AND n.id = e.src "
    "WHERE e.tenant = m.tenant AND e.kind = 'SUPERSEDES' AND e.dst = m.id AND e.src = m.superseded_by)",
    "scope that counts wrong": "SELECT scope FROM scopes s WHERE s.last_num <> (SELECT COUNT(*) FROM memories m "
    "WHERE m.tenant = s.tenant AND m.scope = s.scope) OR s.ledger_seq <> (SELECT COUNT(*) FROM ledger l "
    "WHERE l.tenant = s.tenant AND l.scope = s.scope)",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broken", action="store_true", help="the negative control: must find faults")
    parser.add_argument("--postgres", action="store_true", help="on a server of its own")
    given = parser.parse_args()
    if not given.postgres:
        return storm(given.kills, seed=given.seed, is_broken=given.broken)
    server = Server().create().start()
    try:
        print(server.versions())
        return storm(given.kills, seed=given.seed, is_broken=given.broken, url=server.url())
    finally:
        server.remove()


def storm(kills: int, *, seed: int, is_broken: bool, url: str | None = None) -> int:
    """Run, tell, and say by the exit status whether it went as it must."""
    factories = ((open_torn,) if url else (open_torn, open_hasty)) if is_broken else (open_shipped,)
    is_good = True
    for factory in factories:
        start = time.perf_counter()
        report = run(kills, url=url, store_factory=factory, seed=seed)
        took = time.perf_counter() - start
        print(f"{factory.__name__}: {report.kills} kills in {took:.0f} s, {report.acknowledged} acknowledged writes")
        print("landed: " + ", ".join(f"{phase} {report.landed[phase]}" for phase in PHASES))
        print(f"inside an open transaction: {report.inside:.0%}")
        bound = "" if report.faults else f"; 95 % sure that fewer than {3 / report.kills:.2%} of kills do harm"
        print(f"faults: {len(report.faults)}{bound}")
        for fault in report.faults[:10]:
            print(f"  {fault}")
        is_good = is_good and bool(report.faults) == is_broken
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
