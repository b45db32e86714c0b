"""Show: memories and people with the names that the asker uses for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.flows import views
from wellkept.flows.people import identity
from wellkept.flows.people.amend_people import may_change
from wellkept.flows.read import find
from wellkept.policies.callers.limits import check_limit
from wellkept.policies.people.persons import label, relation_to, seen_by
from wellkept.store.contract import Filter
from wellkept.types import Memory, Viewpoint
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.flows.requests import MemoryRequest
    from wellkept.policies.visibility.memories import View
    from wellkept.types import Person

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
    merged: tuple[tuple[str, str], ...] = ()
    """Id and name of who was made one with them, the latest first: a split takes it back. Filled likewise."""


def shown(memories: Sequence[Memory], viewpoint: Viewpoint, engine: Engine) -> tuple[Shown, ...]:
    """The memories with names. They must have been found through this viewpoint."""
    return _named(memories, views.view_of(viewpoint, engine, engine.clock()), engine)


def show(request: MemoryRequest, engine: Engine) -> Shown:
    """One memory, by id or unique prefix."""
    with engine.store.snapshot():
        memory, view = find.one(request, engine)
        return _named([memory], view, engine)[0]


def counted(viewpoint: Viewpoint, engine: Engine) -> Mapping[str, int]:
    """Memories that this viewpoint sees, by type."""
    with engine.store.snapshot():
        return engine.store.count(views.view_of(viewpoint, engine, engine.clock()))


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
    return tuple(shown_person(person, view) for person in engine.store.everybody(tenant, limit=limit))


def acquaintance(reference: str, viewpoint: Viewpoint, engine: Engine, *, limit: int) -> Acquaintance:
    """One person by id, name, handle or relation ("my wife"), with what the asker may see of them."""
    check_limit(limit, LIMIT_MAX)
    with engine.store.snapshot():
        view = views.view_of(viewpoint, engine, engine.clock())
        person = identity.look_up(reference, view=view, store=engine.store)
        memories = engine.store.seen(view, Filter(about=frozenset({person.id})), limit=limit)
        parts = [
            one.secondary for one in engine.store.merged_with(view.tenant, person.id) if may_change(one.secondary, view)
        ]
        merged = tuple((one.id, label(seen_by(one, view.user), asker=view.user)) for one in parts)
        return replace(shown_person(person, view), memories=_named(memories, view, engine), merged=merged)


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
