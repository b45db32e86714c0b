"""Persons as values: what they learn to be called and to be, who may see it, and two of them as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wellkept.policies.people.names import normalise
from wellkept.policies.people.relations import FORMER, holders, relation
from wellkept.types import Alias, Person, Reference, Relationship

UNNAMED = "somebody"


def handle_of(person: Person) -> str | None:
    """The handle a person is reached by, with its @."""
    return next((alias.value for alias in person.aliases if alias.value.startswith("@")), None)


def _handles(person: Person) -> frozenset[str]:
    return frozenset(name.casefold() for name in names_of(person) if name.startswith("@"))


def takes_handle(person: Person, name: str) -> bool:
    """Whether a user would be reached by another handle: who has which is told by the application, not by people."""
    return person.user_id is not None and name.startswith("@") and name.casefold() not in _handles(person)


def takes_identity(user: Person, met: Person) -> bool:
    """Whether to make these two one would make a user another user, or somebody whom another handle reaches."""
    return met.user_id not in (None, user.user_id) or not _handles(met) <= _handles(user)


def label(person: Person, *, asker: str | None = None, own: str | None = None) -> str:
    """What to call a person before this asker: name, handle, the relation the asker stated, another alias.

    `own` is the asker's person: with it, somebody else's daughter is not "your daughter".
    """
    said = relation_to(person, asker, own=own)
    aliases = (alias.value for alias in sorted(person.aliases, key=lambda alias: alias.added_by != asker))
    return person.name or handle_of(person) or (f"your {said}" if said else next(aliases, UNNAMED))


def relation_to(person: Person, asker: str | None, *, own: str | None = None) -> str | None:
    """What the person is to this asker, as the asker said it; what is over comes last.

    `own` is the asker's person: with it, what somebody is to others ("my brother's girlfriend") is left out.
    """
    ours = {None, own}
    said = [
        one.relationship
        for one in person.relationships
        if asker is not None and one.stated_by == asker and (own is None or one.other_person_id in ours)
    ]
    return min(said, key=lambda word: word.startswith(FORMER), default=None)


def seen_by(person: Person, asker: str | None, *, heard: frozenset[str] = frozenset()) -> Person:
    """The person without the aliases and relationships that others stated; handles are for all.

    `heard` are the users whose statements about the person the asker may see.
    """
    if asker is not None and person.user_id == asker:
        return person
    trusted = {None, asker, *heard}
    return replace(
        person,
        aliases=tuple(one for one in person.aliases if one.added_by in trusted or one.value.startswith("@")),
        relationships=tuple(one for one in person.relationships if one.stated_by in trusted),
    )


def tellers(person: Person, asker: str | None) -> frozenset[str]:
    """The other users who stated an alias or a relationship of the person."""
    said = {alias.added_by for alias in person.aliases} | {tie.stated_by for tie in person.relationships}
    return frozenset(user for user in said if user is not None and user != asker)


def names_of(person: Person) -> tuple[str, ...]:
    """The name and every alias."""
    return tuple(name for name in (person.name, *(alias.value for alias in person.aliases)) if name)


def is_called(person: Person, name: str) -> bool:
    """Whether the name is already the person's name or one of the aliases."""
    norm = normalise(name)
    return any(norm == normalise(held) for held in names_of(person))


def with_alias(person: Person, value: str, *, by: str | None) -> Person:
    """The person also called so by that user; a handle is kept beside an equal name."""
    held = {alias.value.casefold() for alias in person.aliases}
    if value.casefold() in held or (not value.startswith("@") and is_called(person, value)):
        return person
    return replace(person, aliases=(*person.aliases, Alias(value=value, added_by=by)))


def with_name(person: Person, name: str, *, by: str | None) -> Person:
    """The person under a new name; an earlier one stays as an alias."""
    aliases = person.aliases
    if person.name is not None and normalise(person.name) != normalise(name):
        aliases = (*aliases, Alias(value=person.name, added_by=by))
    return replace(person, name=name, aliases=aliases)


def _is_replaced(old: Relationship, new: Relationship) -> bool:
    """Girlfriend becomes wife, former wife becomes wife again: one love at a time to the same person."""
    if (old.stated_by, old.other_person_id) != (new.stated_by, new.other_person_id):
        return False
    was, now = relation(old.relationship.removeprefix(FORMER)), relation(new.relationship)
    return was is not None and now is not None and {was.circle, now.circle} <= {"love", "past"}


def with_relationship(person: Person, new: Relationship) -> Person:
    """The person in this relation, which replaces an earlier stage of the same love."""
    if new in person.relationships:
        return person
    kept = tuple(old for old in person.relationships if not _is_replaced(old, new))
    return replace(person, relationships=(*kept, new))


def without_relationship(person: Person, ended: Relationship) -> Person:
    """The person for whom somebody else took the place: the relation becomes a former one."""
    former = replace(ended, relationship=f"{FORMER}{ended.relationship}")
    changed = tuple(former if held == ended else held for held in person.relationships)
    return replace(person, relationships=tuple(dict.fromkeys(changed)))


def learn(person: Person, reference: Reference, new: Relationship | None, *, by: str | None) -> Person:
    """The person with the name, the handle and the relation that a reference brings.

    Only the creator or the person gives a name; from others it is what they call them. A user's handle is told by the
    application alone.
    """
    if reference.name is not None:
        is_naming = person.name is None and by in (person.created_by, person.user_id)
        person = (with_name if is_naming else with_alias)(person, reference.name, by=by)
    if reference.handle is not None and person.user_id is None:
        person = with_alias(person, f"@{reference.handle.removeprefix('@')}", by=by)
    return person if new is None else with_relationship(person, new)


def confided(new: Person, reference: Reference, tie: Relationship | None, *, by: str | None) -> Person:
    """Somebody new of whom only a confidence tells; a trace of whose it was is kept, for when they are erased."""
    person = learn(new, reference, tie, by=None)
    if tellers(person, None):
        return person
    called = Alias(value=person.name or reference.text, added_by=by)
    return replace(person, aliases=(*person.aliases, called))


def besides_namesakes(people: Sequence[Person]) -> tuple[Person, ...]:
    """Without those who were only confided, where somebody of the same name is openly known: that one is meant."""
    openly = {normalise(one.name) for one in people if one.name and (one.created_by or one.user_id)}
    return tuple(one for one in people if one.created_by or one.user_id or normalise(one.name or "") not in openly)


def leave_place(person: Person, new: Relationship) -> Person:
    """The person after somebody else came to hold the new relation."""
    for ended in ending(person, new):
        person = without_relationship(person, ended)
    return person


def ending(person: Person, new: Relationship) -> tuple[Relationship, ...]:
    """The relations of this person that end when somebody else comes to hold the new one."""
    if holders(new.relationship) != "one":
        return ()
    place = (new.relationship, new.stated_by, new.other_person_id)
    return tuple(one for one in person.relationships if (one.relationship, one.stated_by, one.other_person_id) == place)


def united(primary: Person, secondary: Person) -> Person:
    """Two persons as one: aliases and relationships together, the secondary's name becomes an alias."""
    merged = primary
    if secondary.name is not None:
        merged = (
            replace(merged, name=secondary.name)
            if merged.name is None
            else with_alias(merged, secondary.name, by=secondary.created_by)
        )
    for alias in secondary.aliases:
        merged = with_alias(merged, alias.value, by=alias.added_by)
    relationships = (
        replace(one, other_person_id=primary.id) if one.other_person_id == secondary.id else one
        for one in (*merged.relationships, *secondary.relationships)
    )
    kept = tuple(dict.fromkeys(one for one in relationships if one.other_person_id != primary.id))
    return replace(merged, relationships=kept, user_id=merged.user_id or secondary.user_id)


def divided(now: Person, before: Person, secondary: Person) -> Person:
    """The primary after a split: without what came with the secondary, with what it learned since."""
    came = {normalise(name) for name in names_of(secondary)}
    took_name = before.name is None and now.name is not None and now.name == secondary.name
    ties = tuple(tie for tie in now.relationships if tie in before.relationships or tie not in secondary.relationships)
    lost = tuple(tie for tie in before.relationships if tie.other_person_id == secondary.id)
    return replace(
        now,
        name=None if took_name else now.name,
        aliases=tuple(one for one in now.aliases if one in before.aliases or normalise(one.value) not in came),
        relationships=tuple(dict.fromkeys((*ties, *lost))),
        user_id=before.user_id,
    )
