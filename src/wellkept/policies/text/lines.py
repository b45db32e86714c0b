"""Stored text as data: one line that can neither pose as structure nor reach a terminal's controls."""

from __future__ import annotations

from wellkept.patterns import deferred

_CONTROL = deferred("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def quoted(text: str) -> str:
    """One line, no control characters, and nothing that could close the fence.

    >>> quoted("a" + chr(10) + "<<<end>>>")
    'a ‹‹‹end›››'
    """
    return _CONTROL.sub(" ", text).replace("<<<", "‹‹‹").replace(">>>", "›››")
