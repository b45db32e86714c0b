"""From a viewpoint to what it may see, and from person ids to the names its asker uses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from wellkept.errors import Ambiguous, PersonNotFound
from wellkept.flows.people import identity
from wellkept.judges.base import Fact
from wellkept.patterns import deferred
from wellkept.policies.people.names import any_of
from wellkept.policies.people.persons import label, names_of, relation_to, seen_by
from wellkept.policies.summaries import Conversation
from wellkept.policies.visibility import PROCEDURAL
from wellkept.store.contract import Filter, KnownTo, Listing, Opening, Place
from wellkept.store.parts.sessions import GROUP
from wellkept.values import changed
from wellkept.vocabulary import Kind, Sensitivity, Space

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.policies.visibility import View
    from wellkept.types import Memory, Message, Person, Recall, Relationship, Viewpoint

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
    view = _with_options(identity.view_of(viewpoint, engine.store, now, own=own), engine, as_of)
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
    view, own = identity.gather(viewpoint, engine.store, now)
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
            meant = identity.meant(engine.entities.name(text), view=view, store=engine.store)
        except Ambiguous as error:
            if number >= strict:
                continue
            # The candidates are told with what they are to the asker.
            raise error if view.knows_people else PersonNotFound(text) from None
        if not meant and number < strict:
            raise PersonNotFound(text)
        found.update((person.id, person) for person in meant)
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
