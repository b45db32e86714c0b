"""What operators hold: one tenant at a time, people and todos of any user, and work done by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import wellkept
from wellkept import Memory
from wellkept.errors import InvalidInput

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with wellkept.open(tmp_path / "memory.db", clock=lambda: NOW, embedder="none", worker="off") as opened:
        yield opened


def test_people_are_those_of_one_tenant(memory: Memory) -> None:
    memory.at(user="alice").remember("My wife Sarah likes tea")
    assert "Sarah" in {one.name for one in memory.people.list()}
    assert memory.people.of("other").list() == ()


def test_todos_of_any_user_are_ended_by_an_operator(memory: Memory) -> None:
    memory.at(user="alice").turn("I need to call the dentist tomorrow")
    (todo,) = memory.todos.list("alice")
    assert memory.todos.list("bob") == ()
    assert memory.todos.complete(todo.id, "alice").status == "COMPLETED"
    assert memory.todos.list("alice") == ()
    assert [one.id for one in memory.todos.list("alice", status="ALL")] == [todo.id]


def test_a_checkpoint_is_loaded_listed_and_deleted(memory: Memory) -> None:
    memory.checkpoints.save("alice", "t1", {"step": 1})
    loaded = memory.checkpoints.load("alice", "t1")
    assert loaded is not None
    assert loaded.data == {"step": 1}
    assert memory.checkpoints.load("alice", "t2") is None
    assert len(memory.checkpoints.list("alice")) == 1
    assert memory.checkpoints.delete("alice", "t1")
    assert not memory.checkpoints.delete("alice", "t1")


def test_keys_are_told_once_and_revoked(memory: Memory) -> None:
    first = memory.keys.add_first()
    assert first is not None
    assert memory.keys.add_first() is None
    (key,) = memory.keys.list()
    assert memory.keys.revoke(key.id).revoked_at == NOW
    assert memory.keys.list(tenant="other") == ()


def test_jobs_of_a_memory_without_a_worker_wait_until_they_are_finished(memory: Memory) -> None:
    alice = memory.at(user="alice", chat="c1")
    alice.observe([{"role": "user", "content": "I moved to Lisbon in May and I love it here"}])
    assert memory.upkeep.jobs()["pending"]
    assert memory.upkeep.finish()
    assert [one.content for one in alice.list() if "Lisbon" in one.content]


def test_what_compacting_is_told_is_a_number_of_days(memory: Memory) -> None:
    with pytest.raises(InvalidInput):
        memory.upkeep.compact(after_days=-1)
    assert set(memory.upkeep.compact(after_days=0).values()) <= {0}


def test_events_tell_growth_by_day(memory: Memory) -> None:
    memory.at(user="alice").remember("My favorite color is blue")
    assert memory.events.growth() == {NOW.date(): 1}
    assert memory.events.growth(of="bob") == {}
    assert memory.events.list(of="alice")
