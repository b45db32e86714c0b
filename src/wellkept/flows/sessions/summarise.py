"""Summarise: rolling summaries, what ended sessions were about, and the spine; jobs, outside every reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from wellkept.errors import WellkeptError
from wellkept.flows import views
from wellkept.flows.requests import Statement
from wellkept.flows.upkeep.schedule import digest
from wellkept.flows.write import draft, reconcile, remember
from wellkept.judges.english.worth.traits import is_confidential
from wellkept.judges.llm.insights import ACTIVITIES_MAX, CONVERSATION_CHARACTERS_MAX, FACTS_MAX, Activity
from wellkept.judges.llm.notices import Fallback, collect
from wellkept.policies import context, summaries
from wellkept.policies.people.persons import is_called, label, seen_by
from wellkept.policies.secrets.detector import REDACTED
from wellkept.policies.summaries import (
    Conversation,
    RollingSummary,
    SessionSummary,
    Spine,
    SpineLine,
    Talk,
    without_retired,
)
from wellkept.policies.summaries import session_parts as sum_up
from wellkept.policies.todos import TodoKind, TodoStatus
from wellkept.policies.words import clipped
from wellkept.policies.writing import keys
from wellkept.store.contract import Filter, Heard, KnownTo, Latest, Listing, NewJob, OfChat, Page, Search, Unexpired
from wellkept.store.encoding import canonical
from wellkept.types import Claim, Message, Outcome, Viewpoint
from wellkept.vocabulary import EventType, Kind, MemoryType, Sensitivity, Space

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.schedule import Duty
    from wellkept.flows.write.draft import Writer
    from wellkept.policies.summaries import Session
    from wellkept.policies.visibility import View
    from wellkept.types import Memory, Person


SUMMARISE = "summarise"
SPINE = "spine"
What = Literal["rolling", "session", "spine"]
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


def later(what: What, conversation: Conversation, *, due_at: datetime, **about: object) -> NewJob:
    """The job that renews the rolling summary, closes a `session` that is over and sums it up, or makes a spine.

    Of spines each due one is made: `total` tells them apart.
    """
    payload = {"owner": conversation.owner, "persona": conversation.persona, "what": what, **about}
    name = SPINE if what == "spine" else SUMMARISE
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
    known = [
        seen_by(person, view.user)
        for person in store.people(KnownTo(view=view, limit=NAMES_READ))
        if person.id != view.person
    ]
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
    heard = store.messages(
        Heard(view=_view(conversation, engine), page=Page(is_alone=True, limit=4 * ROLLING_MESSAGES))
    )
    talk = _talk(_of_each_role(heard, ROLLING_MESSAGES), conversation, engine, None)
    error: Mapping[str, str] | None = None
    with collect() as notices:
        try:
            content = clipped(engine.judge.rolling(state.rolling_summary, talk), summaries.ROLLING_MAX)
        except WellkeptError as failure:
            content, error = "", {"reason": failure.code, "detail": clipped(str(failure), DETAIL_MAX)}
    with duty.transaction():
        remember.record_notices(notices, _place(conversation), engine, now)
        state = store.state(conversation)
        if state.last_interaction is None:
            duty.finish({"rolling": 0}, status="skipped", reason="nothing_said")
            return {"rolling": 0}
        state = replace(state, last_rolling_attempt_at=now, last_rolling_error=error)
        if error is None:
            store.keep_in(
                conversation, RollingSummary(version=0, at=now, message_count=state.message_count, content=content)
            )
            state = replace(state, last_rolling_success_at=now)
        store.keep_in(conversation, state)
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
    if session.ended_at is None and not summaries.is_over(session, now):
        due_at = session.last_activity_at + summaries.IDLE
        with duty.transaction():
            duty.finish({"session": 0}, status="skipped", reason="session_goes_on")
            store.keep(later("session", conversation, due_at=due_at, session=session_id))
        return {"session": 0}
    with collect() as notices:
        summary = _summed_up(session, conversation, engine)
    with duty.transaction():
        remember.record_notices(notices, _place(conversation), engine, now)
        if session.ended_at is None:
            store.keep_in(conversation, summaries.ended_session(session))
        if summary is not None:
            store.keep_in(conversation, summary)
        if summary is None or summary.error is None:
            duty.finish({"session": 1})
    if summary is not None and summary.error is not None:
        raise WellkeptError(summary.error["detail"], code=summary.error["reason"])
    return {"session": 1}


def _summed_up(session: Session, conversation: Conversation, engine: Engine) -> SessionSummary | None:
    if not conversation.is_alone:
        return None
    page = Page(session=session.id, is_alone=True, limit=4 * SESSION_MESSAGES)
    heard = engine.store.messages(Heard(view=_view(conversation, engine), page=page))
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
        remember.record_notices(notices, _place(conversation), engine, engine.clock())
        newest = store.summaries(Conversation(tenant=conversation.tenant, owner=conversation.owner), Spine, limit=1)
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
        store.keep_in(Conversation(tenant=conversation.tenant, owner=conversation.owner), spine)
        duty.finish({"spine": 1})
    return {"spine": 1}


def _durable(conversation: Conversation, engine: Engine) -> summaries.Lines:
    """What the user stated for good, the weightiest first; nothing that one persona alone may know."""
    view = _view(replace(conversation, persona=None), engine)
    found: dict[str, list[SpineLine]] = {name: [] for name in summaries.SPINE_SECTIONS}
    seen = engine.store.seen(view, Listing(filter=Filter(user_id=conversation.owner), limit=MEMORIES_READ))
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


BEFORE_MAX = 50
QUOTED_MAX = 50
_SURENESS = 0.9


def tell(
    viewpoint: Viewpoint, engine: Engine, *, within: Callable[[], AbstractContextManager[None]] | None = None
) -> Outcome | None:
    """Keep what a private exchange was about, if it is time for that; None when it is not."""
    if viewpoint.user is None or viewpoint.chat_type == "group":
        return None
    now = engine.clock()
    messages = engine.store.messages(OfChat(place=views.place_of(viewpoint), limit=summaries.EPISODE_MESSAGES))
    if not _is_due(viewpoint.user, messages, viewpoint, engine, now):
        return None
    claim = _claim(summaries.last_talk(messages), viewpoint, engine, now)
    if claim is None:
        return None
    vectors = engine.vectors([claim.content])
    with (within or engine.store.transaction)():
        # Another worker may have told it meanwhile.
        if not _is_due(viewpoint.user, messages, viewpoint, engine, now):
            return None
        return _written(claim, vectors, viewpoint, engine, now)


def _is_due(user: str, messages: Sequence[Message], viewpoint: Viewpoint, engine: Engine, now: datetime) -> bool:
    told = engine.store.memories(
        Latest(scope=(viewpoint.tenant, Space.USER, user), kinds=(Kind.EPISODIC,), limit=BEFORE_MAX)
    )
    before = [memory for memory in told if summaries.EPISODE_TAG in memory.tags]
    said_at = [one.arrived_at for one in messages if one.role == "user" and one.arrived_at is not None]
    return summaries.episode_due(before, said_at=said_at, now=now, rule=engine.episodes).verdict == "tell"


def _claim(messages: Sequence[Message], viewpoint: Viewpoint, engine: Engine, now: datetime) -> Claim | None:
    """The episode as a claim: what happened, without what is kept as a fact, is a secret, or was only talk."""
    view = views.view_of(viewpoint, engine, now)
    kept = engine.store.seen(view, Listing(limit=QUOTED_MAX))
    own = (replace(one, content=context.own_words(one.content).strip()) for one in messages)
    said = tuple(one for one in own if REDACTED not in one.content and not is_confidential(one.content))
    # Whole sentences as they were said, whatever the judge: they are compared with what is kept already.
    mattered = sum_up(Talk(messages=said)).what_mattered
    told = [one for one in mattered if summaries.stands_alone(one) and engine.judge.is_happening(one)]
    known = [memory for memory in kept if summaries.EPISODE_TAG not in memory.tags]
    facts = [text for memory in known for text in (memory.quote, memory.content) if text]
    person = engine.store.person(view.tenant, view.person) if view.person is not None else None
    name = person.name if person is not None and person.name else "the user"
    said_at = max((one.arrived_at for one in messages if one.arrived_at is not None), default=now)
    text = summaries.episode_text(name, without_retired(told, facts), day=said_at)
    if text is None:
        return None
    return Claim(
        content=text,
        type=MemoryType.EVENT,
        kind=Kind.EPISODIC,
        event_type=EventType.CONTEXT,
        tags=(summaries.EPISODE_TAG,),
        # Whole sentences of a private talk: nobody reads them but whoever said them.
        sensitivity=Sensitivity.SENSITIVE,
        portable=False,
        confidence=_SURENESS,
        event_at=said_at,
    )


def _written(
    claim: Claim, vectors: NDArray[np.float32] | None, viewpoint: Viewpoint, engine: Engine, now: datetime
) -> Outcome:
    view, speaker = views.view_of_writer(viewpoint, engine, now)
    writer = draft.Writer(viewpoint=viewpoint, view=view, speaker=speaker, engine=engine, node="episodic")
    statement = Statement(text=claim.content, origin="shadow_extraction")
    neighbour = _neighbour(vectors, writer)
    if neighbour is None:
        return remember.write(claim, statement, vectors, writer, same=None)[0]
    memory = draft.memory(claim, statement, (), writer)
    return reconcile.merge(reconcile.Incoming.of(memory, claim, vectors), neighbour, writer)


def _neighbour(vectors: NDArray[np.float32] | None, writer: draft.Writer) -> Memory | None:
    """An episode of the last days that tells the same."""
    if vectors is None:
        return None
    engine, view = writer.engine, writer.view
    search = Search(view=view, vector=vectors[0], model=engine.model)
    for candidate in engine.store.candidates(search, within=(Space.USER, view.user or "")):
        memory = candidate.memory
        is_recent = view.now - memory.created_at <= engine.episodes.same_within
        is_alike = engine.similarity(candidate.cosine) >= engine.episodes.same
        if summaries.EPISODE_TAG in memory.tags and is_recent and is_alike:
            return memory
    return None


REST = timedelta(hours=24)
RECENT = timedelta(days=7)
MESSAGES_MAX = 20
ACTIVITY = frozenset({"activity", "recent_activity", "event", "tasks"})


@runtime_checkable
class Insightful(Protocol):
    """A judge that can conclude something: a model."""

    def insights(self, activity: Activity) -> tuple[Claim, ...]:
        """One to three claims of kind insight, or none."""


def insights_job(duty: Duty) -> Mapping[str, int] | None:
    """For every user with something new; without a model the job says so and ends."""
    engine, tenant = duty.engine, duty.tenant
    if not isinstance(engine.judge, Insightful):
        duty.finish(status="skipped", reason="no_model")
        return None
    stored = 0
    for place in engine.store.scopes(tenant, live=True):
        if place.space is Space.USER:
            stored += insights_of(tenant, place.owner, duty)
    return {"insights": stored}


def insights_of(tenant: str, user: str, duty: Duty) -> int:
    """How many insights about this user were stored."""
    engine = duty.engine
    writer = draft.upkeep_writer(tenant, Space.USER, user, engine)
    now, mark = writer.view.now, f"insights/{digest(user)}"
    asked_at = engine.store.watermark(tenant, mark)
    if asked_at is not None and now - asked_at < REST:
        return 0
    living = engine.store.memories(Unexpired(scope=(tenant, Space.USER, user), now=now, more_than=0))
    activity = _activity(user, living, writer)
    judge = engine.judge
    if activity is None or not isinstance(judge, Insightful):
        return 0
    with collect() as notices:
        claims = judge.insights(activity)
    if any(isinstance(notice, Fallback) for notice in notices):
        return 0  # the model said nothing, not even that there is nothing: it is asked at the next run
    vectors = engine.vectors([claim.content for claim in claims])
    with duty.transaction():
        engine.store.advance(tenant, mark, since=asked_at, to=now)
        for number, claim in enumerate(claims):
            _store(claim, user, writer, None if vectors is None else vectors[number : number + 1])
    return len(claims)


def _activity(user: str, living: Sequence[Memory], writer: Writer) -> Activity | None:
    """What lately happened; None when nothing did. Procedures and confidences are never input."""
    now = writer.view.now
    fresh = [
        one
        for one in sorted(living, key=lambda one: one.observed_at, reverse=True)
        if now - one.observed_at <= RECENT
        and one.kind in (Kind.SEMANTIC, Kind.EPISODIC)
        and not one.confidential
        and one.persona_id is None
    ]
    did = [one.content for one in fresh if one.category in ACTIVITY or one.kind is Kind.EPISODIC]
    facts = [one.content for one in fresh if one.category not in ACTIVITY and one.kind is Kind.SEMANTIC]
    if not did and not facts:
        return None
    person = writer.engine.store.person(writer.view.tenant, user=user)
    return Activity(
        person=person.name if person is not None else None,
        activities=tuple(did[:ACTIVITIES_MAX]),
        facts=tuple(facts[:FACTS_MAX]),
        conversation=_conversation(writer),
        tenant=writer.view.tenant,
        user=user,
    )


def _conversation(writer: Writer) -> str:
    """The end of what was lately said with this user alone; nothing that was said in confidence."""
    page = Page(since=writer.view.now - RECENT, limit=MESSAGES_MAX)
    heard = writer.engine.store.messages(Heard(view=writer.view, page=page))
    private = [one for one in heard if one.chat_type == "private" and one.persona_id is None and not one.confidential]
    return "\n".join(f"{one.role}: {one.content}" for one in private)[-CONVERSATION_CHARACTERS_MAX:]


def _store(claim: Claim, user: str, writer: Writer, vectors: NDArray[np.float32] | None) -> None:
    """Through the gate and the rules of conflict, like everything else; worth what an inference is worth."""
    owner = Viewpoint(tenant=writer.view.tenant, user=user)
    person = writer.engine.store.person(owner.tenant, user=user)
    inferring = draft.Writer(viewpoint=owner, view=writer.view, speaker=None, engine=writer.engine, node="worker")
    about = () if person is None else (person.id,)
    statement = Statement(text=claim.content, about=about, source="ai", origin="theory_of_mind")
    remember.write(claim, statement, vectors, inferring, same=None)
