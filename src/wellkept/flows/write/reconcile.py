"""Reconcile: a new statement is a duplicate, a better wording, a contradiction or something new."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.flows.upkeep import lifetime, schedule
from wellkept.flows.write import draft
from wellkept.flows.write.consequences import left_behind
from wellkept.flows.write.rivals import (
    appointments,
    contradicted,
    corrected,
    in_its_place,
    in_slot,
    is_heard,
    is_in_sight,
    overridden,
    own_words_against,
    planned,
    succeeded,
    taken_back,
)
from wellkept.flows.write.transitions import entry, expire, lost, retire, supersedes
from wellkept.judges.english.slots.endings import come_true
from wellkept.policies import words
from wellkept.policies.writing import keys
from wellkept.store.contract import Change, HeldKey, Search
from wellkept.types import Edge, Outcome
from wellkept.values import changed, frozen
from wellkept.vocabulary import EdgeKind, Kind, Space, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.write.draft import Writer
    from wellkept.judges.base import Verdict
    from wellkept.policies.writing.conflict import Rule
    from wellkept.store.contract import Candidate
    from wellkept.types import Claim, Memory

NEIGHBOURS = 12


@frozen
class Incoming:
    """A drafted memory with the claim it came from and what the index needs."""

    memory: Memory
    claim: Claim
    terms: Mapping[str, int]
    vectors: NDArray[np.float32] | None = None

    @staticmethod
    def of(memory: Memory, claim: Claim, vectors: NDArray[np.float32] | None = None) -> Incoming:
        """With the words of its text; turns are found by their window, never by their words."""
        text = "" if memory.kind is Kind.SHORT_TERM else f"{memory.content} {memory.quote or ''}"
        return Incoming(memory=memory, claim=claim, terms=words.term_counts(text) if text else {}, vectors=vectors)


def reconcile(incoming: Incoming, writer: Writer) -> Outcome:
    """Decide, store, and say what became of it. Runs inside the caller's transaction."""
    if incoming.memory.kind is Kind.SHORT_TERM:
        return _create(incoming, (), (), writer)
    incoming, holder = _apart(incoming, writer)
    search = _search(incoming, writer)
    near = () if search is None else _neighbours(incoming.memory, search, writer)
    own_words = own_words_against(incoming.memory, incoming.claim, search, writer)
    heard = [own for own in own_words if is_heard(own, writer)]
    if heard:
        return _protect(incoming, heard, writer)
    if incoming.claim.polarity == "retract":
        retracted = _retract(incoming, near, writer)
        if retracted is not None:
            return retracted
    rival, verdict = _rival(incoming, holder, near, writer)
    if rival is None or verdict == "different":
        return _create(incoming, near, own_words, writer)
    if verdict == "same":
        return merge(incoming, rival, writer)
    return _contradict(incoming, rival, near, writer)


def _holder(memory: Memory, writer: Writer) -> Memory | None:
    return writer.store.memory(
        memory.tenant,
        HeldKey(
            space=memory.space, owner=memory.owner, memory_key=memory.memory_key, discriminator=memory.discriminator
        ),
    )


def _apart(incoming: Incoming, writer: Writer) -> tuple[Incoming, Memory | None]:
    """The statement with the key that its place has, and who holds it.

    A dead memory must not hold the key of a living one, and what is not the writer's to see must not bear on what the
    writer is told: both then live.
    """
    memory, holder = incoming.memory, _holder(incoming.memory, writer)
    if holder is not None and holder.dies_at is not None and holder.dies_at <= writer.view.now:
        expire(holder, writer)
        holder = None
    if holder is not None and writer.rules.is_anothers(holder, writer):
        own = writer.rules.discriminator(incoming.claim, memory, f"by {writer.viewpoint.user}")
        memory = changed(memory, discriminator=own)
    claim = incoming.claim
    placed, claim = in_its_place(memory, claim, writer) if claim.slot is not None else (memory, claim)
    if (placed.memory_key, placed.discriminator) != (incoming.memory.memory_key, incoming.memory.discriminator):
        holder = _holder(placed, writer)
    return changed(incoming, memory=placed, claim=claim), holder


def _search(incoming: Incoming, writer: Writer) -> Search | None:
    if incoming.vectors is None:
        return None
    return Search(view=writer.view, vector=incoming.vectors[0], model=writer.engine.model, limit=NEIGHBOURS)


def _neighbours(memory: Memory, search: Search, writer: Writer) -> tuple[Candidate, ...]:
    near = writer.store.candidates(search, within=(memory.space, memory.owner))
    seen = tuple(candidate for candidate in near if is_in_sight(candidate.memory, writer))
    best = round(writer.engine.similarity(seen[0].cosine), 4) if seen else None
    writer.engine.access.compared(writer.viewpoint, writer.engine, node=writer.node, sim=best)
    return seen


def _rival(
    incoming: Incoming, holder: Memory | None, near: Sequence[Candidate], writer: Writer
) -> tuple[Memory | None, Verdict]:
    """The live memory that the new one has to do with, and what they are to each other."""
    for old, verdict in _rivals(incoming, holder, near, writer):
        if writer.rules.keeps(old):
            return old, verdict
    return None, "different"


def _rivals(
    incoming: Incoming, holder: Memory | None, near: Sequence[Candidate], writer: Writer
) -> Iterator[tuple[Memory, Verdict]]:
    """By what is corrected or succeeded, by key, by slot, by similarity; the likeliest first."""
    memory, claim = incoming.memory, incoming.claim
    found = corrected(memory, claim, writer) if claim.corrects or claim.is_correction else None
    if found is None and claim.slot is not None:
        found = succeeded(memory, claim, writer)
    if found is not None:
        yield found, "contradicts"
    if holder is not None:
        yield holder, _by_value(memory, holder)
    key, value = memory.fact_key, memory.value
    is_one = claim.cardinality == "one"
    if key is not None and (is_one or value is not None):
        against = keys.contraries(key)
        if is_one:
            slot = in_slot(memory, key, *against, writer=writer)
        else:  # a slot may hold thousands of values
            slot = tuple(old for one in (key, *against) for old in in_slot(memory, one, writer=writer, value=value))
        held = [old for old in slot if writer.rules.meets(old, memory)]
        own = [old for old in held if old.fact_key == key]
        yield from ((old, _by_value(memory, old)) for old in own if is_one or old.value == value)
        yield from ((old, "contradicts") for old in held if old.fact_key in against and old.value == value is not None)
    yield from _by_similarity(incoming, near, writer)


def _by_value(memory: Memory, holder: Memory) -> Verdict:
    return "same" if memory.fact_key is None or memory.value == holder.value else "contradicts"


def _by_similarity(incoming: Incoming, near: Sequence[Candidate], writer: Writer) -> Iterator[tuple[Memory, Verdict]]:
    """Bands: near enough goes to the judge, best first; nothing is merged unverified."""
    engine = writer.engine
    checks = 0
    for candidate in near:
        similarity = engine.similarity(candidate.cosine)
        band = engine.bands.of(similarity)
        if band == "different" or checks >= engine.bands.judge_checks_max:
            break
        old = candidate.memory
        if not writer.rules.meets(old, incoming.memory) or _is_over(old, writer):
            continue
        if band == "maybe" and not engine.judge.knows(incoming.claim, old):
            continue
        checks += 1
        verdict = engine.judge.compare(incoming.claim, old)
        if verdict != "different":
            yield old, verdict


def _is_over(memory: Memory, writer: Writer) -> bool:
    return memory.dies_at is not None and memory.dies_at <= writer.view.now


def _protect(incoming: Incoming, heard: Sequence[Memory], writer: Writer) -> Outcome:
    """What others say does not stand against the word of the person concerned; a governed session has it on record."""
    memory = incoming.memory
    if writer.rules.is_governed:
        return _lose(incoming, min(heard, key=lambda own: own.kind is not memory.kind), "authority", writer)
    denied = replace(entry("create", memory, writer, "first_person_protection"), status="denied", memory_id=None)
    writer.store.record(memory.tenant, memory.space, memory.owner, denied, at=writer.view.now)
    return Outcome(outcome="denied", reason="first_person_protection")


def _retract(incoming: Incoming, near: Sequence[Candidate], writer: Writer) -> Outcome | None:
    """End what is said to be no longer (or never) so; nothing takes its place. None when nothing was found to end."""
    ended = _ended(incoming, near, writer)
    if not ended:
        return None
    # What somebody ends in their own life they also end in what others say of them: that takes a memory of its own.
    told = overridden(incoming.memory, incoming.claim, writer)
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
    memory, engine, meets = incoming.memory, writer.engine, writer.rules.meets
    if memory.fact_key is not None:
        slot = in_slot(memory, *keys.contraries(memory.fact_key), writer=writer)
        held = [old for old in slot if meets(old, memory) and (memory.value is None or old.value == memory.value)]
        named = held or appointments(memory, incoming.claim, writer) or planned(memory, incoming.claim, writer)
        return named or taken_back(memory, incoming.claim, writer)
    taken = taken_back(memory, incoming.claim, writer)
    if taken:
        return taken
    near_ones = (
        candidate.memory
        for candidate in near
        if engine.similarity(candidate.cosine) >= engine.bands.judge
        and meets(candidate.memory, memory)
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
    merged = changed(
        old,
        version=old.version + 1,
        content=new.content if is_better else old.content,
        quote=new.quote if is_better else old.quote,
        importance=max(old.importance, new.importance),
        tags=tuple(dict.fromkeys(old.tags + new.tags)),
        entity_refs=tuple(dict.fromkeys(old.entity_refs + new.entity_refs))[:5],
        sensitivity=max(
            (old.sensitivity, new.sensitivity), key=lambda level: draft.STRICTNESS.get(level, 0) if level else 0
        ),
        confidential=old.confidential and new.confidential,
        mention_count=old.mention_count + new.mention_count,
        pinned=old.pinned or new.pinned,
        observed_at=max(old.observed_at, new.observed_at),
        updated_at=now,
        expires_at=new.expires_at if new.expires_at is not None else old.expires_at,
        **writer.rules.merged(old, new),
    )
    change = Change(
        memory=merged,
        entry=entry("merge", merged, writer, "same_fact"),
        is_text_changed=is_better,
        terms=incoming.terms if is_better else None,
        vectors=incoming.vectors if is_better else None,
        model=writer.engine.model if is_better else None,
        edges=_origin(new, merged),
    )
    writer.apply(change)
    writer.rules.wrote(merged)
    return Outcome(
        outcome="duplicate" if is_equal else "merged", id=merged.id, reason="same_fact", content=merged.content
    )


def _contradict(incoming: Incoming, old: Memory, near: Sequence[Candidate], writer: Writer) -> Outcome:
    """The greater statement stands; the lesser is kept on record, hidden."""
    settled = writer.rules.settle(incoming.memory, old)
    if settled.winner.id == old.id:
        return _lose(incoming, old, settled.rule, writer)
    new = draft.with_id(incoming.memory, writer)
    retire(old, writer, by=new, rule=settled.rule)
    alive = [candidate for candidate in near if candidate.memory.id != old.id]
    above = tuple(supersedes(new, other) for other in overridden(new, incoming.claim, writer) if other.id != old.id)
    edges = (supersedes(new, old), *above, *_links(new, alive, writer))
    _leave_behind(new, writer)
    _apply_new(changed(incoming, memory=new), edges, writer, f"superseded_old:{settled.rule}")
    writer.rules.wrote(new)
    return Outcome(outcome="superseded_old", id=new.id, reason=settled.rule, replaced=old.id, content=new.content)


def _lose(incoming: Incoming, winner: Memory, rule: Rule, writer: Writer) -> Outcome:
    hidden = lost(draft.with_id(incoming.memory, writer), winner, now=writer.view.now)
    _apply_new(changed(incoming, memory=hidden), (supersedes(winner, hidden),), writer, f"lost:{rule}")
    writer.rules.superseded(hidden, winner, rule)
    return Outcome(outcome="denied", id=hidden.id, reason=f"conflict_{rule}", replaced=None)


def _leave_behind(new: Memory, writer: Writer) -> None:
    for old in left_behind(new, writer) if new.fact_key is not None else ():
        retire(old, writer)


def _create(incoming: Incoming, near: Sequence[Candidate], own_words: Sequence[Memory], writer: Writer) -> Outcome:
    stored = draft.with_id(incoming.memory, writer)
    _leave_behind(stored, writer)
    edges = (
        *(supersedes(stored, other) for other in overridden(incoming.memory, incoming.claim, writer)),
        *(supersedes(own, stored) for own in own_words),
        *_links(stored, near, writer),
    )
    _apply_new(changed(incoming, memory=stored), edges, writer, None)
    writer.rules.wrote(stored)
    return Outcome(outcome="created", id=stored.id, content=stored.content)


def _apply_new(incoming: Incoming, edges: Sequence[Edge], writer: Writer, reason: str | None) -> None:
    memory = incoming.memory
    change = Change(
        memory=memory,
        entry=entry("promote" if memory.origin == "promotion" else "create", memory, writer, reason),
        is_new=True,
        terms=incoming.terms,
        vectors=incoming.vectors,
        model=writer.engine.model,
        edges=(*edges, *_origin(memory, memory)),
    )
    writer.apply(change)
    linked = sum(edge.kind is EdgeKind.RELATED_TO for edge in edges)
    if linked:
        link = entry("link", memory, writer, "neighbours", edges=linked)
        writer.store.record(memory.tenant, memory.space, memory.owner, link, at=writer.view.now)
    if memory.space is not Space.SESSION:
        if writer.engine.max_entries is not None:
            lifetime.make_room(memory, writer.engine, now=writer.view.now)
        schedule.curator_after(memory, writer.engine, now=writer.view.now)


def _origin(incoming: Memory, stored: Memory) -> tuple[Edge, ...]:
    """Where a memory that is promoted comes from; one that loses in the wider space comes from nowhere."""
    if incoming.origin != "promotion" or stored.state is not State.ACTIVE:
        return ()
    return (Edge(kind=EdgeKind.PROMOTED_FROM, src=stored.id, dst=incoming.meta["promoted_from"]),)


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
