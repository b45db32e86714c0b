"""Faults and their repair on every store."""

from __future__ import annotations

from tests.store.suite import EveryStore
from wellkept.testing.ledger import IntegrityChecks


class TestSoundness(EveryStore, IntegrityChecks):
    pass
