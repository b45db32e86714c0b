"""Figures for Prometheus: requests and their times, and the ledger counted by what was done where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wellkept.surfaces.http.latency import Recent

if TYPE_CHECKING:
    from wellkept.api import Memory

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The figures of one server; two servers of one process do not share them."""

    def __init__(self, memory: Memory) -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram

        self._memory = memory
        self._registry = CollectorRegistry()
        names = ("surface", "operation", "code")
        self._calls = Counter("wellkept_calls", "Calls by their outcome.", names, registry=self._registry)
        self._seconds = Histogram(
            "wellkept_call_seconds", "Time of calls.", names[:2], buckets=BUCKETS, registry=self._registry
        )
        self._registry.register(_Stored(memory))
        self.recent = Recent(memory.engine.clock)

    def count(self, surface: str, operation: str, code: str, seconds: float) -> None:
        """One call: `ok`, or the code of its error."""
        self._calls.labels(surface, operation, code).inc()
        self._seconds.labels(surface, operation).observe(seconds)
        self.recent.add(operation, seconds, is_ok=code == "ok")

    def text(self) -> bytes:
        """In the form that Prometheus reads."""
        from prometheus_client import generate_latest

        return generate_latest(self._registry)


class _Stored:
    """What is in the store, read when it is asked for."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def collect(self) -> Iterator[Any]:
        """Memories by state and ledger rows by node, op and status, of each tenant; and how long locks were held."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily

        store = self._memory.engine.store
        memories = GaugeMetricFamily("wellkept_memories", "Memories by state.", labels=("tenant", "state"))
        ledger = CounterMetricFamily("wellkept_events", "Ledger rows.", labels=("tenant", "node", "op", "status"))
        for tenant in store.tenants():
            for state, number in store.counts(tenant).items():
                memories.add_metric((tenant, state.value), number)
            for names, number in store.event_counts(tenant).items():
                ledger.add_metric((tenant, *names), number)
        yield memories
        yield ledger
        held = SummaryMetricFamily(
            "wellkept_lock_held_seconds", "Time that locks of the store were held.", labels=("lock",)
        )
        for kind, (times, seconds) in store.lock_times().items():
            held.add_metric((kind,), count_value=times, sum_value=seconds)
        yield held

    def describe(self) -> tuple[()]:
        """Nothing ahead of time: the store is asked when figures are read."""
        return ()
