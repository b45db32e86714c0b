"""Sessions: when a conversation begins and ends, what lasts between two of them, and when it is summarised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from typing import Any

from wellkept.values import frozen

IDLE = timedelta(minutes=30)
"""So long without a word ends a session."""
SOFT = timedelta(hours=2)
"""Who comes back within this gets the end of the session before, marked as earlier."""
ROLLING_EVERY = 4
SPINE_EVERY = 20
LAST_MESSAGE_MAX = 100
ROLLING_MAX = 600
SPINE_LINES_MAX = 12
"""Of each section."""
SPINE_SECTIONS = ("PROFILE", "PROJECTS", "PEOPLE", "OPEN_LOOPS")
UNAVAILABLE = "Summary unavailable."


@frozen
class Conversation:
    """Who talks with whom: a user and a persona; or a group, all of it."""

    tenant: str
    owner: str
    persona: str | None = None
    is_alone: bool = True
    """Nobody but the user hears it: todos, summaries and the spine are kept and shown only then."""


@frozen
class Session:
    """A conversation from its first message to half an hour of silence."""

    id: str
    number: int
    persona_id: str | None = None
    started_at: datetime
    last_activity_at: datetime
    ended_at: datetime | None = None
    turn_count: int = 1


@frozen
class RollingSummary:
    """One version of the short text about a running conversation."""

    version: int
    at: datetime
    message_count: int
    content: str


@frozen
class State:
    """What lasts from session to session."""

    message_count: int = 0
    last_interaction: datetime | None = None
    last_user_message: str = ""
    curator: Mapping[str, Any] = field(default_factory=dict)
    """`last_run_at` and `last_memory_count_at_run`."""
    last_rolling_attempt_at: datetime | None = None
    last_rolling_success_at: datetime | None = None
    last_rolling_error: Mapping[str, str] | None = None
    """`reason` and `detail` of the last failure, until one succeeds."""
    rolling_summary: str = ""


@frozen
class SessionSummary:
    """What a session was about. With an `error` there is none yet."""

    session_id: str
    at: datetime
    one_liner: str = UNAVAILABLE
    what_mattered: tuple[str, ...] = ()
    open_loops: tuple[str, ...] = ()
    commitments: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    tone: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Line → the user's own words that it rests on, where it is not those words itself."""
    error: Mapping[str, str] | None = None


@frozen
class SpineLine:
    """A durable fact, and the memory it rests on."""

    memory_id: str
    text: str


Lines = Mapping[str, tuple[SpineLine, ...]]
"""Durable facts by section, the weightiest first."""


@frozen
class Spine:
    """One version of the long-term summary of a user."""

    version: int
    at: datetime
    message_count: int
    """User messages since the version before."""
    total: int
    """User messages in all."""
    content: Mapping[str, tuple[SpineLine, ...]] = field(default_factory=dict)
    conversation_id: str = "default"


def is_over(session: Session, now: datetime) -> bool:
    """Whether silence has ended it."""
    return session.ended_at is None and now - session.last_activity_at >= IDLE


def ended(session: Session) -> Session:
    """The session as it ended: with its last word, not when that was noticed."""
    return replace(session, ended_at=session.last_activity_at)


def is_soft(before: Session | None, now: datetime) -> bool:
    """Whether the session before is near enough to be carried over."""
    return before is not None and before.ended_at is not None and now - before.ended_at <= SOFT
