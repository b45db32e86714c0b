"""Whether a caller that has writes in hand at the server may bring one more.

Reads have threads of their own, so that no number of long writes keeps them waiting. Of the threads for writes one
caller gets a share; what is more waits, and what is too much is turned away at once.
"""

from __future__ import annotations

from wellkept.types import Decision
from wellkept.values import frozen


@frozen
class WriteShare:
    """What of the writing lane one caller may take."""

    working_max: int
    """Writes that are worked on at once."""
    waiting_max: int
    """Writes that wait for one of these to end."""


def admit(in_hand: int, share: WriteShare) -> Decision:
    """Whether a caller with so many writes in hand, worked on or waiting, may bring another.

    >>> [admit(number, WriteShare(working_max=1, waiting_max=1)).verdict for number in (0, 1, 2)]
    ['pass', 'pass', 'refuse']
    """
    if in_hand >= share.working_max + share.waiting_max:
        return Decision(verdict="refuse", reason="too_many_writes")
    return Decision(verdict="pass", reason="allowed")
