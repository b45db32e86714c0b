"""PostgreSQL at scale: one user's recall among a thousand users, beside the embedded store with a tenth of them.

    python bench/postgres_scale.py [--memories 1000000] [--users 1000] [--recalls 200] [--folder FOLDER]

One user's memories are written through the store; the others' are copies of them under other names and people, made by
the database itself. Vectors are those of the bundled embedder, and a recall embeds its query. The same is done in a
file with a tenth of the memories and users. With a folder everything is made there once and stays; the next run with it
only measures.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg

import wellkept
from bench.postgres_server import Server
from wellkept.config import Config, MemoryTable
from wellkept.policies.words import term_counts
from wellkept.store.contract import Change, Entry, UserLink
from wellkept.store.tables import Table, tables
from wellkept.testing.world import NOW
from wellkept.types import Memory, Person
from wellkept.vocabulary import Kind, Space

TENANT, USER, PERSON = "default", "user0", "p_zero"
QUIET = Config(memory=MemoryTable(auto_gc=False))
WORDS = [
    first + second + third for first in ("zor", "quil", "vex", "mar") for second in "aeiou" for third in ("lin", "dor")
]
# What makes a copy another user's: every other column is the same.
OTHERS: Mapping[str, str] = {
    "checksum": "NULL",  # a copy is another row than the one that was summed
    "scope": "t.scope + n.k",
    "owner": "t.owner || n.k",
    "user_id": "t.user_id || n.k",
    "id": "t.id || 'x' || n.k",
    "memory_id": "t.memory_id || 'x' || n.k",
    "person_id": "t.person_id || n.k",
    "sole_subject": "t.sole_subject || n.k",
    "stated_by": "t.stated_by || n.k",
    "created_by": "t.created_by || n.k",
    "subject_person_ids": f"REPLACE(t.subject_person_ids, '{PERSON}', '{PERSON}' || n.k)",
    "src": "t.src || (CASE WHEN t.src LIKE 'm~_%' ESCAPE '~' THEN 'x' ELSE '' END) || n.k",
    "dst": "t.dst || (CASE WHEN t.dst LIKE 'm~_%' ESCAPE '~' THEN 'x' ELSE '' END) || n.k",
}
COPIED = (
    "scopes", "memories", "versions", "edges", "subjects", "postings", "vectors", "ledger", "persons", "aliases",
    "users",
)  # fmt: skip


def fill(url: str, *, memories: int, users: int) -> None:
    """One user's memories through the store, everybody else's as copies."""
    with wellkept.open(url, config=QUIET, worker="off") as memory:
        engine, chance, each = memory.engine, random.Random(11), memories // users
        store = engine.store
        store.keep(Person(id=PERSON, tenant=TENANT, name="Zero", created_by=USER, created_at=NOW))
        store.keep(UserLink(tenant=TENANT, user=USER, person_id=PERSON, display_name="Zero"))
        for start in range(0, each, 100):
            numbers = range(start, min(start + 100, each))
            texts = [
                f"Zero said {' '.join(chance.choices(WORDS, k=8))} about tea number{number}." for number in numbers
            ]
            vectors = engine.vectors(texts)
            with store.transaction():
                told = zip(numbers, texts, vectors, strict=True)
                store.apply([_change(store, *one, model=engine.model) for one in told], at=NOW)
        _multiply(url, store, users)


def _multiply(url: str, store: Any, users: int) -> None:  # noqa: ANN401 -- with the driver inside
    driver = store._db.driver  # noqa: SLF001 -- rows are copied behind the store's back
    copies = [_copies(table, users - 1) for table in tables().values() if table.name in COPIED] if users > 1 else []
    copies.append(f"UPDATE counters SET n = {users} WHERE tenant = '{TENANT}' AND scope = 0")  # noqa: S608 -- numbers and names of this file
    if url.endswith(".db"):
        for statement in copies:
            driver.run(statement, {})
    else:
        with psycopg.connect(url, autocommit=True) as connection:
            # Copies of whole rows refer to copies: to look each of them up would take longer than to write them.
            connection.execute("SET session_replication_role = replica")
            for statement in (*copies, "VACUUM (ANALYZE)"):
                connection.execute(statement)


def _change(store: Any, number: int, text: str, vector: Any, *, model: str | None) -> Change:  # noqa: ANN401 -- any store, any vector
    memory = Memory(
        id=store.next_id(TENANT, Space.USER, USER, Kind.SEMANTIC),
        tenant=TENANT,
        content=text,
        space=Space.USER,
        owner=USER,
        subject_person_ids=(PERSON,),
        stated_by=PERSON,
        memory_key=f"profile|person|self|{number}",
        discriminator=str(number),
        created_at=NOW,
        observed_at=NOW,
        updated_at=NOW,
    )
    entry = Entry(op="create", memory_id=memory.id, version=1)
    return Change(
        memory=memory, entry=entry, is_new=True, terms=term_counts(text), vectors=vector[None, :], model=model
    )


def _copies(table: Table, users: int) -> str:
    others = {**OTHERS, "id": "t.id || n.k"} if table.name == "persons" else OTHERS
    columns = ("tenant", *table.columns)
    values = ", ".join(others.get(name, f"t.{name}") for name in columns)
    return (
        f"WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < {users}) "  # noqa: S608 -- numbers and names of this file
        f"INSERT INTO {table.name} ({', '.join(columns)}) SELECT {values} FROM {table.name} AS t CROSS JOIN n"
    )


def measure(url: str, recalls: int) -> list[float]:
    """Milliseconds of each recall of one user in the middle, after the first few."""
    times = []
    with wellkept.open(url, config=QUIET, worker="off", clock=lambda: NOW) as memory:
        user, chance = memory.at(user="user01"), random.Random(3)
        for number in range(recalls + 5):
            start = time.perf_counter()
            found = user.recall(f"What about {' '.join(chance.choices(WORDS, k=3))}?")
            if number >= 5:
                times.append((time.perf_counter() - start) * 1000)
        print(f"  {len(user.list())} of one's own listed, {len(found.hits)} hits")
    return times


def tell(name: str, times: list[float]) -> float:
    """Print and give the median."""
    cuts = quantiles(times, n=20)
    print(f"{name}: recall p50 {cuts[9]:.1f} ms, p95 {cuts[18]:.1f} ms")
    return cuts[9]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=1_000_000)
    parser.add_argument("--users", type=int, default=1_000)
    parser.add_argument("--recalls", type=int, default=200)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    with contextlib.ExitStack() as until_end:
        folder = given.folder or Path(until_end.enter_context(tempfile.TemporaryDirectory(prefix="rc-", dir="/tmp")))
        folder.mkdir(parents=True, exist_ok=True)
        server, path = Server(folder / "server"), str(folder / "memory.db")
        if (server.data / "PG_VERSION").exists():
            until_end.callback(server.start().stop)
        else:
            make(server, path, memories=given.memories, users=given.users)
            until_end.callback(server.stop)
        count, size = server.execute("SELECT COUNT(*), pg_database_size('postgres') FROM memories")[0]
        print(server.versions(), f"{count} memories, {int(str(size)) / int(str(count)):.0f} bytes each", sep="\n")
        embedded = tell("embedded, a tenth of that", measure(path, given.recalls))
        fleet = tell(f"PostgreSQL, {count} memories", measure(server.url(), given.recalls))
    print(f"ratio at p50: {fleet / embedded:.2f} (at most 2)")
    return 0 if fleet <= 2 * embedded else 1


def make(server: Server, path: str, *, memories: int, users: int) -> None:
    """A server with everything, running; and a file with a tenth of it."""
    start = time.perf_counter()
    server.create(shared_buffers="2GB", fsync="off", max_wal_size="16GB", autovacuum="off").start()
    server.execute("CREATE EXTENSION vector")
    fill(server.url(), memories=memories, users=users)
    fill(path, memories=memories // 10, users=max(users // 10, 1))
    print(f"{memories} memories of {users} users and a tenth of it made in {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
