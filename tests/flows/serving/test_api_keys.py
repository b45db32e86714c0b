"""Keys: told once, kept as a hash, revoked for good."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from wellkept.errors import InvalidInput, KeyNotFound, Unauthorized
from wellkept.flows.serving import api_keys
from wellkept.startup import open as open_memory
from wellkept.store.contract import AnyKey


@pytest.fixture
def memory(store_path, clock):
    with open_memory(store_path, clock=clock, embedder="none") as memory:
        yield memory


def test_a_key_opens_until_it_is_revoked(memory, bytes_of):
    made = memory.keys.add("bot", scope=["user:alice", "user:alice"], tenant="t")
    assert api_keys.grant_of_key(made.key, memory.engine).settled["user"] == "alice"
    assert made.record.scopes == ("user:alice",)
    secret = made.key.rpartition("_")[2]
    memory.engine.store.scrub()
    assert secret.encode() not in bytes_of(memory.engine.store)
    assert [one.name for one in memory.keys.list(tenant="t")] == ["bot"]
    assert memory.keys.list() == ()
    with pytest.raises(KeyNotFound):
        memory.keys.revoke(made.record.id)
    assert memory.keys.revoke(made.record.id, tenant="t").revoked_at is not None
    with pytest.raises(Unauthorized):
        api_keys.grant_of_key(made.key, memory.engine)


@pytest.mark.parametrize(
    "change", [lambda key: key[:-1], lambda key: "rk_" + key, lambda key: "", lambda key: "rk__", str.upper]
)
def test_a_wrong_key_opens_nothing(memory, change):
    made = memory.keys.add("bot", scope=["operator"])
    with pytest.raises(Unauthorized) as caught:
        api_keys.grant_of_key(change(made.key), memory.engine)
    assert caught.value.code == "invalid_key"


@pytest.mark.parametrize(
    ("name", "scope", "code"),
    [
        ("", ["tenant"], "invalid_name"),
        ("x\n", ["tenant"], "invalid_name"),
        ("x", [], "invalid_scope"),
        ("x", ["root"], "invalid_scope"),
    ],
)
def test_what_a_key_needs(memory, name, scope, code):
    with pytest.raises(InvalidInput) as caught:
        memory.keys.add(name, scope=scope)
    assert caught.value.code == code


def test_a_key_may_end_by_itself(memory, clock):
    made = memory.keys.add("bot", scope=["tenant"], expires_in_days=2)
    clock.advance(days=1, hours=23)
    assert api_keys.grant_of_key(made.key, memory.engine).settled == {"tenant": "default"}
    clock.advance(hours=1)
    with pytest.raises(Unauthorized) as caught:
        api_keys.grant_of_key(made.key, memory.engine)
    assert caught.value.code == "key_expired"
    assert memory.engine.store.has(AnyKey()), "a store whose keys are over is not open to everybody"


@pytest.mark.parametrize("days", [0, -1, 4_000, "two", True])
def test_a_lifetime_is_a_number_of_days(memory, days):
    with pytest.raises(InvalidInput):
        memory.keys.add("bot", scope=["tenant"], expires_in_days=days)
    assert memory.keys.list() == ()


def test_a_rotated_key_opens_for_its_grace_and_the_new_one_after_it(memory, clock):
    old = memory.keys.add("bot", scope=["user:alice"], expires_in_days=10)
    clock.advance(days=1)
    new = memory.keys.rotate(old.record.id, grace_hours=2)
    assert (new.record.name, new.record.scopes) == ("bot", ("user:alice",))
    assert new.record.expires_at - new.record.created_at == old.record.expires_at - old.record.created_at
    for key in (old, new):
        assert api_keys.grant_of_key(key.key, memory.engine).settled["user"] == "alice"
    clock.advance(hours=2)
    assert api_keys.grant_of_key(new.key, memory.engine).settled["user"] == "alice"
    with pytest.raises(Unauthorized):
        api_keys.grant_of_key(old.key, memory.engine)


def test_what_cannot_be_rotated(memory, clock):
    made = memory.keys.add("bot", scope=["tenant"], expires_in_days=1)
    with pytest.raises(KeyNotFound):
        memory.keys.rotate(made.record.id, tenant="t")
    with pytest.raises(InvalidInput):
        memory.keys.rotate(made.record.id, grace_hours=10_000)
    clock.advance(days=1)
    with pytest.raises(InvalidInput) as caught:
        memory.keys.rotate(made.record.id)
    assert caught.value.code == "key_over"
    assert len(memory.keys.list()) == 1


def test_a_revoked_token_is_no_key_to_rotate(memory):
    taken = memory.keys.revoke_token("sandbox")
    with pytest.raises(KeyNotFound):
        memory.keys.rotate(taken.id)


def test_of_servers_that_start_at_once_one_makes_the_first_key(store_url, clock):
    with open_memory(store_url, clock=clock, embedder="none") as memory:
        begun = threading.Barrier(4)

        def first():
            begun.wait()
            return memory.keys.add_first()

        with ThreadPoolExecutor(4) as pool:
            made = [one for one in (task.result() for task in [pool.submit(first) for _ in range(4)]) if one]
        assert len(made) == 1
        assert api_keys.grant_of_key(made[0].key, memory.engine).is_operator
        assert memory.keys.revoke(made[0].record.id).revoked_at is not None
        assert memory.keys.add_first() is None, "one that was taken back is not given again"
