"""What a question asks about the transcript: which time, which talks, which end of the story."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from wellkept.values import frozen

Order = Literal["first", "latest"]


@frozen
class AskedTime:
    """The time a question names. Neither window nor sessions: it names none."""

    window: tuple[datetime, datetime] | None = None
    """From a moment up to, not including, another."""
    step_days: int | None = None
    """A day that comes again, such as "last Friday": when nothing was said then, the one so many days before counts."""
    sessions: tuple[int, int] | None = None
    """First and last talk, counted from 1; from the end when negative, so that -1 is the latest one."""
    is_said: bool = False
    """Whether the time is that of the talk ("what did we discuss in May"), not of something told in it."""
    order: Order | None = None
    """The end of the story that is asked for: "the first time", "the latest"."""
    content: str = ""
    """The question without the words that name the time."""

    @property
    def is_timed(self) -> bool:
        return self.window is not None or self.sessions is not None
