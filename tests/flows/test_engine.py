"""How often memories are recalled, and that nobody's reading moves somebody else's ranking."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.config import Config
from wellkept.flows import engine
from wellkept.store.opening import open_store


@pytest.fixture
def memory(memory_without_vectors):
    return memory_without_vectors


def count_of(memory, memory_id):
    found = memory.engine.store.memory("default", memory_id)
    assert found is not None
    return found.access_count


def test_recalling_is_counted_when_a_batch_is_written(memory):
    ana = memory.at(user="ana")
    told = ana.remember("I love paella")
    ana.recall("paella", threshold=0)
    assert count_of(memory, told.id) == 0
    memory.flush()
    assert count_of(memory, told.id) == 1


def test_a_batch_is_one_readers(memory, monkeypatch):
    """When one's own reading is written does not depend on how much others read."""
    monkeypatch.setattr(engine, "ACCESS_BATCH", 3)
    ana, ben = memory.at(user="ana"), memory.at(user="ben")
    told = ana.remember("I love paella")
    ben.remember("I love ramen")
    ana.recall("paella", threshold=0)
    for _ in range(10):
        ben.recall("ramen", threshold=0)
    assert count_of(memory, told.id) == 0
    for _ in range(2):
        ana.recall("paella", threshold=0)
    memory.flush()
    assert count_of(memory, told.id) == 3


def test_a_recall_waits_for_no_writer(memory, monkeypatch):
    monkeypatch.setattr(engine, "ACCESS_BATCH", 1)
    ana = memory.at(user="ana")
    told = ana.remember("I love paella")
    other = open_store(memory.engine.store.url)
    with other.transaction():
        assert ana.recall("paella", threshold=0).hits, "though its batch is full and somebody writes"
    other.close()
    memory.flush()
    assert count_of(memory, told.id) == 1


def test_the_job_writes_what_was_counted(memory):
    ana = memory.at(user="ana")
    told = ana.remember("I love paella")
    ana.recall("paella", threshold=0)
    assert [done.counts for done in memory.upkeep.run(["importance"])] == [{"memories": 1}]
    assert count_of(memory, told.id) == 1


def test_reading_what_somebody_else_keeps_is_not_counted(memory):
    group = {"chat": "team", "chat_type": "group"}
    memory.at(user="ben", display_name="Ben", participants=["ana"], **group).remember("I am glad to be here")
    told = memory.at(user="ana", display_name="Ana", participants=["ben"], **group).remember("Ben loves ramen")
    shared = memory.at(user="ana", participants=["ben"], **group).remember("Lunch is at noon", shared=True)
    ben = memory.at(user="ben", chat="ben-dm")
    assert told.id in [hit.id for hit in ben.recall("ramen", threshold=0)]
    memory.at(user="ben", participants=["ana"], **group).recall("lunch", threshold=0)
    memory.flush()
    assert count_of(memory, told.id) == 0
    assert count_of(memory, shared.id) == 1


def searches(memory):
    memory.flush()
    return [(one.node, one.user_id, one.thread_id, one.sim) for one in memory.events.list(op="search")]


def test_every_search_is_on_record_once_its_batch_is_written(memory):
    ana = memory.at(user="ana", thread="th")
    ana.recall("paella")
    assert searches(memory) == [], "whoever never told anything has no chain"
    ana.remember("I love paella")
    ana.recall("paella")
    ana.context("paella")
    ana.query("paella")
    assert memory.events.list(op="search") == ()
    assert searches(memory) == [("context", "ana", "th", None)] * 3
    ana.recall("paella")
    memory.upkeep.erase("ana")
    assert searches(memory) == [("context", None, "th", None)] * 3, "who was erased is not named again"


def test_a_write_says_how_near_its_neighbour_was(store_path, clock, embedder):
    with wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder, worker="off") as memory:
        ana = memory.at(user="ana")
        ana.remember("I love paella with saffron")
        ana.remember("I cook paella with saffron and rice")
        found = {(node, None if sim is None else 0 < sim <= 1) for node, _, _, sim in searches(memory)}
        assert found == {("hotpath", None), ("hotpath", True)}, "the first had no neighbour"


def test_searches_of_many_are_not_held_for_ever_and_move_no_count(memory, monkeypatch):
    monkeypatch.setattr(engine, "SEARCHES_MAX", 4)
    people = [memory.at(user=name) for name in ("ana", "ben", "kim")]
    told = [one.remember("I love paella").id for one in people]
    for one in (*people, *people):
        one.recall("paella", threshold=0)
    for writer in memory.engine.access._writers:
        writer.join()
    assert len(memory.events.list(op="search")) == 4
    assert [count_of(memory, one) for one in told] == [0, 0, 0], "when counts are written is each reader's own"
    memory.flush()
    assert len(memory.events.list(op="search")) == 6
    assert [count_of(memory, one) for one in told] == [2, 2, 2]
