"""Reconcile: a new statement is a duplicate, a better wording, a contradiction or something new."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.flows.upkeep import schedule
from wellkept.flows.write import consequences, draft, rivals
from wellkept.flows.write.rivals import (
    appointments,
    contradicted,
    corrected,
    in_its_place,
    in_slot,
    is_compatible,
    is_in_sight,
    planned,
    succeeded,
    taken_back,
)
from wellkept.flows.write.transitions import archived, entry, expire, lost, retire, supersedes
from wellkept.judges.english.slots.endings import come_true
from wellkept.policies.lifetime.eviction import leaving
from wellkept.policies.writing import conflict, keys
from wellkept.store.contract import Change, Search
from wellkept.types import Edge, Outcome
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, Space

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.write.draft import Writer
    from wellkept.judges.base import Verdict
    from wellkept.store.contract import Candidate
    from wellkept.types import Claim, Memory

NEIGHBOURS = 12

_log = logging.getLogger("wellkept")


@frozen
class Incoming:
    """A drafted memory with the claim it came from and what the index needs."""

    memory: Memory
    claim: Claim
    terms: Mapping[str, int]
    vectors: NDArray[np.float32] | None = None


def reconcile(incoming: Incoming, writer: Writer) -> Outcome:
    """Decide, store, and say what became of it. Runs inside the caller's transaction."""
    _retire_expired(incoming.memory, writer)
    incoming = _apart_from_hidden(incoming, writer)
    memory, claim = in_its_place(incoming.memory, incoming.claim, writer)
    incoming = replace(incoming, memory=memory, claim=claim)
    search = _search(incoming, writer)
    near = () if search is None else _neighbours(incoming.memory, search, writer)
    own_words = rivals.own_words(incoming.memory, incoming.claim, search, writer)
    if any(rivals.is_heard(own, writer) for own in own_words):
        return _protect(incoming.memory, writer)
    if incoming.claim.polarity == "retract":
        retracted = _retract(incoming, near, writer)
        if retracted is not None:
            return retracted
    rival, verdict = _rival(incoming, near, writer)
    if rival is None or verdict == "different":
        stored = _create(incoming, near, own_words, writer)
        return Outcome(outcome="created", id=stored.id, content=stored.content)
    if verdict == "same":
        return merge(incoming, rival, writer)
    return _contradict(incoming, rival, near, writer)


def _retire_expired(memory: Memory, writer: Writer) -> None:
    """A dead memory must not hold the key of a living one."""
    store, now = writer.engine.store, writer.view.now
    holder = store.holder(memory.tenant, memory.space, memory.owner, memory.memory_key, memory.discriminator)
    if holder is not None and holder.dies_at is not None and holder.dies_at <= now:
        expire(holder, writer)


def _apart_from_hidden(incoming: Incoming, writer: Writer) -> Incoming:
    """In a shared space, what the writer may not see must not bear on what the writer is told: both then live."""
    memory = incoming.memory
    if memory.space is Space.USER:
        return incoming
    store = writer.engine.store
    holder = store.holder(memory.tenant, memory.space, memory.owner, memory.memory_key, memory.discriminator)
    if holder is None or is_in_sight(holder, writer):
        return incoming
    own = keys.discriminator(incoming.claim, memory.fact_key, f"by {writer.viewpoint.user}")
    return replace(incoming, memory=replace(memory, discriminator=own))


def _search(incoming: Incoming, writer: Writer) -> Search | None:
    if incoming.vectors is None:
        return None
    return Search(view=writer.view, vector=incoming.vectors[0], model=writer.engine.model, limit=NEIGHBOURS)


def _neighbours(memory: Memory, search: Search, writer: Writer) -> tuple[Candidate, ...]:
    near = writer.engine.store.near(memory.tenant, memory.space, memory.owner, search)
    seen = tuple(candidate for candidate in near if is_in_sight(candidate.memory, writer))
    best = round(writer.engine.similarity(seen[0].cosine), 4) if seen else None
    writer.engine.access.compared(writer.viewpoint, writer.engine, node=writer.node, sim=best)
    return seen


def _rival(incoming: Incoming, near: Sequence[Candidate], writer: Writer) -> tuple[Memory | None, Verdict]:
    """The live memory that the new one has to do with, and what they are to each other."""
    memory, store = incoming.memory, writer.engine.store
    claim = incoming.claim
    found = corrected(memory, claim, writer) or succeeded(memory, claim, writer)
    if found is not None:
        return found, "contradicts"
    holder = store.holder(memory.tenant, memory.space, memory.owner, memory.memory_key, memory.discriminator)
    slot = in_slot(memory, memory.fact_key, writer)
    if holder is None and incoming.claim.cardinality == "one":
        holder = next((old for old in slot if is_compatible(old, memory)), None)
    if holder is not None:
        return holder, _by_value(incoming, holder)
    if memory.fact_key is not None and memory.value is not None:
        same = next((old for old in slot if old.value == memory.value and is_compatible(old, memory)), None)
        if same is not None:
            return same, "same"
        against = (old for key in keys.contraries(memory.fact_key) for old in in_slot(memory, key, writer))
        ended = next((old for old in against if old.value == memory.value and is_compatible(old, memory)), None)
        if ended is not None:
            return ended, "contradicts"
    return _by_similarity(incoming, near, writer)


def _by_value(incoming: Incoming, holder: Memory) -> Verdict:
    memory = incoming.memory
    if memory.fact_key is None or memory.value == holder.value:
        return "same"
    return "contradicts"


def _by_similarity(incoming: Incoming, near: Sequence[Candidate], writer: Writer) -> tuple[Memory | None, Verdict]:
    """Bands: near enough goes to the judge, best first; nothing is merged unverified."""
    engine = writer.engine
    checks = 0
    for candidate in near:
        similarity = engine.similarity(candidate.cosine)
        band = engine.bands.of(similarity)
        if band == "different" or checks >= engine.bands.judge_checks_max:
            break
        old = candidate.memory
        if not is_compatible(old, incoming.memory) or _is_over(old, writer):
            continue
        if band == "maybe" and not engine.judge.knows(incoming.claim, old):
            continue
        checks += 1
        verdict = engine.judge.compare(incoming.claim, old)
        if verdict != "different":
            return old, verdict
    return None, "different"


def _is_over(memory: Memory, writer: Writer) -> bool:
    return memory.dies_at is not None and memory.dies_at <= writer.view.now


def _protect(memory: Memory, writer: Writer) -> Outcome:
    """What others say does not stand against the word of the person concerned."""
    denied = replace(entry("create", memory, writer, "first_person_protection"), status="denied", memory_id=None)
    writer.engine.store.record(memory.tenant, memory.space, memory.owner, denied, at=writer.view.now)
    return Outcome(outcome="denied", reason="first_person_protection")


def _retract(incoming: Incoming, near: Sequence[Candidate], writer: Writer) -> Outcome | None:
    """End what is said to be no longer (or never) so; nothing takes its place. None when nothing was found to end."""
    memory = incoming.memory
    ended = _ended(incoming, near, writer)
    if not ended:
        return None
    # What somebody ends in their own life they also end in what others say of them: that takes a memory of its own.
    told = rivals.overridden(memory, incoming.claim, writer)
    stored = _create(incoming, near, (), writer) if told else None
    for old in ended:
        retire(old, writer)
    return Outcome(
        outcome="superseded_old",
        id=stored.id if stored is not None else None,
        reason="retracted",
        replaced=ended[0].id,
        content=ended[0].content,
    )


def _ended(incoming: Incoming, near: Sequence[Candidate], writer: Writer) -> list[Memory]:
    memory, engine = incoming.memory, writer.engine
    if memory.fact_key is not None:
        slot = [old for key in keys.contraries(memory.fact_key) for old in in_slot(memory, key, writer)]
        held = [
            old for old in slot if is_compatible(old, memory) and (memory.value is None or old.value == memory.value)
        ]
        named = held or appointments(memory, incoming.claim, writer) or planned(memory, incoming.claim, writer)
        return named or taken_back(memory, incoming.claim, writer)
    taken = taken_back(memory, incoming.claim, writer)
    if taken:
        return taken
    near_ones = (
        candidate.memory
        for candidate in near
        if engine.similarity(candidate.cosine) >= engine.bands.judge
        and is_compatible(candidate.memory, memory)
        and engine.judge.compare(incoming.claim, candidate.memory) == "contradicts"
    )
    found = list(near_ones)[:1]
    if found or incoming.vectors is not None:
        return found
    old = contradicted(memory, incoming.claim, writer)
    return [] if old is None else [old]


def merge(incoming: Incoming, old: Memory, writer: Writer) -> Outcome:
    """The same fact once: same id, the more telling text, the greater weight, one mention more."""
    new, now = incoming.memory, writer.view.now
    is_equal = keys.normalised(new.content) == keys.normalised(old.content)
    is_longer = len(incoming.terms) > len(set(keys.normalised(old.content).split()))
    is_better = not is_equal and (is_longer or (come_true(old.content) is not None and come_true(new.content) is None))
    merged = replace(
        old,
        version=old.version + 1,
        content=new.content if is_better else old.content,
        quote=new.quote if is_better else old.quote,
        importance=max(old.importance, new.importance),
        tags=tuple(dict.fromkeys(old.tags + new.tags)),
        entity_refs=tuple(dict.fromkeys(old.entity_refs + new.entity_refs))[:5],
        subject_person_ids=tuple(dict.fromkeys(old.subject_person_ids + new.subject_person_ids)),
        sensitivity=max(
            (old.sensitivity, new.sensitivity), key=lambda level: draft.STRICTNESS.get(level, 0) if level else 0
        ),
        confidential=old.confidential and new.confidential,
        mention_count=old.mention_count + new.mention_count,
        pinned=old.pinned or new.pinned,
        observed_at=max(old.observed_at, new.observed_at),
        updated_at=now,
        expires_at=new.expires_at if new.expires_at is not None else old.expires_at,
    )
    change = Change(
        memory=merged,
        entry=entry("merge", merged, writer, "same_fact"),
        is_text_changed=is_better,
        terms=incoming.terms if is_better else None,
        vectors=incoming.vectors if is_better else None,
        model=writer.engine.model if is_better else None,
    )
    writer.engine.store.apply([change], at=now)
    return Outcome(
        outcome="duplicate" if is_equal else "merged", id=merged.id, reason="same_fact", content=merged.content
    )


def _contradict(incoming: Incoming, old: Memory, near: Sequence[Candidate], writer: Writer) -> Outcome:
    """The greater statement stands; the lesser is kept on record, hidden."""
    new, now = incoming.memory, writer.view.now
    settled = conflict.settle(new, old)
    if settled.winner is old:
        hidden = lost(draft.with_id(new, writer), old, now=now)
        _apply_new(replace(incoming, memory=hidden), (supersedes(old, hidden),), writer, f"lost:{settled.rule}")
        return Outcome(outcome="denied", id=hidden.id, reason=f"conflict_{settled.rule}", replaced=None)
    new = draft.with_id(new, writer)
    retire(old, writer, by=new, rule=settled.rule)
    alive = [candidate for candidate in near if candidate.memory.id != old.id]
    told = rivals.overridden(new, incoming.claim, writer)
    overrides = tuple(rivals.edge(new, other) for other in told if other.id != old.id)
    edges = (supersedes(new, old), *overrides, *_links(new, alive, writer))
    _leave_behind(new, writer)
    _apply_new(replace(incoming, memory=new), edges, writer, f"superseded_old:{settled.rule}")
    return Outcome(outcome="superseded_old", id=new.id, reason=settled.rule, replaced=old.id, content=new.content)


def _leave_behind(new: Memory, writer: Writer) -> None:
    for old in consequences.left_behind(new, writer):
        retire(old, writer)


def _create(incoming: Incoming, near: Sequence[Candidate], own_words: Sequence[Memory], writer: Writer) -> Memory:
    stored = draft.with_id(incoming.memory, writer)
    _leave_behind(stored, writer)
    told = rivals.overridden(incoming.memory, incoming.claim, writer)
    edges = (
        *(rivals.edge(stored, other) for other in told),
        *(rivals.edge(own, stored) for own in own_words),
        *_links(stored, near, writer),
    )
    _apply_new(replace(incoming, memory=stored), edges, writer, None)
    return stored


def _apply_new(incoming: Incoming, edges: Sequence[Edge], writer: Writer, reason: str | None) -> None:
    change = Change(
        memory=incoming.memory,
        entry=entry("create", incoming.memory, writer, reason),
        is_new=True,
        terms=incoming.terms,
        vectors=incoming.vectors,
        model=writer.engine.model,
        edges=tuple(edges),
    )
    writer.engine.store.apply([change], at=writer.view.now)
    linked = sum(edge.kind is EdgeKind.RELATED_TO for edge in edges)
    if linked:
        memory = incoming.memory
        link = entry("link", memory, writer, "neighbours", edges=linked)
        writer.engine.store.record(memory.tenant, memory.space, memory.owner, link, at=writer.view.now)
    _make_room(incoming.memory, writer)
    schedule.curator_after(incoming.memory, writer.engine, now=writer.view.now)


def _make_room(incoming: Memory, writer: Writer) -> None:
    """A scope over its cap loses its least important memories; they stay restorable."""
    cap, store, now = writer.engine.max_entries, writer.engine.store, writer.view.now
    if cap is None:
        return
    live = store.living(incoming.tenant, incoming.space, incoming.owner, now=now, more_than=cap)
    going = leaving(live, cap=cap, incoming=incoming.id, now=now)
    if len(live) - len(going) > cap:
        _log.warning("A scope holds %d memories and may hold %d: all others are pinned.", len(live) - len(going), cap)
    for old in going:
        evicted = archived(old, "evicted")
        store.apply([Change(memory=evicted, entry=entry("ttl", evicted, writer, "evicted"))], at=now)


def _links(new: Memory, near: Sequence[Candidate], writer: Writer) -> tuple[Edge, ...]:
    engine = writer.engine
    links = []
    for candidate in near[: engine.bands.links_max]:
        strength = engine.similarity(candidate.cosine)
        if strength >= engine.bands.link and candidate.memory.kind is new.kind:
            links.append(
                Edge(kind=EdgeKind.RELATED_TO, src=new.id, dst=candidate.memory.id, strength=round(strength, 4))
            )
    return tuple(links)
