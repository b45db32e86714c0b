"""A move: everything arrives, the source is not touched, an interrupted one goes on, both sides are proved equal."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import wellkept
from wellkept.config import Config
from wellkept.errors import InvalidInput, StoreError
from wellkept.store import opening
from wellkept.store.contract import Entry
from wellkept.store.opening import open_driver, open_store
from wellkept.store.postgres.database import PostgresDriver
from wellkept.store.tables import tables
from wellkept.testing.world import ALICE, BOB, NOW, World, search


@pytest.fixture
def source(tmp_path, clock):
    path = tmp_path / "memory.db"
    with wellkept.open(path, config=Config(), clock=clock, embedder="none", worker="off") as memory:
        ana = memory.at(user="ana", chat="c", chat_type="group")
        for fact in ("My sister Lena lives in Bergen", "My favorite color is blue", "My favorite color is green"):
            ana.remember(fact)
        memory.governed(session="s", user="ana").record(user="I prefer short answers", ai="Noted.")
        memory.checkpoints.save("ana", "th", {"big": 1e22, "text": "NUL \x00", "list": [1.0, 2]})
        world = World(memory.engine.store)
        for number in range(40):
            world.tell(f"Alice likes tea {number}.", subject_person_ids=(ALICE, BOB), entity_refs=(f"org:{number}",))
    return path


def contents(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_every_page_begins_at_its_key(source):
    driver = open_driver(source)
    driver.create_or_check()
    for table in tables().values():
        key = ("x", *("x" if table.columns[name].kind == "TEXT" else 1 for name in table.key))
        for statement, values in (opening._page(table, key), opening._page(table, key, key)):
            (plan,) = driver.rows(f"EXPLAIN QUERY PLAN {statement}", values)
            used = plan[-1].replace(f"INDEX sqlite_autoindex_{table.name}_1", "PRIMARY KEY")  # of rows apart from it
            assert f"USING PRIMARY KEY ((tenant,{','.join(table.key)})>" in used
    driver.close()


def test_everything_arrives_and_the_source_is_not_touched(source, new_database, clock, monkeypatch):
    monkeypatch.setattr(opening, "BATCH", 7)
    before, url = contents(source), new_database()
    moved = opening.move(source, url)
    target = PostgresDriver(url)
    counted = target.rows("SELECT reltuples FROM pg_class WHERE relname = 'memories'", {})
    target.close()
    assert counted[0][0] == moved.tables["memories"][0], "the planner knows what has arrived"
    assert contents(source) == before
    assert moved.tables["memories"][0] >= 43
    assert moved.rows == moved.written > 500
    answers = []
    for place in (source, url):
        with wellkept.open(place, config=Config(), clock=clock, embedder="none", worker="off") as memory:
            ana = memory.at(user="ana", chat="c", chat_type="group")
            store = memory.engine.store
            assert not list(store.verify("t"))
            assert not list(store.verify("default"))
            found = store.candidates(search("tea 7", limit=9))
            answers.append(
                (
                    [memory.id for memory in ana.list()],
                    [(item.memory, item.cosine, item.bm25) for item in found],
                    memory.checkpoints.load("ana", "th"),
                    [trace.event for trace in memory.governed(session="s").traces()],
                )
            )
    assert answers[0] == answers[1]


def test_an_interrupted_move_goes_on(source, new_database, monkeypatch):
    monkeypatch.setattr(opening, "BATCH", 5)
    url = new_database()

    def tell(rows: int) -> None:
        if rows > 60:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        opening.move(source, url, tell=tell)
    store = open_store(source)
    world = World(store)
    world.told = 1000
    gone = store.candidates(search("tea 3"))[0].memory
    world.tell("Told meanwhile.")
    store.purge("t", gone.id, Entry(op="delete", memory_id=gone.id), at=NOW)
    store.close()
    moved = opening.move(source, url)
    assert 0 < moved.written < moved.rows
    again = open_store(url)
    assert again.candidates(search("Told meanwhile"))
    again.close()


def test_there_and_back_again(source, new_database, tmp_path):
    url = new_database()
    there = opening.move(source, url)
    back = opening.move(url, tmp_path / "back.db")
    assert back.tables == there.tables


def test_a_target_that_holds_something_is_left_alone(source, new_database):
    url = new_database()
    store = open_store(url)
    World(store).tell("Mine.")
    store.close()
    with pytest.raises(StoreError) as caught:
        opening.move(source, url)
    assert caught.value.code == "not_empty"
    with pytest.raises(InvalidInput):
        opening.move(url, url)


def test_what_differs_is_found(source, new_database, monkeypatch):
    url = new_database()
    whole = PostgresDriver.put_lists

    def lossy(self, into, clash, types, rows):
        return whole(self, into, clash, types, rows[1:] if "INTO postings" in into else rows)

    monkeypatch.setattr(PostgresDriver, "put_lists", lossy)
    with pytest.raises(StoreError, match="postings"):
        opening.move(source, url)
    monkeypatch.undo()
    assert opening.move(source, url).written > 0
