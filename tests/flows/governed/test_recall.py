"""What a session holds between two recalls: never more than speed, whoever writes, erases or restores meanwhile."""

from __future__ import annotations

import json
import multiprocessing
from contextlib import contextmanager, suppress

import pytest

import wellkept
from wellkept.config import Config, MemoryTable
from wellkept.store.opening import restore

SESSION = {"session": "s1", "user": "ana", "project": "p1"}
QUERY = "what do I drink, and where do I live?"


@contextmanager
def opened(url, clock):
    config = Config(memory=MemoryTable(auto_gc=False))
    with wellkept.open(url, config=config, clock=clock, embedder="none", worker="off") as memory:
        yield memory


@pytest.fixture
def memory(store_url, clock):
    with opened(store_url, clock) as memory:
        yield memory


@pytest.fixture
def other(store_url, clock):
    """The same store through another handle."""
    with opened(store_url, clock) as memory:
        yield memory


@pytest.fixture
def session(memory):
    """A session that has recalled, and so holds what it saw."""
    governed = memory.governed(**SESSION)
    governed.record(user="Remember this for me: I prefer oolong", ai="Noted.")
    governed.record(user="I live in Ljubljana", ai="Noted.")
    governed.record(user="My sister Brunhilde plays the zither", ai="Noted.")
    assert texts(governed) >= {"The user prefers oolong", "The user lives in Ljubljana"}
    return governed


def recalled(governed, query=QUERY):
    return next(event for event in governed.recall(query) if event["type"] == "memory_recall")["recalled"]


def texts(governed):
    return {item["text"] for item in recalled(governed)}


def of(governed, text):
    """Ids of what says this, the session's own and what was promoted."""
    return [item["id"] for item in recalled(governed, text) if item["text"] == text]


def anew(memory):
    """What a session recalls that holds nothing."""
    return recalled(memory.governed(**SESSION))


def test_what_another_handle_tells_is_recalled(session, other):
    other.governed(**SESSION).record(user="I drink kombucha", ai="Noted.")
    assert "The user drinks kombucha" in texts(session)
    assert recalled(session) == anew(other)


def _record(url, clock):
    with opened(url, clock) as memory:
        memory.governed(**SESSION).record(user="I drink kombucha", ai="Noted.")


def test_what_another_process_tells_is_recalled(session, other, store_url, clock):
    process = multiprocessing.get_context("spawn").Process(target=_record, args=(store_url, clock))
    process.start()
    process.join(60)
    assert process.exitcode == 0
    assert "The user drinks kombucha" in texts(session)
    assert recalled(session) == anew(other)


def test_what_another_handle_rewords_is_recalled_in_its_new_words(session, other):
    place = other.at(user="ana", session="s1")
    for item in of(session, "The user lives in Ljubljana"):
        place.edit(item, "The user lives in Maribor")
    assert "The user lives in Maribor" in texts(session)
    assert "The user lives in Ljubljana" not in texts(session)
    assert recalled(session) == anew(other)


def test_what_another_handle_forgets_and_brings_back_goes_and_comes(session, other):
    place = other.at(user="ana", session="s1")
    items = of(session, "The user lives in Ljubljana")
    for item in items:
        place.forget(item)
    assert "The user lives in Ljubljana" not in texts(session)
    for item in items:
        place.restore(item)
    assert "The user lives in Ljubljana" in texts(session)
    assert recalled(session) == anew(other)


def test_a_person_who_is_forgotten_elsewhere_is_in_nothing_that_is_recalled(session, other):
    assert "Brunhilde" in json.dumps(session.recall("Brunhilde"))
    other.at(user="ana", session="s1").forget_person("Brunhilde")
    told = next(event for event in session.recall("zither") if event["type"] == "memory_recall")
    assert "Brunhilde" not in json.dumps(told)
    assert recalled(session) == anew(other)


def test_a_user_who_is_erased_elsewhere_is_recalled_no_more(session, other):
    assert other.upkeep.erase("ana").status == "complete"
    assert recalled(session) == anew(other) == []


def test_what_a_word_of_the_person_concerned_stands_above_is_hidden(memory, other):
    place = {"user": "carla", "username": "carla", "display_name": "Carla"}
    memory.at(**place).remember("I am Carla")
    bob = memory.governed(session="s2", user="bob")
    bob.record(user="Remember this for me: @carla lives in Oslo", ai="Noted.")
    assert "@carla lives in Oslo" in texts(bob)
    other.at(**place, chat="team", chat_type="group").among(["bob"]).remember("I live in Bergen")
    assert "@carla lives in Oslo" not in texts(bob)


def test_what_its_ticks_take_away_is_told_once(memory):
    policy = {"retention": {"semantic": {"preference": {"rule": "ttl", "ttl_ticks": 6}}}}
    held = memory.governed(**SESSION, policy=policy)
    held.record(user="I prefer oolong", ai="Noted.")
    kinds = []
    for number in range(4):
        kinds += [event["type"] for event in held.recall("oolong")]
        held.record(user=f"The bus number {number} was late", ai="Noted.")
    kinds += [event["type"] for event in held.recall("oolong")]
    assert kinds.count("memory_forget") == 1
    assert recalled(held) == recalled(memory.governed(**SESSION, policy=policy))


class _Undone(Exception):
    pass


def test_what_was_rolled_back_is_not_held(session, memory, other):
    with suppress(_Undone), memory.engine.store.transaction():
        session.record(user="I drink kombucha", ai="Noted.")
        assert "The user drinks kombucha" in texts(session)
        raise _Undone
    assert "The user drinks kombucha" not in texts(session)
    # The same place, revision and time, and other words.
    other.governed(**SESSION).record(user="I drink lemonade", ai="Noted.")
    assert "The user drinks lemonade" in texts(session)
    assert recalled(session) == anew(other)


def test_a_backup_that_is_put_back_is_what_is_recalled(store_path, clock, tmp_path):
    with opened(store_path, clock) as memory, opened(store_path, clock) as other:
        session = memory.governed(**SESSION)
        session.record(user="I live in Ljubljana", ai="Noted.")
        memory.engine.store.backup(tmp_path / "backup.db")
        session.record(user="I drink kombucha", ai="Noted.")
        assert "The user drinks kombucha" in texts(session)
        restore(store_path, tmp_path / "backup.db")
        assert "The user drinks kombucha" not in texts(session)
        session.record(user="I drink kombucha", ai="Noted.")
        assert "The user drinks kombucha" in texts(session)
        restore(store_path, tmp_path / "backup.db")
        clock.advance(seconds=1)
        # As many changes as were undone: places and revisions are the same as before.
        other.governed(**SESSION).record(user="I drink lemonade", ai="Noted.")
        assert "The user drinks lemonade" in texts(session)
        assert recalled(session) == anew(other)


def test_a_session_that_the_backup_does_not_know_begins_anew_and_is_nobody_elses(store_path, clock, tmp_path):
    with opened(store_path, clock) as memory, opened(store_path, clock) as other:
        memory.engine.store.backup(tmp_path / "backup.db")
        session = memory.governed(session="late", user="ana")
        session.record(user="I drink kombucha")
        assert "The user drinks kombucha" in texts(session)
        restore(store_path, tmp_path / "backup.db")
        # It has the place in the store that the other session had before.
        of_ben = other.governed(session="later", user="ben")
        of_ben.record(user="I live in Ljubljana")
        assert memory.at(user="ana").traces("late") == ()
        assert texts(session) == set()
        assert {trace.event["session"] for trace in of_ben.traces()} == {"later"}
        session.record(user="I drink lemonade")
        assert "The user drinks lemonade" in texts(session)
        assert texts(of_ben) == {"I live in Ljubljana", "The user lives in Ljubljana"}


def test_whoever_changes_an_event_changes_nothing_that_is_held(session):
    before = json.dumps(session.recall(QUERY))
    for event in session.recall(QUERY):
        _spoil(event)
    assert json.dumps(session.recall(QUERY)) == before


def _spoil(value):
    if isinstance(value, list):
        for one in value:
            _spoil(one)
        value.append("spoilt")
    elif isinstance(value, dict):
        for key in [key for key in value if key not in ("policy", "policy_snapshot")]:
            _spoil(value[key])
        value["spoilt"] = True


def test_a_confidence_is_for_nobody_else_who_speaks_in_the_session(memory):
    policy = {"short_term_max_turns": 2}
    ana, ben = (memory.governed(session="s1", user=user, policy=policy) for user in ("ana", "ben"))
    ben.record(user="I like early trains", ai="Noted.")
    ana.record(user="Between us, I am leaving the company", ai="Leaving stays between us.")
    asked = "who is leaving the company and who likes trains?"

    def told(session) -> str:
        return " ".join(one["text"] for event in session.recall(asked) for one in event.get("recalled", ()))

    assert "leaving" in told(ana).casefold()
    assert "leaving" not in told(ben).casefold()
    ben.record(user="I like late trains too", ai="Fine.")
    ben.record(user="I like slow trains as well", ai="Fine.")
    assert "Earlier: " in told(ana), "the confidence has left the window, into a summary"
    assert "leaving" not in told(ben).casefold()
    assert "trains" in told(ben)


def test_what_wins_over_the_word_of_a_phase_is_recalled_in_it(memory):
    """By the order of the policy a correction stands above a later word: then the phase has at least the correction."""
    governed = memory.governed(session="phases", user="ana")
    governed.record(user="Actually, my city is Rome", ai="Noted.")
    governed.start_phase(name="two")
    assert recalled(governed, "city") == []
    told = governed.record(user="My city is Oslo", ai="Noted.")
    (won,) = [event for event in told if event["type"] == "memory_conflict"]
    assert won["rule"] == "correction"
    (stands,) = [item for item in recalled(governed, "city") if item["kind"] == "semantic"]
    assert (stands["id"], stands["text"]) == (won["winner_id"], "The user's city is Rome")
    assert stands["meta"]["phase_id"] == "phase-2"
    governed.start_phase(name="three")
    governed.record(user="Actually, my city is Oslo", ai="Noted.")
    assert {item["text"] for item in recalled(governed, "city") if item["kind"] == "semantic"} == {
        "The user's city is Oslo"
    }
