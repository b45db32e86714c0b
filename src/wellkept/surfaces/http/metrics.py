"""Figures of a server: for Prometheus requests, times and the ledger; for the Studio how long the last calls took."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from math import ceil
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily

from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.api import Memory

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The figures of one server; two servers of one process do not share them."""

    def __init__(self, memory: Memory) -> None:
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
        return generate_latest(self._registry)


class _Stored:
    """What is in the store, read when it is asked for."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def collect(self) -> Iterator[Any]:
        """Memories by state and ledger rows by node, op and status, of each tenant; and how long locks were held."""
        store = self._memory.engine.store
        memories = GaugeMetricFamily("wellkept_memories", "Memories by state.", labels=("tenant", "state"))
        ledger = CounterMetricFamily("wellkept_events", "Ledger rows.", labels=("tenant", "node", "op", "status"))
        for tenant in store.tenants():
            for state, number in store.counts(tenant).items():
                memories.add_metric((tenant, state), number)
            for names, number in store.counts(tenant, by="event").items():
                ledger.add_metric((tenant, *names.split()), number)
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


KEPT = 5_000
"""Calls that are looked back on."""
POINTS = 60
"""Of a curve, at most."""
CALLS_MIN = 5
"""For a point: the percentiles of fewer say nothing."""


@frozen
class Call:
    """One call, when it ended."""

    at: datetime
    operation: str
    seconds: float
    is_ok: bool


@frozen
class Latency:
    """Calls in milliseconds, the last of which ended at that time."""

    operation: str
    at: datetime
    count: int
    median: float
    p95: float
    slowest: float
    failed: int


class Recent:
    """The last calls of a server."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._calls: deque[Call] = deque(maxlen=KEPT)

    def add(self, operation: str, seconds: float, *, is_ok: bool) -> None:
        self._calls.append(Call(at=self._clock(), operation=operation, seconds=seconds, is_ok=is_ok))

    def whole(self) -> Latency | None:
        calls = tuple(self._calls)
        return _latency("", calls) if calls else None

    def by_operation(self) -> tuple[Latency, ...]:
        """Each operation, the one with the slowest p95 first."""
        named = attrgetter("operation")
        groups = groupby(sorted(self._calls, key=named), key=named)
        found = [_latency(operation, tuple(calls)) for operation, calls in groups]
        return tuple(sorted(found, key=lambda one: (-one.p95, one.operation)))

    def over_time(self) -> tuple[Latency, ...]:
        """Stretches of the same number of calls, oldest first."""
        calls = sorted(self._calls, key=attrgetter("at"))
        size = max(CALLS_MIN, ceil(len(calls) / POINTS))
        return tuple(_latency("", calls[start : start + size]) for start in range(0, len(calls), size))


def _latency(operation: str, calls: Sequence[Call]) -> Latency:
    times = sorted(call.seconds for call in calls)
    return Latency(
        operation=operation,
        at=calls[-1].at,
        count=len(times),
        median=_ms(times, 0.5),
        p95=_ms(times, 0.95),
        slowest=_ms(times, 1),
        failed=sum(not call.is_ok for call in calls),
    )


def _ms(times: Sequence[float], share: float) -> float:
    """The time that this share of the calls did not exceed."""
    return round(times[ceil(len(times) * share) - 1] * 1_000, 1)
