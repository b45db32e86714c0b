"""Who asks, where only a filter says so; and quotas: what callers may bring in a day, and when they may go on."""

from __future__ import annotations

import pytest

from tests.surfaces.served import client, opened


@pytest.fixture
def http(store_url, clock):
    with opened(store_url, clock, writes_per_user_day=3, writes_per_tenant_day=5) as memory:
        yield client(memory)


def remember(http, user, *facts):
    return http.post("/v1/remember", json={"facts": list(facts), "viewpoint": {"user": user}})


def test_a_user_has_so_many_writes_a_day_and_each_fact_counts(http, clock):
    assert remember(http, "alice", "I like tea", "I like rye").status_code == 200
    refused = remember(http, "alice", "I like figs", "I like nuts")
    assert (refused.status_code, refused.json()["code"]) == (429, "quota_user")
    assert refused.headers["retry-after"] == str(15 * 3600), "until midnight"
    assert remember(http, "alice", "I like figs").status_code == 200, "what was refused was not counted"
    assert remember(http, "alice", "I like nuts").status_code == 429
    found = http.get("/v1/memories", params={"user": "alice"})
    assert found.status_code == 200, "reads are free"
    assert len(found.json()) == 3
    clock.advance(days=1)
    assert remember(http, "alice", "I like nuts").status_code == 200


def test_users_share_the_quota_of_their_tenant(http):
    for user in ("alice", "bob"):
        assert remember(http, user, "I like tea", "I like rye").status_code == 200
    assert remember(http, "carol", "I like tea", "I like rye").json()["code"] == "quota_tenant"
    assert remember(http, "carol", "I like tea").status_code == 200
    made = http.post("/v1/keys", json={"name": "crm", "scope": ["tenant"]})
    assert made.status_code == 200, "the work of operators is not counted"


def test_an_erased_user_leaves_no_count(http, clock):
    remember(http, "alice", "I like tea", "I like rye", "I like figs")
    assert http.delete("/v1/users/alice").status_code == 200
    assert remember(http, "alice", "I like tea").status_code == 200


ASKED = {"agent": "stylist", "query": "color", "filters": {"user_id": "alice"}, "return": "bullets"}


def colors(http, asked=ASKED):
    """What `query` finds over HTTP and over JSON-RPC, or the code of the refusal."""
    answer = http.post("/v1/query", json=asked).json()
    called = http.post("/rpc", json={"jsonrpc": "2.0", "id": 1, "method": "memory.query", "params": asked}).json()
    told = called["result"] if "result" in called else called["error"]["data"]
    assert answer == told or answer["code"] == told["code"]
    return [one["text"].rsplit(" ", 1)[-1] for one in told] if isinstance(told, list) else told["code"]


def test_the_filter_alone_may_say_whose_memory_is_read(store_url, clock):
    with opened(store_url, clock) as memory:
        http = client(memory)
        remember(http, "alice", "My favorite color is teal")
        remember(http, "bob", "My favorite color is red")
        listed = http.get("/v1/memories", params={"filters": '{"user_id": "alice"}'}).json()
        assert [one["content"] for one in listed] == ["The user's favorite color is teal"]
        assert colors(http) == ["teal"]
        assert colors(http, ASKED | {"filters": {"user_id": "carol"}}) == []
        scopes = ("operator", "tenant", "agent:stylist", "user:alice", "user:bob")
        made = {scope: http.post("/v1/keys", json={"name": "k", "scope": [scope]}).json() for scope in scopes[:1]}
        operator = client(memory, key=made["operator"]["key"])
        made |= {scope: operator.post("/v1/keys", json={"name": "k", "scope": [scope]}).json() for scope in scopes[1:]}
        found = {scope: colors(client(memory, key=one["key"])) for scope, one in made.items()}
        assert found == {scope: ["teal"] for scope in scopes[:4]} | {"user:bob": []}, "a filter gives nobody access"
        agent = client(memory, key=made["agent:stylist"]["key"])
        assert colors(agent, ASKED | {"filters": {}}) == "no_owner"
        assert colors(agent, ASKED | {"agent": "planner"}) in ("identity_mismatch", "agent_mismatch")
