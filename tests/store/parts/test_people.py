"""People and profiles on every store."""

from __future__ import annotations

from tests.store.suite import EveryStore
from wellkept.testing.people import ConsentChecks, PeopleChecks


class TestPeople(EveryStore, PeopleChecks):
    pass


class TestConsent(EveryStore, ConsentChecks):
    pass
