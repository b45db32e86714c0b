"""Frozen values behave as dataclasses do: compared, hashed, shown, changed, and never assigned to."""

from __future__ import annotations

import dataclasses
from dataclasses import FrozenInstanceError, field

import pytest

from wellkept.values import changed, frozen, once


@frozen
class Point:
    """A place."""

    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)
    note: str = field(default="", compare=False, repr=False)


@frozen
class Positive:
    """A number above zero."""

    number: int

    def __post_init__(self) -> None:
        if self.number <= 0:
            raise ValueError(self.number)


@frozen
class Hashable:
    """A place that can be a key."""

    x: int
    note: str = field(default="", compare=False)


def test_values_are_equal_by_their_compared_fields() -> None:
    assert Point(x=1) == Point(x=1, y=0, note="other")
    assert Point(x=1) != Point(x=2)
    assert Point(x=1) != Hashable(x=1)
    assert len({Hashable(x=1), Hashable(x=1, note="other"), Hashable(x=2)}) == 2


def test_fields_that_are_not_shown_are_left_out() -> None:
    assert repr(Point(x=1, note="hidden")) == "Point(x=1, y=0, tags=[])"


def test_each_value_has_a_default_of_its_own() -> None:
    assert Point(x=1).tags is not Point(x=1).tags


def test_fields_are_given_by_name_and_all_that_are_needed() -> None:
    with pytest.raises(TypeError):
        Point(1)  # type: ignore[call-arg, misc]  # wrong on purpose
    with pytest.raises(TypeError):
        Point(y=1)  # type: ignore[call-arg]  # wrong on purpose


def test_nothing_can_be_assigned_or_deleted() -> None:
    point = Point(x=1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2  # type: ignore[misc]  # wrong on purpose
    with pytest.raises(FrozenInstanceError):
        del point.x
    assert point.x == 1


def test_a_changed_value_is_what_dataclasses_would_make_of_it() -> None:
    point = Point(x=1, tags=["a"])
    assert changed(point, y=2) == dataclasses.replace(point, y=2) == Point(x=1, y=2, tags=["a"])
    assert point.y == 0
    with pytest.raises(TypeError, match="Point has no field 'z'"):
        changed(point, z=1)


def test_a_changed_value_is_checked_as_a_new_one() -> None:
    with pytest.raises(ValueError, match="0"):
        Positive(number=0)
    with pytest.raises(ValueError, match="-1"):
        changed(Positive(number=1), number=-1)


def test_what_was_worked_out_once_is_kept_and_left_behind_by_a_change() -> None:
    asked: list[int] = []

    def double(point: Point) -> int:
        asked.append(point.x)
        return 2 * point.x

    point = Point(x=1)
    assert (once(point, "_double", double), once(point, "_double", double)) == (2, 2)
    assert once(changed(point, x=3), "_double", double) == 6
    assert asked == [1, 3]
    assert point == Point(x=1)
