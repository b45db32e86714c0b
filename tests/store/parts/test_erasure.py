"""Text is in one place, the ledger has none, and what was purged is in no byte of the files."""

from __future__ import annotations

import random

import pytest

from wellkept.store.contract import Entry, RowsAbout
from wellkept.store.opening import open_store
from wellkept.store.tables import tables
from wellkept.testing.world import BOB, NOW, World
from wellkept.types import Alias
from wellkept.vocabulary import Space

WORDS = [first + second + third for first in ("zor", "quil", "vex") for second in "aeiou" for third in ("lin", "dor")]


@pytest.fixture
def store(store_url):
    store = open_store(store_url)
    yield store
    store.close()


@pytest.fixture
def everything(store, bytes_of):
    """Reads every byte of the database."""
    return lambda: bytes_of(store)


def holds(content: bytes, text: str) -> bool:
    return text.encode() in content or text.encode("utf-16-le") in content


def test_no_text_name_key_or_user_id_is_in_the_ledger(store):
    world = World(store)
    world.person(BOB, "Bartholomew", aliases=(Alias(value="@barty"),))
    memory = world.tell(
        "Bartholomew keeps zorblax bees.",
        quote="barty keeps zorblax bees",
        memory_key="people|person|bartholomew|fact",
        fact_key="p_bob:pet:bee",
        discriminator="zorblax",
        value="zorblax",
        entity_refs=("person:bartholomew",),
        subject_person_ids=(BOB,),
        scope=(Space.USER, "user-777"),
        source_username="barty",
    )
    memory = world.reword(memory, "Bartholomew keeps zorblax wasps.")
    store.record("t", Space.USER, "user-777", Entry(op="create", status="denied", reason="x", actor="user-778"), at=NOW)
    store.record("t", Space.USER, "user-777", Entry(op="search", actor="user-778"), at=NOW)
    for table in ("ledger", "searches"):
        rows = store._db.driver.rows(f"SELECT * FROM {table}", {})  # noqa: S608 -- two names of ours
        assert rows
        said = repr(rows).casefold()
        for word in ("zorblax", "barth", "barty", "bees", "wasps", "user-77", "alice", "pet:bee"):
            assert word not in said, (table, word)


def test_the_actor_is_a_pseudonym_that_can_be_emptied(store):
    world = World(store)
    memory = world.tell()
    assert store.ledger(RowsAbout(tenant="t", memory_id=memory.id, limit=1))[0].entry.actor == "alice"
    store._db.driver.run("DELETE FROM pseudonyms", {})
    assert store.ledger(RowsAbout(tenant="t", memory_id=memory.id, limit=1))[0].entry.actor is None
    assert not list(store.verify("t"))
    again = world.tell("Another.")
    row = store._db.driver.rows("SELECT actor FROM ledger WHERE memory_id = :id", {"id": again.id})
    assert row == [(2,)], "a number is not given twice"


def test_text_stands_in_one_table(store):
    World(store).tell("Alice keeps zorblax.", quote="I keep zorblax")
    holding = [
        table
        for table in tables()
        if "keep" in repr(store._db.driver.rows(f"SELECT * FROM {table}", {})).replace("'keep'", "")  # noqa: S608 -- names of the schema
    ]
    assert holding == ["versions"]


def test_purged_text_is_in_no_byte_of_the_files(store, everything):
    chance = random.Random(5)
    world = World(store)
    told = []
    with store.transaction():
        for number in range(60 if store.url.startswith("postgresql") else 200):
            middle = chance.choices(WORDS, k=chance.choice([3, 12, 200]))
            text = " ".join([f"secret{number:04}start", *middle, f"end{number:04}"])
            memory = world.tell(text, quote=f"quoted{number:04} {text}", entity_refs=(f"org:ref{number:04}",))
            if number % 3 == 0:
                memory = world.reword(memory, f"rewritten{number:04} {text}")
            told.append((number, memory))
    if not store.files():
        # As the server does by itself: what it knows of columns are examples of what stands in them.
        store._db.driver.run("ANALYZE", {})
    before = everything()
    gone = chance.sample(told, 2 * len(told) // 3)
    for _, memory in gone:
        store.purge("t", memory.id, Entry(op="delete", memory_id=memory.id), at=NOW)
    assert store.scrub()
    after = everything()
    kept = [number for number, memory in told if (number, memory) not in gone]
    assert all(holds(after, f"secret{number:04}start") for number in kept)
    for number, _ in gone:
        assert holds(before, f"secret{number:04}start"), "the scan finds what is there"
        for word in ("secret{:04}start", "quoted{:04}", "end{:04}", "rewritten{:04}", "org:ref{:04}"):
            assert not holds(after, word.format(number)), word
    assert not list(store.verify("t"))
    assert tuple(store.faults("t", "files")) == ()


def test_scrub_says_when_a_reader_stands_in_the_way(store_path, bytes_of):
    store, other = open_store(store_path), open_store(store_path, busy_seconds=0.05)
    world = World(store)
    memory = world.tell("Alice keeps zorblax.")
    store._db.driver._session.connection.set_busy_timeout(50)
    with other.snapshot():
        other.counts("t")
        store.purge("t", memory.id, Entry(op="delete", memory_id=memory.id), at=NOW)
        assert not store.scrub()
    assert store.scrub()
    assert b"zorblax" not in bytes_of(store)
    other.close()
    store.close()
