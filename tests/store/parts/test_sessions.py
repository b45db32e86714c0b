"""Sessions, summaries and todos on every store."""

from __future__ import annotations

from tests.store.suite import EveryStore
from wellkept.testing.messages import SessionsChecks


class TestSessions(EveryStore, SessionsChecks):
    pass
