"""What follows from a statement: a tie that ends, an office that is passed on, an age, an announcement, a move."""

from __future__ import annotations

import re
from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from wellkept.flows.views import PEOPLE_MAX
from wellkept.flows.write.transitions import amend, retire
from wellkept.judges.english.dates.times import mentions
from wellkept.judges.english.slots.endings import come_true, tells_change
from wellkept.policies.people.persons import is_called, without_relationship
from wellkept.policies.people.relations import FORMER, relation
from wellkept.policies.writing import keys
from wellkept.store.contract import Filter, InSlot, KnownTo, Latest, Listing, PeopleQuery
from wellkept.vocabulary import Kind, Space

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from wellkept.flows.write.draft import Writer
    from wellkept.types import Claim, Memory, Person


SPOUSE = "spouse"
TIE = "relation:"


def follow(claim: Claim, memory: Memory, writer: Writer) -> None:
    """Do what follows from a claim that became this memory. A governed session has no clock and retells nothing."""
    if claim.ends:
        _part(claim, writer)
    if writer.rules.is_governed:
        return
    if claim.ends or (claim.slot or "").startswith(TIE):
        _succeed(claim, writer)
    slot = (memory.fact_key or "").rpartition(":")[2]
    if slot in {AGE, BIRTHDAY}:
        _end_age(memory, writer)
    if slot == "city" and memory.kind is Kind.SEMANTIC:
        _move(memory, writer)
    if memory.kind is Kind.SEMANTIC and _NOW.search(memory.content):
        _come(memory, writer)


def _part(claim: Claim, writer: Writer) -> None:
    """End the relations that the claim ends, in the people graph too. What others say of them stays as it is."""
    user = writer.viewpoint.user
    scope = (writer.view.tenant, *writer.rules.home(writer.viewpoint))
    for over in claim.ends if user is not None else ():
        known = relation(over.relation or "")
        names = frozenset({over.relation or ""}) | (known.covers if known is not None else frozenset())
        slots = tuple(sorted({*(f"{TIE}{name}" for name in names), *({SPOUSE} & names)}))
        for person in writer.store.people(KnownTo(view=writer.view, limit=PEOPLE_MAX)):
            held = [one for one in person.relationships if one.stated_by == user and one.relationship in names]
            if not held or (over.name is not None and not is_called(person, over.name)):
                continue
            _leave(person, names, writer)
            _retire_told(scope, slots, person, writer)
            if not writer.rules.is_governed:
                _rename(person, [slot.removeprefix(TIE) for slot in slots], writer)


def _leave(person: Person, names: frozenset[str], writer: Writer) -> None:
    """End what somebody is to the user in the people graph, by these words for it."""
    changed = person
    for held in person.relationships:
        if held.stated_by == writer.viewpoint.user and held.relationship in names:
            changed = without_relationship(changed, held)
    writer.store.keep(changed)


def _retire_told(scope: tuple[str, Space, str], slots: tuple[str, ...], person: Person, writer: Writer) -> None:
    """Retire what fills one of these slots, where that is this person."""
    for old in writer.store.memories(InSlot(scope=scope, fact_keys=slots)):
        if person.id in old.subject_person_ids or (old.value is not None and is_called(person, old.value)):
            retire(old, writer)


SUPERIORS = frozenset({"boss", "manager"})
"""Words for whom one works under: "the new manager" takes the place of whoever was called the boss."""
FADES_AFTER = timedelta(days=30)
ABOUT_MAX = 50


def _succeed(claim: Claim, writer: Writer) -> None:
    """Let whoever held the office before step back, and what is known of them with them."""
    user, view, slot = writer.viewpoint.user, writer.view, claim.slot or ""
    held = slot.removeprefix(TIE) if slot.startswith(TIE) else None
    named = {name: relation(name) for name in (held, *(over.relation for over in claim.ends)) if name is not None}
    offices = {name for name, known in named.items() if known is not None and known.circle in {"work", "service"}}
    if user is None or not offices:
        return
    if held in SUPERIORS and tells_change(claim.content):
        _step_back(SUPERIORS - {held}, claim, user, writer)
    offices = offices | SUPERIORS if offices & SUPERIORS else offices
    for person in _former(offices, user, writer):
        _rename(person, offices, writer)
        about = Listing(filter=Filter(about=frozenset([person.id])), limit=ABOUT_MAX)
        for memory in writer.store.seen(view, about):
            if _is_of_office(memory, person, writer):
                amend(memory, writer, "succession", expires_at=view.now + FADES_AFTER)


def _step_back(names: frozenset[str], claim: Claim, user: str, writer: Writer) -> None:
    """Whoever is called by another word for the same office, and is not the new one."""
    tenant = writer.view.tenant
    for name in names:
        for person in writer.store.people(PeopleQuery(tenant=tenant, related_to=(user, name))):
            if claim.value is None or not is_called(person, claim.value):
                _leave(person, frozenset({name}), writer)
                _retire_told((tenant, Space.USER, user), (f"{TIE}{name}",), person, writer)


def _former(offices: set[str], user: str, writer: Writer) -> Iterator[Person]:
    """Who held an office and is nothing else to the user now."""
    for name in sorted(offices):
        for person in writer.store.people(PeopleQuery(tenant=writer.view.tenant, related_to=(user, f"{FORMER}{name}"))):
            mine = [tie.relationship for tie in person.relationships if tie.stated_by == user]
            if all(tie.startswith(FORMER) for tie in mine):
                yield person


def _is_of_office(memory: Memory, person: Person, writer: Writer) -> bool:
    """Whether it was overheard, is of this person alone, and has no end yet."""
    is_own = memory.space is Space.USER and memory.owner == writer.viewpoint.user
    others = set(memory.subject_person_ids) - {person.id, writer.view.person}
    is_overheard = memory.origin == "shadow_extraction" and not memory.pinned and memory.expires_at is None
    return is_own and not others and is_overheard


AGE, BIRTHDAY = "age", "birthday"


def _end_age(told: Memory, writer: Writer) -> None:
    """Let an age that was overheard end with the birthday that is known of the same person."""
    person = (told.fact_key or "").rpartition(":")[0]
    store, scope = writer.store, (told.tenant, told.space, told.owner)
    lead = f"{person}:" if person else ""
    birthdays = store.memories(InSlot(scope=scope, fact_keys=(f"{lead}{BIRTHDAY}",)))
    day = next((_next_birthday(one, writer.view.now) for one in birthdays), None)
    for age in store.memories(InSlot(scope=scope, fact_keys=(f"{lead}{AGE}",))) if day is not None else ():
        if age.expires_at is not None and day is not None and age.expires_at > day:
            amend(age, writer, BIRTHDAY, expires_at=day)


def _next_birthday(birthday: Memory, now: datetime) -> datetime | None:
    """The next time the day comes round."""
    found = next((one.from_ for one in mentions(birthday.value or "", now) if one.grain == "day"), None)
    if found is None:
        return None
    day = found.astimezone(UTC)
    try:
        this_year = day.replace(year=now.year)
        return this_year if this_year > now else day.replace(year=now.year + 1)
    except ValueError:  # 29 February
        return day.replace(year=now.year + 1, month=3, day=1)


CAME_TRUE = "came_true"
AHEAD_MAX = 200
"""How far back an announcement is looked for, or a plan that has been carried out."""
_NOW = re.compile(r"\b(?:now|already|these days|at last|finally)\b", re.IGNORECASE)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[^\W\d_a-z][\w'-]+")


_TRADE = re.compile(r"(?P<trade>.{3,60} (?:is|works as) an? [\w -]+?) in (?P<place>[^\W\d_a-z][\w' -]*)")


def _come(told: Memory, writer: Writer) -> None:
    """Put in the present what the speaker announced ("my new address will be …") when what is told names it as now."""
    said = set(keys.normalised(told.content).split())
    for old in _states(told, writer):
        present = come_true(old.content)
        names = {name.casefold() for name in _NAME.findall(old.content)}
        if present is not None and old.stated_by == told.stated_by and not names.isdisjoint(said):
            amend(old, writer, CAME_TRUE, content=present)


def _states(told: Memory, writer: Writer) -> list[Memory]:
    """What else is told in the same place of how things are, the latest of it."""
    scope = (told.tenant, told.space, told.owner)
    found = writer.store.memories(Latest(scope=scope, kinds=(Kind.SEMANTIC,), limit=AHEAD_MAX))
    return [old for old in found if old.id != told.id]


def _move(told: Memory, writer: Writer) -> None:
    """For a dentist in Thrissur who lives in Kochi now: a dentist."""
    key = f"{(told.fact_key or '').removesuffix('city')}job"
    for old in writer.store.memories(InSlot(scope=(told.tenant, told.space, told.owner), fact_keys=(key,))):
        found = _TRADE.fullmatch(old.content)
        if found is not None and old.stated_by == told.stated_by and found["place"] not in told.content:
            amend(old, writer, CAME_TRUE, content=found["trade"])


def _rename(person: Person, ties: Iterable[str], writer: Writer) -> None:
    """Call somebody by name in what was told of them as the boyfriend or boss that they are no longer."""
    speaker = writer.speaker.name if writer.speaker is not None and writer.speaker.name else "the user"
    tie = re.compile(rf"\b(?:the user|{re.escape(speaker)})['’]s (?:{'|'.join(sorted(ties))})\b", re.IGNORECASE)
    about = Listing(filter=Filter(about=frozenset([person.id])), limit=AHEAD_MAX)
    for memory in writer.store.seen(writer.view, about) if person.name else ():
        is_own = memory.space is Space.USER and memory.owner == writer.viewpoint.user
        if is_own and not (memory.fact_key or "").startswith("relation:") and tie.search(memory.content):
            amend(memory, writer, CAME_TRUE, content=tie.sub(person.name or "", memory.content))


LEFT_BEHIND = {
    "city": ("whereabouts", "address", "commute", "relation:vet", "relation:dentist", "relation:doctor"),
    "employer": ("job", "commute"),
    "job": ("employer",),
    "household": ("whereabouts", "city"),
}
"""What may end with a slot's old value."""
_PLACED = frozenset({"relation:vet", "relation:dentist", "relation:doctor", "job"})
"""Ends only where it names a place: a trade goes with its owner, and so may a doctor."""
_AT = re.compile(r"\b(?:at|for|with|in|on|near|joined)\s+(?:the\s+)?[^\W\da-z]")


def left_behind(new: Memory, writer: Writer) -> Iterator[Memory]:
    """What a new city or post ends for whoever has it; what names the new one was said ahead of the change."""
    slot = (new.fact_key or "").rpartition(":")[2]
    if slot == "job" and tells_change(new.content):
        yield from _other_trades(new, writer)
    is_ended = tells_change(new.content) if slot == "household" else slot != "job" or _AT.search(new.content)
    if slot not in LEFT_BEHIND or not is_ended:
        return
    if slot == "city" and new.value:
        yield from _carried_out(new, writer)
    told, city = f" {keys.normalised(new.content)} ", f" {keys.normalised(new.value or '')} "
    lead = (new.fact_key or "").removesuffix(slot)
    slots = tuple(f"{lead}{name}" for name in LEFT_BEHIND[slot])
    for old in writer.store.memories(InSlot(scope=(new.tenant, new.space, new.owner), fact_keys=slots)):
        name = (old.fact_key or "").removeprefix(lead)
        is_same = old.subject_person_ids == new.subject_person_ids or name.startswith("relation:")
        is_own = old.stated_by == new.stated_by and is_same
        is_meant = name not in _PLACED or _AT.search(old.content) is not None
        is_new_one = city in f" {keys.normalised(old.content)} " or f" {old.value} " in told
        if is_own and is_meant and not is_new_one and old.id != new.id:
            yield old


def _other_trades(new: Memory, writer: Writer) -> Iterator[Memory]:
    """What was told beside a position: whoever is a nurse now is no hydrologist."""
    for old in writer.store.memories(InSlot(scope=(new.tenant, new.space, new.owner), fact_keys=(new.fact_key or "",))):
        is_own = old.stated_by == new.stated_by and old.subject_person_ids == new.subject_person_ids
        if is_own and old.id != new.id and old.value != new.value:
            yield old


_PLANNED = re.compile(
    r"\b(?:decid\w+|plans?|planning|going|wants?|hopes?|hoping|intends?|will|agreed)\b.{0,20}\b(?:mov|relocat|emigrat)\w*\b"
    r".{0,12}\bto\b",
    re.IGNORECASE,
)


def _carried_out(new: Memory, writer: Writer) -> Iterator[Memory]:
    """Plans of whoever lives there now to move there: they have."""
    for old in _states(new, writer):
        is_own = old.stated_by == new.stated_by and old.subject_person_ids == new.subject_person_ids
        is_plan = old.fact_key != new.fact_key and _PLANNED.search(old.content) is not None
        if is_own and is_plan and f" {new.value} " in f" {keys.normalised(old.content)} ":
            yield old
