"""What users said is learned once, in the background; what the assistant said never is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

import wellkept
from wellkept.config import Config, MemoryTable
from wellkept.flows.write import extract_messages
from wellkept.store.contract import NewestRows
from wellkept.types import Viewpoint


@pytest.fixture
def memory(store_path, clock) -> Iterator[wellkept.Memory]:
    """Jobs wait until they are run by hand."""
    with wellkept.open(store_path, config=Config(), clock=clock, embedder="none", worker="off") as opened:
        yield opened


def texts(viewpoint) -> set[str]:
    return {memory.content for memory in viewpoint.list(limit=100)}


def codes(memory, tenant="default") -> list[str]:
    return [row.entry.reason or "" for row in memory.engine.store.ledger(NewestRows(tenant=tenant, limit=1_000))]


def due(memory):
    """What the worker would run now."""
    return memory.upkeep.runner.run_due()


def test_an_exchange_is_read_once_after_a_pause(memory, clock):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.observe([{"content": "I am allergic to peanuts, by the way."}])
    assert not [done for done in due(memory) if done.job == "extract"]
    clock.advance(seconds=20)
    alice.observe([{"role": "assistant", "content": "Noted!"}, {"content": "My sister Ana lives in Porto."}])
    clock.advance(seconds=20)
    assert not [done for done in due(memory) if done.job == "extract"], "the second message puts it off"
    clock.advance(seconds=11)
    done = [one for one in due(memory) if one.job == "extract"]
    assert [one.counts for one in done] == [{"messages": 3, "written": 2}]
    assert texts(alice) == {"Alice is allergic to peanuts", "Ana lives in Porto"}
    clock.advance(minutes=5)
    assert not [done for done in due(memory) if done.job == "extract"]


def test_waiting_gives_the_outcomes_and_the_job_finds_nothing_left(memory, clock):
    alice = memory.at(user="alice", chat="dm")
    seen = alice.observe(
        [{"content": "I moved to Lisbon in spring."}, {"content": "I am a vegetarian now."}], wait=True
    )
    assert [one.outcome for one in seen if one.outcome != "queued_for_consent"] == ["created", "created"]
    clock.advance(minutes=1)
    assert [one.counts for one in due(memory) if one.job == "extract"] == [{"messages": 0, "written": 0}]
    assert all(one.mention_count == 1 for one in alice.list())


def test_only_users_are_a_source(memory):
    alice = memory.at(user="alice", chat="dm")
    seen = alice.observe(
        [
            {"role": "assistant", "content": "You live in Toronto and you love sailing."},
            {"role": "tool", "content": "The user lives in Toronto."},
            {"role": "system", "content": "The user is called Zed and works at Acme."},
        ],
        wait=True,
    )
    assert not seen.outcomes
    assert not texts(alice)


def test_what_was_said_before_helps_with_pronouns(memory):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.observe([{"content": "My brother Tomas is a nurse in Leeds."}], wait=True)
    alice.observe(
        [{"role": "assistant", "content": "How is he?"}, {"content": "He is allergic to penicillin."}], wait=True
    )
    assert "Tomas is allergic to penicillin" in texts(alice)


def test_no_more_than_three_facts_a_message_and_the_rest_is_on_record(memory):
    alice = memory.at(user="alice", chat="dm")
    text = "I live in Oslo. I work at Acme. I am allergic to peanuts. My birthday is May 3. I have a cat named Tom."
    seen = alice.observe([{"content": text}], wait=True)
    assert len(texts(alice)) == 3
    assert [one.reason for one in seen if one.outcome == "denied"] == ["cap_turn", "cap_turn"]
    assert codes(memory).count("cap_turn") == 2


def test_a_day_has_an_end(memory, clock):
    engine = replace(memory.engine, extraction=replace(memory.engine.extraction, day_max=2))
    alice = memory.at(user="alice", chat="dm")
    alice.observe([{"content": f"My cousin {name} lives in Porto."} for name in ("Ana", "Rui", "Eva")])
    place = Viewpoint(user="alice", chat="dm")
    outcomes = extract_messages.learn(place, engine)
    assert [one.reason for one in outcomes if one.outcome == "denied"] == ["cap_day"]
    clock.advance(days=1)
    alice.observe([{"content": "My cousin Ines lives in Porto."}])
    assert [one.outcome for one in extract_messages.learn(place, engine)] == ["created"]


def test_a_message_that_is_unsure_short_or_secret_leaves_nothing(memory):
    alice = memory.at(user="alice", chat="dm")
    alice.observe(
        [{"content": "I like tea"}, {"content": "my wifi password is Tr4vel!Gnome9, write it down"}], wait=True
    )
    assert not texts(alice)
    assert "privacy_deny_sensitive" in codes(memory)


def test_recording_alone_teaches_nothing(memory, store_path, clock):
    alice = memory.at(user="alice", chat="dm")
    assert not alice.observe([{"content": "I live in Oslo, as you know."}], extract=False, wait=True).outcomes
    config = Config(memory=MemoryTable(extraction_enabled=False))
    with wellkept.open(store_path, config=config, clock=clock, embedder="none", worker="off") as quiet:
        bob = quiet.at(user="bob", chat="dm")
        assert not bob.observe([{"content": "I live in Oslo, as you know."}], wait=True).outcomes
        assert bob.recall("Oslo").hits[0].source == "message"
        clock.advance(minutes=5)
        assert not [done for done in due(quiet) if done.job == "extract"]


def test_a_memory_cites_its_words_and_stands_for_them(memory):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.observe([{"content": "Good morning! I am allergic to peanuts. The weather is fine.", "id": "a1"}], wait=True)
    (stored,) = alice.list()
    assert stored.source_message_id == "a1"
    assert stored.origin == "shadow_extraction"
    hit = next(hit for hit in alice.recall("peanuts allergy") if hit.source == "memory")
    assert hit.message_ids == ("a1",)
    assert "I am allergic to peanuts" in (hit.quote or "")
    assert all(hit.id != "a1" for hit in alice.recall("peanuts allergy"))
    alice.forget(stored.id)
    left = alice.recall("peanuts weather", threshold=0)
    assert [hit.text for hit in left] == ["Good morning! … The weather is fine."]


def test_what_is_replaced_is_not_found_again_in_the_transcript(memory):
    alice = memory.at(user="alice", chat="dm")
    alice.observe([{"content": "My favorite color is red, always was.", "id": "old"}], wait=True)
    alice.observe([{"content": "Actually, my favorite color is blue.", "id": "new"}], wait=True)
    found = alice.recall("favorite color", threshold=0)
    assert all("red" not in hit.text and "red" not in (hit.quote or "") for hit in found)
    stale = alice.recall("color red", sources=("messages",), include_stale=True, threshold=0)
    assert [(hit.id, "stale" in hit.why) for hit in stale if "red" in hit.text] == [("old", True)]


def test_each_speaker_of_a_group_speaks_for_themself(memory):
    at = memory.at
    at(user="bob", display_name="Bob", chat="team", chat_type="group").observe([{"content": "hello"}], extract=False)
    team = at(user="alice", display_name="Alice", chat="team", chat_type="group", participants=["bob"])
    team.observe(
        [
            {"content": "I am allergic to peanuts, remember.", "speaker": "alice"},
            {"content": "I am allergic to fresh shrimps.", "speaker": "bob"},
        ],
        wait=True,
    )
    assert texts(at(user="alice", chat="dm")) == {"Alice is allergic to peanuts"}
    assert texts(at(user="bob", chat="dm2")) == {"Bob is allergic to fresh shrimps"}


def test_a_speaker_who_is_no_user_is_a_person_of_the_user(memory):
    alice = memory.at(user="alice", display_name="Alice", chat="dm")
    alice.observe([{"content": "I live in Oslo with my parents."}], wait=True)
    alice.observe([{"content": "Melanie: I live in Bergen these days.", "speaker": "Melanie"}], wait=True)
    assert "Melanie lives in Bergen these days" in texts(alice)
    cities = {memory.fact_key: memory.value for memory in alice.list() if memory.value in ("oslo", "bergen")}
    assert len(cities) == 2, "her city does not take the place of mine"


def test_many_readers_read_each_message_once(memory):
    alice = memory.at(user="alice", chat="dm")
    names = ["Ana", "Rui", "Eva", "Ivo", "Mia", "Noa", "Leo", "Kim", "Zoe", "Max"]
    alice.observe([{"content": f"My friend {name} works as a baker in Porto."} for name in names])
    threads = [threading.Thread(target=extract_messages.learn, args=(alice.place, memory.engine)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(alice.list(limit=100)) == len(names)
    assert all(one.mention_count == 1 for one in alice.list(limit=100))


def test_a_short_answer_is_read_beside_its_question_and_nothing_short_without_one(memory):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.observe([{"content": "I like tea"}], wait=True)
    alice.observe([{"role": "assistant", "content": "When's your birthday?"}, {"content": "3 june"}], wait=True)
    assert texts(alice) == {"Alice's birthday is 3 june"}


def test_a_joke_that_is_taken_back_leaves_nothing(memory):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.observe([{"content": "My sister Ana lives in Porto.", "id": "a"}], wait=True)
    alice.observe([{"content": "I am allergic to Mondays, badly.", "id": "b"}, {"content": "jk", "id": "c"}], wait=True)
    assert texts(alice) == {"Ana lives in Porto"}


@pytest.mark.parametrize(("said", "kept"), [("I can't do dairy", {"Alice can't do dairy"}), ("Ok, will do", set())])
def test_a_short_message_that_is_whole_is_read(memory, said, kept):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.observe([{"content": said}], wait=True)
    assert texts(alice) == kept


@pytest.mark.parametrize(
    ("said", "kept", "todo"),
    [
        ("Note to self: buy stamps tomorrow", set(), ["Buy stamps"]),
        ("Note to self - pick up Nkechi's parcel", set(), ["Pick up Nkechi's parcel"]),
        ("Memo to self: I have to renew the lease.", set(), ["Renew the lease"]),
        ("Note to self: Tomasz doesn't eat fish.", {"Tomasz doesn't eat fish"}, []),
        ("Note to self: my locker is number 12.", {"Alice's locker is number 12"}, []),
    ],
)
def test_a_note_to_oneself_is_a_todo_or_a_memory(memory, said, kept, todo):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.observe([{"content": said}], wait=True)
    assert texts(alice) == kept
    assert [one.text for one in alice.todos()] == todo


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("If Samir is free, I'll meet him there.", set()),
        ("Unless it rains, we'll have dinner there.", set()),
        ("The picnic is in Ghent. If it rains we stay home; otherwise we meet there at 6.", {"The picnic is in Ghent"}),
        ("My sister lives in Turin. If the trains run, I'll sleep there.", {"Alice's sister lives in Turin"}),
    ],
)
def test_what_hangs_on_a_condition_is_kept_neither_as_a_fact_nor_as_a_todo(memory, said, kept):
    alice = memory.at(user="alice", chat="dm", display_name="Alice")
    alice.observe([{"content": said}], wait=True)
    assert texts(alice) == kept
    assert alice.todos() == ()
