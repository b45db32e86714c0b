"""The contract of conversations: sessions, what lasts between them, their summaries, and todos."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from wellkept.policies.sessions.boundaries import (
        Conversation,
        RollingSummary,
        Session,
        SessionSummary,
        Spine,
        State,
    )
    from wellkept.policies.sessions.todos import Intent, Todo, TodoStatus


class Conversations(Protocol):
    """Per user and persona; nothing of one persona is ever read for another, but the spine is the user's."""

    def last_session(self, conversation: Conversation) -> Session | None:
        """The newest one, open or ended."""

    def open_session(self, conversation: Conversation, *, at: datetime) -> Session:
        """A new session with its first message."""

    def save_session(self, conversation: Conversation, session: Session) -> None:
        """The session as it is now."""

    def session(self, tenant: str, session_id: str) -> tuple[Conversation, Session] | None:
        """By id, with the conversation it belongs to."""

    def sessions(self, conversation: Conversation, *, limit: int) -> tuple[Session, ...]:
        """Newest first."""

    def state(self, conversation: Conversation) -> State:
        """What lasts; all zero before the first message."""

    def save_state(self, conversation: Conversation, state: State) -> None:
        """The state as it is now, but for the rolling summary, which has versions."""

    def note_curator(self, tenant: str, owner: str, books: Mapping[str, Any]) -> None:
        """When the curator was with a user last, and what it left, in every state of theirs."""

    def message_total(self, tenant: str, owner: str) -> int:
        """User messages of all personas."""

    def add_rolling(self, conversation: Conversation, content: str, *, message_count: int, at: datetime) -> None:
        """A new version of the rolling summary; the earlier ones stay."""

    def rolling_versions(self, conversation: Conversation) -> tuple[RollingSummary, ...]:
        """Every version, oldest first."""

    def put_summary(self, conversation: Conversation, summary: SessionSummary) -> None:
        """What a session was about, in place of what was said of it before."""

    def summary(self, tenant: str, session_id: str) -> SessionSummary | None:
        """Of one session."""

    def latest_summary(self, conversation: Conversation) -> SessionSummary | None:
        """Of the session that was summarised last."""

    def add_spine(self, tenant: str, owner: str, spine: Spine) -> None:
        """A new version."""

    def spines(self, tenant: str, owner: str, *, limit: int) -> tuple[Spine, ...]:
        """Newest first."""

    def add_todo(self, conversation: Conversation, intent: Intent, *, at: datetime, session_id: str | None) -> Todo:
        """A new todo. Two open ones of one kind and key cannot be."""

    def save_todo(self, todo: Todo) -> None:
        """The todo as it is now."""

    def add_win(self, todo: Todo, *, at: datetime) -> None:
        """It was done, then."""

    def todo(self, tenant: str, todo_id: str) -> Todo | None:
        """By id."""

    def todos(self, conversation: Conversation, status: TodoStatus | None, *, limit: int) -> tuple[Todo, ...]:
        """Oldest first; None: whatever their status."""

    def wins(self, conversation: Conversation, *, since: datetime, limit: int) -> tuple[tuple[Todo, datetime], ...]:
        """What was done since, newest first."""

    def retired_words(self, tenant: str, user: str, *, limit: int) -> Sequence[str]:
        """Texts and quotes of the user's memories that are no longer live, newest first: no summary may repeat them."""

    def erase_conversations(self, tenant: str, user: str) -> Mapping[str, int]:
        """Remove everything here that is a user's, threads included; how many rows of each table."""
