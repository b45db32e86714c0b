"""What callers give, of whatever type it is: whole numbers in their range, numbers, texts."""

from __future__ import annotations

import math
from typing import cast

from wellkept.errors import InvalidInput

DAYS_MAX = 36_500
"""A century."""


def check_limit(value: object, most: int, *, name: str = "limit") -> None:
    """A whole number from 1 on.

    >>> check_limit(3, 10)
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidInput(f"{name} must be from 1 to {most}, a whole number.", code="invalid_limit")


def check_days(value: object, *, name: str) -> None:
    """A number of days that is not below zero."""
    if not is_number(value) or not 0 <= cast("float", value) <= DAYS_MAX:
        raise InvalidInput(f"{name} must be a number of days from 0 to {DAYS_MAX}.", code="invalid_parameter")


def check_number(value: object, *, name: str) -> None:
    """A number that can be compared."""
    if not is_number(value):
        raise InvalidInput(f"{name} must be a number.", code="invalid_parameter")


def check_text(value: object, *, name: str) -> None:
    """A text, empty or not."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a text.", code="invalid_parameter")


def is_number(value: object) -> bool:
    """Whether something is a finite number; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return isinstance(value, int) or math.isfinite(value)
