"""Parting: a relation that is said to be over ends in the people graph, and with it what was stated of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.flows.people import PEOPLE_MAX
from recollect.flows.reconcile import retire
from recollect.policies.people import is_called, without_relationship
from recollect.policies.relations import relation
from recollect.vocabulary import Space

if TYPE_CHECKING:
    from recollect.flows.draft import Writer
    from recollect.types import Claim, Person, Reference

SPOUSE = "spouse"


def part(claim: Claim, writer: Writer) -> None:
    """End the relations that the claim ends. What others say of them stays as it is."""
    user = writer.viewpoint.user
    if user is None:
        return
    for ended in claim.ends:
        names = _words(ended)
        for person in writer.engine.store.known(writer.view, limit=PEOPLE_MAX):
            held = [one for one in person.relationships if one.stated_by == user and one.relationship in names]
            if held and (ended.name is None or is_called(person, ended.name)):
                _leave(person, names, user, writer)


def _words(ended: Reference) -> frozenset[str]:
    known = relation(ended.relation or "")
    return frozenset({ended.relation or ""}) | (known.covers if known is not None else frozenset())


def _leave(person: Person, names: frozenset[str], user: str, writer: Writer) -> None:
    changed = person
    for held in person.relationships:
        if held.stated_by == user and held.relationship in names:
            changed = without_relationship(changed, held)
    store = writer.engine.store
    store.save_person(changed)
    for slot in sorted({*(f"relation:{name}" for name in names), *((SPOUSE,) if SPOUSE in names else ())}):
        for old in store.in_slot(writer.view.tenant, Space.USER, user, slot):
            if person.id in old.subject_person_ids or (old.value is not None and is_called(person, old.value)):
                retire(old, writer)
