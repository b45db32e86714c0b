"""Remember: take in → understand → shape → gate → resolve → reconcile → commit → link. The one way in."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.errors import Ambiguous, InvalidInput, KeyTaken, StoreBusy
from wellkept.flows import views
from wellkept.flows.people import consent
from wellkept.flows.requests import Statement
from wellkept.flows.write import consequences, draft, reconcile
from wellkept.judges.base import Reading, asks, reads
from wellkept.judges.english.worth import requests
from wellkept.judges.llm.notices import Fallback, collect
from wellkept.policies.secrets.detector import has_secret
from wellkept.policies.visibility import PROCEDURAL, View
from wellkept.policies.writing import gate, keys, shape
from wellkept.policies.writing.shape import clean
from wellkept.store.contract import Citation, Citations, Entry, Listing, Search
from wellkept.types import Claim, Decision, Message, Outcome
from wellkept.values import frozen
from wellkept.vocabulary import Kind, MemoryType, OutcomeKind, Sensitivity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.engine import Engine
    from wellkept.flows.requests import RememberRequest
    from wellkept.judges.llm.notices import Notice
    from wellkept.types import Memory, Viewpoint

    Read = tuple[Statement, tuple[Claim, ...], NDArray[np.float32] | None]


STATEMENTS_MAX = 20
SAID_BEFORE_MAX = 20
_FIRST_PERSON = re.compile(r"(?i)\b(?:i|i['’]\w+|me|my|mine|we|us|our)\b")
RACES_MAX = 10
"""Times a write is decided again because another writer took its key first."""


@frozen
class _Prepared:
    """A statement that was read, before the transaction opens."""

    statement: Statement
    claims: tuple[Claim, ...] = ()
    vectors: NDArray[np.float32] | None = None
    refusal: Decision | None = None
    same: consent.Same = frozenset()


def remember(
    request: RememberRequest, engine: Engine, *, kept: Callable[[], Message | None] | None = None
) -> tuple[Outcome, ...]:
    """One outcome a statement, in order; one bad statement never stops the others.

    `kept` stores the message that they were said in and gives it back, once every model has been asked.
    """
    _check(request)
    viewpoint, now = request.viewpoint, engine.clock()
    with collect() as notices:
        prepared = [_prepare(statement, viewpoint, engine, now) for statement in request.statements]
        read = [(item.statement, item.claims, item.vectors) for item in prepared]
        engine = asked_ahead(read, viewpoint, engine, now)
    if kept is not None:
        said = kept()
        prepared = [replace(item, statement=replace(item.statement, message=said)) for item in prepared]

    def write_all() -> tuple[Outcome, ...]:
        if notices:
            record_notices(notices, viewpoint, engine, now, shared=request.statements[0].shared)
        if engine.model is not None and any(item.claims and item.vectors is None for item in prepared):
            engine.embed_later(viewpoint.tenant, now=now)
        view, speaker = views.view_of_writer(viewpoint, engine, now)
        writer = draft.Writer(viewpoint=viewpoint, view=view, speaker=speaker, engine=engine)
        return tuple(_write(item, writer) for item in prepared)

    for _ in range(RACES_MAX):
        with suppress(KeyTaken):
            return views.write_in(viewpoint, engine, write_all)
    raise StoreBusy("Too many writers on one key; nothing was written, try again.")


def _check(request: RememberRequest) -> None:
    if not request.statements:
        raise InvalidInput("Give at least one text to remember.", code="empty_content")
    if len(request.statements) > STATEMENTS_MAX:
        raise InvalidInput(f"A batch may have at most {STATEMENTS_MAX} facts.", code="batch_too_large")
    viewpoint = request.viewpoint
    if viewpoint.user is None and viewpoint.chat is None:
        raise InvalidInput("A viewpoint needs a user or a chat to remember for.", code="no_owner")
    if viewpoint.chat is None and any(statement.shared for statement in request.statements):
        raise InvalidInput("shared needs a chat to share with: at(chat=…).", code="no_chat")
    if viewpoint.persona is None and any(statement.only_persona for statement in request.statements):
        raise InvalidInput("only_persona needs a persona to keep it for: at(persona=…).", code="no_persona")


def _prepare(statement: Statement, viewpoint: Viewpoint, engine: Engine, now: datetime) -> _Prepared:
    """Everything that needs language or a model, outside the transaction."""
    if statement.fault is not None:
        return _Prepared(statement=statement, refusal=Decision(verdict="refuse", reason=statement.fault))
    decision = gate.admit_text(statement.text)
    text = clean(statement.text) if decision.verdict == "pass" else ""
    if decision.verdict == "pass" and (not text or (requests.is_bare(text) and not statement.is_as_given)):
        decision = gate.admit_text("")
    elif decision.verdict == "pass" and requests.is_to_forget(text) and not statement.is_as_given:
        decision = Decision(verdict="refuse", reason="forget_request")
    if any(has_secret(name) for name in statement.about):
        decision = Decision(verdict="refuse", reason="privacy_deny_sensitive")
    if decision.verdict == "refuse":
        return _Prepared(statement=statement, refusal=decision)
    claims = _claims(statement, text, viewpoint, engine, now)
    vectors = engine.vectors([claim.content for claim in claims])
    has_slot = any(claim.slot is not None for claim in claims)
    same = consent.same_values(claims, viewpoint, engine) if has_slot else frozenset()
    return _Prepared(statement=statement, claims=claims, vectors=vectors, same=same)


def as_given(text: str, viewpoint: Viewpoint, engine: Engine) -> Claim:
    """What the judge reads in a text that is stored word for word."""
    return _claims(Statement(text=text, is_as_given=True), text, viewpoint, engine, engine.clock())[0]


def _claims(statement: Statement, text: str, viewpoint: Viewpoint, engine: Engine, now: datetime) -> tuple[Claim, ...]:
    user, said_in = viewpoint.user, None if statement.message is None else statement.message.id
    speaker = None if user is None else engine.store.person(viewpoint.tenant, user=user, is_whole=False)
    reading = Reading(
        messages=(*statement.window, Message(id=said_in, content=text, speaker=viewpoint.user, at=now)),
        is_explicit=True,
        is_remark=statement.is_remark,
        speaker=viewpoint.display_name or (speaker.name if speaker is not None else None),
        persona=viewpoint.persona,
        now=now,
        known=_said_before(viewpoint, engine, now) if engine.judge.is_repair(text) else (),
        tenant=viewpoint.tenant,
        user=viewpoint.user,
    )
    claims = engine.judge.extract(reading)
    claims = _as_given(text, claims) if statement.is_as_given else claims
    claims = claims or (Claim(content=text, quote=text, sensitivity=Sensitivity.PERSONAL),)
    if not statement.is_as_given and (statement.is_procedure or shape.is_how_to(text)):
        claims = (_procedure(statement.text, claims[0]),)
    named = (_of_another(claim, statement, reading, engine) for claim in claims)
    return tuple(_with_wishes(claim, statement, now) for claim in named)


def _procedure(text: str, read: Claim) -> Claim:
    """The whole text as one procedure with all its steps, as private as the judge has read it."""
    title, steps = shape.parsed_steps(text)
    return replace(
        read,
        content=clean(title) or clean(text),
        quote=clean(text),
        steps=tuple(map(clean, steps)),
        type=MemoryType.PROCEDURAL,
        category=PROCEDURAL,
        subjects=(),
        introduces=(),
        slot=None,
        value=None,
    )


def _of_another(claim: Claim, statement: Statement, reading: Reading, engine: Engine) -> Claim:
    """What says nobody's name ("Plays the harp") with the name of the one whom the caller says it is about."""
    speaker = reading.speaker or "The user"
    is_bare = claim.content.startswith(f"{speaker} ") and speaker not in statement.text
    if len(statement.about) != 1 or not is_bare or _FIRST_PERSON.search(statement.text):
        return claim
    person = engine.store.person(reading.tenant, statement.about[0])
    name = person.name if person is not None else statement.about[0]
    return claim if name is None else replace(claim, content=f"{name}{claim.content[len(speaker) :]}")


def _said_before(viewpoint: Viewpoint, engine: Engine, now: datetime) -> tuple[str, ...]:
    """The speaker's latest statements that are still held, newest first: what a correction may lean on."""
    view = views.view_of(viewpoint, engine, now)
    seen = engine.store.seen(view, Listing(limit=SAID_BEFORE_MAX))
    return tuple(memory.quote or memory.content for memory in seen if memory.stated_by == view.person)


def _as_given(text: str, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The caller's text as one memory, with what the judge read in it."""
    if not claims:
        return (Claim(content=text),)
    # One memory for one text: only a reading of the whole of it may fill a slot or end one.
    first = claims[0]
    if len(claims) == 1 and first.polarity == "assert":
        return (replace(first, content=text, quote=None),)
    strictest = max((claim.sensitivity for claim in claims), key=draft.STRICTNESS.__getitem__)
    first = replace(first, sensitivity=strictest, portable=all(claim.portable for claim in claims))
    return (replace(first, content=text, quote=None, slot=None, value=None, polarity="assert"),)


def _with_wishes(claim: Claim, statement: Statement, now: datetime) -> Claim:
    """What the caller set outweighs what the judge read."""
    expires = statement.expires_at or claim.expires_at
    if statement.expires_in_days is not None:
        expires = now + timedelta(days=statement.expires_in_days)
    category = None if statement.type not in (None, claim.type) else claim.category
    told = replace(
        claim,
        expires_at=expires,
        type=statement.type or claim.type,
        category=category if statement.category is None else statement.category,
        sensitivity=statement.sensitivity or claim.sensitivity,
        only_persona=statement.only_persona or claim.only_persona,
    )
    # Procedures have a channel and a category of their own: what is one in any respect is one in all.
    if told.type is MemoryType.PROCEDURAL or told.category == PROCEDURAL:
        return replace(told, type=MemoryType.PROCEDURAL, kind=Kind.PROCEDURAL, category=PROCEDURAL)
    return replace(told, kind=Kind.SEMANTIC) if told.kind is Kind.PROCEDURAL else told


def _write(item: _Prepared, writer: draft.Writer) -> Outcome:
    if item.refusal is not None:
        return deny(item.refusal.reason, item.statement, writer)
    outcomes: list[Outcome] = []
    for number, claim in enumerate(item.claims):
        vectors = None if item.vectors is None else item.vectors[number : number + 1]
        outcomes += write(claim, item.statement, vectors, writer, same=item.same)
    first, *others = outcomes
    return replace(first, others=tuple(others)) if others else first


def write(
    claim: Claim,
    statement: Statement,
    vectors: NDArray[np.float32] | None,
    writer: draft.Writer,
    *,
    same: consent.Same | None,
) -> list[Outcome]:
    """Gate, resolve, reconcile and store one claim; then what it means for the profile, unless `same` is None."""
    stored = _write_claim(claim, statement, vectors, writer)
    _cite(claim, statement, stored, writer)
    offered = None if same is None else _offered(claim, statement, same, stored, writer)
    return [stored] if offered is None else [stored, offered]


def _cite(claim: Claim, statement: Statement, stored: Outcome, writer: draft.Writer) -> None:
    """What the memory rests on: the sentence it was read from, else the whole message."""
    message = statement.message
    if message is None or stored.id is None:
        return
    start, stop = claim.evidence.start, min(claim.evidence.end, len(message.content))
    if not 0 <= start < stop:
        start, stop = 0, len(message.content)
    cited = Citation(memory_id=stored.id, message_id=message.id or "", place=message.place, start=start, stop=stop)
    writer.engine.store.keep(Citations(tenant=message.tenant, citations=(cited,)))


def _write_claim(
    claim: Claim, statement: Statement, vectors: NDArray[np.float32] | None, writer: draft.Writer
) -> Outcome:
    if statement.fault is not None:
        return deny(statement.fault, statement, writer, claim)
    claim = draft.of_no_animal(writer.engine.entities.claim(claim), writer)
    space, _ = writer.rules.place(claim, statement, writer.viewpoint)
    attempt = gate.Attempt(
        claim=claim,
        space=space,
        source=statement.source,
        is_explicit=statement.origin != "shadow_extraction",
        about=len(statement.about),
        is_turn=writer.rules.is_governed,
    )
    decision = gate.admit(attempt, writer.rules.gate(writer.engine))
    if decision.verdict == "refuse":
        return deny(decision.reason, statement, writer, claim)
    try:
        subjects = writer.rules.subjects(claim, statement, writer)
    except Ambiguous as error:
        return deny(error.code, statement, writer, claim)
    memory = draft.memory(claim, statement, subjects, writer)
    outcome = reconcile.reconcile(reconcile.Incoming.of(memory, claim, vectors), writer)
    consequences.follow(claim, memory, writer)
    return outcome


def _offered(
    claim: Claim, statement: Statement, same: consent.Same, outcome: Outcome, writer: draft.Writer
) -> Outcome | None:
    """What was stored of the speaker's own words may bear on their profile."""
    if claim.slot is None or outcome.outcome == "denied" or statement.source != "user" or statement.about:
        return None
    origin = "shadow_extraction" if statement.is_remark else statement.origin
    heard = consent.Heard(claim=claim, memory_id=outcome.id, origin=origin, same=same)
    return consent.heed(heard, writer)


def deny(code: str, statement: Statement, writer: draft.Writer, claim: Claim | None = None) -> Outcome:
    """A refusal is on record with its code."""
    writer.rules.denied(code, claim, statement, writer)
    return Outcome(outcome="denied", reason=code)


@frozen
class Previewed:
    """What would become of one fact of the text."""

    outcome: OutcomeKind
    reason: str | None
    content: str | None
    """The text as it would be kept."""
    type: str | None
    sensitivity: Sensitivity | None
    replaced: str | None
    """Id of the memory whose place it would take."""
    replaced_content: str | None


class _Done(Exception):
    """Ends the transaction without storing anything."""


def preview(request: RememberRequest, engine: Engine) -> tuple[Previewed, ...]:
    """One or more a statement, in order. Nothing is stored, and nothing is put on record."""
    found: list[Previewed] = []
    with suppress(_Done), engine.store.transaction(is_lazy=True):
        for outcome in remember(request, engine):
            found += [_previewed(one, request.viewpoint.tenant, engine) for one in (outcome, *outcome.others)]
        raise _Done
    return tuple(found)


def _previewed(outcome: Outcome, tenant: str, engine: Engine) -> Previewed:
    made = engine.store.memory(tenant, outcome.id) if outcome.id is not None else None
    old = engine.store.memory(tenant, outcome.replaced) if outcome.replaced is not None else None
    return Previewed(
        outcome=outcome.outcome,
        reason=outcome.reason,
        content=outcome.content if made is None else made.content,
        type=None if made is None else made.type.value,
        sensitivity=None if made is None else made.sensitivity,
        replaced=outcome.replaced,
        replaced_content=None if old is None else old.content,
    )


NEIGHBOURS = 12
NEAREST = 2
"""Memories that are compared however far they are: an update may share no word with what it replaces."""
_COMPARED = (Kind.SEMANTIC, Kind.EPISODIC)
"""What happened may end how things were: "got my own place at last"."""


def asked_ahead(statements: Iterable[Read], viewpoint: Viewpoint, engine: Engine, now: datetime) -> Engine:
    """The engine for the transaction: its judge knows the verdicts on the nearest memories and calls no model."""
    judge = engine.judge
    if not asks(judge):
        for read in statements:
            _make_ready(read, viewpoint, engine, now)
        return engine
    pairs = [pair for read in statements for pair in _pairs(read, viewpoint, engine, now)]
    return replace(engine, judge=judge.ahead(pairs))


def _make_ready(read: Read, viewpoint: Viewpoint, engine: Engine, now: datetime) -> None:
    """What the claims will be compared with is looked at before the transaction holds up other writers."""
    statement, claims, vectors = read
    if vectors is None or not claims:
        return
    search = Search(view=View(tenant=viewpoint.tenant, now=now), vector=vectors[0], model=engine.model)
    places = (draft.place(viewpoint, shared=draft.is_shared(claim, statement, viewpoint)) for claim in claims)
    for space, owner in dict.fromkeys(places):
        engine.store.candidates(search, within=(space, owner), is_ahead=True)


def _pairs(read: Read, viewpoint: Viewpoint, engine: Engine, now: datetime) -> Iterator[tuple[Claim, Memory]]:
    """Each claim with the memories of its scope that are near enough to be judged, best first."""
    statement, claims, vectors = read
    if vectors is None or not claims:
        return
    view = views.view_of(viewpoint, engine, now)
    floor = 0.0 if reads(engine.judge) else engine.bands.maybe  # a model is paid for every pair
    for claim, vector in zip(claims, vectors, strict=True):
        space, owner = draft.place(viewpoint, shared=draft.is_shared(claim, statement, viewpoint))
        search = Search(view=view, vector=vector, model=engine.model, limit=NEIGHBOURS)
        near = engine.store.candidates(search, within=(space, owner))
        judged = [
            candidate.memory
            for number, candidate in enumerate(near)
            if engine.similarity(candidate.cosine) >= (floor if number < NEAREST else engine.bands.judge)
            and candidate.memory.kind in _COMPARED
            # Two values of a slot that holds one need no judge.
            and (claim.cardinality == "many" or keys.slot_of(candidate.memory.fact_key or "") != claim.slot)
        ]
        yield from ((claim, memory) for memory in judged[: engine.bands.judge_checks_max])


def record_notices(
    notices: Iterable[Notice], viewpoint: Viewpoint, engine: Engine, now: datetime, *, shared: bool = False
) -> None:
    """A ledger row for each time rules decided in place of the model, and for each claim of it that was left out."""
    space, owner = draft.place(viewpoint, shared=shared)
    for notice in notices:
        entry = Entry(
            op="classify",
            status="error" if isinstance(notice, Fallback) else "denied",
            reason=notice.reason,
            payload={"operation": notice.operation},
            actor=viewpoint.user,
            thread=viewpoint.thread,
        )
        engine.store.record(viewpoint.tenant, space, owner, entry, at=now)
