"""Who leaves when there is no room."""

from __future__ import annotations

from datetime import timedelta

from tests.policies.make import NOON, memory
from wellkept.policies.lifetime.eviction import leaving


def old(name: str, **changes: object):
    return memory(id=name, created_at=NOON - timedelta(days=30), **changes)


def gone(live, cap, incoming="m_in"):
    return [m.id for m in leaving(live, cap=cap, incoming=incoming, now=NOON)]


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
