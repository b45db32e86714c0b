"""The contract of threads: revisions that grow with every change, and readers who are told of each change once."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from wellkept.policies.context.delta import Event
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.policies.visibility.memories import View

ACTIVE_FOR = timedelta(days=30)
"""A thread that nobody spoke in for so long is told of nothing that happens elsewhere."""


@frozen
class Reader:
    """An agent in a thread of a user; each has a mark of its own."""

    tenant: str
    user: str
    thread: str
    agent: str | None = None
    persona: str | None = None


@frozen
class ThreadChange:
    """One change of a thread that the reader may hear of."""

    rev: int
    event: Event
    memory_id: str
    category: str
    importance: float
    is_live: bool
    """Whether the reader sees the memory now; else its text is not told."""


@frozen
class Changes:
    """What a reader has not been told yet, in order."""

    since: int = 0
    """How many changes it was told of before."""
    changes: tuple[ThreadChange, ...] = ()


class Threads(Protocol):
    """Threads and their revisions. `apply` and `purge` write the changes, in the transaction of the write."""

    def join_thread(self, reader: Reader, *, at: datetime) -> None:
        """The thread is spoken in: from now on it is told of what the user changes elsewhere."""

    def revision(self, reader: Reader) -> int:
        """How many changes there were for the thread."""

    def changed(self, view: View, reader: Reader) -> Changes:
        """What the reader was not told yet and this view may see; the mark stays where it is."""

    def take_changes(self, view: View, reader: Reader, *, at: datetime, keep_turns: int) -> Changes:
        """The same, and moves the mark: of many takers at once each change goes to one. Counts a turn of the thread.

        Changes of more than `keep_turns` turns ago are dropped.
        """
