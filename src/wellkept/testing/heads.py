"""Conformance: the tenant's own chain. Whoever cuts a chain back and mends its end is found out all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.errors import BadLine
from wellkept.store.contract import Entry
from wellkept.testing.world import NOW, World, raises
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.store.contract import Store

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


class HeadsChecks:
    """Every promise of `contract.integrity.Integrity.seal_heads`."""

    world: World

    def fresh(self) -> Store:
        """Another empty store."""
        raise NotImplementedError

    def tamper(self, store: Store, statement: str) -> None:
        """Change the database behind the store's back."""
        raise NotImplementedError

    def test_each_chain_that_has_grown_is_sealed_once(self) -> None:
        store = self.world.store
        for owner in ("alice", "bob", "carol"):
            self.world.tell("A fact.", scope=(Space.USER, owner))
        first = store.seal_heads("t", after=0, limit=2, at=NOW)
        assert (len(first), first) == (2, tuple(sorted(first)))
        rest = store.seal_heads("t", after=first[-1], limit=2, at=NOW)
        assert len(rest) == 1
        assert store.seal_heads("t", after=0, limit=9, at=NOW) == ()
        assert store.seal_heads("u", after=0, limit=9, at=NOW) == ()
        self.world.tell("Another.", scope=(Space.USER, "bob"))
        assert store.seal_heads("t", after=0, limit=9, at=NOW) == (first[1],)
        assert not list(store.verify("t"))

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
        other = self.fresh()
        other.load("t", whole)
        self._tamper(other, CUT)
        assert [one.owner for one in other.verify("t")] == ["alice"], "what was sealed is known there too"
        third = self.fresh()
        with raises(BadLine):
            third.load("t", list(enumerate(other.lines("t"), start=1)))
        for one in (store, other, third):
            one.close()

    def _told(self, *, sealed: bool) -> tuple[Store, World]:
        """Five rows in the chain of Alice."""
        store = self.fresh()
        world = World(store)
        for number in range(5):
            world.tell(f"Fact {number}.")
        if sealed:
            store.seal_heads("t", after=0, limit=9, at=NOW)
        return store, world

    def _tamper(self, store: Store, statements: Sequence[str]) -> None:
        for statement in statements:
            self.tamper(store, statement)
