"""Checkpoints over HTTP, JSON-RPC and the command line: a user's own, as JSON, never overwritten unseen."""

from __future__ import annotations

import pytest

from tests.surfaces.served import client, opened

STATE = {"next": "plan", "since": {"$type": "datetime", "value": "2026-01-01T00:00:00+00:00"}, "steps": [1, 2.5, None]}


@pytest.fixture
def http(store_path, clock):
    with opened(store_path, clock) as memory:
        yield client(memory)


def save(http, data, user="ana", **headers):
    return http.post("/v1/checkpoints/trip", json={"data": data, "viewpoint": {"user": user}}, headers=headers)


def test_a_state_is_saved_loaded_listed_and_removed(http):
    assert save(http, STATE).json()["version"] == 1
    found = http.get("/v1/checkpoints/trip", params={"user": "ana"})
    assert (found.headers["etag"], found.json()["data"]) == ('"1"', STATE)
    assert save(http, found.json()["data"], **{"If-Match": found.headers["etag"]}).json()["version"] == 2
    assert http.get("/v1/checkpoints/trip", params={"user": "ana"}).json()["data"] == STATE
    (head,) = http.get("/v1/checkpoints", params={"user": "ana"}).json()
    assert (head["thread_id"], head["version"], "data" in head) == ("trip", 2, False)
    assert http.delete("/v1/checkpoints/trip", params={"user": "ana"}).json()["version"] == 2
    assert http.get("/v1/checkpoints", params={"user": "ana"}).json() == []


def test_who_was_second_is_told(http):
    save(http, {"by": "one"})
    for headers in ({}, {"If-Match": '"7"'}):
        refused = save(http, {"by": "two"}, **headers)
        assert (refused.status_code, refused.json()["code"]) == (412, "version_conflict")
    assert http.get("/v1/checkpoints/trip", params={"user": "ana"}).json()["data"] == {"by": "one"}


def test_others_have_none_and_unknown_tags_are_refused(http):
    save(http, {"by": "ana"})
    missing = http.get("/v1/checkpoints/trip", params={"user": "bob"})
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    assert http.delete("/v1/checkpoints/trip", params={"user": "bob"}).status_code == 404
    assert http.get("/v1/checkpoints", params={"user": "bob"}).json() == []
    assert http.get("/v1/checkpoints").json()["code"] == "no_owner"
    assert save(http, {"x": {"$type": "os.system", "value": "ls"}}, user="bob").json()["code"] == "unknown_tag"
    asked = {"thread_id": "trip", "data": [1], "user_id": "ana"}
    called = http.post("/rpc", json={"jsonrpc": "2.0", "id": 1, "method": "checkpoint.save", "params": asked})
    assert called.json()["error"]["data"]["code"] == "invalid_parameter"


def test_on_the_command_line(cli, tmp_path):
    file = tmp_path / "state.json"
    file.write_text('{"next": "plan"}', encoding="utf-8")
    assert cli("checkpoint", "list").out == "No checkpoints.\n"
    assert cli("checkpoint", "save", "trip", str(file)).out == "Saved trip, version 1.\n"
    assert cli("checkpoint", "save", "trip", str(file), "--json").json["error"]["code"] == "version_conflict"
    assert cli("checkpoint", "save", "trip", str(file), "--version", "1").out == "Saved trip, version 2.\n"
    assert cli("checkpoint", "list").out.splitlines()[1].split()[:2] == ["trip", "2"]
    assert '"next": "plan"' in cli("checkpoint", "show", "trip").out
    assert cli("checkpoint", "show", "trip", "--user", "bob").status == 1
    assert cli("checkpoint", "delete", "trip").out == "Deleted trip, version 2.\n"
    file.write_text("{", encoding="utf-8")
    assert cli("checkpoint", "save", "trip", str(file), "--json").json["error"]["code"] == "damaged_file"
