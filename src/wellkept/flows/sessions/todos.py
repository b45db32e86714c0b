"""Todos: a message makes, renews, completes or dismisses them; each stays with the persona it was told to."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput, TodoNotFound
from wellkept.flows import views
from wellkept.flows.write.transitions import row, superseded
from wellkept.judges.english.todos.keys import key_of
from wellkept.judges.english.worth import requests
from wellkept.judges.english.worth.traits import is_confidential
from wellkept.judges.english.worth.turning_points import changes_a_life
from wellkept.patterns import deferred
from wellkept.policies import todos, words
from wellkept.policies.callers import check_limit, check_text
from wellkept.policies.secrets.detector import has_secret
from wellkept.policies.summaries import Conversation
from wellkept.policies.todos import TodoKind, TodoStatus
from wellkept.policies.words import legible
from wellkept.policies.writing import shape
from wellkept.store.contract import Change, Latest, Win
from wellkept.values import frozen
from wellkept.vocabulary import Kind, MemoryType, Space

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Literal

    from wellkept.flows.engine import Engine
    from wellkept.policies.todos import Intents, Todo
    from wellkept.types import Memory, Message, Viewpoint


OPEN_MAX = 200
LIMIT_MAX = 1_000
PREFIX_MIN = 3
ALL = "ALL"


@frozen
class Heard:
    """What a message means for the todos, read before the transaction: the open ones it was read against."""

    intents: Intents
    conversation: Conversation
    open: tuple[Todo, ...] = ()


def hear(text: str, viewpoint: Viewpoint, engine: Engine, now: datetime) -> Heard | None:
    """Read a message against the open todos, the one that was last spoken of at the end.

    Todos are kept of what is said alone with the persona, and of nothing that is secret or confidential.
    """
    conversation = views.conversation_of(viewpoint)
    if conversation is None or not conversation.is_alone or has_secret(text) or is_confidential(text):
        return None
    waiting = engine.store.todos(conversation, TodoStatus.PENDING, limit=OPEN_MAX)
    by_age = tuple(sorted(waiting, key=lambda todo: todo.updated_at))
    intents = engine.judge.intents(text, now=now, open_todos=[todo.text for todo in by_age])
    return Heard(intents=intents, conversation=conversation, open=by_age)


def overheard(message: Message, viewpoint: Viewpoint, engine: Engine) -> Heard | None:
    """The same of a message in the transcript, unless a turn has kept its todos already."""
    is_of_turn = (
        message.session_id is not None and engine.store.session(viewpoint.tenant, message.session_id) is not None
    )
    if is_of_turn or message.speaker not in (None, viewpoint.user, viewpoint.display_name):
        return None
    return hear(message.content, viewpoint, engine, message.at or engine.clock())


def heed(heard: Heard, engine: Engine, now: datetime, session_id: str | None) -> tuple[Todo, ...]:
    """Store what was heard; the todos as they are now. In a transaction."""
    conversation = heard.conversation
    changed = []
    waiting = list(engine.store.todos(conversation, TodoStatus.PENDING, limit=OPEN_MAX))
    if heard.intents.endings:
        ending = {heard.open[one.which].id: one.effect for one in heard.intents.endings}
        changed += [_end(todo, ending[todo.id], engine, now) for todo in waiting if todo.id in ending]
        waiting = list(engine.store.todos(conversation, TodoStatus.PENDING, limit=OPEN_MAX))
    for intent in heard.intents.new:
        known = todos.same(waiting, intent)
        if known is None:
            todo = engine.store.add_todo(conversation, intent, at=now, session_id=session_id)
        else:
            todo = todos.told_again(known, intent, now=now)
            engine.store.keep(todo)
        waiting = [*(one for one in waiting if one.id != todo.id), todo]
        changed.append(todo)
    return tuple(changed)


def _end(todo: Todo, effect: Literal["done", "dismissed"], engine: Engine, now: datetime) -> Todo:
    after = todos.ended(todo, effect, now=now)
    engine.store.keep(after)
    if effect == "done":
        engine.store.keep(Win(todo=after, at=now))
    if after.status is not TodoStatus.PENDING:
        engine.store.apply([_over(memory, now) for memory in _tasks(todo, engine)], at=now)
    return after


def _tasks(todo: Todo, engine: Engine) -> list[Memory]:
    """Tasks among the memories of the user that tell of the todo: what was kept before it was one."""
    kinds = (Kind.SEMANTIC, Kind.EPISODIC)
    live = engine.store.memories(Latest(scope=(todo.tenant, Space.USER, todo.user_id), kinds=kinds, limit=LIMIT_MAX))
    wanted = set(todo.key.split())
    of_persona = (one for one in live if one.type is MemoryType.TASK and one.persona_id in (None, todo.persona_id))
    keyed = ((one, set(key_of(one.quote or one.content).split())) for one in of_persona)
    # One word alone ("call") is in many tasks.
    return [one for one, key in keyed if wanted == key or (len(wanted) > 1 and wanted < key)]


def _over(memory: Memory, now: datetime) -> Change:
    over = superseded(memory, None, now=now)
    told = row("update", over, "superseded", node="hotpath", payload={"rule": "retracted"}, tick=over.tick)
    return Change(memory=over, entry=told)


def listing(viewpoint: Viewpoint, engine: Engine, *, status: str, limit: int) -> tuple[Todo, ...]:
    """The todos of a user with a persona, oldest first; nothing where others listen."""
    check_limit(limit, LIMIT_MAX)
    check_text(status, name="status")
    known = [*(one.value for one in TodoStatus), ALL]
    if status.upper() not in known:
        raise InvalidInput(f"status must be one of {', '.join(known)}.", code="invalid_status")
    conversation = views.conversation_of(viewpoint)
    if conversation is None or not conversation.is_alone or not may_read(viewpoint, engine):
        return ()
    wanted = None if status.upper() == ALL else TodoStatus(status.upper())
    return engine.store.todos(conversation, wanted, limit=limit)


def may_read(viewpoint: Viewpoint, engine: Engine) -> bool:
    """Whether todos are told here: to no agent whose allowlist is without tasks."""
    allowed = engine.categories.of_agent(viewpoint.agent)
    return allowed is None or "tasks" in allowed


def end(todo_id: str, viewpoint: Viewpoint, engine: Engine, effect: Literal["done", "dismissed"]) -> Todo:
    """Complete or dismiss one by its id, or a unique beginning of it."""
    now = engine.clock()
    with engine.store.transaction():
        found = [one for one in listing(viewpoint, engine, status=ALL, limit=LIMIT_MAX) if one.id.startswith(todo_id)]
        if len(found) != 1 or len(todo_id) < PREFIX_MIN:
            raise TodoNotFound(todo_id)
        return _end(found[0], effect, engine, now) if found[0].status is TodoStatus.PENDING else found[0]


def is_kept(text: str, viewpoint: Viewpoint, engine: Engine, *, is_task: bool) -> bool:
    """Whether a todo says the same as this text: then it is not a memory as well.

    What is no task must tell an intent: a habit that was done today is something that happened. A plan that changes a
    life is both.
    """
    conversation = views.conversation_of(viewpoint)
    if conversation is None or not conversation.is_alone or (not is_task and changes_a_life(text)):
        return False
    if is_task:
        # One that is done or given up by the time the message is read was a todo all the same.
        wanted = set(key_of(text).split())
        known = engine.store.todos(conversation, None, limit=LIMIT_MAX)
        return any(set(todo.key.split()) <= wanted for todo in known)
    waiting = engine.store.todos(conversation, TodoStatus.PENDING, limit=OPEN_MAX)
    meant = {intent.key for intent in engine.judge.intents(text, now=engine.clock(), open_todos=()).new}
    return any(todo.key in meant for todo in waiting)


TOLD_MAX = 10
NOTHING_OPEN = "There is nothing on your list."
NOT_IN_CONFIDENCE = "What is told in confidence does not go onto the list."
NOT_HERE = "I tell your list to you alone."

_FIRM = frozenset({TodoKind.COMMITMENT, TodoKind.HABIT})
"""What else a turn puts on the list ("I'm bad at names", "maybe I'll learn the oud") tells of somebody: a memory."""
_PLANNED = deferred(r"\b(?:plan|plans|planning|intend|intends|want|hope|going to|gonna|we)\b", re.IGNORECASE)
"""A plan tells what somebody is up to, and is remembered as well; a duty ("I have to", "remind me to") is not."""
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
        heard = hear(sentence, viewpoint, engine, now)
        is_firm = heard is not None and all(intent.kind in _FIRM for intent in heard.intents.new)
        if heard is None or not is_firm or not (heard.intents.new or heard.intents.endings):
            left.append(sentence)
            continue
        if changes_a_life(sentence) or (heard.intents.new and _PLANNED.search(sentence)):
            left.append(sentence)
        with engine.store.transaction():
            changed += heed(heard, engine, now, viewpoint.session)
    return " ".join(left), " ".join(_told(todo, now) for todo in changed) or None


def not_listed(text: str, engine: Engine) -> str | None:
    """Why an intent did not go onto the list; None when the text has none."""
    told, now = requests.without_confidence(text)[0], engine.clock()
    is_kept_back = is_confidential(text) and bool(engine.judge.intents(told, now=now, open_todos=()).new)
    return NOT_IN_CONFIDENCE if is_kept_back else None


def asked(text: str, viewpoint: Viewpoint, engine: Engine) -> str | None:
    """The answer to a question about the list or about something on it; None when it is about neither."""
    now = engine.clock()
    open_ones = listing(viewpoint, engine, status=TodoStatus.PENDING, limit=OPEN_MAX)
    by_date = sorted(open_ones, key=lambda todo: (todo.due_at is None, todo.due_at, todo.created_at))
    if _ASKED.search(text):
        conversation = views.conversation_of(viewpoint)
        is_told = conversation is not None and conversation.is_alone and may_read(viewpoint, engine)
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
