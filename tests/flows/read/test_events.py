"""Events: the ledger as a table, and its tail."""

from __future__ import annotations

import pytest

from wellkept.errors import InvalidInput
from wellkept.flows.read.events import Tail
from wellkept.startup import open as open_memory


@pytest.fixture
def memory(store_path, clock):
    with open_memory(store_path, clock=clock, embedder="none") as memory:
        yield memory


def test_events_of_one_and_of_everybody(memory):
    memory.at(user="alice").remember("I like tea")
    memory.at(user="bob").remember("I like coffee")
    assert {one.owner for one in memory.events.list(of="alice")} == {"alice"}
    assert {one.owner for one in memory.events.list() if one.space == "user"} == {"alice", "bob"}
    assert memory.events.list(tenant="other") == ()
    assert {one.op for one in memory.events.list(op="create")} == {"create"}
    assert "tea" not in repr(memory.events.list())
    with pytest.raises(InvalidInput):
        memory.events.list(limit=0)


def test_a_tail_tells_everything_once(memory):
    alice, bob = memory.at(user="alice"), memory.at(user="bob")
    alice.remember("I like tea")
    everybody, own = Tail("default", memory.engine), Tail("default", memory.engine, owner="alice")
    assert everybody.look() == []
    alice.remember("I live in Oslo")
    bob.remember("I like coffee")
    assert {one.owner for one in everybody.look() if one.space == "user"} == {"alice", "bob"}
    assert {one.owner for one in own.look()} == {"alice"}
    assert everybody.look() == own.look() == []


def test_growth_and_owners(memory):
    memory.at(user="alice").remember(["I like tea", "I live in Oslo"])
    memory.at(user="bob").remember("I like coffee")
    (day,) = memory.events.growth(of="alice")
    assert memory.events.growth(of="alice") == {day: 2}
    assert memory.events.growth() == {day: 3}
    assert memory.events.growth(of="nobody") == memory.events.growth(tenant="other") == {}
    assert [(one.space, one.owner) for one in memory.events.owners()] == [("user", "alice"), ("user", "bob")]
    assert len(memory.events.owners(limit=1)) == 1
    done = [(one.node, one.op, one.times) for one in memory.events.activity(of="alice")]
    assert ("hotpath", "create", 2) in done
    assert sum(one.times for one in memory.events.activity()) > sum(times for *_, times in done)
    for call in (lambda: memory.events.owners(limit=0), lambda: memory.events.activity(days=0)):
        with pytest.raises(InvalidInput):
            call()
