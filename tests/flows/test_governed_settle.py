"""What a governed session settles: corrections in other words, and relations that end."""

from __future__ import annotations

import pytest

import recollect
from recollect.config import Config
from recollect.judges.llm_settled import SettledJudge
from recollect.judges.rules import RulesJudge


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
    ],
)
def test_a_correction_without_a_slot_retires_what_it_contradicts(store_path, clock, judge, talk):
    told, correction, stands = talk
    with recollect.open(store_path, config=Config(), clock=clock, embedder="none", judge=judge) as memory:
        governed = memory.governed(session="s1", user="ana")
        governed.record(user=told)
        events = governed.record(user=correction)
        assert [event["rule"] for event in events if event["type"] == "memory_conflict"] == ["correction"]
        assert facts(governed, "anything") == [stands]


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
