"""Parting: a relation that is said to be over ends in the people graph, and with it what was stated of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.flows.people.identity import PEOPLE_MAX
from wellkept.flows.write import coming
from wellkept.flows.write.reconcile import retire
from wellkept.policies.people.persons import is_called, without_relationship
from wellkept.policies.people.relations import relation
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellkept.flows.write.draft import Writer
    from wellkept.types import Claim, Memory, Person, Reference

SPOUSE = "spouse"


def part(claim: Claim, writer: Writer) -> None:
    """End the relations that the claim ends. What others say of them stays as it is."""
    store, user = writer.engine.store, writer.viewpoint.user or ""
    for person, slots in ended(claim, writer):
        for slot in slots:
            for old in store.in_slot(writer.view.tenant, Space.USER, user, slot):
                if tells_of(old, person):
                    retire(old, writer)
        coming.rename(person, [slot.removeprefix("relation:") for slot in slots], writer)


def ended(claim: Claim, writer: Writer) -> Iterator[tuple[Person, tuple[str, ...]]]:
    """With whom the speaker is together no longer, ended in the people graph, and the slots in which that stood."""
    user = writer.viewpoint.user
    if user is None:
        return
    for over in claim.ends:
        names = _words(over)
        for person in writer.engine.store.known(writer.view, limit=PEOPLE_MAX):
            held = [one for one in person.relationships if one.stated_by == user and one.relationship in names]
            if held and (over.name is None or is_called(person, over.name)):
                leave(person, names, user, writer)
                spouse = (SPOUSE,) if SPOUSE in names else ()
                yield person, tuple(sorted({*(f"relation:{name}" for name in names), *spouse}))


def tells_of(memory: Memory, person: Person) -> bool:
    """Whether what fills a slot is this person."""
    return person.id in memory.subject_person_ids or (memory.value is not None and is_called(person, memory.value))


def _words(ended: Reference) -> frozenset[str]:
    known = relation(ended.relation or "")
    return frozenset({ended.relation or ""}) | (known.covers if known is not None else frozenset())


def leave(person: Person, names: frozenset[str], user: str, writer: Writer) -> None:
    """End what somebody is to the user in the people graph, by these words for it."""
    changed = person
    for held in person.relationships:
        if held.stated_by == user and held.relationship in names:
            changed = without_relationship(changed, held)
    writer.engine.store.save_person(changed)
