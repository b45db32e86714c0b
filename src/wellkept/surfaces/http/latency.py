"""How long calls took of late: the last few thousand of a server, by operation and over time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import groupby
from math import ceil
from operator import attrgetter

from wellkept.values import frozen

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
    """Calls in milliseconds."""

    operation: str
    count: int
    median: float
    p95: float
    slowest: float
    failed: int


@frozen
class Point:
    """A stretch of time and the calls that ended in it."""

    at: datetime
    median: float
    p95: float


class Recent:
    """The last calls of a server."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._calls: deque[Call] = deque(maxlen=KEPT)

    def add(self, operation: str, seconds: float, *, is_ok: bool) -> None:
        """A call that ended now."""
        self._calls.append(Call(at=self._clock(), operation=operation, seconds=seconds, is_ok=is_ok))

    def whole(self) -> Latency | None:
        """All of them; None before the first."""
        calls = tuple(self._calls)
        return _latency("", calls) if calls else None

    def by_operation(self) -> tuple[Latency, ...]:
        """Each operation, the one with the slowest p95 first."""
        named = attrgetter("operation")
        groups = groupby(sorted(self._calls, key=named), key=named)
        found = [_latency(operation, tuple(calls)) for operation, calls in groups]
        return tuple(sorted(found, key=lambda one: (-one.p95, one.operation)))

    def over_time(self) -> tuple[Point, ...]:
        """Stretches of the same number of calls, oldest first."""
        calls = sorted(self._calls, key=attrgetter("at"))
        size = max(CALLS_MIN, ceil(len(calls) / POINTS))
        return tuple(_point(calls[start : start + size]) for start in range(0, len(calls), size))


def _latency(operation: str, calls: Sequence[Call]) -> Latency:
    times = sorted(call.seconds for call in calls)
    return Latency(
        operation=operation,
        count=len(times),
        median=_ms(times, 0.5),
        p95=_ms(times, 0.95),
        slowest=_ms(times, 1),
        failed=sum(not call.is_ok for call in calls),
    )


def _point(calls: Sequence[Call]) -> Point:
    times = sorted(call.seconds for call in calls)
    return Point(at=calls[-1].at, median=_ms(times, 0.5), p95=_ms(times, 0.95))


def _ms(times: Sequence[float], share: float) -> float:
    """The time that this share of the calls did not exceed."""
    return round(times[ceil(len(times) * share) - 1] * 1_000, 1)
