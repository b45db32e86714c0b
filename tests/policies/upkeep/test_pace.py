"""Budgets of tokens, pauses after a failure, slots of tenants."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.policies.upkeep.pace import (
    Retries,
    TokenLimits,
    TokensSpent,
    admit_tokens,
    again_at,
    estimate_tokens,
    latest_slot,
    slot_offset,
)


@pytest.mark.parametrize(
    ("tokens", "spent", "limits", "reason"),
    [
        (100, TokensSpent(), TokenLimits(), "within_budget"),
        (100, TokensSpent(user=900, tenant=900), TokenLimits(user_day=1000, tenant_day=1000), "within_budget"),
        (101, TokensSpent(user=900), TokenLimits(user_day=1000), "budget_user"),
        (101, TokensSpent(tenant=900), TokenLimits(tenant_day=1000), "budget_tenant"),
        (101, TokensSpent(user=900, tenant=900), TokenLimits(user_day=1000, tenant_day=1000), "budget_user"),
        (1, TokensSpent(), TokenLimits(user_day=0), "budget_user"),
        (1, TokensSpent(), TokenLimits(tenant_day=0), "budget_tenant"),
    ],
)
def test_limits(tokens: int, spent: TokensSpent, limits: TokenLimits, reason: str):
    decision = admit_tokens(tokens, spent, limits)
    assert (decision.reason, decision.verdict) == (reason, "pass" if reason == "within_budget" else "refuse")


def test_estimates():
    assert estimate_tokens() == 0
    assert estimate_tokens("a") == 1
    assert estimate_tokens("柏林") == 2


@given(st.lists(st.text()))
def test_an_estimate_covers_its_texts(texts: list[str]):
    assert estimate_tokens(*texts) * 3 >= sum(len(text.encode()) for text in texts)


NOW = datetime(2026, 3, 2, tzinfo=UTC)


def test_each_pause_is_twice_the_one_before_up_to_the_longest():
    rule = Retries(attempts_max=5, first_seconds=3, pause_max_seconds=10)
    pauses = [again_at(attempts, now=NOW, rule=rule) for attempts in (1, 2, 3, 4)]
    assert [(at - NOW) / timedelta(seconds=1) for at in pauses if at] == [3, 6, 10, 10]


def test_after_the_last_attempt_it_is_given_up():
    rule = Retries(attempts_max=2)
    assert again_at(1, now=NOW, rule=rule) == NOW + timedelta(seconds=rule.first_seconds)
    assert again_at(2, now=NOW, rule=rule) is None
    assert again_at(9, now=NOW, rule=rule) is None


DAY = timedelta(days=1)
MOMENT = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_a_slot_is_the_tenants_own_and_comes_once_a_day():
    slot = latest_slot("acme", DAY, MOMENT)
    assert MOMENT - DAY < slot <= MOMENT
    assert latest_slot("acme", DAY, slot) == slot
    assert latest_slot("acme", DAY, slot - timedelta(seconds=1)) == slot - DAY
    assert latest_slot("acme", DAY, MOMENT + DAY) == slot + DAY
    assert latest_slot("acme ltd", DAY, MOMENT) != slot


def test_a_fleet_is_spread_over_the_whole_span():
    hours = Counter(slot_offset(f"tenant-{number}", DAY) // timedelta(hours=1) for number in range(2_400))
    assert set(hours) == set(range(24))
    assert max(hours.values()) < 2 * min(hours.values())
