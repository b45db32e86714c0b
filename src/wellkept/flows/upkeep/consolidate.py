"""Consolidate: look again at what is new or matters; join what is the same, retire what is contradicted, link."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.errors import KeyTaken, VersionConflict
from wellkept.flows.write import draft, reconcile, rivals, transitions
from wellkept.judges.base import asks
from wellkept.judges.llm.meter import spending
from wellkept.judges.llm.notices import Fallback, collect
from wellkept.policies.upkeep import consolidation
from wellkept.policies.upkeep.consolidation import Consolidation
from wellkept.policies.writing import conflict, keys
from wellkept.store.contract import ChecksSince, PairChecks, Rewiring, Search, Unexpired
from wellkept.types import Claim, Edge
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.schedule import Duty
    from wellkept.flows.write.draft import Writer
    from wellkept.judges.base import Judge, Verdict
    from wellkept.types import Memory

    Within = Callable[[], AbstractContextManager[None]]


@frozen
class Consolidated:
    """What a run looked at and did."""

    pool: int = 0
    pairs: int = 0
    """Pairs that a judge looked at."""
    merged: int = 0
    superseded: int = 0
    linked: int = 0
    tokens: int = 0
    before: int = 0
    after: int = 0
    """Live memories of the places looked at, before and after."""

    def __add__(self, other: Consolidated) -> Consolidated:
        return Consolidated(**{name: value + getattr(other, name) for name, value in vars(self).items()})


@frozen
class _Place:
    """One scope while it is tended."""

    space: Space
    owner: str
    engine: Engine
    writer: Writer
    rule: Consolidation
    within: Within
    """The transaction of whoever does the work: a job's refuses when its lease is lost."""
    vectors: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, Space, str]:
        return self.writer.view.tenant, self.space, self.owner

    @property
    def now(self) -> datetime:
        return self.writer.view.now


@frozen
class _Pair:
    """Two live memories of one scope that may be one fact; the older first."""

    old: Memory
    new: Memory
    similarity: float

    @property
    def fingerprint(self) -> str:
        return consolidation.fingerprint(self.old, self.new, self.similarity)


def consolidate(
    tenant: str,
    engine: Engine,
    *,
    rule: Consolidation | None = None,
    progress: Callable[[int], None] = lambda _done: None,
    within: Within | None = None,
) -> Consolidated:
    """Tend every scope of a tenant, within the day's limits. What is done once is not done again."""
    total = Consolidated()
    for number, place in enumerate(engine.store.scopes(tenant, live=True), start=1):
        if place.space is not Space.SESSION:
            total += consolidate_place(tenant, place.space, place.owner, engine, rule=rule, within=within)
        progress(number)
    return total


def job(duty: Duty) -> Mapping[str, int]:
    """As a job: its counts go to the ledger."""
    done = consolidate(duty.tenant, duty.engine, progress=duty.progress, within=duty.transaction)
    return vars(done)


def reconcile_job(duty: Duty) -> Mapping[str, int]:
    """As a job of its own: what got its vectors late is compared as a write would have been, however old it is."""
    payload, bands = duty.job.payload, duty.engine.bands
    chosen = frozenset(payload["ids"])
    rule = Consolidation(
        only=chosen,
        age_max=timedelta.max,
        similarity_min=bands.judge,
        pairs_a_day=bands.judge_checks_max * len(chosen),
        neighbours=bands.judge_checks_max + 1,
    )
    place = duty.tenant, Space(payload["space"]), str(payload["owner"])
    return vars(consolidate_place(*place, duty.engine, rule=rule, within=duty.transaction))


def consolidate_place(
    tenant: str,
    space: Space,
    owner: str,
    engine: Engine,
    *,
    rule: Consolidation | None = None,
    within: Within | None = None,
) -> Consolidated:
    """The same for one scope."""
    rule = rule or Consolidation(pairs_a_day=engine.pairs_a_day)
    writer = draft.upkeep_writer(tenant, space, owner, engine)
    now = writer.view.now
    living = engine.store.memories(Unexpired(scope=(tenant, space, owner), now=now, more_than=0))
    often_min = consolidation.often(living)
    pool = [one for one in living if consolidation.is_in_pool(one, often_min=often_min, now=now, rule=rule)]
    vectors = engine.vectors([one.content for one in pool])
    if vectors is None:
        return Consolidated(pool=len(pool), before=len(living), after=len(living))
    held = {one.id: vectors[number] for number, one in enumerate(pool)}
    place = _Place(
        space=space,
        owner=owner,
        engine=engine,
        writer=writer,
        rule=rule,
        within=within or engine.store.transaction,
        vectors=held,
    )
    return _tended(place, pool, living)


def _tended(place: _Place, pool: Sequence[Memory], living: Sequence[Memory]) -> Consolidated:
    near = {one.id: tuple(_near(one, place)) for one in pool}
    pairs = _worth_a_look(place, _pairs(place, pool, near))
    done: Counter[str] = Counter()
    with spending() as spent:
        for start in range(0, len(pairs), place.rule.batch):
            batch = pairs[start : start + place.rule.batch]
            verdicts = _verdicts(place, batch)
            done += _applied(place, verdicts)
            done["judged"] += len(verdicts)
            if len(verdicts) < len(batch):
                break  # nobody answers, or the budget is spent: the others wait for the next run
    linked = _link(place, pool, near)
    gone = done["same"] + done["contradicts"]
    return Consolidated(
        pool=len(pool),
        pairs=done["judged"],
        merged=done["same"],
        superseded=done["contradicts"],
        linked=linked,
        tokens=spent.tokens,
        before=len(living),
        after=len(living) - gone,
    )


def _near(memory: Memory, place: _Place) -> Iterator[tuple[Memory, float]]:
    engine = place.engine
    search = Search(
        view=place.writer.view, vector=place.vectors[memory.id], model=engine.model, limit=place.rule.neighbours
    )
    for candidate in engine.store.candidates(search, within=place.key[1:]):
        if candidate.memory.id != memory.id and candidate.cosine is not None:
            yield candidate.memory, round(engine.similarity(candidate.cosine), 4)


def _pairs(
    place: _Place, pool: Sequence[Memory], near: Mapping[str, Sequence[tuple[Memory, float]]]
) -> Iterator[_Pair]:
    """Pairs that may be one fact, each once."""
    seen: set[frozenset[str]] = set()
    for memory in pool:
        for other, similarity in near[memory.id]:
            both = frozenset((memory.id, other.id))
            old, new = sorted((memory, other), key=lambda one: (one.created_at, one.id))
            is_new_pair = both not in seen and rivals.is_compatible(old, new) and old.category == new.category
            if is_new_pair and consolidation.is_pair(old, new, similarity, now=place.now, rule=place.rule):
                seen.add(both)
                yield _Pair(old=old, new=new, similarity=similarity)


def _worth_a_look(place: _Place, pairs: Iterator[_Pair]) -> list[_Pair]:
    """The nearest first, none that was judged lately, no more than the day allows."""
    store, (tenant, space, owner) = place.engine.store, place.key
    found = sorted(pairs, key=lambda pair: (-pair.similarity, pair.old.id, pair.new.id))
    rested = store.checked(tenant, [pair.fingerprint for pair in found], since=place.now - place.rule.rest)
    is_daily = place.rule.only is None
    spent = (
        store.count(ChecksSince(tenant=tenant, space=space, owner=owner, since=place.now - timedelta(days=1)))
        if is_daily
        else 0
    )
    left = place.rule.pairs_a_day - spent
    return [pair for pair in found if pair.fingerprint not in rested][: max(left, 0)]


def _verdicts(place: _Place, pairs: Sequence[_Pair]) -> list[tuple[_Pair, Verdict]]:
    """What the judge says, asked outside the transaction; nothing of a pair that a model should have judged."""
    claims = [(claim_of(pair.new), pair.old) for pair in pairs]
    judge: Judge = place.engine.judge
    with collect() as notices:
        if asks(judge):
            judge = judge.ahead(claims)
        said = [judge.compare(claim, old) for claim, old in claims]
    is_open = any(isinstance(notice, Fallback) and not notice.is_of_the_text for notice in notices)
    found = zip(pairs, said, strict=True)
    return [(pair, verdict) for pair, verdict in found if verdict != "different" or not is_open]


def _applied(place: _Place, verdicts: Sequence[tuple[_Pair, Verdict]]) -> Counter[str]:
    """Act inside one transaction; a pair that changed meanwhile waits for the next run."""
    store, (tenant, space, owner) = place.engine.store, place.key
    done: Counter[str] = Counter()
    with place.within():
        for pair, verdict in verdicts:
            done[verdict] += _act(place, pair, verdict)
        noted = {pair.fingerprint: verdict for pair, verdict in verdicts}
        store.keep(PairChecks(tenant=tenant, space=space, owner=owner, verdicts=noted, at=place.now))
    return done


def _act(place: _Place, pair: _Pair, verdict: Verdict) -> bool:
    """Whether something was done about a pair."""
    if verdict == "different":
        return False
    fresh = place.engine.store.memories_by_id(pair.old.tenant, [pair.old.id, pair.new.id])
    old, new = fresh.get(pair.old.id), fresh.get(pair.new.id)
    if old is None or new is None or any(one.state is not State.ACTIVE for one in (old, new)):
        return False
    try:
        with place.engine.store.transaction():
            if verdict == "same":
                join(old, new, place.writer, place.vectors.get(new.id))
            else:
                transitions.retire_loser(conflict.settle(new, old), place.writer)
    except (KeyTaken, VersionConflict):
        return False
    return True


def join(old: Memory, new: Memory, writer: Writer, vector: NDArray[np.float32] | None) -> None:
    """Two live memories as one: the older id, the more telling text, all mentions; the other is kept, archived."""
    vectors = None if vector is None else vector[None, :]
    transitions.archive(new, "merged", old.id, writer)
    incoming = reconcile.Incoming.of(new, claim_of(new), vectors)
    reconcile.merge(incoming, old, writer)


def claim_of(memory: Memory) -> Claim:
    """A stored memory as a judge compares it. Two values of a slot were settled when they were written."""
    return Claim(
        content=memory.content,
        quote=memory.quote,
        language=memory.language or "en",
        type=memory.type,
        kind=memory.kind,
        event_type=memory.event_type,
        category=memory.category,
        entity_refs=memory.entity_refs,
        subtype=memory.subtype,
        slot=None if memory.fact_key is None else keys.slot_of(memory.fact_key),
        value=memory.value,
    )


def _link(place: _Place, pool: Sequence[Memory], near: Mapping[str, Sequence[tuple[Memory, float]]]) -> int:
    """Relations that are missing, such as those of memories that were stored before their vectors."""
    store, bands, now = place.engine.store, place.engine.bands, place.now
    count = 0
    for memory in pool:
        wanted = [
            (other, strength)
            for other, strength in near[memory.id][: bands.links_max]
            if strength >= bands.link and other.kind is memory.kind
        ]
        with place.within():
            states = store.memories_by_id(memory.tenant, [memory.id, *(other.id for other, _ in wanted)])
            live = {one.id for one in states.values() if one.state is State.ACTIVE}
            both = [memory.id, *(other.id for other, _ in wanted)]
            tied = {frozenset((tie.src, tie.dst)) for tie in store.edges(memory.tenant, both, (EdgeKind.RELATED_TO,))}
            missing = [
                Edge(kind=EdgeKind.RELATED_TO, src=memory.id, dst=other.id, strength=strength)
                for other, strength in wanted
                if {memory.id, other.id} <= live and frozenset((memory.id, other.id)) not in tied
            ]
            if missing:
                store.keep(Rewiring(tenant=memory.tenant, add=tuple(missing), at=now))
                entry = transitions.entry("link", memory, place.writer, "consolidation", edges=len(missing))
                store.record(*place.key, entry, at=now)
        count += len(missing)
    return count
