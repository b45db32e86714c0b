"""Who is meant: a reference and the people its speaker knows, to one person, a new one, or nobody."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from recollect.policies import relations
from recollect.policies.names import Gender, Likeness, is_full, is_part_of, likeness, normalise, untitled
from recollect.types import Person, Reference, Relationship


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


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
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
        """What the speaker said the person is to the one meant."""
        to = {self.known.anchor} if self.known.anchor is not None else {self.known.own, None}
        return tuple(
            one.relationship
            for one in person.relationships
            if one.stated_by == self.known.speaker and one.other_person_id in to
        )


def relation_word(word: str) -> str:
    """The canonical relation; a word that the lexicon lacks stands for itself."""
    return relations.canonical(word) or normalise(word)


def decide(reference: Reference, known: Known) -> Resolution:
    """Who is meant. First what this speaker calls somebody, then exact names, then likeness, else a new person."""
    said = _Said(
        name=reference.name,
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
    called = tuple(person for person in known.people if norm in {normalise(name) for name in _names(person)})
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
    named = _closest(said, tuple(person for person in holding if _names(person)), Likeness.VARIANT)
    if named:
        return _one_of(named, "relation_and_name")
    unnamed = tuple(person for person in holding if not _names(person))
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
        if one.stated_by == said.known.speaker and relations.fits(word, relations.inverse(one.relationship) or "")
    }
    straight += [person for person in said.others if person.id in back and person not in straight]
    return tuple(straight)


def _by_name(said: _Said) -> Resolution:
    pool = tuple(person for person in said.others if _may_be(said, person))
    norm = normalise(said.name or "")
    called = tuple(person for person in pool if _is_so_called(person, norm, said.known.speaker))
    if said.relation is None and len(called) == 1:
        return _one_of((*called, *_sharing(said, pool, called)), "speaker_alias")
    exact = tuple(person for person in pool if _is_exactly(person, norm))
    if exact:
        is_by_name = any(normalise(person.name or "") == norm for person in exact)
        return _one_of(exact if is_by_name else (*exact, *_sharing(said, pool, exact)), "exact")
    alike = _closest(said, pool, Likeness.SOUND)
    if alike:
        return _one_of(alike, "alike")
    return Resolution(verdict=Verdict.CREATE, reason="new_name", review=_doubtful(said))


def _sharing(said: _Said, pool: tuple[Person, ...], called: tuple[Person, ...]) -> tuple[Person, ...]:
    """Others whose name has the said one in it: Robert Hayes is called Bob, but there is a Bob Larsen too."""
    return tuple(
        person for person in pool if person not in called and person.name and is_part_of(said.name or "", person.name)
    )


def _doubtful(said: _Said) -> tuple[str, ...]:
    """Who sounds alike, or has the name in another relation that one person may well have too."""
    found = []
    for person in said.others:
        alike = _likeness(said.name or "", person)
        if _may_be(said, person):
            is_doubtful = alike is Likeness.VARIANT
        else:
            held = said.relations_of(person)
            coincides = any(relations.may_coincide(said.relation or "", one) for one in held)
            is_doubtful = alike >= Likeness.SOUND and said.relation is not None and coincides
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
    titles = (untitled(name).gender for name in _names(person))
    words = (relations.gender(one.relationship) for one in person.relationships if one.stated_by == speaker)
    return next((gender for gender in (*titles, *words) if gender is not None), None)


def _names(person: Person) -> tuple[str, ...]:
    return tuple(name for name in (person.name, *(alias.value for alias in person.aliases)) if name)


def _is_short(person: Person, alias: str) -> bool:
    """An alias that is only a part of the name is no name of its own: others may share it."""
    return person.name is not None and is_part_of(alias, person.name)


def _is_so_called(person: Person, norm: str, speaker: str | None) -> bool:
    return any(
        alias.added_by == speaker and normalise(alias.value) == norm and not _is_short(person, alias.value)
        for alias in person.aliases
    )


def _is_exactly(person: Person, norm: str) -> bool:
    return any(normalise(name) == norm and not _is_short(person, name) for name in _names(person))


def _likeness(name: str, person: Person) -> Likeness:
    """The best of the names that tell something of their own.

    An alias that is the name in another spelling or a part of it does not; and two full names are compared as such:
    that Robert Hayes is called Bob makes him no Bob Larsen.
    """
    held = [person.name] if person.name else []
    for alias in person.aliases:
        is_own = person.name is None or likeness(alias.value, person.name) is not Likeness.EQUAL
        if is_own and not _is_short(person, alias.value):
            held.append(alias.value)
    full = [one for one in held if is_full(one)] if is_full(name) else []
    return max((likeness(name, one) for one in full or held), default=Likeness.NONE)


def _closest(said: _Said, people: tuple[Person, ...], at_least: Likeness) -> tuple[Person, ...]:
    """Those whose name is the same if any is, else all who are alike enough."""
    scored = [(person, _likeness(said.name or "", person)) for person in people]
    alike = tuple((person, how) for person, how in scored if how >= at_least)
    same = tuple(person for person, how in alike if how is Likeness.EQUAL)
    return same or tuple(person for person, _ in alike)


def stated(reference: Reference, known: Known) -> Relationship | None:
    """The relationship that a reference states, as it is kept."""
    if reference.relation is None:
        return None
    word = relation_word(reference.relation)
    return Relationship(relationship=word, stated_by=known.speaker, other_person_id=known.anchor or known.own)
