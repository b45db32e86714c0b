"""Todos: what somebody means to do, how two tellings of one intent are known, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from wellkept.values import frozen

WIN_FOR = timedelta(hours=48)
"""How long what was done counts as a recent win."""


class TodoKind(StrEnum):
    """What sort of intent it is."""

    COMMITMENT = "COMMITMENT"
    HABIT = "HABIT"
    THREAD = "THREAD"
    FRICTION = "FRICTION"


class TodoStatus(StrEnum):
    """Where it stands."""

    PENDING = "PENDING"
    COMPLETED = "COMPLETED"
    SKIPPED = "SKIPPED"


_FIRMNESS = {TodoKind.THREAD: 0, TodoKind.COMMITMENT: 1, TodoKind.HABIT: 2}


@frozen
class Intent:
    """An intent as a judge read it. `key` is the same for every telling of it."""

    kind: TodoKind
    text: str
    key: str
    due_at: datetime | None = None


@frozen
class Ending:
    """An open todo that a message says is done, or no longer wanted: its place in the list that was given."""

    effect: Literal["done", "dismissed"]
    which: int


@frozen
class Intents:
    """What a message means for the todos of a user."""

    new: tuple[Intent, ...] = ()
    endings: tuple[Ending, ...] = ()


@frozen
class Todo:
    """One intent of a user with one persona."""

    id: str
    tenant: str
    user_id: str
    persona_id: str | None = None
    kind: TodoKind
    key: str
    text: str
    status: TodoStatus = TodoStatus.PENDING
    due_at: datetime | None = None
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None = None
    """Of a habit: when it was last done."""
    mention_count: int = 1
    session_id: str | None = None

    def is_overdue(self, now: datetime) -> bool:
        """Whether it should have been done by now."""
        return self.status is TodoStatus.PENDING and self.due_at is not None and self.due_at < now


def told_again(todo: Todo, intent: Intent, *, now: datetime) -> Todo:
    """The same intent once more: the firmer kind, the newer words and the newer date."""
    kind = max((todo.kind, intent.kind), key=lambda kind: _FIRMNESS.get(kind, -1))
    return replace(
        todo,
        kind=kind,
        text=intent.text if kind is intent.kind else todo.text,
        due_at=intent.due_at or todo.due_at,
        mention_count=todo.mention_count + 1,
        updated_at=now,
    )


def same(todos: Sequence[Todo], intent: Intent) -> Todo | None:
    """The open todo that the intent tells of again; what is in the way is another matter than what is meant."""
    is_friction = intent.kind is TodoKind.FRICTION
    found = (todo for todo in todos if todo.key == intent.key and (todo.kind is TodoKind.FRICTION) == is_friction)
    return next(found, None)


def ended(todo: Todo, effect: Literal["done", "dismissed"], *, now: datetime) -> Todo:
    """The todo after it was done or given up. A habit that was done goes on."""
    if effect == "dismissed":
        return replace(todo, status=TodoStatus.SKIPPED, updated_at=now)
    status = TodoStatus.PENDING if todo.kind is TodoKind.HABIT else TodoStatus.COMPLETED
    return replace(todo, status=status, completed_at=now, updated_at=now)
