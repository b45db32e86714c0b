"""Earned importance, and what goes: unasked for, or for want of room."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.policies.make import NOON, memory
from wellkept.errors import InvalidInput
from wellkept.policies.upkeep.lifecycle import (
    BELOW,
    BONUS_MAX,
    Lifecycle,
    effective_importance,
    importance_share,
    leaving,
    outlived,
)
from wellkept.types import Memory
from wellkept.vocabulary import Kind, MemoryType, Space, State


def test_fifty_mentions_outrank_one() -> None:
    assert effective_importance(memory(mention_count=50), now=NOON) > effective_importance(memory(), now=NOON)


def test_recalls_count_too() -> None:
    assert effective_importance(memory(access_count=20), now=NOON) > effective_importance(memory(), now=NOON)


def test_what_is_earned_grows_with_the_logarithm_and_halves_in_sixty_days() -> None:
    told, recalled = memory(mention_count=4), memory(access_count=3)
    assert effective_importance(told, now=NOON) == pytest.approx(1.7)
    assert effective_importance(recalled, now=NOON) == pytest.approx(1.3)
    assert effective_importance(told, now=NOON + timedelta(days=60)) == pytest.approx(1.35)
    assert effective_importance(told, now=NOON + timedelta(hours=6)) > effective_importance(
        told, now=NOON + timedelta(hours=12)
    )
    assert effective_importance(told, now=NOON - timedelta(days=60)) == pytest.approx(1.7)


def test_the_effect_is_bounded_and_fades() -> None:
    often = memory(mention_count=10**9, access_count=10**9)
    assert effective_importance(often, now=NOON) <= 1 + BONUS_MAX
    later = effective_importance(often, now=NOON + timedelta(days=365))
    assert effective_importance(memory(), now=NOON) <= later < effective_importance(often, now=NOON)
    assert often.importance == 1.0


def test_pinned_counts_as_core() -> None:
    assert effective_importance(memory(pinned=True, importance=0.0), now=NOON) >= 3


def test_share_is_between_nothing_and_all() -> None:
    assert (importance_share(0), importance_share(2.5), importance_share(9)) == (0.0, 0.5, 1.0)


NOW = datetime(2026, 6, 1, tzinfo=UTC)
RULE = Lifecycle()


def aged(*, age: float = 100, **fields):
    at = NOW - timedelta(days=age)
    defaults = {
        "id": "m", "tenant": "t", "content": "x", "space": Space.USER, "owner": "u", "memory_key": "k",
        "discriminator": "d", "created_at": at, "observed_at": at, "updated_at": at,
    }  # fmt: skip
    return Memory(**defaults | fields)


def verdict(rule=RULE, **fields):
    decision = outlived(aged(**fields), now=NOW, rule=rule)
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


def old(name: str, **changes: object):
    return memory(id=name, created_at=NOON - timedelta(days=30), **changes)


def gone(live, cap, incoming="m_in"):
    return [m.id for m in leaving(live, cap=cap, incoming=incoming, now=NOON)]


def test_a_type_that_is_not_known_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"no type 'mood'\. Known: preference, identity") as refused:
        Lifecycle(soft_delete_below={"mood": 1.0})
    assert refused.value.code == "invalid_config"


def test_of_two_that_weigh_the_same_the_earlier_tick_leaves() -> None:
    first, second, other = memory(id="m_1", tick=1), memory(id="m_0", tick=2), memory(id="m_2", tick=None)
    assert leaving([second, first], cap=1, incoming="", now=NOON) == (first,)
    assert leaving([first, other], cap=1, incoming="", now=NOON) == (other,)
    assert leaving([first, second], cap=2, incoming="", now=NOON) == ()


def test_a_week_makes_a_memory_old() -> None:
    new, old = memory(id="m_new", created_at=NOON), memory(id="m_old", created_at=NOON - timedelta(days=7))
    fresh = memory(id="m_fresh", importance=0.0, created_at=NOON - timedelta(days=6))
    assert leaving([fresh, old, new], cap=2, incoming="", now=NOON) == (old,)


def test_nobody_leaves_while_there_is_room():
    assert gone([old("a"), old("b")], 2) == []


def test_of_four_equal_facts_in_one_minute_the_first_leaves():
    facts = [memory(id=f"m_{n}", tick=n) for n in range(3)]
    assert gone([*facts, memory(id="m_in", tick=3)], 3) == ["m_0"]


def test_the_least_important_leaves_then_the_oldest():
    assert gone([old("a", importance=2.0), old("b", importance=1.0), old("m_in")], 2) == ["b"]
    older = memory(id="z", created_at=NOON - timedelta(days=60))
    assert gone([old("a"), older, old("m_in")], 2) == ["z"]


def test_what_was_mentioned_often_stays():
    assert gone([old("a", mention_count=50), old("b"), old("m_in")], 2) == ["b"]


def test_the_young_leave_last_and_the_pinned_never():
    young = memory(id="y", importance=0.0)
    assert gone([old("a", importance=1.0), young, old("m_in")], 2) == ["a"]
    assert gone([old("a", pinned=True), old("b", pinned=True), old("m_in")], 1) == []


def test_the_incoming_one_stays():
    assert gone([old("a", importance=3.0), memory(id="m_in", importance=0.0)], 1) == ["a"]


def test_what_is_significant_outlives_every_new_remark():
    lamps = [memory(id=f"lamp_{n}", tick=n) for n in range(2)]
    assert gone([old("allergy", importance=2.0), *lamps, memory(id="m_in", tick=2)], 2) == ["lamp_0", "lamp_1"]
