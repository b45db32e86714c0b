"""Show: memories and people with the names the asker uses, one by id, a list by filters, or a history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from wellkept.errors import Ambiguous, InvalidInput, MemoryNotFound
from wellkept.flows import views
from wellkept.flows.read.recall import EMBEDDED_MAX
from wellkept.flows.views import may_change
from wellkept.policies import words
from wellkept.policies.callers import check_limit
from wellkept.policies.people.persons import label, relation_to, seen_by
from wellkept.policies.upkeep import lifecycle
from wellkept.policies.visibility import Facts, visible
from wellkept.store.contract import Entry, Filter, Listing, PeopleQuery, RowsAbout, SaidAbout, Search
from wellkept.types import Decision, Memory, Viewpoint
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, Space, State

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.flows.requests import ListRequest, MemoryRequest
    from wellkept.policies.visibility import View
    from wellkept.store.contract import LedgerRow, Merge
    from wellkept.types import Person, Recall, Version


LIMIT_MAX = 1_000


@frozen
class Shown:
    """A memory with the names of the people in it; "you" is the asker."""

    memory: Memory
    about: tuple[str, ...]
    said_by: str | None
    is_expired: bool
    """Past its life, and not purged yet."""


@frozen
class Tie:
    """What somebody is to a third person, as the asker said it."""

    relation: str
    to: str
    """Person id."""


@frozen
class MergedPart:
    """Who was made one with a person, and which of the memories shown a split gives back to them."""

    id: str
    name: str
    relation: str | None
    memory_ids: tuple[str, ...]


@frozen
class Acquaintance:
    """Somebody the asker knows, as the asker may see them."""

    id: str
    name: str
    relation: str | None
    aliases: tuple[str, ...]
    ties: tuple[Tie, ...] = ()
    """What they are to others than the asker."""
    memories: tuple[Shown, ...] = ()
    """What the asker may see of them, newest first; filled when one person is asked for."""
    merged: tuple[MergedPart, ...] = ()
    """Who was made one with them, the latest first: a split takes it back. Filled likewise."""


def shown(memories: Sequence[Memory], viewpoint: Viewpoint, engine: Engine) -> tuple[Shown, ...]:
    """The memories with names. They must have been found through this viewpoint."""
    return _named(memories, views.view_of(viewpoint, engine, engine.clock()), engine)


def show(request: MemoryRequest, engine: Engine) -> Shown:
    """One memory, by id or unique prefix."""
    with engine.store.snapshot():
        memory, view = find_memory(request, engine)
        return _named([memory], view, engine)[0]


def counted(viewpoint: Viewpoint, engine: Engine) -> Mapping[str, int]:
    """Memories that this viewpoint sees, by type."""
    with engine.store.snapshot():
        view = views.view_of(viewpoint, engine, engine.clock())
        return engine.store.counts(view.tenant, view=view)


def acquaintances(viewpoint: Viewpoint, engine: Engine, *, limit: int) -> tuple[Acquaintance, ...]:
    """People this viewpoint knows, latest first, without the asker."""
    check_limit(limit, LIMIT_MAX)
    with engine.store.snapshot():
        view = views.view_of(viewpoint, engine, engine.clock())
        known = views.acquaintances(view, engine, limit=limit + 1) if view.knows_people else ()
    return tuple(shown_person(person, view) for person in known if person.id != view.person)[:limit]


def everybody(tenant: str, engine: Engine, *, limit: int) -> tuple[Acquaintance, ...]:
    """People of a whole tenant, latest first, for operators: names and handles, nothing that somebody stated."""
    view = views.view_of(Viewpoint(tenant=tenant), engine, engine.clock())
    return tuple(shown_person(person, view) for person in engine.store.people(PeopleQuery(tenant=tenant, limit=limit)))


def acquaintance(reference: str, viewpoint: Viewpoint, engine: Engine, *, limit: int) -> Acquaintance:
    """One person by id, name, handle or relation ("my wife"), with what the asker may see of them."""
    check_limit(limit, LIMIT_MAX)
    with engine.store.snapshot():
        view = views.view_of(viewpoint, engine, engine.clock())
        person = views.look_up(reference, view=view, store=engine.store)
        memories = engine.store.seen(view, Listing(filter=Filter(about=frozenset({person.id})), limit=limit))
        merges = engine.store.merges(view.tenant, primary=person.id)
        merged = tuple(_part(one, memories, view) for one in merges if may_change(one.secondary, view))
        return replace(shown_person(person, view), memories=_named(memories, view, engine), merged=merged)


def _part(merge: Merge, memories: Sequence[Memory], view: View) -> MergedPart:
    known = shown_person(merge.secondary, view)
    theirs = {one.memory_id for one in merge.told if known.id in one.subjects}
    about = tuple(one.id for one in memories if one.id in theirs)
    return MergedPart(id=known.id, name=known.name, relation=known.relation, memory_ids=about)


def _named(memories: Sequence[Memory], view: View, engine: Engine) -> tuple[Shown, ...]:
    told = {one for memory in memories for one in (*memory.subject_person_ids, memory.stated_by) if one is not None}
    known = views.persons(told, view, engine)
    return tuple(
        Shown(
            memory=replace(memory, content=views.told(memory, known, view)),
            about=views.labels(memory.subject_person_ids, known, view),
            said_by=next(iter(views.labels(filter(None, [memory.stated_by]), known, view)), None),
            is_expired=memory.dies_at is not None and memory.dies_at <= view.now,
        )
        for memory in memories
    )


def shown_person(person: Person, view: View) -> Acquaintance:
    """A person as the asker may see them."""
    seen = seen_by(person, view.user)
    return Acquaintance(
        id=person.id,
        name="you" if person.id == view.person else label(seen, asker=view.user, own=view.person),
        relation=relation_to(seen, view.user),
        aliases=tuple(alias.value for alias in seen.aliases),
        ties=tuple(
            Tie(relation=one.relationship, to=one.other_person_id)
            for one in seen.relationships
            if one.other_person_id is not None and one.other_person_id != view.person and one.stated_by == view.user
        ),
    )


PREFIX_MIN = 3
ID_MAX = 64


def find_memory(request: MemoryRequest, engine: Engine) -> tuple[Memory, View]:
    """The memory and the view it was found through; `not_found` for what the asker cannot see."""
    view = views.view_of(request.viewpoint, engine, engine.clock())
    wanted = request.memory_id
    if not PREFIX_MIN <= len(wanted) <= ID_MAX:
        raise MemoryNotFound(wanted)
    found = engine.store.seen(view, Listing(prefix=wanted, limit=5))
    if not found:
        raise MemoryNotFound(wanted)
    exact = [memory for memory in found if memory.id == wanted]
    if exact:
        return exact[0], view
    if len(found) > 1:
        raise Ambiguous("That id", tuple(memory.id for memory in found))
    return found[0], view


def refusal_to_change(memory: Memory, view: View, engine: Engine) -> str | None:
    """Why this view may not change the memory, if so: a personal one is its owner's, a chat's its participants'."""
    if memory.space is Space.CHAT:
        taking_part = engine.store.attendance(memory.tenant, [memory.owner]).get(memory.owner, frozenset())
        # Without a user it is work of the chat itself; a user who is nobody yet took part in nothing.
        return None if view.user is None or view.person in taking_part else "not_participant"
    if memory.space is Space.USER:
        return None if memory.owner == view.user else "not_owner"
    return None if (memory.space, memory.owner) in view.spaces else "not_owner"


HISTORY_MAX = 200

_EVENTS: Mapping[str, str] = {
    "create": "ADD",
    "update": "UPDATE",
    "merge": "MERGE",
    "delete": "DELETE",
    "link": "LINK",
    "ttl": "TTL",
    "restore": "RESTORE",
    "promote": "ADD",
}


@frozen
class HistoryEvent:
    """One change of a memory: what happened, by whom, when, by which rule, from which version to which."""

    id: str
    memory_id: str
    event: str
    old_ref: str | None
    new_ref: str | None
    actor: str | None
    meta: Mapping[str, object]
    ts: datetime


@frozen
class History:
    """A memory with every text it had and everything that was done to it, newest first."""

    memory: Memory
    events: tuple[HistoryEvent, ...]
    versions: tuple[Version, ...]


def listing(request: ListRequest, engine: Engine) -> tuple[Memory, ...]:
    """Memories of this viewpoint, newest first."""
    check_limit(request.limit, LIMIT_MAX)
    if request.state is not State.ACTIVE and (request.include_expired or request.as_of is not None):
        raise InvalidInput(
            "A state other than active goes with neither `as_of` nor `include_expired`.", code="invalid_parameter"
        )
    with engine.store.snapshot():
        view = views.view_of(request.viewpoint, engine, engine.clock(), as_of=request.as_of)
        view = replace(view, include_expired=request.include_expired)
        wanted = request.filter
        if request.about:
            named = views.mentioned(request.about, view, engine, strict=len(request.about))
            wanted = replace(wanted, about=frozenset(person.id for person in named))
        seen = engine.store.seen(
            view,
            Listing(
                filter=wanted,
                limit=request.limit,
                before=request.before,
                state=request.state,
                oldest_first=request.oldest_first,
            ),
        )
        return views.retold(seen, view, engine)


def history(request: MemoryRequest, engine: Engine) -> History:
    """Events of one memory, newest first, with its versions oldest first."""
    with engine.store.snapshot():
        found, view = find_memory(request, engine)
        rows = engine.store.ledger(RowsAbout(tenant=found.tenant, memory_id=found.id, limit=HISTORY_MAX))
        stored = engine.store.versions(found.tenant, found.id)
        texts = [replace(found, content=version.content) for version in stored]
        memory, *told = views.retold([found, *texts], view, engine)
        versions = tuple(replace(one, content=text.content) for one, text in zip(stored, told, strict=True))
    numbers = {version.version for version in versions}
    return History(memory=memory, events=tuple(_event(row, numbers) for row in rows), versions=versions)


def _event(row: LedgerRow, versions: set[int]) -> HistoryEvent:
    entry = row.entry
    new = entry.version
    old = max((number for number in versions if new is not None and number < new), default=None)
    meta = {"reason": entry.reason, "status": entry.status, **entry.payload}
    return HistoryEvent(
        # Not the number in the chain: that would tell whoever sees one memory how many others its owner has.
        id=f"{entry.memory_id}#{row.hash[:12]}",
        memory_id=entry.memory_id or "",
        event=_EVENTS.get(entry.op, entry.op.upper()) if entry.status == "ok" else entry.status.upper(),
        old_ref=f"{entry.memory_id}@{old}" if old is not None else None,
        new_ref=f"{entry.memory_id}@{new}" if new in versions else None,
        actor=entry.actor,
        meta={key: value for key, value in meta.items() if value is not None},
        ts=row.at,
    )


def reveal(memory_id: str, viewpoint: Viewpoint, engine: Engine) -> Shown:
    """The memory with this id, whoever owns it, as its owner reads it."""
    with engine.store.transaction():
        memory = engine.store.memory(viewpoint.tenant, memory_id)
        if memory is None:
            raise MemoryNotFound(memory_id)
        read = Entry(
            node="admin",
            op="admin",
            reason="revealed",
            memory_id=memory.id,
            version=memory.version,
            actor=viewpoint.user,
        )
        engine.store.record(memory.tenant, memory.space, memory.owner, read, at=engine.clock())
    owner = memory.owner if memory.space is Space.USER else None
    return shown([memory], Viewpoint(tenant=memory.tenant, user=owner), engine)[0]


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
        memory, view = find_memory(request, engine)
        ((_, decision),) = _decisions([memory], view, engine)
        edges = engine.store.edges(memory.tenant, memory.id, (EdgeKind.SUPERSEDES,))
        replaced = [edge.dst for edge in edges if edge.src == memory.id]
        known_olds = engine.store.memories_by_id(view.tenant, replaced)
        olds = [known_olds[one] for one in replaced if one in known_olds]
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
        # Of the same owner: an edge to somebody else's memory tells the asker nothing.
        supersedes=tuple(old.id for old in olds if (old.space, old.owner) == (memory.space, memory.owner)),
        superseded_by=memory.superseded_by,
    )


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
    """Hidden live memories, nearest to the query first: of the asker, of who is present or named, or about them."""
    vectors = engine.vectors([query[:EMBEDDED_MAX]])
    search = Search(
        view=view,
        vector=None if vectors is None else vectors[0],
        model=engine.model,
        terms=tuple(words.query_terms(query)),
        limit=LEFT_OUT_MAX,
    )
    near: dict[str, Memory] = {}
    scores: dict[str, float] = {}
    there = {one.id: one.user_id for one in engine.store.persons(view.tenant, sorted(view.present)).values()}
    question = engine.judge.question(query)
    named = views.mentioned((*question.about, *question.mentions), view, engine)
    theirs = [(Space.USER, user) for user in (*there.values(), *(one.user_id for one in named)) if user is not None]
    for space, owner in dict.fromkeys([*view.spaces, *theirs]):
        for candidate in engine.store.candidates(search, within=(space, owner)):
            near[candidate.memory.id] = candidate.memory
            scores[candidate.memory.id] = (candidate.cosine or 0.0) + (candidate.share or 0.0)
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
    return tuple(sorted(told, key=lambda one: (-scores.get(one.id, 0.0), one.id)))
