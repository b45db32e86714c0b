"""Erasing a user: nothing of theirs is left in any file, everything of others is, and the certificate says so."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

import wellkept
from wellkept.config import Config, MemoryTable
from wellkept.errors import InvalidInput, LeaseLost, UnknownUser
from wellkept.flows.upkeep import erase
from wellkept.flows.upkeep.erase import fingerprints, search
from wellkept.flows.upkeep.schedule import digest
from wellkept.flows.upkeep.transfer import export
from wellkept.store.contract import Checkpoint, Item, NewestRows, PendingJob, PeopleQuery, Step
from wellkept.store.opening import open_store
from wellkept.store.sqlite.file_bytes import chunks
from wellkept.store.tables import tables
from wellkept.types import as_json

USER = "zq-ana-7f3"
ANA = (
    USER,
    "Zanzibar",
    "Quillon",
    "Vexford",
    "aubergine kites",
    "marzipan",
    "lighthouse keeper",
    "café Zoë",
    "corner table",
)


@pytest.fixture
def memory(store_path, clock):
    config = Config(memory=MemoryTable(auto_gc=False))
    with wellkept.open(store_path, config=config, clock=clock, embedder="none", worker="off") as opened:
        yield opened


@pytest.fixture
def told(memory):
    ana = memory.at(user=USER, display_name="Ana Quillon")
    ana.remember("I was born in Zanzibar near the old harbour")
    made = ana.add("I collect aubergine kites on Sundays")
    ana.edit(made.id, "I sell aubergine kites on Sundays")
    ana.remember("My neighbour Vexford is a lighthouse keeper")
    ana.remember("We meet at café Zoë every Friday")
    of_graphs(memory, USER, "a quiet corner table")
    of_graphs(memory, "bob", "a loud window seat")
    memory.keys.add("the phone", scope=[f"user:{USER}"])
    group = {"chat": "c1", "chat_type": "group"}
    memory.at(user=USER, participants=["bob"], **group).remember("We meet at the marzipan factory", shared=True)
    memory.at(user=USER, chat="dm").observe([{"content": "I keep a wombat called Plinth at home."}], wait=True)
    memory.governed(session="s-ana", user=USER).record(user="I prefer marzipan in the morning")
    bob = memory.at(user="bob", participants=[USER], **group)
    bob.remember("Ana is afraid of geese and swans")
    memory.at(user="bob").remember("I drive an old Saab to work")
    return memory


def of_graphs(memory, user, words):
    """What graphs keep of a user: a checkpoint, a thread that names them, an item under their name."""
    store, now = memory.engine.store, memory.engine.clock()
    place = {"tenant": "default", "created_at": now, "updated_at": now}
    store.keep(
        Checkpoint(**place, id=f"k-{user}", user_id=user, thread_id=f"t-{user}", data=json.dumps(words), version=1)
    )
    for thread, metadata in ((f"t-{user}", {}), (f"other-{len(user)}", {"user_id": user})):
        step = {
            "tenant": "default",
            "thread_id": thread,
            "ns": "",
            "checkpoint_id": "1",
            "parent_id": None,
            "run_id": None,
        }
        store.keep(Step(**step, checkpoint=json.dumps(words), metadata=json.dumps(metadata)))
    store.keep(Item(**place, namespace=("memories", user), key="seat", value=json.dumps(words)))


def ways(text):
    """Every way in which a text could stand in a file."""
    plain = text.encode()
    whole = (plain, text.encode("utf-16-le"), text.encode("utf-16-be"), json.dumps(text)[1:-1].encode())
    # In base64 a text looks like one of three, by where it begins; the ends depend on what stands beside it.
    shifted = (base64.b64encode(b"x" * shift + plain)[4:-4] for shift in range(3))
    return {*whole, *(one for one in shifted if len(one) >= 8)}


def found(words, *paths):
    """Those of the words that stand in one of the files."""
    contents = [b"".join(chunks(path)) for path in paths]
    return [word for word in words if any(way in content for way in ways(word) for content in contents)]


def in_files(memory, *words):
    return found(words, *memory.engine.store.files())


def rows_with(memory, word):
    """Tables in which a word stands anywhere."""
    driver = memory.engine.store._db.driver
    return [name for name in tables() if word in repr(driver.rows(f"SELECT * FROM {name}", {}))]  # noqa: S608 -- names of the schema


def test_nothing_of_the_user_is_left_and_everything_of_others_is(told, tmp_path):
    assert in_files(told, *ANA) == list(ANA), "the scan finds what is there"
    before = [one.content for one in told.at(user="bob").list()]
    assert told.engine.store.tally("default", "facts", USER, day=told.engine.clock().date()) == 1
    certificate = told.upkeep.erase(USER)
    assert (certificate.status, certificate.found) == ("complete", 0)
    assert certificate.counts["messages"] == 1
    assert in_files(told, "wombat", *ANA) == []
    assert told.engine.store.tally("default", "facts", USER, day=told.engine.clock().date()) == 0
    assert certificate.counts["memories"] >= 5
    assert certificate.sentences >= 6
    assert [one.content for one in told.at(user="bob").list()] == before
    assert told.at(user=USER).list() == ()
    assert in_files(told, "geese"), "what others said stays unless it is asked for"
    assert not list(told.engine.store.verify("default"))
    told.upkeep.backup(tmp_path / "fresh.db")
    with (tmp_path / "fresh.jsonl").open("w") as file:
        export(told.engine, file, tenants=["default"])
    for name in ("fresh.db", "fresh.jsonl"):
        assert found((*ANA, "Saab"), tmp_path / name) == ["Saab"]
    assert rows_with(told, USER) == []
    assert in_files(told, "loud window seat"), "others' graphs are not touched"
    assert told.keys.list() == ()


def test_the_scan_finds_each_way_of_writing_in_each_file(told, tmp_path):
    told.upkeep.backup(tmp_path / "before.db")
    with (tmp_path / "before.jsonl").open("w") as file:
        export(told.engine, file, tenants=["default"])
    for path in (tmp_path / "before.db", tmp_path / "before.jsonl"):
        assert found(ANA, path) == list(ANA)
    for number, way in enumerate(ways("café Zoë on Fridays")):
        (tmp_path / str(number)).write_bytes(b"\0\1" + way + b"\0")
        assert found(["café Zoë on Fridays"], tmp_path / str(number))


def test_who_comes_back_begins_anew_and_gets_no_id_twice(told):
    before = {row.entry.memory_id for row in told.engine.store.ledger(NewestRows(tenant="default", limit=1000))}
    told.upkeep.erase(USER)
    back = told.at(user=USER)
    made = [back.remember(text).id for text in ("I sail a small dinghy", "I bake rye bread at night")]
    assert not before & set(made)
    assert len(back.list()) == 2
    assert not list(told.engine.store.verify("default"))
    assert told.upkeep.erase(USER).status == "complete"
    assert rows_with(told, USER) == []


def test_another_process_that_knew_the_user_finds_them_again(told, clock):
    config = Config(memory=MemoryTable(auto_gc=False))
    with wellkept.open(told.engine.store.url, config=config, clock=clock, embedder="none", worker="off") as other:
        assert other.at(user=USER).list()
        told.upkeep.erase(USER)
        other.at(user=USER).remember("I sail a small dinghy")
        assert [one.content for one in told.at(user=USER).list()] == ["The user sails a small dinghy"]
        assert told.upkeep.erase(USER).counts["memories"] == 1


def test_a_user_of_whom_there_is_a_checkpoint_alone_can_be_erased(memory):
    of_graphs(memory, USER, "a quiet corner table")
    assert memory.upkeep.erase(USER).counts["checkpoints"] == 1
    assert rows_with(memory, USER) == []


def test_mentions_go_when_that_is_asked_for(told):
    told.upkeep.erase(USER, mentions=True)
    assert in_files(told, "geese", "Saab") == ["Saab"]
    assert told.engine.store.person("default", user=USER) is None


@pytest.fixture
def anywhere(store_url, clock):
    with wellkept.open(store_url, clock=clock, embedder="none", worker="off") as opened:
        yield opened


def test_mentions_can_go_after_the_user_has_gone(anywhere):
    group = {"chat": "c1", "chat_type": "group"}
    anywhere.at(user=USER, participants=["bob"], display_name="Ana Quillon", **group).remember("I keep a wombat")
    bob = anywhere.at(user="bob", participants=[USER], **group)
    bob.remember("Ana is afraid of geese and swans")
    bob.remember("I drive an old Saab to work")
    assert anywhere.upkeep.erase(USER).counts["memories"] == 1
    later = anywhere.upkeep.erase(USER, mentions=True)
    assert (later.status, later.mentions, later.counts["memories"]) == ("complete", True, 1)
    assert [one.content for one in anywhere.at(user="bob").list()] == ["The user drives an old Saab to work"]
    for mentions in (True, False):
        with pytest.raises(UnknownUser):
            anywhere.upkeep.erase(USER, mentions=mentions)


def test_the_ledger_knows_no_name_and_still_holds(told):
    told.upkeep.erase(USER)
    rows = told.engine.store.ledger(NewestRows(tenant="default", limit=1000))
    assert any(row.entry.reason == "erased" for row in rows)
    assert all(row.entry.actor != USER for row in rows)
    assert any(row.entry.actor == "bob" for row in rows)


def test_a_certificate_is_genuine_or_not(told):
    certificate = told.upkeep.erase(USER)
    given = json.loads(json.dumps(as_json(certificate)))
    assert certificate.hash == erase.seal(as_json(certificate))
    assert erase.is_genuine(given, told.engine)
    assert not erase.is_genuine(given | {"found": 1}, told.engine)
    forged = replace(certificate, found=3)
    assert not erase.is_genuine(as_json(replace(forged, hash=erase.seal(as_json(forged)))), told.engine)
    assert USER not in json.dumps(given)


def test_what_somebody_blocks_is_incomplete_and_a_job_ends_it(told, clock):
    other = open_store(told.engine.store.url, busy_seconds=0.05)
    told.engine.store._db.driver._session.connection.set_busy_timeout(50)
    with other.snapshot():
        other.counts("default")
        certificate = told.upkeep.erase(USER)
        assert certificate.status == "incomplete"
        assert [done.status for done in told.upkeep.run(["erase"])] == ["skipped"], "put off, not tried for minutes"
    other.close()
    assert [job.name for job in told.upkeep.jobs()["pending"]] == ["erase"]
    clock.advance(minutes=1)
    assert [done.status for done in told.upkeep.runner.run_due() if done.job == "erase"] == ["ok"]
    assert in_files(told, *ANA) == []
    assert told.upkeep.jobs()["pending"] == ()


KILLED = """
import os, signal, sys
import wellkept
with wellkept.open(sys.argv[1], embedder="none", worker="off") as memory:
    memory.upkeep.erase(sys.argv[2], progress=lambda _done: os.kill(os.getpid(), signal.SIGKILL))
"""


@pytest.fixture
def cut_short(store_url):
    """A memory whose erasure of the user was killed after all memories were gone, and before anything else was."""
    with wellkept.open(store_url, embedder="none", worker="off") as memory:
        ana = memory.at(user=USER)
        ana.add("I was born in Zanzibar near the old harbour")
        ana.add("I collect aubergine kites on Sundays")
        ana.observe([{"content": "I keep a wombat called Plinth at home."}], extract=False)
        memory.at(user="bob").add("Ana is afraid of geese", about=[memory.engine.store.person("default", user=USER).id])
        killed = subprocess.run([sys.executable, "-c", KILLED, store_url, USER], check=False)
        assert killed.returncode == -signal.SIGKILL
        yield memory


@pytest.mark.parametrize("mentions", [False, True])
def test_a_killed_erasure_goes_on_at_once_with_one_job(cut_short, mentions):
    about = ("default", "erase", digest(USER))
    assert cut_short.engine.store.has(PendingJob(about=about))
    certificate = cut_short.upkeep.erase(USER, mentions=mentions)
    assert (certificate.status, certificate.mentions) == ("complete", mentions)
    assert certificate.counts["memories"] == (3 if mentions else 2), "what the killed call removed is counted too"
    assert certificate.counts["messages"] == 1
    assert not cut_short.engine.store.has(PendingJob(about=about))


def test_an_erasure_that_is_asked_for_again_is_left_to_the_later_call(memory):
    memory.at(user=USER).add("I collect aubergine kites on Sundays")
    later = []

    def again(_done):
        if not later:
            later.append(None)
            later[0] = memory.upkeep.erase(USER)

    with pytest.raises(LeaseLost):
        memory.upkeep.erase(USER, progress=again)
    assert later[0].status == "complete"
    assert memory.upkeep.jobs()["pending"] == ()


def test_a_file_that_cannot_be_read_leaves_the_proof_incomplete(told, store_path, clock):
    unreadable = store_path.with_name(f"{store_path.name}.damaged")
    unreadable.symlink_to("/proc/self/mem")
    certificate = told.upkeep.erase(USER)
    assert (certificate.status, certificate.found) == ("incomplete", 0)
    assert "files that could not be read" in certificate.not_covered[-1]
    unreadable.unlink()
    clock.advance(minutes=1)
    assert [done.status for done in told.upkeep.runner.run_due() if done.job == "erase"] == ["ok"]


SOMEBODY_ELSE = """
import apsw, sys
connection = apsw.Connection(sys.argv[1])
try:
    connection.execute("BEGIN IMMEDIATE")
    print("in")
except apsw.BusyError:
    print("busy")
connection.close()
"""


def somebody_else(path):
    """How another process fares that begins to write."""
    command = [sys.executable, "-c", SOMEBODY_ELSE, path]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def proof(memory):
    looked = search(fingerprints(["I drive an old Saab to work"]), memory.engine.store.files)
    assert looked.found
    return looked


def test_a_write_keeps_others_out_while_the_files_are_searched(told, store_path):
    assert somebody_else(store_path) == "in"
    with told.engine.store.transaction():
        assert somebody_else(store_path) == "busy"
        proof(told)
        assert somebody_else(store_path) == "busy"
    assert somebody_else(store_path) == "in"


def test_nobody_takes_the_log_away_after_the_files_were_searched(told, store_path):
    """Who closes a database as the last one removes its log: this process must still count."""
    log = store_path.with_name(f"{store_path.name}-wal")
    before = log.stat().st_ino
    proof(told)
    assert somebody_else(store_path) == "in"
    assert log.stat().st_ino == before
    told.at(user="bob").remember("I keep a canoe in the shed")
    assert somebody_else(store_path) == "in"
    with wellkept.open(store_path, embedder="none", worker="off") as other:
        assert any("canoe" in one.content for one in other.at(user="bob").list())


def test_jobs_and_people_of_the_user_go_too(told):
    ana = told.at(user=USER)
    ana.observe([{"role": "user", "content": "I think I will move to Zanzibar next spring"}])
    assert told.upkeep.jobs()["pending"]
    told.upkeep.erase(USER)
    assert told.upkeep.jobs()["pending"] == ()
    names = {person.name for person in told.engine.store.people(PeopleQuery(tenant="default", limit=99))}
    assert "Vexford" not in names


def test_nobody_is_no_user(told):
    with pytest.raises(InvalidInput) as refused:
        told.upkeep.erase("zoe")
    assert refused.value.code == "unknown_user"
