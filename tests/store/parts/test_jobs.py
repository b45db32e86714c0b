"""Jobs on every store."""

from __future__ import annotations

from tests.store.suite import EveryStore
from wellkept.testing.jobs import JobsChecks


class TestJobs(EveryStore, JobsChecks):
    pass
