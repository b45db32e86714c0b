"""Curate: what says the same letter for letter is kept once; many notes on one thing become one, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput, MemoryNotFound
from wellkept.flows.write import amend, draft, transitions
from wellkept.policies import words
from wellkept.policies.upkeep import consolidation
from wellkept.policies.upkeep.consolidation import Folding
from wellkept.policies.writing import keys
from wellkept.store.contract import Change, CuratorVisit, FoldedInto
from wellkept.types import Claim, Edge
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.flows.engine import Engine
    from wellkept.flows.upkeep.schedule import Duty
    from wellkept.flows.write.draft import Writer
    from wellkept.policies.upkeep.consolidation import Fold
    from wellkept.types import Memory

    Place = tuple[str, Space, str]
    """Tenant, space and owner."""
    Within = Callable[[], AbstractContextManager[None]]


READ_AT_ONCE = 200


@frozen
class Curated:
    """What a run did."""

    deduped: int = 0
    folded: int = 0
    """New memories that stand for several."""
    parts: int = 0
    """Memories that stand in a fold now."""

    def __add__(self, other: Curated) -> Curated:
        return Curated(**{name: value + getattr(other, name) for name, value in vars(self).items()})


@frozen
class _Round:
    """A run: how its transactions begin, and how its work is told from that of other runs."""

    engine: Engine
    within: Within
    """A job's refuses when its lease is lost."""
    run: str = ""
    is_resumed: bool = False
    """An earlier attempt was cut short and may have done part of it."""


@frozen
class _Survey:
    """What a scope holds: memories that may say the same, those that may be folded, and how many there are."""

    alike: Sequence[str]
    loose: Sequence[str]
    count: int


def job(duty: Duty) -> Mapping[str, int]:
    """As a job, for one scope or for all of a tenant: its counts go to the ledger."""
    payload = duty.job.payload
    places = [(Space(payload["space"]), str(payload["owner"]))] if payload else None
    done = _Round(engine=duty.engine, within=duty.transaction, run=duty.reference, is_resumed=duty.job.attempts > 1)
    return vars(_tended(duty.tenant, done, places, duty.progress))


def curate(tenant: str, engine: Engine, *, progress: Callable[[int], None] = lambda _done: None) -> Curated:
    """Tend every scope of a tenant."""
    return _tended(tenant, _Round(engine=engine, within=engine.store.transaction), None, progress)


def _tended(
    tenant: str, this: _Round, places: Iterable[tuple[Space, str]] | None, progress: Callable[[int], None]
) -> Curated:
    total = Curated()
    living = ((one.space, one.owner) for one in this.engine.store.scopes(tenant, live=True))
    found = living if places is None else places
    for number, (space, owner) in enumerate(found, start=1):
        if space is not Space.SESSION:
            total += _tend((tenant, space, owner), this)
        progress(number)
    return total


def _tend(place: Place, this: _Round) -> Curated:
    engine, store = this.engine, this.engine.store
    writer = draft.upkeep_writer(*place, engine)
    survey = _surveyed(place, writer)
    deduped = _dedupe(place, survey.alike, writer, this)
    rule = Folding()
    living = _living(place, survey.loose, writer)
    planned = consolidation.folds(living, rule=rule)[: max(rule.folds_max - _folded_before(place, this), 0)]
    # The vectors come before the transaction opens; what changed meanwhile is not folded.
    vectors = engine.vectors([fold.text for fold in planned])
    with this.within():
        folded = [
            fold
            for number, fold in enumerate(planned)
            if _fold(fold, None if vectors is None else vectors[number : number + 1], writer, this.run)
        ]
        parts = sum(len(fold.parts) for fold in folded)
        if place[1] is Space.USER:
            count = survey.count - deduped + len(folded) - parts
            books = {"last_run_at": writer.view.now.isoformat(), "last_memory_count_at_run": count}
            store.keep(CuratorVisit(tenant=place[0], owner=place[2], books=books))
    return Curated(deduped=deduped, folded=len(folded), parts=parts)


def _folded_before(place: Place, this: _Round) -> int:
    """How many folds earlier attempts of this run have made here: the limit is that of the run."""
    if not this.is_resumed:
        return 0
    store = this.engine.store
    rows = store.chain(*place, until=store.chain_end(*place).seq)
    return sum(row.entry.reason == "fold" and row.entry.payload.get("run") == this.run for row in rows)


def _surveyed(place: Place, writer: Writer) -> _Survey:
    """Text by text as they are read: whoever remembers something meanwhile waits for one page of them at most."""
    loose: list[str] = []
    count = 0

    def texts() -> Iterator[tuple[str, str]]:
        nonlocal count
        for memory in writer.engine.store.every(place[0], within=place[1:]):
            if memory.dies_at is not None and memory.dies_at <= writer.view.now:
                continue
            count += 1
            if memory.fact_key is None and memory.entity_refs:
                loose.append(memory.id)
            yield memory.id, memory.content

    return _Survey(alike=consolidation.alike(texts()), loose=loose, count=count)


def _dedupe(place: Place, alike: Sequence[str], writer: Writer, this: _Round) -> int:
    """Found before the transaction opens: in it only those that looked alike are read again."""
    if not alike:
        return 0
    with this.within():
        found = {memory.id: memory for memory in _living(place, alike, writer)}
        pairs = consolidation.duplicates(found.values())
        for stays, goes in pairs:
            transitions.archive(found[goes], "dedupe", stays, writer)
    return len(pairs)


def _living(place: Place, memory_ids: Sequence[str], writer: Writer) -> Iterator[Memory]:
    """Those of these memories that are still live, a batch at a time."""
    for start in range(0, len(memory_ids), READ_AT_ONCE):
        batch = memory_ids[start : start + READ_AT_ONCE]
        found = writer.engine.store.memories_by_id(place[0], batch)
        for memory_id in batch:
            memory = found.get(memory_id)
            if memory is None or memory.state is not State.ACTIVE:
                continue
            if memory.dies_at is None or memory.dies_at > writer.view.now:
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
    parts = list(
        store.memories_by_id(tenant, store.memory_ids(FoldedInto(tenant=tenant, memory_id=memory_id))).values()
    )
    if not parts or whole.state is not State.ACTIVE:
        raise InvalidInput("This memory is no fold that could be taken back.", code="not_a_fold")
    writer = draft.upkeep_writer(tenant, whole.space, whole.owner, engine)
    vectors = engine.vectors([part.content for part in parts])
    with store.transaction():
        transitions.archive(whole, "fold", None, writer)
        for number, part in enumerate(parts):
            row = None if vectors is None else vectors[number : number + 1]
            store.apply(
                [amend.restored(part, transitions.entry("restore", part, writer, "restored"), writer, row)],
                at=writer.view.now,
            )
    return tuple(part.id for part in parts)
