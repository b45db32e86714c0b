"""The requests of mem0's client, as its source sends them; `wellkept bench clients` runs the client itself."""

from __future__ import annotations

import pytest

from tests.surfaces.served import client, opened


@pytest.fixture
def memory(store_path, clock):
    with opened(store_path, clock) as memory:
        yield memory


@pytest.fixture
def http(memory):
    return client(memory)


def add(http, text, **body):
    messages = [{"role": "user", "content": text}]
    return http.post("/v3/memories/add/", json={"messages": messages, **body}).json()["results"]


def test_a_program_of_mem0(http):
    assert http.get("/v1/ping/", headers={"Authorization": "Token anything"}).json()["status"] == "ok"
    (stored,) = add(http, "I am a vegetarian and allergic to nuts", user_id="alex", infer=False)
    assert (stored["event"], stored["user_id"]) == ("ADD", "alex")
    (other,) = add(http, "My favorite color is teal", filters={"user_id": "alex"}, infer=False)
    assert other["memory"] == "My favorite color is teal"

    asked = {"query": "Am I allergic to nuts?", "filters": {"AND": [{"user_id": "alex"}]}, "top_k": 5, "threshold": 0.0}
    found = http.post("/v3/memories/search/", json=asked).json()["results"]
    assert stored["id"] in {one["id"] for one in found}
    assert all(one["score"] >= 0 for one in found)

    alex = {"filters": {"user_id": "alex"}}
    listed = http.post("/v3/memories/?page=1&page_size=1", json=alex).json()
    assert (listed["count"], len(listed["results"]), listed["next"] is not None) == (2, 1, True)
    assert http.post("/v3/memories/", json={"filters": {"user_id": "bob"}}).json()["count"] == 0

    url = f"/v1/memories/{stored['id']}/"
    assert http.get(url).json()["memory"] == "I am a vegetarian and allergic to nuts"
    assert http.put(url, json={"text": "I am vegan"}).json()["memory"] == "I am vegan"
    told = http.get(f"{url}history/").json()
    assert [one["event"] for one in told] == ["ADD", "UPDATE"]
    assert (told[1]["old_memory"], told[1]["new_memory"]) == ("I am a vegetarian and allergic to nuts", "I am vegan")
    assert http.delete(url).json() == {"message": "Memory deleted successfully!"}
    assert http.get("/v1/memories/m_none/").status_code == 404


def test_facts_are_read_from_messages(http):
    messages = [{"role": "user", "content": "My favorite color is teal"}, {"role": "assistant", "content": "Noted!"}]
    learned = http.post("/v3/memories/add/", json={"messages": messages, "user_id": "alex"}).json()["results"]
    assert ["teal" in one["memory"] for one in learned] == [True]
    assert learned[0]["event"] == "ADD"


def test_agents_and_runs_have_memories_of_their_own(http):
    add(http, "The deploy script is called ship", agent_id="builder", infer=False)
    add(http, "The run is about taxes", user_id="alex", run_id="r1", infer=False)
    found = http.post("/v3/memories/", json={"filters": {"agent_id": "builder"}}).json()["results"]
    assert [(one["agent_id"], one["user_id"]) for one in found] == [("builder", None)]
    found = http.post("/v3/memories/", json={"filters": {"user_id": "alex", "run_id": "r1"}}).json()["results"]
    assert [one["run_id"] for one in found] == ["r1"]
    assert http.post("/v3/memories/", json={"filters": {"user_id": "alex", "run_id": "r2"}}).json()["count"] == 0
    owners = http.get("/v1/entities/").json()["results"]
    assert {(one["type"], one["name"]) for one in owners} == {("agent", "builder"), ("user", "alex")}
    http.delete("/v2/entities/agent/builder/")
    assert http.post("/v3/memories/", json={"filters": {"agent_id": "builder"}}).json()["count"] == 0


def test_batches_and_deleting_all(http):
    stored = [add(http, f"Fact number {number}", user_id="alex", infer=False)[0]["id"] for number in range(3)]
    changed = [{"memory_id": stored[0], "text": "Another fact"}]
    assert http.put("/v1/batch/", json={"memories": changed}).status_code == 200
    assert http.get(f"/v1/memories/{stored[0]}/").json()["memory"] == "Another fact"
    gone = {"memories": [{"memory_id": stored[1]}]}
    assert http.request("DELETE", "/v1/batch/", json=gone).status_code == 200
    assert http.post("/v3/memories/", json={"filters": {"user_id": "alex"}}).json()["count"] == 2
    http.delete("/v1/memories/", params={"user_id": "alex"})
    assert http.post("/v3/memories/", json={"filters": {"user_id": "alex"}}).json()["count"] == 0


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v3/memories/add/", {"messages": "x", "user_id": "a"}),
        ("/v3/memories/add/", {"messages": [1, None, {}], "user_id": "a"}),
        ("/v3/memories/search/", {"filters": {"user_id": "a"}}),
        ("/v3/memories/search/", {"query": "x", "filters": {"OR": [{"user_id": "a"}]}}),
        ("/v3/memories/search/", {"query": "x", "filters": {"user_id": "a", "colour": "x"}}),
        ("/v3/memories/search/", {"query": "x", "filters": {"user_id": "*"}}),
        ("/v3/memories/?page=0", {"filters": {"user_id": "a"}}),
        ("/v3/memories/?page=x", {"filters": {"user_id": "a"}}),
        ("/v3/memories/", {"filters": [1]}),
    ],
)
def test_what_it_cannot_do_is_said(http, path, body):
    answer = http.post(path, json=body)
    assert (answer.status_code, bool(answer.json()["code"])) == (422, True)


def test_a_key_of_one_user_reaches_no_other(memory, http):
    (stored,) = add(http, "I am a vegetarian", user_id="alex", infer=False)
    bob = client(memory, key=memory.keys.add("bob", scope=["user:bob"]).key)
    assert bob.get(f"/v1/memories/{stored['id']}/").status_code == 404
    assert bob.delete(f"/v1/memories/{stored['id']}/").status_code == 404
    assert bob.post("/v3/memories/", json={"filters": {"user_id": "alex"}}).json()["code"] == "identity_mismatch"
    assert bob.get("/v1/entities/").json()["results"] == []


def test_nothing_is_deleted_of_nobody(http):
    add(http, "I own a kayak", user_id="alex", infer=False)
    for url in ("/v1/memories/", "/v1/memories/?user=alex"):
        refused = http.delete(url)
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid_parameter")
    assert http.delete("/v1/memories/?user_id=alex").json() == {"message": "Memories deleted successfully!"}
