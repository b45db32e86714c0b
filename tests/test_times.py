"""Times as callers write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from wellkept.errors import InvalidInput
from wellkept.times import expiry, moment

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (datetime(2026, 1, 2, 3), "2026-01-02T03:00:00+00:00"),  # noqa: DTZ001 -- a naive time is what is tried
        (datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=2))), "2026-01-02T01:00:00+00:00"),
        ("2026-01-02", "2026-01-02T00:00:00+00:00"),
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05+00:00"),
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56:00+00:00"),
    ],
)
def test_moments(given: datetime | str, expected: str) -> None:
    assert moment(given, name="at").isoformat() == expected


@pytest.mark.parametrize("given", ["", "   ", "soonish maybe", "x" * 5000])
def test_the_unreadable_is_named(given: str) -> None:
    with pytest.raises(InvalidInput, match="as_of") as caught:
        moment(given, name="as_of")
    assert caught.value.code == "invalid_time"


@pytest.mark.parametrize(
    ("given", "days"), [(3, 3), (0.5, 0.5), ("2 weeks", 14), ("36h", 1.5), ("10d", 10), ("2026-03-08T12:00:00Z", 7)]
)
def test_expiry(given: str | float, days: float) -> None:
    assert expiry(given, now=NOW) == NOW + timedelta(days=days)


@pytest.mark.parametrize("given", [0, -1, 40_000, float("nan"), "2020-01-01"])
def test_what_is_over_before_it_begins_is_refused(given: str | float) -> None:
    with pytest.raises(InvalidInput) as caught:
        expiry(given, now=NOW)
    assert caught.value.code == "invalid_expiry"
