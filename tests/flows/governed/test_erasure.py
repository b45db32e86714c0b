"""Erasing a user binds governed sessions: facts, turns, promoted items, phases and traces, on every store."""

from __future__ import annotations

import json

import pytest

import wellkept
from wellkept.config import Config, MemoryTable
from wellkept.store.tables import tables

USER = "ursula-9c2"
WORDS = ("quokka", "Brunhilde", "zither", "xylomarimba", "Wombatcloud", "marzipan", "Ljubljana", USER)


@pytest.fixture
def memory(store_url, clock):
    config = Config(memory=MemoryTable(auto_gc=False))
    with wellkept.open(store_url, config=config, clock=clock, embedder="none", worker="off") as opened:
        yield opened


def told_in(memory):
    """Words that stand in any row of any table."""
    driver = memory.engine.store._db.driver
    rows = "".join(repr(driver.rows(f"SELECT * FROM {name}", {})) for name in tables())  # noqa: S608 -- names of the schema
    return [word for word in WORDS if word.casefold() in rows.casefold()]


def test_an_erased_user_leaves_no_word_in_governed_sessions(memory):
    session = memory.governed(session="s1", user=USER, project="p1", policy={"short_term_max_turns": 2})
    session.record(user="Remember this for me: I adore quokkas", ai="Quokkas it is.")
    session.record(user="My sister Brunhilde collects zithers", tools=["The tool saw a xylomarimba"])
    session.record(user="Save this for our project: we decided to deploy on Wombatcloud", ai="Ok")
    session.start_phase("marzipan week")
    session.record(user="I live in Ljubljana")
    session.recall("quokkas in Ljubljana")
    kept = len(session.traces())
    other = memory.governed(session="s2", user="bob")
    other.record(user="I prefer lutefisk")
    assert told_in(memory) == list(WORDS), "the scan finds what is there"
    certificate = memory.upkeep.erase(USER)
    assert (certificate.status, certificate.found) == ("complete", 0)
    assert told_in(memory) == []
    left = session.traces()
    assert len(left) == kept
    assert {trace.event["type"] for trace in left} >= {"memory_write", "memory_recall", "memory_promoted"}
    assert not any(word.casefold() in json.dumps([dict(one.event) for one in left]).casefold() for word in WORDS)
    assert other.recall("lutefisk")[0]["recalled"]
    assert not list(memory.engine.store.verify("default"))


def test_the_ids_of_sessions_and_projects_of_the_user_alone_are_in_no_byte(memory, bytes_of):
    for name in ("s-clinic-5", f"own:{USER}/s"):
        session = memory.governed(session=name, user=USER, project=f"p-{name}")
        session.record(user="Save this for our project: we decided to deploy on Wombatcloud", ai="Ok")
        session.record(user="My sister Brunhilde collects zithers")
    memory.governed(session="s-heard-5", user=USER).recall("zithers")
    shared = memory.governed(session="s-shared-5", user=USER, project="p-shared-5")
    shared.record(user="Save this for our project: we decided to deploy on Wombatcloud")
    memory.governed(session="s-shared-5", user="bob", project="p-shared-5").record(
        user="Save this for our project: we chose lutefisk"
    )
    names = (b"s-clinic-5", USER.encode(), b"s-heard-5", b"s-shared-5", b"p-shared-5")
    assert all(name in bytes_of(memory.engine.store) for name in names)
    assert memory.upkeep.erase(USER).status == "complete"
    left = bytes_of(memory.engine.store)
    assert [name for name in names if name in left] == [b"s-shared-5", b"p-shared-5"]
    assert not list(memory.engine.store.verify("default"))


def test_a_session_that_begins_again_goes_on_with_its_chain_and_gives_no_id_twice(memory):
    def said():
        events = memory.governed(session="s1", user=USER).record(user="I adore quokkas")
        return {item["id"] for event in events for item in event.get("written", ())}

    def names():
        return [one.session for one in memory.engine.store.governed_sessions("default", limit=9)]

    first = said()
    memory.upkeep.erase(USER)
    assert names() != ["s1"]
    assert first
    assert not first & said()
    assert names() == ["s1"]
    assert not list(memory.engine.store.verify("default"))


def test_the_name_of_a_phase_does_not_come_back_from_a_session_that_held_it(memory):
    session = memory.governed(session="s1", user=USER)
    session.start_phase("marzipan week")
    session.record(user="My password is Mauve-Otter-9914")
    assert memory.upkeep.erase(USER).status == "complete"
    told = [*session.record(user="I like tea", ai="Noted."), *session.recall("tea")]
    assert "marzipan" not in json.dumps(told)
    assert told_in(memory) == [USER]
