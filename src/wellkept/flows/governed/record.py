"""Record: what is said in a governed turn is written as everything is, promoted where asked, and leaves the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.errors import KeyTaken, StoreBusy
from wellkept.flows.governed.read import read
from wellkept.flows.governed.run import LIVE_MAX, TICK, Run
from wellkept.flows.requests import Statement
from wellkept.flows.write.reconcile import Incoming, reconcile
from wellkept.flows.write.remember import RACES_MAX, write
from wellkept.flows.write.transitions import entry
from wellkept.judges.base import asks
from wellkept.policies.governance import borders, traces
from wellkept.policies.governance.policy import PROFILE_SLOTS, expiry_tick, is_profile_slot, retention_rule
from wellkept.store.contract import Change
from wellkept.types import Claim, Memory
from wellkept.values import changed
from wellkept.vocabulary import Authority, EventType, Kind, Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellkept.flows.governed.read import Reads, Said, Turn
    from wellkept.flows.governed.run import Session, Window
    from wellkept.policies.governance.borders import Ask
    from wellkept.policies.governance.traces import Event, Segment
    from wellkept.types import Outcome

READ_AGAIN_MAX = 2
"""How often a turn is read again before other writers of its session have to wait for it."""


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
    after = _close_window(run)
    written = [traces.item(memory, run.phase_of(memory)) for memory in run.written.values()]
    run.tell(session.tracer.write(written), *run.written.values())
    told = run.close()
    session.held.name, session.held.is_open = name, True
    end = run.end or session.engine.store.chain_end(*run.scope(Space.SESSION))
    session.held.window = changed(after, end=end, phases=run.phases(Space.SESSION))
    return told


def _say(run: Run, said: Said, *, moment: int | None) -> None:
    """One text: as a turn, as facts, as entries of the profile; and further where that was asked for."""
    run.people = said.facts
    turn = None if said.turn is None else _attempt(run, said, said.turn, {})
    if said.refusal is not None:
        return
    more: dict[str, object] = {} if turn is None or turn.id is None else {"source_turn_ids": [turn.id]}
    more |= {} if moment is None else {"moment": moment}
    items: list[str] = []
    for claim in said.facts:
        for one in _forms(claim, run) if said.source == "user" else (claim,):
            found = _attempt(run, said, one, more)
            if found.outcome == "denied" and found.id is not None:
                break  # a statement that lost gives the profile nothing
            items += [] if found.id is None else [found.id]
    if said.ask is not None and said.ask.space is not Space.SESSION:
        # What is said twice in a turn is one item, as it stands by now.
        told = [run.written[one] for one in dict.fromkeys(items) if one in run.written]
        for item in told if said.facts else _meant(run):
            _promote(run, item, said.ask)


def _attempt(run: Run, said: Said, claim: Claim, more: Mapping[str, object]) -> Outcome:
    """Write it as everything is written, by the rules of the session."""
    run.more = more
    statement = Statement(text=claim.content, source=said.source, fault=said.refusal)
    return write(claim, statement, None, run.writer, same=None)[0]


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


def _promote(run: Run, item: Memory, ask: Ask) -> None:
    """Move an item to the space that was asked for, or say why not. If it loses there, it stays here."""
    source = _source(run, item, ask.space)
    run.border("promote", source.space, ask.space, borders.may_cross(source.space, ask.space, run.policy))
    decision = borders.may_promote(source, ask.space, run.policy)
    if decision.verdict == "refuse":
        run.note("promote", source.space, status="denied", reason=decision.reason)
        run.tell(run.session.tracer.promotion_denied(source, ask.space, decision.reason))
        return
    wider = _widened(run, source, ask)
    outcome = reconcile(Incoming.of(wider, _claim_of(wider)), run.writer)
    if outcome.outcome == "denied" or outcome.id is None:
        return
    run.tell(run.session.tracer.promoted(source, run.written[outcome.id], ask.reason))
    run.leave([source], op="promote", reason="promoted")
    run.tell(run.session.tracer.deleted(source, "promoted"))


def _meant(run: Run) -> list[Memory]:
    """What "remember this for me" means when nothing else is said: the facts of the user's last turn."""
    user = run.session.place.user
    said = (turn.id for turn in reversed(run.window.turns) if turn.source == "user" and turn.actor_id == user)
    last = next(said, None)
    if last is None:
        return []
    live = run.writer.store.live(*run.scope(Space.SESSION), (Kind.SEMANTIC, Kind.PROFILE), limit=LIVE_MAX)
    return [memory for memory in live if last in memory.meta.get("source_turn_ids", ())]


def _source(run: Run, item: Memory, to_space: Space) -> Memory:
    """What the user's own space holds already may go on to the project from there."""
    if to_space is not Space.PROJECT or borders.may_promote(item, to_space, run.policy).verdict == "pass":
        return item
    key = run.discriminator(_claim_of(item), item, "")
    twin = run.writer.store.holder(*run.scope(Space.USER), item.memory_key, key)
    # Who holds the slot there may say something else of it.
    is_same = twin is not None and twin.value == item.value
    if twin is None or not is_same or borders.may_promote(twin, to_space, run.policy).verdict != "pass":
        return item
    return twin


def _widened(run: Run, source: Memory, ask: Ask) -> Memory:
    """The item as it would stand in the wider space, with a tick and a phase of that space."""
    phase_id = run.phase_for_write(ask.space)
    _, space, owner = run.scope(ask.space)
    tick = run.counts.next(space, TICK)
    kept = {name: source.meta[name] for name in ("source_turn_ids", "policy_tags", "is_many") if name in source.meta}
    meta = {
        "importance_reason": list(source.meta.get("importance_reason", ())),
        **kept,
        "promoted_from": source.id,
        "promotion_reason": ask.reason,
    }
    end = expiry_tick(retention_rule(source, run.policy), tick)
    if end is not None:
        meta["expires_at"] = end
    wider = changed(
        source,
        id="",
        version=1,
        space=space,
        owner=owner,
        origin="promotion",
        fact_key=_fact_key(source, space),
        created_at=run.now,
        updated_at=run.now,
        mention_count=1,
        tick=tick,
        phase_id=phase_id,
        meta=meta,
    )
    return changed(wider, discriminator=run.discriminator(_claim_of(wider), wider, ""))


def _claim_of(item: Memory) -> Claim:
    """What an item says, for whoever compares it. It is no correction once more, and fills the slot it has."""
    return Claim(
        content=item.content,
        quote=item.quote,
        value=item.value,
        kind=item.kind,
        cardinality="many" if item.meta.get("is_many", False) else "one",
        confidential=item.confidential,
    )


def _fact_key(source: Memory, space: Space) -> str | None:
    """Where several people write, a slot of a person is led by whose it is; what a tool names is nobody's."""
    key = source.fact_key
    if key is None or space is Space.USER or key.startswith("p_") or not source.subject_person_ids:
        return key
    first = key.split(":", 1)[0]
    is_shared = first == "project" or (source.source == "tool" and first not in PROFILE_SLOTS)
    return key if is_shared else f"{source.subject_person_ids[0]}:{key}"


def is_summary(memory: Memory) -> bool:
    """Stands for turns that left."""
    return "summary_of" in memory.meta


def _close_window(run: Run) -> Window:
    """Let the oldest turns leave, and renew the summary when some did; the window after that."""
    live = run.turns
    turns = [memory for memory in live if "summary_of" not in memory.meta]
    gone = turns[: max(len(turns) - run.policy.short_term_max_turns, 0)]
    if not gone:
        return changed(run.window, turns=tuple(live))
    run.forget(gone, lambda _memory: "decay")
    summaries = [memory for memory in live if "summary_of" in memory.meta]
    old = summaries[0] if summaries else None
    text, left = traces.summary([*_left(run, old), *traces.segments(gone)])
    summary = _summarise(run, old, gone[-1], text, [one.turn for one in left])
    return changed(run.window, turns=(*turns[len(gone) :], summary), left=left)


def _left(run: Run, summary: Memory | None) -> Sequence[Segment]:
    """The turns that a summary tells of; one that was erased meanwhile is not among them."""
    ids = [] if summary is None else summary.meta["summary_of"]
    if [one.turn.id for one in run.window.left] == ids:
        return run.window.left
    known = run.session.engine.store.memories(run.session.tenant, ids)
    return traces.segments([known[one] for one in ids if one in known])


def _summarise(run: Run, old: Memory | None, last: Memory, text: str, told_of: Sequence[Memory]) -> Memory:
    """Store the summary, which is renewed where there was one. `last`: of the turns that left."""
    now = {
        "content": text,
        "phase_id": run.phase_for_write(Space.SESSION),
        "tick": run.counts.next(Space.SESSION, TICK),
        "meta": {"importance_reason": ["event:context", "summary"], "summary_of": [turn.id for turn in told_of]},
        "updated_at": run.now,
        # It tells of everybody its turns tell of: whoever is forgotten takes it along.
        "subject_person_ids": tuple(dict.fromkeys([one for turn in told_of for one in turn.subject_person_ids])),
        "confidential": True in [turn.confidential for turn in told_of],
    }
    if old is None:
        first = _first_summary(run, changed(last, **now))
        outcome = reconcile(Incoming.of(first, _claim_of(first)), run.writer)
        return run.written[outcome.id or ""]
    renewed = changed(old, **now, version=old.version + 1)
    change = Change(
        memory=renewed,
        entry=entry("update", renewed, run.writer, "summary"),
        is_text_changed=True,
        how="retell",
        terms={},
    )
    run.writer.apply(change)
    run.wrote(renewed)
    return renewed


def _first_summary(run: Run, turn: Memory) -> Memory:
    """A turn with the words of a summary, as the first summary of its session."""
    memory = changed(
        turn,
        id="",
        version=1,
        quote=None,
        source="system",
        role="system",
        stated_by=None,
        event_type=EventType.CONTEXT,
        authority=Authority.AI_INFERRED,
        authority_reason="composed:summary",
        is_correction=False,
        importance=1.0,
        created_at=run.now,
    )
    return changed(memory, discriminator=run.discriminator(_claim_of(memory), memory, ""))
