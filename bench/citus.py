"""The store on a Citus cluster: conformance, equal answers, one shard a statement, a new worker and a lost one.

    python bench/citus.py URL [--admin URL] [--third HOST:PORT] [--kill COMMAND --start COMMAND] [--skip conformance]

URL is an empty database of a coordinator with at least two workers, as its owner; `--admin` is the same as a superuser,
for what only that may do. `--third` is a worker with the extensions that is not in the cluster yet. `--kill` and
`--start` are commands that kill a worker and start it again; `--victim HOST:PORT` says which.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg

import wellkept
from bench.postgres_server import CARELESS, Server
from wellkept.config import Config, MemoryTable
from wellkept.errors import CommitUnknown, StoreError
from wellkept.judges.english import RulesJudge
from wellkept.store.contract import NewestRows
from wellkept.store.driver import Database
from wellkept.store.opening import describe, distribute, open_store
from wellkept.store.postgres.citus import LISTING_TENANTS
from wellkept.store.tables import POSTGRES, table_names
from wellkept.testing.conformance import conformance
from wellkept.testing.world import NOW, World
from wellkept.types import as_json

SHARDS = 8
STORES = 3
"""Schemas that the conformance suite is given in turn."""
TENANTS = ("acme", "zenith", "harbor", "quarry")
WRITERS = 8
PAUSE_SECONDS = 0.25
"""Between two writes of a tenant: all servers of the cluster, and the writers, may share one small machine."""
QUIET = Config(memory=MemoryTable(auto_gc=False))
SAID = (
    "My sister Lena lives in Bergen and loves oboes",
    "My favorite color is blue",
    "My favorite color is green",
    "I moved to Ghent last week",
    "My wife Sarah likes Italian food",
    "Remember that I am allergic to nuts",
    "I no longer like coffee",
)
ASKED = ("Where does Lena live?", "What is my favorite color?", "Who is my wife?", "What can I not eat?")


def schema_url(url: str, name: str) -> str:
    """The same database, another schema."""
    return f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{name}%2Cpublic"


def stores(url: str) -> Callable[[], Any]:
    """Gives stores that are distributed and empty, a few in turn: to make one takes a quarter of a minute."""
    urls = [schema_url(url, f"bench_{number}") for number in range(STORES)]
    for number, one in enumerate(urls):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS bench_{number}".encode())
        open_store(one).close()
        distribute(one, SHARDS)
    turns = count()

    def new() -> Any:  # noqa: ANN401 -- a store
        one = urls[next(turns) % STORES]
        with psycopg.connect(one, autocommit=True) as connection:
            for table in reversed(table_names(POSTGRES)):
                connection.execute(f"DELETE FROM {table}".encode())  # noqa: S608 -- names of the schema
        return open_store(one)

    return new


class Clock:
    """A minute later each time it is looked at."""

    def __init__(self) -> None:
        self._now = datetime(2026, 3, 1, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        """See the class."""
        self._now += timedelta(minutes=1)
        return self._now


def live(url: str) -> list[Any]:
    """A day of several tenants; everything that was answered."""
    told: list[Any] = []
    clock = Clock()
    with wellkept.open(url, config=QUIET, clock=clock, judge=RulesJudge(), embedder="none", worker="off") as memory:
        for tenant in TENANTS:
            for user in ("ana", "ben"):
                at = memory.at(user=user, tenant=tenant, chat="c", chat_type="group", participants=["ana", "ben"])
                told += [as_json(at.remember(text)) for text in SAID]
                at.observe([{"content": "I bought a red canoe"}, {"role": "assistant", "content": "Nice."}], wait=True)
                told += [as_json(at.recall(asked)) for asked in ASKED]
                told += [as_json(at.query(ASKED[0])), as_json(at.list()), as_json(at.people())]
            told.append([as_json(one) for one in memory.engine.store.ledger(NewestRows(tenant=tenant, limit=500))])
            told.append(list(memory.engine.store.verify(tenant)))
        session = memory.governed(session="s", user="ana")
        session.record(user="My aunt is Ida", ai="Noted.")
        told.append(as_json(session.recall("Who is Ida?")))
        told.append(as_json(memory.upkeep.erase("ben", tenant=TENANTS[0]).status))
    return told


def equal(url: str, admin: str) -> tuple[int, int, int, int]:
    """(answers, those that differ from plain PostgreSQL, statements on several shards, those that list tenants)."""
    server = Server().create(**CARELESS).start()
    try:
        print(f"plain: {server.versions()}")
        server.execute("CREATE EXTENSION vector")
        plain = live(server.url())
    finally:
        server.remove()
    with counted(admin) as several, listings() as listed:
        spread = live(url)
    differing = sum(one != other for one, other in zip(plain, spread, strict=True))
    return len(plain), differing, several[0], listed[0]


@contextlib.contextmanager
def counted(admin: str) -> Iterator[list[int]]:
    """How many statements Citus runs on several shards meanwhile, by its own count."""
    ask = "SELECT query_execution_multi_shard FROM citus_stat_counters WHERE name = current_database()"
    found = [0]
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET citus.enable_stat_counters = on")
        connection.execute("SELECT pg_reload_conf()")
        time.sleep(1)
        before = connection.execute(ask).fetchone()
        yield found
        time.sleep(1)
        after = connection.execute(ask).fetchone()
    assert before is not None
    assert after is not None
    found[0] = after[0] - before[0]


@contextlib.contextmanager
def listings() -> Iterator[list[int]]:
    """How many statements list tenants meanwhile."""
    found, whole = [0], Database.one

    def one(self: Database, name: str, parameters: Any) -> Any:  # noqa: ANN401 -- as it is
        found[0] += name in LISTING_TENANTS
        return whole(self, name, parameters)

    Database.one = one  # type: ignore[method-assign]  # what is asked is counted
    try:
        yield found
    finally:
        Database.one = whole  # type: ignore[method-assign]  # what is asked is counted


@dataclass(kw_only=True)
class Told:
    """What the writer of a tenant was told, and when."""

    tenant: str
    acknowledged: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    longest: float = 0.0
    """Seconds between two acknowledgements."""


def write(url: str, told: Told, stop: threading.Event) -> None:
    """One memory after the other; what is refused as busy is written again."""
    store = open_store(url)
    world, last = World(store), time.monotonic()
    for number in count():
        if stop.is_set():
            break
        own = f"m_{time.monotonic_ns():x}"
        memory = world.draft(f"Writer said {number}.", id=own, discriminator=own, tenant=told.tenant)
        try:
            store.apply([world.change(memory, is_new=True)], at=NOW)
            told.acknowledged.append(memory.id)
            told.longest, last = max(told.longest, time.monotonic() - last), time.monotonic()
            time.sleep(PAUSE_SECONDS)
        except CommitUnknown:
            told.unknown.append(memory.id)
        except StoreError as error:
            told.errors.append(str(error))
            time.sleep(0.05)
    store.close()


@contextlib.contextmanager
def writing(url: str, name: str) -> Iterator[list[Told]]:
    """Writers of a tenant each."""
    stop = threading.Event()
    told = [Told(tenant=f"{name}{number}") for number in range(WRITERS)]
    threads = [threading.Thread(target=write, args=(url, one, stop)) for one in told]
    for thread in threads:
        thread.start()
    try:
        time.sleep(2)
        yield told
        time.sleep(2)
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def lost(url: str, told: list[Told]) -> int:
    """Acknowledged writes that are not there, and broken chains."""
    store = open_store(url)
    missing = 0
    for one in told:
        there = {memory.id for memory in store.every(one.tenant)}
        missing += len(set(one.acknowledged) - there) + len(list(store.verify(one.tenant)))
    store.close()
    return missing


def rebalance(url: str, admin: str, third: str) -> bool:
    """A third worker takes shards over while writers write."""
    host, _, port = third.rpartition(":")
    with writing(url, "moved") as told, psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("SELECT citus_add_node(%s, %s::int)", [host, int(port)])
        begun = time.monotonic()
        connection.execute("SELECT rebalance_table_shards(shard_transfer_mode => 'force_logical')")
        seconds = time.monotonic() - begun
    layout = describe(url).layout
    assert layout is not None
    errors = [error for one in told for error in one.errors]
    missing = lost(url, told)
    written = sum(len(one.acknowledged) for one in told)
    print(f"third worker: {', '.join(f'{w.address} {w.shards}' for w in layout.workers)} shards after {seconds:.0f} s")
    print(f"  {written} writes meanwhile, {len(errors)} errors, {missing} lost; longest wait {_longest(told):.1f} s")
    for error in sorted(set(errors)):
        print(f"  {errors.count(error)} x {error}")
    return not errors and not missing and all(worker.shards for worker in layout.workers)


def _longest(told: list[Told]) -> float:
    return max((one.longest for one in told), default=0.0)


def placed_on(url: str, tenant: str) -> str:
    """The worker of a tenant."""
    ask = (
        "SELECT n.nodename || ':' || n.nodeport FROM pg_dist_placement AS p JOIN pg_dist_node AS n USING (groupid) "
        "WHERE p.shardid = get_shard_id_for_distribution_column('scopes', %s::text)"
    )
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(ask, [tenant]).fetchone()
    assert row is not None
    return str(row[0])


def kill(url: str, victim: str, commands: tuple[str, str]) -> bool:
    """A worker is killed and started again while writers write."""
    with writing(url, "kept") as told:
        subprocess.run(commands[0], shell=True, check=True)  # noqa: S602 -- the caller's own command
        time.sleep(3)
        subprocess.run(commands[1], shell=True, check=True, stdout=subprocess.DEVNULL)  # noqa: S602 -- the same
        time.sleep(3)
    concerned = [one for one in told if placed_on(url, one.tenant) == victim]
    others = [one for one in told if one not in concerned]
    missing = lost(url, told)
    for name, group in ((f"tenants of {victim}", concerned), ("all others", others)):
        written, errors = (sum(len(getattr(one, what)) for one in group) for what in ("acknowledged", "errors"))
        print(
            f"  {name}: {len(group)} tenants, {written} writes, {errors} refused as busy, "
            f"{sum(len(one.unknown) for one in group)} unknown, longest wait {_longest(group):.1f} s"
        )
        for error in sorted({error for one in group for error in one.errors}):
            print(f"    {error}")
    print(f"worker killed: {missing} acknowledged lost")
    return not missing and bool(concerned) and not any(one.errors or one.unknown for one in others)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--admin", help="the same database as a superuser")
    parser.add_argument("--third", metavar="HOST:PORT")
    parser.add_argument("--victim", metavar="HOST:PORT")
    parser.add_argument("--kill", metavar="COMMAND")
    parser.add_argument("--start", metavar="COMMAND")
    parser.add_argument("--skip", action="append", default=[], choices=["conformance", "equal"])
    given = parser.parse_args()
    results: dict[str, bool] = {}
    url, admin = schema_url(given.url, "bench"), given.admin or given.url
    with psycopg.connect(admin, autocommit=True) as connection:
        row = connection.execute("SELECT citus_version(), current_setting('server_version')").fetchone()
        print(f"{datetime.now(UTC):%Y-%m-%d}: {row}")
    with psycopg.connect(given.url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA IF NOT EXISTS bench")
    open_store(url).close()
    layout = distribute(url, SHARDS)
    print("\n".join(layout.lines), "no statement of the catalogue needs more than one shard", sep="\n")
    if "conformance" not in given.skip:
        ran = conformance(stores(given.url), lambda store: open_store(store.url))
        print(f"conformance: {ran} checks passed")
    if "equal" not in given.skip:
        answers, differing, several, listed = equal(url, admin)
        print(f"equal answers: {answers} compared with plain PostgreSQL, {differing} differ")
        print(f"statements on several shards: {several}, of them listing tenants: {listed}")
        results["equal"], results["one shard"] = not differing, several == listed
    if given.third:
        results["third worker"] = rebalance(url, admin, given.third)
    if given.kill:
        results["worker killed"] = kill(url, given.victim, (given.kill, given.start))
    print(", ".join(f"{name}: {'yes' if is_good else 'NO'}" for name, is_good in results.items()))
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
