"""Histories in small: the checks tell a linearizable history from one that is not, and retries do nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench import histories
from bench.histories import Event

FIRST = ("one", 1)
WRITE = Event(kind="write", begun=10, ended=20, value="two", version=2)
READ = Event(kind="read", begun=30, ended=40, value="two", version=2)
BESIDE = Event(kind="read", begun=12, ended=18, value="one", version=1)


def test_a_history_whose_versions_are_its_order_holds():
    assert histories.register_faults([WRITE, READ, BESIDE], FIRST) == []


@pytest.mark.parametrize(
    ("events", "fault"),
    [
        ([WRITE, replace(READ, value="one", version=1)], "began after version 2"),
        ([WRITE, replace(WRITE, begun=21, ended=25, value="also")], "was made twice"),
        ([WRITE, replace(READ, value="other")], "reads as"),
        ([replace(WRITE, version=3)], "missing"),
    ],
)
def test_a_history_that_does_not_hold_is_found_out(events, fault):
    assert any(fault in one for one in histories.register_faults(events, FIRST))


def test_a_slot_shows_one_value_and_none_that_was_replaced():
    older, newer = (replace(WRITE, value=value, begun=at, ended=at + 5) for value, at in (("1", 10), ("2", 20)))
    assert histories.slot_faults([older, newer, replace(READ, value="2")]) == []
    assert histories.slot_faults([older, newer, replace(READ, value="1", begun=22, ended=23)]) == [], "still under way"
    for value in ("1", "1 2", ""):
        assert histories.slot_faults([older, newer, replace(READ, value=value)])


def test_a_killed_call_that_is_made_again_is_stored_once():
    assert histories.retries(2, seed=3) == (24, [])


def test_without_a_key_it_is_stored_twice():
    assert histories.retries(2, seed=3, is_keyless=True)[1]
