"""Faults under the memories, one of every kind: each is found, previewed, put right and found no more."""

from __future__ import annotations

import hashlib
import io

import pytest

import wellkept
from tests.flows.upkeep.test_doctor import AT_IT, PLANTED, run, told
from wellkept.config import Config
from wellkept.errors import BadLine, StoreError
from wellkept.store.contract import NewestRows
from wellkept.store.parts.upkeep import ORPHANS
from wellkept.store.sqlite.file_bytes import chunks
from wellkept.vocabulary import DOCTOR_CHECKS


@pytest.fixture
def memory(store_path, clock, embedder):
    with wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder, worker="off") as opened:
        yield opened


PLACE = "(SELECT scope FROM memories WHERE id = :id)"


def unguarded(memory, statement: str, **values: object) -> None:
    """What the foreign keys of the schema would refuse."""
    run(memory, "PRAGMA foreign_keys = OFF")
    run(memory, statement, **values)
    run(memory, "PRAGMA foreign_keys = ON")


def at_no_memory(table: str, columns: str, values: str) -> str:
    return f"INSERT INTO {table} (tenant, scope, num, {columns}) VALUES ('default', {PLACE}, 999, {values})"  # noqa: S608 -- names of the schema


ORPHANED = {
    "orphan_versions": at_no_memory("versions", "version, at, content, steps", "1, 0, 'Somebody kept bees', '[]'"),
    "orphan_vectors": "INSERT INTO vectors (tenant, scope, num, piece, rev, model, vector) "
    "SELECT v.tenant, v.scope, 999, v.piece, v.rev, v.model, v.vector FROM vectors AS v JOIN memories AS m "
    "ON m.scope = v.scope AND m.num = v.num WHERE m.id = :id",
    "orphan_words": at_no_memory("postings", "term, tf", "'ghost', 1"),
    "orphan_subjects": at_no_memory("subjects", "person_id, reach, is_live, is_hearsay", "'p_gone', '', 1, 0"),
    "orphan_refs": at_no_memory("entity_refs", "ref", "'person:ghost'"),
    "orphan_edges": "INSERT INTO edges (tenant, kind, src, dst, at) VALUES ('default', 'fold_of', :id, 'm_gone', 0)",
    "orphan_aliases": "INSERT INTO aliases (tenant, norm, person_id, position, is_name, value) "
    "VALUES ('default', 'zoe', 'p_gone', 0, 1, 'Zoe')",
    "orphan_relationships": "INSERT INTO relationships (tenant, person_id, position, relationship) "
    "VALUES ('default', 'p_gone', 0, 'cousin')",
}


def orphan(kind):
    return lambda memory: unguarded(memory, ORPHANED[kind], **({"id": found} if (found := told(memory)) else {}))


def without_text(memory):
    run(memory, f"DELETE FROM versions WHERE {AT_IT}", id=told(memory))  # noqa: S608 -- our own words


def without_its_last_text(memory):
    found = told(memory)
    memory.at(user="ines", chat="dm").edit(found, "The user collects old maps of Porto")
    run(memory, f"DELETE FROM versions WHERE {AT_IT} AND version = 2", id=found)  # noqa: S608 -- our own words


def stale_database_index(memory):
    """Rows come while an index is not looked at, and it is looked at again."""
    told(memory)
    name = "ledger_by_time"
    database = memory.engine.store._db.driver
    ((definition,),) = database.rows("SELECT sql FROM sqlite_schema WHERE name = :name", {"name": name})
    run(memory, "PRAGMA writable_schema = ON")
    run(memory, "UPDATE sqlite_schema SET sql = :sql WHERE name = :name", name=name, sql=f"{definition} WHERE at < 0")
    run(memory, "PRAGMA writable_schema = RESET")
    told(memory, "I keep bees on the roof")
    run(memory, "PRAGMA writable_schema = ON")
    run(memory, "UPDATE sqlite_schema SET sql = :sql WHERE name = :name", name=name, sql=definition)
    run(memory, "PRAGMA writable_schema = RESET")


def first_row_changed(memory):
    run(memory, "UPDATE ledger SET reason = 'forged' WHERE op = 'create' AND memory_id = :id", id=told(memory))


def row_missing(memory):
    run(memory, "DELETE FROM ledger WHERE memory_id = :id", id=told(memory))
    told(memory, "I keep bees on the roof")


FAULTS = {
    **{kind: ("integrity", orphan(kind)) for kind in ORPHANS},
    "chain_changed": ("ledger", first_row_changed),
    "chain_missing": ("ledger", row_missing),
    "damaged": ("integrity", stale_database_index),
    "textless_before": ("integrity", without_its_last_text),
    "textless": ("integrity", without_text),
}


def digest(memory) -> str:
    """Of every byte of the store, whatever the file it stands in."""
    files = [path for path in memory.engine.store._db.driver.files() if not path.name.endswith("-shm")]
    return hashlib.sha256(b"".join(chunk for path in sorted(files) for chunk in chunks(path))).hexdigest()


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found_previewed_and_put_right(memory, name):
    check, plant = FAULTS[name]
    plant(memory)
    bytes_before = digest(memory)
    before = memory.upkeep.doctor()
    assert digest(memory) == bytes_before, "looking changes no byte"
    assert {(one.check, one.code) for one in before.findings} >= {(check, name.removesuffix("_before"))}
    assert all(one.can_fix for one in before.findings), before.findings
    assert not before.is_well
    assert memory.upkeep.doctor(fix=True).is_well
    assert digest(memory) != bytes_before
    after = memory.upkeep.doctor()
    assert (after.findings, after.counts, after.fixed) == ((), {}, 0)
    assert len(after.sealed) == (check == "ledger")


class Somebody:
    """The memory as a user of its own has it, so that faults do not meet."""

    def __init__(self, memory, user):
        self.engine, self._memory, self._user = memory.engine, memory, user

    def at(self, *, user, chat):
        assert user == "ines"
        return self._memory.at(user=self._user, chat=f"{chat}-{self._user}")


def test_one_fault_of_every_kind_in_one_store(memory):
    planted = {check: plant for check, plant in PLANTED.items() if check not in ("ledger", "integrity")}
    for number, plant in enumerate((*planted.values(), *(plant for _, plant in FAULTS.values()))):
        plant(Somebody(memory, f"user{number}"))
    bytes_before = digest(memory)
    found = memory.upkeep.doctor()
    assert digest(memory) == bytes_before, "looking changes no byte"
    assert found.counts.keys() == set(DOCTOR_CHECKS)
    codes = {one.code for one in found.findings}
    assert codes >= {*ORPHANS, "textless", "damaged", "chain_changed", "chain_missing"}
    assert memory.upkeep.doctor(fix=True).fixed >= len(planted) + len(FAULTS)
    # What one check puts right, such as a wording that comes back, another may have something to say about.
    memory.upkeep.doctor(fix=True)
    after = memory.upkeep.doctor()
    assert (after.findings, after.is_well) == ((), True)
    assert after.sealed


def test_a_sealed_break_is_told_and_a_new_one_is_found(memory):
    first_row_changed(memory)
    memory.upkeep.doctor(["ledger"], fix=True)
    told(memory, "I keep bees on the roof")
    known = memory.upkeep.doctor(["ledger"])
    assert known.is_well
    assert [one.id for one in known.sealed] == ["user:ines/1"]
    run(memory, "UPDATE ledger SET reason = 'forged_again' WHERE reason = 'forged'")
    touched = memory.upkeep.doctor(["ledger"])
    assert not touched.is_well, "whoever touches what is sealed breaks the seal"
    assert [one.code for one in touched.findings] == ["chain_changed"]


def test_the_end_of_a_chain_that_was_cut_off_and_set_back_is_missed_by_the_tenants_chain(memory):
    told(memory, "I keep bees on the roof")
    told(memory, "I sing in a choir")
    assert [done.counts.keys() for done in memory.upkeep.run(["seal"])] == [{"sealed"}]
    assert memory.upkeep.doctor(["ledger"]).is_well
    run(memory, "DELETE FROM ledger WHERE seq > 1 AND scope IN (SELECT scope FROM scopes WHERE owner = 'ines')")
    run(
        memory,
        """UPDATE scopes SET ledger_seq = 1, ledger_head = (SELECT l.hash FROM ledger AS l WHERE l.scope = scopes.scope
           AND l.seq = 1) WHERE owner = 'ines' AND space = 'user'""",
    )
    cut = memory.upkeep.doctor(["ledger"])
    assert [(one.code, one.id) for one in cut.findings] == [("chain_missing", "user:ines/2")]
    assert memory.upkeep.doctor(["ledger"], fix=True).is_well
    assert [one.id for one in memory.upkeep.doctor(["ledger"]).sealed] == ["user:ines/2"]


def test_an_export_with_a_break_comes_in_once_it_is_sealed(memory, tmp_path, clock):
    def exported() -> str:
        file = io.StringIO()
        memory.upkeep.export(file)
        return file.getvalue()

    first_row_changed(memory)
    with wellkept.open(tmp_path / "other.db", config=Config(), clock=clock, embedder="none", worker="off") as other:
        with pytest.raises(BadLine, match="does not follow"):
            other.upkeep.import_(io.StringIO(exported()))
        memory.upkeep.doctor(["ledger"], fix=True)
        other.upkeep.import_(io.StringIO(exported()))
        assert list(other.engine.store.verify("default")) == list(memory.engine.store.verify("default"))
        assert len(other.upkeep.doctor(["ledger"]).sealed) == 1


def test_what_lost_its_text_is_left_out_until_the_doctor_comes(memory):
    told(memory, "I keep bees on the roof")
    run(memory, "DELETE FROM versions")
    ines = memory.at(user="ines", chat="dm")
    assert (ines.recall("bees on the roof").hits, ines.list()) == ((), ())
    assert ines.query("What do I keep on the roof?").verdict != "found"
    assert "bees" not in str(ines.context("bees"))
    with pytest.raises(StoreError, match="doctor"):
        ines.remember("I keep bees on the roof")


def test_what_lost_its_text_is_archived_with_the_wording_before(memory):
    without_its_last_text(memory)
    memory.upkeep.doctor(["integrity"], fix=True)
    ((state, reason),) = memory.engine.store._db.driver.rows("SELECT state, archive_reason FROM memories", {})
    assert (state, reason) == ("archived", "text_lost")
    (row,) = [
        one for one in memory.engine.store.ledger(NewestRows(tenant="default")) if one.entry.reason == "text_lost"
    ]
    assert row.entry.op == "update"


def test_what_no_word_is_left_of_is_removed_and_on_record(memory):
    without_text(memory)
    memory.upkeep.doctor(["integrity"], fix=True)
    assert memory.engine.store._db.driver.rows("SELECT id FROM memories", {}) == []
    assert [
        one.entry.op
        for one in memory.engine.store.ledger(NewestRows(tenant="default"))
        if one.entry.reason == "text_lost"
    ] == ["delete"]


def test_the_removal_of_orphans_is_on_record(memory):
    orphan("orphan_versions")(memory)
    memory.upkeep.doctor(["integrity"], fix=True)
    (row,) = [one for one in memory.engine.store.ledger(NewestRows(tenant="default")) if one.entry.reason == "doctor"]
    assert row.entry.payload == {"removed": "orphan_versions", "rows": 1}
    assert [one.name for one in memory.upkeep.jobs()["pending"]] == ["scrub"], "their text goes out of the files too"
