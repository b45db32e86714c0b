"""Forget a person: archive what the asker keeps about them, and take out the record if that is asked for too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.errors import NotAllowed
from wellkept.flows import views
from wellkept.flows.people import amend_people
from wellkept.flows.read import show
from wellkept.flows.write.transitions import archived, row
from wellkept.policies.people.persons import label, seen_by
from wellkept.store.contract import Change, Filter, Listing, PersonKey, Rewiring, UserLink
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, State

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.policies.visibility import View
    from wellkept.types import Memory, Person, Viewpoint

BATCH = 100
STAYING_MAX = 1_000
"""How many memories that stay are counted."""


@frozen
class Forgotten:
    """What became of a person for the asker."""

    person_id: str
    name: str
    archived: int
    kept: int
    """Memories about them that the asker sees and may not change."""
    is_record_deleted: bool = False


def forget_person(
    reference: str,
    viewpoint: Viewpoint,
    engine: Engine,
    *,
    delete_record: bool = False,
    progress: Callable[[int], None] = lambda _done: None,
) -> Forgotten:
    """Archive everything about a person that the asker may change, in batches; run again it goes on where it ended.

    `delete_record` also takes the person out. A refusal of that comes first and changes nothing.
    """
    store = engine.store
    with store.transaction():
        view = views.view_of(viewpoint, engine, engine.clock())
        person = amend_people.known(reference, view, store)
        staying = _staying(person, view, engine)
        refused = _refusal(person, staying, view, engine) if delete_record else None
        if refused is not None:
            amend_people.note(view, store, op="delete", reason=refused.code, people=(person.id,), status="denied")
        told = _told(person, view, engine, EdgeKind.ABOUT)
    if refused is not None:
        raise refused
    archived = 0
    for start in range(0, len(told), BATCH):
        archived += _archive(told[start : start + BATCH], person, view, engine)
        progress(archived)
    if delete_record:
        _take_out(person, view, engine)
    return Forgotten(
        person_id=person.id,
        name=label(seen_by(person, view.user), asker=view.user),
        archived=archived,
        kept=len(staying),
        is_record_deleted=delete_record,
    )


def _is_kept(memory: Memory) -> bool:
    """Recalled now, or to be asked for as of an earlier day."""
    return memory.state is not State.ARCHIVED or memory.archive_reason == "superseded"


def _may_change(memory: Memory, view: View, engine: Engine) -> bool:
    is_system = view.user is None and view.chat is None
    return is_system or show.refusal_to_change(memory, view, engine) is None


def _told(person: Person, view: View, engine: Engine, kind: EdgeKind) -> list[str]:
    """Ids of the memories about (or by) a person that the asker may change."""
    edges = engine.store.edges(view.tenant, person.id, [kind])
    found = (engine.store.memory(view.tenant, edge.src) for edge in edges)
    return [one.id for one in found if one is not None and _is_kept(one) and _may_change(one, view, engine)]


def _staying(person: Person, view: View, engine: Engine) -> tuple[Memory, ...]:
    """Memories about a person that the asker sees and may not change."""
    seen = engine.store.seen(view, Listing(filter=Filter(about=frozenset([person.id])), limit=STAYING_MAX))
    return tuple(memory for memory in seen if not _may_change(memory, view, engine))


def _refusal(person: Person, staying: Sequence[Memory], view: View, engine: Engine) -> NotAllowed | None:
    """Why the record may not go, by what the asker sees alone: nobody learns here what others keep to themselves."""
    is_own = view.user in ((person.created_by,) if person.user_id is None else (person.user_id,))
    if view.user is not None and not is_own:
        return amend_people.refusal(person, view)
    about = set(_told(person, view, engine, EdgeKind.ABOUT))
    if staying or set(_told(person, view, engine, EdgeKind.STATED_BY)) - about:
        name = label(seen_by(person, view.user), asker=view.user)
        return NotAllowed(
            f"Memories that stay are about {name} or told by {name}; the record can go when they are gone.",
            code="person_in_use",
        )
    return None


def _archive(memory_ids: Sequence[str], person: Person, view: View, engine: Engine) -> int:
    with engine.store.transaction():
        found = (engine.store.memory(view.tenant, memory_id) for memory_id in memory_ids)
        changes = [
            _forgotten(memory, view)
            for memory in found
            if memory is not None and _is_kept(memory) and person.id in memory.subject_person_ids
        ]
        engine.store.apply(changes, at=view.now)
    return len(changes)


def _forgotten(memory: Memory, view: View) -> Change:
    gone = replace(archived(memory, "forgotten", now=view.now), purge_at=None)
    return Change(memory=gone, entry=row("delete", gone, "forgotten", actor=view.user))


def _take_out(person: Person, view: View, engine: Engine) -> None:
    """The record goes; where somebody else still needs it, only the asker's part of it goes."""
    store = engine.store
    with store.transaction():
        amend_people.note(view, store, op="delete", reason="person_removed", people=(person.id,))
        left = _left_to_others(person, view)
        edges = store.edges(view.tenant, person.id, [EdgeKind.ABOUT, EdgeKind.STATED_BY])
        memories = (store.memory(view.tenant, edge.src) for edge in edges)
        is_told = any(memory is not None and _is_kept(memory) for memory in memories)
        is_known = any(one.added_by for one in left.aliases) or any(one.stated_by for one in left.relationships)
        if not (is_told or is_known):
            store.drop(PersonKey(tenant=view.tenant, person_id=person.id))
            return
        store.keep(left)
        if person.user_id is not None:
            chats = store.edges(view.tenant, person.id, [EdgeKind.PARTICIPATES_IN])
            store.keep(UserLink(tenant=view.tenant, user=person.user_id, person_id=None))
            store.keep(Rewiring(tenant=view.tenant, drop=tuple(chats), at=view.now))


def _left_to_others(person: Person, view: View) -> Person:
    return replace(
        person,
        created_by=None,
        aliases=tuple(one for one in person.aliases if one.added_by != view.user),
        relationships=tuple(one for one in person.relationships if one.stated_by != view.user),
    )
