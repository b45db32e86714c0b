"""PostgreSQL at scale: one user's recall among a thousand users, beside the embedded store with a tenth of them.

    python bench/postgres_scale.py [--memories 1000000] [--users 1000] [--recalls 200]

One user's memories are written through the store; the others' are copies of them under other names and people, made by
the database itself. Vectors are seeded. The same is done in a file with a tenth of the memories and users.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import quantiles

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import recollect
from bench.postgres_server import Server
from bench.worlds import WordVectors as Words
from recollect.config import Config, MemoryTable
from recollect.policies.words import term_counts
from recollect.store.base import Change, Entry
from recollect.store.conformance_world import NOW
from recollect.store.moving import Table, tables
from recollect.store.opening import open_store
from recollect.types import Memory, Person
from recollect.vocabulary import Kind, Space

TENANT, USER, PERSON = "default", "user0", "p_zero"
MODEL = "bench-words@00000000"
WORDS = [
    first + second + third for first in ("zor", "quil", "vex", "mar") for second in "aeiou" for third in ("lin", "dor")
]
# What makes a copy another user's: every other column is the same.
OTHERS: Mapping[str, str] = {
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


class WordVectors(Words):
    """As long as real ones."""

    dimensions = 384


def fill(url: str, *, memories: int, users: int) -> None:
    """One user's memories through the store, everybody else's as copies."""
    store, chance, model = open_store(url), random.Random(11), WordVectors()
    store.save_person(Person(id=PERSON, tenant=TENANT, name="Zero", created_by=USER, created_at=NOW))
    store.link_user(TENANT, USER, PERSON, username=None, display_name="Zero")
    each = memories // users
    with store.transaction():
        for start in range(0, each, 100):
            store.apply(
                [_told(number, chance, model, store) for number in range(start, min(start + 100, each))], at=NOW
            )
    driver = store._db.driver  # type: ignore[attr-defined]  # noqa: SLF001 -- rows are copied behind the store's back
    for table in tables():
        if table.name in COPIED and users > 1:
            driver.run(_copies(table), {"users": users - 1})
    driver.run("UPDATE counters SET n = :users WHERE tenant = 'default' AND scope = 0", {"users": users})
    if not url.endswith(".db"):
        driver.scrub()
    store.close()


def _told(number: int, chance: random.Random, model: WordVectors, store: object) -> Change:
    text = f"Zero said {' '.join(chance.choices(WORDS, k=8))} about tea number{number}."
    memory = Memory(
        id=store.next_id(TENANT, Space.USER, USER, Kind.SEMANTIC),  # type: ignore[attr-defined]
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
    vectors = model.embed([text])
    return Change(memory=memory, entry=entry, is_new=True, terms=term_counts(text), vectors=vectors, model=MODEL)


def _copies(table: Table) -> str:
    others = {**OTHERS, "id": "t.id || n.k"} if table.name == "persons" else OTHERS
    values = ", ".join(others.get(name, f"t.{name}") for name in table.columns)
    return (
        "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < CAST(:users AS BIGINT)) "  # noqa: S608
        f"INSERT INTO {table.name} ({', '.join(table.columns)}) SELECT {values} FROM {table.name} AS t CROSS JOIN n"
    )


def measure(url: str, recalls: int) -> list[float]:
    """Milliseconds of each recall of one user in the middle, after the first few."""
    config = Config(memory=MemoryTable(auto_gc=False))
    times = []
    with recollect.open(url, config=config, embedder=WordVectors(), worker="off", clock=lambda: NOW) as memory:
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
    given = parser.parse_args()
    server = Server().create(shared_buffers="2GB", fsync="off", max_wal_size="16GB").start()
    try:
        print(server.versions())
        server.execute("CREATE EXTENSION vector")
        start = time.perf_counter()
        fill(server.url(), memories=given.memories, users=given.users)
        size = int(str(server.execute("SELECT pg_database_size('postgres')")[0][0]))
        took = time.perf_counter() - start
        print(
            f"{given.memories} memories of {given.users} users in {took:.0f} s, {size / given.memories:.0f} bytes each"
        )
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/memory.db"
            fill(path, memories=given.memories // 10, users=max(given.users // 10, 1))
            embedded = tell(f"embedded, {given.memories // 10} memories", measure(path, given.recalls))
        fleet = tell(f"PostgreSQL, {given.memories} memories", measure(server.url(), given.recalls))
    finally:
        server.remove()
    print(f"ratio at p50: {fleet / embedded:.2f} (at most 2)")
    return 0 if fleet <= 2 * embedded else 1


if __name__ == "__main__":
    sys.exit(main())
