"""What a governed session settles: corrections in other words, and relations that end."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.config import Config
from wellkept.judges.english import RulesJudge
from wellkept.judges.llm.judge import SettledJudge


@pytest.fixture
def memory(memory_without_vectors):
    return memory_without_vectors


def facts(governed, query):
    return [item["text"] for item in governed.recall(query)[0]["recalled"] if item["kind"] != "short_term"]


def test_a_correction_finds_what_was_told_in_other_words(memory):
    governed = memory.governed(session="s1", user="ana")
    governed.record(user="My desk is in room 12")
    told = governed.record(user="My desk is in room 14, not room 12")
    assert [event["rule"] for event in told if event["type"] == "memory_conflict"] == ["correction"]
    governed.record(user="My desk is in room 15, not room 14")
    assert facts(governed, "desk") == ["The user's desk is in room 15"]


class Asking(RulesJudge):
    """A judge that would ask a model about every pair, even inside a transaction."""

    def compare(self, new, old):
        raise AssertionError("a model was asked inside a transaction")

    def ahead(self, pairs):
        return SettledJudge(())


@pytest.mark.parametrize("judge", [None, Asking()], ids=["rules", "model"])
@pytest.mark.parametrize(
    "talk",
    [
        ("I prefer tabs over spaces", "Actually, I prefer spaces over tabs", "The user prefers spaces over tabs"),
        ("The API uses REST", "No wait, the API uses GraphQL", "The API uses GraphQL"),
        ("I prefer spaces", "Actually, I prefer tabs", "The user prefers tabs"),
        ("We decided to use Vue", "Actually we decided to use Svelte", "The user decided to use Svelte"),
        ("Let's use MySQL", "Actually, let's use Postgres", "let's use Postgres"),
        ("The build takes ten minutes", "Correction: the build takes five minutes", "The build takes five minutes"),
    ],
)
def test_a_correction_without_a_slot_retires_what_it_contradicts(store_path, clock, judge, talk):
    told, correction, stands = talk
    with wellkept.open(store_path, config=Config(), clock=clock, embedder="none", judge=judge) as memory:
        governed = memory.governed(session="s1", user="ana")
        governed.record(user=told)
        events = governed.record(user=correction)
        assert [event["rule"] for event in events if event["type"] == "memory_conflict"] == ["correction"]
        assert facts(governed, "anything") == [stands]


@pytest.mark.parametrize(
    ("told", "correction"),
    [
        ("I prefer tea", "Actually, I also prefer quiet rooms"),
        ("The tower is tall", "Actually, the tower is red"),
        ("Tom prefers tea", "Actually, I prefer coffee"),
        ("I love jazz", "Actually, I love long walks"),
    ],
)
def test_a_correction_leaves_what_is_true_beside_it(told, correction, memory):
    governed = memory.governed(session="s1")
    governed.record(user=told)
    assert not [event for event in governed.record(user=correction) if event["type"] == "memory_conflict"]
    assert len(facts(governed, "anything")) == 2


@pytest.mark.parametrize(
    ("output", "correction"),
    [
        ("The user's name is Robert", "Actually, my name is Rupert"),
        ("Verified: customer lives in Lima", "No, I live in Quito"),
        ("User timezone is Asia/Tokyo", "Correction: my timezone is Europe/Madrid"),
        ("The user prefers tabs", "Actually, I prefer spaces"),
        ("The API limit is 100", "Actually, the API limit is 200"),
    ],
)
def test_a_correction_overrides_what_a_tool_says_in_its_own_words(output, correction, memory):
    governed = memory.governed(session="s1", user="ana")
    governed.record(tools=[output])
    told = governed.record(user=correction)
    assert [event["rule"] for event in told if event["type"] == "memory_conflict"] == ["correction"]
    assert output not in facts(governed, "anything")


@pytest.mark.parametrize(
    ("told", "ending"),
    [
        ("I prefer tea", "I no longer prefer tea"),
        ("I play the cello", "I stopped playing the cello"),
        ("We use Jira", "We don't use Jira any more"),
    ],
)
def test_what_is_so_no_more_leaves_without_a_slot(told, ending, memory):
    governed = memory.governed(session="s1")
    governed.record(user=told)
    gone = [event["reason"] for event in governed.record(user=ending) if event["type"] == "memory_deleted"]
    assert gone == ["superseded"]
    assert facts(governed, "anything") == []


def test_a_relation_that_is_over_leaves(memory):
    governed = memory.governed(session="s1", user="ana")
    written = governed.record(user="Marek is my boyfriend")[1]["written"]
    told = governed.record(user="Marek and I broke up")
    gone = [(event["memory_id"], event["reason"]) for event in told if event["type"] == "memory_deleted"]
    assert gone == [(written[1]["id"], "superseded")]
    assert facts(governed, "boyfriend") == ["Marek and the user broke up"]
    assert "relation='former boyfriend'" in str(memory.at(user="ana").people())


def test_what_was_refused_ends_no_relation(memory):
    memory.governed(session="s1", user="ana").record(user="Marek is my boyfriend")
    deaf = memory.governed(session="s1", user="ana", policy={"write_policy": "none"})
    assert not [event for event in deaf.record(user="Marek and I broke up") if event["type"] == "memory_deleted"]
    assert facts(deaf, "boyfriend") == ["Marek is the user's boyfriend"]


SAID_BY_TWO = (
    ("I live in Lyon", "I live in Oslo"),
    ("I prefer tea", "I prefer tea"),
    ("My favourite colour is teal", "My favourite colour is amber"),
    ("My dentist appointment is on 3 May", "My dentist appointment is on 9 June"),
    ("I work at Siemens", "I work at Arup"),
)


@pytest.mark.parametrize(("first", "second"), SAID_BY_TWO)
def test_what_one_user_says_of_themself_bears_on_nobody_else_in_the_session(memory, first, second):
    noor, emil = (memory.governed(session="s1", user=user) for user in ("noor", "emil"))
    alone = memory.governed(session="s2", user="ada")
    alone.record(user=first)
    noor.record(user=first)
    before = facts(noor, first)
    assert before == facts(alone, first)
    told = emil.record(user=second)
    assert not [event for event in told if event["type"] in ("memory_conflict", "memory_deleted")]
    assert facts(noor, first) == before
    mine = facts(emil, second)
    assert len(mine) == len(before)
    emil.record(user=second)
    assert facts(emil, second) == mine, "said again it is the same fact"
    assert facts(noor, first) == before


def test_a_second_user_corrects_only_themself(memory):
    noor, emil = (memory.governed(session="s1", user=user) for user in ("noor", "emil"))
    noor.record(user="I live in Lyon")
    emil.record(user="I live in Oslo")
    emil.record(user="Actually, I live in Bergen, not Oslo")
    emil.record(user="I don't live in Lyon")
    assert facts(noor, "live") == ["The user lives in Lyon", "The user lives in Lyon"]
    assert "The user lives in Bergen" in facts(emil, "live")
    assert "The user lives in Oslo" not in facts(emil, "live")


def test_what_the_session_is_about_is_one_truth_for_all_who_speak_in_it(memory):
    noor, emil = (memory.governed(session="s1", user=user) for user in ("noor", "emil"))
    noor.record(user="The deploy window is on Friday")
    told = emil.record(user="The deploy window is on Monday")
    assert [event["type"] for event in told if event["type"] == "memory_conflict"]
    assert facts(noor, "deploy window") == facts(emil, "deploy window") == ["The deploy window is on Monday"]
    noor.record(user="We decided to use Postgres")
    assert "The team decided to use Postgres" in facts(emil, "which database?")


def test_what_tools_and_all_of_them_say_is_common_however_it_reads(memory):
    policy = {"semantic_top_k": 9}
    noor, emil = (memory.governed(session="s1", user=user, policy=policy) for user in ("noor", "emil"))
    noor.record(tools=["build 1 ok", {"text": "Release day 6", "key": "release", "value": "6"}])
    noor.record(user="We decided to use uv")
    noor.record(user="The client prefers blue")
    common = {"build 1 ok", "Release day 6", "The user decided to use uv", "The client prefers blue"}
    assert set(facts(emil, "anything at all")) == common
    told = emil.record(tools=[{"text": "Release day 7", "key": "release", "value": "7"}])
    assert [event["rule"] for event in told if event["type"] == "memory_conflict"] == ["recency"]


def test_a_slot_of_the_user_that_a_tool_fills_is_that_users(memory):
    noor, emil = (memory.governed(session="s1", user=user) for user in ("noor", "emil"))
    noor.record(tools=[{"text": "The city is Rome", "key": "city", "value": "Rome"}])
    told = emil.record(user="I live in Oslo")
    assert not [event for event in told if event["type"] == "memory_conflict"]
    assert "The city is Rome" not in facts(emil, "city")
    assert "The city is Rome" in facts(noor, "city")


def test_a_user_who_is_known_by_name_has_their_own_too(memory):
    for user, name in (("noor", "Noor"), ("emil", "Emil")):
        memory.at(user=user, display_name=name).remember("I like plum jam")
    noor, emil = (memory.governed(session="s1", user=user) for user in ("noor", "emil"))
    noor.record(user="My dentist appointment is on 3 May")
    told = emil.record(user="My dentist appointment is on 9 June")
    assert not [event for event in told if event["type"] == "memory_conflict"]
    assert "Noor's dentist appointment is on 3 May" in facts(noor, "appointment")


def test_in_the_project_there_is_one_truth_of_what_is_common(memory):
    noor, emil = (memory.governed(session=f"s-{user}", user=user, project="p1") for user in ("noor", "emil"))
    for session, day in ((noor, "6"), (emil, "7")):
        tool = {"text": f"Release day {day}", "key": "release", "value": day, "promotion_target": "project"}
        session.record(tools=[tool])
    assert facts(noor, "release") == facts(emil, "release") == ["Release day 7"]


def test_a_fact_that_is_said_again_as_another_event_lives_by_its_own_rule(memory):
    policy = {"retention": {"profile": {"fact": {"rule": "ttl", "ttl_ticks": 9}, "correction": {"rule": "never"}}}}
    session = memory.governed(session="s1", user="ana", policy=policy)
    session.record(user="I live in Rome")
    told = session.record(user="Actually, I live in Rome")
    (again,) = [one for event in told for one in event.get("written", ()) if one["kind"] == "profile"]
    assert again["meta"]["expires_at"] == again["created_at"] + 9


def test_a_diff_holds_each_users_own_against_their_own(memory):
    noor, emil = (memory.governed(session="s1", user=user) for user in ("noor", "emil"))
    noor.record(user="My favourite colour is teal")
    emil.record(user="My favourite colour is amber")
    noor.start_phase()
    noor.record(user="My favourite colour is plum")
    emil.record(user="My favourite colour is amber")
    (diff,) = [event for event in noor.diff("phase-1", "phase-2") if event["type"] == "memory_phase_diff"]
    assert (diff["added_count"], diff["deleted_count"], diff["replaced_count"]) == (0, 0, 1)
    assert [change["dedup_key"] for change in diff["top_changes"]] == ["fact:favorite:color"]
