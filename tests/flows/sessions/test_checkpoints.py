"""Supervisors' checkpoints: what is saved comes back, nobody overwrites unseen, and the history has no secrets."""

from __future__ import annotations

import threading

import pytest

import wellkept
from wellkept.config import Config
from wellkept.errors import CheckpointConflict, InvalidInput


@pytest.fixture
def memory(store_url, clock):
    with wellkept.open(store_url, config=Config(), clock=clock, embedder="none", worker="off") as memory:
        yield memory


def test_a_state_comes_back_as_it_was(memory, clock):
    data = {"state": {"step": 3, "when": clock(), "odd": (1, b"\x00")}, "agents": {"planner": {"busy": True}}}
    saved = memory.checkpoints.save("ana", "th", data)
    clock.advance(minutes=1)
    later = memory.checkpoints.save("ana", "th", data | {"more": 1}, version=saved.version)
    assert (saved.version, later.version) == (1, 2)
    found = memory.checkpoints.load("ana", "th")
    assert found == later
    assert found.data == data | {"more": 1}
    assert found.id == saved.id
    assert (found.updated_at - found.created_at).total_seconds() == 60
    assert memory.checkpoints.load("bob", "th") is None
    assert memory.checkpoints.load("ana", "th", tenant="other") is None
    assert [one.thread_id for one in memory.checkpoints.list("ana")] == ["th"]
    assert memory.checkpoints.delete("ana", "th")
    assert not memory.checkpoints.delete("ana", "th")


def test_of_two_supervisors_one_gets_a_conflict(memory):
    saved = memory.checkpoints.save("ana", "th", {"n": 0})
    outcomes: list[str] = []

    def save(number: int) -> None:
        try:
            memory.checkpoints.save("ana", "th", {"n": number}, version=saved.version)
            outcomes.append("saved")
        except CheckpointConflict as conflict:
            outcomes.append(conflict.code)

    threads = [threading.Thread(target=save, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["saved", "version_conflict"]
    with pytest.raises(CheckpointConflict):
        memory.checkpoints.save("ana", "th", {"n": 9})
    assert memory.checkpoints.load("ana", "th").version == 2


def test_the_history_is_masked_and_nothing_else(memory):
    secret = "sk-proj-" + "Ab3dEf6hIj9lMn2pQr5tUv8xYz1"
    history = [{"role": "user", "content": f"my key is {secret}"}, ("tool", f"export OPENAI_API_KEY={secret}")]
    memory.checkpoints.save("ana", "th", {"history": history, "state": "as it is"})
    found = memory.checkpoints.load("ana", "th")
    assert secret not in str(found.data)
    assert found.data["history"][0]["role"] == "user"
    assert found.data["state"] == "as it is"
    rows = memory.engine.store._db.driver.rows("SELECT checkpoint_data FROM supervisor_checkpoints", {})
    assert secret not in str(rows)


def test_bad_input_is_named(memory):
    for user, thread in (("", "th"), ("ana", "x" * 600), ("a\0b", "th")):
        with pytest.raises(InvalidInput) as caught:
            memory.checkpoints.save(user, thread, {})
        assert caught.value.code == "invalid_id"
    with pytest.raises(InvalidInput) as caught:
        memory.checkpoints.save("ana", "th", {"x": object()})
    assert caught.value.code == "not_json"


def test_no_part_of_a_state_keeps_a_secret(memory):
    data = {"state": {"pw": "password=Lobelia_88", "next": "plan"}, "note": ["my password is 123"]}
    saved = memory.checkpoints.save("ana", "th", data)
    assert saved.data == {"state": {"pw": "password=(redacted)", "next": "plan"}, "note": ["my password is (redacted)"]}
