"""What the context tells in a group: who is there and who said what, nothing that only the asker knows."""

from __future__ import annotations

import pytest

import wellkept


@pytest.fixture
def amina(memory_without_vectors):
    """Alone, and in the group with Ravi."""
    alone = memory_without_vectors.at(user="amina", chat="dm-amina")
    for fact in ("My therapist is Dr. Nakamura", "My ex Karim owes me money", "My wife Noor likes tea"):
        alone.chat(fact)
    return alone, memory_without_vectors.at(user="amina", chat="band", chat_type="group", participants=["ravi"])


def test_people_whom_only_the_asker_knows_are_not_told_before_others(amina):
    alone, among = amina
    assert {person.name for person in alone.people()} == {"Dr. Nakamura", "Karim", "Noor"}
    assert {person.name for person in among.people()} & {"Dr. Nakamura", "Karim"} == set()
    block = str(among.context("who do I know?"))
    assert "Noor (wife)" in block
    assert not [word for word in ("Nakamura", "therapist", "Karim", "ex)") if word in block]


def test_a_sensitive_relation_is_not_told_with_a_person_whom_all_hear_of(amina):
    alone, among = amina
    alone.chat("Dr. Nakamura plays the cello")
    told = {person.name: person.relation for person in among.people()}
    assert told["Dr. Nakamura"] is None
    assert {person.name: person.relation for person in alone.people()}["Dr. Nakamura"] == "therapist"


def test_somebody_else_s_daughter_is_not_the_asker_s(amina):
    alone, _ = amina
    alone.chat("Karim's daughter plays chess")
    assert "your daughter" not in str(alone.context("who do I know?"))
    assert "your daughter" not in {person.name for person in alone.people()}


def test_a_message_of_a_group_has_its_speaker(memory_without_vectors, amina):
    _, among = amina
    ravi = memory_without_vectors.at(user="ravi", chat="band", chat_type="group", participants=["amina"])
    ravi.chat("I live in Jaipur")
    among.chat("I play the oud")
    block = str(among.context("Jaipur"))
    assert "[ravi, " in block
    assert "[amina, " in block
    assert "[user, " not in block
    assert [hit.stated_by for hit in among.recall("Jaipur", sources=("messages",))] == ["ravi"]


def test_a_profile_is_asked_about_once_and_never_among_others(memory_without_vectors):
    alone = memory_without_vectors.at(user="ravi", chat="dm")
    among = memory_without_vectors.at(user="ravi", chat="band", chat_type="group", participants=["amina"])
    assert "Should I" not in among.chat("I live in Jaipur").text
    assert "Ask the user" not in str(among.context("hello there"))
    assert "Should I note Jaipur" in alone.chat("I play the sitar").text
    assert "Should I" not in alone.chat("I keep two parrots").text
    assert "Ask the user" in str(alone.context("hello there", peek=True))


def test_the_last_messages_are_of_this_conversation(store_url, clock):
    """Alone with the assistant, with or without a chat of that name, nothing that somebody said in a group."""
    with wellkept.open(store_url, clock=clock, embedder="none", worker="off") as memory:
        for user in ("ravi", "amina"):
            other = "amina" if user == "ravi" else "ravi"
            memory.at(user=user, chat="band", chat_type="group", participants=[other]).chat(
                f"The van of {user} broke down"
            )
            clock.advance(minutes=1)
        for place in ({}, {"chat": "dm-amina"}):
            alone = memory.at(user="amina", **place)
            alone.chat("I moved to Turku")
            told = str(alone.context("hello")).partition("## Last messages")[2]
            assert "I moved to Turku" in told
            assert "van of" not in told
