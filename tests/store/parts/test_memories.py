"""Memories on every store: writing them, how long they live, and which threads are told."""

from __future__ import annotations

from tests.store.suite import EveryStore
from wellkept.testing.memories import LifetimeChecks, MemoriesChecks
from wellkept.testing.messages import ThreadsChecks


class TestMemories(EveryStore, MemoriesChecks):
    pass


class TestLifetimes(EveryStore, LifetimeChecks):
    pass


class TestThreads(EveryStore, ThreadsChecks):
    pass
