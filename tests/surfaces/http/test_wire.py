"""Ids that callers choose, in paths: whatever is in them, they reach their operation as they are."""

from __future__ import annotations

import http.client
import json
from urllib.parse import quote, urlencode, urlsplit

import pytest
from starlette.testclient import TestClient

from tests.surfaces.served import LOOPBACK, client, opened
from wellkept.operations import OPERATIONS
from wellkept.surfaces.http import wire
from wellkept.surfaces.http.application import BODY_METHODS, guarded
from wellkept.surfaces.http.gateway import Service

AWKWARD = (
    *("a/b", "a/", "/a", "//", "a/phases", "../x", "a/../b", "phases", "merge"),
    *("a?b=c", "a#b", "100%", "a%2Fb", "a%252Fb", "a+b", "a&b", "a;b", 'a"b', "a{b}"),
    *("two words", " outer ", "two\nlines", "end\n", ".hidden", "…", "ünï/ço∂é 🙂", "x" * 512),
)
ROUTES = [
    (operation, method, path)
    for operation in OPERATIONS
    for method, path in (operation.http, *operation.also)
    if "{" in path
]


class Echo(Service):
    """A service that answers with the operation and the arguments it was asked for."""

    async def run(self, call):
        return {"operation": call.operation.name, **call.arguments}


@pytest.fixture(scope="module")
def echo(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("echo") / "memory.db") as memory:
        yield TestClient(guarded(Echo(memory)), base_url="http://localhost", client=LOOPBACK)


@pytest.mark.parametrize(("operation", "method", "path"), ROUTES, ids=[f"{one[1]} {one[2]}" for one in ROUTES])
def test_every_path_takes_every_id(echo, operation, method, path):
    before, name, after = path.partition("{")[0], *path.partition("{")[2].split("}")
    for awkward in AWKWARD:
        asked = {"json": {}} if method in BODY_METHODS else {}
        answer = echo.request(method, f"{before}{quote(awkward, safe='')}{after}", **asked)
        assert answer.json() == {"operation": operation.name, name: awkward}


def test_paths_that_mean_the_same_are_one(echo):
    assert echo.get("/v1/%70eople/Bo%62").json() == {"operation": "person", "reference": "Bob"}
    assert echo.get("/healthz").json() == echo.get("/%68ealthz").json()
    assert echo.get("/v1%2Fpeople").json()["code"] == "unknown_path"
    assert echo.get("/v1/people/%FF%C3").json() == {"operation": "person", "reference": "\ufffd\ufffd"}
    assert wire.routed({"path": "/v1/people/100% Bob"}) == "/v1/people/100%25%20Bob"


def test_programs_of_mem0_delete_a_user_with_a_slash(store_path, clock):
    with opened(store_path, clock) as memory:
        app = client(memory)
        memory.at(user="team/ann").remember("My favorite color is teal")
        assert app.delete("/v2/entities/user/team%2Fann/").json()["message"] == "Memories deleted successfully!"
        assert len(memory.at(user="team/ann").list()) == 0


def test_a_real_server_reaches_what_python_made(serve, settings):
    """Over a socket, as programs send it; `.` and `..` too, where a program leaves the path as it is."""
    user, session = "org/ann?#%", "2026/03 – week #1?"
    with opened(settings / "memory.db") as memory:
        governed = memory.governed(session=session, user=user)
        governed.record(user="I prefer tea")
        governed.start_phase("next/one", reason="new_topic")
        memory.at(user=user).save_checkpoint("graph/1", {"step": 1})
        memory.at(user=user).save_checkpoint("..", {"step": 2})
    _, (url,) = serve()
    connection = http.client.HTTPConnection(urlsplit(url).netloc)

    def asked(method, path, body=None, **query):
        connection.request(method, f"{path}?{urlencode(query)}" if query else path, body and json.dumps(body))
        return json.loads(connection.getresponse().read())

    trace = f"/v1/traces/{quote(session, safe='')}"
    assert [one["session"] for one in asked("GET", "/v1/traces")] == [session]
    assert "I prefer tea" in json.dumps(asked("GET", trace))
    assert [one["phase_name"] for one in asked("GET", f"{trace}/phases")][-1] == "next/one"
    pair = {"from_phase": "phase-1", "to_phase": "phase-2"}
    assert "memory_phase_diff" in {one["type"] for one in asked("POST", f"{trace}/diff", pair)}
    assert asked("GET", "/v1/checkpoints/graph%2F1", user=user)["data"] == {"step": 1}
    assert asked("GET", "/v1/checkpoints/%2E%2E", user=user)["data"] == {"step": 2}
    called = {"jsonrpc": "2.0", "id": 1, "method": "checkpoint.show", "params": {"user_id": user, "thread_id": ".."}}
    assert asked("POST", "/rpc", called)["result"]["data"] == {"step": 2}
    whole = f"/v1/users/{quote(user, safe='')}"
    assert "graph/1" in json.dumps(asked("GET", f"{whole}/export"))
    asked("DELETE", whole)
    assert "graph/1" not in json.dumps(asked("GET", f"{whole}/export"))
    connection.close()
