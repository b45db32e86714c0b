"""Who is meant: a reference and the people its speaker knows, to one person, a new one, or nobody."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from wellkept.policies.people import relations
from wellkept.policies.people.names import (
    Gender,
    Likeness,
    begins,
    is_endearing,
    is_full,
    is_longest,
    is_part_of,
    is_titled,
    likeness,
    normalise,
    untitled,
)
from wellkept.policies.people.persons import names_of
from wellkept.types import Person, Reference, Relationship
from wellkept.values import frozen


class Verdict(StrEnum):
    """What becomes of a reference."""

    EXISTING = "existing"
    RENAME = "rename"
    """An unnamed person got a name."""
    MERGE = "merge"
    """An unnamed person turns out to be a named one: "my daughter" is the Sofia spoken of before."""
    CREATE = "create"
    AMBIGUOUS = "ambiguous"
    SEVERAL = "several"
    """More than one is meant ("my kids"): all candidates, perhaps none that is known."""


@frozen
class Resolution:
    """Who is meant, and by which rule."""

    verdict: Verdict
    reason: str
    person_id: str | None = None
    merged_id: str | None = None
    """The unnamed person that becomes `person_id`, when the verdict is `merge`."""
    candidates: tuple[str, ...] = ()
    """Whom the words fit, when they fit or mean several."""
    review: tuple[str, ...] = ()
    """Whom the new person may be after all: for somebody to look at."""


@frozen
class Known:
    """What a speaker has in mind: the people they know, as they may see them."""

    speaker: str | None
    own: str | None = None
    """The speaker's person."""
    people: tuple[Person, ...] = ()
    anchor: str | None = None
    """Whose relation is meant, when it is not the speaker's own."""
    reachable: tuple[Person, ...] = ()
    """Whoever holds the handle that the reference has, known or not."""


@frozen
class _Said:
    name: str | None
    relation: str | None
    gender: Gender | None
    is_several: bool
    known: Known

    @property
    def others(self) -> tuple[Person, ...]:
        """Nobody is their own brother."""
        mine = self.known.anchor or (self.known.own if self.relation else None)
        return tuple(person for person in self.known.people if person.id != mine)

    def relations_of(self, person: Person) -> tuple[str, ...]:
        """What the person is to the one meant: as the speaker said, and for others as the speaker may have heard."""
        anchor = self.known.anchor
        if anchor is not None:
            return tuple(one.relationship for one in person.relationships if one.other_person_id == anchor)
        to = {self.known.own, None}
        mine = (one for one in person.relationships if one.stated_by == self.known.speaker)
        return tuple(one.relationship for one in mine if one.other_person_id in to)


def relation_word(word: str) -> str:
    """The canonical relation; a word that the lexicon lacks stands for itself."""
    return relations.canonical(word) or normalise(word)


def decide(reference: Reference, known: Known) -> Resolution:
    """Who is meant. First what this speaker calls somebody, then exact names, then likeness, else a new person."""
    said = _Said(
        # "My friend @dana" is no friend of another name.
        name=reference.name
        or (reference.handle.removeprefix("@") if reference.handle and reference.relation else None),
        relation=relation_word(reference.relation) if reference.relation else None,
        gender=_gender_said(reference),
        is_several=reference.name is None and relations.is_several(reference.text),
        known=known,
    )
    if reference.handle is not None:
        by_handle = _by_handle(reference.handle, known)
        if by_handle is not None:
            return by_handle
    if said.relation is not None:
        return _by_relation(said)
    if said.name is not None:
        return _by_name(said)
    return Resolution(verdict=Verdict.CREATE, reason="new_handle")


def _gender_said(reference: Reference) -> Gender | None:
    told = untitled(reference.name).gender if reference.name else None
    return told or (relations.gender(relation_word(reference.relation)) if reference.relation else None)


def _one_of(people: tuple[Person, ...], reason: str) -> Resolution:
    if len(people) == 1:
        return Resolution(verdict=Verdict.EXISTING, reason=reason, person_id=people[0].id)
    return Resolution(verdict=Verdict.AMBIGUOUS, reason=reason, candidates=tuple(person.id for person in people))


def _by_handle(handle: str, known: Known) -> Resolution | None:
    written = f"@{handle.removeprefix('@')}".casefold()
    pool = {person.id: person for person in (*known.reachable, *known.people)}
    holding = tuple(
        person for person in pool.values() if any(alias.value.casefold() == written for alias in person.aliases)
    )
    if holding:
        return _one_of(holding, "handle")
    norm = normalise(handle)
    called = tuple(person for person in known.people if norm in {normalise(name) for name in names_of(person)})
    return _one_of(called, "handle_as_name") if called else None


def _by_relation(said: _Said) -> Resolution:
    holding = _holding(said)
    if said.is_several:
        ids = tuple(person.id for person in holding)
        return Resolution(verdict=Verdict.SEVERAL, reason="relation", candidates=ids)
    if said.name is None:
        exact = tuple(person for person in holding if said.relation in said.relations_of(person))
        fitting = exact if len(exact) == 1 else holding
        return _one_of(fitting, "relation") if fitting else Resolution(verdict=Verdict.CREATE, reason="new_relation")
    named = _closest(said, tuple(person for person in holding if names_of(person)), Likeness.VARIANT)
    if named:
        return _one_of(named, "relation_and_name")
    unnamed = tuple(person for person in holding if not names_of(person))
    if len(unnamed) == 1:
        return _learn_name(said, unnamed[0])
    return _by_name(said)


def _learn_name(said: _Said, unnamed: Person) -> Resolution:
    """The unnamed holder gets the name, or turns out to be the one person who has it already."""
    pool = tuple(person for person in said.others if person.id != unnamed.id and _may_be(said, person))
    named = _closest(said, pool, Likeness.SOUND)
    if len(named) == 1:
        return Resolution(verdict=Verdict.MERGE, reason="name_learned", person_id=named[0].id, merged_id=unnamed.id)
    review = tuple(person.id for person in named)
    return Resolution(verdict=Verdict.RENAME, reason="name_learned", person_id=unnamed.id, review=review)


def _holding(said: _Said) -> tuple[Person, ...]:
    """Who is that to the one meant, as the speaker said, straight or from the other side."""
    word = said.relation or ""
    straight = [
        person for person in said.others if any(relations.fits(word, held) for held in said.relations_of(person))
    ]
    anchor = next((person for person in said.known.people if person.id == said.known.anchor), None)
    back = {
        one.other_person_id
        for one in (anchor.relationships if anchor is not None else ())
        if relations.fits(word, relations.inverse(one.relationship) or "")
    }
    straight += [person for person in said.others if person.id in back and person not in straight]
    return tuple(straight)


def _by_name(said: _Said) -> Resolution:
    pool = tuple(person for person in said.others if _may_be(said, person))
    norm = normalise(said.name or "")
    called = tuple(person for person in pool if _is_so_called(person, norm, said.known.speaker))
    if said.relation is None and called:
        return _one_of((*called, *_sharing(said, pool, called)), "speaker_alias")
    exact = tuple(person for person in pool if _is_exactly(person, norm))
    if exact:
        return _one_of((*exact, *_sharing(said, pool, exact)), "exact")
    alike = _closest(said, pool, Likeness.SOUND)
    if alike:
        return _one_of(alike, "alike")
    return Resolution(verdict=Verdict.CREATE, reason="new_name", review=_doubtful(said))


def _sharing(said: _Said, pool: tuple[Person, ...], called: tuple[Person, ...]) -> tuple[Person, ...]:
    """Others who may be meant as well: whom the speaker called so before, and whose name has the said one in it.

    One whose very name it is comes before the latter: John before John Smith.
    """
    norm = normalise(said.name or "")
    is_by_name = any(normalise(person.name or "") == norm for person in called)
    return tuple(
        person
        for person in pool
        if person not in called
        and (
            any(alias.added_by == said.known.speaker and normalise(alias.value) == norm for alias in person.aliases)
            or (not is_by_name and person.name is not None and is_part_of(said.name or "", person.name))
        )
    )


def _doubtful(said: _Said) -> tuple[str, ...]:
    """Who sounds alike, or has the name in another relation that one person may well have too."""
    found = []
    for person in said.others:
        alike = _likeness(said.name or "", person)
        if _may_be(said, person):
            is_doubtful = alike is Likeness.VARIANT or (alike is Likeness.NONE and _begins(said.name or "", person))
        else:
            held = said.relations_of(person)
            coincides = any(relations.may_coincide(said.relation or "", one) for one in held)
            is_doubtful = alike >= Likeness.VARIANT and said.relation is not None and coincides
        if is_doubtful:
            found.append(person.id)
    return tuple(found)


def _may_be(said: _Said, person: Person) -> bool:
    """No relation that contradicts, no other gender."""
    held = said.relations_of(person)
    if said.relation is not None and held and not any(relations.agree(said.relation, one) for one in held):
        return False
    gender = _gender(person, said.known.speaker)
    return said.gender is None or gender is None or said.gender == gender


def _gender(person: Person, speaker: str | None) -> Gender | None:
    titles = (untitled(name).gender for name in names_of(person))
    words = (relations.gender(one.relationship) for one in person.relationships if one.stated_by == speaker)
    return next((gender for gender in (*titles, *words) if gender is not None), None)


def _is_short(person: Person, alias: str) -> bool:
    """An alias that is only a part of the name is no name of its own: others may share it."""
    return person.name is not None and is_part_of(alias, person.name)


def _is_derived(person: Person, alias: str) -> bool:
    """An alias that likeness would find by itself, so that it decides nothing alone."""
    if person.name is None or alias == person.name:
        return False
    return likeness(alias, person.name) >= Likeness.SOUND or is_part_of(alias, person.name)


def _is_so_called(person: Person, norm: str, speaker: str | None) -> bool:
    """By an alias, or by the name that the speaker gave."""
    if person.created_by == speaker and person.user_id is None and normalise(person.name or "") == norm:
        return True
    return any(
        alias.added_by == speaker and normalise(alias.value) == norm and not _is_derived(person, alias.value)
        for alias in person.aliases
    )


def _is_exactly(person: Person, norm: str) -> bool:
    return any(normalise(name) == norm and not _is_derived(person, name) for name in names_of(person))


def _likeness(name: str, person: Person) -> Likeness:
    """The best of the names that tell something of their own.

    A part of the name does not; and two full names are compared as such: that Robert Hayes is called Bob makes him no
    Bob Larsen.
    """
    held = [one for one in names_of(person) if not _is_short(person, one)]
    full = [one for one in held if is_full(one)] if is_full(name) else []
    scored = {one: min(_compared(name, one), _worth(person, one)) for one in full or held}
    return max((how for one, how in scored.items() if not _is_outdone(one, scored)), default=Likeness.NONE)


def _worth(person: Person, held: str) -> Likeness:
    """An alias that follows from the name is worth no more than that: others may be called Bob too."""
    derived = likeness(held, person.name) if person.name is not None else Likeness.NONE
    is_shorter = derived >= Likeness.SOUND and len(held) <= len(person.name or "")
    return derived if is_shorter else Likeness.EQUAL


def _compared(said: str, held: str) -> Likeness:
    """Mr. Brown may or may not be Emily Brown, and is only one of those called Brown."""
    alike = likeness(said, held)
    if alike is Likeness.NICKNAME and is_full(held) and not is_full(said) and is_longest(said, held):
        # Who is known with a family name is known by the given name too: Ravi Shankar is no Ravindra.
        return Likeness.VARIANT
    if not is_titled(held) or is_titled(said) or is_full(held):
        return alike
    return min(alike, Likeness.VARIANT if is_full(said) else Likeness.SHORT)


def _is_outdone(name: str, scored: Mapping[str, Likeness]) -> bool:
    """Whether another name of the person says more: as long as Alex is Alexandra, Alexander is somebody else."""
    is_nickname = scored[name] is Likeness.NICKNAME
    for other, alike in scored.items():
        how = likeness(name, other) if other != name else Likeness.NONE
        is_formal = how is Likeness.NICKNAME and len(name) < len(other) and not _is_endearment(name, other)
        # Written with a hyphen, Mary Ann is no Mary.
        is_compound = "-" in other and how is Likeness.EQUAL and alike is Likeness.VARIANT
        if (is_nickname and is_formal and alike <= Likeness.VARIANT) or is_compound:
            return True
    return False


def _is_endearment(one: str, other: str) -> bool:
    return is_endearing(normalise(one), normalise(other))


def _closest(said: _Said, people: tuple[Person, ...], at_least: Likeness) -> tuple[Person, ...]:
    """Those whose name is the same, else all who are alike enough; a nickname may also be another's beginning."""
    name = said.name or ""
    scored = [(person, _likeness(name, person)) for person in people]
    same = tuple(person for person, how in scored if how is Likeness.EQUAL)
    if same:
        return same
    alike = tuple(person for person, how in scored if how >= at_least)
    is_nickname = any(how is Likeness.NICKNAME for _, how in scored)
    rivals = tuple(person for person in people if is_nickname and person not in alike and _begins(name, person))
    return (*alike, *rivals) if alike else ()


def _begins(name: str, person: Person) -> bool:
    return person.name is not None and begins(name, person.name)


def stated(reference: Reference, known: Known) -> Relationship | None:
    """The relationship that a reference states, as it is kept."""
    if reference.relation is None:
        return None
    word = relation_word(reference.relation)
    return Relationship(relationship=word, stated_by=known.speaker, other_person_id=known.anchor or known.own)
