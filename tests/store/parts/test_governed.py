"""Ticks, phases and traces on every store."""

from __future__ import annotations

from tests.store.suite import EveryStore
from wellkept.testing.governed import GovernedChecks


class TestGoverned(EveryStore, GovernedChecks):
    pass
