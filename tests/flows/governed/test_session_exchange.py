"""What is said in a governed turn: secrets in any field of it or in two of them, and calls that make no sense."""

from __future__ import annotations

import json

import pytest

from wellkept.errors import InvalidInput
from wellkept.policies.governance.policy import GOVERNED

SECRET = "Velvet#Rhino88"
TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def memory(memory_without_vectors):
    return memory_without_vectors


def denied(told):
    return [event["reason"] for event in told if event["type"] == "memory_denied"]


@pytest.mark.parametrize(
    "calls",
    [
        [{"ai": "What is your password?"}, {"user": SECRET}],
        [{"user": "Log in for me", "ai": "Sure, what is your password?"}, {"user": SECRET}],
        [{"user": "my password is"}, {"ai": "Noted."}, {"user": SECRET}],
        [{"user": "my password is", "ai": f"{SECRET}?"}],
        [{"user": "Fetch my wifi password", "tools": [SECRET]}],
        [{"user": f"My password is {SECRET}", "ai": f"Noted: {SECRET.upper()}"}],
        [{"user": f"My password is {SECRET}", "tools": [{"text": "checked", "key": "note", "value": SECRET}]}],
        [{"tools": [{"text": "fetched", "key": TOKEN, "value": "x"}]}],
        [{"tools": [{"text": "fetched", "key": "token", "value": TOKEN}]}],
    ],
)
def test_a_secret_in_any_field_or_in_two_of_them_is_kept_nowhere(calls, memory, store_path):
    governed = memory.governed(session="s1", user="ana", policy={"write_policy": "aggressive"})
    told = [event for call in calls for event in governed.record(**call)]
    told += governed.recall("anything")
    assert "privacy_deny_sensitive" in denied(told)
    memory.close()
    kept = b"".join(file.read_bytes() for file in store_path.parent.glob(f"{store_path.name}*")).lower()
    for value in (SECRET, TOKEN, "velvet rhino88"):
        assert value.lower() not in json.dumps(told).lower()
        assert value.lower().encode() not in kept


@pytest.mark.parametrize(
    "calls",
    [
        [{"ai": "What is your name?"}, {"user": "Anna"}],
        [{"ai": "Which password manager do you use?"}, {"user": "Bitwarden"}],
        [{"user": "I prefer tea", "ai": "Noted."}, {"user": "My bike has 21 gears"}],
        [{"user": "Run the tests", "tools": ["12 tests passed"]}],
    ],
)
def test_an_ordinary_answer_is_no_secret(calls, memory):
    governed = memory.governed(session="s1")
    assert "privacy_deny_sensitive" not in denied([event for call in calls for event in governed.record(**call)])


@pytest.mark.parametrize("word", ["session", "user", "decay", "allowed"])
def test_a_password_that_is_a_code_leaves_the_codes_readable(word, memory):
    governed = memory.governed(session="s1", user="ana")
    (border, *rest) = governed.record(user=f"My password is {word}", tools=["12 tests passed"])
    assert (border["from_space"], border["to_space"], border["reason"]) == ("session", "session", "allowed")
    assert "(redacted)" not in json.dumps([border["policy_snapshot"], rest[0]["written"][0]["meta"]])


def test_what_a_pattern_denies_stands_in_no_query_and_no_name_of_a_phase(memory):
    governed = memory.governed(session="s1", policy={"privacy": {"deny_patterns": ["zanzi.ar"]}})
    told = governed.recall("flights to Zanzibar") + governed.start_phase("Zanzibar trip") + governed.recall("x")
    assert "Zanzibar" not in json.dumps(told)
    assert told[0]["query"] == "(redacted)"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ({"tools": None}, "invalid_tool"),
        ({"tools": {"text": "a table is no list"}}, "invalid_tool"),
        ({"tools": ["half of a pair \ud83d"]}, "invalid_text"),
        ({"tools": [{"text": "x", "key": "\ud83d"}]}, "invalid_text"),
        ({"tools": [{"text": "x", "key": "k" * 201}]}, "invalid_tool"),
    ],
)
def test_wrong_tools_are_named(call, code, memory):
    with pytest.raises(InvalidInput) as caught:
        memory.governed(session="s1").record(**call)
    assert caught.value.code == code


def test_a_profile_is_a_text_and_a_reason_no_secret(memory):
    with pytest.raises(InvalidInput) as caught:
        memory.governed(session="s1", profile=3)
    assert caught.value.code == "invalid_id"
    with pytest.raises(InvalidInput) as caught:
        memory.governed(session="s1").start_phase(reason=TOKEN)
    assert caught.value.code == "invalid_phase_reason"


def promoted(told):
    return [(event["type"], event["to_space"]) for event in told if event["type"].startswith("memory_promot")]


def test_a_wish_alone_means_what_was_said_before_it(memory):
    governed = memory.governed(session="s1", user="ana", project="apollo")
    assert promoted(governed.record(user="Remember this for me")) == []
    governed.record(user="I speak Dutch", ai="Good to know.")
    assert promoted(governed.record(user="Remember this for me, please.")) == [("memory_promoted", "user")]
    governed.record(user="The harbor freezes in May")
    assert promoted(governed.record(user="Save that for everyone!")) == [("memory_promotion_denied", "system")]
    assert [one.content for one in memory.at(user="ana").list()] == ["The user speaks Dutch"]


def test_the_words_of_a_wish_are_no_fact(memory):
    governed = memory.governed(session="s1", user="ana")
    for words in ("Remember this about me, my name is Olena", "I own a kayak. Save this for me."):
        governed.record(user=words)
    kept = [one.content for one in memory.at(user="ana").list()]
    assert sorted(kept) == ["The user owns a kayak", "The user's name is Olena", "The user's name is Olena"]


@pytest.mark.parametrize(
    "again", ["I PREFER CONCISE UPDATES!", "i prefer  concise updates", "I prefer Concise updates."]
)
def test_the_same_statement_is_one_item_however_it_is_written(again, memory):
    governed = memory.governed(session="s1")
    first, second = (
        next(
            item
            for event in governed.record(user=text)
            for item in event.get("written", ())
            if "dedup_key" in item["meta"]
        )
        for text in ("I prefer concise updates", again)
    )
    assert (second["id"], second["meta"]["dedup_key"]) == (first["id"], first["meta"]["dedup_key"])
    assert "conflict_merge" in second["meta"]["importance_reason"]


def test_a_target_of_an_exchange_without_a_user_is_for_its_tools(memory):
    governed = memory.governed(session="s1", user="ana", project="apollo")
    quota = {"text": "The quota is 40", "key": "quota", "value": "40"}
    assert promoted(governed.record(tools=[quota], promotion_target="project")) == [("memory_promoted", "project")]
    told = governed.record(user="Noted", tools=[{**quota, "value": "41"}], promotion_target="project")
    assert promoted(told) == []


def test_whoever_changes_an_event_changes_nothing_else(memory):
    governed = memory.governed(session="s1")
    for _ in range(2):
        told = governed.record(user="I prefer tea", ai="Noted.") + governed.recall("tea")
        for event in told:
            snapshot = (
                event["policy" if "policy" in event else "policy_snapshot"] if event["type"] != "memory_write" else {}
            )
            assert len(snapshot.pop("hash", "x" * 64)) == 64
            snapshot.get("retention", {}).clear()
            for item in (*event.get("written", ()), *event.get("recalled", ())):
                assert "mine" not in item["meta"]["importance_reason"]
                item["meta"]["importance_reason"].append("mine")
    other = memory.governed(session="s2").recall("tea")[0]["policy"]
    assert other["hash"] == GOVERNED.snapshot["hash"]
    assert other["retention"] == GOVERNED.snapshot["retention"] != {}
