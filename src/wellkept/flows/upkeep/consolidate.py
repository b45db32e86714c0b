"""Consolidate and curate: embed what was left, join the same, retire what is contradicted, link, fold, unfold."""

from __future__ import annotations

from collections import Counter
from dataclasses import field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Self, TypeVar

from wellkept.errors import EmbedderUnavailable, InvalidInput, KeyTaken, MemoryNotFound, VersionConflict
from wellkept.flows.write import amend, draft, reconcile, transitions
from wellkept.judges.base import asks
from wellkept.judges.llm.meter import spending
from wellkept.judges.llm.notices import Fallback, collect
from wellkept.policies import words
from wellkept.policies.upkeep import consolidation
from wellkept.policies.upkeep.consolidation import Consolidation, Folding
from wellkept.policies.writing import conflict, keys
from wellkept.store.contract import (
    Change,
    ChecksSince,
    CuratorVisit,
    Embedded,
    FoldedInto,
    NeverEmbedded,
    NewJob,
    PairChecks,
    Rewiring,
    Search,
    Unembedded,
    UnembeddedMessages,
    Unexpired,
)
from wellkept.store.parts.messages import indexed_message
from wellkept.types import Claim, Edge
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.schedule import Duty, Sweep
    from wellkept.flows.write.draft import Writer
    from wellkept.judges.base import Verdict
    from wellkept.policies.upkeep.consolidation import Fold
    from wellkept.types import Memory

    Near = Mapping[str, Sequence[tuple[Memory, float]]]
    """Memory id → its neighbours with their similarity, nearest first."""

READ_AT_ONCE = 200
EMBED_BATCH = 64

Scope = tuple[str, Space, str]
"""Tenant, space and owner."""


class _Counts:
    def __add__(self, other: Self) -> Self:
        return type(self)(**{name: value + getattr(other, name) for name, value in vars(self).items()})


Counts = TypeVar("Counts", bound=_Counts)


@frozen
class Consolidated(_Counts):
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


@frozen
class Curated(_Counts):
    """What a run did."""

    deduped: int = 0
    folded: int = 0
    """New memories that stand for several."""
    parts: int = 0
    """Memories that stand in a fold now."""


@frozen
class _Place:
    """One scope while it is consolidated."""

    scope: Scope
    sweep: Sweep
    engine: Engine
    writer: Writer
    rule: Consolidation
    vectors: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)

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


def consolidate(sweep: Sweep, *, rule: Consolidation | None = None) -> Consolidated:
    """Tend every scope of a tenant, within the day's limits. What is done once is not done again."""
    return _of_each_scope(sweep, lambda scope: consolidate_scope(scope, sweep, rule=rule), Consolidated())


def _of_each_scope(
    sweep: Sweep, tend: Callable[[Scope], Counts], total: Counts, places: Iterable[tuple[Space, str]] | None = None
) -> Counts:
    """What it came to in all the places, or in all where somebody remembers something; sessions are left alone."""
    living = ((one.space, one.owner) for one in sweep.engine.store.scopes(sweep.tenant, live=True))
    for number, (space, owner) in enumerate(living if places is None else places, start=1):
        if space is not Space.SESSION:
            total += tend((sweep.tenant, space, owner))
        sweep.progress(number)
    return total


def embed_job(duty: Duty) -> Mapping[str, int]:
    """As a job: tried again later when the embedder does not answer."""
    done = embed_missing(duty)
    store, model = duty.engine.store, duty.engine.model
    if model is not None and (
        store.memories(Unembedded(tenant=duty.tenant, model=model, limit=1))
        or store.messages(UnembeddedMessages(tenant=duty.tenant, model=model, limit=1))
    ):
        raise EmbedderUnavailable("Some memories or messages have no vector yet: the embedder did not answer.")
    return {"embedded": done}


def embed_missing(sweep: Sweep) -> int:
    """Embed what has no vector of the present model: after an outage, an import, or a change of embedder.

    How many memories and messages got vectors. Stops early when the embedder does not answer.
    """
    tenant, engine, store, model, done = sweep.tenant, sweep.engine, sweep.engine.store, sweep.engine.model, 0
    while model is not None:
        missing = store.memories(Unembedded(tenant=tenant, model=model, limit=EMBED_BATCH))
        vectors = engine.vectors([memory.content for memory in missing])
        if vectors is None:
            break
        with store.transaction():
            _compare_later(missing, engine)
            for number, memory in enumerate(missing):
                store.keep(Embedded(said=memory, vectors=vectors[number : number + 1], model=model))
        done += len(missing)
        sweep.progress(done)
    while model is not None:
        said = store.messages(UnembeddedMessages(tenant=tenant, model=model, limit=EMBED_BATCH))
        rows = engine.vectors_of([indexed_message(message) for message in said]) if said else None
        if rows is None:
            break
        with store.transaction():
            for message, pieces in zip(said, rows, strict=True):
                store.keep(Embedded(said=message, vectors=pieces, model=model))
        done += len(said)
        sweep.progress(done)
    return done


def _compare_later(memories: Sequence[Memory], engine: Engine) -> None:
    """What had no vector when it was stored was compared with nothing but its key: that is made up for, by a job."""
    store, ids = engine.store, tuple([memory.id for memory in memories])
    new = frozenset(store.memory_ids(NeverEmbedded(tenant=memories[0].tenant, memory_ids=ids)))
    places: dict[Scope, list[str]] = {}
    for memory in memories:
        if memory.id in new and memory.space is not Space.SESSION:
            places.setdefault((memory.tenant, memory.space, memory.owner), []).append(memory.id)
    for (tenant, space, owner), late in places.items():
        payload = {"space": str(space), "owner": owner, "ids": late}
        store.keep(NewJob(tenant=tenant, name="reconcile", key=late[0], payload=payload, due_at=engine.clock()))


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
    return vars(consolidate_scope((duty.tenant, Space(payload["space"]), str(payload["owner"])), duty, rule=rule))


def consolidate_scope(scope: Scope, sweep: Sweep, *, rule: Consolidation | None = None) -> Consolidated:
    """The same for one scope."""
    engine = sweep.engine
    rule = rule or Consolidation(pairs_a_day=engine.pairs_a_day)
    writer = draft.upkeep_writer(*scope, engine)
    now = writer.view.now
    living = engine.store.memories(Unexpired(scope=scope, now=now, more_than=0))
    often_min = consolidation.often(living)
    pool = [one for one in living if consolidation.is_in_pool(one, often_min=often_min, now=now, rule=rule)]
    vectors = engine.vectors([one.content for one in pool])
    if vectors is None:
        return Consolidated(pool=len(pool), before=len(living), after=len(living))
    held = {one.id: vectors[number] for number, one in enumerate(pool)}
    place = _Place(scope=scope, sweep=sweep, engine=engine, writer=writer, rule=rule, vectors=held)
    near = {one.id: tuple(_near(one, place)) for one in pool}
    pairs = _worth_a_look(place, _pairs(place, pool, near))
    done: Counter[str] = Counter()
    with spending() as spent:
        for start in range(0, len(pairs), rule.batch):
            batch = pairs[start : start + rule.batch]
            verdicts = _verdicts(place, batch)
            done += _applied(place, verdicts)
            done["judged"] += len(verdicts)
            if len(verdicts) < len(batch):
                break  # nobody answers, or the budget is spent: the others wait for the next run
    return Consolidated(
        pool=len(pool),
        pairs=done["judged"],
        merged=done["same"],
        superseded=done["contradicts"],
        linked=_link(place, pool, near),
        tokens=spent.tokens,
        before=len(living),
        after=len(living) - done["same"] - done["contradicts"],
    )


def _near(memory: Memory, place: _Place) -> Iterator[tuple[Memory, float]]:
    engine = place.engine
    search = Search(
        view=place.writer.view, vector=place.vectors[memory.id], model=engine.model, limit=place.rule.neighbours
    )
    for candidate in engine.store.candidates(search, within=place.scope[1:]):
        if candidate.memory.id != memory.id and candidate.cosine is not None:
            yield candidate.memory, round(engine.similarity(candidate.cosine), 4)


def _pairs(place: _Place, pool: Sequence[Memory], near: Near) -> Iterator[_Pair]:
    """Pairs that may be one fact, each once."""
    seen: set[frozenset[str]] = set()
    for memory in pool:
        for other, similarity in near[memory.id]:
            both = frozenset((memory.id, other.id))
            old, new = sorted((memory, other), key=lambda one: (one.created_at, one.id))
            is_new_pair = both not in seen and draft.is_compatible(old, new) and old.category == new.category
            if is_new_pair and consolidation.is_pair(old, new, similarity, now=place.now, rule=place.rule):
                seen.add(both)
                yield _Pair(old=old, new=new, similarity=similarity)


def _worth_a_look(place: _Place, pairs: Iterator[_Pair]) -> list[_Pair]:
    """The nearest first, none that was judged lately, no more than the day allows."""
    store, (tenant, space, owner) = place.engine.store, place.scope
    found = sorted(pairs, key=lambda pair: (-pair.similarity, pair.old.id, pair.new.id))
    rested = store.checked(tenant, [pair.fingerprint for pair in found], since=place.now - place.rule.rest)
    today = ChecksSince(tenant=tenant, space=space, owner=owner, since=place.now - timedelta(days=1))
    left = place.rule.pairs_a_day - (store.count(today) if place.rule.only is None else 0)
    return [pair for pair in found if pair.fingerprint not in rested][: max(left, 0)]


def _verdicts(place: _Place, pairs: Sequence[_Pair]) -> list[tuple[_Pair, Verdict]]:
    """What the judge says, asked outside the transaction; nothing of a pair that a model should have judged."""
    claims = [(_claim_of(pair.new), pair.old) for pair in pairs]
    judge = place.engine.judge
    with collect() as notices:
        if asks(judge):
            judge = judge.ahead(claims)
        said = [judge.compare(claim, old) for claim, old in claims]
    is_open = any(isinstance(notice, Fallback) and not notice.is_of_the_text for notice in notices)
    found = zip(pairs, said, strict=True)
    return [(pair, verdict) for pair, verdict in found if verdict != "different" or not is_open]


def _applied(place: _Place, verdicts: Sequence[tuple[_Pair, Verdict]]) -> Counter[str]:
    """Act inside one transaction; a pair that changed meanwhile waits for the next run."""
    store, (tenant, space, owner) = place.engine.store, place.scope
    done: Counter[str] = Counter()
    with place.sweep.transaction():
        for pair, verdict in verdicts:
            done[verdict] += _act(place, pair, verdict)
        noted = {pair.fingerprint: verdict for pair, verdict in verdicts}
        store.keep(PairChecks(tenant=tenant, space=space, owner=owner, verdicts=noted, at=place.now))
    return done


def _act(place: _Place, pair: _Pair, verdict: Verdict) -> bool:
    """Whether something was done about a pair: the lesser word is retired, or two become one.

    One has the older id, the more telling text and all mentions; the other is kept, archived.
    """
    if verdict == "different":
        return False
    fresh = place.engine.store.memories_by_id(pair.old.tenant, [pair.old.id, pair.new.id])
    old, new = fresh.get(pair.old.id), fresh.get(pair.new.id)
    if old is None or new is None or any(one.state is not State.ACTIVE for one in (old, new)):
        return False
    try:
        with place.engine.store.transaction():
            if verdict == "same":
                vector = place.vectors.get(new.id)
                transitions.archive(new, "merged", old.id, place.writer)
                incoming = reconcile.Incoming.of(new, _claim_of(new), None if vector is None else vector[None, :])
                reconcile.merge(incoming, old, place.writer)
            else:
                transitions.retire_loser(conflict.settle(new, old), place.writer)
    except (KeyTaken, VersionConflict):
        return False
    return True


def _claim_of(memory: Memory) -> Claim:
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


def _link(place: _Place, pool: Sequence[Memory], near: Near) -> int:
    """Relations that are missing, such as those of memories that were stored before their vectors."""
    store, bands, now = place.engine.store, place.engine.bands, place.now
    count = 0
    for memory in pool:
        wanted = [
            (other, strength)
            for other, strength in near[memory.id][: bands.links_max]
            if strength >= bands.link and other.kind is memory.kind
        ]
        with place.sweep.transaction():
            both = [memory.id, *(other.id for other, _ in wanted)]
            states = store.memories_by_id(memory.tenant, both)
            live = {one.id for one in states.values() if one.state is State.ACTIVE}
            tied = {frozenset((tie.src, tie.dst)) for tie in store.edges(memory.tenant, both, (EdgeKind.RELATED_TO,))}
            missing = [
                Edge(kind=EdgeKind.RELATED_TO, src=memory.id, dst=other.id, strength=strength)
                for other, strength in wanted
                if {memory.id, other.id} <= live and frozenset((memory.id, other.id)) not in tied
            ]
            if missing:
                store.keep(Rewiring(tenant=memory.tenant, add=tuple(missing), at=now))
                entry = transitions.entry("link", memory, place.writer, "consolidation", edges=len(missing))
                store.record(*place.scope, entry, at=now)
        count += len(missing)
    return count


def curate_job(duty: Duty) -> Mapping[str, int]:
    """As a job, for one scope or for all of a tenant: its counts go to the ledger."""
    payload = duty.job.payload
    return vars(curate(duty, [(Space(payload["space"]), str(payload["owner"]))] if payload else None))


def curate(sweep: Sweep, places: Iterable[tuple[Space, str]] | None = None) -> Curated:
    """In every scope of a tenant, or in these: what says the same letter for letter is kept once, many notes as one."""
    return _of_each_scope(sweep, lambda scope: _curate_scope(scope, sweep), Curated(), places)


def _curate_scope(scope: Scope, sweep: Sweep) -> Curated:
    engine, store = sweep.engine, sweep.engine.store
    writer = draft.upkeep_writer(*scope, engine)
    alike, loose, count = _surveyed(scope, writer)
    deduped = _dedupe(alike, writer, sweep) if alike else 0
    rule = Folding()
    planned = consolidation.folds(_living(loose, writer), rule=rule)
    planned = planned[: max(rule.folds_max - _folded_before(scope, sweep), 0)]
    # The vectors come before the transaction opens; what changed meanwhile is not folded.
    vectors = engine.vectors([fold.text for fold in planned])
    with sweep.transaction():
        folded = [
            fold
            for number, fold in enumerate(planned)
            if _fold(fold, None if vectors is None else vectors[number : number + 1], writer, sweep.reference)
        ]
        parts = sum(len(fold.parts) for fold in folded)
        if scope[1] is Space.USER:
            count += len(folded) - deduped - parts
            books = {"last_run_at": writer.view.now.isoformat(), "last_memory_count_at_run": count}
            store.keep(CuratorVisit(tenant=scope[0], owner=scope[2], books=books))
    return Curated(deduped=deduped, folded=len(folded), parts=parts)


def _folded_before(scope: Scope, sweep: Sweep) -> int:
    """How many folds earlier attempts of this run have made here: the limit is that of the run."""
    if not sweep.is_resumed:
        return 0
    store = sweep.engine.store
    rows = store.chain(*scope, until=store.chain_end(*scope).seq)
    return sum(row.entry.reason == "fold" and row.entry.payload.get("run") == sweep.reference for row in rows)


def _surveyed(scope: Scope, writer: Writer) -> tuple[Sequence[str], Sequence[str], int]:
    """Ids of what may say the same, and of what may be folded, and how many memories live there.

    Text by text as they are read: whoever remembers something meanwhile waits for one page of them at most.
    """
    loose: list[str] = []
    count = 0

    def texts() -> Iterator[tuple[str, str]]:
        nonlocal count
        for memory in writer.engine.store.every(scope[0], within=scope[1:]):
            if memory.dies_at is not None and memory.dies_at <= writer.view.now:
                continue
            count += 1
            if memory.fact_key is None and memory.entity_refs:
                loose.append(memory.id)
            yield memory.id, memory.content

    alike = consolidation.alike(texts())
    return alike, loose, count


def _dedupe(alike: Sequence[str], writer: Writer, sweep: Sweep) -> int:
    """Found before the transaction opens: in it only those that looked alike are read again."""
    with sweep.transaction():
        found = {memory.id: memory for memory in _living(alike, writer)}
        pairs = consolidation.duplicates(found.values())
        for stays, goes in pairs:
            transitions.archive(found[goes], "dedupe", stays, writer)
    return len(pairs)


def _living(memory_ids: Sequence[str], writer: Writer) -> Iterator[Memory]:
    """Those of these memories that are still live, a batch at a time."""
    for start in range(0, len(memory_ids), READ_AT_ONCE):
        batch = memory_ids[start : start + READ_AT_ONCE]
        found = writer.engine.store.memories_by_id(writer.view.tenant, batch)
        for memory in (found[one] for one in batch if one in found):
            is_over = memory.dies_at is not None and memory.dies_at <= writer.view.now
            if memory.state is State.ACTIVE and not is_over:
                yield memory


def _fold(fold: Fold, vectors: NDArray[np.float32] | None, writer: Writer, run: str) -> bool:
    """Put one memory in the place of several, in the open transaction; False when one of them has changed."""
    store, now = writer.engine.store, writer.view.now
    first = fold.parts[0]
    fresh = store.memories_by_id(first.tenant, [part.id for part in fold.parts])
    if any(fresh.get(part.id) != part for part in fold.parts):
        return False
    whole = replace(
        first,
        id=store.next_id(first.tenant, first.space, first.owner, first.kind),
        version=1,
        content=fold.text,
        quote=None,
        source="ai",
        origin="curated_fold",
        authority=consolidation.authority(fold.parts),
        authority_reason="fold",
        importance=max(consolidation.IMPORTANCE, *(part.importance for part in fold.parts)),
        mention_count=sum(part.mention_count for part in fold.parts),
        access_count=sum(part.access_count for part in fold.parts),
        entity_refs=tuple(dict.fromkeys(ref for part in fold.parts for ref in part.entity_refs))[:5],
        tags=tuple(dict.fromkeys(tag for part in fold.parts for tag in part.tags)),
        discriminator=keys.discriminator(Claim(content=fold.text), None, "fold"),
        value=None,
        observed_at=max(part.observed_at for part in fold.parts),
        created_at=now,
        updated_at=now,
        source_message_id=None,
    )
    for part in fold.parts:
        transitions.archive(part, "fold", whole.id, writer)
    change = Change(
        memory=whole,
        entry=transitions.entry("create", whole, writer, "fold", parts=[part.id for part in fold.parts], run=run),
        is_new=True,
        terms=words.term_counts(fold.text),
        vectors=vectors,
        model=writer.engine.model,
        edges=tuple(Edge(kind=EdgeKind.FOLD_OF, src=whole.id, dst=part.id) for part in fold.parts),
    )
    store.apply([change], at=now)
    return True


def unfold(tenant: str, memory_id: str, engine: Engine) -> tuple[str, ...]:
    """Take a fold back: its parts live again as they were; their ids."""
    store = engine.store
    whole = store.memory(tenant, memory_id)
    if whole is None:
        raise MemoryNotFound(memory_id)
    ids = store.memory_ids(FoldedInto(tenant=tenant, memory_id=memory_id))
    parts = list(store.memories_by_id(tenant, ids).values())
    if not parts or whole.state is not State.ACTIVE:
        raise InvalidInput("This memory is no fold that could be taken back.", code="not_a_fold")
    writer = draft.upkeep_writer(tenant, whole.space, whole.owner, engine)
    vectors = engine.vectors([part.content for part in parts])
    with store.transaction():
        transitions.archive(whole, "fold", None, writer)
        for number, part in enumerate(parts):
            row = None if vectors is None else vectors[number : number + 1]
            entry = transitions.entry("restore", part, writer, "restored")
            store.apply([amend.restored(part, entry, writer, row)], at=writer.view.now)
    return tuple(part.id for part in parts)
