"""Record: what is said in a governed turn passes the borders and the gate, is settled, and may be promoted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellkept.errors import Ambiguous, KeyTaken, StoreBusy
from wellkept.flows.governed.counts import TICK
from wellkept.flows.governed.promote import meant, promote
from wellkept.flows.governed.read import read
from wellkept.flows.governed.run import Run
from wellkept.flows.governed.settle import discriminator_of, part, settle
from wellkept.flows.governed.window import close_window
from wellkept.flows.write import draft
from wellkept.flows.write.remember import RACES_MAX
from wellkept.judges.base import asks
from wellkept.policies.governance import borders, retention, scores, traces
from wellkept.policies.governance.policy import is_profile_slot
from wellkept.policies.writing import gate, keys
from wellkept.types import Memory, Subtype
from wellkept.values import changed
from wellkept.vocabulary import Kind, Space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.flows.governed.read import Reads, Said, Turn
    from wellkept.flows.governed.run import Session
    from wellkept.flows.governed.settle import Settled
    from wellkept.policies.governance.traces import Event
    from wellkept.types import Claim, Person

READ_AGAIN_MAX = 2
"""How often a turn is read again before other writers of its session have to wait for it."""
_HIDDEN = frozenset({"privacy_deny_sensitive", "privacy_deny_pattern"})
"""Refusals after which the text is shown nowhere."""
_OF_A_TURN = {"memory_key": keys.memory_key("PROFILE", Subtype(), "self"), "portable": False}
"""A turn is what was said, whatever it is about; it fills no slot."""


class _WindowMoved(Exception):
    """Somebody has written to the session since its turns were read, or named its user otherwise."""


def record(session: Session, turn: Turn) -> list[Event]:
    """The events of one exchange. Everything is written, or nothing."""
    reads = read(turn, session)
    for attempt in range(RACES_MAX):
        try:
            with session.engine.store.transaction():
                return _write(session, turn, reads, waits=attempt < READ_AGAIN_MAX)
        except KeyTaken:
            continue
        except _WindowMoved:
            reads = read(turn, session, is_anew=True)
    raise StoreBusy("Too many writers on one key; nothing was written, try again.")


def _write(session: Session, turn: Turn, reads: Reads, *, waits: bool) -> list[Event]:
    """`waits`: what was read beside a window that has moved is read again; else now, while nobody writes."""
    run = Run.begin(session)
    run.window = session.window(reads.window)
    name = None if run.writer.speaker is None else run.writer.speaker.name
    if run.window.end != reads.window.end or name != reads.name:
        if waits:
            raise _WindowMoved
        # A model would be waited for: what it read stands.
        reads = reads if asks(session.engine.judge) else read(turn, session, is_anew=True)
    run.secrets = reads.secrets
    run.catch_up(run.window.end)
    run.border("write", Space.SESSION, Space.SESSION, borders.may_write(Space.SESSION, session.policy))
    tools_at = run.tick(Space.SESSION) + 1 if "tool" in [said.source for said in reads.said] else None
    for said in reads.said:
        _say(run, said, moment=tools_at if said.source == "tool" else None)
    after = close_window(run)
    written = [traces.item(memory, run.phase_of(memory)) for memory in run.written.values()]
    run.tell(session.tracer.write(written), *run.written.values())
    told = run.close()
    session.held.name, session.held.is_open = name, True
    end = run.end or session.engine.store.chain_end(*run.scope(Space.SESSION))
    session.held.window = changed(after, end=end, phases=run.phases(Space.SESSION))
    return told


def _say(run: Run, said: Said, *, moment: int | None) -> None:
    """One text: as a turn, as facts, as entries of the profile; and further where that was asked for."""
    turn = None if said.turn is None else _attempt(run, said, said.turn, (), moment=None)
    if said.refusal is not None:
        return
    items: list[Memory] = []
    turns = () if turn is None or turn.stored is None else (turn.stored.id,)
    for claim in said.facts:
        settled = None
        for one in _forms(claim, run) if said.source == "user" else (claim,):
            found = _attempt(run, said, one, turns, moment=moment)
            settled = found or settled
            if settled is not None and settled.is_lost:
                break  # a statement that lost gives the profile nothing
            items += [found.stored] if found is not None and found.stored is not None else []
        if claim.ends and settled is not None and not settled.is_lost:
            part(run, claim)
    if said.ask is not None and said.ask.space is not Space.SESSION:
        # What is said twice in a turn is one item, as it stands by now.
        ids = [one for one in dict.fromkeys([item.id for item in items]) if one in run.written]
        for item in [run.written[one] for one in ids] if said.facts else meant(run):
            promote(run, item, said.ask)


def _forms(claim: Claim, run: Run) -> tuple[Claim, ...]:
    """A fact, and beside it an entry of the profile when it fills a slot of the speaker's own."""
    if claim.slot is None or not is_profile_slot(claim.slot, run.policy):
        return (claim,)
    is_own = all(
        one.is_speaker or (run.writer.speaker is not None and claim.slot in {"name", "preferred_name", "nickname"})
        for one in claim.subjects
    )
    is_kept = claim.cardinality == "one" or claim.slot in (run.policy.privacy.allow_profile_keys or ())
    if not is_own or not is_kept:
        return (claim,)
    return (claim, changed(claim, kind=Kind.PROFILE))


def _attempt(run: Run, said: Said, claim: Claim, turns: Sequence[str], *, moment: int | None) -> Settled | None:
    """What became of the item, or None with the refusal told and on record."""
    attempt = gate.Attempt(claim=claim, space=Space.SESSION, source=said.source, is_explicit=True, is_turn=True)
    decision = gate.admit(attempt, run.session.gate)
    reason = said.refusal or (decision.reason if decision.verdict == "refuse" else None)
    about: tuple[Person, ...] = ()
    if reason is None:
        try:
            about = _people(run, said) if claim.kind is Kind.SHORT_TERM else run.about(claim)
        except Ambiguous as error:
            reason = error.code
    more: dict[str, object] = {"source_turn_ids": list(turns)} if turns else {}
    if reason is not None:
        _deny(run, said, claim, reason, more)
        return None
    if moment is not None:
        more["moment"] = moment
    return settle(run, _drafted(run, said, claim, about, more=more), claim)


def _people(run: Run, said: Said) -> tuple[Person, ...]:
    """Whom a turn tells of, so that forgetting a person takes the turn along."""
    found: dict[str, Person] = {}
    for claim in said.facts:
        try:
            about = run.about(claim)
        except Ambiguous:
            continue
        for person in about:
            found[person.id] = person
    return tuple(found.values())


def _deny(run: Run, said: Said, claim: Claim, reason: str, more: dict[str, object]) -> None:
    memory = _drafted(run, said, claim, (), more={**more, "policy_tags": None}, is_stored=False)
    run.note("create", Space.SESSION, status="denied", reason=reason)
    attempted = traces.item(memory, run.current(Space.SESSION), hidden=reason in _HIDDEN)
    run.tell(run.session.tracer.denied(attempted, reason))


def _drafted(
    run: Run,
    said: Said,
    claim: Claim,
    about: Sequence[Person],
    *,
    more: dict[str, object],
    is_stored: bool = True,
) -> Memory:
    """The item that the claim would become in the session. A fact that may have a rival has no id yet."""
    phase_id = run.phase_for_write(Space.SESSION, begins=is_stored)
    tick = run.counts.next(Space.SESSION, TICK)
    is_turn = claim.kind is Kind.SHORT_TERM
    weight = scores.importance(
        claim.event_type, said.source, claim.quote or claim.content, is_correction=claim.is_correction
    )
    subject_ids = tuple([person.id for person in about])
    if not is_turn and not subject_ids:
        subject_ids = _about_the_user(run)
    key = None if is_turn else _fact_key(claim, subject_ids, run)
    return Memory(
        id=run.counts.next_id(Space.SESSION, claim.kind) if is_turn or not is_stored else "",
        tenant=run.session.tenant,
        content=claim.content,
        quote=None if claim.quote == claim.content else claim.quote,
        language=claim.language,
        type=claim.type,
        kind=claim.kind,
        event_type=claim.event_type,
        space=Space.SESSION,
        owner=run.session.session,
        subject_person_ids=subject_ids,
        fact_key=key,
        discriminator=discriminator_of(claim, key, tick=tick, dedupes=run.policy.dedupe_enabled),
        sensitivity=claim.sensitivity,
        confidential=claim.confidential,
        importance=float(weight.importance),
        confidence=claim.confidence,
        is_correction=claim.is_correction,
        created_at=run.now,
        observed_at=run.now,
        updated_at=run.now,
        valid_from=run.now,
        tick=tick,
        phase_id=phase_id,
        meta=_meta(run, claim, weight.reasons, tick) | more,
        **(_OF_A_TURN if is_turn else _placed(run, claim, about)),
        **_provenance(said, run),
    )


def _placed(run: Run, claim: Claim, about: Sequence[Person]) -> dict[str, Any]:
    """Where a fact belongs: what it is about, and by what the same one is known again."""
    claim = run.writer.engine.entities.claim(claim)
    of = keys.domain(claim.entity_refs, is_about_others=bool(about))
    return {
        "category": claim.category or keys.category(claim.type, of),
        "tags": claim.tags,
        "entity_refs": draft.refs(claim, about),
        "entity_label": claim.entity_label,
        "subtype": claim.subtype,
        "memory_key": keys.memory_key(
            of, claim.subtype, draft.primary(claim, draft.besides(about, run.writer.speaker))
        ),
        "value": None if claim.value is None else keys.signs(claim.value),
        "portable": claim.portable,
    }


def _about_the_user(run: Run) -> tuple[str, ...]:
    """What a user or a tool says of nobody in particular is about the user."""
    speaker = run.writer.speaker
    return () if speaker is None else (speaker.id,)


def _provenance(said: Said, run: Run) -> dict[str, Any]:
    """Who said it, and what that word is worth."""
    speaker, source = run.writer.speaker, said.source
    return {
        "actor_id": run.session.place.user,
        "role": source,
        "stated_by": speaker.id if speaker is not None and source == "user" else None,
        "source": source,
        "source_session_id": run.session.session,
        "authority": draft.AUTHORITY_OF[source],
        "authority_reason": f"source:{source}",
    }


def _meta(run: Run, claim: Claim, reasons: Sequence[str], tick: int) -> dict[str, Any]:
    meta: dict[str, Any] = {
        "importance_reason": list(reasons),
        "policy_tags": list(run.session.tags[claim.kind]),
    }
    if claim.cardinality == "many" and claim.slot is not None:
        meta["is_many"] = True
    if claim.is_suspect:
        meta["suspect_instruction"] = True
    end = retention.expires_at(run.policy.retention[claim.kind][claim.event_type], tick)
    if end is not None:
        meta["expires_at"] = end
    return meta


def _fact_key(claim: Claim, subject_ids: Sequence[str], run: Run) -> str | None:
    """In the session the bare slot is the user's own, as in the user's space: one key all the way up."""
    slot = f"{keys.ENDED}{claim.slot}" if claim.slot and claim.polarity == "retract" else claim.slot
    return keys.fact_key(
        slot,
        space=Space.USER,
        person_id=subject_ids[0] if subject_ids else None,
        owner_person_id=None if run.writer.speaker is None else run.writer.speaker.id,
    )
