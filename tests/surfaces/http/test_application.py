"""Over HTTP: operations by the table, problems, pages, versions, repeated writes, health and the stream."""

from __future__ import annotations

import json

import pytest

from tests.surfaces.served import client, opened
from wellkept.operations import OPERATIONS

ALICE = {"user": "alice"}


@pytest.fixture
def memory(store_path, clock):
    with opened(store_path, clock) as memory:
        yield memory


@pytest.fixture
def http(memory):
    return client(memory)


def told(http, text, user="alice", **headers):
    body = {"facts": text, "viewpoint": {"user": user}}
    return http.post("/v1/remember", json=body, headers=headers).json()


def test_every_operation_is_described_at_its_path(http):
    described = http.get("/openapi.json").json()
    for operation in OPERATIONS:
        for method, path in (operation.http, *operation.also):
            assert described["paths"][path][method.lower()]["summary"] == operation.doc


def test_a_memory_lives_over_http(http):
    stored = told(http, "My favorite color is teal")
    assert stored["outcome"] == "created"
    url = f"/v1/memories/{stored['id']}"
    found = http.post("/v1/recall", json={"query": "favorite color", "viewpoint": ALICE}).json()
    assert [hit["id"] for hit in found["hits"]] == [stored["id"]]
    assert http.delete(url, params=ALICE).json()["reason"] == "user_deleted"
    assert http.get("/v1/memories", params=ALICE).json() == []
    assert http.post(f"{url}/restore", json={"viewpoint": ALICE}).json()["reason"] == "restored"
    for path in (f"{url}/history", f"/memory/{stored['id']}/history", f"/v1/memory/{stored['id']}/history"):
        assert http.get(path, params=ALICE).json()["events"][0]["event"] == "RESTORE"
    assert http.get(url, params={"user": "bob"}).json()["code"] == "not_found"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b'{"facts": "x y", "colour": 1}', 422, "invalid_parameter"),
        (b'{"facts": "x y", "viewpoint": {"colour": "x"}}', 422, "invalid_viewpoint"),
        (b'{"facts": "x y", "viewpoint": {"user": 3}}', 422, "invalid_viewpoint"),
        (b'{"facts": "x y", "viewpoint": []}', 422, "invalid_viewpoint"),
        (b'{"facts": "x y", "viewpoint": null}', 422, "no_owner"),
        (b'{"facts": "x y", "viewpoint": "alice"}', 422, "invalid_viewpoint"),
        (b"{}", 422, "invalid_parameter"),
        (b"", 422, "invalid_parameter"),
        (b"[]", 400, "bad_json"),
        (b'{"facts": NaN}', 400, "bad_json"),
        (b'{"facts": 1e999}', 400, "bad_json"),
        (b'{"facts": "a", "facts": "b"}', 400, "bad_json"),
        (b'{"facts": "\xff"}', 400, "bad_json"),
        (b'{"facts": "\\ud800"}', 422, "invalid_text"),
        (b"[" * 100_000, 413, "too_deep"),
        (b'{"facts": ' + b"[" * 40 + b"]" * 40 + b"}", 413, "too_deep"),
        (b'{"facts": "' + b"x" * 3_000_000 + b'"}', 413, "too_large"),
    ],
)
def test_what_is_wrong_is_a_problem_document(http, body, status, code):
    answer = http.post("/v1/remember", content=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == status


def test_unknown_places_and_methods_are_problems_too(http):
    assert http.get("/v1/nothing").json()["code"] == "unknown_path"
    answer = http.put("/v1/memories/m_x")
    assert (answer.status_code, answer.json()["code"]) == (405, "unknown_method")
    assert answer.headers["allow"] == "DELETE, GET, HEAD, PATCH"


def test_pages_follow_each_other_by_cursor(http):
    for number in range(5):
        told(http, f"My lucky number {number} is {number}00")
    whole = [one["id"] for one in http.get("/v1/memories", params=ALICE).json()]
    found, url = [], "/v1/memories?user=alice&limit=2"
    while url:
        page = http.get(url)
        found += [one["id"] for one in page.json()]
        url = page.headers.get("link", "").partition("<")[2].partition(">")[0]
    assert found == whole
    events = http.get("/v1/events", params={"user": "alice", "limit": 2})
    more = http.get("/v1/events", params={"user": "alice", "limit": 2, "before": events.headers["next-cursor"]})
    assert not {one["id"] for one in events.json()} & {one["id"] for one in more.json()}
    assert http.get("/v1/events", params={"user": "alice", "before": "x"}).json()["code"] == "invalid_cursor"


def test_a_query_is_read_by_the_kind_of_its_parameters(http):
    told(http, "My favorite color is teal")
    asked = {**ALICE, "include_expired": "true", "limit": "1", "filters": json.dumps({"pinned": False})}
    assert len(http.get("/v1/memories", params=asked).json()) == 1
    for wrong in ({"limit": "x"}, {"include_expired": "perhaps"}, {"filters": "[1"}, {"colour": "x"}):
        assert http.get("/v1/memories", params={**ALICE, **wrong}).status_code in (400, 422)
    assert http.get("/v1/memories?user=alice&user=bob").json()["code"] == "invalid_parameter"


def test_a_patch_of_what_has_changed_is_refused(http):
    url = f"/v1/memories/{told(http, 'My favorite color is teal')['id']}"
    tag = http.get(url, params=ALICE).headers["etag"]
    assert http.get(url, params=ALICE, headers={"If-None-Match": tag}).status_code == 304

    def patch(text, tag):
        return http.patch(url, json={"content": text, "viewpoint": ALICE}, headers={"If-Match": tag}).status_code

    assert [patch("It is green.", tag), patch("It is red.", tag), patch("It is red.", "W/x")] == [200, 412, 412]
    assert http.get(url, params=ALICE).json()["content"] == "It is green."


def test_a_write_with_a_key_is_done_once(http):
    first = told(http, "I adopted a cat called Miso", **{"Idempotency-Key": "one"})
    assert told(http, "I adopted a cat called Miso", **{"Idempotency-Key": "one"}) == first
    assert told(http, "I adopted a cat called Miso")["outcome"] == "duplicate"
    assert told(http, "Something else entirely", **{"Idempotency-Key": "one"})["code"] == "idempotency_mismatch"
    assert told(http, "Again", **{"Idempotency-Key": "x" * 300})["code"] == "invalid_idempotency_key"


def test_a_new_key_is_told_once_even_with_an_idempotency_key(http):
    made = [
        http.post("/v1/keys", json={"name": "bot", "scope": ["operator"]}, headers={"Idempotency-Key": "k"})
        for _ in range(2)
    ]
    assert made[0].status_code == 200
    assert made[1].json()["code"] == "no_key"


def test_health_and_figures(http, memory):
    assert http.get("/healthz").json() == {"status": "ok"}
    assert http.get("/readyz").json() == {"status": "ready"}
    told(http, "My favorite color is teal")
    figures = http.get("/metrics").text
    assert 'wellkept_calls_total{code="ok",operation="remember",surface="http"} 1.0' in figures
    assert 'wellkept_events_total{node="hotpath",op="create",status="ok",tenant="default"} 1.0' in figures
    key = memory.keys.add("bot", scope=["user:alice"]).key
    assert client(memory, key=key).get("/metrics").json()["code"] == "admin_only"
    assert client(memory).get("/healthz").status_code == 200


def test_the_home_page_is_the_studio(http):
    assert "<title>Home · wellkept</title>" in http.get("/").text
