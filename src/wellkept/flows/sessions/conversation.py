"""Conversation: whose sessions, state and todos a viewpoint speaks in, and how they stand in the context."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.errors import SessionNotFound
from wellkept.flows import views
from wellkept.policies import summaries
from wellkept.policies.callers import check_limit
from wellkept.policies.context import Section
from wellkept.policies.summaries import Conversation, RollingSummary, Session, SessionState, SessionSummary, Spine
from wellkept.policies.todos import WIN_FOR, Todo, TodoKind, TodoStatus
from wellkept.policies.words import clipped, quoted
from wellkept.store.contract import Heard, InSight, Page, TextQuery
from wellkept.store.parts.sessions import GROUP
from wellkept.types import Message
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellkept.flows.engine import Engine
    from wellkept.policies.visibility import View
    from wellkept.types import Viewpoint

COMMITMENTS_MAX = 5
THREADS_MAX = 3
FRICTIONS_MAX = 3
WINS_MAX = 3
TODOS_READ = 200
SPINE_MAX = 1_200
SUMMARY_MAX = 600
MESSAGES_MAX = 6
MESSAGE_MAX = 400
RETIRED_READ = 200
LIMIT_MAX = 1_000
LINE_MIN = 24


def conversation_of(viewpoint: Viewpoint) -> Conversation | None:
    """The user's with the persona; among others, the chat's, of which nothing but sessions is kept."""
    others = [one for one in viewpoint.participants if one != viewpoint.user]
    if viewpoint.chat_type == "private" and not others and viewpoint.user is not None:
        return Conversation(tenant=viewpoint.tenant, owner=viewpoint.user, persona=viewpoint.persona)
    where = viewpoint.chat or viewpoint.user
    if where is None:
        return None
    owner = f"{GROUP}{where}"
    return Conversation(tenant=viewpoint.tenant, owner=owner, persona=viewpoint.persona, is_alone=False)


def sections(viewpoint: Viewpoint, view: View, engine: Engine, *, besides: Sequence[str] = ()) -> Iterator[Section]:
    """Everything the context tells of the conversation. `besides`: ids of messages the agent has already."""
    conversation = conversation_of(viewpoint)
    if conversation is None:
        return
    # An agent with an allowlist reads no transcript, so it reads nothing that was made of one either.
    if view.categories is None:
        yield from _told(conversation, viewpoint, view, engine, besides)
    if conversation.is_alone and (view.categories is None or "tasks" in view.categories):
        yield from _todos(conversation, view, engine)
    if conversation.is_alone:
        yield _spine(conversation, view, engine)


def _told(
    conversation: Conversation, viewpoint: Viewpoint, view: View, engine: Engine, besides: Sequence[str]
) -> Iterator[Section]:
    store = engine.store
    found = store.sessions(conversation, limit=2)
    yield _state(conversation, found, view, engine)
    if conversation.is_alone:
        yield from _summaries(conversation, engine)
    # Without a chat it is what was said with the user alone: what goes on in groups is no part of it.
    page = Page(chat=viewpoint.chat, is_alone=viewpoint.chat is None, limit=MESSAGES_MAX + len(besides))
    heard = store.messages(Heard(view=view, page=page))
    last = [message for message in heard if message.id not in besides][-MESSAGES_MAX:]
    yield Section(name="messages", title="Last messages", lines=_messages(last, found, view, engine), keep=1)


def _state(conversation: Conversation, found: Sequence[Session], view: View, engine: Engine) -> Section:
    state = engine.store.state(conversation)
    lines = []
    if found and state.last_interaction is not None:
        with_whom = f" with {quoted(conversation.persona)}" if conversation.persona else ""
        lines.append(
            f"session {found[0].number}{with_whom}, turn {found[0].turn_count}, message {state.message_count} in all"
        )
    before = found[1] if len(found) > 1 else None
    if before is not None and before.ended_at is not None and summaries.is_soft(before, view.now):
        lines.append(f"the session before ended at {before.ended_at:%Y-%m-%d %H:%M}; its words are marked as earlier")
    return Section(name="state", title="Session", lines=tuple(lines))


def _summaries(conversation: Conversation, engine: Engine) -> Iterator[Section]:
    store = engine.store
    rolling = store.state(conversation).rolling_summary
    last = next(iter(store.summaries(conversation, SessionSummary, limit=1)), None)
    if not rolling and last is None:
        return
    retired, ended = _retired(conversation, engine), _ended(conversation, engine)
    told = [line for line in rolling.split("\n") if line]
    kept = summaries.without_retired(summaries.still_open(told, ended), retired)
    yield Section(name="rolling", title="So far", lines=_capped(kept, SUMMARY_MAX))
    lines = _summary_lines(summaries.standing_summary(last, retired), ended) if last is not None else ()
    yield Section(name="last_session", title="Last session", lines=_capped(lines, SUMMARY_MAX))


def _summary_lines(summary: SessionSummary, ended: Sequence[str]) -> tuple[str, ...]:
    """What a session was about; of what was open, only what still is."""
    if summary.error is not None:
        return ()
    loops = summaries.still_open([f"{summaries.OPEN_ITEM}{item}" for item in summary.open_loops], ended)
    first = () if summary.one_liner == summaries.NOTHING_LEFT else (summary.one_liner,)
    parts = (
        ("mattered", summary.what_mattered),
        ("open", tuple(line.removeprefix(summaries.OPEN_ITEM) for line in loops)),
        ("commitments", summary.commitments),
        ("people", summary.people),
    )
    listed = [f"{name}: {item}" for name, items in parts for item in items if item != summary.one_liner]
    return (*first, *listed, *([f"tone: {summary.tone}"] if summary.tone else []))


def _capped(lines: Sequence[str], length_max: int) -> tuple[str, ...]:
    kept: list[str] = []
    room = length_max
    for line in lines:
        if room < LINE_MIN:
            break
        kept.append(clipped(quoted(line), room))
        room -= len(kept[-1]) + 1
    return tuple(kept)


def _messages(last: Sequence[Message], found: Sequence[Session], view: View, engine: Engine) -> tuple[str, ...]:
    """Each with who said it. Alone with the assistant there is one user; among others everybody has a name."""
    groups = [message for message in last if message.chat_type == "group" and message.role == "user"]
    names = views.speakers(groups, view, engine) if groups else {}
    return tuple(_message(one, found, names.get(one.user_id or "") if one in groups else None) for one in last)


def _message(message: Message, found: Sequence[Session], name: str | None) -> str:
    who = "assistant" if message.role == "assistant" else message.speaker or name or "user"
    is_earlier = bool(found) and message.session_id not in (None, found[0].id)
    when = message.at or message.arrived_at
    marks = [quoted(who), *(["earlier"] if is_earlier else []), *([f"{when:%Y-%m-%d %H:%M}"] if when else [])]
    return f"[{', '.join(marks)}] {clipped(quoted(message.content), MESSAGE_MAX)}"


def _todos(conversation: Conversation, view: View, engine: Engine) -> Iterator[Section]:
    todos = engine.store.todos(conversation, TodoStatus.PENDING, limit=TODOS_READ)
    promised = sorted(
        (todo for todo in todos if todo.kind in (TodoKind.COMMITMENT, TodoKind.HABIT)),
        key=lambda todo: (todo.due_at is None, todo.due_at or todo.created_at),
    )
    yield _list("commitments", "Commitments", [todo_line(todo, view) for todo in promised[:COMMITMENTS_MAX]])
    threads = [todo_line(todo, view) for todo in todos if todo.kind is TodoKind.THREAD]
    yield _list("threads", "Open threads", threads[-THREADS_MAX:])
    frictions = [todo_line(todo, view) for todo in todos if todo.kind is TodoKind.FRICTION]
    yield _list("frictions", "Frictions", frictions[-FRICTIONS_MAX:])
    wins = engine.store.todos(conversation, None, done_since=view.now - WIN_FOR, limit=WINS_MAX)
    yield _list("wins", "Recent wins", [f"{quoted(todo.text)} ({todo.completed_at:%Y-%m-%d})" for todo in wins])


def _list(name: str, title: str, lines: Sequence[str]) -> Section:
    return Section(name=name, title=title, lines=tuple(dict.fromkeys(lines)))


def todo_line(todo: Todo, view: View) -> str:
    """A todo on a line: a habit as such, a date where there is one, overdue as overdue."""
    text = quoted(todo.text)
    if todo.kind is TodoKind.HABIT:
        return f"{text} (habit)"
    if todo.due_at is None:
        return text
    return f"{text} ({'overdue since' if todo.is_overdue(view.now) else 'due'} {todo.due_at:%Y-%m-%d})"


def _spine(conversation: Conversation, view: View, engine: Engine) -> Section:
    """Lines whose memory this view sees now, with the texts of the version."""
    newest = engine.store.summaries(Conversation(tenant=conversation.tenant, owner=conversation.owner), Spine, limit=1)
    if not newest:
        return Section(name="spine", title="Long-term summary", lines=())
    ids = [line.memory_id for lines in newest[0].content.values() for line in lines]
    live = frozenset(engine.store.memory_ids(InSight(view=view, memory_ids=tuple(ids))))
    lines = []
    for name in summaries.SPINE_SECTIONS:
        texts = [line.text for line in newest[0].content.get(name, ()) if line.memory_id in live]
        if texts:
            lines.append(f"{name}: {'; '.join(quoted(text) for text in texts)}")
    return Section(name="spine", title="Long-term summary", lines=_capped(lines, SPINE_MAX))


@frozen
class SessionShown:
    """A session with what it was about and what was said in it."""

    session: Session
    summary: SessionSummary | None
    messages: tuple[Message, ...]


def listing(viewpoint: Viewpoint, engine: Engine, *, limit: int) -> tuple[Session, ...]:
    """Sessions of the viewpoint's conversation, newest first."""
    check_limit(limit, LIMIT_MAX)
    conversation = conversation_of(viewpoint)
    return () if conversation is None else engine.store.sessions(conversation, limit=limit)


def shown(session_id: str, viewpoint: Viewpoint, engine: Engine) -> SessionShown:
    """One session of the viewpoint's own, by id; another's looks like one that is not there."""
    found = engine.store.session(viewpoint.tenant, session_id)
    conversation = conversation_of(viewpoint)
    if found is None or conversation is None or _key(found[0]) != _key(conversation):
        raise SessionNotFound(session_id)
    view = views.view_of(viewpoint, engine, engine.clock())
    may_read = view.categories is None and conversation.is_alone
    told = engine.store.summaries(found[0], SessionSummary, session=session_id) if may_read else ()
    return SessionShown(
        session=found[1],
        summary=_standing(next(iter(told), None), conversation, engine) if may_read else None,
        messages=engine.store.messages(Heard(view=view, page=Page(session=session_id, limit=LIMIT_MAX))),
    )


def state(viewpoint: Viewpoint, engine: Engine) -> SessionState:
    """What lasts from session to session; of a group, and for an agent with an allowlist, without words."""
    conversation = conversation_of(viewpoint)
    if conversation is None:
        return SessionState()
    return shown_state(engine.store.state(conversation), viewpoint, engine)


def shown_state(found: SessionState, viewpoint: Viewpoint, engine: Engine) -> SessionState:
    """A state as the viewpoint may read it: with a rolling summary that still holds, or without words."""
    conversation = conversation_of(viewpoint)
    if conversation is None or engine.categories.of_agent(viewpoint.agent) is not None:
        return replace(found, last_user_message="", rolling_summary="")
    told = summaries.still_open(found.rolling_summary.split("\n"), _ended(conversation, engine))
    return replace(found, rolling_summary=_still_told("\n".join(told), conversation, engine))


def rolling_versions(viewpoint: Viewpoint, engine: Engine) -> tuple[RollingSummary, ...]:
    """Every version of the rolling summary, oldest first; for an agent with an allowlist, none."""
    conversation = conversation_of(viewpoint)
    if conversation is None or engine.categories.of_agent(viewpoint.agent) is not None:
        return ()
    versions = engine.store.summaries(conversation, RollingSummary)[::-1]
    return tuple(replace(one, content=_still_told(one.content, conversation, engine)) for one in versions)


def _still_told(rolling: str, conversation: Conversation, engine: Engine) -> str:
    """A rolling summary without the lines whose memory was forgotten or replaced since."""
    if not rolling:
        return rolling
    return "\n".join(summaries.without_retired(rolling.split("\n"), _retired(conversation, engine)))


def _ended(conversation: Conversation, engine: Engine) -> list[str]:
    """What was done or dismissed, and is not meant again."""
    todos = engine.store.todos(conversation, None, limit=LIMIT_MAX)
    waiting = {todo.text for todo in todos if todo.status is TodoStatus.PENDING}
    return [todo.text for todo in todos if todo.text not in waiting]


def _standing(summary: SessionSummary | None, conversation: Conversation, engine: Engine) -> SessionSummary | None:
    if summary is None or summary.error is not None:
        return summary
    return summaries.standing_summary(summary, _retired(conversation, engine))


def _retired(conversation: Conversation, engine: Engine) -> Sequence[str]:
    return tuple(
        engine.store.texts(
            TextQuery(tenant=conversation.tenant, user=conversation.owner, kind="retired", limit=RETIRED_READ)
        )
    )


def spine_versions(viewpoint: Viewpoint, engine: Engine, *, limit: int) -> tuple[Spine, ...]:
    """Versions of the long-term summary, newest first; for the user alone, and for no agent with an allowlist."""
    check_limit(limit, LIMIT_MAX)
    conversation = conversation_of(viewpoint)
    if conversation is None or not conversation.is_alone or engine.categories.of_agent(viewpoint.agent) is not None:
        return ()
    return engine.store.summaries(
        Conversation(tenant=conversation.tenant, owner=conversation.owner), Spine, limit=limit
    )


def _key(conversation: Conversation) -> tuple[str, str | None]:
    return conversation.owner, conversation.persona
