"""The requests of mem0's client, as its source sends them; `wellkept bench clients` runs the client itself."""

from __future__ import annotations

import pytest

from tests.surfaces.served import client, opened
from wellkept.errors import InvalidInput
from wellkept.surfaces.http.mem0 import check_filters, owners, passes


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


def listed(http, **filters):
    answer = http.post("/v3/memories/", json={"filters": filters})
    assert answer.status_code == 200, answer.json()
    return sorted(one["memory"] for one in answer.json()["results"])


def test_metadata_is_kept_searched_and_erased(memory, http):
    key = "sk-proj-" + "Ab3dEf6hIj9" * 5
    given = {"food": "vegan", "level": 3, "tags": ["a", "b"], "key": key}
    (stored,) = add(http, "I am a vegan", user_id="alex", infer=False, metadata=given)
    add(http, "I own a kayak", user_id="alex", infer=False, metadata={"level": 1})
    assert stored["metadata"] == {**given, "key": stored["metadata"]["key"]}
    assert key not in str(stored)
    assert listed(http, user_id="alex", metadata={"food": "vegan"}) == ["I am a vegan"]
    assert listed(http, user_id="alex", metadata={"level": {"gte": 1, "lt": 3}}) == ["I own a kayak"]
    assert listed(http, user_id="alex", metadata={"tags": {"contains": "b"}}) == ["I am a vegan"]
    assert listed(http, user_id="alex", metadata={"food": "*"}) == ["I am a vegan"]
    asked = {"query": "kayak vegan", "filters": {"user_id": "alex", "metadata": {"level": {"in": [1, 2]}}}}
    found = http.post("/v3/memories/search/", json=asked).json()["results"]
    assert [one["memory"] for one in found] == ["I own a kayak"]
    url = f"/v1/memories/{stored['id']}/"
    changed = http.put(url, json={"metadata": {"food": "none"}}).json()
    assert (changed["memory"], changed["metadata"]) == ("I am a vegan", {"food": "none"})
    assert http.get(url).json() == changed
    memory.upkeep.erase("alex")
    assert memory.engine.store.items("default", ("mem0",)) == ()


def test_filters_combine(http):
    add(http, "I own a kayak", user_id="alex", run_id="r1", infer=False)
    add(http, "I live in Oslo", user_id="alex", agent_id="travel", infer=False)
    add(http, "I live in Rome", user_id="bob", infer=False)
    everything = ["I live in Oslo", "I live in Rome", "I own a kayak"]
    assert listed(http, OR=[{"user_id": "alex"}, {"user_id": "bob"}]) == everything
    assert listed(http, user_id={"in": ["alex", "bob"]}) == everything
    assert listed(http, AND=[{"user_id": "alex"}, {"NOT": [{"run_id": "r1"}]}]) == ["I live in Oslo"]
    assert listed(http, AND=[{"user_id": "alex"}, {"agent_id": "travel"}]) == ["I live in Oslo"]
    assert listed(http, user_id="alex", keywords={"icontains": "KAYAK"}) == ["I own a kayak"]
    assert listed(http, user_id="alex", categories={"in": ["no such category"]}) == []
    asked = {"query": "I live in", "filters": {"OR": [{"user_id": "alex"}, {"user_id": "bob"}]}, "top_k": 1}
    assert len(http.post("/v3/memories/search/", json=asked).json()["results"]) == 1


def test_dates_narrow(http):
    (stored,) = add(http, "I own a kayak", user_id="alex", infer=False)
    day = stored["created_at"][:10]
    assert listed(http, user_id="alex", created_at={"gte": day}) == ["I own a kayak"]
    assert listed(http, user_id="alex", created_at={"lt": day}) == []
    assert listed(http, AND=[{"user_id": "alex"}, {"updated_at": {"gt": "2999-01-01"}}]) == []
    refused = http.post("/v3/memories/", json={"filters": {"user_id": "alex", "created_at": {"gte": "soon"}}})
    assert refused.json()["code"] == "invalid_filter"


def test_a_memory_can_expire(http, clock):
    (plain,) = add(http, "I am in Rome", user_id="alex", infer=False, expiration_date="2999-01-01")
    assert plain["expiration_date"].startswith("2999-01-01")
    (read,) = add(http, "My favorite color is teal", user_id="alex", expiration_date="2099-01-01")
    assert read["expiration_date"].startswith("2099-01-01")
    past = {"messages": [{"role": "user", "content": "x"}], "user_id": "a", "expiration_date": "2001-01-01"}
    assert http.post("/v3/memories/add/", json=past).json()["code"] == "invalid_parameter"


def test_what_was_deleted_is_not_found(http):
    (stored,) = add(http, "I own a kayak", user_id="alex", infer=False)
    url = f"/v1/memories/{stored['id']}/"
    http.delete(url)
    assert http.get(url).status_code == 404
    assert http.delete(url).status_code == 404
    assert http.put(url, json={"text": "x"}).status_code == 404
    assert next(one["event"] for one in http.get(f"{url}history/").json()) == "ADD"


def test_feedback_is_kept(http):
    (stored,) = add(http, "I own a kayak", user_id="alex", infer=False)
    said = {"memory_id": stored["id"], "feedback": "NEGATIVE", "feedback_reason": "I sold it"}
    assert http.post("/v1/feedback/", json=said).status_code == 200
    told = http.get(f"/v1/memories/{stored['id']}/").json()
    assert (told["feedback"], told["feedback_reason"]) == ("NEGATIVE", "I sold it")
    assert http.post("/v1/feedback/", json={**said, "feedback": "MEH"}).json()["code"] == "invalid_parameter"
    assert http.post("/v1/feedback/", json={**said, "memory_id": "m_none"}).status_code == 404


def test_an_export_has_the_fields_that_its_schema_names(http):
    add(http, "I own a kayak", user_id="alex", infer=False, metadata={"level": 1})
    schema = {"type": "object", "properties": {"memory": {"type": "string"}, "metadata": {"type": "object"}}}
    alex = {"filters": {"user_id": "alex"}}
    made = http.post("/v1/exports/", json={"schema": schema, **alex}).json()
    fetched = http.post("/v1/exports/get/", json={"memory_export_id": made["id"], **alex}).json()
    assert fetched == {"memories": [{"memory": "I own a kayak", "metadata": {"level": 1}}]}
    assert http.post("/v1/exports/get/", json=alex).json()["memories"][0]["user_id"] == "alex"
    nested = {"properties": {"items": {"type": "array", "items": schema}}}
    assert http.post("/v1/exports/", json={"schema": nested, **alex}).json()["id"] == made["id"]
    for odd, code in (({"properties": {"mood": {}}}, "unsupported_schema"), ("{", "invalid_schema")):
        assert http.post("/v1/exports/", json={"schema": odd, **alex}).json()["code"] == code
    unknown = http.post("/v1/exports/get/", json={"memory_export_id": "none", **alex}).json()
    assert unknown["code"] == "unknown_export"


def test_a_key_of_one_user_exports_no_other(memory, http):
    (stored,) = add(http, "I am a vegetarian", user_id="alex", infer=False, metadata={"a": 1})
    alex = {"filters": {"user_id": "alex"}}
    made = http.post("/v1/exports/", json={"schema": {"properties": {"memory": {}}}, **alex}).json()
    bob = client(memory, key=memory.keys.add("bob", scope=["user:bob"]).key)
    for body in (alex, {"memory_export_id": made["id"], **alex}):
        assert bob.post("/v1/exports/get/", json=body).json()["code"] == "identity_mismatch"
    either = {"filters": {"OR": [{"user_id": "bob"}, {"user_id": "alex"}]}}
    assert bob.post("/v3/memories/", json=either).json()["code"] == "identity_mismatch"
    assert bob.post("/v1/feedback/", json={"memory_id": stored["id"], "feedback": "NEGATIVE"}).status_code == 404


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/v3/memories/add/", {"messages": [], "user_id": "a", "enable_graph": True}, "unsupported_option"),
        (
            "/v3/memories/add/",
            {"messages": [], "user_id": "a", "includes": "x"},
            "unsupported_option",
        ),
        ("/v3/memories/add/", {"messages": [], "user_id": "a", "metadata": [1]}, "invalid_parameter"),
        ("/v3/memories/search/", {"query": "x", "user_id": "a", "keyword_search": True}, "unsupported_option"),
        ("/v3/memories/", {"filters": {"user_id": "a", "metadata": {"x": {"near": 1}}}}, "invalid_filter"),
        ("/v3/memories/", {"filters": {"OR": {"user_id": "a"}}}, "invalid_filter"),
        ("/v3/memories/", {"filters": {"user_id": {"in": [f"u{n}" for n in range(30)]}}}, "invalid_filter"),
        ("/v1/summary/", {"filters": {"user_id": "a"}}, "unsupported"),
        ("/v2/entities/user/a/profile/", {}, "unsupported"),
        ("/v2/profiles/settings/", {}, "unsupported"),
        ("/api/v1/orgs/organizations/o/projects/p/", {}, "unsupported"),
        ("/api/v1/webhooks/projects/p/", {}, "unsupported"),
    ],
)
def test_what_cannot_be_done_has_a_code(http, path, body, code):
    answer = http.post(path, json=body)
    assert answer.json()["code"] == code
    assert answer.status_code == (501 if code == "unsupported" else 422)


MEMORY = {
    "id": "m1",
    "memory": "I own a Kayak",
    "user_id": "alex",
    "agent_id": None,
    "categories": ["sports", "travel"],
    "metadata": {"level": 3, "tag": None, "name": "Blue"},
    "created_at": "2026-03-02T09:00:00+00:00",
    "updated_at": "2026-03-03T09:00:00+00:00",
}


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (None, [{}]),
        ({"categories": "x"}, [{}]),
        ({"user_id": "a"}, [{"user_id": "a"}]),
        ({"AND": [{"user_id": "a"}, {"run_id": "r"}]}, [{"user_id": "a", "run_id": "r"}]),
        ({"OR": [{"user_id": "a"}, {"agent_id": "b"}]}, [{"user_id": "a"}, {"agent_id": "b"}]),
        ({"user_id": {"in": ["a", "b"]}}, [{"user_id": "a"}, {"user_id": "b"}]),
        ({"NOT": [{"user_id": "a"}]}, [{}]),
        ({"user_id": {"ne": "a"}}, [{}]),
    ],
)
def test_owners(filters, found):
    check_filters(filters)
    assert owners(filters) == found


@pytest.mark.parametrize(
    ("filters", "is_found"),
    [
        ({}, True),
        ({"user_id": "alex"}, True),
        ({"user_id": {"ne": "alex"}}, False),
        ({"agent_id": "x"}, False),
        ({"categories": "sports"}, True),
        ({"categories": ["food", "travel"]}, True),
        ({"categories": {"nin": ["sports"]}}, False),
        ({"categories": {"contains": "sport"}}, False),
        ({"keywords": "kayak"}, True),
        ({"keywords": {"contains": "kayak"}}, False),
        ({"metadata": {"level": {"gt": 2, "lte": 3}}}, True),
        ({"metadata": {"level": {"gt": "2"}}}, False),
        ({"metadata": {"none": {"gte": 0}}}, False),
        ({"metadata": {"tag": "*"}}, False),
        ({"metadata": {"name": {"icontains": "BLU"}}}, True),
        ({"memory_ids": ["m1", "m2"]}, True),
        ({"memory_ids": "m2"}, False),
        ({"created_at": {"gte": "2026-03-02", "lt": "2026-03-03"}}, True),
        ({"created_at": "2026-03-02T09:00:00Z"}, True),
        ({"updated_at": {"gt": 1_900_000_000}}, False),
        ({"NOT": {"categories": "sports"}}, False),
        ({"AND": [{"user_id": "alex"}, {"OR": [{"metadata": {"level": 1}}, {"categories": "sports"}]}]}, True),
        ({"NOT": [{"metadata": {"level": 1}}, {"categories": "food"}]}, True),
    ],
)
def test_passes(filters, is_found):
    check_filters(filters)
    assert passes(MEMORY, filters) is is_found


@pytest.mark.parametrize(
    "filters",
    [
        [1],
        {"colour": "x"},
        {"user_id": "*"},
        {"user_id": 1},
        {"user_id": {"in": [1]}},
        {"metadata": "x"},
        {"metadata": {"x": {"near": 1}}},
        {"metadata": {"x": {"in": 1}}},
        {"metadata": {"x": {}}},
        {"created_at": "soon"},
        {"created_at": {"gte": None}},
        {"AND": {"user_id": "a"}},
        {"OR": ["a"]},
        {"NOT": "a"},
    ],
    ids=str,
)
def test_what_is_no_filter_is_refused(filters):
    with pytest.raises(InvalidInput) as caught:
        check_filters(filters)
    assert caught.value.code == "invalid_filter"


def test_a_filter_names_a_few_owners_at_most():
    with pytest.raises(InvalidInput):
        owners({"user_id": {"in": [f"u{number}" for number in range(30)]}})
