"""Storing a governed item: the same fact once, of two that contradict each other the greater, else something new."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.flows.governed.own import is_anothers_own, is_common
from wellkept.flows.write import consequences, rivals
from wellkept.flows.write.rivals import appointments, is_contradicted, planned, taken_back
from wellkept.policies.governance import retention
from wellkept.policies.text import words
from wellkept.policies.writing import conflict, keys
from wellkept.store.contract import Change, Entry
from wellkept.store.encoding import EPOCH
from wellkept.types import Claim, Edge
from wellkept.values import changed, frozen
from wellkept.vocabulary import EdgeKind, Kind, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from wellkept.flows.governed.run import Run
    from wellkept.policies.writing.conflict import Conflict, Rule
    from wellkept.store.contract import Op
    from wellkept.types import Memory

CORRECTED_MAX = 200
"""How far back "A, not B" looks for B."""


@frozen
class Settled:
    """What became of an item: as it is stored, or nothing when it lost or only ended something."""

    stored: Memory | None = None
    is_kept: bool = False

    @property
    def is_lost(self) -> bool:
        """On record, and never alive."""
        return self.stored is not None and not self.is_kept


def settle(run: Run, incoming: Memory, claim: Claim) -> Settled:
    """Decide over what is there, store, and tell it. The incoming item has no id yet."""
    if incoming.kind is Kind.SHORT_TERM:
        return Settled(stored=created(run, incoming), is_kept=True)
    run.flush_facts()
    own_words = rivals.own_words(incoming, claim, None, run.writer)
    heard = _heard(run, incoming, own_words) if own_words else None
    if heard is not None:
        return _lost(run, incoming, heard, "authority")
    if claim.polarity == "retract" and _retracted(run, incoming, claim):
        return Settled()
    incoming, holder = _apart(run, incoming, claim)
    rival, is_same = _rival(run, incoming, claim, holder)
    if rival is None:
        stored = created(run, incoming, _overridden(run, incoming, claim), own_words)
        return Settled(stored=stored, is_kept=True)
    if is_same:
        return _merged(run, incoming, rival)
    settled = _weighed(incoming, rival, run)
    if settled.winner.id == rival.id:
        return _lost(run, incoming, rival, settled.rule)
    return _won(run, incoming, rival, settled.rule, _overridden(run, incoming, claim))


def _heard(run: Run, incoming: Memory, own_words: Sequence[Memory]) -> Memory | None:
    """A person's own word that this writer may hear, rather of the kind of the incoming item."""
    in_kind = sorted(own_words, key=lambda own: own.kind is not incoming.kind)
    return next((own for own in in_kind if rivals.is_heard(own, run.writer)), None)


def discriminator(memory: Memory, key: str | None, *, tick: int, dedupes: bool) -> str:
    """What no two live items of a scope share, of one that becomes an item with this key and tick."""
    claim = Claim(
        content=memory.content,
        value=memory.value,
        kind=memory.kind,
        cardinality="many" if memory.meta.get("is_many", False) else "one",
        confidential=memory.confidential,
    )
    return discriminator_of(claim, key, tick=tick, dedupes=dedupes)


def discriminator_of(claim: Claim, key: str | None, *, tick: int, dedupes: bool, of: str = "") -> str:
    """The same, of an item that is still a claim. A profile entry and the fact it came from both live.

    `of`: the user whose own it is, where the session holds the same of another.
    """
    found = keys.discriminator(claim, key, ("|" if claim.confidential else "") + (f"by {of}" if of else ""))
    if claim.kind is Kind.SHORT_TERM or (not dedupes and key is None):
        found = f"{found}:{tick}"
    return f"profile:{found}" if claim.kind is Kind.PROFILE else found


def leave(run: Run, memories: Sequence[Memory], *, op: Op, archive_reason: str) -> None:
    """Take items out of the living."""
    now = {"state": State.ARCHIVED, "archive_reason": archive_reason, "updated_at": run.now}
    gone = [changed(memory, **now, version=memory.version + 1) for memory in memories]
    run.apply(*[Change(memory=one, entry=entry(op, one, run, archive_reason), how="leave") for one in gone])


def forget(run: Run, memories: Sequence[Memory], reason: Callable[[Memory], str]) -> None:
    """Let items go because their time is over, and tell each of them."""
    leave(run, memories, op="ttl", archive_reason="expired")
    tracer = run.session.tracer
    for memory in memories:
        run.tell(tracer.forget(memory, reason(memory)))
        run.tell(tracer.deleted(memory, "expired"))
        run.written.pop(memory.id, None)


def retained(run: Run, memories: Sequence[Memory], *, tick: int) -> list[Memory]:
    """Those that the retention rules keep at this tick; the others have left. What no session wrote has no ticks."""
    policy = run.policy
    verdicts = {one.id: retention.retain(one, policy, tick=tick) for one in memories if is_governed(one)}
    over = [one for one in memories if one.id in verdicts and verdicts[one.id].verdict == "forget"]
    if not over:
        return [*memories]
    forget(run, over, lambda memory: verdicts[memory.id].reason)
    gone = {one.id for one in over}
    return [one for one in memories if one.id not in gone]


def entry(op: Op, memory: Memory, run: Run, reason: str | None, **payload: object) -> Entry:
    """The ledger row of a change; it says in which phase the item is."""
    phase = {} if memory.phase_id is None else {"phase": memory.phase_id}
    return Entry(
        op=op,
        memory_id=memory.id,
        version=memory.version,
        category=memory.category,
        reason=reason,
        payload={**phase, **payload},
        tick=memory.tick,
        actor=run.session.place.user,
    )


def is_governed(memory: Memory) -> bool:
    """Written by a governed session: only these live by ticks."""
    return "importance_reason" in memory.meta


def _apart(run: Run, incoming: Memory, claim: Claim) -> tuple[Memory, Memory | None]:
    """Whoever holds the key of an item; what another user of the session said of themself stands beside it."""
    store, scope = run.standing, run.scope(incoming.space)
    holder = store.holder(*scope, incoming.memory_key, incoming.discriminator)
    if holder is None or not is_anothers_own(holder, run):
        return incoming, holder
    own = discriminator_of(
        claim, incoming.fact_key, tick=incoming.tick or 0, dedupes=run.policy.dedupe_enabled, of=incoming.actor_id or ""
    )
    return changed(incoming, discriminator=own), store.holder(*scope, incoming.memory_key, own)


def _rival(run: Run, incoming: Memory, claim: Claim, holder: Memory | None) -> tuple[Memory | None, bool]:
    """The live item that the new one has to do with, and whether they say the same."""
    for old, is_same in _candidates(run, incoming, claim, holder):
        if retained(run, [old], tick=run.tick(old.space)):
            return old, is_same
    return None, False


def _candidates(run: Run, incoming: Memory, claim: Claim, holder: Memory | None) -> Sequence[tuple[Memory, bool]]:
    store, scope = run.standing, run.scope(incoming.space)
    found: list[tuple[Memory, bool]] = []
    corrected = _corrected(run, incoming, claim)
    key, value = incoming.fact_key, incoming.value
    if corrected is not None and key is None:
        found.append((corrected, False))
    if holder is not None:
        found.append((holder, key is None or holder.value == value))
    elif key is not None:
        is_many = incoming.meta.get("is_many", False)
        slot = store.in_slot(*scope, key, value=value if is_many else None)
        rivals = [old for old in slot if _meets(old, incoming, run) and (not is_many or old.value == value)]
        found += [(old, old.value == value) for old in rivals]
    if key is not None:
        against = [old for other in keys.contraries(key) for old in store.in_slot(*scope, other, value=value)]
        found += [(old, False) for old in against if old.value == value and _meets(old, incoming, run)]
        # Whoever holds the slot is what was corrected; else it may be what was told in other words.
        found += [(corrected, False)] if corrected is not None and not found else []
    return found


def _corrected(run: Run, incoming: Memory, claim: Claim) -> Memory | None:
    """What a correction means: the newest item with the B of "A, not B" in it, or one it contradicts."""
    wrong = keys.normalised(claim.corrects) if claim.corrects else ""
    if not wrong and not (claim.is_correction and incoming.fact_key is None):
        return None
    live = run.standing.live(*run.scope(incoming.space), (incoming.kind,), limit=CORRECTED_MAX)
    # A tool may be wrong as the speaker may: whoever puts either right means the newest of them.
    said = (old for old in reversed(live) if old.stated_by == incoming.stated_by or old.source == "tool")
    mine = (old for old in said if _meets(old, incoming, run))
    if wrong:
        return next(
            (old for old in mine if old.value == wrong or f" {wrong} " in f" {keys.normalised(old.content)} "), None
        )
    return next((old for old in mine if is_contradicted(old, incoming, claim, run.writer)), None)


def _meets(old: Memory, new: Memory, run: Run) -> bool:
    """Of one kind, kept to the same circle, and about the same people or both about nobody."""
    if old.kind is not new.kind or old.persona_id is not None or old.confidential != new.confidential:
        return False
    if not set(new.subject_person_ids).isdisjoint(old.subject_person_ids):
        return True
    return is_common(new, run) and is_common(old, run)


def _weighed(incoming: Memory, rival: Memory, run: Run) -> Conflict:
    """Settled by the order of the policy, with ticks in the place of the clock."""
    return conflict.settle_governed(_clockless(incoming), _clockless(rival), order=run.policy.authority_order)


def _clockless(memory: Memory) -> Memory:
    return changed(memory, observed_at=EPOCH, tick=memory.meta.get("moment", memory.tick))


def _with_id(run: Run, memory: Memory) -> Memory:
    return changed(memory, id=run.counts.next_id(memory.space, memory.kind))


def _overridden(run: Run, incoming: Memory, claim: Claim) -> Sequence[Memory]:
    """Hearsay that this person's own word stands above. A word that stays in its session is heard by nobody else."""
    return () if incoming.space is Space.SESSION else rivals.overridden(incoming, claim, run.writer)


def _new(run: Run, memory: Memory, edges: tuple[Edge, ...], reason: str | None, **payload: object) -> Change:
    op: Op = "promote" if memory.origin == "promotion" else "create"
    return Change(
        memory=memory,
        entry=entry(op, memory, run, reason, **payload),
        is_new=True,
        terms=_terms(memory),
        edges=edges,
    )


def _terms(memory: Memory) -> Mapping[str, int]:
    """Turns are found by their window, never by their words."""
    if memory.kind is Kind.SHORT_TERM:
        return {}
    return words.term_counts(f"{memory.content} {memory.quote or ''}")


def created(run: Run, incoming: Memory, overridden: Sequence[Memory] = (), own_words: Sequence[Memory] = ()) -> Memory:
    """Store an item that has no rival. A turn, which can have none, comes with its id."""
    stored = incoming if incoming.id else _with_id(run, incoming)
    edges = _origin(incoming, stored)
    if overridden or own_words:
        above = [rivals.edge(stored, other) for other in overridden]
        edges = (*above, *[rivals.edge(own, stored) for own in own_words], *edges)
    run.apply(_new(run, stored, edges, None))
    run.written[stored.id] = stored
    return stored


def _origin(incoming: Memory, stored: Memory) -> tuple[Edge, ...]:
    """Where an item that is promoted comes from."""
    if incoming.origin != "promotion":
        return ()
    return (Edge(kind=EdgeKind.PROMOTED_FROM, src=stored.id, dst=incoming.meta["promoted_from"]),)


def _length(memory: Memory) -> int:
    """In words."""
    return len(keys.normalised(memory.content).split())


def _merged(run: Run, new: Memory, old: Memory) -> Settled:
    """The same fact once: same id, the more telling text, the greater weight, of this tick and phase."""
    is_better = new.content != old.content and _length(new) > _length(old)
    reasons = dict.fromkeys((*old.meta.get("importance_reason", ()), *new.meta["importance_reason"], "conflict_merge"))
    turns = dict.fromkeys((*old.meta.get("source_turn_ids", ()), *new.meta.get("source_turn_ids", ())))
    meta = {**old.meta, **new.meta, "importance_reason": list(reasons), "source_turn_ids": list(turns)}
    # It lives on by the rule of what it is: the same may have been said as an event of another type.
    end = retention.expires_at(run.policy.retention[new.kind][old.event_type], new.tick or 0)
    meta.pop("expires_at", None)
    meta |= {} if end is None else {"expires_at": end}
    merged = changed(
        old,
        version=old.version + 1,
        content=new.content if is_better else old.content,
        quote=new.quote if is_better else old.quote,
        importance=max(old.importance, new.importance),
        mention_count=old.mention_count + 1,
        confidential=old.confidential and new.confidential,
        observed_at=max(old.observed_at, new.observed_at),
        updated_at=run.now,
        tick=new.tick,
        phase_id=new.phase_id,
        meta=meta,
    )
    change = Change(
        memory=merged,
        entry=entry("merge", merged, run, "same_fact"),
        is_text_changed=is_better,
        terms=_terms(merged) if is_better else None,
        edges=_origin(new, merged),
    )
    run.apply(change)
    run.written[merged.id] = merged
    return Settled(stored=merged, is_kept=True)


def _superseded(run: Run, old: Memory, by: Memory | None) -> Memory:
    return changed(
        old,
        state=State.SUPERSEDED,
        superseded_at=run.now,
        superseded_by=None if by is None else by.id,
        valid_to=run.now,
        updated_at=run.now,
        version=old.version + 1,
    )


def _won(run: Run, incoming: Memory, old: Memory, rule: Rule, overridden: Sequence[Memory]) -> Settled:
    new = _with_id(run, incoming)
    over = _superseded(run, old, new)
    edges = [Edge(kind=EdgeKind.SUPERSEDES, src=new.id, dst=old.id)]
    edges += [rivals.edge(new, other) for other in overridden if other.id != old.id]
    changes = [
        Change(memory=over, entry=entry("update", over, run, "superseded", by=new.id, rule=rule), how="leave"),
        _new(run, new, (*edges, *_origin(incoming, new)), f"superseded_old:{rule}"),
    ]
    run.apply(*changes)
    run.written[new.id] = new
    run.written.pop(old.id, None)
    run.tell(run.session.tracer.conflict(new, old, rule), new, old)
    run.tell(run.session.tracer.deleted(old, "superseded"))
    return Settled(stored=new, is_kept=True)


def _lost(run: Run, incoming: Memory, winner: Memory, rule: Rule) -> Settled:
    """The lesser statement is on record, and never alive."""
    lost = changed(
        incoming,
        id=run.counts.next_id(incoming.space, incoming.kind),
        state=State.SUPERSEDED,
        superseded_at=run.now,
        superseded_by=winner.id,
        valid_to=run.now,
    )
    edge = Edge(kind=EdgeKind.SUPERSEDES, src=winner.id, dst=lost.id)
    run.apply(_new(run, lost, (edge,), f"lost:{rule}"))
    run.tell(run.session.tracer.conflict(winner, lost, rule), winner, lost)
    run.tell(run.session.tracer.deleted(lost, "superseded"))
    return Settled(stored=lost)


def _retracted(run: Run, incoming: Memory, claim: Claim) -> bool:
    """A value that is said never to have been true, or to be so no more, leaves, and nothing takes its place."""
    store, scope = run.standing, run.scope(incoming.space)
    key = incoming.fact_key
    slot = [old for one in (() if key is None else keys.contraries(key)) for old in store.in_slot(*scope, one)]
    ended = [
        old for old in slot if _meets(old, incoming, run) and (incoming.value is None or old.value == incoming.value)
    ]
    ended = ended or appointments(incoming, claim, run.writer) or planned(incoming, claim, run.writer)
    ended = ended or taken_back(incoming, claim, run.writer)
    _end(run, ended, rule="retracted")
    return bool(ended)


def part(run: Run, claim: Claim) -> None:
    """A relation that is over ends among the people, and what the session holds of it leaves."""
    for person, slots in consequences.ended(claim, run.writer):
        for slot in slots:
            held = run.standing.in_slot(*run.scope(Space.SESSION), slot)
            _end(run, [old for old in held if consequences.tells_of(old, person)], rule="parted")


def _end(run: Run, memories: Sequence[Memory], *, rule: str) -> None:
    for old in memories:
        over = _superseded(run, old, None)
        run.apply(Change(memory=over, entry=entry("update", over, run, "superseded", rule=rule), how="leave"))
        run.written.pop(old.id, None)
        run.tell(run.session.tracer.deleted(old, "superseded"))
