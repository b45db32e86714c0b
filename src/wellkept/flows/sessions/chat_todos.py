"""What chat does with intents: they go onto the list, come off it, and are told when the list is asked for."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.flows.sessions import todos
from wellkept.flows.sessions.conversation import conversation_of
from wellkept.judges.english.messages import requests
from wellkept.judges.english.privacy import is_confidential
from wellkept.patterns import deferred
from wellkept.policies.sessions.todos import TodoKind, TodoStatus
from wellkept.policies.text import words
from wellkept.policies.text.legible import legible
from wellkept.policies.writing import shape

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.policies.sessions.todos import Todo
    from wellkept.types import Viewpoint

TOLD_MAX = 10
NOTHING_OPEN = "There is nothing on your list."
NOT_IN_CONFIDENCE = "What is told in confidence does not go onto the list."
NOT_HERE = "I tell your list to you alone."

_FIRM = frozenset({TodoKind.COMMITMENT, TodoKind.HABIT})
"""What else a turn puts on the list ("I'm bad at names", "maybe I'll learn the oud") tells of somebody: a memory."""
_DUTY = deferred(
    r"\b(?:remind|need|have to|has to|must|should|gotta|forget|to-?do|note to|i['’]ll|i will)\b", re.IGNORECASE
)
"""A duty is on the list alone; any other plan tells what somebody is up to, and is remembered as well."""
_OWN = deferred(r"^(?!.*\byou\b).*\b(?:i|we)\b", re.IGNORECASE | re.DOTALL)
"""Asks what the asker does, not "What should you call me?"."""
_ASKED = deferred(
    r"\bwhat(?:'s| is| are)?\b.{0,20}\b(?:on|in) my (?:\w+[ -])?(?:list|plate|agenda|to-?dos?)\b"
    r"|\bwhat (?:else )?(?:do|did|should) i (?:still )?(?:have|need|want|plan|mean|intend|get|promise) to do\b"
    r"|\bmy (?:open |pending )?(?:to-?dos?(?: list)?|to-?do list|tasks|reminders)\b"
    r"|\b(?:anything|something|what) (?:else )?(?:i (?:still )?(?:have|need) to do|left to do|to be done)\b",
    re.IGNORECASE,
)


def taken(text: str, viewpoint: Viewpoint, engine: Engine) -> tuple[str, str | None]:
    """What is left to be remembered of a text, and the words for what changed on the list; None when nothing did."""
    if legible(text).text != text:
        return text, None  # so long or so often the same is no list of things to do
    now = engine.clock()
    left: list[str] = []
    changed: list[Todo] = []
    for sentence in shape.sentences(text):
        heard = todos.hear(sentence, viewpoint, engine, now)
        is_firm = heard is not None and all(intent.kind in _FIRM for intent in heard.intents.new)
        if heard is None or not is_firm or not (heard.intents.new or heard.intents.endings):
            left.append(sentence)
            continue
        if heard.intents.new and not _DUTY.search(sentence):
            left.append(sentence)
        with engine.store.transaction():
            changed += todos.heed(heard, engine, now, viewpoint.session)
    return " ".join(left), " ".join(_told(todo, now) for todo in changed) or None


def not_listed(text: str, engine: Engine) -> str | None:
    """Why an intent did not go onto the list; None when the text has none."""
    told, now = requests.without_confidence(text)[0], engine.clock()
    is_kept_back = is_confidential(text) and bool(engine.judge.intents(told, now=now, open_todos=()).new)
    return NOT_IN_CONFIDENCE if is_kept_back else None


def asked(text: str, viewpoint: Viewpoint, engine: Engine) -> str | None:
    """The answer to a question about the list or about something on it; None when it is about neither."""
    now = engine.clock()
    open_ones = todos.listing(viewpoint, engine, status=TodoStatus.PENDING, limit=todos.OPEN_MAX)
    by_date = sorted(open_ones, key=lambda todo: (todo.due_at is None, todo.due_at, todo.created_at))
    if _ASKED.search(text):
        conversation = conversation_of(viewpoint)
        is_told = conversation is not None and conversation.is_alone and todos.may_read(viewpoint, engine)
        return _listed(by_date, now) or (NOTHING_OPEN if is_told else NOT_HERE)
    terms = frozenset(words.query_terms(text)) - _IDLE
    is_own = _OWN.search(text) is not None and terms
    fitting = [todo for todo in by_date if is_own and terms <= _terms(todo, now)]
    return _listed(fitting, now)


_IDLE = frozenset(words.terms("remind reminder need want have should must plan list todo task get do"))


def _terms(todo: Todo, now: datetime) -> frozenset[str]:
    """Its words, and those for the day it is due."""
    day = f"{todo.due_at:%A %B}" if todo.due_at is not None else ""
    near = {now.date(): "today", (now + timedelta(days=1)).date(): "tomorrow"}
    return frozenset(words.terms(f"{todo.text} {day} {near.get(todo.due_at.date(), '') if todo.due_at else ''}"))


def _listed(found: Sequence[Todo], now: datetime) -> str | None:
    if not found:
        return None
    more = f" And {len(found) - TOLD_MAX} more." if len(found) > TOLD_MAX else ""
    return f"On your list: {'; '.join(_line(todo, now) for todo in found[:TOLD_MAX])}.{more}"


def _told(todo: Todo, now: datetime) -> str:
    match todo.status:
        case TodoStatus.COMPLETED:
            return f"Done: {todo.text}."
        case TodoStatus.SKIPPED:
            return f"Off your list: {todo.text}."
        case _:
            is_done_again = todo.completed_at is not None and todo.completed_at == now
            return f"Done for now: {todo.text}." if is_done_again else f"On your list: {_line(todo, now)}."


def _line(todo: Todo, now: datetime) -> str:
    if todo.due_at is None:
        return todo.text
    overdue = ", overdue" if todo.is_overdue(now) else ""
    return f"{todo.text} ({todo.due_at:%a %Y-%m-%d}{overdue})"
