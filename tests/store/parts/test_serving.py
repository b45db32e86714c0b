"""What servers and graphs keep, on every store."""

from __future__ import annotations

from tests.store.suite import EveryStore
from wellkept.testing.jobs import CheckpointsChecks, ServingChecks


class TestServing(EveryStore, ServingChecks):
    pass


class TestCheckpoints(EveryStore, CheckpointsChecks):
    pass
