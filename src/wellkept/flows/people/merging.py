"""Two persons as one, and back: every edge is moved, and every move is remembered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from wellkept.errors import InvalidInput
from wellkept.flows.write.transitions import row
from wellkept.policies.people.names import is_named, slug
from wellkept.policies.people.persons import divided, names_of, united
from wellkept.policies.writing import keys
from wellkept.store.contract import Change, HeldKey, Merge, Rewiring, Store, Told, UserLink
from wellkept.types import Edge, Memory, Person, Relationship
from wellkept.vocabulary import EdgeKind, State


def unite(primary: Person, secondary: Person, *, by: str | None, store: Store, now: datetime) -> Person:
    """Make the secondary a part of the primary. In a transaction; who may do so is asked elsewhere."""
    if primary.id == secondary.id or primary.merged_into is not None or secondary.merged_into is not None:
        raise InvalidInput("These are one person already; `wellkept people split` parts them.", code="already_merged")
    merge = _inventory(primary, secondary, by=by, store=store, now=now)
    whole = united(primary, secondary)
    store.keep(replace(secondary, relationships=(), merged_into=primary.id))
    store.keep(whole)
    for user in merge.users:
        store.keep(UserLink(tenant=whole.tenant, user=user, person_id=whole.id))
    _repoint(merge, store)
    _retell(merge, store, now, is_back=False)
    if whole.name != secondary.name:
        name_in_what_was_told(whole, store, now)
    store.keep(
        Rewiring(
            tenant=whole.tenant,
            add=tuple(_attending(primary.id, merge.chats)),
            drop=tuple(_attending(secondary.id, (*merge.chats, *merge.shared_chats))),
            at=now,
        )
    )
    store.keep(merge)
    return whole


def part(merge: Merge, *, store: Store, now: datetime) -> tuple[Person, Person]:
    """Take a merge back: what came with the secondary leaves with it, and what was learned since of that name."""
    tenant, secondary = merge.tenant, merge.secondary
    primary = store.person(tenant, merge.primary.id)
    if primary is None or primary.id != merge.primary.id:
        raise InvalidInput("The other person was merged on since; split that merge first.", code="merged_on")
    rest = divided(primary, merge.primary, secondary)
    store.keep(rest)
    store.keep(secondary)
    for user in merge.users:
        store.keep(UserLink(tenant=tenant, user=user, person_id=secondary.id))
    _point_back(merge, store)
    _retell(merge, store, now, is_back=True)
    _hand_over(merge, store, now)
    store.keep(
        Rewiring(
            tenant=tenant,
            add=tuple(_attending(secondary.id, (*merge.chats, *merge.shared_chats))),
            drop=tuple(_attending(rest.id, merge.chats)),
            at=now,
        )
    )
    store.drop(merge)
    return rest, secondary


def _inventory(primary: Person, secondary: Person, *, by: str | None, store: Store, now: datetime) -> Merge:
    """Everything that names the secondary, as it is now."""
    tenant = primary.tenant
    edges = store.edges(tenant, secondary.id, tuple(EdgeKind))
    sources = dict.fromkeys(edge.src for edge in edges if edge.kind in (EdgeKind.ABOUT, EdgeKind.STATED_BY))
    memories = [memory for source in sources if (memory := store.memory(tenant, source)) is not None]
    chats = [edge.dst for edge in edges if edge.kind is EdgeKind.PARTICIPATES_IN]
    attendance = store.attendance(tenant, chats)
    shared = tuple(chat for chat in chats if primary.id in attendance.get(chat, frozenset()))
    incoming = {edge.src for edge in edges if edge.kind is EdgeKind.HAS_RELATIONSHIP and edge.dst == secondary.id}
    related = store.persons(tenant, sorted(incoming - {primary.id, secondary.id}))
    return Merge(
        tenant=tenant,
        at=now,
        by=by,
        primary=primary,
        secondary=secondary,
        told=tuple(
            Told(memory_id=one.id, subjects=one.subject_person_ids, stated_by=one.stated_by) for one in memories
        ),
        chats=tuple(chat for chat in chats if chat not in shared),
        shared_chats=shared,
        users=tuple(edge.src for edge in edges if edge.kind is EdgeKind.IS_PERSON and edge.dst == secondary.id),
        related=tuple(person for asked, person in related.items() if person.id == asked),
    )


def _attending(person_id: str, chats: Sequence[str]) -> list[Edge]:
    return [Edge(kind=EdgeKind.PARTICIPATES_IN, src=person_id, dst=chat) for chat in chats]


def _retell(merge: Merge, store: Store, now: datetime, *, is_back: bool) -> None:
    """Move the memories of the secondary to the primary, or those that were its own back."""
    changes = []
    for told in merge.told:
        memory = store.memory(merge.tenant, told.memory_id)
        moved = None if memory is None else _moved(memory, told, merge, is_back=is_back)
        if memory is not None and moved is not None and moved != memory:
            changes.append(_change(memory, moved, merge, now, "person_split" if is_back else "person_merged"))
    if changes:
        store.apply(changes, at=now)


def _change(memory: Memory, moved: Memory, merge: Merge, now: datetime, reason: str) -> Change:
    payload = {"person": merge.secondary.id, "other": merge.primary.id}
    after = replace(moved, version=memory.version + 1, updated_at=now)
    return Change(memory=after, entry=row("update", after, reason, node="admin", payload=payload, actor=merge.by))


def _hand_over(merge: Merge, store: Store, now: datetime) -> None:
    """What was learned while two were one is about whom it names; what names neither stays with the primary."""
    primary, secondary = merge.primary, merge.secondary
    before = {told.memory_id for told in merge.told}
    changes = []
    for memory in _about(primary, store):
        text = f"{memory.content} {memory.quote or ''}"
        if memory.id in before or memory.created_at < merge.at or not is_named(text, names_of(secondary)):
            continue
        moved = keys.moved(memory, primary.id, secondary)
        if is_named(text, names_of(primary)):
            moved = replace(memory, subject_person_ids=(*memory.subject_person_ids, secondary.id))
        changes.append(_change(memory, _keyed_for(moved, primary, secondary), merge, now, "person_split"))
    if changes:
        store.apply(changes, at=now)


def _keyed_for(memory: Memory, old: Person, new: Person) -> Memory:
    """The key and refs with the new person's name in the place of the old one's."""
    if old.id in memory.subject_person_ids:
        return memory
    gone = f"person:{slug(old.name or '')}"
    of, entity, primary, fact = memory.memory_key.split("|")
    freed = new.id if primary in {slug(old.name or ""), old.id} else primary
    refs = tuple(ref for ref in memory.entity_refs if ref != gone)
    label = None if memory.entity_label == old.name else memory.entity_label
    bare = replace(memory, entity_refs=refs, entity_label=label, memory_key=f"{of}|{entity}|{freed}|{fact}")
    return keys.named(bare, new)


def name_in_what_was_told(person: Person, store: Store, now: datetime) -> None:
    """Give what was told of somebody before the name was known its entity and key. In a transaction."""
    for memory in _about(person, store):
        named = keys.named(memory, person)
        is_free = (
            store.memory(
                memory.tenant,
                HeldKey(
                    space=memory.space,
                    owner=memory.owner,
                    memory_key=named.memory_key,
                    discriminator=memory.discriminator,
                ),
            )
            is None
        )
        if named != memory and (is_free or named.memory_key == memory.memory_key):
            after = replace(named, version=memory.version + 1, updated_at=now)
            told = row("update", after, "person_named", node="admin", payload={"person": person.id})
            store.apply([Change(memory=after, entry=told)], at=now)


def _about(person: Person, store: Store) -> Iterator[Memory]:
    """Live memories about a person, whoever may see them."""
    for edge in store.edges(person.tenant, person.id, [EdgeKind.ABOUT]):
        memory = store.memory(person.tenant, edge.src)
        if memory is not None and memory.state is State.ACTIVE and "|" in (memory.memory_key or ""):
            yield memory


def _moved(memory: Memory, told: Told, merge: Merge, *, is_back: bool) -> Memory:
    old, new = merge.secondary.id, merge.primary.id
    if not is_back:
        return _with(memory, _replaced(memory.subject_person_ids, old, new), _other(memory.stated_by, old, new))
    untouched = _replaced(told.subjects, old, new) == memory.subject_person_ids
    subjects = told.subjects if untouched else _returned(memory.subject_person_ids, told, old=old, new=new)
    speaker = old if told.stated_by == old and memory.stated_by == new else memory.stated_by
    return _with(memory, subjects, speaker)


def _with(memory: Memory, subjects: tuple[str, ...], stated_by: str | None) -> Memory:
    return replace(memory, subject_person_ids=subjects, stated_by=stated_by)


def _replaced(ids: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(new if one == old else one for one in ids))


def _returned(ids: tuple[str, ...], told: Told, *, old: str, new: str) -> tuple[str, ...]:
    """For a memory whose subjects changed since the merge: the secondary again, beside the primary if it was there."""
    if old not in told.subjects or new not in ids:
        return ids
    both = (new, old) if new in told.subjects else (old,)
    return tuple(dict.fromkeys(part for one in ids for part in (both if one == new else (one,))))


def _other(held: str | None, old: str, new: str) -> str | None:
    return new if held == old else held


def _repoint(merge: Merge, store: Store) -> None:
    """What others were to the secondary, they are to the primary."""
    old, new = merge.secondary.id, merge.primary.id
    for person in merge.related:
        moved = (replace(one, other_person_id=_other(one.other_person_id, old, new)) for one in person.relationships)
        store.keep(replace(person, relationships=tuple(dict.fromkeys(moved))))


def _point_back(merge: Merge, store: Store) -> None:
    old, new = merge.secondary.id, merge.primary.id
    for before in merge.related:
        person = store.person(merge.tenant, before.id)
        if person is not None and person.id == before.id:
            store.keep(replace(person, relationships=_ties_back(person, before, old, new)))


def _ties_back(person: Person, before: Person, old: str, new: str) -> tuple[Relationship, ...]:
    """The present ties with those to the secondary as they were; a tie to both stands twice again."""
    back: list[Relationship] = []
    for held in person.relationships:
        was = replace(held, other_person_id=old)
        if held.other_person_id == new and was in before.relationships:
            back += [held, was] if held in before.relationships else [was]
        else:
            back.append(held)
    return tuple(back)
