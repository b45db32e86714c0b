"""Sessions, what lasts between them, their summaries, and todos."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from wellkept.errors import StoreError
from wellkept.policies.sessions import (
    Conversation,
    RollingSummary,
    Session,
    SessionState,
    SessionSummary,
    Spine,
    SpineLine,
)
from wellkept.policies.todos import Todo, TodoKind, TodoStatus
from wellkept.store.contract import UserMessages
from wellkept.store.core import ID_BYTES, Core
from wellkept.store.driver import UniqueClash
from wellkept.store.encoding import canonical, from_json, micros, micros_or_none, moment, word

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from wellkept.policies.todos import Intent
    from wellkept.store.driver import Row

_SUMMARY = ("one_liner", "what_mattered", "open_loops", "commitments", "people", "tone", "sources")
_ERASURES = (
    "wins_erase", "todos_erase", "spines_erase", "session_summaries_erase", "rolling_summaries_erase",
    "session_states_erase", "sessions_erase", "thread_readers_erase", "change_log_erase", "threads_erase",
)  # fmt: skip


class SessionsPart(Core):
    """See `contract.Store`, section "Sessions"."""

    def last_session(self, conversation: Conversation) -> Session | None:
        """The newest one, open or ended."""
        return next(iter(self.sessions(conversation, limit=1)), None)

    def open_session(self, conversation: Conversation, *, at: datetime) -> Session:
        """A new session with its first message."""
        with self._within():
            last = self.last_session(conversation)
            number = 1 if last is None else last.number + 1
            session = Session(
                id=_id("s", conversation, number),
                number=number,
                persona_id=conversation.persona,
                started_at=at,
                last_activity_at=at,
            )
            self.save_session(conversation, session)
        return session

    def save_session(self, conversation: Conversation, session: Session) -> None:
        """The session as it is now."""
        values = {
            "number": session.number,
            "id": session.id,
            "started_at": micros(session.started_at),
            "last_activity_at": micros(session.last_activity_at),
            "ended_at": micros_or_none(session.ended_at),
            "turn_count": session.turn_count,
        }
        with self._within():
            self._db.run("session_put", _key(conversation) | values)

    def session(self, tenant: str, session_id: str) -> tuple[Conversation, Session] | None:
        """By id, with the conversation it belongs to."""
        row = self._db.one("session_by_id", {"tenant": tenant, "id": session_id})
        if row is None:
            return None
        session = _session(row[1:])
        is_alone = not row[0].startswith(GROUP)
        return Conversation(tenant=tenant, owner=row[0], persona=session.persona_id, is_alone=is_alone), session

    def sessions(self, conversation: Conversation, *, limit: int) -> tuple[Session, ...]:
        """Newest first."""
        return tuple(_session(row) for row in self._db.rows("sessions_of", _key(conversation) | {"limit": limit}))

    def state(self, conversation: Conversation) -> SessionState:
        """What lasts; all zero before the first message."""
        row = self._db.one("state_of", _key(conversation))
        if row is None:
            return SessionState()
        count, last, words, curator, attempt, success, error = row
        newest = self._db.rows("rolling_of", _key(conversation) | {"limit": 1})
        return SessionState(
            message_count=count,
            last_interaction=moment(last),
            last_user_message=words,
            curator=from_json(curator),
            last_rolling_attempt_at=None if attempt is None else moment(attempt),
            last_rolling_success_at=None if success is None else moment(success),
            last_rolling_error=None if error is None else from_json(error),
            rolling_summary=newest[0][3] if newest else "",
        )

    def save_state(self, conversation: Conversation, state: SessionState) -> None:
        """The state as it is now."""
        assert state.last_interaction is not None, "a state that is saved has seen a message"
        error = state.last_rolling_error
        values = {
            "message_count": state.message_count,
            "last_interaction": micros(state.last_interaction),
            "last_user_message": state.last_user_message,
            "curator": canonical(dict(state.curator)),
            "last_rolling_attempt_at": micros_or_none(state.last_rolling_attempt_at),
            "last_rolling_success_at": micros_or_none(state.last_rolling_success_at),
            "last_rolling_error": None if error is None else canonical(dict(error)),
        }
        with self._within():
            self._db.run("state_put", _key(conversation) | values)

    def note_curator(self, tenant: str, owner: str, books: Mapping[str, Any]) -> None:
        """When the curator was with a user last, and what it left, in every state of theirs."""
        with self._within():
            self._db.run("curator_put", {"tenant": tenant, "owner": owner, "curator": canonical(dict(books))})

    def _count_messages(self, of: UserMessages) -> int:
        row = self._db.one("message_total", vars(of))
        return 0 if row is None else int(row[0])

    _HANDLES: ClassVar = {("count", UserMessages): _count_messages}

    def add_rolling(self, conversation: Conversation, content: str, *, message_count: int, at: datetime) -> None:
        """A new version of the rolling summary."""
        with self._within():
            newest = self._db.rows("rolling_of", _key(conversation) | {"limit": 1})
            values = {"version": newest[0][0] + 1 if newest else 1, "at": micros(at), "message_count": message_count}
            self._db.run("rolling_add", _key(conversation) | values | {"content": content})

    def rolling_versions(self, conversation: Conversation) -> tuple[RollingSummary, ...]:
        """Every version, oldest first."""
        rows = self._db.rows("rolling_of", _key(conversation) | {"limit": ALL})
        return tuple(
            RollingSummary(version=version, at=moment(at), message_count=count, content=content)
            for version, at, count, content in reversed(rows)
        )

    def put_summary(self, conversation: Conversation, summary: SessionSummary) -> None:
        """What a session was about."""
        body = {name: getattr(summary, name) for name in _SUMMARY}
        values = {
            "session_id": summary.session_id,
            "at": micros(summary.at),
            "body": canonical(body),
            "error": None if summary.error is None else canonical(dict(summary.error)),
        }
        with self._within():
            self._db.run("summary_put", _key(conversation) | values)

    def summary(self, tenant: str, session_id: str) -> SessionSummary | None:
        """Of one session."""
        row = self._db.one("summary_of", {"tenant": tenant, "session_id": session_id})
        return None if row is None else _summary(row)

    def latest_summary(self, conversation: Conversation) -> SessionSummary | None:
        """Of the session that was summarised last."""
        row = self._db.one("summary_latest", _key(conversation))
        return None if row is None else _summary(row)

    def add_spine(self, tenant: str, owner: str, spine: Spine) -> None:
        """A new version."""
        content = {
            name: [{"id": line.memory_id, "text": line.text} for line in lines] for name, lines in spine.content.items()
        }
        values = {
            "version": spine.version,
            "conversation_id": spine.conversation_id,
            "at": micros(spine.at),
            "message_count": spine.message_count,
            "total": spine.total,
            "content": canonical(content),
        }
        with self._within():
            self._db.run("spine_add", {"tenant": tenant, "owner": owner} | values)

    def spines(self, tenant: str, owner: str, *, limit: int) -> tuple[Spine, ...]:
        """Newest first."""
        rows = self._db.rows("spines_of", {"tenant": tenant, "owner": owner, "limit": limit})
        return tuple(_spine(row) for row in rows)

    def _erase_conversations(self, tenant: str, user: str) -> Mapping[str, int]:
        """Remove everything here that is a user's."""
        key = {"tenant": tenant, "owner": user}
        with self._within():
            return {name.removesuffix("_erase"): self._db.run(name, key) for name in _ERASURES}

    def add_todo(self, conversation: Conversation, intent: Intent, *, at: datetime, session_id: str | None) -> Todo:
        """A new todo."""
        with self._within():
            row = self._db.one("todo_last", _key(conversation))
            number = 1 + (0 if row is None else int(row[0]))
            todo = Todo(
                id=_id("t", conversation, number),
                tenant=conversation.tenant,
                user_id=conversation.owner,
                persona_id=conversation.persona,
                kind=intent.kind,
                key=intent.key,
                text=intent.text,
                due_at=intent.due_at,
                created_at=at,
                updated_at=at,
                session_id=session_id,
            )
            try:
                self._db.run("todo_add", _key(conversation) | _todo_values(todo) | {"number": number})
            except UniqueClash as clash:
                raise StoreError("An open todo says the same already.", code="already_stored") from clash
        return todo

    def save_todo(self, todo: Todo) -> None:
        """The todo as it is now."""
        with self._within():
            self._db.run("todo_change", {"tenant": todo.tenant} | _todo_values(todo))

    def add_win(self, todo: Todo, *, at: datetime) -> None:
        """It was done, then."""
        with self._within():
            self._db.run("win_add", {"tenant": todo.tenant, "id": todo.id, "at": micros(at)})

    def todo(self, tenant: str, todo_id: str) -> Todo | None:
        """By id."""
        row = self._db.one("todo_by_id", {"tenant": tenant, "id": todo_id})
        return None if row is None else _todo(tenant, row)

    def todos(self, conversation: Conversation, status: TodoStatus | None, *, limit: int) -> tuple[Todo, ...]:
        """Oldest first."""
        key = _key(conversation) | {"status": None if status is None else str(status), "limit": limit}
        return tuple(_todo(conversation.tenant, row) for row in self._db.rows("todos_of", key))

    def wins(self, conversation: Conversation, *, since: datetime, limit: int) -> tuple[tuple[Todo, datetime], ...]:
        """What was done since, newest first."""
        rows = self._db.rows("wins_of", _key(conversation) | {"since": micros(since), "limit": limit})
        return tuple((_todo(conversation.tenant, row[:-1]), moment(row[-1])) for row in rows)


GROUP = "chat:"
"""Leads the owner of a conversation that is a group's."""
ALL = 2**31 - 1


def _key(conversation: Conversation) -> dict[str, Any]:
    return {"tenant": conversation.tenant, "owner": conversation.owner, "persona": conversation.persona or ""}


def _id(letter: str, conversation: Conversation, number: int) -> str:
    said = canonical([letter, conversation.tenant, conversation.owner, conversation.persona, number])
    digest = hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()
    return f"{letter}_{base64.b32encode(digest[:ID_BYTES]).decode('ascii').lower()}"


def _session(row: Row) -> Session:
    session_id, number, persona, started, last, end, turns = row
    return Session(
        id=session_id,
        number=number,
        persona_id=persona or None,
        started_at=moment(started),
        last_activity_at=moment(last),
        ended_at=None if end is None else moment(end),
        turn_count=turns,
    )


def _summary(row: Row) -> SessionSummary:
    session_id, at, said, error = row
    body: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in from_json(said).items()
    }
    summary = SessionSummary(session_id=session_id, at=moment(at), **body)
    return summary if error is None else replace(summary, error=from_json(error))


def _spine(row: Row) -> Spine:
    version, at, count, total, said, conversation_id = row
    content = {
        name: tuple(SpineLine(memory_id=line["id"], text=line["text"]) for line in lines)
        for name, lines in from_json(said).items()
    }
    return Spine(
        version=version,
        at=moment(at),
        message_count=count,
        total=total,
        content=content,
        conversation_id=conversation_id,
    )


def _todo_values(todo: Todo) -> dict[str, Any]:
    return {
        "id": todo.id,
        "kind": str(todo.kind),
        "key": todo.key,
        "text": todo.text,
        "status": str(todo.status),
        "due_at": micros_or_none(todo.due_at),
        "created_at": micros(todo.created_at),
        "updated_at": micros(todo.updated_at),
        "completed_at": micros_or_none(todo.completed_at),
        "mention_count": todo.mention_count,
        "session_id": todo.session_id,
    }


def _todo(tenant: str, row: Row) -> Todo:
    todo_id, owner, persona, kind, key, text, status, due, created, updated, done, mentions, session_id = row
    return Todo(
        id=todo_id,
        tenant=tenant,
        user_id=owner,
        persona_id=persona or None,
        kind=word(TodoKind, kind),
        key=key,
        text=text,
        status=word(TodoStatus, status),
        due_at=None if due is None else moment(due),
        created_at=moment(created),
        updated_at=moment(updated),
        completed_at=None if done is None else moment(done),
        mention_count=mentions,
        session_id=session_id,
    )
