"""Crashes of PostgreSQL under writers: servers stopped, backends killed, standbys promoted; what was said stays true.

    python bench/postgres_faults.py crash [--rounds 10]
    python bench/postgres_faults.py failover [--rounds 20] [--asynchronous]

`crash`: pg_ctl stop -m immediate and kill -9 of a backend, in turn. `failover`: a primary with a synchronous standby is
killed and the standby takes over; with an asynchronous one, the control, some acknowledged writes must be lost.
Writers say what was acknowledged, and of the rest what they were told. Afterwards: everything acknowledged is there;
nothing that was said to be unwritten is there; row, version, words, vector, edges and ledger belong together.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import kill
from bench.postgres_server import Server
from wellkept.errors import CommitUnknown, StoreError
from wellkept.store.opening import open_store
from wellkept.testing.world import NOW, World

WRITERS = 4


@dataclass(kw_only=True)
class Told:
    """What writers were told of their writes, by id."""

    acknowledged: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def write(url: str, number: int, told: Told, stop: threading.Event) -> None:
    """Write one memory after the other under ids of one's own, through every failure, until told to stop."""
    store, count = open_store(url), 0
    world = World(store)
    while not stop.is_set():
        count += 1
        memory_id = f"m_{number}x{time.monotonic_ns():x}"
        memory = world.draft(
            f"Writer {number} said {count}.", id=memory_id, discriminator=memory_id, tenant=f"t{number}"
        )
        try:
            store.apply([world.change(memory, is_new=True)], at=NOW)
            told.acknowledged.append(memory_id)
        except CommitUnknown:
            told.unknown.append(memory_id)
        except StoreError:
            told.refused.append(memory_id)
            time.sleep(0.05)
    store.close()


def look(url: str, told: Told) -> tuple[int, int, list[str]]:
    """(acknowledged writes that are lost, refused ones that are there, faults of the store)."""
    store = open_store(url)
    rows = store._db.driver.rows  # type: ignore[attr-defined]  # noqa: SLF001 -- the tables themselves
    there = {row[0] for row in rows("SELECT id FROM memories", {})}
    faults = [
        f"{len(found)} x {name}"
        for name, sql in kill.PARTIAL.items()
        if name not in ("memory without its vector", "memory without its edges") and (found := rows(sql, {}))
    ]
    faults += [f"chain of t{number}" for number in range(WRITERS) if list(store.verify(f"t{number}"))]
    store.close()
    lost = [memory_id for memory_id in told.acknowledged if memory_id not in there]
    ghosts = [memory_id for memory_id in told.refused if memory_id in there]
    return len(lost), len(ghosts), faults


@contextlib.contextmanager
def writing(url: str, told: Told) -> Iterator[None]:
    """Writers at work."""
    stop = threading.Event()
    threads = [threading.Thread(target=write, args=(url, number, told, stop)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def crash(rounds: int) -> int:
    """Stop the server as a crash does, and kill backends, under writers."""
    server, told, chance = Server().create().start(), Told(), random.Random(1)
    try:
        print(server.versions())
        server.execute("CREATE EXTENSION vector")
        open_store(server.url()).close()
        with writing(server.url(), told):
            for number in range(rounds):
                time.sleep(chance.uniform(0.3, 1.0))
                if number % 2:
                    server.stop("immediate")
                    server.start()
                else:
                    kill_backend(server)
                time.sleep(0.7)
        lost, ghosts, faults = look(server.url(), told)
    finally:
        server.remove()
    print(
        f"{rounds} crashes: {len(told.acknowledged)} acknowledged, {len(told.refused)} refused, "
        f"{len(told.unknown)} unknown; {lost} lost, {ghosts} refused and yet written, faults: {faults or 'none'}"
    )
    return int(bool(lost or ghosts or faults or not told.acknowledged))


def kill_backend(server: Server) -> None:
    """SIGKILL to one of the writers' backends: the server restarts all of them."""
    with contextlib.suppress(Exception):
        rows = server.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = 'postgres' AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend' ORDER BY state LIMIT 1"
        )
        for (pid,) in rows:
            os.kill(int(str(pid)), signal.SIGKILL)


def failover(rounds: int, *, is_synchronous: bool) -> int:
    """Kill the primary under writers, promote the standby, look; again and again."""
    lost = ghosts = acknowledged = unknown = 0
    faults: list[str] = []
    for number in range(rounds):
        told, (one, two, three) = fail_over_once(number, is_synchronous=is_synchronous)
        lost, ghosts, faults = lost + one, ghosts + two, faults + three
        acknowledged, unknown = acknowledged + len(told.acknowledged), unknown + len(told.unknown)
        print(f"failover {number + 1}: {len(told.acknowledged)} acknowledged, {one} lost", flush=True)
    kind = "synchronous" if is_synchronous else "asynchronous"
    print(
        f"{rounds} failovers with a {kind} standby: {acknowledged} acknowledged, {lost} lost, {unknown} unknown, "
        f"{ghosts} refused and yet written, faults: {faults or 'none'}"
    )
    return int(bool(lost or faults) if is_synchronous else not lost)


def fail_over_once(number: int, *, is_synchronous: bool) -> tuple[Told, tuple[int, int, list[str]]]:
    """One primary, one standby, one death."""
    settings = {"synchronous_standby_names": "follower", "synchronous_commit": "on"} if is_synchronous else {}
    primary = Server().create(wal_level="replica", max_wal_senders="4", hot_standby="on").start()
    primary.execute("CREATE EXTENSION vector")
    open_store(primary.url()).close()
    standby = primary.standby("follower").start()
    told, chance = Told(), random.Random(number)
    # Whoever connects tries the primary first, and then whoever has taken over.
    url = f"postgresql://postgres@/postgres?host={primary.folder},{standby.folder}&target_session_attrs=read-write"
    try:
        while not primary.execute("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'"):
            time.sleep(0.05)
        if settings:
            primary.configure(**settings)
            primary.reload()
        else:
            # What a slow line does: the standby lags behind.
            standby.execute("SELECT pg_wal_replay_pause()")
            primary.execute("ALTER SYSTEM SET wal_writer_delay = '2s'")
        with writing(url, told):
            time.sleep(chance.uniform(0.8, 1.4))
            if not is_synchronous:
                pid = primary.execute("SELECT pid FROM pg_stat_replication")[0][0]
                os.kill(int(str(pid)), signal.SIGSTOP)
                time.sleep(0.3)
            primary.kill()
            time.sleep(0.2)
            standby.promote()
            time.sleep(1.0)
        return told, look(standby.url(), told)
    finally:
        standby.remove()
        primary.remove()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["crash", "failover"])
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--asynchronous", action="store_true")
    given = parser.parse_args()
    if given.what == "crash":
        return crash(given.rounds or 10)
    return failover(given.rounds or 20, is_synchronous=not given.asynchronous)


if __name__ == "__main__":
    sys.exit(main())
