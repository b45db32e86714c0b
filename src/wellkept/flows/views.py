"""Who is who: from viewpoints to what they may see, from words to the people they mean, from people to their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar, assert_never

from wellkept.errors import Ambiguous, InvalidInput, PersonNotFound
from wellkept.flows.write.transitions import row
from wellkept.judges.base import Fact
from wellkept.patterns import deferred
from wellkept.policies.people import resolution
from wellkept.policies.people.names import any_of, is_named, is_part_of, slug
from wellkept.policies.people.persons import (
    besides_namesakes,
    confided,
    divided,
    ending,
    label,
    learn,
    leave_place,
    names_of,
    relation_to,
    seen_by,
    tellers,
    united,
    with_alias,
    with_name,
)
from wellkept.policies.people.references import parse
from wellkept.policies.people.relations import MET
from wellkept.policies.people.resolution import Known, Resolution, Verdict, decide
from wellkept.policies.summaries import Conversation
from wellkept.policies.visibility import PROCEDURAL, View
from wellkept.policies.words import name_key
from wellkept.policies.writing import keys
from wellkept.store.contract import (
    Attendance,
    Change,
    Filter,
    HeldKey,
    KnownTo,
    Listing,
    Merge,
    NewPerson,
    Opening,
    PeopleQuery,
    Place,
    Review,
    Rewiring,
    Store,
    Told,
    UserLink,
)
from wellkept.store.parts.sessions import GROUP
from wellkept.types import Alias, Edge, Memory, Person, Reference, Relationship, Viewpoint
from wellkept.values import changed, frozen
from wellkept.vocabulary import EdgeKind, Kind, MemoryType, Sensitivity, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellkept.flows.engine import Engine
    from wellkept.types import Message, Recall


T = TypeVar("T")

_SPEAKER = deferred(r"\b[Tt]he user\b")
_FIRST_PERSON = deferred(r"(?<![\w'’.-])(?:I(?:['’]m| am|['’]ve| have)?|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself)(?![\w'’-])")

NAME_SLOT = "name"
YOU = "you"
"""How the asker is named in what is shown to them."""


def view_of(
    viewpoint: Viewpoint, engine: Engine, now: datetime, *, as_of: datetime | None = None, own: Person | None = None
) -> View:
    """What this viewpoint may see now, or could have seen of what was true at `as_of`. `own`: its user, if known."""
    view = _with_options(bare_view(viewpoint, engine.store, now, own=own), engine, as_of)
    return _bound(view, viewpoint.agent, engine)


def _bound(view: View, agent: str | None, engine: Engine) -> View:
    """A named agent reads what its allowlist has; procedures are for those alone whose allowlist names them."""
    allowed = engine.categories.of_agent(agent)
    if allowed is None:
        return view
    kinds = view.kinds | {Kind.PROCEDURAL} if PROCEDURAL in allowed else view.kinds
    return changed(view, categories=allowed, kinds=kinds)


def view_of_writer(viewpoint: Viewpoint, engine: Engine, now: datetime) -> tuple[View, Person | None]:
    """The same for somebody who writes, and who that is: everybody present becomes known and takes part in the chat."""
    open_places(viewpoint, engine, now)
    view, own = gather(viewpoint, engine.store, now)
    return _with_options(view, engine, None), own


def write_in(viewpoint: Viewpoint, engine: Engine, work: Callable[[], T]) -> T:
    """Do this in a transaction that only those wait for who write for the same user or in the same chat."""
    own = ((Space.USER, viewpoint.user),) if viewpoint.user is not None else ()
    return engine.store.write_in(viewpoint.tenant, own, work, chat=viewpoint.chat)


def place_of(viewpoint: Viewpoint) -> Place:
    """Where the messages of a viewpoint stand."""
    return Place(
        tenant=viewpoint.tenant,
        user=viewpoint.user,
        persona=viewpoint.persona,
        chat=viewpoint.chat,
        is_group=viewpoint.chat_type == "group",
    )


def conversation_of(viewpoint: Viewpoint) -> Conversation | None:
    """The user's with the persona; among others, the chat's, of which nothing but sessions is kept."""
    others = [one for one in viewpoint.participants if one != viewpoint.user]
    if viewpoint.chat_type == "private" and not others and viewpoint.user is not None:
        return Conversation(tenant=viewpoint.tenant, owner=viewpoint.user, persona=viewpoint.persona)
    where = viewpoint.chat or viewpoint.user
    if where is None:
        return None
    owner = f"{GROUP}{where}"
    return Conversation(tenant=viewpoint.tenant, owner=owner, persona=viewpoint.persona, is_alone=False)


def open_places(viewpoint: Viewpoint, engine: Engine, now: datetime) -> None:
    """The session and project that somebody writes in are open to them from now on. In a transaction."""
    named = ((Space.SESSION, viewpoint.session), (Space.PROJECT, viewpoint.project))
    places = [(space, owner) for space, owner in named if owner is not None]
    if viewpoint.user is not None and places:
        engine.store.keep(Opening(tenant=viewpoint.tenant, user=viewpoint.user, places=tuple(places), at=now))


def _with_options(view: View, engine: Engine, as_of: datetime | None) -> View:
    return changed(view, mode=engine.privacy.mode, fail_open=engine.privacy.fail_open, as_of=as_of)


def mentioned(texts: Sequence[str], view: View, engine: Engine, *, strict: int = 0) -> tuple[Person, ...]:
    """The people these words mean for the asker. The first `strict` of them must each mean somebody."""
    found: dict[str, Person] = {}
    for number, text in enumerate(texts):
        try:
            people = meant(engine.entities.name(text), view=view, store=engine.store)
        except Ambiguous as error:
            if number >= strict:
                continue
            # The candidates are told with what they are to the asker.
            raise error if view.knows_people else PersonNotFound(text) from None
        if not people and number < strict:
            raise PersonNotFound(text)
        found.update((person.id, person) for person in people)
    return tuple(found.values())


def persons(memory_people: Iterable[str], view: View, engine: Engine) -> Mapping[str, Person]:
    """People by id, each as the asker may see them."""
    found = engine.store.persons(view.tenant, tuple(sorted(set(memory_people))))
    return {person_id: seen_by(person, view.user) for person_id, person in found.items()}


def labels(person_ids: Iterable[str], known: Mapping[str, Person], view: View) -> tuple[str, ...]:
    """What the asker calls these people."""
    return tuple(
        YOU if person_id == view.person else label(known[person_id], asker=view.user)
        for person_id in person_ids
        if person_id in known
    )


def relations(person_ids: Iterable[str], known: Mapping[str, Person], view: View) -> tuple[str, ...]:
    """What these people are to the asker, where the asker said so."""
    mine = (known[person_id] for person_id in person_ids if person_id in known)
    found = (relation_to(person, view.user, own=view.person) for person in mine)
    return tuple(relation for relation in found if relation is not None)


def told(memory: Memory, known: Mapping[str, Person], view: View) -> str:
    """The text of a memory for this asker: "the user" and the "I" of somebody else's statement are named."""
    if memory.stated_by is None or memory.stated_by == view.person or memory.stated_by not in known:
        return memory.content
    name = label(known[memory.stated_by], asker=view.user)
    return named(memory.content, name, is_english=memory.language in (None, "en"))


def named(text: str, name: str, *, is_english: bool = True) -> str:
    """What a user said, with their name in the place of "the user" and "I"."""
    text = _SPEAKER.sub(name, text)
    return _FIRST_PERSON.sub(lambda said: _third_person(said[0], name), text) if is_english else text


def to_asker(memories: Sequence[Memory], viewpoint: Viewpoint, view: View, engine: Engine) -> tuple[Memory, ...]:
    """Memories that name the asker, with "the user" in the place of the name: told by them, or about them."""
    if view.person is None:
        return tuple(memories)
    own = engine.store.person(view.tenant, view.person)
    names = {viewpoint.display_name, *(names_of(own) if own is not None else ())}
    return tuple(
        _unnamed(memory, names | ({memory.source_display_name} if memory.stated_by == view.person else set()))
        if view.person == memory.stated_by or view.person in memory.subject_person_ids
        else memory
        for memory in memories
    )


def by_one_name(text: str, people: Iterable[Person]) -> str:
    """The text with each of these people called by one name, whatever alias or handle stands in it."""
    for person in people:
        name = label(person)
        pattern = any_of(other for other in names_of(person) if other != name)
        if pattern is not None and (person.name or name.startswith("@")):
            text = re.sub(pattern, name.replace("\\", r"\\"), text)
    return text


def own_name(viewpoint: Viewpoint, view: View, engine: Engine) -> str | None:
    """By what name the asker is known: as they said it, before what the application shows of them."""
    if view.person is None:
        return viewpoint.display_name
    for memory in engine.store.seen(view, Listing(filter=Filter(fact_keys=frozenset({NAME_SLOT})), limit=1)):
        said = re.search(re.escape(memory.value or ""), memory.content, re.IGNORECASE)
        if memory.stated_by == view.person and memory.value and said is not None:
            return said[0]
    own = engine.store.person(view.tenant, view.person)
    return own.name if own is not None and own.name else viewpoint.display_name


def _unnamed(memory: Memory, names: Iterable[str | None]) -> Memory:
    pattern = any_of(names)
    if pattern is None:
        return memory
    content = re.sub(pattern, lambda at: "The user" if at.start() == 0 else "the user", memory.content)
    return changed(memory, content=content)


def _third_person(said: str, name: str) -> str:
    """A word of the first person, of somebody with this name."""
    word = said.casefold()
    if word in ("my", "mine"):
        return f"{name}'s"
    if word == "myself":
        return "themself"
    return f"{name}{' is' if word.endswith('m') else ' has' if word.endswith('ve') else ''}"


def retold(memories: Sequence[Memory], view: View, engine: Engine) -> tuple[Memory, ...]:
    """Memories with their texts as this asker is told them: wherever a text is shown, "the user" is the asker alone."""
    speakers = {memory.stated_by for memory in memories if memory.stated_by not in (None, view.person)}
    if not speakers:
        return tuple(memories)
    known = persons(filter(None, speakers), view, engine)
    return tuple(changed(memory, content=told(memory, known, view)) for memory in memories)


def acquaintances(view: View, engine: Engine, *, limit: int) -> tuple[Person, ...]:
    """Whom the asker knows, as may be told to all who listen, latest first.

    Before others these are the people who are there and those whom something visible is about: whom the asker has
    spoken of elsewhere is nobody else's business, and what somebody is to them is left out where it is sensitive.
    """
    is_among_others = view.chat_type == "group"
    known = engine.store.people(KnownTo(view=view, limit=limit, is_here=is_among_others))
    seen = [seen_by(person, view.user) for person in known]
    if not is_among_others:
        return tuple(seen)
    told = [changed(one, relationships=tuple(filter(_is_tellable, one.relationships))) for one in seen]
    return tuple(one for one in told if one.name or one.aliases or one.relationships)


def _is_tellable(said: Relationship) -> bool:
    from wellkept.judges.english.worth.traits import sensitivity_of  # groups alone need the words

    return sensitivity_of(f"The user's {said.relationship}") is not Sensitivity.SENSITIVE


def speakers(messages: Sequence[Message], view: View, engine: Engine) -> Mapping[str, str]:
    """User id → what to call them before the asker, of all whose words these are."""
    users = sorted({one.user_id for one in messages if one.user_id is not None})
    known = engine.store.persons(view.tenant, users=users)
    return {user: label(seen_by(person, view.user), asker=view.user) for user, person in known.items()}


def facts(found: Recall, viewpoint: Viewpoint, engine: Engine) -> tuple[Fact, ...]:
    """Recalled memories as a judge reads them for an answer."""
    view = view_of(viewpoint, engine, engine.clock())
    told = [(hit, changed(hit.memory, content=hit.text)) for hit in found if hit.memory is not None]
    memories = to_asker([memory for _, memory in told], viewpoint, view, engine)
    known = persons((person for memory in memories for person in memory.subject_person_ids), view, engine)
    return tuple(
        Fact(
            memory=memory,
            similarity=hit.parts.get("similarity", 0.0) / (engine.rank.similarity or 1.0),
            score=hit.score,
            subjects=hit.about,
            relations=relations(memory.subject_person_ids, known, view),
        )
        for (hit, _), memory in zip(told, memories, strict=True)
    )


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
            is_first=True,
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
        person = unite(person, awaited, by=None, store=store, now=now)
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
    return bare_view(viewpoint, store, now, own=own), own


def participant(named: str, tenant: str, store: Store) -> Person | None:
    """A user by the id, byte for byte; else a person by id or handle. Never by a name."""
    person = store.person(tenant, user=named)
    if person is not None:
        return person
    if named.startswith("@"):
        holding = _holding_handle(named, tenant, store)
        return holding[0] if len(holding) == 1 else None
    return store.person(tenant, named)


def bare_view(viewpoint: Viewpoint, store: Store, now: datetime, *, own: Person | None = None) -> View:
    """The viewpoint with its people as ids; nothing is written. Narrow it with `dataclasses.replace`.

    Somebody who has never written is already the one whom others called by this handle, as writing will link them.
    """
    tenant = viewpoint.tenant
    named = [one for one in viewpoint.participants if one != viewpoint.user]
    known = store.persons(tenant, users=named) if named else {}
    if own is None and viewpoint.user is not None:
        own = store.person(tenant, user=viewpoint.user, is_whole=False) or _awaited(viewpoint, store)
    asker = frozenset[str]() if viewpoint.user is None else _present(viewpoint.user, own)
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
            return unite(named, unnamed, by=speaker, store=store, now=now)
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
        name_in_what_was_told(learned, store, now)
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


def unite(primary: Person, secondary: Person, *, by: str | None, store: Store, now: datetime) -> Person:
    """Make the secondary a part of the primary: every edge is moved, and every move is remembered.

    In a transaction; who may do so is asked elsewhere.
    """
    if primary.id == secondary.id or primary.merged_into is not None or secondary.merged_into is not None:
        raise InvalidInput("These are one person already; `wellkept people split` parts them.", code="already_merged")
    merge = _inventory(primary, secondary, by=by, store=store, now=now)
    whole = united(primary, secondary)
    store.keep(replace(secondary, relationships=(), merged_into=primary.id))
    store.keep(whole)
    for user in merge.users:
        store.keep(UserLink(tenant=whole.tenant, user=user, person_id=whole.id))
    for person in merge.related:
        # What others were to the secondary, they are to the primary.
        moved = (
            replace(one, other_person_id=_other(one.other_person_id, secondary.id, primary.id))
            for one in person.relationships
        )
        store.keep(replace(person, relationships=tuple(dict.fromkeys(moved))))
    _retell(merge, store, now, is_back=False)
    if whole.name != secondary.name:
        name_in_what_was_told(whole, store, now)
    add, drop = _attending(primary.id, merge.chats), _attending(secondary.id, (*merge.chats, *merge.shared_chats))
    store.keep(Rewiring(tenant=whole.tenant, add=add, drop=drop, at=now))
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
    for before in merge.related:
        person = store.person(tenant, before.id)
        if person is not None and person.id == before.id:
            store.keep(replace(person, relationships=_ties_back(person, before, secondary.id, primary.id)))
    _retell(merge, store, now, is_back=True)
    _hand_over(merge, store, now)
    add, drop = _attending(secondary.id, (*merge.chats, *merge.shared_chats)), _attending(rest.id, merge.chats)
    store.keep(Rewiring(tenant=tenant, add=add, drop=drop, at=now))
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


def _attending(person_id: str, chats: Sequence[str]) -> tuple[Edge, ...]:
    return tuple(Edge(kind=EdgeKind.PARTICIPATES_IN, src=person_id, dst=chat) for chat in chats)


def _retell(merge: Merge, store: Store, now: datetime, *, is_back: bool) -> None:
    """Move the memories of the secondary to the primary, or those that were its own back."""
    changes = []
    for told in merge.told:
        memory = store.memory(merge.tenant, told.memory_id)
        moved = None if memory is None else _moved(memory, told, merge, is_back=is_back)
        if memory is not None and moved is not None and moved != memory:
            changes.append(_of_merge(moved, merge, now, "person_split" if is_back else "person_merged"))
    store.apply(changes, at=now)


def _of_merge(moved: Memory, merge: Merge, now: datetime, reason: str) -> Change:
    return _changed(moved, now, reason, actor=merge.by, person=merge.secondary.id, other=merge.primary.id)


def _changed(memory: Memory, now: datetime, reason: str, *, actor: str | None = None, **payload: str) -> Change:
    after = replace(memory, version=memory.version + 1, updated_at=now)
    return Change(memory=after, entry=row("update", after, reason, node="admin", payload=payload, actor=actor))


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
        changes.append(_of_merge(_keyed_for(moved, primary, secondary), merge, now, "person_split"))
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
        is_free = store.memory(memory.tenant, HeldKey.of(named)) is None
        if named != memory and (is_free or named.memory_key == memory.memory_key):
            store.apply([_changed(named, now, "person_named", person=person.id)], at=now)


def _about(person: Person, store: Store) -> Iterator[Memory]:
    """Live memories about a person, whoever may see them."""
    for edge in store.edges(person.tenant, person.id, [EdgeKind.ABOUT]):
        memory = store.memory(person.tenant, edge.src)
        if memory is not None and memory.state is State.ACTIVE and "|" in (memory.memory_key or ""):
            yield memory


def _moved(memory: Memory, told: Told, merge: Merge, *, is_back: bool) -> Memory:
    old, new = merge.secondary.id, merge.primary.id
    if not is_back:
        subjects = _replaced(memory.subject_person_ids, old, new)
        return replace(memory, subject_person_ids=subjects, stated_by=_other(memory.stated_by, old, new))
    is_untouched = _replaced(told.subjects, old, new) == memory.subject_person_ids
    subjects = told.subjects if is_untouched else _returned(memory.subject_person_ids, told, old=old, new=new)
    speaker = old if told.stated_by == old and memory.stated_by == new else memory.stated_by
    return replace(memory, subject_person_ids=subjects, stated_by=speaker)


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
