"""Each tenant has its own moment of the day, the same on every machine."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

from wellkept.policies.upkeep.slots import latest_slot, offset

DAY = timedelta(days=1)
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_a_slot_is_the_tenants_own_and_comes_once_a_day():
    slot = latest_slot("acme", DAY, NOW)
    assert NOW - DAY < slot <= NOW
    assert latest_slot("acme", DAY, slot) == slot
    assert latest_slot("acme", DAY, slot - timedelta(seconds=1)) == slot - DAY
    assert latest_slot("acme", DAY, NOW + DAY) == slot + DAY
    assert latest_slot("acme ltd", DAY, NOW) != slot


def test_a_fleet_is_spread_over_the_whole_span():
    hours = Counter(offset(f"tenant-{number}", DAY) // timedelta(hours=1) for number in range(2_400))
    assert set(hours) == set(range(24))
    assert max(hours.values()) < 2 * min(hours.values())
