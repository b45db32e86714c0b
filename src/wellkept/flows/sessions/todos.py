"""Todos: a message makes, renews, completes or dismisses them; each stays with the persona it was told to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput, TodoNotFound
from wellkept.flows.sessions.conversation import conversation_of
from wellkept.judges.english.privacy import is_confidential
from wellkept.judges.english.todos.keys import key_of
from wellkept.policies.callers.limits import check_limit, check_text
from wellkept.policies.secrets.clean import has_secret
from wellkept.policies.sessions import todos
from wellkept.policies.sessions.boundaries import Conversation
from wellkept.policies.sessions.todos import TodoKind, TodoStatus
from wellkept.store.contract import Change, Entry
from wellkept.values import frozen
from wellkept.vocabulary import Kind, MemoryType, Space, State

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Literal

    from wellkept.flows.engine import Engine
    from wellkept.policies.sessions.todos import Intents, Todo
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
    conversation = conversation_of(viewpoint)
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
    for ending in heard.intents.endings:
        current = engine.store.todo(conversation.tenant, heard.open[ending.which].id)
        if _is_open(current):
            changed.append(_end(current, ending.effect, engine, now))
    waiting = list(engine.store.todos(conversation, TodoStatus.PENDING, limit=OPEN_MAX))
    for intent in heard.intents.new:
        known = todos.same(waiting, intent)
        if known is None:
            todo = engine.store.add_todo(conversation, intent, at=now, session_id=session_id)
        else:
            todo = todos.told_again(known, intent, now=now)
            engine.store.save_todo(todo)
        waiting = [*(one for one in waiting if one.id != todo.id), todo]
        changed.append(todo)
    return tuple(changed)


def _is_open(todo: Todo | None) -> bool:
    return todo is not None and todo.status is TodoStatus.PENDING


def _end(todo: Todo | None, effect: Literal["done", "dismissed"], engine: Engine, now: datetime) -> Todo:
    assert todo is not None, "an open todo is there"
    after = todos.ended(todo, effect, now=now)
    engine.store.save_todo(after)
    if effect == "done":
        engine.store.add_win(after, at=now)
    if after.status is not TodoStatus.PENDING:
        engine.store.apply([_over(memory, now) for memory in _tasks(todo, engine)], at=now)
    return after


def _tasks(todo: Todo, engine: Engine) -> list[Memory]:
    """Tasks among the memories of the user that tell of the todo: what was kept before it was one."""
    kinds = (Kind.SEMANTIC, Kind.EPISODIC)
    live = engine.store.live(todo.tenant, Space.USER, todo.user_id, kinds, limit=LIMIT_MAX)
    wanted = set(todo.key.split())
    of_persona = (one for one in live if one.type is MemoryType.TASK and one.persona_id in (None, todo.persona_id))
    keyed = ((one, set(key_of(one.quote or one.content).split())) for one in of_persona)
    # One word alone ("call") is in many tasks.
    return [one for one, key in keyed if wanted == key or (len(wanted) > 1 and wanted < key)]


def _over(memory: Memory, now: datetime) -> Change:
    over = replace(
        memory,
        state=State.SUPERSEDED,
        superseded_at=now,
        valid_to=now,
        updated_at=now,
        version=memory.version + 1,
    )
    entry = Entry(
        node="hotpath",
        op="update",
        memory_id=over.id,
        version=over.version,
        category=over.category,
        reason="superseded",
        payload={"rule": "retracted"},
        tick=over.tick,
    )
    return Change(memory=over, entry=entry)


def listing(viewpoint: Viewpoint, engine: Engine, *, status: str, limit: int) -> tuple[Todo, ...]:
    """The todos of a user with a persona, oldest first; nothing where others listen."""
    check_limit(limit, LIMIT_MAX)
    check_text(status, name="status")
    known = [*(one.value for one in TodoStatus), ALL]
    if status.upper() not in known:
        raise InvalidInput(f"status must be one of {', '.join(known)}.", code="invalid_status")
    conversation = conversation_of(viewpoint)
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
        return _end(found[0], effect, engine, now) if _is_open(found[0]) else found[0]


def is_kept(text: str, viewpoint: Viewpoint, engine: Engine, *, is_task: bool) -> bool:
    """Whether a todo says the same as this text: then it is not a memory as well.

    What somebody is committed to may change their life ("I'm starting a new job on Monday"): unless it is no more than
    a task, it is both.
    """
    conversation = conversation_of(viewpoint)
    if conversation is None or not conversation.is_alone:
        return False
    if is_task:
        # One that is done or given up by the time the message is read was a todo all the same.
        wanted = set(key_of(text).split())
        known = engine.store.todos(conversation, None, limit=LIMIT_MAX)
        return any(set(todo.key.split()) <= wanted for todo in known)
    waiting = engine.store.todos(conversation, TodoStatus.PENDING, limit=OPEN_MAX)
    meant = {intent.key for intent in engine.judge.intents(text, now=engine.clock(), open_todos=()).new}
    return any(todo.key in meant for todo in waiting if todo.kind is not TodoKind.COMMITMENT)
