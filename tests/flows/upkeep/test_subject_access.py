"""Subject access: nothing that is held about a user is missing, and nobody else's own is in it."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.errors import UnknownUser
from wellkept.flows.upkeep import transfer
from wellkept.store.contract import TextQuery


@pytest.fixture
def memory(store_url, clock):
    with wellkept.open(store_url, clock=clock, embedder="none", worker="off") as memory:
        alice = memory.at(user="alice", chat="dm", display_name="Alice")
        alice.remember("My wife Sarah likes Italian food")
        alice.turn("I need to call the bank tomorrow").finish("I will remind you.")
        team = {"chat": "team", "chat_type": "group"}
        memory.at(user="alice", participants=["bob"], **team).observe(
            [{"role": "user", "content": "I am on holiday next week", "speaker": "alice"}], extract=False
        )
        memory.at(user="bob", display_name="Bob").remember("Alice is allergic to nuts", about=["alice"])
        memory.at(user="bob").remember("I like rowing on the river")
        yield memory


def test_everything_held_about_a_user_is_in_it(memory):
    held = memory.upkeep.bundle("alice")
    text = held.text
    for said in ("Sarah likes Italian food", "call the bank tomorrow", "holiday next week", "I will remind you"):
        assert said in text
    for own in memory.engine.store.texts(TextQuery(tenant="default", user="alice", kind="own")):
        assert " ".join(own.split()) in text
    assert {"Who you are", "Memories", "Messages", "What you mean to do"} <= set(held.sections)


def test_what_others_said_of_a_user_is_told_without_who_said_it(memory):
    (entry,) = memory.upkeep.bundle("alice").sections[transfer.OTHERS]
    assert entry["content"] == "Alice is allergic to nuts"
    assert "bob" not in str(entry).casefold()


def test_nobody_elses_own_is_in_it(memory):
    assert "rowing" not in memory.upkeep.bundle("alice").text
    assert "Sarah" not in memory.upkeep.bundle("bob").text


def test_a_document_has_one_line_an_entry(memory):
    memory.at(user="alice").observe([{"role": "user", "content": "one\n# two"}], extract=False)
    text = memory.upkeep.bundle("alice").text
    assert "- one # two (" in text
    assert all(line == "" or line.startswith(("- ", "## ", "# What", "As of")) for line in text.splitlines())


def test_an_unknown_user_has_nothing(memory):
    with pytest.raises(UnknownUser):
        memory.upkeep.bundle("nobody")
