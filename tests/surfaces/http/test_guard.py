"""Who gets in: the matrix of host, origin, key and method; keys by their scope; rates and slow bodies."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from itertools import product

import pytest

from tests.surfaces.served import client, opened
from wellkept.errors import TooMany
from wellkept.flows.serving import api_keys
from wellkept.surfaces.http.application import application
from wellkept.surfaces.http.guard import COOKIE, Rates

HOSTS = {"localhost": True, "127.0.0.1:8765": True, "[::1]": True, "evil.example": False, "": False}
ORIGINS = {None: True, "http://{host}": True, "https://evil.example": False, "null": False}
KEYS = ("operator", "alice", "token", "revoked", "expired", "none", "wrong")
SECRET = "hmac:a secret of the sandbox"
REQUESTS = {
    "read": ("GET", "/v1/memories?user=alice"),
    "write": ("POST", "/v1/remember"),
    "admin": ("POST", "/v1/upkeep/gc"),
    "other": ("GET", "/v1/memories?user=bob"),
    "patch": ("PATCH", "/v1/memories/m_none"),
    "delete": ("DELETE", "/v1/memories/m_none?user=alice"),
    "rpc": ("POST", "/rpc"),
    "preflight": ("OPTIONS", "/v1/recall"),
    "unknown": ("PUT", "/v1/recall"),
    "health": ("GET", "/healthz"),
}
BODIES = {
    "write": {"facts": "I like tea", "viewpoint": {"user": "alice"}},
    "patch": {"content": "I like coffee", "viewpoint": {"user": "alice"}},
    "rpc": {"jsonrpc": "2.0", "id": 1, "method": "memory.list", "params": {"user_id": "alice"}},
}
OPEN = dict.fromkeys(REQUESTS, 200) | {"patch": 404, "delete": 404, "preflight": 405, "unknown": 405}
STATUSES = {
    "operator": OPEN,
    **{kind: OPEN | {"admin": 403, "other": 403} for kind in ("alice", "token")},
    **{kind: dict.fromkeys(REQUESTS, 401) | {"health": 200} for kind in ("revoked", "expired", "none", "wrong")},
}


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("store") / "memory.db", token_key=SECRET) as memory:
        yield memory


@pytest.fixture(scope="module")
def keys(memory):
    now, key = memory.engine.clock(), api_keys.TokenKey(SECRET)
    ends = {"token": now + timedelta(hours=1), "expired": now - timedelta(seconds=1)}
    shown = {name: api_keys.make({"user": "alice"}, key, expires=at) for name, at in ends.items()}
    made = {
        "operator": memory.keys.add("boss", scope=["operator"]),
        "alice": memory.keys.add("alice", scope=["user:alice"]),
        "revoked": memory.keys.add("old", scope=["operator"]),
    }
    memory.keys.revoke(made["revoked"].record.id)
    shown |= {name: one.key for name, one in made.items()}
    return shown | {"none": None, "wrong": shown["operator"][:-1] + "x"}


@pytest.fixture(scope="module")
def http(memory):
    return client(memory)


@pytest.mark.parametrize("key", KEYS)
def test_only_the_allowed_cells_answer(http, keys, key):
    for host, origin, name in product(HOSTS, ORIGINS, REQUESTS):
        method, path = REQUESTS[name]
        headers = {"Host": host}
        if origin is not None:
            headers["Origin"] = origin.format(host=host)
        if keys[key] is not None:
            headers["Authorization"] = f"Bearer {keys[key]}"
        answer = http.request(method, path, headers=headers, json=BODIES.get(name))
        expected = 421 if not HOSTS[host] else 403 if not ORIGINS[origin] else STATUSES[key][name]
        assert answer.status_code == expected, (host, origin, name, answer.text)


def test_a_stranger_on_the_network_needs_a_key_even_before_one_is_made(tmp_path):
    with opened(tmp_path / "memory.db") as memory:
        assert client(memory).get("/v1/memories?user=a").status_code == 200
        assert client(memory, peer=("192.0.2.7", 1)).get("/v1/memories?user=a").json()["code"] == "no_key"


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
@pytest.mark.parametrize("peer", [("127.0.0.1", 1), None])
def test_behind_a_proxy_a_key_has_to_be_made_first(tmp_path, name, peer):
    asked, through = "/v1/memories?user=a", {name: "192.0.2.7"}
    with opened(tmp_path / "memory.db") as memory:
        http = client(memory, peer=peer)
        refused = http.get(asked, headers=through)
        assert (refused.status_code, refused.json()["code"]) == (403, "keyless_proxy")
        assert "wellkept keys add" in refused.json()["detail"]
        assert http.get(asked).status_code == http.get("/healthz", headers=through).status_code == 200
        key = memory.keys.add("x", scope=["operator"]).key
        assert http.get(asked, headers=through).json()["code"] == "no_key"
        assert http.get(asked, headers=through | {"Authorization": f"Bearer {key}"}).status_code == 200


def test_once_there_was_a_key_this_machine_needs_one_too(tmp_path):
    with opened(tmp_path / "memory.db") as memory:
        memory.keys.revoke(memory.keys.add("x", scope=["operator"]).record.id)
        assert client(memory).get("/v1/memories?user=a").json()["code"] == "no_key"


def test_a_browser_keeps_its_key_in_a_cookie_that_other_pages_cannot_use(http, keys):
    cookie = {"Cookie": f"{COOKIE}={keys['operator']}"}
    assert http.post("/v1/upkeep/gc", headers=cookie).status_code == 200
    crossed = {**cookie, "Sec-Fetch-Site": "cross-site"}
    assert http.post("/v1/upkeep/gc", headers=crossed).json()["code"] == "forbidden_origin"
    assert http.post("/v1/upkeep/gc", headers={**cookie, "Origin": "http://evil"}).json()["code"] == "forbidden_origin"


def test_what_a_key_settles_cannot_be_claimed_otherwise(memory, keys):
    planner = memory.keys.add("planner", scope=["agent:planner", "user:alice"]).key
    tenant = memory.keys.add("acme", scope=["tenant"], tenant="acme").key

    def code(key, **place):
        answer = client(memory, key=key).post("/v1/recall", json={"query": "tea", "viewpoint": place})
        return answer.json().get("code", answer.status_code)

    assert code(keys["alice"]) == 200
    for claim in ({"user": "bob"}, {"tenant": "acme"}, {"username": "bob"}):
        assert code(keys["alice"], **claim) == "identity_mismatch"
    assert code(planner, agent="executor") == "identity_mismatch"
    assert code(tenant, user="anybody") == 200
    assert code(tenant, user="anybody", tenant="default") == "identity_mismatch"
    assert code(keys["operator"], user="anybody", tenant="acme") == 200


def test_a_user_may_not_walk_into_a_chat(memory, keys):
    team = {"chat": "team", "chat_type": "group"}
    bob = memory.at(user="bob", participants=["carol"], **team)
    bob.remember("Our standup is at nine", shared=True)

    def code(**place):
        answer = client(memory, key=keys["alice"]).post("/v1/recall", json={"query": "standup", "viewpoint": place})
        return answer.json().get("code", answer.status_code)

    assert code(**team) == "not_participant"
    assert code(chat="new", participants=["bob"]) == "not_participant"
    assert code(chat="new") == 200
    memory.at(user="alice", **team).remember("I joined the team today", shared=True)
    assert code(**team) == 200
    assert code(**team, participants=["bob"]) == 200
    assert code(**team, participants=["mallory"]) == "not_participant"


def test_a_caller_that_asks_too_often_has_to_wait():
    now = [0.0]
    rates = Rates(per_minute=60, clock=lambda: now[0])
    for _ in range(60):
        rates.take("a")
    with pytest.raises(TooMany):
        rates.take("a")
    rates.take("b")
    now[0] = 1.5
    rates.take("a")
    with pytest.raises(TooMany):
        rates.take("a")


def test_rates_are_kept_over_http(tmp_path):
    with opened(tmp_path / "memory.db", requests_per_minute=3) as memory:
        http = client(memory)
        answers = [http.get("/v1/memories?user=a").status_code for _ in range(4)]
    assert answers == [200, 200, 200, 429]


def test_a_body_that_takes_too_long_is_given_up(tmp_path):
    sent = []

    async def receive():
        await asyncio.sleep(5)
        return {"type": "http.request", "body": b"{", "more_body": True}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/v1/remember", "client": ("127.0.0.1", 1)}
    with opened(tmp_path / "memory.db", body_seconds_max=0.05) as memory:
        asyncio.run(application(memory)({**scope, "headers": [(b"host", b"localhost")]}, receive, send))
    assert sent[0]["status"] == 408
