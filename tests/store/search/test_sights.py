"""What a viewpoint reads, on every store."""

from __future__ import annotations

from tests.store.suite import EveryStore
from wellkept.testing.memories import SightsChecks


class TestSights(EveryStore, SightsChecks):
    pass
