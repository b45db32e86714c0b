"""Summarise: rolling summaries, what ended sessions were about, and the spine; jobs, outside every reply."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wellkept.errors import WellkeptError
from wellkept.flows import views
from wellkept.flows.write import verdicts
from wellkept.judges.llm.notices import collect
from wellkept.policies.people.persons import is_called, label, seen_by
from wellkept.policies.sessions import boundaries
from wellkept.policies.sessions.boundaries import Conversation, SessionSummary, Spine, SpineLine
from wellkept.policies.sessions.summaries import Talk
from wellkept.policies.sessions.todos import TodoKind, TodoStatus
from wellkept.policies.text.tokens import clipped
from wellkept.policies.writing import keys
from wellkept.store.contract import Filter, NewJob, Page
from wellkept.store.encoding import canonical
from wellkept.types import Message, Viewpoint
from wellkept.vocabulary import MemoryType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.duty import Duty
    from wellkept.policies.sessions.boundaries import Session
    from wellkept.policies.visibility.memories import View
    from wellkept.types import Memory, Person

SUMMARISE = "summarise"
SPINE = "spine"
ROLLING_MESSAGES = 6
SESSION_MESSAGES = 10
TODOS_READ = 200
NAMES_READ = 50
MEMORIES_READ = 1_000
SPINE_READ_MAX = 15
"""Of each section, the weightiest: what the judge chooses from."""
SPINE_LINE_MAX = 160
DETAIL_MAX = 200
_DURABLE = frozenset({MemoryType.IDENTITY, MemoryType.PREFERENCE, MemoryType.RELATIONSHIP, MemoryType.KNOWLEDGE})
_OPEN = frozenset({"goals", "tasks"})
_SECTION: Mapping[keys.Domain, str] = {"PROFILE": "PROFILE", "PROJECT": "PROJECTS", "PEOPLE": "PEOPLE"}


def rolling_job(conversation: Conversation, *, due_at: datetime) -> NewJob:
    """Renew the rolling summary."""
    return _job(SUMMARISE, conversation, {"what": "rolling"}, due_at)


def session_job(conversation: Conversation, session_id: str, *, due_at: datetime) -> NewJob:
    """Close the session when it is over, and say what it was about."""
    return _job(SUMMARISE, conversation, {"what": "session", "session": session_id}, due_at)


def spine_job(conversation: Conversation, total: int, *, due_at: datetime) -> NewJob:
    """A new version of the spine; each due one is made."""
    return _job(SPINE, conversation, {"what": "spine", "total": total}, due_at)


def _job(name: str, conversation: Conversation, about: Mapping[str, Any], due_at: datetime) -> NewJob:
    payload = {"owner": conversation.owner, "persona": conversation.persona, **about}
    return NewJob(tenant=conversation.tenant, name=name, key=canonical(payload), payload=payload, due_at=due_at)


def job(duty: Duty) -> Mapping[str, int] | None:
    """One job of `summarise` or `spine`."""
    payload = duty.job.payload
    conversation = Conversation(tenant=duty.tenant, owner=payload["owner"], persona=payload["persona"])
    match payload["what"]:
        case "rolling":
            return _rolling(conversation, duty)
        case "session":
            return _session(conversation, payload["session"], duty)
        case _:
            return _spine(conversation, payload["total"], duty)


def _place(conversation: Conversation) -> Viewpoint:
    return Viewpoint(tenant=conversation.tenant, user=conversation.owner, persona=conversation.persona)


def _view(conversation: Conversation, engine: Engine) -> View:
    """The user alone with the persona, in no chat: nothing confidential is summed up."""
    return views.view_of(_place(conversation), engine, engine.clock())


def _talk(messages: Sequence[Message], conversation: Conversation, engine: Engine, since: datetime | None) -> Talk:
    store, view = engine.store, _view(conversation, engine)
    user = None if view.person is None else store.person(view.tenant, view.person)
    todos = store.todos(conversation, None, limit=TODOS_READ)
    waiting = [todo for todo in todos if todo.status is TodoStatus.PENDING]
    recent = [todo for todo in todos if since is None or todo.updated_at >= since]
    promised = [todo.text for todo in recent if todo.kind in (TodoKind.COMMITMENT, TodoKind.HABIT)]
    known = [seen_by(person, view.user) for person in store.known(view, limit=NAMES_READ) if person.id != view.person]
    return Talk(
        messages=tuple(_attributed(message, view, user) for message in messages),
        open_items=tuple(todo.text for todo in waiting if since is None or todo in recent),
        closed_items=tuple(todo.text for todo in todos if todo.status is not TodoStatus.PENDING),
        commitments=tuple(promised),
        names=tuple(label(person, asker=view.user) for person in known),
        speaker=None if user is None else user.name,
        tenant=conversation.tenant,
        user=conversation.owner,
    )


def _attributed(message: Message, view: View, user: Person | None) -> Message:
    """The message with its speaker only where that is somebody else than the user: their words get their name."""
    name = message.speaker
    is_own = name is None or name == view.user or (user is not None and is_called(user, name))
    return replace(message, speaker=None if is_own else name)


def _of_each_role(messages: Sequence[Message], most: int) -> tuple[Message, ...]:
    kept: list[Message] = []
    counts: dict[str, int] = {}
    for message in reversed(messages):
        counts[message.role] = counts.get(message.role, 0) + 1
        if counts[message.role] <= most:
            kept.append(message)
    return tuple(reversed(kept))


def _rolling(conversation: Conversation, duty: Duty) -> Mapping[str, int]:
    """A new version; a failure leaves the old text and says why."""
    engine, store = duty.engine, duty.engine.store
    now = engine.clock()
    state = store.state(conversation)
    heard = store.heard(_view(conversation, engine), Page(is_alone=True, limit=4 * ROLLING_MESSAGES))
    talk = _talk(_of_each_role(heard, ROLLING_MESSAGES), conversation, engine, None)
    error: Mapping[str, str] | None = None
    with collect() as notices:
        try:
            content = clipped(engine.judge.rolling(state.rolling_summary, talk), boundaries.ROLLING_MAX)
        except WellkeptError as failure:
            content, error = "", {"reason": failure.code, "detail": clipped(str(failure), DETAIL_MAX)}
    with duty.transaction():
        verdicts.record(notices, _place(conversation), engine, now)
        state = store.state(conversation)
        if state.last_interaction is None:
            duty.finish({"rolling": 0}, status="skipped", reason="nothing_said")
            return {"rolling": 0}
        state = replace(state, last_rolling_attempt_at=now, last_rolling_error=error)
        if error is None:
            store.add_rolling(conversation, content, message_count=state.message_count, at=now)
            state = replace(state, last_rolling_success_at=now)
        store.save_state(conversation, state)
        if error is None:
            duty.finish({"rolling": 1})
    if error is not None:
        raise WellkeptError(error["detail"], code=error["reason"])
    return {"rolling": 1}


def _session(conversation: Conversation, session_id: str, duty: Duty) -> Mapping[str, int] | None:
    """Close the session if silence has ended it, then sum it up; a session that goes on is looked at later."""
    engine, store = duty.engine, duty.engine.store
    now = engine.clock()
    found = store.session(conversation.tenant, session_id)
    if found is None:
        return None
    conversation, session = found
    if session.ended_at is None and not boundaries.is_over(session, now):
        with duty.transaction():
            duty.finish({"session": 0}, status="skipped", reason="session_goes_on")
            store.enqueue(session_job(conversation, session_id, due_at=session.last_activity_at + boundaries.IDLE))
        return {"session": 0}
    with collect() as notices:
        summary = _summed_up(session, conversation, engine)
    with duty.transaction():
        verdicts.record(notices, _place(conversation), engine, now)
        if session.ended_at is None:
            store.save_session(conversation, boundaries.ended(session))
        if summary is not None:
            store.put_summary(conversation, summary)
        if summary is None or summary.error is None:
            duty.finish({"session": 1})
    if summary is not None and summary.error is not None:
        raise WellkeptError(summary.error["detail"], code=summary.error["reason"])
    return {"session": 1}


def _summed_up(session: Session, conversation: Conversation, engine: Engine) -> SessionSummary | None:
    if not conversation.is_alone:
        return None
    page = Page(session=session.id, is_alone=True, limit=4 * SESSION_MESSAGES)
    heard = engine.store.heard(_view(conversation, engine), page)
    talk = _talk(_of_each_role(heard, SESSION_MESSAGES), conversation, engine, session.started_at)
    # The order of summaries is that of their sessions, whenever they are made.
    at = session.last_activity_at
    try:
        parts = engine.judge.session(talk)
    except WellkeptError as failure:
        error = {"reason": failure.code, "detail": clipped(str(failure), DETAIL_MAX)}
        return SessionSummary(session_id=session.id, at=at, error=error)
    return SessionSummary(session_id=session.id, at=at, **vars(parts))


def _spine(conversation: Conversation, total: int, duty: Duty) -> Mapping[str, int]:
    engine, store = duty.engine, duty.engine.store
    with collect() as notices:
        content = engine.judge.spine(_durable(conversation, engine), payer=(conversation.tenant, conversation.owner))
    with duty.transaction():
        verdicts.record(notices, _place(conversation), engine, engine.clock())
        newest = store.spines(conversation.tenant, conversation.owner, limit=1)
        last = newest[0] if newest else None
        if last is not None and last.total >= total:
            duty.finish({"spine": 0}, status="skipped", reason="made_already")
            return {"spine": 0}
        spine = Spine(
            version=1 if last is None else last.version + 1,
            at=engine.clock(),
            message_count=total - (0 if last is None else last.total),
            total=total,
            content=content,
        )
        store.add_spine(conversation.tenant, conversation.owner, spine)
        duty.finish({"spine": 1})
    return {"spine": 1}


def _durable(conversation: Conversation, engine: Engine) -> boundaries.Lines:
    """What the user stated for good, the weightiest first; nothing that one persona alone may know."""
    view = _view(replace(conversation, persona=None), engine)
    found: dict[str, list[SpineLine]] = {name: [] for name in boundaries.SPINE_SECTIONS}
    seen = engine.store.seen(view, Filter(user_id=conversation.owner), limit=MEMORIES_READ)
    for memory in sorted(seen, key=lambda one: (-one.importance, one.created_at, one.id)):
        section = _section(memory) if memory.stated_by == view.person else None
        if section is not None and len(found[section]) < SPINE_READ_MAX:
            found[section].append(SpineLine(memory_id=memory.id, text=clipped(memory.content, SPINE_LINE_MAX)))
    return {name: tuple(lines) for name, lines in found.items() if lines}


def _section(memory: Memory) -> str | None:
    if memory.source != "user":
        return None
    if memory.category in _OPEN:
        return "OPEN_LOOPS"
    if memory.type not in _DURABLE:
        return None
    others = any(person != memory.stated_by for person in memory.subject_person_ids)
    return _SECTION[keys.domain(memory.entity_refs, is_about_others=others)]
