"""The promises of `contract.integrity.Integrity`, for every store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.errors import DamagedRow
from wellkept.store.chains.integrity import ORPHANS
from wellkept.store.contract.governed import Living
from wellkept.testing.world import raises
from wellkept.vocabulary import Kind, Space

if TYPE_CHECKING:
    from wellkept.store.contract import Store
    from wellkept.testing.world import World

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


class IntegrityChecks:
    """Every promise of `contract.integrity.Integrity`."""

    world: World

    def tamper(self, store: Store, statement: str) -> None:
        """Change the database behind the store's back; see `testing.ledger`."""
        raise NotImplementedError

    def test_a_sound_store_has_no_orphans(self) -> None:
        store = self.world.store
        self.world.reword(self.world.tell(), "Alice likes coffee.")
        assert store.orphans("t") == {}
        assert [store.remove_orphans("t", kind) for kind in ORPHANS] == [0] * len(ORPHANS)
        assert list(store.textless("t")) == []
        assert store.damage() == ()
        store.reindex()

    def test_orphans_are_counted_and_removed_alone(self) -> None:
        store = self.world.store
        memory = self.world.tell()
        for statement, kind in PLANTED:
            self.tamper(store, statement.replace("ID", memory.id))
            assert store.orphans("t") == {kind: 1}, statement
            assert store.orphans("u") == {}, "each tenant has its own"
            assert store.remove_orphans("u", kind) == 0
            assert store.remove_orphans("t", kind) == 1
            assert store.orphans("t") == {}
        assert store.memory("t", memory.id) == memory
        assert not list(store.badly_indexed("t"))

    def test_a_row_that_cannot_be_read_says_so_and_names_its_memory(self) -> None:
        for number, bent in enumerate(BENT):
            memory = self.world.tell(f"Alice likes tea {number}.")
            self.tamper(self.world.store, f"UPDATE {bent} WHERE tenant = 't' AND id = '{memory.id}'")
            with raises(DamagedRow) as caught:
                self.world.store.memory("t", memory.id)
            assert memory.id in str(caught[0])

    def test_a_lost_text_falls_back_to_the_wording_before(self) -> None:
        store = self.world.store
        first = self.world.tell("Alice likes tea.")
        memory = self.world.reword(first, "Alice likes coffee.")
        scope, kinds = ("t", Space.USER, "alice"), (Kind.SEMANTIC,)
        held = store.live_now(*scope, kinds, limit=9, held=Living())
        self.tamper(store, "DELETE FROM versions WHERE tenant = 't' AND version = 2")
        assert store.memory("t", memory.id) is None
        assert list(store.textless("t")) == [memory.id]
        assert store.fall_back("t", memory.id)
        assert list(store.textless("t")) == []
        found = store.memory("t", memory.id)
        assert found is not None
        assert (found.content, found.version) == (first.content, memory.version)
        assert store.live_now(*scope, kinds, limit=9, held=held).memories == (found,)
        self.tamper(store, "DELETE FROM versions WHERE tenant = 't'")
        assert not store.fall_back("t", memory.id), "no wording is left"
        assert list(store.textless("t")) == [memory.id]
