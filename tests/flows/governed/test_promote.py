"""Promotion: what goes to a wider space goes there once, and stands against what others put there."""

from __future__ import annotations

import pytest


@pytest.fixture
def memory(memory_without_vectors):
    return memory_without_vectors


def of(told, *kinds):
    return [event for event in told if event["type"] in kinds]


@pytest.mark.parametrize("fact", ["my dog is called Rex", "my favorite color is teal", "my birthday is May 3"])
def test_a_fact_that_the_profile_refuses_is_promoted_once(fact, memory):
    told = memory.governed(session="s1", user="ana").record(user=f"Remember this for me: {fact}")
    assert [event["reason"] for event in of(told, "memory_denied")] == ["privacy_deny_profile_key"]
    assert len(of(told, "memory_promoted")) == 1
    assert len(memory.at(user="ana").list()) == 1


def test_what_a_tool_vouches_for_is_one_fact_of_the_project_whoever_asks(memory):
    for user, region in (("ana", "Oslo"), ("ben", "Rome")):
        output = {"text": f"Region: {region}", "key": "region", "value": region, "promotion_target": "project"}
        told = memory.governed(session=user, user=user, project="apollo").record(tools=[output])
    (conflict,) = of(told, "memory_conflict")
    assert (conflict["rule"], conflict["dedup_key"]) == ("recency", "fact:region")
    other = memory.governed(session="zoe", user="zoe", project="apollo")
    (recall,) = of(other.recall("region"), "memory_recall")
    assert [item["text"] for item in recall["recalled"]] == ["Region: Rome"]


def test_a_slot_of_a_person_stays_that_persons_in_the_project(memory):
    for user, city in (("ana", "Oslo"), ("ben", "Rome")):
        governed = memory.governed(session=user, user=user, project="apollo")
        for space in ("me", "our project"):
            told = governed.record(user=f"Remember this for {space}: I live in {city}")
        assert not of(told, "memory_conflict")


def test_a_session_is_in_no_chat_whatever_its_policy_says(memory):
    way = {"from_space": "session", "to_space": "chat", "authority": "user_asserted"}
    governed = memory.governed(session="s1", policy={"spaces": {"promotions": [way]}})
    told = governed.record(user="I prefer tea", promotion_target="chat")
    assert [event["reason"] for event in of(told, "memory_border_check", "memory_promotion_denied")] == [
        "allowed",
        "space_disabled",
        "promotion_disallowed",
    ]


def test_a_confidence_does_not_reach_the_project(memory):
    ana = memory.governed(session="a", user="ana", project="apollo")
    told = ana.record(user="Remember this for our project: between us, we decided to drop the Lisbon office")
    assert [event["reason"] for event in of(told, "memory_promotion_denied")] == ["promotion_disallowed"]
    (recall,) = of(memory.governed(session="z", user="zed", project="apollo").recall("Lisbon"), "memory_recall")
    assert recall["recalled"] == []


def test_this_is_what_the_one_who_asks_said_last(memory):
    noor, emil = (memory.governed(session="s1", user=user) for user in ("noor", "emil"))
    emil.record(user="I like rye bread")
    noor.record(user="I like plum jam")
    told = emil.record(user="Remember this for me")
    kept = [item["text"] for event in told for item in event.get("written", ()) if item["meta"]["space"] == "user"]
    assert kept == ["The user likes rye bread"]


def test_what_the_user_keeps_with_another_value_does_not_go_on_in_its_place(memory):
    governed = memory.governed(session="s1", user="ana", project="apollo")
    governed.record(user="Remember this for me: I live in Rome")
    told = governed.record(user="Remember this for our project: I live in Oslo")
    assert {event["reason"] for event in of(told, "memory_promotion_denied")} == {"promotion_authority"}
    assert of(told, "memory_promoted") == []
    told = governed.record(user="Remember this for our project: I live in Rome")
    assert {event["from_space"] for event in of(told, "memory_promoted")} == {"user"}


def test_what_is_said_twice_in_a_wish_is_promoted_once(memory):
    governed = memory.governed(session="s1", user="ana")
    told = governed.record(user="Save this for me. My name is Ana. I like plum jam. My name is Ana")
    kept = {item["id"]: item["text"] for item in of(told, "memory_write")[0]["written"]}
    promoted = [kept[event["to_id"]] for event in of(told, "memory_promoted")]
    assert sorted(promoted) == ["The user likes plum jam", "The user's name is Ana", "The user's name is Ana"]
