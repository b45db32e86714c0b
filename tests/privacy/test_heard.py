"""What was said in a group stays known to those who were there, also where the memory of it is somebody's own."""

from __future__ import annotations

import pytest

import wellkept

SAID = "I am looking for a new job at the harbour"


@pytest.fixture
def memory(store_url, clock):
    with wellkept.open(store_url, clock=clock, embedder="none", worker="off") as opened:
        yield opened


def group(memory, user, *others):
    return memory.at(user=user, chat="team", chat_type="group", participants=list(others), display_name=user.title())


def found(viewpoint, query="What new job is Alice looking for?"):
    return [hit.text for hit in viewpoint.recall(query, sources=("messages",), threshold=0)]


@pytest.fixture
def told(memory):
    """Alice says it in the group; what is learned from it is her own, and personal."""
    alice = group(memory, "alice", "bob")
    group(memory, "bob", "alice").observe([{"role": "user", "content": "hello"}], extract=False)
    alice.observe([{"role": "user", "content": SAID}], wait=True)
    [learned] = alice.list()
    return learned


def test_a_member_finds_what_was_said_though_the_memory_is_anothers(memory, told):
    bob = group(memory, "bob", "alice")
    assert told.sensitivity.value != "public"
    assert not bob.list()
    assert found(bob) == [SAID]


def test_a_member_finds_it_in_their_private_chat(memory, told):
    expected = [] if told.sensitivity.value == "sensitive" else [SAID]
    assert found(memory.at(user="bob", chat="dm-bob")) == expected


def test_who_was_not_there_finds_nothing(memory, told):
    assert found(memory.at(user="carol", chat="dm-carol")) == []
    elsewhere = memory.at(user="bob", chat="other", chat_type="group", participants=["carol"])
    assert found(elsewhere) == []


def test_what_is_forgotten_is_not_found(memory, told):
    group(memory, "alice", "bob").forget(told.id)
    assert found(group(memory, "bob", "alice")) == []
