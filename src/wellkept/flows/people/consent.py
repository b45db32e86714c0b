"""Consent: what a user's profile takes from what was said, what waits for a yes, and what becomes of it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput, ProposalNotFound
from wellkept.policies.callers import check_limit
from wellkept.policies.people import profile_fields
from wellkept.policies.writing import keys
from wellkept.store.contract import Entry, ProfileChange, ProfileValue, Proposal, ProposalQuery
from wellkept.types import Outcome, Viewpoint
from wellkept.values import frozen
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.schedule import Sweep
    from wellkept.flows.write.draft import Writer
    from wellkept.policies.people.profile_fields import Field, State
    from wellkept.types import Claim
    from wellkept.vocabulary import Origin

PAGE = 100
LIMIT_MAX = 1_000
ASKED_BEFORE = ""
"""Where a question was asked that was left without an answer: it is not asked again, but waits with the others."""

Same = frozenset[tuple[str, str]]
"""(new, old) values of a field that say the same in other words."""


@frozen
class Heard:
    """A claim that was stored, as the profile sees it."""

    claim: Claim
    memory_id: str | None
    origin: Origin
    same: Same = frozenset()


def field_of(claim: Claim) -> Field | None:
    """The field of the speaker's own profile that a claim would set."""
    # "I moved to Bergen with my brother" is about both; the slot is the speaker's.
    is_own = not claim.subjects or any(subject.is_speaker for subject in claim.subjects)
    if not is_own or claim.polarity != "assert" or claim.value is None or claim.only_persona or claim.confidential:
        return None
    return profile_fields.field_of(claim.slot)


def spelled(claim: Claim) -> str:
    """The value as the speaker wrote it, where it stands in the text."""
    value = claim.value or ""
    for text in (claim.quote or "", claim.content):
        found = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE)
        if found is not None:
            return found[0]
    return value


def same_values(claims: Sequence[Claim], viewpoint: Viewpoint, engine: Engine) -> Same:
    """Which values the profile holds already in other words. Asks models, so it runs before the transaction."""
    told = [(field, claim) for claim in claims if (field := field_of(claim)) is not None]
    if viewpoint.user is None or not told:
        return frozenset()
    store, tenant = engine.store, viewpoint.tenant
    held = [(value.field, value.value, value.memory_id) for value in store.profile(tenant, viewpoint.user)]
    waiting = store.proposals(ProposalQuery(tenant=tenant, user=viewpoint.user, state="pending", limit=PAGE))
    held += [(proposal.field, proposal.new, proposal.evidence) for proposal in waiting]
    pairs = [(claim, old, memory_id) for field, claim in told for of, old, memory_id in held if of == field]
    return frozenset(
        (claim.value or "", old)
        for claim, old, memory_id in pairs
        if _is_same(claim, old, memory_id, viewpoint, engine)
    )


def _is_same(claim: Claim, old: str, memory_id: str | None, viewpoint: Viewpoint, engine: Engine) -> bool:
    new = claim.value or ""
    if keys.normalised(new) == keys.normalised(old):
        return True
    vectors = engine.vectors([new, old])
    if vectors is None:
        return False
    match profile_fields.sameness(engine.similarity(float(vectors[0] @ vectors[1]))):
        case "same":
            return True
        case "unsure":
            memory = None if memory_id is None else engine.store.memory(viewpoint.tenant, memory_id)
            return memory is not None and engine.judge.compare(claim, memory) == "same"
        case "different":
            return False


def heed(heard: Heard, writer: Writer) -> Outcome | None:
    """Set the field, or ask for it; None when the claim is no matter of the profile. Inside the write's transaction."""
    field, user = field_of(heard.claim), writer.viewpoint.user
    if field is None or user is None or heard.claim.value is None:
        return None
    store, tenant = writer.engine.store, writer.viewpoint.tenant
    held = [one.value for one in store.profile(tenant, user) if one.field == field]
    if any(_equal(heard, old) for old in held):
        return None
    waiting = [
        one
        for one in store.proposals(ProposalQuery(tenant=tenant, user=user, state="pending", limit=PAGE))
        if one.field == field
    ]
    again = next((one for one in waiting if _is_alive(one, writer) and _equal(heard, one.new)), None)
    proposal = _signalled(again, heard, writer) if again is not None else _new(heard, field, held, writer)
    decision = profile_fields.decide(
        profile_fields.Signal(
            field=field, origin=heard.origin, confidence=heard.claim.confidence, signals=proposal.signals
        )
    )
    if decision.verdict == "apply":
        _apply(proposal, decision.reason, waiting, writer.viewpoint, writer.engine, now=writer.view.now)
        return None
    _replace(proposal, waiting, writer.viewpoint, writer.engine)
    store.keep(proposal)
    if again is None:
        _record(proposal, "proposed", writer.viewpoint, writer.engine, writer.view.now)
    return Outcome(outcome="queued_for_consent", id=proposal.id, reason=decision.reason, content=proposal.new)


def _equal(heard: Heard, old: str) -> bool:
    new = heard.claim.value or ""
    return keys.normalised(new) == keys.normalised(old) or (new, old) in heard.same


def _is_alive(proposal: Proposal, writer: Writer) -> bool:
    return profile_fields.state_at(proposal.state, proposal.at, writer.view.now) == "pending"


def _signalled(proposal: Proposal, heard: Heard, writer: Writer) -> Proposal:
    """The same wish again counts once a message; in the same message it is the same signal."""
    message = heard.claim.evidence.message_id
    is_separate = message != proposal.message_id if message is not None else proposal.at != writer.view.now
    more = {"signals": proposal.signals + 1, "message_id": message} if is_separate else {}
    return replace(proposal, **more)  # type: ignore[arg-type]  # the names are those of Proposal


def _new(heard: Heard, field: Field, held: Sequence[str], writer: Writer) -> Proposal:
    user = writer.viewpoint.user or ""
    return Proposal(
        id=writer.engine.store.next_id(writer.viewpoint.tenant, Space.USER, user, "proposal"),
        tenant=writer.viewpoint.tenant,
        user_id=user,
        field=field,
        old=None if field in profile_fields.MANY_VALUED else next(iter(held), None),
        new=spelled(heard.claim),
        evidence=heard.memory_id,
        message_id=heard.claim.evidence.message_id,
        at=writer.view.now,
    )


def _apply(
    proposal: Proposal, reason: str, waiting: Sequence[Proposal], by: Viewpoint, engine: Engine, *, now: datetime
) -> Proposal:
    decided = replace(proposal, state="approved", decided_at=now)
    value = ProfileValue(field=proposal.field, value=proposal.new, memory_id=proposal.evidence, at=now)
    engine.store.keep(
        ProfileChange(
            tenant=proposal.tenant,
            user=proposal.user_id,
            value=value,
            adds=proposal.field in profile_fields.MANY_VALUED,
        )
    )
    engine.store.keep(decided)
    _record(decided, f"approved:{reason}", by, engine, now)
    _replace(decided, waiting, by, engine)
    return decided


def _replace(proposal: Proposal, waiting: Sequence[Proposal], by: Viewpoint, engine: Engine) -> None:
    """Who says something else of a field that has one value no longer waits to be asked about the old word."""
    for other in waiting if proposal.field in profile_fields.SENSITIVE else ():
        if other.field == proposal.field and other.id != proposal.id:
            _close(other, "rejected", by, engine, why=":replaced")


def _record(proposal: Proposal, reason: str, by: Viewpoint, engine: Engine, now: datetime) -> None:
    entry = Entry(
        node="hotpath" if by.user is not None else "worker",
        op="consent",
        reason=reason,
        payload={"proposal": proposal.id, "field": proposal.field, "evidence": proposal.evidence},
        thread=by.thread,
        actor=by.user,
    )
    engine.store.record(proposal.tenant, Space.USER, proposal.user_id, entry, at=now)


def _may_read(viewpoint: Viewpoint, engine: Engine) -> bool:
    """Whether the profile is told here: to no agent whose allowlist is without it."""
    allowed = engine.categories.of_agent(viewpoint.agent)
    return allowed is None or "profile" in allowed


def profile(viewpoint: Viewpoint, engine: Engine) -> Mapping[str, str | tuple[str, ...]]:
    """Field → value of the asker's own profile; `goals` has several."""
    if viewpoint.user is None or not _may_read(viewpoint, engine):
        return {}
    found: dict[str, str | tuple[str, ...]] = {}
    for value in engine.store.profile(viewpoint.tenant, viewpoint.user):
        if value.field in profile_fields.MANY_VALUED:
            found[value.field] = (*found.get(value.field, ()), value.value)
        else:
            found[value.field] = value.value
    return found


def proposals(
    viewpoint: Viewpoint, engine: Engine, *, state: State | None = "pending", limit: int = PAGE
) -> tuple[Proposal, ...]:
    """What waits, or was answered, oldest first; with no user in the viewpoint, of everybody (operators)."""
    if state is not None and state not in profile_fields.STATES:
        raise InvalidInput(f"state must be one of: {', '.join(profile_fields.STATES)}.", code="invalid_parameter")
    check_limit(limit, LIMIT_MAX)
    if not _may_read(viewpoint, engine):
        return ()
    now = engine.clock()
    found = engine.store.proposals(ProposalQuery(tenant=viewpoint.tenant, user=viewpoint.user, limit=PAGE * PAGE))
    shown = (replace(one, state=profile_fields.state_at(one.state, one.at, now)) for one in found)
    return tuple(one for one in shown if state in (None, one.state))[:limit]


def approve(proposal_id: str, viewpoint: Viewpoint, engine: Engine) -> Proposal:
    """Yes: the profile changes."""
    with engine.store.transaction():
        proposal = _open(proposal_id, viewpoint, engine)
        waiting = engine.store.proposals(
            ProposalQuery(tenant=proposal.tenant, user=proposal.user_id, state="pending", limit=PAGE)
        )
        return _apply(proposal, "user", waiting, viewpoint, engine, now=engine.clock())


def reject(proposal_id: str, viewpoint: Viewpoint, engine: Engine) -> Proposal:
    """No: the profile stays as it is."""
    with engine.store.transaction():
        return _close(_open(proposal_id, viewpoint, engine), "rejected", viewpoint, engine)


def _open(proposal_id: str, viewpoint: Viewpoint, engine: Engine) -> Proposal:
    found = next(iter(engine.store.proposals(ProposalQuery(tenant=viewpoint.tenant, id=proposal_id))), None)
    if found is None or viewpoint.user not in (None, found.user_id) or not _may_read(viewpoint, engine):
        raise ProposalNotFound(proposal_id)
    state = profile_fields.state_at(found.state, found.at, engine.clock())
    if state != "pending":
        raise InvalidInput(f"This question was {state} already; nothing changes.", code="not_pending")
    return found


def _close(proposal: Proposal, state: State, by: Viewpoint, engine: Engine, *, why: str = "") -> Proposal:
    now = engine.clock()
    closed = replace(proposal, state=state, decided_at=now)
    engine.store.keep(closed)
    _record(closed, f"{state}{why}", by, engine, now)
    return closed


def expire(sweep: Sweep) -> int:
    """Close what nobody answered in time; how many."""
    store, done = sweep.engine.store, 0
    while True:
        with sweep.transaction():
            until = sweep.engine.clock() - profile_fields.WAITS
            overdue = store.proposals(ProposalQuery(tenant=sweep.tenant, until=until, limit=PAGE))
            for proposal in overdue:
                _close(proposal, "expired", Viewpoint(tenant=sweep.tenant), sweep.engine)
        done += len(overdue)
        if len(overdue) < PAGE:
            return done


def question(viewpoint: Viewpoint, engine: Engine, *, peek: bool = False, is_fresh: bool = False) -> str | None:
    """What to ask the user now: the oldest question, marked as asked here. Benign fields are never asked about.

    Among others nobody is asked: a profile is its user's business. `peek`: it is only looked at. `is_fresh`: only what
    was never asked before, the newest first.
    """
    if viewpoint.user is None or viewpoint.chat_type == "group":
        return None
    waiting = [one for one in proposals(viewpoint, engine) if one.field in profile_fields.SENSITIVE]
    if is_fresh:
        waiting = [one for one in waiting if one.asked_in is None][::-1]
    if not waiting:
        return None
    first = waiting[0]
    if first.asked_in != _here(viewpoint) and not peek:
        with engine.store.transaction():
            engine.store.keep(replace(first, asked_in=_here(viewpoint)))
    return profile_fields.question(first.field, first.new, first.old)


def answered(text: str, viewpoint: Viewpoint, engine: Engine) -> Proposal | None:
    """A plain yes or no to the question that was asked here settles it; any other word takes the question back."""
    asked = next((one for one in proposals(viewpoint, engine) if one.asked_in == _here(viewpoint)), None)
    if viewpoint.user is None or asked is None:
        return None
    match profile_fields.answer(text):
        case "yes":
            return approve(asked.id, viewpoint, engine)
        case "no":
            return reject(asked.id, viewpoint, engine)
        case None:
            with engine.store.transaction():
                engine.store.keep(replace(asked, asked_in=ASKED_BEFORE))
            return None


def _here(viewpoint: Viewpoint) -> str:
    return f"{viewpoint.chat or ''}|{viewpoint.persona or ''}"
