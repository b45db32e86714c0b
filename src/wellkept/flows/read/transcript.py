"""The transcript as somebody may read it: where something was said, what was said, and what was learned from it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.errors import MessageNotFound
from wellkept.flows import views
from wellkept.judges.base import reads
from wellkept.policies.callers import check_limit
from wellkept.store.contract import Heard, InSight, Listing, Page
from wellkept.values import frozen
from wellkept.vocabulary import Sensitivity, State

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from wellkept.flows.engine import Engine
    from wellkept.policies.visibility import View
    from wellkept.store.contract import ChatDay, Citation
    from wellkept.types import Memory, Message, Viewpoint

LIMIT_MAX = 1_000


@frozen
class ConversationShown:
    """A chat on a day (UTC), with whom, and what came of it."""

    user: str | None
    chat: str | None
    chat_type: str
    persona: str | None
    session: str | None
    day: date
    people: tuple[str, ...]
    """Who takes part in the chat, as the asker calls them; of a private one nobody but the user."""
    messages: int
    waiting: int
    """Messages that are still to be read for facts."""
    first_at: datetime
    last_at: datetime
    learned: int
    """Live memories that rest on it and that the asker may see; for everybody's conversations, all."""


@frozen
class Learned:
    """A memory that rests on a message; `start` and `stop` are the characters, both 0 for the whole message."""

    memory_id: str
    content: str
    type: str
    sensitivity: Sensitivity | None
    state: State
    start: int
    stop: int


@frozen
class MessageShown:
    """A message that may be read, with what was learned from it."""

    id: str
    role: str
    speaker: str | None
    content: str
    at: datetime | None
    chat: str | None
    persona: str | None
    session: str | None
    learned: tuple[Learned, ...] = ()


@frozen
class SentenceRead:
    """What the reader says of a sentence: each question it answers, with the probability of every answer."""

    start: int
    text: str
    is_kept: bool
    likelihoods: Mapping[str, Mapping[str, float]]


@frozen
class MessageReading:
    """What the judge makes of a message; without sentences where the judge gives no probabilities."""

    message_id: str
    judge: str
    keep_from: float | None
    """A sentence is worth keeping from this probability on."""
    sentences: tuple[SentenceRead, ...] = ()


def conversations(viewpoint: Viewpoint, engine: Engine, *, limit: int) -> tuple[ConversationShown, ...]:
    """Where something was said that this viewpoint may read, the latest first; without a user or chat, everywhere."""
    check_limit(limit, LIMIT_MAX)
    is_everybody = viewpoint.user is None and viewpoint.chat is None
    with engine.store.snapshot():
        view = views.view_of(viewpoint, engine, engine.clock())
        days = engine.store.chat_days(
            viewpoint.tenant, None if is_everybody else view, chat=viewpoint.chat, limit=limit
        )
        return tuple(_conversation(day, view, engine, is_everybody=is_everybody) for day in days)


def _conversation(day: ChatDay, view: View, engine: Engine, *, is_everybody: bool) -> ConversationShown:
    taught = engine.store.memory_ids(day)
    if not is_everybody:
        taught = tuple(dict.fromkeys(engine.store.memory_ids(InSight(view=view, memory_ids=taught))))
    present = engine.store.attendance(day.tenant, [day.chat]).get(day.chat, ()) if day.chat is not None else ()
    known = views.persons(present, view, engine)
    return ConversationShown(
        user=day.user,
        chat=day.chat,
        chat_type=day.chat_type,
        persona=day.persona,
        session=day.session,
        day=day.day,
        people=tuple(sorted(views.labels(known, known, view))),
        messages=day.messages,
        waiting=day.waiting,
        first_at=day.first_at,
        last_at=day.last_at,
        learned=len(taught),
    )


@frozen
class TranscriptRequest:
    """Which messages of the viewpoint's chat, or of all its chats."""

    viewpoint: Viewpoint
    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    before: str | None = None
    """Id of the first message of the page that was shown last."""
    limit: int = 50


def messages(request: TranscriptRequest, engine: Engine) -> tuple[MessageShown, ...]:
    """The newest messages that this viewpoint may read, oldest first."""
    check_limit(request.limit, LIMIT_MAX)
    page = Page(
        chat=request.viewpoint.chat,
        session=request.session,
        since=request.since,
        until=request.until,
        include_stale=True,
        limit=request.limit,
    )
    with engine.store.snapshot():
        view = views.view_of(request.viewpoint, engine, engine.clock())
        if request.before is not None:
            page = replace(page, before=_heard(request.before, request.viewpoint, view, engine)[-1])
        heard = engine.store.messages(Heard(view=view, page=page))
        cited = engine.store.citations(view.tenant, messages=heard)
        known = _findable({one.memory_id for one in cited}, view, engine)
        return tuple(_message(one, cited, known) for one in heard)


def _findable(memory_ids: set[str], view: View, engine: Engine) -> Mapping[str, Memory]:
    """The memories of these that the viewpoint may look up, whatever became of them."""
    found = [
        one for memory_id in sorted(memory_ids) for one in engine.store.seen(view, Listing(prefix=memory_id, limit=5))
    ]
    return {one.id: one for one in views.retold(found, view, engine)}


def _message(message: Message, cited: Sequence[Citation], known: Mapping[str, Memory]) -> MessageShown:
    own = [one for one in cited if one.place == message.place]
    # Where something is hidden the message may be shown in part, and places in it would be wrong.
    is_whole = all(one.memory_id in known for one in own)
    return MessageShown(
        id=message.id or "",
        role=message.role,
        speaker=message.speaker or (message.user_id if message.role == "user" else None),
        content=message.content,
        at=message.at or message.arrived_at,
        chat=message.chat_id,
        persona=message.persona_id,
        session=message.session_id,
        learned=tuple(
            Learned(
                memory_id=memory.id,
                content=memory.content,
                type=memory.type.value,
                sensitivity=memory.sensitivity,
                state=memory.state,
                start=one.start if is_whole else 0,
                stop=one.stop if is_whole else 0,
            )
            for one in own
            if (memory := known.get(one.memory_id)) is not None
        ),
    )


def _heard(message_id: str, viewpoint: Viewpoint, view: View, engine: Engine) -> tuple[Message, ...]:
    """The latest messages of the chat up to this one, which must be among them."""
    heard = engine.store.messages(Heard(view=view, page=Page(chat=viewpoint.chat, include_stale=True, limit=LIMIT_MAX)))
    place = next((number for number, one in enumerate(heard) if one.id == message_id), None)
    if place is None:
        raise MessageNotFound(message_id)
    return heard[: place + 1]


def reading(message_id: str, viewpoint: Viewpoint, engine: Engine) -> MessageReading:
    """What the judge makes of a message of the viewpoint's chat, sentence by sentence. Nothing is stored."""
    view = views.view_of(viewpoint, engine, engine.clock())
    *earlier, message = _heard(message_id, viewpoint, view, engine)
    judge = engine.judge
    if message.role != "user" or not reads(judge):
        return MessageReading(message_id=message_id, judge=judge.name, keep_from=None)
    before = tuple(one for one in earlier if one.chat_id == message.chat_id)
    person = engine.store.person(viewpoint.tenant, user=message.user_id or "", is_whole=False)
    name = message.speaker or (person.name if person is not None else None)
    keep_from = judge.reader.thresholds["keep"]
    found = judge.read((*before, replace(message, speaker=name)), speaker=name)
    return MessageReading(
        message_id=message_id,
        judge=judge.name,
        keep_from=keep_from,
        sentences=tuple(
            SentenceRead(
                start=one.start,
                text=one.text,
                is_kept=one.labels.likelihood("keep", "yes") >= keep_from,
                likelihoods=one.labels.heads,
            )
            for one in found
        ),
    )
