"""Why: which arms found a memory, what its score is made of, which rule shows it, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from wellkept.flows import views
from wellkept.flows.read import show
from wellkept.flows.read.recall import EMBEDDED_MAX
from wellkept.policies import words
from wellkept.policies.upkeep import lifecycle
from wellkept.policies.visibility import Facts, visible
from wellkept.store.contract import SaidAbout, Search
from wellkept.types import Decision
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, Space, State

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.flows.requests import MemoryRequest
    from wellkept.policies.visibility import View
    from wellkept.types import Edge, Memory, Recall, Viewpoint

LEFT_OUT_MAX = 50
"""Memories left out that are looked at, for each scope and person."""


@frozen
class HitWhy:
    """Why one memory was recalled, and why it stands where it does."""

    id: str
    rank: int
    score: float
    found_by: Mapping[str, float]
    """Arm → how well it fits by that arm alone, 0..1."""
    parts: Mapping[str, float]
    """What the score adds up from; `trust` multiplies."""
    reasons: tuple[str, ...]
    rule: str
    """The rule of visibility that let it through."""


@frozen
class LeftOut:
    """A memory that was not shown, and the rule that hid it. For operators only."""

    id: str
    rule: str
    space: Space
    owner: str


@frozen
class RecallWhy:
    """Why a recall answered as it did."""

    query: str
    verdict: str
    hits: tuple[HitWhy, ...]
    left_out: tuple[LeftOut, ...] | None = None
    """None: it was not asked for."""


@frozen
class MemoryWhy:
    """Why a memory is known, and why this viewpoint sees it."""

    id: str
    content: str
    is_shown: bool
    rule: str
    state: State
    archive_reason: str | None
    trust: str
    said_by: str | None
    about: tuple[str, ...]
    said_at: datetime
    learned_in: str | None
    source: str
    origin: str
    authority: str
    authority_reason: str
    sensitivity: str | None
    importance: float
    importance_effective: float
    mention_count: int
    access_count: int
    ends_at: datetime | None
    supersedes: tuple[str, ...]
    superseded_by: str | None


def why_recall(found: Recall, viewpoint: Viewpoint, engine: Engine, *, with_left_out: bool = False) -> RecallWhy:
    """The reasons of an answer. `with_left_out` tells of memories that the viewpoint may not see: operators only."""
    with engine.store.snapshot():
        view = views.view_of(viewpoint, engine, engine.clock())
        memories = [hit.memory for hit in found if hit.memory is not None]
        decided = [pair for memory in memories for pair in _decisions([memory], _of_its_time(view, memory), engine)]
        rules = {memory.id: decision.reason for memory, decision in decided}
        left_out = _left_out(found.query, view, engine) if with_left_out else None
    hits = tuple(
        HitWhy(
            id=hit.id,
            rank=rank,
            score=hit.score,
            found_by=hit.arms,
            parts=hit.parts,
            reasons=hit.why,
            rule=rules.get(hit.id, "said_here"),
        )
        for rank, hit in enumerate(found, start=1)
    )
    return RecallWhy(query=found.query, verdict=found.verdict, hits=hits, left_out=left_out)


def why_memory(request: MemoryRequest, engine: Engine) -> MemoryWhy:
    """Where a memory comes from, what it is worth, how long it lives, and the rule by which the asker sees it."""
    with engine.store.snapshot():
        memory, view = show.find_memory(request, engine)
        ((_, decision),) = _decisions([memory], view, engine)
        edges = engine.store.edges(memory.tenant, memory.id, (EdgeKind.SUPERSEDES,))
        told = (*memory.subject_person_ids, *filter(None, [memory.stated_by]))
        known = views.persons(told, view, engine)
    return MemoryWhy(
        id=memory.id,
        content=views.told(memory, known, view),
        is_shown=decision.verdict == "shown",
        rule=decision.reason,
        state=memory.state,
        archive_reason=memory.archive_reason,
        trust=memory.trust.value,
        said_by=next(iter(views.labels(filter(None, [memory.stated_by]), known, view)), None),
        about=views.labels(memory.subject_person_ids, known, view),
        said_at=memory.observed_at,
        learned_in=memory.learned_in,
        source=memory.source,
        origin=memory.origin,
        authority=memory.authority.value,
        authority_reason=memory.authority_reason,
        sensitivity=memory.sensitivity.value if memory.sensitivity is not None else None,
        importance=memory.importance,
        importance_effective=round(lifecycle.effective_importance(memory, now=view.now), 4),
        mention_count=memory.mention_count,
        access_count=memory.access_count,
        ends_at=memory.dies_at,
        supersedes=_own_olds(memory, edges, view, engine),
        superseded_by=memory.superseded_by,
    )


def _own_olds(memory: Memory, edges: Sequence[Edge], view: View, engine: Engine) -> tuple[str, ...]:
    """What it took the place of, of the same owner: an edge to somebody else's memory tells the asker nothing."""
    olds = (engine.store.memory(view.tenant, edge.dst) for edge in edges if edge.src == memory.id)
    return tuple(old.id for old in olds if old is not None and (old.space, old.owner) == (memory.space, memory.owner))


def _decisions(memories: Sequence[Memory], view: View, engine: Engine) -> list[tuple[Memory, Decision]]:
    """Each memory with what the rule of visibility says of it."""
    overriding: dict[str, tuple[Memory, ...]] = {}
    for memory in memories:
        edges = engine.store.edges(view.tenant, memory.id, (EdgeKind.SUPERSEDES,))
        better = [engine.store.memory(view.tenant, edge.src) for edge in edges if edge.dst == memory.id]
        overriding[memory.id] = tuple(one for one in better if one is not None and memory.state is State.ACTIVE)
    judged = (*memories, *(one for better in overriding.values() for one in better))
    chats = sorted({memory.learned_in for memory in judged if memory.learned_in is not None})
    attendance = engine.store.attendance(view.tenant, chats) if chats else {}
    return [
        (memory, visible(memory, view, Facts(attendance=attendance, overriding=overriding[memory.id])))
        for memory in memories
    ]


def _of_its_time(view: View, memory: Memory) -> View:
    """A recall of the past shows what was true then: that is judged as of its time."""
    return view if memory.state is State.ACTIVE else replace(view, as_of=memory.valid_from or memory.observed_at)


def _left_out(query: str, view: View, engine: Engine) -> tuple[LeftOut, ...]:
    """Live memories near the query, of the asker's spaces and of who is present, or about them, that are hidden."""
    vectors = engine.vectors([query[:EMBEDDED_MAX]])
    search = Search(
        view=view,
        vector=None if vectors is None else vectors[0],
        model=engine.model,
        terms=tuple(words.query_terms(query)),
        limit=LEFT_OUT_MAX,
    )
    near: dict[str, Memory] = {}
    there = {one.id: one.user_id for one in engine.store.persons(view.tenant, sorted(view.present)).values()}
    theirs = [(Space.USER, user) for user in there.values() if user is not None]
    for space, owner in dict.fromkeys([*view.spaces, *theirs]):
        for candidate in engine.store.candidates(search, within=(space, owner)):
            near[candidate.memory.id] = candidate.memory
    for person_id in sorted(view.present):
        user = there.get(person_id)
        own = None if user is None else (Space.USER, user)
        for memory in engine.store.memories(
            SaidAbout(tenant=view.tenant, person_id=person_id, besides=own, limit=LEFT_OUT_MAX)
        ):
            near[memory.id] = memory
    decided = _decisions(tuple(near.values()), view, engine)
    hidden = [(memory, decision.reason) for memory, decision in decided if decision.verdict == "hidden"]
    told = [LeftOut(id=memory.id, rule=rule, space=memory.space, owner=memory.owner) for memory, rule in hidden]
    return tuple(sorted(told, key=lambda one: one.id))
