"""Conformance: the ledger. Every change has its row; a chain that was touched says where."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput
from wellkept.store.contract import Entry, Note
from wellkept.testing.world import NOW, World, raises
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from wellkept.store.contract import Store

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


class LedgerChecks:
    """Every promise of `contract.Ledger`."""

    world: World

    def tamper(self, store: Store, statement: str) -> None:
        """Change the database behind the store's back; stores without SQL give their own way to do the same."""
        raise NotImplementedError

    def test_every_change_has_its_row(self) -> None:
        store = self.world.store
        memory = self.world.reword(self.world.tell(), "Alice likes coffee.")
        memory = self.world.archive(memory)
        rows = store.history("t", memory.id, limit=9)
        assert [(row.entry.op, row.entry.version, row.seq) for row in rows] == [
            ("delete", 3, 3),
            ("update", 2, 2),
            ("create", 1, 1),
        ]
        assert all(row.entry.actor == "alice" and row.at == NOW for row in rows)
        assert store.history("t", memory.id, limit=1) == rows[:1]
        assert not list(store.verify("t"))

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
        self.world.store.record("t", Space.CHAT, "c1", entry, at=NOW + timedelta(microseconds=1))
        row = self.world.store.rows("t")[0]
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
                self.world.store.record("t", Space.USER, "alice", bad, at=NOW)
        assert self.world.store.rows("t") == ()
        codes = {"ids": [f"m_{number}" for number in range(99)], "odd": 'a\\"b', "longest": "x" * 200, "none": None}
        self.world.store.record("t", Space.USER, "alice", Entry(op="create", payload=codes), at=NOW)
        assert self.world.store.rows("t")[0].entry.payload == codes

    def test_chains_are_per_scope_and_without_gaps(self) -> None:
        store = self.world.store
        for number in range(5):
            self.world.tell(f"Fact {number}.")
            self.world.tell(f"Fact {number}.", scope=(Space.USER, "bob"))
        for owner in ("alice", "bob"):
            chain = [row for row in store.rows("t") if row.owner == owner]
            assert [row.seq for row in chain] == [5, 4, 3, 2, 1]
            assert all(one.hash != other.hash for one, other in pairwise(chain))
        assert len(store.rows("t", after=3)) == 4
        assert len(store.rows("t", limit=3)) == 3
        assert store.rows("u") == ()

    def test_notes_stand_before_the_rows_of_the_changes(self) -> None:
        store = self.world.store
        notes = [
            Note(tenant="t", space=Space.USER, owner=owner, entry=Entry(op="create", status="denied", reason=reason))
            for owner, reason in (("alice", "first"), ("bob", "elsewhere"), ("alice", "second"))
        ]
        memory = self.world.draft("Alice likes tea.")
        store.apply([self.world.change(memory, is_new=True)], at=NOW, notes=notes)
        store.apply([], at=NOW, notes=notes[:1])
        chain = [row for row in reversed(store.rows("t")) if row.owner == "alice"]
        assert [row.entry.reason for row in chain] == ["first", "second", chain[2].entry.reason, "first"]
        assert chain[2].entry.memory_id == memory.id
        assert [row.entry.reason for row in store.rows("t") if row.owner == "bob"] == ["elsewhere"]
        assert not list(store.verify("t"))

    def test_notes_stand_after_as_many_changes_as_they_say(self) -> None:
        store = self.world.store
        notes = [
            Note(tenant="t", space=Space.USER, owner="alice", entry=Entry(op="create", reason=reason), after=after)
            for reason, after in (("first", 0), ("second", 1), ("third", 1), ("last", 2))
        ]
        drafts = [self.world.draft(f"Alice likes tea {number}.") for number in (1, 2)]
        changes = [
            self.world.change(one, is_new=True, entry=Entry(op="create", memory_id=one.id, reason="stored"))
            for one in drafts
        ]
        store.apply(changes, at=NOW, notes=notes)
        chain = [row.entry.reason for row in reversed(store.rows("t"))]
        assert chain == ["first", "stored", "second", "third", "stored", "last"]
        assert not list(store.verify("t"))

    def test_searches_are_in_no_chain(self) -> None:
        entry = Entry(op="search", node="context", sim=0.5, actor="alice")
        self.world.store.record("t", Space.USER, "alice", entry, at=NOW)
        self.world.store.record("t", Space.USER, "alice", entry, at=NOW)
        assert self.world.store.rows("t") == ()
        assert not list(self.world.store.verify("t"))

    def test_a_broken_chain_is_named_at_its_first_fault(self) -> None:
        for statements, seq, fault in TAMPERED:
            store = self.fresh()
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
        newest = next(row for row in store.rows("t") if row.seq == known.seal)
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

    def fresh(self) -> Store:
        """Another empty store."""
        raise NotImplementedError

    def test_access_counts_are_added_outside_the_ledger(self) -> None:
        store = self.world.store
        memory = self.world.tell()
        later = NOW + timedelta(days=1)
        store.accessed("t", {memory.id: 2, "m_none": 1}, at=NOW)
        store.accessed("t", {memory.id: 3}, at=later)
        found = store.memory("t", memory.id)
        assert found is not None
        assert (found.access_count, found.last_accessed_at, found.version) == (5, later, 1)
        assert len(store.rows("t")) == 1
