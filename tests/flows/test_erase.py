"""Erasing a user: nothing of theirs is left in any file, everything of others is, and the certificate says so."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import recollect
from recollect.config import Config, MemoryTable
from recollect.errors import InvalidInput
from recollect.flows import erase
from recollect.flows.transfer import export
from recollect.store.base_checkpoints import Checkpoint, Step
from recollect.store.opening import open_store
from recollect.types import as_json

ANA = ("Zanzibar", "Quillon", "Vexford", "aubergine kites", "marzipan", "lighthouse keeper")


@pytest.fixture
def memory(store_path, clock):
    config = Config(memory=MemoryTable(auto_gc=False))
    with recollect.open(store_path, config=config, clock=clock, embedder="none", worker="off") as opened:
        yield opened


@pytest.fixture
def told(memory):
    ana = memory.at(user="ana", display_name="Ana Quillon")
    ana.remember("I was born in Zanzibar near the old harbour")
    made = ana.add("I collect aubergine kites on Sundays")
    ana.edit(made.id, "I sell aubergine kites on Sundays")
    ana.remember("My neighbour Vexford is a lighthouse keeper")
    group = {"chat": "c1", "chat_type": "group"}
    memory.at(user="ana", participants=["bob"], **group).remember("We meet at the marzipan factory", shared=True)
    memory.at(user="ana", chat="dm").observe([{"content": "I keep a wombat called Plinth at home."}], wait=True)
    memory.governed(session="s-ana", user="ana").record(user="I prefer marzipan in the morning")
    bob = memory.at(user="bob", participants=["ana"], **group)
    bob.remember("Ana is afraid of geese and swans")
    memory.at(user="bob").remember("I drive an old Saab to work")
    return memory


def in_files(memory, word):
    return any(word.encode() in path.read_bytes() for path in memory.engine.store.files())


def test_nothing_of_the_user_is_left_and_everything_of_others_is(told, tmp_path):
    assert all(in_files(told, word) for word in ANA), "the scan finds what is there"
    before = [one.content for one in told.at(user="bob").list()]
    assert told.engine.store.tally("default", "facts", "ana", day=told.engine.clock().date()) == 1
    certificate = told.upkeep.erase("ana")
    assert (certificate.status, certificate.found) == ("complete", 0)
    assert certificate.counts["messages"] == 1
    assert not in_files(told, "wombat")
    assert told.engine.store.tally("default", "facts", "ana", day=told.engine.clock().date()) == 0
    assert certificate.counts["memories"] >= 5
    assert certificate.sentences >= 6
    assert [word for word in ANA if in_files(told, word)] == []
    assert [one.content for one in told.at(user="bob").list()] == before
    assert told.at(user="ana").list() == ()
    assert in_files(told, "geese"), "what others said stays unless it is asked for"
    assert not list(told.engine.store.verify("default"))
    told.upkeep.backup(tmp_path / "fresh.db")
    with (tmp_path / "fresh.jsonl").open("w") as file:
        export(told.engine, file, tenants=["default"])
    for name in ("fresh.db", "fresh.jsonl"):
        content = (tmp_path / name).read_bytes()
        assert [word for word in ANA if word.encode() in content] == []
        assert b"Saab" in content


def test_mentions_go_when_that_is_asked_for(told):
    told.upkeep.erase("ana", mentions=True)
    assert not in_files(told, "geese")
    assert in_files(told, "Saab")
    assert told.engine.store.person_of("default", "ana") is None


def test_the_ledger_knows_no_name_and_still_holds(told):
    told.upkeep.erase("ana")
    rows = told.engine.store.rows("default", limit=1000)
    assert any(row.entry.reason == "erased" for row in rows)
    assert all(row.entry.actor != "ana" for row in rows)
    assert any(row.entry.actor == "bob" for row in rows)


def test_a_certificate_is_genuine_or_not(told):
    certificate = told.upkeep.erase("ana")
    given = json.loads(json.dumps(as_json(certificate)))
    assert certificate.hash == erase.seal(certificate)
    assert erase.is_genuine(given, told.engine)
    assert not erase.is_genuine(given | {"found": 1}, told.engine)
    forged = replace(certificate, found=3)
    assert not erase.is_genuine(as_json(replace(forged, hash=erase.seal(forged))), told.engine)
    assert "ana" not in json.dumps(given)


def test_what_somebody_blocks_is_incomplete_and_a_job_ends_it(told, clock):
    other = open_store(told.engine.store.url, busy_seconds=0.05)
    told.engine.store._db.driver._session.connection.set_busy_timeout(50)
    with other.snapshot():
        other.counts("default")
        certificate = told.upkeep.erase("ana")
        assert certificate.status == "incomplete"
    other.close()
    assert [job.name for job in told.upkeep.jobs()["pending"]] == ["erase"]
    clock.advance(minutes=1)
    assert [done.status for done in told.upkeep.runner.run_due() if done.job == "erase"] == ["ok"]
    assert [word for word in ANA if in_files(told, word)] == []
    assert told.upkeep.jobs()["pending"] == ()


def test_jobs_and_people_of_the_user_go_too(told):
    ana = told.at(user="ana")
    ana.observe([{"role": "user", "content": "I think I will move to Zanzibar next spring"}])
    assert told.upkeep.jobs()["pending"]
    told.upkeep.erase("ana")
    assert told.upkeep.jobs()["pending"] == ()
    names = {person.name for person in told.engine.store.everybody("default", limit=99)}
    assert "Vexford" not in names


def test_what_supervisors_kept_for_the_user_goes_too(told, clock):
    store, now = told.engine.store, clock()
    for user in ("ana", "bob"):
        data = json.dumps({"said": f"{user} wants the corner table"})
        times = {"created_at": now, "updated_at": now}
        given = Checkpoint(
            tenant="default", id=f"k-{user}", user_id=user, thread_id=f"t-{user}", data=data, version=1, **times
        )
        store.save_checkpoint(given)
        place = {"tenant": "default", "thread_id": f"t-{user}", "ns": "", "checkpoint_id": "1"}
        store.put_step(Step(**place, parent_id=None, run_id=None, checkpoint=data, metadata="{}"))
    told.upkeep.erase("ana")
    assert not in_files(told, "ana wants the corner")
    assert in_files(told, "bob wants the corner")
    assert [one.user_id for one in store.checkpoints("default")] == ["bob"]


def test_nobody_is_no_user(told):
    with pytest.raises(InvalidInput) as refused:
        told.upkeep.erase("zoe")
    assert refused.value.code == "unknown_user"


def test_a_text_is_found_however_it_is_written(tmp_path):
    text = 'Renée said "hello there" twice'
    for number, content in enumerate(
        (text.encode(), text.encode("utf-16-le"), text.encode("utf-16-be"), json.dumps(text).encode())
    ):
        path = tmp_path / str(number)
        path.write_bytes(b"\0" * 50 + content)
        assert erase.search([text, "something else"], [path])[0] == {text}
    assert erase.search([text], [tmp_path / "missing"]) == (set(), 0)
