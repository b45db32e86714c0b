"""What was said, where, what was learned from it, and what the reader makes of a message."""

from __future__ import annotations

import pytest

from wellkept.errors import MessageNotFound

GROUP = {"chat": "team", "chat_type": "group"}


def said(viewpoint, *texts):
    return viewpoint.observe([{"role": "user", "content": text} for text in texts], wait=True).ids


@pytest.fixture
def alice(memory):
    return memory.at(user="alice", display_name="Alice", chat="dm-alice")


def test_conversations_are_listed_by_chat_and_day(memory, alice, clock):
    said(alice, "My sister Ida lives in Porto.")
    clock.advance(days=1)
    said(alice, "Nice weather today!")
    said(memory.at(user="bob", participants=["alice"], **GROUP), "I love climbing.")
    dm_today, dm_before = alice.conversations()
    assert (dm_before.messages, dm_before.learned, dm_before.waiting) == (1, 1, 0)
    assert (dm_today.day - dm_before.day).days == 1
    assert dm_today.learned == 0
    (team,) = memory.at(user="alice", participants=["bob"], **GROUP).conversations()
    assert (team.chat, team.people) == ("team", ("bob", "you"))
    assert memory.at(user="carol").conversations() == ()
    assert len(memory.at().conversations()) == 3


def test_a_message_says_what_was_learned_from_which_words(alice):
    said(alice, "My sister Ida lives in Porto. Nice weather today!")
    (message,) = alice.messages()
    (learned,) = message.learned
    assert "Porto" in learned.content
    assert message.content[learned.start : learned.stop] == "My sister Ida lives in Porto"
    alice.forget(learned.memory_id)
    (message,) = alice.messages()
    assert [one.state for one in message.learned] in ([], ["archived"])


def test_messages_are_those_of_the_viewpoint_and_of_the_time_asked_for(memory, alice, clock):
    said(alice, "I have a cold.")
    clock.advance(days=1)
    said(alice, "My sister Ida lives in Porto.")
    now = clock()
    assert [one.content for one in alice.messages(since=now)] == ["My sister Ida lives in Porto."]
    assert [one.content for one in alice.messages(until=now)] == ["I have a cold."]
    assert memory.at(user="bob", chat="dm-alice").messages() == ()
    assert memory.at(user="alice", chat="elsewhere").messages() == ()


def test_a_message_in_a_group_is_of_who_said_it(memory):
    crew = {"chat": "crew", "chat_type": "group"}
    memory.at(user="bob", participants=["alice"], **crew).observe(
        [{"role": "user", "content": "I love climbing."}, {"role": "assistant", "content": "Which peak?"}],
        extract=False,
    )
    found = memory.at(user="alice", participants=["bob"], **crew).messages()
    assert [(one.role, one.speaker) for one in found] == [("user", "bob"), ("assistant", None)]


def test_messages_are_paged_back_by_id(memory, alice):
    ids = said(alice, *(f"The train leaves at {hour}." for hour in range(5)))
    assert [one.id for one in alice.messages(limit=2)] == list(ids[3:])
    assert [one.id for one in alice.messages(limit=2, before=ids[3])] == list(ids[1:3])
    with pytest.raises(MessageNotFound):
        memory.at(user="bob", chat="dm-alice").messages(before=ids[3])


@pytest.mark.reader
def test_the_reading_of_a_message_has_probabilities(memory, alice):
    (message_id,) = said(alice, "I moved to Hamburg last week. Nice weather today!")
    reading = alice.reading(message_id)
    assert [one.text for one in reading.sentences] == ["I moved to Hamburg last week.", "Nice weather today!"]
    moved, weather = reading.sentences
    assert moved.is_kept
    assert not weather.is_kept
    for shares in moved.likelihoods.values():
        assert sum(shares.values()) == pytest.approx(1, abs=0.01)
    assert moved.likelihoods["keep"]["yes"] >= reading.keep_from > weather.likelihoods["keep"]["yes"]
    with pytest.raises(MessageNotFound):
        memory.at(user="bob", chat="dm-alice").reading(message_id)


def test_rules_give_no_probabilities(alice):
    (message_id,) = said(alice, "I live in Lyon.")
    assert alice.reading(message_id).sentences == ()
