"""Phases: what one held in the end, and what changed from one to another."""

from __future__ import annotations

import pytest

from wellkept.errors import InvalidInput
from wellkept.policies.governance.phases import CHANGES_MAX, Phase, Step, content, diff, require_request
from wellkept.vocabulary import Space


def came(memory_id):
    return Step(memory_id=memory_id, is_live=True)


def went(memory_id):
    return Step(memory_id=memory_id, is_live=False)


def test_a_phase_is_named_by_its_number():
    phase = Phase(space=Space.SESSION, owner="s1", number=3, started_at=9, reason="manual")
    assert phase.as_json() == {
        "phase_id": "phase-3",
        "phase_name": None,
        "phase_started_at": 9,
        "phase_reason": "manual",
    }


@pytest.mark.parametrize(
    ("steps", "held"),
    [
        ([], ()),
        ([came("a"), came("b")], ("a", "b")),
        ([came("a"), went("a")], ()),
        ([came("a"), went("a"), came("a")], ("a",)),
        ([came("a"), came("a")], ("a",)),
    ],
)
def test_content_is_what_the_ledger_leaves(steps, held):
    assert content(steps) == held


def test_diff_tells_replaced_added_and_deleted_in_this_order():
    a, b, c, d = ((key, "") for key in "abcd")
    found = diff({b: "1", c: "2", d: "3"}, {a: "4", c: "2", d: "5"})
    assert (found.added, found.deleted, found.replaced) == ((a,), (b,), (d,))
    assert list(found.top_changes) == [
        {"change": "replaced", "dedup_key": "d", "from_id": "3", "to_id": "5"},
        {"change": "added", "dedup_key": "a", "to_id": "4"},
        {"change": "deleted", "dedup_key": "b", "from_id": "1"},
    ]
    assert found.summary_lines == ["Added 1 item", "Deleted 1 item", "Replaced 1 item"]


def test_diff_of_equals_is_empty():
    found = diff({("a", ""): "1"}, {("a", ""): "1"})
    assert found.top_changes == ()
    assert found.summary_lines == ["Added 0 items", "Deleted 0 items", "Replaced 0 items"]


def test_at_most_eight_changes_are_shown_and_all_are_counted():
    found = diff({}, {(f"k{number}", ""): str(number) for number in range(20)})
    assert len(found.top_changes) == CHANGES_MAX == 8
    assert len(found.added) == 20
    assert found.summary_lines[0] == "Added 20 items"


@pytest.mark.parametrize(
    ("name", "reason", "code"),
    [
        ("", "manual", "invalid_phase_name"),
        ("  ", "manual", "invalid_phase_name"),
        ("x" * 101, "manual", "invalid_phase_name"),
        (7, "manual", "invalid_phase_name"),
        ("a\x00b", "manual", "invalid_phase_name"),
        ("half of a pair \ud83d", "manual", "invalid_phase_name"),
        (None, "", "invalid_phase_reason"),
        (None, "two words", "invalid_phase_reason"),
        (None, None, "invalid_phase_reason"),
        (None, "x" * 65, "invalid_phase_reason"),
    ],
)
def test_wrong_requests_are_named(name, reason, code):
    with pytest.raises(InvalidInput) as caught:
        require_request(name, reason)
    assert caught.value.code == code


def test_good_requests_pass():
    require_request(None, "manual")
    require_request("Planning, week 2", "topic:new-1")
