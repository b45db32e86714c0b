"""Succession: when an office has a new holder, what was told of the last one only as its holder is soon of no use."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.flows.write import coming, parting
from wellkept.flows.write.reconcile import entry, retire
from wellkept.judges.english.slots.endings import tells_change
from wellkept.policies.people.persons import is_called
from wellkept.policies.people.relations import FORMER, relation
from wellkept.store.contract import Change
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellkept.flows.write.draft import Writer
    from wellkept.types import Claim, Memory, Person

TIE = "relation:"
SUPERIORS = frozenset({"boss", "manager"})
"""Words for whom one works under: "the new manager" takes the place of whoever was called the boss."""
FADES_AFTER = timedelta(days=30)
ABOUT_MAX = 50


def succeed(claim: Claim, writer: Writer) -> None:
    """Let whoever held the office before step back, and what is known of them with them."""
    user = writer.viewpoint.user
    held = (claim.slot or "").removeprefix(TIE) if (claim.slot or "").startswith(TIE) else None
    ended = {held, *(over.relation for over in claim.ends)} - {None}
    offices = {name for name in ended if name is not None and _is_office(name)}
    if user is None or not offices:
        return
    if held in SUPERIORS and tells_change(claim.content):
        _step_back(SUPERIORS - {held}, claim, user, writer)
    offices = offices | SUPERIORS if offices & SUPERIORS else offices
    for person in _former(offices, user, writer):
        coming.rename(person, offices, writer)
        for memory in writer.engine.store.about(writer.view, [person.id], limit=ABOUT_MAX):
            if _is_of_office(memory, person, writer):
                _fade(memory, writer)


def _is_office(name: str) -> bool:
    known = relation(name)
    return known is not None and known.circle in {"work", "service"}


def _step_back(names: frozenset[str], claim: Claim, user: str, writer: Writer) -> None:
    """Whoever is called by another word for the same office, and is not the new one."""
    store, tenant = writer.engine.store, writer.view.tenant
    for name in names:
        for person in store.related(tenant, user, name):
            if claim.value is not None and is_called(person, claim.value):
                continue
            parting.leave(person, frozenset({name}), user, writer)
            for old in store.in_slot(tenant, Space.USER, user, f"{TIE}{name}"):
                if parting.tells_of(old, person):
                    retire(old, writer)


def _former(offices: set[str], user: str, writer: Writer) -> Iterator[Person]:
    """Who held an office and is nothing else to the user now."""
    for name in sorted(offices):
        for person in writer.engine.store.related(writer.view.tenant, user, f"{FORMER}{name}"):
            mine = [tie.relationship for tie in person.relationships if tie.stated_by == user]
            if all(tie.startswith(FORMER) for tie in mine):
                yield person


def _is_of_office(memory: Memory, person: Person, writer: Writer) -> bool:
    """Whether it was overheard, is of this person alone, and has no end yet."""
    is_own = memory.space is Space.USER and memory.owner == writer.viewpoint.user
    others = set(memory.subject_person_ids) - {person.id, writer.view.person}
    is_overheard = memory.origin == "shadow_extraction" and not memory.pinned and memory.expires_at is None
    return is_own and not others and is_overheard


def _fade(memory: Memory, writer: Writer) -> None:
    now = writer.view.now
    fading = replace(memory, expires_at=now + FADES_AFTER, updated_at=now, version=memory.version + 1)
    writer.engine.store.apply([Change(memory=fading, entry=entry("update", fading, writer, "succession"))], at=now)
