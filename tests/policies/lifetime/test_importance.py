"""Importance is earned, bounded, and fades; the base stays."""

from __future__ import annotations

from datetime import timedelta

from tests.policies.make import NOON, memory
from wellkept.policies.lifetime.importance import BONUS_MAX, as_share, effective


def test_fifty_mentions_outrank_one() -> None:
    assert effective(memory(mention_count=50), now=NOON) > effective(memory(), now=NOON)


def test_recalls_count_too() -> None:
    assert effective(memory(access_count=20), now=NOON) > effective(memory(), now=NOON)


def test_the_effect_is_bounded_and_fades() -> None:
    often = memory(mention_count=10**9, access_count=10**9)
    assert effective(often, now=NOON) <= 1 + BONUS_MAX
    later = effective(often, now=NOON + timedelta(days=365))
    assert effective(memory(), now=NOON) <= later < effective(often, now=NOON)
    assert often.importance == 1.0


def test_pinned_counts_as_core() -> None:
    assert effective(memory(pinned=True, importance=0.0), now=NOON) >= 3


def test_share_is_between_nothing_and_all() -> None:
    assert (as_share(0), as_share(2.5), as_share(9)) == (0.0, 0.5, 1.0)
