"""Reading times that callers give: datetimes, ISO text, or any date a person would write."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Literal

from wellkept.errors import InvalidInput
from wellkept.patterns import deferred

_DURATION = deferred(r"^\s*(\d+)\s*(h|hours?|d|days?|w|weeks?|months?|y|years?)\s*$", re.IGNORECASE)
_NUMBER = deferred(r"^\s*[-+]?(?:\d{1,6}(?:\.\d*)?|\.\d+|nan|inf(?:inity)?)\s*$", re.IGNORECASE)
_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0, "m": 30.0, "y": 365.0}


def moment(
    value: datetime | str, *, name: str, now: datetime | None = None, prefer: Literal["past", "future"] = "future"
) -> datetime:
    """An aware time in UTC; a text without a zone is UTC. What cannot be read is an error that names it.

    `prefer` says which day an unfinished date such as "Friday" means.

    >>> moment("2026-03-01T10:00:00+02:00", name="as_of").isoformat()
    '2026-03-01T08:00:00+00:00'
    """
    if isinstance(value, datetime):
        return _aware(value)
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is not a date or time that can be read.", code="invalid_time")
    try:
        return _aware(datetime.fromisoformat(value.strip()))
    except ValueError:
        return _read(value, name, now, prefer)


def expiry(value: datetime | str | float, *, now: datetime) -> datetime:
    """When something ends: a time, a date, a number of days, or a duration such as "2 weeks" or "36h"."""
    if isinstance(value, (int, float)):
        return _after(float(value), now)
    if isinstance(value, str) and (match := _DURATION.match(value)) is not None:
        return _after(int(match[1]) * _DAYS[match[2][0].lower()], now)
    if isinstance(value, str) and _NUMBER.match(value) is not None:
        return _after(float(value), now)
    ends = moment(value, name="expires", now=now)
    if ends <= now:
        raise InvalidInput("expires lies in the past.", code="invalid_expiry")
    return ends


def _after(days: float, now: datetime) -> datetime:
    if not 0 < days <= 36_500:  # noqa: PLR2004 -- a hundred years
        raise InvalidInput("A memory expires after more than 0 and at most 36,500 days.", code="invalid_expiry")
    return now + timedelta(days=days)


def _aware(value: datetime) -> datetime:
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _read(value: str, name: str, now: datetime | None, prefer: str) -> datetime:
    import dateparser

    settings = {"RETURN_AS_TIMEZONE_AWARE": True, "TIMEZONE": "UTC", "PREFER_DATES_FROM": prefer}
    if now is not None:
        settings["RELATIVE_BASE"] = now.replace(tzinfo=None)
    found = dateparser.parse(value[:100], settings=settings) if value.strip() else None
    if found is None:
        raise InvalidInput(f"{name} is not a date or time that can be read.", code="invalid_time")
    return _aware(found)
