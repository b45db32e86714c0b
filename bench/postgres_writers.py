"""Writers of one tenant for different users on PostgreSQL: writes a second, and lock waits for somebody else's scope.

    python bench/postgres_writers.py [--seconds 5] [--writers 1 4 16 32] [--control]

Each writer is a process with a user of its own. `store` writes memories by `Store.write_in`; `plain` writes the same
rows by the same statements in a transaction of psycopg, without locks, reads or a store around it: what the server and
the machine can do at all. `remember` is the whole path with the judge of rules. Waits are counted from the server's
log, which tells every wait of a millisecond with its holder. `--control` writes in transactions that lock the whole
tenant: there must be waits.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg

import wellkept
from bench.postgres_server import Server
from wellkept.config import Config, MemoryTable
from wellkept.judges.english import RulesJudge
from wellkept.store.catalogue import catalogue
from wellkept.store.driver import Database
from wellkept.store.opening import open_store
from wellkept.store.postgres.session import Adapters, native
from wellkept.testing.world import NOW, World
from wellkept.vocabulary import Space

TENANT, PLAIN = "t", "plain"
QUIET = Config(memory=MemoryTable(auto_gc=False))
LOGGED = {"log_lock_waits": "on", "deadlock_timeout": "1ms", "log_connections": "on", "log_line_prefix": "%p %a|"}
SAMPLED = "m_sample1"
TEXT = "The teapot of {} is number {} on the shelf."
_NAMED = re.compile(r"^(\d+) .*connection authorized:.*application_name=(\S+)", re.MULTILINE)
_WAIT = re.compile(
    r"^(\d+) [^|]*\|LOG:  process \d+ still waiting for \w+ on (.*?) after .*\n"
    r".*DETAIL:  Process(?:es)? holding the lock: ([\d, ]+)\.",
    re.MULTILINE,
)


def as_writer(url: str, number: int) -> str:
    """The address, with the writer's name for the log."""
    return f"{url}&application_name=w{number}"


def by_store(url: str, number: int, *, is_control: bool = False) -> Callable[[int], None]:
    """Writes a memory of its own user through the store."""
    store = open_store(as_writer(url, number))
    world, owner = World(store), f"user{number}"

    def write(count: int) -> None:
        own = f"m_{number}x{time.monotonic_ns():x}"
        memory = world.draft(TEXT.format(owner, count), id=own, discriminator=own, scope=(Space.USER, owner))

        def work() -> None:
            store.apply([world.change(memory, is_new=True)], at=NOW, is_apart=False)

        if is_control:
            with store.transaction():
                work()
        else:
            store.write_in(TENANT, [(Space.USER, owner)], work)

    return write


def by_remember(url: str, number: int) -> Callable[[int], None]:
    """Tells the whole system something, as its own user."""
    memory = wellkept.open(as_writer(url, number), config=QUIET, judge=RulesJudge(), embedder="none", worker="off")
    at = memory.at(user=f"user{number}")
    return lambda count: at.remember(f"My favorite number is {count}") and None


def captured(url: str) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """The statements with which the store writes one memory, and their rows."""
    store = open_store(url)
    world, found = World(store), []
    run, run_many = Database.run, Database.run_many

    def noting(self: Database, name: str, rows: Any) -> Any:  # noqa: ANN401 -- as it is
        found.append((catalogue()[name], [rows] if isinstance(rows, Mapping) else list(rows)))
        return (run if isinstance(rows, Mapping) else run_many)(self, name, rows)

    for count in range(2):
        found.clear()
        own = f"m_sample{count}"
        memory = world.draft(TEXT.format("plain", count), id=own, discriminator=own, scope=(Space.USER, "plain"))
        Database.run = Database.run_many = noting  # type: ignore[method-assign,assignment]  # what is written is noted
        try:
            store.apply([world.change(memory, is_new=True)], at=NOW)
        finally:
            Database.run, Database.run_many = run, run_many  # type: ignore[method-assign]  # the same
    store.close()
    return [(sql, rows) for sql, rows in found if rows]


def by_hand(
    url: str, number: int, *, sample: list[tuple[str, list[Mapping[str, Any]]]], began: int
) -> Callable[[int], None]:
    """The same rows in a plain transaction, in a scope that nobody else has."""
    adapters = Adapters()
    with psycopg.connect(url, autocommit=True) as asked:
        row = asked.execute("SELECT 'halfvec'::regtype::oid").fetchone()
        assert row is not None
        adapters.know_halves(row[0])
    connection = psycopg.connect(as_writer(url, number), context=adapters, autocommit=True)
    connection.prepare_threshold = 2
    scope = 1_000_000 + began * 1_000 + number
    connection.execute(
        "INSERT INTO scopes (tenant, scope, space, owner) VALUES (%s, %s, 'user', %s)", [PLAIN, scope, f"p{scope}"]
    )
    sql = [(native(text), rows) for text, rows in sample]

    def renewed(row: Mapping[str, Any], count: int) -> dict[str, Any]:
        memory_id = f"m_{number}p{began}x{count}"
        new = {name: memory_id if isinstance(value, str) and value == SAMPLED else value for name, value in row.items()}
        places = dict.fromkeys(("num", "seq", "last_num", "ledger_seq", "rev"), count + 1)
        places |= {"tenant": PLAIN, "scope": scope, "discriminator": memory_id, "owner": f"p{scope}"}
        return new | {name: place for name, place in places.items() if name in row}

    def write(count: int) -> None:
        with connection.transaction():
            for statement, rows in sql:
                with psycopg.RawCursor(connection) as cursor:
                    for row in rows:
                        cursor.execute(statement.text, statement.values(renewed(row, count)), binary=True)

    return write


def work(make: Callable[[str, int], Callable[[int], None]], url: str, number: int, seconds: float) -> int:
    """How many writes one writer made."""
    write, count = make(url, number), 0
    write(0)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        count += 1
        write(count)
    return count


def rate(make: Callable[[str, int], Callable[[int], None]], url: str, writers: int, seconds: float) -> float:
    """Writes a second of so many writers."""
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload(["bench.postgres_writers"])
    with forking.Pool(writers) as pool:
        done = pool.starmap(work, [(make, url, number, seconds) for number in range(writers)], chunksize=1)
    return sum(done) / seconds if seconds else 0.0


def waits(log: Path, since: int) -> Counter[str]:
    """Waits for a lock that another writer held, by what was locked."""
    text = log.read_text(encoding="utf-8", errors="replace")
    names = dict(_NAMED.findall(text))
    found: Counter[str] = Counter()
    for pid, what, holders in _WAIT.findall(text[since:]):
        others = {names.get(holder.strip()) for holder in holders.split(",")} - {names.get(pid)}
        if others:
            found[re.sub(r"\[.*\]|\(.*\)|\d+", "", what).strip()] += 1
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--writers", type=int, nargs="*", default=[1, 4, 16, 32])
    parser.add_argument("--control", action="store_true")
    given = parser.parse_args()
    server = Server().create(**LOGGED).start()
    try:
        print(server.versions())
        server.execute("CREATE EXTENSION vector")
        sample = captured(server.url())
        print(f"{sum(len(rows) for _, rows in sample)} statements that write a memory")
        return measure(server, sample, given)
    finally:
        server.remove()


def measure(server: Server, sample: list[tuple[str, list[Mapping[str, Any]]]], given: argparse.Namespace) -> int:
    """Print and judge."""
    total: Counter[str] = Counter()
    make = functools.partial(by_store, is_control=given.control)
    for began, writers in enumerate(given.writers):
        # Scopes are counted when they are made, which is of the whole tenant: here they are there already.
        rate(by_remember, server.url(), writers, 0)
        rate(make, server.url(), writers, 0)
        size = (server.folder / "log").stat().st_size
        remembered = rate(by_remember, server.url(), writers, given.seconds)
        stored = rate(make, server.url(), writers, given.seconds)
        found = waits(server.folder / "log", size)
        plain = rate(functools.partial(by_hand, sample=sample, began=began), server.url(), writers, given.seconds)
        total += found
        print(
            f"{writers:3} writers: remember {remembered:6.0f}, store {stored:6.0f}, plain {plain:6.0f} a second; "
            f"store to plain {stored / plain:.2f}; waits for others' locks: {dict(found) or 'none'}"
        )
    store = open_store(server.url())
    broken = [fault for tenant in store.tenants() if tenant != PLAIN for fault in store.verify(tenant)]
    store.close()
    # Adding a page to a table's file is a matter of the server, whoever writes.
    ours = {what: count for what, count in total.items() if not what.startswith("extension of relation")}
    print(f"waits for a lock of another scope: {sum(ours.values())}; broken chains: {len(broken)}")
    return int(bool(broken) or bool(ours) is not given.control)


if __name__ == "__main__":
    sys.exit(main())
