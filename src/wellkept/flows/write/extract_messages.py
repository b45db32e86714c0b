"""Extract: what users said is read for facts, once, after the exchange; what assistants said only helps to read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.errors import KeyTaken, ModelUnavailable, StoreBusy
from wellkept.flows import views
from wellkept.flows.people import consent
from wellkept.flows.requests import Statement
from wellkept.flows.sessions import summarise, todos
from wellkept.flows.upkeep.schedule import digest
from wellkept.flows.write import draft, remember, transitions
from wellkept.judges.base import Reading
from wellkept.judges.llm.notices import Fallback, collect
from wellkept.policies.secrets.detector import REDACTED
from wellkept.policies.upkeep import extraction
from wellkept.store.contract import Entry, KnownTo, Listing, NewJob, OfChat, Unread
from wellkept.types import Claim, Outcome, Reference, Viewpoint
from wellkept.values import frozen
from wellkept.vocabulary import LIFETIMES, MemoryType

if TYPE_CHECKING:
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.schedule import Duty
    from wellkept.judges.llm.notices import Notice
    from wellkept.policies.visibility import View
    from wellkept.types import Message, Person

JOB = "extract"
BATCH = 16
"""Messages whose facts are stored together."""
PATIENCE = 3
"""Attempts after which rules read what the model would not."""
WRITTEN = frozenset({"created", "updated", "merged", "superseded_old"})
FACTS = "facts"
"""The daily allowance of a user."""


@frozen
class _Read:
    """A message that was read, before the transaction opens."""

    message: Message
    viewpoint: Viewpoint
    """Of whoever said it."""
    speaker: Reference | None = None
    """Somebody else than the user of the viewpoint."""
    claims: tuple[Claim, ...] = ()
    vectors: NDArray[np.float32] | None = None
    same: consent.Same | None = None
    engine: Engine
    """Its judge knows the verdicts and calls no model."""
    notices: tuple[Notice, ...] = ()
    taken_back: str | None = None
    """The message before, of which this one says that it was not meant."""
    heard: todos.Heard | None = None
    """What it means for the todos, where no turn has kept that already."""


def later(viewpoint: Viewpoint, engine: Engine, *, now: datetime) -> None:
    """Queue the reading of a chat, in the transaction of its messages; a later message puts it off."""
    names = ("user", "chat", "chat_type", "persona", "agent", "thread", "run", "project")
    payload = {name: value for name in names if (value := getattr(viewpoint, name)) is not None}
    key = digest("\n".join((viewpoint.user or "", viewpoint.chat or "", viewpoint.persona or "", viewpoint.chat_type)))
    due = now + engine.extraction.debounce
    engine.store.keep(NewJob(tenant=viewpoint.tenant, name=JOB, key=key, payload=payload, due_at=due))


def job(duty: Duty) -> Mapping[str, int]:
    """As a job: every batch is stored with its ledger row, so that a crash repeats nothing."""
    viewpoint = Viewpoint(tenant=duty.tenant, **duty.job.payload)
    done = {"messages": 0, "written": 0}

    def told(batch: Sequence[_Read], outcomes: Sequence[Outcome]) -> None:
        counts = {"messages": len(batch), "written": sum(one.outcome in WRITTEN for one in outcomes)}
        duty.record(counts, status="ok", reason="extracted")
        done.update({name: done[name] + number for name, number in counts.items()})
        duty.progress(done["messages"])

    is_patient = duty.job.attempts - duty.job.crashes < PATIENCE
    learn(viewpoint, duty.engine, within=duty.transaction, told=told, is_patient=is_patient)
    episode = summarise.tell(viewpoint, duty.engine, within=duty.transaction)
    return done | ({"episodes": 1} if episode is not None else {})


def learn(
    viewpoint: Viewpoint,
    engine: Engine,
    *,
    within: Callable[[], AbstractContextManager[None]] | None = None,
    told: Callable[[Sequence[_Read], Sequence[Outcome]], None] = lambda _batch, _outcomes: None,
    is_patient: bool = False,
) -> tuple[Outcome, ...]:
    """Read what waits in this chat, oldest first, and store what it teaches; the outcomes.

    `is_patient`: a model that may answer later is waited for, and the messages with it; else rules read them now.
    """
    place = views.place_of(viewpoint)
    outcomes: list[Outcome] = []
    while waiting := engine.store.messages(OfChat(place=place, is_waiting=True, limit=BATCH)):
        batch = [_read(message, viewpoint, engine, is_patient=is_patient) for message in waiting]
        for _ in range(remember.RACES_MAX):
            try:
                with (within or engine.store.transaction)():
                    # Another reader may have been faster; what it has read is not ours.
                    mine = [item for item in batch if engine.store.drop(Unread(message=item.message))]
                    learned = [outcome for item in mine for outcome in _write(item)]
                    told(mine, learned)
                outcomes += learned
                break
            except KeyTaken:
                continue
        else:
            raise StoreBusy("Too many writers on one key; nothing was written, try again.")
    return tuple(outcomes)


def _read(message: Message, viewpoint: Viewpoint, engine: Engine, *, is_patient: bool) -> _Read:
    """Everything that needs language or a model."""
    own = replace(viewpoint, user=message.user_id or viewpoint.user, session=message.session_id)
    before = engine.store.messages(
        OfChat(place=views.place_of(viewpoint), number=message.place[1] - 1, limit=extraction.WINDOW_MESSAGES)
    )
    source = extraction.readable(message)
    if source is None and message.role == "user" and _is_whole_when_short(message, before, engine):
        source = extraction.readable(message, characters_min=1)
    taken_back = _taken_back(message, before, engine)
    if source is None or own.user is None:
        return _Read(message=message, viewpoint=own, engine=engine, taken_back=taken_back)
    heard = todos.overheard(message, own, engine)
    now, said_at = engine.clock(), message.at or message.arrived_at or engine.clock()
    name, speaker = _speaker(message, own, engine)
    view = views.view_of(own, engine, now)
    known = engine.store.seen(view, Listing(limit=extraction.KNOWN_MAX))
    reading = Reading(
        messages=extraction.window(before, source),
        speaker=name,
        persona=own.persona,
        people=tuple(
            one.name for one in engine.store.people(KnownTo(view=view, limit=extraction.PEOPLE_MAX)) if one.name
        ),
        now=said_at,
        known=tuple(memory.content for memory in known),
        tenant=own.tenant,
        user=own.user,
    )
    with collect() as notices:
        claims = engine.judge.extract(reading)
        if is_patient:
            _wait_for_model(notices)
        claims = tuple(claim for claim in claims if _is_clean(claim) and (speaker is None or _is_clear(claim)))
        claims = extraction.chosen(claims)
        vectors = engine.vectors([claim.content for claim in claims])
        statement = _statement(claims[0], message, engine) if claims else Statement(text="")
        settled = remember.asked_ahead([(statement, claims, vectors)], own, engine, now)
    return _Read(
        message=message,
        viewpoint=own,
        speaker=speaker,
        claims=claims,
        vectors=vectors,
        same=consent.same_values(claims, own, engine) if speaker is None else None,
        engine=settled,
        notices=tuple(notices),
        taken_back=taken_back,
        heard=heard,
    )


def _is_whole_when_short(message: Message, before: Sequence[Message], engine: Engine) -> bool:
    """A short correction says much beside what it corrects, an answer beside its question; "call me Max" is whole."""
    opening = message.content[: extraction.CHARACTERS_MIN * 5]
    if engine.judge.is_repair(opening) or engine.judge.is_brief(opening):
        return True
    return bool(before) and before[-1].role == "assistant" and engine.judge.is_reply(before[-1].content, opening)


def _taken_back(message: Message, before: Sequence[Message], engine: Engine) -> str | None:
    """The id of the speaker's message before this one, where this one says that it was a joke."""
    if message.role != "user" or not engine.judge.is_jest(message.content[: extraction.CHARACTERS_MIN * 5]):
        return None
    mine = (one for one in reversed(before) if one.role == "user" and one.speaker == message.speaker)
    return next((one.id for one in mine), None)


def _wait_for_model(notices: Sequence[Notice]) -> None:
    """Give the job back when the model may answer later: its messages still wait, and its failure is on record."""
    for notice in notices:
        if isinstance(notice, Fallback) and notice.is_transient:
            raise ModelUnavailable("The model did not answer; the messages are read later.", code=notice.reason)


def _speaker(message: Message, viewpoint: Viewpoint, engine: Engine) -> tuple[str | None, Reference | None]:
    """The name of whoever said it, and who that is when it is not the user."""
    user = viewpoint.user or ""
    person = engine.store.person(viewpoint.tenant, user=user)
    named = person.name if person is not None else None
    if message.speaker is None:
        return named, None
    own = {user, named, *(alias.value for alias in person.aliases)} if person is not None else {user}
    if message.speaker.casefold() in {name.casefold().removeprefix("@") for name in own if name}:
        return named or message.speaker, None
    return message.speaker, Reference(text=message.speaker, name=message.speaker)


def _is_clean(claim: Claim) -> bool:
    """What a secret was taken out of says nothing that may be kept."""
    return REDACTED not in claim.content and REDACTED not in (claim.quote or "")


def _is_clear(claim: Claim) -> bool:
    """Of what others say: nobody is named only by what they are to the speaker."""
    return all(_is_named(reference) for reference in (*claim.subjects, *claim.introduces))


def _is_named(reference: Reference) -> bool:
    return not reference.is_speaker and (reference.name is not None or reference.handle is not None)


def _statement(claim: Claim, message: Message, engine: Engine) -> Statement:
    now = engine.clock()
    # By the clock of its scope, which may be ahead of the wall clock; nothing is said after it has arrived.
    arrived_at = message.arrived_at or now
    said_at = min(message.at or arrived_at, arrived_at)
    expires = extraction.lives_until(claim, said_at=said_at, now=now)
    return Statement(
        text=claim.content, expires_at=expires, origin="shadow_extraction", said_at=said_at, message=message
    )


def _write(item: _Read) -> list[Outcome]:
    """Store what one message teaches, as much as is allowed; what is not leaves a ledger row."""
    viewpoint, engine = item.viewpoint, item.engine
    now = engine.clock()
    if item.heard is not None:
        todos.heed(item.heard, engine, now, None)
    has_secret = item.message.role == "user" and REDACTED in item.message.content
    remember.record_notices(item.notices, viewpoint, engine, now)
    _classified(item, now)
    if not item.claims and not has_secret and item.taken_back is None:
        return []
    view, _ = views.view_of_writer(viewpoint, engine, now)
    writer = draft.Writer(viewpoint=viewpoint, view=view, speaker=_person(item, view, engine), engine=engine)
    if item.taken_back is not None:
        for memory in engine.store.seen(view, Listing(limit=extraction.KNOWN_MAX)):
            if memory.source_message_id == item.taken_back:
                transitions.retire(memory, writer)
    learned = [remember.deny("privacy_deny_sensitive", Statement(text=""), writer)] if has_secret else []
    written = 0
    for number, claim in enumerate(item.claims):
        statement = _statement(claim, item.message, engine)
        refusal = _refusal(claim, item, written, now)
        if refusal is not None:
            learned.append(remember.deny(refusal, statement, writer))
            continue
        vectors = None if item.vectors is None else item.vectors[number : number + 1]
        lasting = replace(claim, expires_at=statement.expires_at)
        outcomes = remember.write(lasting, statement, vectors, writer, same=item.same)
        learned += outcomes
        if any(one.outcome in WRITTEN for one in outcomes):
            written += 1
            engine.store.tally(viewpoint.tenant, FACTS, viewpoint.user or "", day=now.date(), add=1)
    return learned


def _classified(item: _Read, now: datetime) -> None:
    """On record of every message of a user: was there anything in it to learn?"""
    viewpoint, store = item.viewpoint, item.engine.store
    if item.message.role != "user" or viewpoint.user is None:
        return
    said = Entry(
        op="classify",
        status="ok" if item.claims else "skipped",
        reason=None if item.claims else "no_fact",
        payload={"facts": len(item.claims)},
        actor=viewpoint.user,
        thread=viewpoint.thread,
    )
    store.record(viewpoint.tenant, *draft.place(viewpoint, shared=False), said, at=now)


def _person(item: _Read, view: View, engine: Engine) -> Person | None:
    """Whoever said it: the user, or somebody known by name alone."""
    if item.speaker is None:
        return engine.store.person(view.tenant, view.person) if view.person is not None else None
    resolved = views.resolve(item.speaker, speaker=item.viewpoint.user, view=view, store=engine.store, now=view.now)
    return resolved.person


def _refusal(claim: Claim, item: _Read, written: int, now: datetime) -> str | None:
    is_task = claim.type is MemoryType.TASK
    said = claim.quote or claim.content
    if claim.type in LIFETIMES and todos.is_kept(said, item.viewpoint, item.engine, is_task=is_task):
        return "is_todo"
    user = item.viewpoint.user or ""
    today = item.engine.store.tally(item.viewpoint.tenant, FACTS, user, day=now.date())
    decision = extraction.admit(written, today, item.engine.extraction)
    return None if decision.verdict == "pass" else decision.reason
