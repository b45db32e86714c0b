"""Turn: one message in, one call. It counts, opens and closes sessions, keeps todos, queues the rest, gives context."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput, SessionNotFound
from wellkept.flows import views
from wellkept.flows.people import consent
from wellkept.flows.read.context import Context, ContextRequest, context, ended_todos, retired_texts
from wellkept.flows.sessions import summarise, todos
from wellkept.flows.write import observe
from wellkept.judges.english.worth.traits import is_confidential
from wellkept.policies import summaries
from wellkept.policies.callers import check_limit
from wellkept.policies.secrets.detector import has_secret
from wellkept.policies.summaries import Conversation, RollingSummary, Session, SessionState, SessionSummary, Spine
from wellkept.policies.todos import Todo
from wellkept.policies.words import clipped
from wellkept.store.contract import Heard, Page, UserMessages
from wellkept.store.parts.sessions import new_session
from wellkept.types import Message, Viewpoint
from wellkept.values import frozen

if TYPE_CHECKING:
    from datetime import datetime

    from wellkept.flows.engine import Engine

SETTLING = timedelta(seconds=2)
"""A summary waits so long for the message that caused it to be stored."""
MASKED = "(masked)"


@frozen
class TurnRequest:
    """What a user just said, and how much room its context has."""

    viewpoint: Viewpoint
    text: str
    budget_tokens: int = 1_200


@frozen
class Turned:
    """What became of a message."""

    context: Context
    session: Session
    state: SessionState
    todos: tuple[Todo, ...] = ()
    """Made, renewed, completed or dismissed by it."""
    message_id: str | None = None


def turn(request: TurnRequest, engine: Engine, *, nonce: str) -> Turned:
    """Take a user's message in and give the context of the reply."""
    viewpoint, now = request.viewpoint, engine.clock()
    if not request.text.strip():
        raise InvalidInput("The message is empty.", code="empty_content")
    conversation = views.conversation_of(viewpoint)
    if conversation is None:
        raise InvalidInput("A viewpoint needs a user or a chat for a turn.", code="no_owner")
    heard = todos.hear(request.text, viewpoint, engine, now)
    consent.answered(request.text, viewpoint, engine)
    message = Message(role="user", content=request.text, speaker=viewpoint.display_name)
    prepared = observe.prepare(observe.ObserveRequest(viewpoint=viewpoint, messages=(message,)), engine)

    def take_in() -> tuple[Session, SessionState, tuple[Todo, ...], tuple[str, ...]]:
        session, state = arrive(request.text, conversation, engine, now)
        changed = todos.heed(heard, engine, now, session.id) if heard is not None else ()
        kept = observe.keep(prepared, engine, session_id=session.id)
        return session, state, changed, tuple(one.id for one in kept if one.id is not None)

    session, state, changed, ids = views.write_in(viewpoint, engine, take_in)
    asked = ContextRequest(
        viewpoint=viewpoint,
        query=request.text,
        budget_tokens=request.budget_tokens,
        besides=ids,
    )
    block = context(asked, engine, nonce=nonce)
    return Turned(
        context=block,
        session=session,
        state=shown_state(state, viewpoint, engine),
        todos=changed if todos.may_read(viewpoint, engine) else (),
        message_id=next(iter(ids), None),
    )


def finish(text: str, session_id: str, viewpoint: Viewpoint, engine: Engine) -> str | None:
    """The reply goes into the transcript, and the session lives on; the id of the message."""
    conversation, now = views.conversation_of(viewpoint), engine.clock()
    if not text.strip():
        raise InvalidInput("The reply is empty.", code="empty_content")
    found = engine.store.session(viewpoint.tenant, session_id)
    if conversation is None or found is None or found[0] != conversation:
        raise SessionNotFound(session_id)
    message = Message(role="assistant", content=text, session_id=session_id)
    prepared = observe.prepare(observe.ObserveRequest(viewpoint=viewpoint, messages=(message,)), engine)

    def take_in() -> str | None:
        stored = observe.keep(prepared, engine)
        last = next(iter(engine.store.sessions(conversation, limit=1)), None)
        if last is not None and last.id == session_id and last.ended_at is None:
            engine.store.keep_in(conversation, replace(last, last_activity_at=now))
            engine.store.keep(summarise.later("session", conversation, due_at=now + summaries.IDLE, session=last.id))
        return next((one.id for one in stored), None)

    return views.write_in(viewpoint, engine, take_in)


def arrive(text: str, conversation: Conversation, engine: Engine, now: datetime) -> tuple[Session, SessionState]:
    """Count a user's message in its session, and queue the summaries that are due with it. In a transaction."""
    session = _entered(conversation, engine, now)
    state = _counted(text, conversation, engine, now)
    _queue(conversation, state, engine, now)
    return session, state


def _entered(conversation: Conversation, engine: Engine, now: datetime) -> Session:
    """The open session with one turn more, or a new one; what silence has ended is closed and summed up."""
    store = engine.store
    before = last = next(iter(store.sessions(conversation, limit=1)), None)
    if last is not None and summaries.is_over(last, now):
        close(last, conversation, engine, now)
        last = None
    if last is None or last.ended_at is not None:
        session = new_session(conversation, before, at=now)
    else:
        session = replace(last, last_activity_at=now, turn_count=last.turn_count + 1)
    store.keep_in(conversation, session)
    store.keep(summarise.later("session", conversation, due_at=now + summaries.IDLE, session=session.id))
    return session


def close(session: Session, conversation: Conversation, engine: Engine, now: datetime) -> None:
    """End a session with its last word, and queue what it was about. In a transaction."""
    engine.store.keep_in(conversation, summaries.ended_session(session))
    engine.store.keep(summarise.later("session", conversation, due_at=now, session=session.id))


def _counted(text: str, conversation: Conversation, engine: Engine, now: datetime) -> SessionState:
    state = engine.store.state(conversation)
    is_open = conversation.is_alone and not has_secret(text) and not is_confidential(text)
    said = clipped(" ".join(text.split()), summaries.LAST_MESSAGE_MAX) if is_open else MASKED
    state = replace(state, message_count=state.message_count + 1, last_interaction=now, last_user_message=said)
    engine.store.keep_in(conversation, state)
    return state


def _queue(conversation: Conversation, state: SessionState, engine: Engine, now: datetime) -> None:
    if not conversation.is_alone:
        return
    if state.message_count % summaries.ROLLING_EVERY == 0:
        engine.store.keep(summarise.later("rolling", conversation, due_at=now + SETTLING))
    total = engine.store.count(UserMessages(tenant=conversation.tenant, owner=conversation.owner))
    if total % summaries.SPINE_EVERY == 0:
        engine.store.keep(summarise.later("spine", conversation, due_at=now + SETTLING, total=total))


LIMIT_MAX = 1_000


@frozen
class SessionShown:
    """A session with what it was about and what was said in it."""

    session: Session
    summary: SessionSummary | None
    messages: tuple[Message, ...]


def sessions(viewpoint: Viewpoint, engine: Engine, *, limit: int) -> tuple[Session, ...]:
    """Sessions of the viewpoint's conversation, newest first."""
    check_limit(limit, LIMIT_MAX)
    conversation = views.conversation_of(viewpoint)
    return () if conversation is None else engine.store.sessions(conversation, limit=limit)


def session(session_id: str, viewpoint: Viewpoint, engine: Engine) -> SessionShown:
    """One session of the viewpoint's own, by id; another's looks like one that is not there."""
    found = engine.store.session(viewpoint.tenant, session_id)
    conversation = views.conversation_of(viewpoint)
    if found is None or conversation is None:
        raise SessionNotFound(session_id)
    if (found[0].owner, found[0].persona) != (conversation.owner, conversation.persona):
        raise SessionNotFound(session_id)
    view = views.view_of(viewpoint, engine, engine.clock())
    may_read = view.categories is None and conversation.is_alone
    told = engine.store.summaries(found[0], SessionSummary, session=session_id) if may_read else ()
    summary = next(iter(told), None)
    if summary is not None and summary.error is None:
        summary = summaries.standing_summary(summary, retired_texts(conversation, engine))
    return SessionShown(
        session=found[1],
        summary=summary,
        messages=engine.store.messages(Heard(view=view, page=Page(session=session_id, limit=LIMIT_MAX))),
    )


def state(viewpoint: Viewpoint, engine: Engine) -> SessionState:
    """What lasts from session to session; of a group, and for an agent with an allowlist, without words."""
    conversation = views.conversation_of(viewpoint)
    if conversation is None:
        return SessionState()
    return shown_state(engine.store.state(conversation), viewpoint, engine)


def shown_state(found: SessionState, viewpoint: Viewpoint, engine: Engine) -> SessionState:
    """A state as the viewpoint may read it: with a rolling summary that still holds, or without words."""
    conversation = views.conversation_of(viewpoint)
    if conversation is None or engine.categories.of_agent(viewpoint.agent) is not None:
        return replace(found, last_user_message="", rolling_summary="")
    told = summaries.still_open(found.rolling_summary.split("\n"), ended_todos(conversation, engine))
    return replace(found, rolling_summary=_still_told("\n".join(told), conversation, engine))


def rolling_versions(viewpoint: Viewpoint, engine: Engine) -> tuple[RollingSummary, ...]:
    """Every version of the rolling summary, oldest first; for an agent with an allowlist, none."""
    conversation = views.conversation_of(viewpoint)
    if conversation is None or engine.categories.of_agent(viewpoint.agent) is not None:
        return ()
    versions = engine.store.summaries(conversation, RollingSummary)[::-1]
    return tuple(replace(one, content=_still_told(one.content, conversation, engine)) for one in versions)


def _still_told(rolling: str, conversation: Conversation, engine: Engine) -> str:
    """A rolling summary without the lines whose memory was forgotten or replaced since."""
    if not rolling:
        return rolling
    return "\n".join(summaries.without_retired(rolling.split("\n"), retired_texts(conversation, engine)))


def spine_versions(viewpoint: Viewpoint, engine: Engine, *, limit: int) -> tuple[Spine, ...]:
    """Versions of the long-term summary, newest first; for the user alone, and for no agent with an allowlist."""
    check_limit(limit, LIMIT_MAX)
    conversation = views.conversation_of(viewpoint)
    if conversation is None or not conversation.is_alone or engine.categories.of_agent(viewpoint.agent) is not None:
        return ()
    return engine.store.summaries(
        Conversation(tenant=conversation.tenant, owner=conversation.owner), Spine, limit=limit
    )
