"""Who is who: users become persons, viewpoints become views, and references find or make the person they mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import assert_never

from wellkept.errors import Ambiguous, PersonNotFound
from wellkept.flows.people import merging
from wellkept.policies.people import resolution
from wellkept.policies.people.names import is_part_of
from wellkept.policies.people.persons import (
    besides_namesakes,
    confided,
    ending,
    label,
    learn,
    leave_place,
    relation_to,
    seen_by,
    tellers,
    with_alias,
    with_name,
)
from wellkept.policies.people.references import parse
from wellkept.policies.people.relations import MET
from wellkept.policies.people.resolution import Known, Resolution, Verdict, decide
from wellkept.policies.visibility import View
from wellkept.policies.words import name_key
from wellkept.store.contract import (
    Attendance,
    Filter,
    KnownTo,
    Listing,
    NewPerson,
    PeopleQuery,
    Review,
    Store,
    UserLink,
)
from wellkept.types import Alias, Person, Reference, Viewpoint
from wellkept.values import frozen
from wellkept.vocabulary import MemoryType, Space

PEOPLE_MAX = 5_000
"""How many people of a viewpoint a reference is compared with, the latest first."""
NAME_MIN = 3
"""Letters that a part of a name needs to be asked about."""
PREFIX_MIN = 4
"""How much of an id must be typed, its "p_" included."""
SYSTEM_OWNER = "system"
"""The one owner of the system space."""


@frozen
class Resolved:
    """The person a reference means, or nobody and whom it fits. With the verdict `several` it means all candidates."""

    person: Person | None
    verdict: Verdict
    reason: str
    candidates: tuple[str, ...] = ()


def ensure_user(viewpoint: Viewpoint, store: Store, now: datetime) -> Person:
    """The person of the viewpoint's user: linked already, holder of the "@username", or new. In a transaction."""
    if viewpoint.user is None:
        raise PersonNotFound("the speaker")
    tenant, user = viewpoint.tenant, viewpoint.user
    person = store.person(tenant, user=user)
    if person is not None:
        return _introduced(person, viewpoint, store, now)
    awaited = _awaited(viewpoint, store)
    namesakes = _namesakes(viewpoint, store)
    person = awaited or Person(
        id=store.next_id(tenant, Space.USER, user, "person"),
        tenant=tenant,
        created_by=user,
        created_at=now,
        # Others in the chat may call a user by the bare id when no name is known.
        aliases=(Alias(value=user),) if not (viewpoint.username or viewpoint.display_name) else (),
    )
    person = replace(_named(person, viewpoint), user_id=user)
    store.keep(NewPerson(person=person) if awaited is None else person)
    store.keep(
        UserLink(
            tenant=tenant,
            user=user,
            person_id=person.id,
            username=viewpoint.username,
            display_name=viewpoint.display_name,
        )
    )
    _ask_about(namesakes, person, viewpoint, store, now)
    return person


def _awaited(viewpoint: Viewpoint, store: Store) -> Person | None:
    """The one person, of no user yet, whom somebody called by this user's handle."""
    if not viewpoint.username:
        return None
    holding = _holding_handle(_handle(viewpoint.username), viewpoint.tenant, store)
    return holding[0] if len(holding) == 1 and holding[0].user_id is None else None


def _holding_handle(handle: str, tenant: str, store: Store) -> list[Person]:
    return [
        person
        for person in store.people(PeopleQuery(tenant=tenant, name=name_key(handle)))
        if any(alias.value.casefold() == handle.casefold() for alias in person.aliases)
    ]


def _handle(username: str) -> str:
    return f"@{username.removeprefix('@')}"


def _named(person: Person, viewpoint: Viewpoint) -> Person:
    if viewpoint.display_name:
        named = with_alias if person.name is not None else with_name
        person = named(person, viewpoint.display_name, by=viewpoint.user)
    if viewpoint.username:
        person = with_alias(person, _handle(viewpoint.username), by=viewpoint.user)
    return person


def _introduced(person: Person, viewpoint: Viewpoint, store: Store, now: datetime) -> Person:
    """A linked user may tell a name or handle that was not known yet, and so turn out to be whom others spoke of."""
    awaited = _awaited(viewpoint, store)
    if awaited is not None:
        person = merging.unite(person, awaited, by=None, store=store, now=now)
    named = _named(person, viewpoint)
    if named != person:
        store.keep(named)
        _ask_about(_namesakes(viewpoint, store), named, viewpoint, store, now)
    return named


def _ask_about(namesakes: Iterable[Person], person: Person, viewpoint: Viewpoint, store: Store, now: datetime) -> None:
    """Neither a name nor an id links: whoever spoke of somebody so called is asked whether it is this user."""
    for namesake in namesakes:
        if namesake.id != person.id and namesake.user_id is None and namesake.created_by is not None:
            asked = Review(
                tenant=person.tenant,
                asker=namesake.created_by,
                one=namesake.id,
                other=person.id,
                reason="display_name" if viewpoint.display_name else "user_id",
                at=now,
            )
            store.keep(asked)


def _namesakes(viewpoint: Viewpoint, store: Store) -> Iterable[Person]:
    """Everybody of the user's name, or of a word of it: "my wife Sukhpreet" may be Sukhpreet Sembhi."""
    tenant, called = viewpoint.tenant, viewpoint.display_name or (None if viewpoint.username else viewpoint.user)
    if not called:
        return ()
    found = {person.id: person for person in store.people(PeopleQuery(tenant=tenant, name=name_key(called)))}
    words = called.split()
    for word in words if len(words) > 1 else ():
        for person in store.people(PeopleQuery(tenant=tenant, name=name_key(word))):
            if len(word) >= NAME_MIN and is_part_of(word, called):
                found.setdefault(person.id, person)
    return found.values()


def gather(viewpoint: Viewpoint, store: Store, now: datetime) -> tuple[View, Person | None]:
    """The view of a writer, and who that is: everybody present has a person, and took part in the chat.

    In a transaction.
    """
    tenant = viewpoint.tenant
    own = ensure_user(viewpoint, store, now) if viewpoint.user is not None else None
    present = [own.id] if own is not None else []
    for one in viewpoint.participants:
        if one != viewpoint.user:
            person = participant(one, tenant, store) or ensure_user(Viewpoint(tenant=tenant, user=one), store, now)
            present.append(person.id)
    if viewpoint.chat is not None and present:
        store.keep(
            Attendance(
                tenant=tenant, chat=viewpoint.chat, chat_type=viewpoint.chat_type, person_ids=tuple(present), at=now
            )
        )
    return view_of(viewpoint, store, now, own=own), own


def participant(named: str, tenant: str, store: Store) -> Person | None:
    """A user by the id, byte for byte; else a person by id or handle. Never by a name."""
    person = store.person(tenant, user=named)
    if person is not None:
        return person
    if named.startswith("@"):
        holding = _holding_handle(named, tenant, store)
        return holding[0] if len(holding) == 1 else None
    return store.person(tenant, named)


def view_of(viewpoint: Viewpoint, store: Store, now: datetime, *, own: Person | None = None) -> View:
    """The viewpoint with its people as ids; nothing is written. Narrow it with `dataclasses.replace`.

    Somebody who has never written is already the one whom others called by this handle, as writing will link them.
    """
    tenant = viewpoint.tenant
    users = [viewpoint.user] if viewpoint.user is not None else []
    named = [one for one in viewpoint.participants if one != viewpoint.user]
    known = store.persons(tenant, users=named) if named else {}
    if own is None and viewpoint.user is not None:
        own = store.person(tenant, user=viewpoint.user, is_whole=False) or _awaited(viewpoint, store)
    asker = frozenset[str]().union(*(_present(user, own) for user in users))
    others = frozenset[str]().union(
        *(_present(one, known.get(one) or participant(one, tenant, store)) for one in named)
    )
    present = asker | others
    if viewpoint.chat_type == "group" and viewpoint.chat is not None and not others:
        present |= store.attendance(tenant, [viewpoint.chat]).get(viewpoint.chat, frozenset())
    return View(
        tenant=tenant,
        now=now,
        user=viewpoint.user,
        person=None if own is None else own.id,
        chat=viewpoint.chat,
        chat_type=viewpoint.chat_type,
        present=present,
        partners=frozenset() if viewpoint.chat_type == "group" else others or asker,
        persona=viewpoint.persona,
        spaces=_spaces(viewpoint),
    )


def _present(user: str, person: Person | None) -> frozenset[str]:
    """A user without a person is still somebody who hears: an id that no memory is about."""
    return frozenset({f"user:{user}" if person is None else person.id})


def _spaces(viewpoint: Viewpoint) -> tuple[tuple[Space, str], ...]:
    owners = (
        (Space.SESSION, viewpoint.session),
        (Space.USER, viewpoint.user),
        (Space.CHAT, viewpoint.chat),
        (Space.PROJECT, viewpoint.project),
        (Space.SYSTEM, SYSTEM_OWNER),
    )
    return tuple((space, owner) for space, owner in owners if owner is not None)


def resolve(
    reference: Reference, *, speaker: str | None, view: View, store: Store, now: datetime, is_confided: bool = False
) -> Resolved:
    """Find or make the person a speaker means, and keep what the words teach about them. In a transaction.

    What is confided teaches nothing about people whom others know of; somebody new is nobody's (`created_by` is None),
    and so known only where a memory about them may be seen.
    """
    if reference.is_speaker:
        own = store.person(view.tenant, user=speaker) if speaker is not None else None
        return Resolved(person=own, verdict=Verdict.EXISTING if own else Verdict.AMBIGUOUS, reason="speaker")
    anchor: str | None = None
    if reference.of is not None and not reference.of.is_speaker:
        of = resolve(reference.of, speaker=speaker, view=view, store=store, now=now, is_confided=is_confided)
        if of.person is None:
            return replace(of, reason="whose_relation")
        anchor = of.person.id
    known = known_to(speaker, view, store, anchor=anchor, handle=reference.handle)
    decision = decide(reference, known)
    if decision.verdict in (Verdict.AMBIGUOUS, Verdict.SEVERAL):
        return Resolved(person=None, verdict=decision.verdict, reason=decision.reason, candidates=decision.candidates)
    if is_confided:
        if decision.verdict is Verdict.CREATE:
            new = Person(id=_new_id(speaker, view, store), tenant=view.tenant, created_by=None, created_at=now)
            person = confided(new, reference, resolution.stated(reference, known), by=speaker)
            store.keep(person)
        else:
            person = _stored(view.tenant, decision.person_id, store)
        return Resolved(person=person, verdict=decision.verdict, reason=decision.reason)
    person = _met(decision, speaker=speaker, view=view, store=store, now=now)
    person = _taught(person, reference, known, store, now)
    if speaker is not None:
        for other in decision.review:
            doubt = Review(
                tenant=view.tenant, asker=speaker, one=person.id, other=other, reason=decision.reason, at=now
            )
            store.keep(doubt)
    return Resolved(person=person, verdict=decision.verdict, reason=decision.reason)


def known_to(
    speaker: str | None, view: View, store: Store, *, anchor: str | None = None, handle: str | None = None
) -> Known:
    """The people a viewpoint knows, each as the speaker may see them."""
    reachable = store.people(PeopleQuery(tenant=view.tenant, name=name_key(handle))) if handle is not None else ()
    people = besides_namesakes(store.people(KnownTo(view=view, limit=PEOPLE_MAX)))
    heard = _heard(people, speaker, view, store)
    return Known(
        speaker=speaker,
        own=view.person,
        people=tuple(seen_by(one, speaker, heard=heard.get(one.id, frozenset())) for one in people),
        anchor=anchor,
        reachable=tuple(seen_by(person, speaker) for person in reachable),
    )


def _heard(people: Sequence[Person], speaker: str | None, view: View, store: Store) -> Mapping[str, frozenset[str]]:
    """Person → users of whom the viewpoint sees a memory that says what this person is or is called."""
    told = {person.id: tellers(person, speaker) for person in people if tellers(person, speaker)}
    if not told:
        return {}
    users = sorted(frozenset[str]().union(*told.values()))
    speakers = {own.id: user for user in users if (own := store.person(view.tenant, user=user)) is not None}
    heard: dict[str, set[str]] = {}
    for memory in store.seen(view, Listing(filter=Filter(about=frozenset(sorted(told))), limit=PEOPLE_MAX)):
        user = speakers.get(memory.stated_by or "")
        if user is not None and memory.type is MemoryType.RELATIONSHIP:
            for subject in memory.subject_person_ids:
                heard.setdefault(subject, set()).add(user)
    return {person_id: frozenset(found) for person_id, found in heard.items()}


def _met(decision: Resolution, *, speaker: str | None, view: View, store: Store, now: datetime) -> Person:
    """The person of a decision, as stored or new."""
    match decision.verdict:
        case Verdict.EXISTING | Verdict.RENAME:
            return _stored(view.tenant, decision.person_id, store)
        case Verdict.MERGE:
            named = _stored(view.tenant, decision.person_id, store)
            unnamed = _stored(view.tenant, decision.merged_id, store)
            return merging.unite(named, unnamed, by=speaker, store=store, now=now)
        case Verdict.CREATE:
            return Person(id=_new_id(speaker, view, store), tenant=view.tenant, created_by=speaker, created_at=now)
        case Verdict.AMBIGUOUS | Verdict.SEVERAL:
            raise AssertionError("no one person is meant")
    assert_never(decision.verdict)


def _stored(tenant: str, person_id: str | None, store: Store) -> Person:
    person = store.person(tenant, person_id) if person_id is not None else None
    if person is None:
        raise PersonNotFound(str(person_id))
    return person


def _new_id(speaker: str | None, view: View, store: Store) -> str:
    """Counted per speaker, so that nobody's ids tell of other people's data."""
    if speaker is not None:
        return store.next_id(view.tenant, Space.USER, speaker, "person")
    if view.chat is not None:
        return store.next_id(view.tenant, Space.CHAT, view.chat, "person")
    return store.next_id(view.tenant, Space.SYSTEM, SYSTEM_OWNER, "person")


def _taught(person: Person, reference: Reference, known: Known, store: Store, now: datetime) -> Person:
    """Keep the name, handle and relation that a reference brings; whoever held a single place before, leaves it."""
    new = resolution.stated(reference, known)
    learned = learn(person, reference, new, by=known.speaker)
    if learned != person or store.person(person.tenant, person.id) is None:
        store.keep(learned)
    if person.name is None and learned.name is not None:
        merging.name_in_what_was_told(learned, store, now)
    for other in known.people if new is not None else ():
        if new is not None and other.id != person.id and ending(other, new):
            store.keep(leave_place(_stored(other.tenant, other.id, store), new))
    return learned


def look_up(words: str, *, view: View, store: Store) -> Person:
    """The one person that a person id, a name, a handle or "my wife" means for the asker; nothing is written."""
    found = meant(words, view=view, store=store) if view.knows_people else ()
    if len(found) > 1:
        raise Ambiguous(words, _shown(found, view))
    if not found:
        raise PersonNotFound(words)
    return found[0]


def brought(words: str, *, view: View, store: Store) -> str:
    """Somebody who is there, as a viewpoint takes it: a user id first, else a name that the asker uses.

    A name must be the very name, letter case aside: who is only called alike is not brought into a room. Words that
    mean nobody are the id of a user who was not heard of yet.
    """
    if store.person(view.tenant, user=words) is not None or store.person(view.tenant, words) is not None:
        return words
    reference = parse(words)
    if reference.is_speaker:
        return words
    decision = decide(reference, known_to(view.user, view, store, handle=reference.handle))
    if decision.verdict in (Verdict.AMBIGUOUS, Verdict.SEVERAL) and decision.candidates:
        raise Ambiguous(words, _shown(store.persons(view.tenant, decision.candidates).values(), view))
    if decision.verdict is not Verdict.EXISTING or decision.reason == "alike":
        return words
    found = _stored(view.tenant, decision.person_id, store)
    return found.user_id or found.id


def meant(words: str, *, view: View, store: Store) -> tuple[Person, ...]:
    """Everybody the words mean: the same, and all known ones for "my kids". Nobody is no error."""
    by_id = _by_id(words, view, store)
    return (by_id,) if by_id is not None else _looked_up(parse(words), view, store)


def _shown(people: Iterable[Person], view: View) -> tuple[str, ...]:
    shown = [seen_by(person, view.user) for person in people]
    return tuple(f"{_described(person, view)} ({person.id})" for person in shown)


def _described(person: Person, view: View) -> str:
    """A name with what tells its holder from another of that name."""
    name, relation = label(person, asker=view.user), relation_to(person, view.user)
    if relation is None or relation in name:
        return name
    return f"{name} {relation}" if relation.startswith(MET) else f"{name}, your {relation}"


def _by_id(words: str, view: View, store: Store) -> Person | None:
    """By id, or a beginning of one: of the people the asker knows, for an id is no right to know."""
    person = store.person(view.tenant, words)
    if person is not None and (view.user is None or person.id == view.person):
        return person
    if person is None and (not words.startswith("p_") or len(words) < PREFIX_MIN):
        return None
    begins = words if person is None else person.id
    found = [one for one in store.people(KnownTo(view=view, limit=PEOPLE_MAX)) if one.id.startswith(begins)]
    if len(found) > 1:
        raise Ambiguous(words, tuple(one.id for one in found))
    return found[0] if found else None


def _looked_up(reference: Reference, view: View, store: Store) -> tuple[Person, ...]:
    if reference.is_speaker:
        own = store.person(view.tenant, view.person) if view.person is not None else None
        return () if own is None else (own,)
    anchor = None
    if reference.of is not None and not reference.of.is_speaker:
        of = _looked_up(reference.of, view, store)
        if len(of) != 1:
            return ()
        anchor = of[0].id
    decision = decide(reference, known_to(view.user, view, store, anchor=anchor, handle=reference.handle))
    ids = decision.candidates if decision.person_id is None else (decision.person_id,)
    found = store.persons(view.tenant, ids)
    if decision.verdict is Verdict.AMBIGUOUS:
        raise Ambiguous(reference.text, _shown(found.values(), view))
    return tuple(found.values())


def may_change(person: Person, view: View) -> bool:
    """The creator or the person; work without a user is the system's own."""
    return view.user is None or view.user in (person.created_by, person.user_id)
