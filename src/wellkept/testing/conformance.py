"""The conformance suite: what the store's contract means. Every store passes all of it.

With pytest: derive `StoreConformance`, give it `make_store` (and `tamper`, if the store is not one of ours), and let
pytest collect the class. Without: `conformance(make_store)` runs every check and names the first that fails.
"""

from __future__ import annotations

from collections.abc import Callable

from wellkept.errors import StoreError
from wellkept.store.contract import Store
from wellkept.testing.governed import GovernedChecks
from wellkept.testing.jobs import CheckpointsChecks, JobsChecks, ServingChecks
from wellkept.testing.ledger import HeadsChecks, IntegrityChecks, LedgerChecks, PortableChecks
from wellkept.testing.memories import LifetimeChecks, MemoriesChecks, SightsChecks
from wellkept.testing.messages import MessagesChecks, SessionsChecks, ThreadsChecks
from wellkept.testing.people import ConsentChecks, PeopleChecks
from wellkept.testing.world import Checks, World, raises, search


class HandlesChecks(Checks):
    """Several handles on the same data, and one that is closed."""

    def test_another_handle_sees_the_same(self) -> None:
        first = self.world.store
        other = self.open_again(first)
        theirs = World(other)
        theirs.told = 100
        for number in range(3):
            self.world.tell(f"Alice likes tea {number}.")
            assert len(other.candidates(search("tea"))) == 2 * number + 1
            last = theirs.tell(f"Alice likes coffee {number}.")
            assert len(first.candidates(search("tea coffee"))) == 2 * number + 2
        theirs.archive(last)
        assert last.id not in {item.memory.id for item in first.candidates(search("coffee"))}
        other.purge("t", last.id, theirs.change(last, "delete").entry, at=last.created_at)
        assert len(first.candidates(search("tea coffee"))) == 5
        assert not list(first.verify("t"))
        other.close()

    def test_a_closed_store_says_so(self) -> None:
        self.world.store.close()
        with raises(StoreError):
            self.world.store.memory("t", "m_x")


class StoreConformance(
    HandlesChecks,
    CheckpointsChecks,
    MemoriesChecks,
    SightsChecks,
    PeopleChecks,
    LedgerChecks,
    HeadsChecks,
    IntegrityChecks,
    GovernedChecks,
    JobsChecks,
    LifetimeChecks,
    PortableChecks,
    ServingChecks,
    ConsentChecks,
    MessagesChecks,
    ThreadsChecks,
    SessionsChecks,
):
    """All checks. Each runs on an empty store of its own."""


def conformance(make_store: Callable[[], Store], open_again: Callable[[Store], Store]) -> int:
    """Run every check without a test runner; how many there were. Raises the first failure."""

    class Suite(StoreConformance):
        def make_store(self) -> Store:
            return make_store()

        def open_again(self, store: Store) -> Store:
            return open_again(store)

    suite = Suite()
    checks = [name for name in dir(suite) if name.startswith("test_")]
    for name in checks:
        suite.setup_method()
        try:
            getattr(suite, name)()
        finally:
            suite.teardown_method()
    return len(checks)
