"""Who goes when nobody asks: by type, importance and idleness; the pinned never."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from wellkept.errors import InvalidInput
from wellkept.policies.lifetime.removal import BELOW, Lifecycle, outlived
from wellkept.types import Memory
from wellkept.vocabulary import Kind, MemoryType, Space, State

NOW = datetime(2026, 6, 1, tzinfo=UTC)
RULE = Lifecycle()


def memory(*, age: float = 100, **fields):
    at = NOW - timedelta(days=age)
    defaults = {
        "id": "m", "tenant": "t", "content": "x", "space": Space.USER, "owner": "u", "memory_key": "k",
        "discriminator": "d", "created_at": at, "observed_at": at, "updated_at": at,
    }  # fmt: skip
    return Memory(**defaults | fields)


def verdict(rule=RULE, **fields):
    decision = outlived(memory(**fields), now=NOW, rule=rule)
    return decision.verdict, decision.reason


@pytest.mark.parametrize("kind", MemoryType)
def test_the_threshold_depends_on_the_type(kind):
    is_brief = kind in ("context", "event", "task", "observation", "insight")
    assert verdict(type=kind, importance=0.0) == ("forget", "idle")
    assert verdict(type=kind, importance=1.0) == (("forget", "idle") if is_brief else ("keep", "important"))
    assert verdict(type=kind, importance=3.0) == ("keep", "important")


def test_what_was_lived_through_is_brief_whatever_its_type():
    assert verdict(kind=Kind.EPISODIC, importance=2.0)[0] == "forget"


def test_a_day_decides():
    assert verdict(age=60, importance=0.0) == ("forget", "idle")
    assert verdict(age=59.99, importance=0.0) == ("keep", "in_use")
    assert verdict(age=300, last_accessed_at=NOW - timedelta(days=59), importance=0.0) == ("keep", "in_use")
    assert verdict(age=300, last_accessed_at=NOW - timedelta(days=61), importance=0.0) == ("forget", "idle")


def test_pinned_and_ended_memories_are_left_alone():
    assert verdict(pinned=True, importance=0.0) == ("keep", "pinned")
    assert verdict(state=State.ARCHIVED, importance=0.0) == ("keep", "not_active")


def test_importance_that_was_earned_keeps_until_it_has_faded():
    told_often = {"type": MemoryType.EVENT, "importance": 2.5, "mention_count": 50}
    assert verdict(age=70, **told_often) == ("keep", "important")
    assert verdict(age=200, **told_often) == ("forget", "idle")


def test_thresholds_can_be_set_by_type():
    rule = Lifecycle(soft_delete_below={"event": 0.5, "preference": 5.0})
    assert verdict(rule, type=MemoryType.EVENT, importance=1.0)[0] == "keep"
    assert verdict(rule, type=MemoryType.PREFERENCE, importance=4.0)[0] == "forget"
    assert verdict(rule, type=MemoryType.TASK, importance=1.0)[0] == "forget"
    assert rule.below_max == 5.0
    assert max(BELOW.values()) == RULE.below_max
    with pytest.raises(InvalidInput, match="evnt"):
        Lifecycle(soft_delete_below={"evnt": 1.0})
