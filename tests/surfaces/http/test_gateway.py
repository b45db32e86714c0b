"""Quotas: what callers may bring for one user and one tenant in a day, and when they may go on."""

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
