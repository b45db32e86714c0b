"""Rows out and in again on every store."""

from __future__ import annotations

from tests.store.suite import EveryStore
from wellkept.testing.ledger import PortableChecks


class TestPortable(EveryStore, PortableChecks):
    pass
