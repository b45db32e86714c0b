"""Conformance: the ledger, whose chains say where they were touched; faults and their repair; copies and erasure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

from wellkept.errors import BadLine, DamagedRow, InvalidInput
from wellkept.store.contract import (
    Counters,
    Entry,
    Living,
    MemoriesOf,
    NewestRows,
    NewJob,
    Note,
    PeopleQuery,
    Reads,
    Review,
    RowsAbout,
    SpokenOf,
    Store,
    Stored,
    TextHeld,
    TextQuery,
    UserLink,
)
from wellkept.store.parts.upkeep import ORPHANS
from wellkept.store.portable import check_line
from wellkept.testing.world import ALICE, BOB, NOW, Checks, World, raises, search
from wellkept.types import Alias, Relationship
from wellkept.vocabulary import Kind, Space

_ALICE = "(SELECT MIN(scope) FROM scopes WHERE tenant = 't' AND owner = 'alice')"
_ALL_DELETED = ["DELETE FROM ledger WHERE scope = ALICE"]
TAMPERED = (
    # What is done to Alice's chain of eight rows, and what the verifier must say of it.
    (["UPDATE ledger SET reason = 'x' WHERE seq = 3 AND scope = ALICE"], 3, "changed"),
    (["UPDATE ledger SET at = at + 1 WHERE seq = 1 AND scope = ALICE"], 1, "changed"),
    (["UPDATE ledger SET payload = '{}' WHERE seq = 6 AND scope = ALICE"], 6, "changed"),
    (["UPDATE ledger SET hash = 'x' WHERE seq = 8 AND scope = ALICE"], 8, "changed"),
    (["DELETE FROM ledger WHERE seq = 1 AND scope = ALICE"], 1, "missing"),
    (["DELETE FROM ledger WHERE seq = 5 AND scope = ALICE"], 5, "missing"),
    (["DELETE FROM ledger WHERE seq > 6 AND scope = ALICE"], 7, "missing"),
    (_ALL_DELETED, 1, "missing"),
    (
        [
            "UPDATE ledger SET seq = -4 WHERE seq = 4 AND scope = ALICE",
            "UPDATE ledger SET seq = 4 WHERE seq = 5 AND scope = ALICE",
            "UPDATE ledger SET seq = 5 WHERE seq = -4 AND scope = ALICE",
        ],
        4,
        "reordered",
    ),
    (["UPDATE scopes SET ledger_seq = 6 WHERE scope = ALICE"], 7, "changed"),
)


class LedgerChecks(Checks):
    """Every promise of `contract.Store`, section "Ledger"."""

    def test_every_change_has_its_row(self) -> None:
        memory = self.world.reword(self.world.tell(), "Alice likes coffee.")
        memory = self.world.archive(memory)
        rows = self.store.ledger(RowsAbout(tenant="t", memory_id=memory.id, limit=9))
        assert [(row.entry.op, row.entry.version, row.seq) for row in rows] == [
            ("delete", 3, 3),
            ("update", 2, 2),
            ("create", 1, 1),
        ]
        assert all(row.entry.actor == "alice" and row.at == NOW for row in rows)
        assert self.store.ledger(RowsAbout(tenant="t", memory_id=memory.id, limit=1)) == rows[:1]
        assert not list(self.store.verify("t"))

    def test_an_entry_comes_back_whole(self) -> None:
        entry = Entry(
            node="worker",
            op="classify",
            status="denied",
            memory_id="m_x",
            version=4,
            category="goals",
            sim=0.25,
            reason="policy:x",
            payload={"by": "m_y", "n": 1, "list": ["a", None, 0.5]},
            tick=9,
            thread="th",
            actor="bob",
        )
        self.store.record("t", Space.CHAT, "c1", entry, at=NOW + timedelta(microseconds=1))
        row = self.store.ledger(NewestRows(tenant="t"))[0]
        assert (row.entry, row.space, row.owner, row.seq) == (entry, Space.CHAT, "c1", 1)
        assert row.at == NOW + timedelta(microseconds=1)

    def test_the_ledger_takes_no_text(self) -> None:
        for bad in (
            Entry(op="create", reason="Alice likes tea"),
            Entry(op="create", payload={"text": "Alice likes tea"}),
            Entry(op="create", payload={"deep": [{"Alice likes": 1}]}),
            Entry(op="create", payload={"line": "tea\nand"}),
            Entry(op="create", payload={"sign": "tea\x1cand"}),
            Entry(op="create", payload={"wide": "tea\u00a0and"}),
            Entry(op="create", payload={"long": "x" * 201}),
            Entry(op="create", reason="x" * 500),
        ):
            with raises(InvalidInput):
                self.store.record("t", Space.USER, "alice", bad, at=NOW)
        assert self.store.ledger(NewestRows(tenant="t")) == ()
        codes = {"ids": [f"m_{number}" for number in range(99)], "odd": 'a\\"b', "longest": "x" * 200, "none": None}
        self.store.record("t", Space.USER, "alice", Entry(op="create", payload=codes), at=NOW)
        assert self.store.ledger(NewestRows(tenant="t"))[0].entry.payload == codes

    def test_chains_are_per_scope_and_without_gaps(self) -> None:
        for number in range(5):
            self.world.tell(f"Fact {number}.")
            self.world.tell(f"Fact {number}.", scope=(Space.USER, "bob"))
        for owner in ("alice", "bob"):
            chain = [row for row in self.store.ledger(NewestRows(tenant="t")) if row.owner == owner]
            assert [row.seq for row in chain] == [5, 4, 3, 2, 1]
            assert all(one.hash != other.hash for one, other in pairwise(chain))
        assert len(self.store.ledger(NewestRows(tenant="t", after=3))) == 4
        assert len(self.store.ledger(NewestRows(tenant="t", limit=3))) == 3
        assert self.store.ledger(NewestRows(tenant="u")) == ()

    def test_notes_stand_before_the_rows_of_the_changes(self) -> None:
        notes = [
            Note(tenant="t", space=Space.USER, owner=owner, entry=Entry(op="create", status="denied", reason=reason))
            for owner, reason in (("alice", "first"), ("bob", "elsewhere"), ("alice", "second"))
        ]
        memory = self.world.draft("Alice likes tea.")
        self.store.apply([self.world.change(memory, is_new=True)], at=NOW, notes=notes)
        self.store.apply([], at=NOW, notes=notes[:1])
        chain = [row for row in reversed(self.store.ledger(NewestRows(tenant="t"))) if row.owner == "alice"]
        assert [row.entry.reason for row in chain] == ["first", "second", chain[2].entry.reason, "first"]
        assert chain[2].entry.memory_id == memory.id
        assert [row.entry.reason for row in self.store.ledger(NewestRows(tenant="t")) if row.owner == "bob"] == [
            "elsewhere"
        ]
        assert not list(self.store.verify("t"))

    def test_notes_stand_after_as_many_changes_as_they_say(self) -> None:
        notes = [
            Note(tenant="t", space=Space.USER, owner="alice", entry=Entry(op="create", reason=reason), after=after)
            for reason, after in (("first", 0), ("second", 1), ("third", 1), ("last", 2))
        ]
        drafts = [self.world.draft(f"Alice likes tea {number}.") for number in (1, 2)]
        changes = [
            self.world.change(one, is_new=True, entry=Entry(op="create", memory_id=one.id, reason="stored"))
            for one in drafts
        ]
        self.store.apply(changes, at=NOW, notes=notes)
        chain = [row.entry.reason for row in reversed(self.store.ledger(NewestRows(tenant="t")))]
        assert chain == ["first", "stored", "second", "third", "stored", "last"]
        assert not list(self.store.verify("t"))

    def test_searches_are_in_no_chain(self) -> None:
        entry = Entry(op="search", node="context", sim=0.5, actor="alice")
        self.store.record("t", Space.USER, "alice", entry, at=NOW)
        self.store.record("t", Space.USER, "alice", entry, at=NOW)
        assert self.store.ledger(NewestRows(tenant="t")) == ()
        assert not list(self.store.verify("t"))

    def test_a_broken_chain_is_named_at_its_first_fault(self) -> None:
        for statements, seq, fault in TAMPERED:
            store = self.make_store()
            world = World(store)
            for number in range(8):
                memory = world.draft(f"Fact {number}.")
                entry = Entry(op="create", memory_id=memory.id, reason=f"r{number}", payload={"n": number})
                store.apply([world.change(memory, is_new=True, entry=entry)], at=NOW + timedelta(seconds=number))
            world.tell("Fact.", scope=(Space.USER, "bob"))
            assert not list(store.verify("t"))
            for statement in statements:
                self.tamper(store, statement.replace("ALICE", _ALICE))
            found = [(item.space, item.owner, item.seq, item.fault) for item in store.verify("t")]
            assert found == [(Space.USER, "alice", seq, fault)], (statements, found)
            self._seal_and_touch_again(store, world, is_anything_left=statements != _ALL_DELETED)
            store.close()

    def _seal_and_touch_again(self, store: Store, world: World, *, is_anything_left: bool) -> None:
        """A sealed break stays in sight, the chain goes on behind it, and a later touch before or behind it is new."""
        (broken,) = store.verify("t")
        sealing = Entry(op="admin", node="admin")
        assert store.seal("t", broken, sealing, at=NOW)
        assert not store.seal("t", broken, sealing, at=NOW), "it is sealed already"
        world.tell("One more.")
        (known,) = store.verify("t")
        assert (known.seq, known.fault) == (broken.seq, broken.fault)
        assert known.seal is not None
        newest = next(row for row in store.ledger(NewestRows(tenant="t")) if row.seq == known.seal)
        assert (newest.entry.op, newest.entry.reason) == ("admin", "chain_sealed")
        behind = "UPDATE ledger SET reason = 'y' WHERE seq > SEAL AND scope = ALICE"
        self.tamper(store, behind.replace("SEAL", str(known.seal)).replace("ALICE", _ALICE))
        assert [(item.seq, item.seal) for item in store.verify("t")] == [
            (broken.seq, known.seal), (known.seal + 1, None)
        ]  # fmt: skip
        for before in (
            "DELETE FROM ledger WHERE seq = 2 AND scope = ALICE",
            "UPDATE ledger SET tick = 77 WHERE seq = 7",
        ):
            self.tamper(store, before.replace("ALICE", _ALICE))
        again = list(store.verify("t"))
        # Where every row was deleted nothing stands before the seal, and only the touch behind it is left to see.
        seals = [None] if is_anything_left else [known.seal, None]
        assert [item.seal for item in again] == seals, "whoever touches what is sealed breaks the seal"
        assert store.seal("t", again[-1], sealing, at=NOW)
        assert all(item.seal is not None for item in store.verify("t"))

    def test_access_counts_are_added_outside_the_ledger(self) -> None:
        memory = self.world.tell()
        later = NOW + timedelta(days=1)
        self.store.keep(Reads(tenant="t", times={memory.id: 2, "m_none": 1}, at=NOW))
        self.store.keep(Reads(tenant="t", times={memory.id: 3}, at=later))
        found = self.store.memory("t", memory.id)
        assert found is not None
        assert (found.access_count, found.last_accessed_at, found.version) == (5, later, 1)
        assert len(self.store.ledger(NewestRows(tenant="t"))) == 1


CUT = (
    "DELETE FROM ledger WHERE tenant = 't' AND scope = 1 AND seq > 3",
    """UPDATE scopes SET ledger_seq = 3, ledger_head = (SELECT l.hash FROM ledger AS l
       WHERE l.tenant = 't' AND l.scope = 1 AND l.seq = 3) WHERE tenant = 't' AND scope = 1""",
)
"""The last rows of Alice, whose scope is the first, are taken away, and the end of her chain is set back to fit."""
OWN = (
    # What is done to the tenant's chain of three rows, and what is found there.
    (("UPDATE sealed_heads SET head = 'x' WHERE tenant = 't' AND number = 2",), 2, "changed"),
    (("UPDATE sealed_heads SET at = at + 1 WHERE tenant = 't' AND number = 3",), 3, "changed"),
    (("DELETE FROM sealed_heads WHERE tenant = 't' AND number = 1",), 1, "missing"),
    (("DELETE FROM sealed_heads WHERE tenant = 't' AND number = 3",), 3, "missing"),
    (("DELETE FROM ledger WHERE tenant = 't' AND scope = 2", "DELETE FROM scopes WHERE scope = 2"), 2, "missing"),
)


class HeadsChecks(Checks):
    """Every promise of `Store.seal_heads`."""

    def test_each_chain_that_has_grown_is_sealed_once(self) -> None:
        for owner in ("alice", "bob", "carol"):
            self.world.tell("A fact.", scope=(Space.USER, owner))
        first = self.store.seal_heads("t", after=0, limit=2, at=NOW)
        assert (len(first), first) == (2, tuple(sorted(first)))
        rest = self.store.seal_heads("t", after=first[-1], limit=2, at=NOW)
        assert len(rest) == 1
        assert self.store.seal_heads("t", after=0, limit=9, at=NOW) == ()
        assert self.store.seal_heads("u", after=0, limit=9, at=NOW) == ()
        self.world.tell("Another.", scope=(Space.USER, "bob"))
        assert self.store.seal_heads("t", after=0, limit=9, at=NOW) == (first[1],)
        assert not list(self.store.verify("t"))

    def test_a_chain_that_was_cut_back_is_found(self) -> None:
        for written_since in (0, 1, 4):  # short of the sealed end, up to it with other rows, and beyond it
            store, world = self._told(sealed=True)
            self._tamper(store, CUT)
            for number in range(written_since):
                world.tell(f"Since then {number}.")
            store.seal_heads("t", after=0, limit=9, at=NOW)
            fault = (4 + written_since, "missing") if written_since < 2 else (5, "changed")
            (broken,) = store.verify("t")
            assert (broken.owner, broken.seq, broken.fault, broken.seal) == ("alice", *fault, None)
            assert store.seal("t", broken, Entry(op="admin", node="admin"), at=NOW)
            assert [one.seal is not None for one in store.verify("t")] == [True], "known from now on"
            world.tell("And on.")
            assert [one.seal is not None for one in store.verify("t")] == [True]
            store.close()

    def test_without_a_seal_such_a_cut_is_not_found(self) -> None:
        store, _ = self._told(sealed=False)
        self._tamper(store, CUT)
        assert not list(store.verify("t")), "it is the tenant's chain that knows"
        store.close()

    def test_the_tenants_own_chain_is_verified_and_sealed_like_any(self) -> None:
        for statements, number, fault in OWN:
            store, world = self._told(sealed=False)
            for owner in ("bob", "carol"):
                world.tell("A fact.", scope=(Space.USER, owner))
            store.seal_heads("t", after=0, limit=9, at=NOW)
            self._tamper(store, statements)
            found = [one for one in store.verify("t") if one.owner == "*"]
            assert [(one.space, one.seq, one.fault, one.seal) for one in found] == [(Space.SYSTEM, number, fault, None)]
            assert store.seal("t", found[0], Entry(op="admin", node="admin"), at=NOW)
            assert not store.seal("t", found[0], Entry(op="admin", node="admin"), at=NOW), "it is sealed already"
            world.tell("One more.")
            store.seal_heads("t", after=0, limit=9, at=NOW)
            known = [one for one in store.verify("t") if one.owner == "*"]
            assert [(one.seq, one.fault, one.seal is not None) for one in known] == [(number, fault, True)]
            store.close()

    def test_an_export_carries_what_is_sealed_and_a_cut_one_is_refused(self) -> None:
        store, _ = self._told(sealed=True)
        whole = list(enumerate(store.lines("t"), start=1))
        other = self.make_store()
        other.load("t", whole)
        self._tamper(other, CUT)
        assert [one.owner for one in other.verify("t")] == ["alice"], "what was sealed is known there too"
        third = self.make_store()
        with raises(BadLine):
            third.load("t", list(enumerate(other.lines("t"), start=1)))
        for one in (store, other, third):
            one.close()

    def _told(self, *, sealed: bool) -> tuple[Store, World]:
        """Five rows in the chain of Alice."""
        store = self.make_store()
        world = World(store)
        for number in range(5):
            world.tell(f"Fact {number}.")
        if sealed:
            store.seal_heads("t", after=0, limit=9, at=NOW)
        return store, world

    def _tamper(self, store: Store, statements: Sequence[str]) -> None:
        for statement in statements:
            self.tamper(store, statement)


PLANTED = (
    # What leaves an orphan behind where no foreign key stands in the way, and its kind. ID is a memory that is there.
    ("INSERT INTO postings (tenant, scope, term, num, tf) VALUES ('t', 1, 'ghost', 999, 1)", "orphan_words"),
    (
        "INSERT INTO subjects VALUES ('t', 1, 'p_gone', 999, '', 1, 0)",
        "orphan_subjects",
    ),
    ("INSERT INTO entity_refs (tenant, scope, ref, num) VALUES ('t', 1, 'person:ghost', 999)", "orphan_refs"),
    ("INSERT INTO edges (tenant, kind, src, dst, at) VALUES ('t', 'ABOUT', 'm_gone', 'p_ana', 0)", "orphan_edges"),
    ("INSERT INTO edges (tenant, kind, src, dst, at) VALUES ('t', 'related_to', 'ID', 'm_gone', 0)", "orphan_edges"),
    ("UPDATE vectors SET num = 999 WHERE tenant = 't'", "orphan_vectors"),
)


BENT = (
    "memories SET kind = 'semantyc'",
    "memories SET state = ''",
    "memories SET tags = '[\"a\"'",
    "memories SET meta = '{'",
    "memories SET created_at = 4000000000000000000",
)
"""What bits that fell over make of a row."""
ROTTEN = (
    ("UPDATE versions SET content = 'Alice likes toffee.' WHERE version = 2", "versions"),
    ("UPDATE versions SET content = 'Alice likes sea.' WHERE version = 1", "versions"),
    ("UPDATE memories SET sensitivity = 'public' WHERE id = 'ID'", "memories"),
    ("UPDATE memories SET importance = 0.25 WHERE id = 'ID'", "memories"),
    ("UPDATE edges SET strength = 0.5 WHERE kind = 'ABOUT'", "edges"),
    ("UPDATE vectors SET checksum = checksum + 1", "vectors"),
)
"""Bytes that changed to something that can be read, and the table that they stand in."""


class IntegrityChecks(Checks):
    """Every promise of `contract.Store`, section "Soundness"."""

    def test_a_sound_store_has_no_orphans(self) -> None:
        self.world.reword(self.world.tell(), "Alice likes coffee.")
        assert {fault.code: fault.count for fault in self.store.faults("t", "orphans")} == {}
        assert [self.store.repair("t", "orphans", which=kind) for kind in ORPHANS] == [0] * len(ORPHANS)
        assert [fault.id for fault in self.store.faults("t", "textless")] == []
        assert tuple(self.store.faults("t", "files")) == ()
        self.store.repair("t", "files")

    def test_orphans_are_counted_and_removed_alone(self) -> None:
        memory = self.world.tell()
        for statement, kind in PLANTED:
            self.tamper(self.store, statement.replace("ID", memory.id))
            assert {fault.code: fault.count for fault in self.store.faults("t", "orphans")} == {kind: 1}, statement
            assert {fault.code: fault.count for fault in self.store.faults("u", "orphans")} == {}, (
                "each tenant has its own"
            )
            assert self.store.repair("u", "orphans", which=kind) == 0
            assert self.store.repair("t", "orphans", which=kind) == 1
            assert {fault.code: fault.count for fault in self.store.faults("t", "orphans")} == {}
        assert self.store.memory("t", memory.id) == memory
        assert not [fault.id for fault in self.store.faults("t", "wrong_words")]

    def test_a_row_that_cannot_be_read_says_so_and_names_its_memory(self) -> None:
        for number, bent in enumerate(BENT):
            memory = self.world.tell(f"Alice likes tea {number}.")
            self.tamper(self.world.store, f"UPDATE {bent}, checksum = NULL WHERE tenant = 't' AND id = '{memory.id}'")
            with raises(DamagedRow) as caught:
                self.store.memory("t", memory.id)
            assert memory.id in str(caught[0])

    def test_a_changed_byte_is_found_by_the_checksum_and_when_the_row_is_read(self) -> None:
        first = self.world.tell("Alice likes tea.", subject_person_ids=("p_alice",))
        memory = self.world.reword(first, "Alice likes coffee.")
        assert not list(self.store.faults("t", "rows"))
        for statement, table in ROTTEN:
            self.tamper(self.store, statement.replace("ID", memory.id))
            (found,) = self.store.faults("t", "rows")
            assert (found.table, found.code) == (table, "damaged_row"), statement
            assert not list(self.store.faults("u", "rows")), "each tenant has its own"
            if table in ("memories", "versions"):
                with raises(DamagedRow):
                    _ = self.store.memory("t", memory.id), self.store.versions("t", memory.id)
            # What cannot be had back stays as it is; a vector goes.
            self.store.repair("t", "rows")
            assert bool(list(self.store.faults("t", "rows"))) is not found.can_repair
            self.tamper(self.store, f"UPDATE {table} SET checksum = NULL")  # noqa: S608 -- our own words
            assert {row.code for row in self.store.faults("t", "rows")} == (
                {"unsummed"} if table != "vectors" else set()
            )
            self.store.repair("t", "rows")
            assert not list(self.store.faults("t", "rows"))

    def test_a_lost_text_falls_back_to_the_wording_before(self) -> None:
        first = self.world.tell("Alice likes tea.")
        memory = self.world.reword(first, "Alice likes coffee.")
        scope, kinds = ("t", Space.USER, "alice"), (Kind.SEMANTIC,)
        held = self.store.live_now(*scope, kinds, limit=9, held=Living())
        self.tamper(self.store, "DELETE FROM versions WHERE tenant = 't' AND version = 2")
        assert self.store.memory("t", memory.id) is None
        assert [fault.id for fault in self.store.faults("t", "textless")] == [memory.id]
        assert self.store.repair("t", "textless", which=memory.id)
        assert [fault.id for fault in self.store.faults("t", "textless")] == []
        found = self.store.memory("t", memory.id)
        assert found is not None
        assert (found.content, found.version) == (first.content, memory.version)
        assert self.store.live_now(*scope, kinds, limit=9, held=held).memories == (found,)
        self.tamper(self.store, "DELETE FROM versions WHERE tenant = 't'")
        assert not self.store.repair("t", "textless", which=memory.id), "no wording is left"
        assert [fault.id for fault in self.store.faults("t", "textless")] == [memory.id]


class PortableChecks(Checks):
    """Every promise of `contract.Store`, sections "Copies" and "Erasure"."""

    def _people(self) -> None:
        self.world.person(ALICE, "Alice", created_by="alice")
        self.world.person(
            BOB,
            "Bob",
            created_by="alice",
            aliases=(Alias(value="Bobby", added_by="alice"), Alias(value="Rob", added_by="bob")),
            relationships=(Relationship(relationship="friend", stated_by="alice"),),
        )
        for user, person in (("alice", ALICE), ("bob", BOB)):
            self.store.keep(UserLink(tenant="t", user=user, person_id=person, username=user))

    def test_lines_can_be_loaded_and_are_the_same_again(self) -> None:
        self._people()
        kept = self.world.tell(
            "Alice likes\u2028tea \U0001f600.", subject_person_ids=(BOB,), meta={"a": [1, {"b": "c"}]}
        )
        self.world.reword(kept, "Alice loves tea.")
        self.world.archive(self.world.tell("Alice had a kite.", entity_refs=("org:kites",)))
        self.world.tell("Bob drives.", scope=(Space.USER, "bob"), stated_by=BOB)
        lines = list(self.store.lines("t"))
        other = self.make_store()
        assert not other.has(Stored(tenant="t"))
        for line in lines:
            check_line(line)
        counts = other.load("t", enumerate(lines, start=1))
        assert counts["memory"] == 3
        assert list(other.lines("t")) == lines
        assert not list(other.verify("t"))
        assert other.memory("t", kept.id) == self.store.memory("t", kept.id)
        assert [one.memory.id for one in other.candidates(search("Alice loves tea"))] == [kept.id]
        assert other.has(Stored(tenant="t"))
        with raises(BadLine):
            other.load("t", enumerate(lines, start=1))
        other.close()

    def test_the_first_line_that_clashes_is_named_and_nothing_is_kept(self) -> None:
        self.world.tell("Alice likes tea.", subject_person_ids=(ALICE,))
        lines = list(self.store.lines("t"))
        edge, memory = (next(one for one in lines if one["_type"] == kind) for kind in ("edge", "memory"))
        other = self.make_store()
        with raises(BadLine) as caught:
            other.load("t", enumerate([*lines, edge, memory], start=1))
        assert getattr(caught[0], "line", None) == len(lines) + 1
        assert not other.has(Stored(tenant="t"))
        other.close()

    def test_the_lines_of_a_user_fit_beside_others(self) -> None:
        self._people()
        mine = self.world.tell("Alice likes tea.", subject_person_ids=(ALICE,))
        self.world.tell("Bob drives.", scope=(Space.USER, "bob"))
        lines = list(self.store.lines("t", "alice"))
        assert [line["content"] for line in lines if line["_type"] == "memory"] == ["Alice likes tea."]
        other = self.make_store()
        World(other).tell("Zoe sings.", scope=(Space.USER, "zoe"))
        assert not other.has(Stored(tenant="t", user="alice"))
        other.load("t", enumerate(lines, start=1))
        assert other.memory("t", mine.id) == mine
        assert not list(other.verify("t"))
        other.close()

    def test_a_line_that_no_store_gave_is_refused(self) -> None:
        self.world.tell()
        line = next(one for one in self.store.lines("t") if one["_type"] == "memory")
        for change in ({"_type": "x"}, {"state": 3}, {"created_at": "yesterday"}, {"more": 1}, {"id": None}):
            with raises(InvalidInput):
                check_line({**line, **change})

    def test_counters_are_raised_never_lowered(self) -> None:
        self.store.keep(Counters(tenant="t", space=Space.USER, owner="alice", numbers={"semantic": 7}))
        self.store.keep(Counters(tenant="t", space=Space.USER, owner="alice", numbers={"semantic": 3}))
        eighth = self.store.next_id("t", Space.USER, "alice", "semantic")  # type: ignore[arg-type]  # a kind by its name
        other = World(self.make_store())
        ids = [other.draft().id for _ in range(8)]
        assert ids[7] == eighth
        other.store.close()

    def test_what_a_user_owns_stated_or_is_mentioned_in(self) -> None:
        self._people()
        own = self.world.tell("Alice likes tea.")
        said = self.world.tell("Alice meets us.", scope=(Space.CHAT, "c"), stated_by=ALICE)
        told = self.world.tell("Alice is tall.", scope=(Space.USER, "bob"), stated_by=BOB, subject_person_ids=(ALICE,))
        self.world.tell("Bob drives.", scope=(Space.USER, "bob"), stated_by=BOB)

        def found(*, mentions: bool) -> set[str]:
            return set(
                self.store.memory_ids(MemoriesOf(tenant="t", user="alice", mentions=mentions, after="", limit=9))
            )

        assert found(mentions=False) == {own.id, said.id}
        assert found(mentions=True) == {own.id, said.id, told.id}
        assert "Alice likes tea." in set(self.store.texts(TextQuery(tenant="t", user="alice", kind="own")))
        assert self.store.has(TextHeld(tenant="t", text="Alice is tall."))
        assert not self.store.has(TextHeld(tenant="t", text="Alice is small."))
        assert not self.store.has(TextHeld(tenant="u", text="Alice is tall."))

    def test_rows_of_a_user_go_and_those_of_others_stay(self) -> None:
        self._people()
        self.store.keep(Review(tenant="t", asker="alice", one=ALICE, other=BOB, reason="x", at=NOW))
        for name, user in (("extract", "alice"), ("extract2", "bob")):
            self.store.keep(NewJob(tenant="t", name=name, key="k", payload={"user": user}, due_at=NOW))
        memory = self.world.tell("Alice likes tea.")
        assert {one.id for one in self.store.people(PeopleQuery(tenant="t", made_by="alice"))} == {ALICE, BOB}
        counts = self.store.erase("t", "alice")
        assert (counts["users"], counts["reviews"], counts["jobs"], counts["pseudonyms"]) == (1, 1, 1, 1)
        assert self.store.person("t", user="alice") is None
        assert self.store.person("t", user="bob") is not None
        assert [job.payload["user"] for job in self.store.jobs("t")] == ["bob"]
        assert self.store.ledger(RowsAbout(tenant="t", memory_id=memory.id, limit=1))[0].entry.actor is None
        assert not self.store.has(SpokenOf(tenant="t", person_id=ALICE))
        assert self.store.has(SpokenOf(tenant="t", person_id=BOB))
        assert not list(self.store.verify("t"))
