"""Observe: messages of an exchange go into the transcript, with words and vectors; what they teach is read later."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from wellkept.errors import InvalidInput, KeptUnread, WellkeptError
from wellkept.flows import views
from wellkept.flows.write import extract_messages
from wellkept.judges.english.worth.traits import is_confidential
from wellkept.policies import context
from wellkept.policies.secrets import detector
from wellkept.policies.secrets.detector import has_secret
from wellkept.policies.words import term_counts
from wellkept.policies.writing.shape import clean
from wellkept.store.contract import Citation, Citations, NewMessage, OfChat, Place, TextQuery
from wellkept.store.parts.messages import indexed_message
from wellkept.times import moment
from wellkept.types import Message, Outcome, Role
from wellkept.values import frozen
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.policies.visibility import View
    from wellkept.types import Viewpoint

MESSAGES_MAX = 50_000
CONTENT_MAX = 400_000
"""Characters of one message."""
SPLIT_MESSAGES = 2
"""Messages before one that may hold the beginning of a secret that it ends."""
TELLING_LETTERS_MIN = 4
NOT_TELLING = frozenset(term_counts("user about with that this will your have from remember told tell keep between"))
KEYS = frozenset({"role", "content", "speaker", "at", "id", "session"})
ROLES = get_args(Role)


@frozen
class ObserveRequest:
    """Messages of one exchange, oldest first."""

    viewpoint: Viewpoint
    messages: tuple[Message, ...]
    extract: bool = True
    """Read them for facts, too; False: only record them."""
    wait: bool = False
    """Read them now."""
    rests_on: tuple[str, ...] = ()
    """Ids of the memories that they tell again: they are shown where all of these may be."""
    is_idle: bool = False
    """They ask memory or are what it answered."""


@frozen
class Observed:
    """What became of an exchange. Iterating gives the outcomes of what was learned, when they were waited for."""

    messages: tuple[Message, ...] = ()
    """Those that are new, as they are stored."""
    outcomes: tuple[Outcome, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the new messages."""
        return tuple(message.id or "" for message in self.messages)

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)


def read_messages(given: Sequence[Mapping[str, Any]], *, now: datetime) -> tuple[Message, ...]:
    """Messages as callers give them; what is wrong is an error that names the message."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Sequence):
        raise InvalidInput("observe takes a list of messages.", code="invalid_message")
    if len(given) > MESSAGES_MAX:
        raise InvalidInput(f"observe takes at most {MESSAGES_MAX} messages at once.", code="batch_too_large")
    times: dict[object, datetime | None] = {}
    return tuple(_message(number, one, times, now) for number, one in enumerate(given))


def _message(number: int, given: Any, times: dict[object, datetime | None], now: datetime) -> Message:  # noqa: ANN401 -- whatever a caller gave
    name = f"messages[{number}]"
    if not isinstance(given, Mapping) or set(given) - KEYS or not isinstance(given.get("content"), str):
        known = ", ".join(sorted(KEYS))
        raise InvalidInput(f"{name} must be an object with content, a text, and of {known}.", code="invalid_message")
    role = given.get("role", "user")
    if role not in ROLES:
        raise InvalidInput(f"{name}.role must be one of {', '.join(ROLES)}.", code="invalid_message")
    if len(given["content"]) > CONTENT_MAX:
        raise InvalidInput(f"{name} may have at most {CONTENT_MAX} characters.", code="content_too_long")
    texts = {key: given.get(key) for key in ("speaker", "id", "session")}
    for key, value in texts.items():
        if value is not None and (not isinstance(value, str) or len(value) > 512):  # noqa: PLR2004 -- ids are short
            raise InvalidInput(f"{name}.{key} must be a text of at most 512 characters.", code="invalid_message")
    at = given.get("at")
    if at not in times:
        times[at] = moment(at, name=f"{name}.at", now=now, prefer="past") if at not in (None, "") else None
    speaker = (texts["speaker"] or "").strip() or None
    content = spoken(clean_lines(given["content"]), speaker)
    return Message(
        id=texts["id"] or None, role=role, content=content, speaker=speaker, at=times[at], session_id=texts["session"]
    )


def clean_lines(text: str) -> str:
    """Every line without control characters; lines stay lines."""
    return "\n".join(clean(line) for line in text.split("\n")).strip()


def spoken(content: str, speaker: str | None) -> str:
    """What was said, without the "Name: " of its speaker in front."""
    if speaker is None or content[: len(speaker)].casefold() != speaker.casefold():
        return content
    rest = content[len(speaker) :].lstrip()
    return rest[1:].lstrip() if rest.startswith((":", "：")) else content


@frozen
class Prepared:
    """An exchange ready to be stored: secrets masked, words and vectors made."""

    request: ObserveRequest
    fresh: tuple[NewMessage, ...]
    now: datetime

    @property
    def learns(self) -> bool:
        """Whether it will be read for facts."""
        return any(item.is_waiting for item in self.fresh)


def observe(request: ObserveRequest, engine: Engine) -> Observed:
    """Store the exchange: text, words and vectors in one transaction, after everything that takes a model.

    Reading it (`wait`) takes a model again, and transactions of its own: `KeptUnread` when those fail.
    """
    prepared = prepare(request, engine)
    if not prepared.fresh:
        return Observed()
    stored = views.write_in(request.viewpoint, engine, lambda: keep(prepared, engine))
    if not (prepared.learns and request.wait):
        return Observed(messages=stored)
    try:
        learned = extract_messages.learn(request.viewpoint, engine)
    except WellkeptError as error:
        raise KeptUnread([one.id or "" for one in stored], error) from error
    return Observed(messages=stored, outcomes=learned)


def prepare(request: ObserveRequest, engine: Engine) -> Prepared:
    """Everything that takes language or a model, outside the transaction."""
    viewpoint, now = request.viewpoint, engine.clock()
    if viewpoint.user is None and viewpoint.chat is None:
        raise InvalidInput("A viewpoint needs a user or a chat to observe.", code="no_owner")
    said = [replace(message, content=context.outside_blocks(message.content).strip()) for message in request.messages]
    said = [replace(message, session_id=message.session_id or viewpoint.session) for message in said if message.content]
    if not said:
        return Prepared(request=request, fresh=(), now=now)
    masked = _masked(said, _before(viewpoint, engine))
    learns = request.extract and engine.extraction.is_enabled
    kept = tuple(
        engine.store.texts(
            TextQuery(tenant=viewpoint.tenant, user=viewpoint.user, kind="confidences", chat=viewpoint.chat)
        )
    )
    told = frozenset(word for text in kept for word in _telling(text))
    close = [is_confidential(one.content) or _may_tell(one, told) for one in masked]
    fresh = _indexed([replace(one, confidential=is_close) for one, is_close in zip(masked, close, strict=True)], engine)
    stored = tuple(replace(item, is_waiting=learns, is_idle=request.is_idle) for item in fresh)
    return Prepared(request=request, fresh=stored, now=now)


def _may_tell(message: Message, told: frozenset[str]) -> bool:
    """Whether a reply shares words with the confidences of its chat: it may tell one, so it stays there too."""
    return message.role != "user" and not told.isdisjoint(_telling(message.content) if told else ())


def _telling(text: str) -> frozenset[str]:
    return frozenset(term for term in term_counts(text) if len(term) >= TELLING_LETTERS_MIN) - NOT_TELLING


def keep(prepared: Prepared, engine: Engine, *, session_id: str | None = None) -> tuple[Message, ...]:
    """Store what was prepared, and queue what it causes; the new messages. In a transaction."""
    viewpoint, now = prepared.request.viewpoint, prepared.now
    said = [item.message for item in prepared.fresh]
    if not said:
        return ()
    view, _ = views.view_of_writer(viewpoint, engine, now)
    speakers = _speakers(said, viewpoint, engine)
    owned = [
        replace(item, message=replace(own, session_id=session_id or own.session_id))
        for item in prepared.fresh
        for own in [_owned(item.message, speakers, viewpoint)]
    ]
    arrived_at, _ = engine.store.next_moment(viewpoint.tenant, _taught(owned, viewpoint), now=now)
    stored = engine.store.add_messages(_place(viewpoint, view, speakers), owned, model=engine.model, at=arrived_at)
    engine.store.keep(
        Citations(
            tenant=viewpoint.tenant,
            citations=tuple([_whole(one, told) for one in stored for told in prepared.request.rests_on]),
        )
    )
    if prepared.learns and stored:
        extract_messages.later(viewpoint, engine, now=now)
    if engine.model is not None and any(item.vectors is None for item in prepared.fresh):
        engine.embed_later(viewpoint.tenant, now=now)
    return stored


def _whole(message: Message, memory_id: str) -> Citation:
    length = len(message.content)
    return Citation(memory_id=memory_id, message_id=message.id or "", place=message.place, start=0, stop=length)


def _before(viewpoint: Viewpoint, engine: Engine) -> list[str]:
    """The last words of this chat, in which a secret may have begun."""
    last = engine.store.messages(OfChat(place=views.place_of(viewpoint), limit=SPLIT_MESSAGES))
    return [message.content for message in last]


def _masked(said: Sequence[Message], before: Sequence[str]) -> list[Message]:
    """Messages with secrets masked, those that two messages make together or one repeats of another, too."""
    texts = [*before, *(message.content for message in said)]
    # Each message is searched once, and held against the values of all of them at once.
    told = detector.echoes(message.content for message in said if has_secret(message.content))
    masked = []
    for number, message in enumerate(said, start=len(before)):
        previous = texts[max(0, number - SPLIT_MESSAGES) : number]
        masked.append(replace(message, content=told.masked(_mask(message.content, previous))))
    return masked


def _mask(text: str, previous: Sequence[str]) -> str:
    if not has_secret(text) and not detector.has_split_secret(previous, text):
        return text
    return detector.mask(text, previous)


def _indexed(said: Sequence[Message], engine: Engine) -> list[NewMessage]:
    """Words and vectors: one row for each piece of a long text, all in one call of the embedder."""
    texts = [indexed_message(message) for message in said]
    rows = engine.vectors_of(texts)
    return [
        NewMessage(message=message, terms=term_counts(text), vectors=None if rows is None else rows[number])
        for number, (message, text) in enumerate(zip(said, texts, strict=True))
    ]


def _speakers(said: Sequence[Message], viewpoint: Viewpoint, engine: Engine) -> Mapping[str, tuple[str, str]]:
    """Speakers of a group who are users: name → person id and user id."""
    if viewpoint.chat_type != "group":
        return {}
    found: dict[str, tuple[str, str]] = {}
    for name in dict.fromkeys(message.speaker for message in said if message.role == "user"):
        person = None if name is None else views.participant(name, viewpoint.tenant, engine.store)
        if name is not None and person is not None and person.user_id is not None:
            found[name] = (person.id, person.user_id)
    return found


def _owned(message: Message, speakers: Mapping[str, tuple[str, str]], viewpoint: Viewpoint) -> Message:
    own = speakers.get(message.speaker or "")
    return replace(message, user_id=own[1] if own is not None else viewpoint.user)


def _taught(owned: Sequence[NewMessage], viewpoint: Viewpoint) -> set[tuple[Space, str]]:
    """The scopes of what these messages may teach: their order is that of what is told there by hand."""
    taught = {(Space.USER, item.message.user_id) for item in owned if item.message.user_id is not None}
    is_of_chat = viewpoint.chat is not None and (viewpoint.chat_type == "group" or viewpoint.user is None)
    return {*taught, *([(Space.CHAT, viewpoint.chat)] if is_of_chat and viewpoint.chat is not None else [])}


def _place(viewpoint: Viewpoint, view: View, speakers: Mapping[str, tuple[str, str]]) -> Place:
    audience = view.present | frozenset(person for person, _ in speakers.values())
    return replace(views.place_of(viewpoint), audience=audience)
