"""Reconcile: a new statement is a duplicate, a better wording, a contradiction or something new."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from wellkept.flows.upkeep import lifetime
from wellkept.flows.upkeep.schedule import digest
from wellkept.flows.write import draft
from wellkept.flows.write.consequences import left_behind
from wellkept.flows.write.draft import is_of_realm
from wellkept.flows.write.transitions import entry, expire, lost, retire, supersedes
from wellkept.judges.english.dates.days import is_dated
from wellkept.judges.english.grammar.attributes import POSITIONS
from wellkept.judges.english.questions.statements import statement
from wellkept.judges.english.slots.dates import DATED, is_same_appointment, off, thing_of
from wellkept.judges.english.slots.disposals import PREGNANT
from wellkept.judges.english.slots.endings import come_true, tells_change
from wellkept.judges.english.slots.things import OF_THINGS, is_same_thing
from wellkept.patterns import deferred
from wellkept.policies import words
from wellkept.policies.words import term_counts
from wellkept.policies.writing import keys
from wellkept.store.contract import Change, EverStored, HeldKey, InSlot, Latest, NewJob, SaidAbout, Search
from wellkept.types import Edge, Outcome
from wellkept.values import changed, frozen
from wellkept.vocabulary import LIFETIMES, EdgeKind, Kind, Space, State, Trust

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.write.draft import Writer
    from wellkept.judges.base import Verdict
    from wellkept.policies.writing.conflict import Rule
    from wellkept.store.contract import Candidate
    from wellkept.types import Claim, Memory, Person


NEIGHBOURS = 12
CURATED_AFTER = 25
"""New memories of a scope after which its curator is due."""


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
    near, search = _neighbours(incoming, writer)
    own_words = own_words_against(incoming.memory, incoming.claim, search, writer)
    heard = [own for own in own_words if writer.hears(own)]
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


def _neighbours(incoming: Incoming, writer: Writer) -> tuple[tuple[Candidate, ...], Search | None]:
    """What lies near in the same scope, best first, and by which search; nothing without a vector."""
    if incoming.vectors is None:
        return (), None
    memory, engine = incoming.memory, writer.engine
    search = Search(view=writer.view, vector=incoming.vectors[0], model=engine.model, limit=NEIGHBOURS)
    near = writer.store.candidates(search, within=(memory.space, memory.owner))
    seen = tuple(candidate for candidate in near if writer.sees(candidate.memory))
    best = round(engine.similarity(seen[0].cosine), 4) if seen else None
    engine.access.compared(writer.viewpoint, engine, node=writer.node, sim=best)
    return seen, search


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
        old, memory = candidate.memory, incoming.memory
        is_over = old.dies_at is not None and old.dies_at <= writer.view.now
        does_meet = writer.rules.meets(old, memory)
        # One speaker's words may end what they told of somebody else: "got a place of my own" and whoever put them up.
        is_one_speaker = old.stated_by == memory.stated_by is not None
        is_theirs = does_meet or (is_one_speaker and is_of_realm(old, memory))
        is_near = does_meet and engine.similarity(candidate.cosine) >= engine.bands.judge
        is_asked = is_theirs and engine.judge.knows(incoming.claim, old)
        if is_over or not (is_near or is_asked) or checks >= engine.bands.judge_checks_max:
            continue
        checks += 1
        verdict = engine.judge.compare(incoming.claim, old)
        if verdict == "contradicts" or (verdict == "same" and does_meet):
            yield old, verdict


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
        _curate_later(memory, writer)


def _curate_later(memory: Memory, writer: Writer) -> None:
    """Queue the curator for a scope each time it has taken in so many memories, whatever the hour."""
    if memory.kind is not Kind.SEMANTIC:
        return
    stored = writer.engine.store.count(EverStored(tenant=memory.tenant, space=memory.space, owner=memory.owner))
    if stored and stored % CURATED_AFTER == 0:
        payload = {"space": str(memory.space), "owner": memory.owner}
        key = f"{memory.space}/{digest(memory.owner)}"
        due_at = writer.view.now
        writer.engine.store.keep(NewJob(tenant=memory.tenant, name="curate", key=key, payload=payload, due_at=due_at))


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


JOB = "job"
TERM_MIN = 4
"""Letters of a word that two statements must share to be held against each other without vectors."""
WORD_MIN = 3
_EVERYWHERE = frozenset({"the", "user", "team", "and", "for", "with", "that", "this", "has", "not"})
CORRECTED_MAX = 200
"""How far back "A, not B" looks for B."""


def corrected(memory: Memory, claim: Claim, writer: Writer) -> Memory | None:
    """What a correction means: the speaker's newest statement with the B of "A, not B" in it, or one it contradicts."""
    wrong = keys.normalised(claim.corrects or "")
    if wrong:
        # That a thing is gone happened; what was said of it was how things were.
        is_of_states = memory.kind is Kind.EPISODIC and not claim.is_correction
        like = replace(memory, kind=Kind.SEMANTIC) if is_of_states else memory
        mine = _of_the_child(like, writer) if wrong == PREGNANT else _corrigible(like, writer)
        return next((old for old in mine if _names(old, wrong, in_order=claim.is_correction)), None)
    return contradicted(memory, claim, writer) if claim.is_correction and memory.fact_key is None else None


def _is_beside_position(memory: Memory, claim: Claim, held: Memory | None) -> bool:
    """Whether a trade is told of somebody whose position is known: "I'm a hydrologist" ends no team lead's post."""
    if held is None or memory.value is None or tells_change(memory.content) or claim.is_correction:
        return False
    was, now = (bool(POSITIONS & set((one.value or "").split())) for one in (held, memory))
    return was and not now


def contradicted(memory: Memory, claim: Claim, writer: Writer) -> Memory | None:
    """The newest of the speaker's own statements that the new one contradicts, by rule: no vector is needed."""
    mine = _corrigible(memory, writer)
    return next((old for old in mine if _is_contradicted(old, memory, claim, writer)), None)


def _is_contradicted(old: Memory, memory: Memory, claim: Claim, writer: Writer) -> bool:
    """Whether the rules see that two statements with a word in common cannot both be true."""
    if claim.is_correction:
        # A correction may share no more than its verb: "let's use …".
        is_near = not _said_words(memory.content).isdisjoint(_said_words(old.content))
    else:
        terms = {term for term in term_counts(memory.content) if len(term) >= TERM_MIN}
        is_near = not terms.isdisjoint(term_counts(old.content))
    return is_near and writer.engine.judge.compare(claim, old) == "contradicts"


@lru_cache(maxsize=1024)
def _said_words(text: str) -> frozenset[str]:
    return frozenset(word for word in keys.normalised(text).split() if len(word) >= WORD_MIN) - _EVERYWHERE


def taken_back(memory: Memory, claim: Claim, writer: Writer) -> list[Memory]:
    """What the speaker said of the same people that an ending without a slot takes back, whatever else it said."""
    judge, terms = writer.engine.judge, term_counts(memory.content).keys()
    # An ending may be told as an event; what it ends was how things were.
    like = [replace(memory, kind=kind) for kind in dict.fromkeys((memory.kind, Kind.SEMANTIC))]
    near = (old for one in like for old in _said_before(one, writer) if terms & term_counts(old.content).keys())
    return [old for old in near if judge.compare(claim, old) == "contradicts"]


def in_its_place(memory: Memory, claim: Claim, writer: Writer) -> tuple[Memory, Claim]:
    """The statement with the key that its place has: a trade beside a position, a thing by the name it was known by."""
    slot = in_slot(memory, memory.fact_key, writer=writer) if claim.slot == JOB and memory.fact_key else ()
    held = next((old for old in slot if writer.rules.meets(old, memory)), None)
    if _is_beside_position(memory, claim, held):
        beside = replace(claim, cardinality="many")
        return replace(memory, discriminator=keys.discriminator(beside, memory.fact_key)), beside
    is_moved = (claim.slot or "").startswith(DATED) and _is_changed(claim)
    known = appointments(memory, claim, writer) if is_moved else []
    if not known or any(old.fact_key == memory.fact_key for old in known):
        return memory, claim
    last = max(known, key=lambda old: old.observed_at)
    named = replace(
        memory,
        fact_key=last.fact_key,
        memory_key=last.memory_key,
        discriminator=last.discriminator,
        subject_person_ids=last.subject_person_ids,
    )
    return named, claim


def _is_changed(claim: Claim) -> bool:
    """Whether it is told that things were otherwise; a "now" before the subject stands in the quotation alone."""
    is_told = claim.is_correction or tells_change(f"{claim.content} {claim.quote or ''}")
    return claim.polarity == "assert" and is_told


def in_slot(memory: Memory, *fact_keys: str, writer: Writer, value: str | None = None) -> tuple[Memory, ...]:
    """Live memories of the scope with one of these fact keys that the writer may see, newest first."""
    scope = (memory.tenant, memory.space, memory.owner)
    found = writer.store.memories(InSlot(scope=scope, fact_keys=fact_keys, value=value))
    return tuple(old for old in found if writer.sees(old))


def appointments(memory: Memory, claim: Claim, writer: Writer) -> list[Memory]:
    """What was told of the day or hour of the same thing, by a longer or shorter name: the surgery, my knee surgery.

    Of two things that the name fits neither is meant. Who names nobody may mean the thing of somebody named before.
    """
    slot = claim.slot or ""
    if not slot.startswith(DATED):
        return []
    told = [
        old
        for old in _told_by(memory, writer)
        if is_same_appointment(slot, claim.value, keys.slot_of(old.fact_key or ""), old.value)
    ]
    people = set(memory.subject_person_ids)
    own = [old for old in told if set(old.subject_person_ids) & people or not (people or old.subject_person_ids)]
    names_nobody = people <= {memory.stated_by}
    meant = own or (told if names_nobody else [])
    exact = [old for old in meant if thing_of(keys.slot_of(old.fact_key or "")) == thing_of(slot)]
    things = {old.fact_key for old in meant}
    return exact if own and exact else meant if len(things) == 1 else []


def planned(memory: Memory, claim: Claim, writer: Writer) -> list[Memory]:
    """What the speaker told of something that is off before it had a day: "a weekend in Bornova", "a picnic"."""
    words = off(claim.slot or "") if (claim.slot or "").startswith(DATED) else frozenset()
    if not words:
        return []
    ahead = [old for old in _said_before(memory, writer) if _is_ahead(old) and words <= _said_words(old.content)]
    return ahead if len(ahead) == 1 else []


def _is_ahead(old: Memory) -> bool:
    """Whether it tells what is to come, and neither what was nor the day of something else."""
    slot = keys.slot_of(old.fact_key or "")
    is_plan = old.type in LIFETIMES or is_dated(old.content) or _PLANNING.search(old.content) is not None
    is_loose = slot == "goals" or (is_plan and not slot.startswith(DATED) and not keys.is_ended(old.fact_key or ""))
    return is_loose and not statement(old.content).tense.startswith("past")


_PLANNING = deferred(r"(?i)\b(?:plan|plans|planning|will|is (?:going|travelling|traveling|flying|driving|visiting))\b")


def succeeded(memory: Memory, claim: Claim, writer: Writer) -> Memory | None:
    """What a thing's new holder or new value takes the place of, once a change is told: "Tomás owns billing now"."""
    slot = claim.slot or ""
    is_post = slot == JOB and " of " in (claim.value or "")
    if not (is_post or slot.startswith(OF_THINGS)) or not _is_changed(claim):
        return None
    told = [old for old in _told_by(memory, writer) if _is_held_before(old, slot, memory.value, is_post=is_post)]
    names = {keys.slot_of(old.fact_key or "") for old in told}
    exact = [old for old in told if keys.slot_of(old.fact_key or "") == slot]
    is_clear = len(exact) == 1 or (not exact and len(names) == 1)
    return (exact or told)[0] if is_clear else None


def _is_held_before(old: Memory, slot: str, value: str | None, *, is_post: bool) -> bool:
    if old.fact_key is None or keys.is_ended(old.fact_key):
        return False
    held = keys.slot_of(old.fact_key)
    if is_post:
        return held == slot and old.value == value
    return is_same_thing(slot, held) and old.value != value


def _told_by(memory: Memory, writer: Writer) -> Iterator[Memory]:
    """What the same speaker said, of whomever, newest first."""
    kinds = (Kind.SEMANTIC, Kind.EPISODIC)
    return _latest(memory, kinds, writer, lambda old: old.stated_by == memory.stated_by and is_of_realm(old, memory))


def _latest(
    memory: Memory, kinds: Iterable[Kind], writer: Writer, is_meant: Callable[[Memory], bool]
) -> Iterator[Memory]:
    """What is told in the scope of a memory and the writer may see, kind by kind, newest first."""
    scope = (memory.tenant, memory.space, memory.owner)
    for kind in kinds:
        for old in reversed(writer.store.memories(Latest(scope=scope, kinds=(kind,), limit=CORRECTED_MAX))):
            if is_meant(old) and writer.sees(old):
                yield old


def _names(old: Memory, wrong: str, *, in_order: bool) -> bool:
    """Whether a statement has the words in it; a thing that is gone may have been told in another order."""
    said = keys.normalised(old.content)
    return old.value == wrong or f" {wrong} " in f" {said} " if in_order else set(wrong.split()) <= set(said.split())


def _of_the_child(memory: Memory, writer: Writer) -> Iterator[Memory]:
    """What the same speaker said of those whom a birth is told of: it may be the father's baby, and the mother's."""
    said = {word for word in keys.normalised(memory.content).split() if word not in _PLAIN}

    def is_meant(old: Memory) -> bool:
        return old.stated_by == memory.stated_by and not said.isdisjoint(keys.normalised(old.content).split())

    return _latest(memory, (memory.kind,), writer, is_meant)


_PLAIN = frozenset("the a an user s is was had has her his their baby in on at last night to and of girl boy".split())


def _said_before(memory: Memory, writer: Writer) -> Iterator[Memory]:
    """What the same speaker said of the same people, newest first."""
    meets = writer.rules.meets
    return _latest(memory, (memory.kind,), writer, lambda old: old.stated_by == memory.stated_by and meets(old, memory))


def _corrigible(memory: Memory, writer: Writer) -> Iterator[Memory]:
    """The same, and in a governed session what tools said: they may be wrong as the speaker may."""
    rules = writer.rules

    def is_meant(old: Memory) -> bool:
        is_theirs = old.stated_by == memory.stated_by or (rules.is_governed and old.source == "tool")
        return is_theirs and rules.meets(old, memory)

    return _latest(memory, (memory.kind,), writer, is_meant)


_SOMEBODY = "The user"
TOLD_MAX = 500
"""How much hearsay, newest first, one statement is held against."""


def overridden(memory: Memory, claim: Claim, writer: Writer) -> tuple[Memory, ...]:
    """Hearsay about the speaker, whoever owns it, that this self-fact speaks to."""
    # A word that stays in its session is heard by nobody else.
    if memory.stated_by is None or memory.trust is not Trust.FACT or memory.space is Space.SESSION:
        return ()
    if not memory.subject_person_ids:
        return ()
    # In the speaker's own space nobody else speaks.
    own_space = (Space.USER, writer.viewpoint.user) if writer.viewpoint.user is not None else None
    told = writer.store.memories(
        SaidAbout(tenant=memory.tenant, person_id=memory.stated_by, besides=own_space, by_others=True, limit=TOLD_MAX)
    )
    return tuple(old for old in told if old.trust is Trust.HEARSAY and _speaks_to(memory, claim, old, writer))


def own_words_against(memory: Memory, claim: Claim, near: Search | None, writer: Writer) -> tuple[Memory, ...]:
    """What the subjects of this hearsay said of themselves that it contradicts. Only users can have said anything."""
    if memory.trust is not Trust.HEARSAY:
        return ()
    persons = writer.store.persons(memory.tenant, memory.subject_person_ids)
    found = {}
    for person in persons.values():
        for own in _said_of_themself(memory, person, near, writer) if person.user_id is not None else ():
            is_own = own.stated_by == person.id and own.trust is Trust.FACT
            if is_own and _contradicts(memory, claim, own, writer):
                found[own.id] = own
    return tuple(found.values())


def _said_of_themself(memory: Memory, person: Person, near: Search | None, writer: Writer) -> tuple[Memory, ...]:
    """What could speak to the same: by slot in the person's own space, by nearness there, and all in shared ones."""
    store, tenant, user = writer.engine.store, memory.tenant, person.user_id or ""
    shared = store.memories(SaidAbout(tenant=tenant, person_id=person.id, besides=(Space.USER, user), limit=TOLD_MAX))
    slot = _slot(memory)
    if slot is not None:
        keyed = (slot, *keys.contraries(slot))
        return (*shared, *store.memories(InSlot(scope=(tenant, Space.USER, user), fact_keys=keyed)))
    if near is None:
        return shared
    return (*shared, *(candidate.memory for candidate in store.candidates(near, within=(Space.USER, user))))


def _speaks_to(memory: Memory, claim: Claim, told: Memory, writer: Writer) -> bool:
    if _slot(memory) is not None and _slot(memory) == _slot(told):
        return claim.cardinality == "one" or memory.value == told.value
    if _is_contrary(memory, told):
        return True
    return _compared(claim, told, writer) != "different"


def _contradicts(memory: Memory, claim: Claim, own: Memory, writer: Writer) -> bool:
    if _slot(memory) is not None and _slot(memory) == _slot(own):
        is_ended = own.fact_key is not None and keys.is_ended(own.fact_key)
        if claim.cardinality == "many":
            return is_ended and memory.value == own.value
        return is_ended or memory.value != own.value
    if _is_contrary(memory, own):
        return True
    return _compared(claim, own, writer) == "contradicts"


def _compared(claim: Claim, other: Memory, writer: Writer) -> Verdict:
    """The verdict on what somebody says of themself and what others say of them: whoever speaks, it is of the one."""
    found = writer.engine.judge.compare(claim, other)
    people = writer.store.persons(other.tenant, other.subject_person_ids) if found == "different" else {}
    if len(people) != 1:
        return found
    [person] = people.values()
    called = "|".join(re.escape(name) for name in (person.name, *(alias.value for alias in person.aliases)) if name)
    subject = re.compile(rf"(?i)^(?:The user|{called})(?=['’]s\b|\s)" if called else r"^The user(?=['’]s\b|\s)")
    texts = [subject.sub(_SOMEBODY, content) for content in (claim.content, other.content)]
    if not all(text.startswith(_SOMEBODY) for text in texts):
        return found
    return writer.engine.judge.compare(replace(claim, content=texts[0]), replace(other, content=texts[1]))


def _is_contrary(one: Memory, other: Memory) -> bool:
    """Whether one likes what the other says is disliked."""
    slots = _slot(one), _slot(other)
    if slots[0] is None or slots[1] not in keys.contraries(slots[0]) or one.value != other.value:
        return False
    return not any(keys.is_ended(memory.fact_key or "") for memory in (one, other))


def _slot(memory: Memory) -> str | None:
    return None if memory.fact_key is None else keys.slot_of(memory.fact_key)
