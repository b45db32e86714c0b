"""Recall of what was said: by time, by talk, and only from what the asker may read."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest


def ids(found):
    return [hit.id for hit in found if hit.source == "message"]


@pytest.fixture
def alice(memory_without_vectors, clock):
    """Three talks, each a week after the other, the last one two days ago."""
    place = memory_without_vectors.at(user="alice", chat="dm")
    now: datetime = clock()
    for number, text in enumerate(("We planted roses.", "The boiler broke.", "Ana won the race.")):
        said = {"content": text, "id": f"m{number + 1}", "session": f"s{number + 1}"}
        place.observe([said | {"at": now - timedelta(days=16 - 7 * number)}], extract=False)
    return place


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What did we discuss in our first session?", "m1"),
        ("What did we discuss two sessions ago?", "m2"),
        ("What did we talk about in the last session?", "m3"),
        ("What did we discuss 9 days ago?", "m2"),
        ("What did we chat about over the last 3 days?", "m3"),
    ],
)
def test_a_time_alone_is_answered_by_that_time(alice, query, first):
    assert ids(alice.recall(query, sources=("messages",)))[:1] == [first]


def test_the_talk_that_goes_on_is_not_the_last_one(memory_without_vectors, alice):
    here = memory_without_vectors.at(user="alice", chat="dm", session="s3")
    assert ids(here.recall("What did we talk about in the last session?", sources=("messages",)))[:1] == ["m2"]


def test_without_sessions_a_pause_ends_a_talk(memory_without_vectors, clock):
    place = memory_without_vectors.at(user="bob", chat="dm")
    begun = clock() - timedelta(days=3)
    for number, hours in enumerate((0, 1, 30, 31)):
        said = {"content": f"Word number {number}", "id": f"m{number}", "at": begun + timedelta(hours=hours)}
        place.observe([said], extract=False)
    found = ids(place.recall("What did we discuss in our first session?", sources=("messages",), limit=2))
    assert sorted(found) == ["m0", "m1"]


def test_other_peoples_talks_do_not_count(memory_without_vectors, alice, clock):
    before = alice.recall("What did we discuss two sessions ago?", sources=("messages",))
    for number in range(3):
        memory_without_vectors.at(user="eve", chat="eves").observe(
            [
                {
                    "content": "Roses, boilers and races.",
                    "session": f"e{number}",
                    "at": clock() - timedelta(hours=number),
                }
            ],
            extract=False,
        )
    after = alice.recall("What did we discuss two sessions ago?", sources=("messages",))
    assert [(hit.id, hit.score, hit.parts) for hit in before] == [(hit.id, hit.score, hit.parts) for hit in after]


def test_a_score_says_what_it_is_made_of(alice):
    hit = alice.recall("Who won the race?", sources=("messages",)).hits[0]
    assert hit.id == "m3"
    assert hit.parts["words"] > 0
    assert "matches_query" in hit.why


def test_a_message_that_is_added_is_found_in_its_talk(alice, clock):
    alice.recall("roses", sources=("messages",))
    alice.observe([{"content": "Tulips came next.", "id": "m9", "session": "s1", "at": clock()}], extract=False)
    found = ids(alice.recall("What did we discuss in our first session?", sources=("messages",), limit=2))
    assert sorted(found) == ["m1", "m9"]


def test_memories_that_merely_share_a_person_do_not_push_aside_what_was_said(memory):
    place = memory.at(user="alice", chat="dm")
    for fact in (
        "Jon loves his own studio",
        "Jon is working on his business",
        "Jon has cool projects",
        "Jon likes jazz",
    ):
        place.remember(fact)
    place.observe([{"content": "My parrot Rico flew into the lamp", "speaker": "Jon", "id": "m1"}], extract=False)
    found = place.recall("What did Jon's parrot Rico fly into?")
    assert [hit.id for hit in found][:2].count("m1") == 1
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def test_asked_for_everything_about_somebody_memories_keep_their_scores(memory):
    place = memory.at(user="alice", chat="dm")
    facts = ("Jon loves his own studio", "Jon likes jazz", "Jon lives in Oslo")
    for fact in facts:
        place.remember(fact)
    place.observe([{"content": "Jon came by for tea", "id": "m1"}], extract=False)
    found = place.recall("What do you know about Jon?")
    alone = place.recall("What do you know about Jon?", sources=("memories",))
    assert {hit.id: hit.score for hit in alone}.items() <= {hit.id: hit.score for hit in found}.items()


@pytest.mark.parametrize("limit", [1, 2, 10])
def test_a_message_and_what_was_learned_from_it_are_one_hit_however_few_are_asked_for(memory, limit):
    place = memory.at(user="alice", chat="dm")
    said = ["My sister Ingrid lives in Tromsø", "The boiler made odd noises all night", "We should paint the fence"]
    place.observe([{"content": text, "id": f"m{n}"} for n, text in enumerate(said)], wait=True)
    found = place.recall("Where does my sister Ingrid live?", limit=limit)
    assert found.hits[0].source == "memory"
    assert found.hits[0].quote == said[0]
    assert found.hits[0].message_ids == ("m0",)
    assert "m0" not in ids(found)


def test_an_answer_without_a_word_of_the_question_is_found_beside_its_question(memory, clock):
    place = memory.at(user="joyce", chat="dm")
    told = (
        "who will be the godparents of mateo?",
        "dodong for sure. and trish, she never says no",
        "is it raining there",
    )
    for number, text in enumerate(told):
        place.observe([{"content": text, "id": f"m{number}", "at": clock()}], extract=False)
    assert "m1" in ids(place.recall("who are mateo's godparents?"))


def test_nothing_is_found_where_nothing_said_bears_on_the_query(memory, clock):
    place = memory.at(user="joyce", chat="dm")
    place.observe([{"content": "dodong for sure. and trish, she never says no", "at": clock()}], extract=False)
    assert ids(place.recall("zebra")) == []
