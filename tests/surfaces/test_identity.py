"""A token for Alice never acts as Bob: every operation on every surface, and whatever else takes a user."""

from __future__ import annotations

import re
from datetime import timedelta

import anyio
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from tests.surfaces.served import client, opened
from wellkept.flows.serving import api_keys
from wellkept.operations import OPERATIONS
from wellkept.policies.callers import Grant
from wellkept.surfaces.http import schemas
from wellkept.surfaces.http.gateway import Service
from wellkept.surfaces.http.guard import SIGN_IN
from wellkept.surfaces.mcp import TOOLS, Mcp
from wellkept.surfaces.studio import PAGES

SECRET = "hmac:a secret of the sandbox"
VALUES = {
    "texts": ["x"], "pair": ["x", "y"], "facts": "I like tea", "messages": [{"role": "user", "content": "x"}],
    "integer": 1, "number": 1.5, "flag": True, "object": {},
}  # fmt: skip
ROUTES = [(one, method, path) for one in OPERATIONS for method, path in (one.http, *one.also)]


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("store") / "memory.db", token_key=SECRET) as memory:
        memory.at(user="bob").remember("I collect stamps")
        yield memory


@pytest.fixture(scope="module")
def alice(memory):
    expires = memory.engine.clock() + timedelta(hours=1)
    return client(
        memory, key=api_keys.make({"user": "alice", "chat": "dm"}, api_keys.TokenKey(SECRET), expires=expires)
    )


def needed(operation):
    return {one.name: VALUES.get(one.kind, "x") for one in operation.parameters if one.is_required}


def refusal(operation):
    """Operations that name a user of their own are for operators."""
    return "admin_only" if any(one.name == "user_id" for one in operation.parameters) else "identity_mismatch"


@pytest.mark.parametrize(
    ("operation", "method", "path"), ROUTES, ids=[f"{method} {path}" for _, method, path in ROUTES]
)
def test_over_http_and_rpc(alice, operation, method, path):
    arguments = needed(operation) | ({"user_id": "bob"} if refusal(operation) == "admin_only" else {})
    inside = schemas.in_path(path)
    url = path.format(**{name: arguments[name] for name in inside})
    rest = {name: value for name, value in arguments.items() if name not in inside}
    if method in ("GET", "DELETE"):
        answer = alice.request(method, url, params={**rest, "user": "bob"})
    else:
        answer = alice.request(method, url, json={**rest, "viewpoint": {"user": "bob"}})
    assert (answer.status_code, answer.json()["code"]) == (403, "identity_mismatch")
    params = {**arguments, "user_id": "bob"}
    said = alice.post("/rpc", json={"jsonrpc": "2.0", "id": 1, "method": operation.rpc, "params": params}).json()
    assert said["error"]["data"]["code"] == refusal(operation)
    if refusal(operation) == "admin_only":  # there `user_id` is whom it is about
        params = {**arguments, "user_id": "alice", "user": "bob"}
        said = alice.post("/rpc", json={"jsonrpc": "2.0", "id": 1, "method": operation.rpc, "params": params}).json()
        assert said["error"]["data"]["code"] == "identity_mismatch"


MEM0 = [
    ("POST", "/v3/memories/add/", {"messages": [{"role": "user", "content": "I like tea"}], "user_id": "bob"}),
    ("POST", "/v3/memories/search/", {"query": "stamps", "filters": {"user_id": "bob"}}),
    ("POST", "/v2/memories/search/", {"query": "stamps", "filters": {"AND": [{"user_id": "bob"}]}}),
    ("POST", "/v3/memories/", {"filters": {"user_id": "bob"}}),
    ("POST", "/v3/memories/", {"filters": {"agent_id": "bob"}}),
    ("DELETE", "/v1/memories/?user_id=bob", None),
    ("DELETE", "/v2/entities/user/bob/", None),
    ("GET", "/v1/stream?user=bob", None),
]


@pytest.mark.parametrize(("method", "path", "body"), MEM0, ids=[f"{method} {path}" for method, path, _ in MEM0])
def test_over_the_routes_of_mem0_and_the_stream(alice, memory, method, path, body):
    answer = alice.request(method, path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "identity_mismatch")
    assert len(memory.at(user="bob").list()) == 1


def test_one_memory_of_somebody_else_is_not_there(alice, memory):
    (stamps,) = memory.at(user="bob").list()
    one = f"/v1/memories/{stamps.id}"
    reading = [("GET", path) for path in (one, f"{one}/", f"{one}/history", f"{one}/history/")]
    for method, path in [*reading, ("DELETE", one), ("DELETE", f"{one}/"), ("GET", f"/memory/{stamps.id}/history")]:
        answer = alice.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
    assert alice.get("/v1/entities/").json()["results"] == []


@pytest.mark.parametrize("path", [path for path in PAGES if path != SIGN_IN])
def test_in_the_studio(alice, path):
    """Pages that show nothing before they are asked for something may be looked at."""
    asked = {"user": "bob", "users": "bob", "chat": "dm", "q": "stamps", "session": "s", "doctor": "yes"}
    answer = alice.get(re.sub(r"\{\w+\}", "m_x", path), params=asked)
    is_explained = path in ("/health", "/settings") and "for operators" in answer.text
    assert answer.status_code in (403, 404) or is_explained, answer.text
    # What was asked for may be repeated: in its own field, and in the way back to the page.
    assert "stamps" not in answer.text.replace('value="stamps"', "").replace("q=stamps", "")


def test_over_mcp(memory):
    grant = Grant(caller="test", settled={"user": "alice"})
    server = Mcp(Service(memory), lambda _context: (grant, {"user": "bob"})).server

    async def asked():
        async with Client(server) as agent:
            for name, operation in TOOLS.items():
                answer = await agent.call_tool(name, needed(operation))
                assert answer.structured_content["error"]["code"] == "identity_mismatch", name
            for uri in ("memory://context", "memory://people", "memory://m_x"):
                with pytest.raises(MCPError, match="not what the key or token says"):
                    await agent.read_resource(uri)
            with pytest.raises(MCPError, match="not what the key or token says"):
                await agent.get_prompt("context")

    anyio.run(asked)
