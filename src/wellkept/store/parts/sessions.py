"""Sessions, what lasts between them, their summaries, and todos."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, ClassVar

from wellkept.errors import StoreError
from wellkept.policies.summaries import (
    Conversation,
    RollingSummary,
    Session,
    SessionState,
    SessionSummary,
    Spine,
    SpineLine,
)
from wellkept.policies.todos import Intent, Todo, TodoStatus
from wellkept.store.contract import ConversationRecord, CuratorVisit, Summary, UserMessages, Win
from wellkept.store.core import Core, id_text
from wellkept.store.driver import UniqueClash
from wellkept.store.encoding import Row, canonical, columns, from_json, micros, micros_or_none, moment, record_of

_SUMMARY = ("one_liner", "what_mattered", "open_loops", "commitments", "people", "tone", "sources")
_ERASURES = (
    "wins_erase", "todos_erase", "spines_erase", "session_summaries_erase", "rolling_summaries_erase",
    "session_states_erase", "sessions_erase", "thread_readers_erase", "change_log_erase", "threads_erase",
)  # fmt: skip

ALL = 2**31 - 1
GROUP = "chat:"
"""Leads the owner of a conversation that is a group's."""


class SessionsPart(Core):
    """See `contract.Store`, section "Sessions"."""

    def keep_in(self, conversation: Conversation, record: ConversationRecord) -> None:
        key = _key(conversation)
        with self._within():
            match record:
                case Session():
                    self._db.run("session_put", columns(record) | key)
                case SessionState():
                    assert record.last_interaction is not None, "a state that is saved has seen a message"
                    self._db.run("state_put", columns(record) | key)
                case RollingSummary():
                    newest = self._db.rows("rolling_of", key | {"limit": 1})
                    version = newest[0][0] + 1 if newest else 1
                    self._db.run("rolling_add", columns(record) | key | {"version": version})
                case SessionSummary():
                    body = canonical({name: getattr(record, name) for name in _SUMMARY})
                    self._db.run("summary_put", columns(record) | key | {"body": body})
                case Spine():
                    content = {
                        name: [{"id": line.memory_id, "text": line.text} for line in lines]
                        for name, lines in record.content.items()
                    }
                    self._db.run(
                        "spine_add", columns(replace(record, content={})) | key | {"content": canonical(content)}
                    )

    def _keep_win(self, win: Win) -> None:
        self._db.run("win_add", {"tenant": win.todo.tenant, "id": win.todo.id, "at": micros(win.at)})

    def session(self, tenant: str, session_id: str) -> tuple[Conversation, Session] | None:
        row = self._db.one("session_by_id", {"tenant": tenant, "id": session_id})
        if row is None:
            return None
        session = record_of(Session, row[1:])
        is_alone = not row[0].startswith(GROUP)
        return Conversation(tenant=tenant, owner=row[0], persona=session.persona_id, is_alone=is_alone), session

    def sessions(self, conversation: Conversation, *, limit: int) -> tuple[Session, ...]:
        rows = self._db.rows("sessions_of", _key(conversation) | {"limit": limit})
        return tuple(record_of(Session, row) for row in rows)

    def state(self, conversation: Conversation) -> SessionState:
        row = self._db.one("state_of", _key(conversation))
        if row is None:
            return SessionState()
        newest = self._db.rows("rolling_of", _key(conversation) | {"limit": 1})
        return record_of(SessionState, row, rolling_summary=newest[0][3] if newest else "")

    def summaries(
        self, conversation: Conversation, kind: type[Summary], *, session: str | None = None, limit: int = ALL
    ) -> tuple[Summary, ...]:
        key = _key(conversation) | {"session_id": session, "limit": limit}
        name, made = _SUMMARIES[kind]
        rows = self._db.rows(name if session is None else "summary_of", key)
        return tuple(made(row) for row in rows)

    def _erase_conversations(self, tenant: str, user: str) -> Mapping[str, int]:
        """Remove everything here that is a user's."""
        key = {"tenant": tenant, "owner": user}
        with self._within():
            return {name.removesuffix("_erase"): self._db.run(name, key) for name in _ERASURES}

    def add_todo(self, conversation: Conversation, intent: Intent, *, at: datetime, session_id: str | None) -> Todo:
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
                self._db.run("todo_add", columns(todo) | _key(conversation) | {"number": number})
            except UniqueClash as clash:
                raise StoreError("An open todo says the same already.", code="already_stored") from clash
        return todo

    def todos(
        self, conversation: Conversation, status: TodoStatus | None, *, done_since: datetime | None = None, limit: int
    ) -> tuple[Todo, ...]:
        key = _key(conversation) | {"status": status, "since": micros_or_none(done_since), "limit": limit}
        rows = self._db.rows("todos_of" if done_since is None else "wins_of", key)
        return tuple(record_of(Todo, row, tenant=conversation.tenant) for row in rows)

    _HANDLES: ClassVar = {
        ("count", UserMessages): "message_total",
        ("keep", CuratorVisit): "curator_put",
        ("keep", Todo): "todo_change",
        ("keep", Win): _keep_win,
    }


def _key(conversation: Conversation) -> dict[str, Any]:
    return {"tenant": conversation.tenant, "owner": conversation.owner, "persona": conversation.persona or ""}


def new_session(conversation: Conversation, last: Session | None, *, at: datetime) -> Session:
    """The session after the last one, with its first message."""
    number = 1 if last is None else last.number + 1
    return Session(
        id=_id("s", conversation, number),
        number=number,
        persona_id=conversation.persona,
        started_at=at,
        last_activity_at=at,
    )


def _id(letter: str, conversation: Conversation, number: int) -> str:
    said = canonical([letter, conversation.tenant, conversation.owner, conversation.persona, number])
    return f"{letter}_{id_text(said.encode('utf-8', 'surrogatepass'))}"


def _summary(row: Row) -> SessionSummary:
    session_id, at, said, error = row
    body: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in from_json(said).items()
    }
    summary = SessionSummary(session_id=session_id, at=moment(at), **body)
    return summary if error is None else replace(summary, error=from_json(error))


def _spine(row: Row) -> Spine:
    said, *others = row
    content = {
        name: tuple(SpineLine(memory_id=line["id"], text=line["text"]) for line in lines)
        for name, lines in from_json(said).items()
    }
    return record_of(Spine, others, content=content)


_SUMMARIES: Mapping[type, tuple[str, Callable[[Row], Any]]] = {
    RollingSummary: ("rolling_of", partial(record_of, RollingSummary)),
    SessionSummary: ("summaries_of", _summary),
    Spine: ("spines_of", _spine),
}
"""How each kind of summary is read: the statement, and what makes it of a row."""
