"""Slots: when scheduled work of a tenant begins, so that the tenants of a fleet are spread over the whole span."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SHARES = 2**64


def offset(tenant: str, every: timedelta) -> timedelta:
    """How far into the span a tenant's slot is: the same on every machine, and spread evenly over tenants."""
    digest = hashlib.sha256(tenant.encode("utf-8", "surrogatepass")).digest()
    return every * (int.from_bytes(digest[:8], "big") / _SHARES)


def latest_slot(tenant: str, every: timedelta, now: datetime) -> datetime:
    """The last moment up to now at which scheduled work of this tenant should have begun."""
    first = _EPOCH + offset(tenant, every)
    return first + (now - first) // every * every
