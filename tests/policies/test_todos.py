"""Todos: one intent told twice is one todo, and a habit that was done goes on."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.policies.make import NOON
from wellkept.policies.todos import Intent, Todo, TodoKind, TodoStatus, ended, same, told_again

LATER = NOON + timedelta(hours=3)


def todo(**fields) -> Todo:
    defaults = {"id": "t1", "tenant": "default", "user_id": "ada", "kind": TodoKind.THREAD, "key": "visa"}
    return Todo(**defaults | {"text": "see about the visa", "created_at": NOON, "updated_at": NOON} | fields)


def intent(**fields) -> Intent:
    return Intent(**{"kind": TodoKind.COMMITMENT, "text": "apply for the visa", "key": "visa"} | fields)


def test_what_is_told_again_is_firmer_newer_and_counted():
    again = told_again(todo(), intent(due_at=LATER), now=LATER)
    assert (again.kind, again.text, again.due_at) == (TodoKind.COMMITMENT, "apply for the visa", LATER)
    assert (again.mention_count, again.updated_at, again.created_at) == (2, LATER, NOON)


def test_a_looser_telling_changes_neither_kind_nor_words():
    firm = todo(kind=TodoKind.HABIT, text="run every day", due_at=LATER)
    again = told_again(firm, intent(kind=TodoKind.THREAD, text="running some time"), now=LATER)
    assert (again.kind, again.text, again.due_at) == (TodoKind.HABIT, "run every day", LATER)


def test_the_same_intent_is_known_by_its_key_but_a_friction_is_another_matter():
    open_todos = [todo(id="a", key="gym"), todo(id="b")]
    assert same(open_todos, intent()) == open_todos[1]
    assert same(open_todos, intent(kind=TodoKind.FRICTION)) is None
    assert same(open_todos, intent(key="tax")) is None


@pytest.mark.parametrize(
    ("kind", "effect", "status"),
    [
        (TodoKind.COMMITMENT, "done", TodoStatus.COMPLETED),
        (TodoKind.HABIT, "done", TodoStatus.PENDING),
        (TodoKind.HABIT, "dismissed", TodoStatus.SKIPPED),
        (TodoKind.THREAD, "dismissed", TodoStatus.SKIPPED),
    ],
)
def test_what_becomes_of_it(kind, effect, status):
    over = ended(todo(kind=kind), effect, now=LATER)
    assert over.status is status
    assert over.completed_at == (LATER if effect == "done" else None)


def test_only_what_is_open_is_overdue():
    late = todo(due_at=NOON)
    assert late.is_overdue(LATER)
    assert not late.is_overdue(NOON)
    assert not ended(late, "done", now=LATER).is_overdue(LATER)
    assert not todo().is_overdue(LATER)
