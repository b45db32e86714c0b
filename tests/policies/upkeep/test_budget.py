"""Token budgets: both limits hold, 0 lets nothing through, and an estimate is never too small for its bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.policies.upkeep.budget import Limits, Spent, admit, estimate


@pytest.mark.parametrize(
    ("tokens", "spent", "limits", "reason"),
    [
        (100, Spent(), Limits(), "within_budget"),
        (100, Spent(user=900, tenant=900), Limits(user_day=1000, tenant_day=1000), "within_budget"),
        (101, Spent(user=900), Limits(user_day=1000), "budget_user"),
        (101, Spent(tenant=900), Limits(tenant_day=1000), "budget_tenant"),
        (101, Spent(user=900, tenant=900), Limits(user_day=1000, tenant_day=1000), "budget_user"),
        (1, Spent(), Limits(user_day=0), "budget_user"),
        (1, Spent(), Limits(tenant_day=0), "budget_tenant"),
    ],
)
def test_limits(tokens: int, spent: Spent, limits: Limits, reason: str):
    decision = admit(tokens, spent, limits)
    assert (decision.reason, decision.verdict) == (reason, "pass" if reason == "within_budget" else "refuse")


def test_estimates():
    assert estimate() == 0
    assert estimate("a") == 1
    assert estimate("柏林") == 2


@given(st.lists(st.text()))
def test_an_estimate_covers_its_texts(texts: list[str]):
    assert estimate(*texts) * 3 >= sum(len(text.encode()) for text in texts)
