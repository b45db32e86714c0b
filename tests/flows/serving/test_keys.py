"""Keys: told once, kept as a hash, revoked for good."""

from __future__ import annotations

import pytest

from wellkept.errors import InvalidInput, KeyNotFound, Unauthorized
from wellkept.flows.serving import keys
from wellkept.opening import open as open_memory


@pytest.fixture
def memory(store_path, clock):
    with open_memory(store_path, clock=clock, embedder="none") as memory:
        yield memory


def test_a_key_opens_until_it_is_revoked(memory, bytes_of):
    made = memory.keys.add("bot", scope=["user:alice", "user:alice"], tenant="t")
    assert keys.grant(made.key, memory.engine).settled["user"] == "alice"
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
        keys.grant(made.key, memory.engine)


@pytest.mark.parametrize(
    "change", [lambda key: key[:-1], lambda key: "rk_" + key, lambda key: "", lambda key: "rk__", str.upper]
)
def test_a_wrong_key_opens_nothing(memory, change):
    made = memory.keys.add("bot", scope=["operator"])
    with pytest.raises(Unauthorized) as caught:
        keys.grant(change(made.key), memory.engine)
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
