"""The short-term window: what a session holds of it between its calls is never older than the store."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.config import Config
from wellkept.flows.governed import session
from wellkept.flows.governed.session import read
from wellkept.store.contract import Entry
from wellkept.values import changed

SHORT = {"short_term_max_turns": 2}
SAID = ("I prefer tea", "Ok", "My sister plays the cello", "I live in Lisbon", "Actually, I live in Porto")


@pytest.fixture
def memory(memory_without_vectors):
    return memory_without_vectors


def summaries(events):
    items = [item for event in events for item in event.get("written", ())]
    return [item["text"] for item in items if "summary_of" in item["meta"]]


def test_two_holders_of_a_session_tell_what_one_tells(memory, tmp_path, clock):
    with wellkept.open(tmp_path / "alone.db", config=Config(), clock=clock, embedder="none") as other:
        alone = other.governed(session="s1", user="ana", policy=SHORT)
        expected = [event for text in SAID for event in (*alone.record(user=text, ai="Noted."), *alone.recall(text))]
    holders = [memory.governed(session="s1", user="ana", policy=SHORT) for _ in range(2)]
    told = []
    for number, text in enumerate(SAID):
        told += holders[number % 2].record(user=text, ai="Noted.")
        told += holders[number // 2 % 2].recall(text)
    assert told == expected


def test_a_turn_that_was_removed_is_in_no_later_summary(memory, clock):
    governed = memory.governed(session="s1", user="ana", policy=SHORT)
    written = governed.record(user="The heron stood in the reeds", ai="Noted.")[1]["written"]
    heron = next(item["id"] for item in written if item["kind"] == "short_term")
    assert "heron" in summaries(governed.record(user="It rained", ai="Noted."))[0]
    memory.engine.store.purge("default", heron, Entry(op="delete", memory_id=heron, reason="erased"), at=clock())
    assert "heron" not in summaries(governed.record(user="We went home", ai="Noted."))[0]


def test_whoever_is_forgotten_takes_the_summary_along(memory):
    governed = memory.governed(session="s1", user="ana", policy=SHORT)
    governed.record(user="My sister Brunhilde has a heron tattoo", ai="Noted.")
    governed.record(user="It rained", ai="Noted.")
    assert "heron" in governed.recall("heron")[0]["recalled"][0]["text"]
    memory.at(user="ana", session="s1").forget_person("my sister")
    recalled = governed.recall("heron")[0]["recalled"]
    later = summaries(governed.record(user="We went home", ai="Noted."))
    assert "heron" not in str(recalled)
    assert later == ["Earlier: user: It rained | ai: Noted."]


def test_whoever_was_named_since_the_last_call_is_read_under_the_new_name(memory, monkeypatch):
    governed = memory.governed(session="s1", user="ana")
    governed.record(user="It rained", ai="Noted.")
    store = memory.engine.store
    store.keep(changed(store.person("default", user="ana"), name="Zoe"))
    names = []

    def reading(*given, **more):
        names.append(read(*given, **more))
        return names[-1]

    monkeypatch.setattr(session, "read", reading)
    governed.record(user="We went home", ai="Noted.")
    governed.record(user="It rained again", ai="Noted.")
    assert [one.name for one in names] == [None, "Zoe", "Zoe"]


def test_two_who_turn_out_to_be_one_change_turns_that_are_about_to_leave(memory):
    session = memory.governed(session="s1", user="ines")
    session.record(user="My sister has a son called Kofi.", ai="Noted.")
    session.record(user="My brother lives in Tartu.", ai="Noted.")
    for number in range(8):
        session.record(
            user="I owe my brother Kofi 300 cedis." if number == 4 else f"I like walk {number}.", ai="Noted."
        )
    (recalled, *_) = session.recall("brother")
    turns = [one["text"] for one in recalled["recalled"] if one["kind"] == "short_term" and one["source"] == "user"]
    assert turns[-1] == "I like walk 7."


def spoilt(value):
    """Takes everything out of what a caller was given, from the inside out."""
    for one in value.values() if isinstance(value, dict) else value:
        if isinstance(one, (dict, list)):
            spoilt(one)
    value.clear()


def test_what_a_caller_does_with_its_events_changes_no_later_one(memory, tmp_path, clock):
    with wellkept.open(tmp_path / "alone.db", config=Config(), clock=clock, embedder="none") as other:
        alone = other.governed(session="s1", user="ana", policy=SHORT)
        expected = [alone.record(user=text, ai="Noted.") for text in SAID]
    governed = memory.governed(session="s1", user="ana", policy=SHORT)
    for text, events in zip(SAID, expected, strict=True):
        told = governed.record(user=text, ai="Noted.")
        assert told == events
        spoilt(told)


@pytest.mark.parametrize("times", [1, 2, 3, 5], ids="moved {}".format)
@pytest.mark.parametrize("is_new", [True, False], ids=["first call", "later call"])
def test_a_turn_is_read_beside_what_others_said_while_it_was_read(memory, monkeypatch, times, is_new):
    governed, asking = (memory.governed(session="s1", user="ana") for _ in range(2))
    if not is_new:
        governed.record(user="I prefer tea")
    left = [times]

    def meanwhile(turn, session, **how):
        reads = read(turn, session, **how)
        # Once the turn waits no longer for the others, they wait for it.
        if session is governed.session and left[0] > 0 and not memory.engine.store._db.driver.is_writing:
            left[0] -= 1
            asking.record(user="Noted", ai="What is your password?")
        return reads

    monkeypatch.setattr(session, "read", meanwhile)
    told = governed.record(user="tangerine-77-Bicycle")
    assert "tangerine" not in str(told)
    assert [event["reason"] for event in told if event["type"] == "memory_denied"] == ["privacy_deny_sensitive"]
