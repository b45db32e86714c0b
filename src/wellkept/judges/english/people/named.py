"""Who is meant: the people that a clause names, and what they are to whom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.attributes import PRICED
from wellkept.judges.english.grammar.nouns import members
from wellkept.judges.english.people import relations
from wellkept.judges.english.people.callings import is_introduced
from wellkept.judges.english.people.given_names import is_camel
from wellkept.judges.english.slots import topics
from wellkept.policies.people.references import handle_in, named
from wellkept.types import Reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun

SPEAKER = Reference(text="I", is_speaker=True)


_PLACES_AND_FIRMS = lexicon.ORG_SUFFIXES | lexicon.PLACE_SUFFIXES


def is_person_name(noun: Noun, known: frozenset[str] = frozenset()) -> bool:
    """Whether a proper name is likely a person's, by itself."""
    if noun.name is None or (noun.head and noun.relation is None and noun.head not in lexicon.TITLES):
        return False
    whole, words = noun.name.casefold(), noun.name.split()
    first = words[0].casefold().rstrip(".")
    if whole in known:
        return True
    if whole in lexicon.TIME_NOUNS:
        return False
    if first in lexicon.FIRST_NAMES or first in lexicon.TITLES:
        return True
    if (
        first in topics.PLACES
        or first in topics.LANGUAGES
        or first in lexicon.ADJECTIVES
        or words[-1].casefold() in _PLACES_AND_FIRMS
        or first in topics.WORK
        or first in topics.CARS
        or first in PRICED
    ):
        return False
    return (
        noun.determiner is None
        and not any(map(str.isdigit, noun.name))
        and not noun.name.isupper()
        and first not in lexicon.WEEKDAYS_AND_MONTHS
        and not any(is_camel(part) for part in noun.name.split(" ")[0].split("-"))
    )


def reference(noun: Noun, *, known: frozenset[str] = frozenset()) -> Reference | None:
    """The person that a noun names; None for things."""
    if noun.pronoun == "i":
        return SPEAKER
    if noun.handle is not None:
        return Reference(text=noun.text, handle=noun.handle)
    if noun.relation is not None:
        owner = noun.owner
        of = None
        if owner is not None and owner.pronoun not in {"i", "we"}:
            of = reference(owner, known=known)
            if of is None:
                # "His mother Anneke": whose mother she is remains open, who she is does not.
                return None if noun.name is None else Reference(text=noun.name, name=noun.name)
        if owner is None and noun.name is None:
            return None
        if owner is None and noun.determiner is not None:
            # "A daughter named Ife" says by itself whose daughter she is to nobody.
            return Reference(text=noun.name or noun.text, name=noun.name)
        return Reference(text=noun.text, name=noun.name, relation=noun.relation, handle=handle_in(noun.text), of=of)
    if noun.owner is not None and noun.pronoun is None:
        return reference(noun.owner, known=known) if _is_other(noun.owner) else None
    if is_introduced(noun):
        return named(noun.name or "", noun.name or "")
    return named(noun.text, noun.name) if noun.name is not None and is_person_name(noun, known) else None


def _is_other(noun: Noun) -> bool:
    return noun.relation is not None or noun.name is not None or noun.handle is not None


_COMPANY = frozenset(("with", "for", "by", "about"))
_MEETING = lexicon.words(
    "meet see call visit marry date tell ask invite know love like hate help text email join miss hire fire thank "
    "trust dump propose interview "
    "mention introduce teach photograph follow owe pay promote adopt work chat talk write send bring"
)
_ADDRESSING = _MEETING | {"say", "speak", "give", "get"}
_ADDRESSING_OR_BEING = _ADDRESSING | {"be"}


def people_after(clause: Clause, known: frozenset[str]) -> Iterable[Noun]:
    """People that the clause names after its verb. A bare name is one only where people stand: "with Mateusz"."""
    start = clause.subject.end if clause.subject is not None and not clause.is_shared else clause.start
    nouns = [
        noun
        for noun in clause.nouns
        if (noun.relation is not None or noun.name is not None or noun.handle is not None) and noun.start >= start
    ]
    return _people_among(nouns, clause, known) if nouns else ()


def _people_among(nouns: Sequence[Noun], clause: Clause, known: frozenset[str]) -> Iterator[Noun]:
    company = {
        id(part)
        for item in clause.phrases
        if item.noun is not None
        and (
            item.preposition in _COMPANY
            or (
                item.preposition == "to"
                and clause.verb is not None
                and clause.verb.lemma in (_ADDRESSING if clause.complement is None else _ADDRESSING_OR_BEING)
            )
        )
        for part in members(item.noun)
    }
    is_meeting = clause.verb is not None and clause.verb.lemma in _MEETING and not clause.verb.is_passive
    met = {
        id(part)
        for noun in (clause.object, clause.indirect)
        if noun is not None and is_meeting
        for part in members(noun)
    }
    for noun in nouns:
        first = (noun.name or "").split(" ")[0].casefold()
        is_sure = (
            noun.relation is not None
            or noun.handle is not None
            or first in lexicon.FIRST_NAMES
            or (noun.name or "").casefold() in known
            or is_introduced(noun)
        )
        if is_sure or ((id(noun) in company or id(noun) in met) and is_person_name(noun, known)):
            yield noun


def is_team(noun: Noun | None) -> bool:
    """Whether it stands for the people one works with: we at work, my team, our company."""
    return noun is not None and noun.head in TEAMS


TEAMS = lexicon.words("team company startup department office squad firm org")


def ties(clause: Clause, known: frozenset[str] = frozenset()) -> tuple[Reference, ...]:
    """The names that the clause ties to a relation: "my wife Sarah", "Sarah is my wife", "my wife's name is Sarah"."""
    out: list[Reference] = []
    for noun in clause.nouns:
        for step in (noun,) if noun.owner is None else chain(noun):
            if step.relation is not None and step.name is not None:
                who = reference(step, known=known)
                if who is not None and who.relation is not None:
                    out.append(who)
    lemma = clause.verb.lemma if clause.verb is not None else ""
    if lemma in {"have", "get"}:
        out.extend(_had(clause, known))
    if lemma in {"call", "be", "name"}:
        out.extend(_copular_ties(clause, known))
    if (
        lemma in {"marry", "date"}
        and clause.object is not None
        and clause.object.name is not None
        and clause.object.relation is None
        and clause.subject is not None
        and clause.subject.pronoun == "i"
    ):
        relation = "spouse" if lemma == "marry" else "partner"
        out.append(Reference(text=clause.object.name, name=clause.object.name, relation=relation))
    return tuple(dict.fromkeys(out)) if out else ()


def _had(clause: Clause, known: frozenset[str]) -> Iterator[Reference]:
    """For "I have a sister named Ana", "Tobi has a daughter, Ife": the tie is that of whoever has them."""
    verb, thing, holder = clause.verb, clause.object, clause.subject
    if verb is None or verb.is_negative or thing is None:
        return
    among = () if holder is None else holder.parts or (holder,)
    is_speaker = holder is None or any(part.pronoun in {"i", "we"} for part in among)
    of = None if is_speaker or holder is None else reference(holder, known=known)
    if not is_speaker and of is None:
        return
    several = relations.PLURALS.get(thing.parts[0].head) if thing.parts else None
    for part in thing.parts[1:] if several is not None else ():
        if part.name is not None and not part.head:
            yield Reference(text=part.name, name=part.name, relation=several, of=of)
    for part in thing.parts or (thing,):
        if part.relation is not None and part.name is not None and part.owner is None:
            yield Reference(text=part.text, name=part.name, relation=part.relation, of=of)


def chain(noun: Noun) -> tuple[Noun, ...]:
    """A noun behind all whose it is: "my sister" before "my sister's dog"."""
    return (noun,) if noun.owner is None else (*chain(noun.owner), noun)


def _copular_ties(clause: Clause, known: frozenset[str]) -> Iterable[Reference]:
    subject, verb = clause.subject, clause.verb
    if subject is None or verb is None or verb.is_negative or verb.tense == "past":
        return
    if verb.lemma == "call" and verb.is_passive:
        value = clause.object
    elif verb.lemma == "be" and clause.complement is not None:
        value = clause.complement.noun
    elif verb.lemma in {"be", "name"}:
        value = clause.object
    else:
        return
    if value is None:
        return
    if subject.head == "name" and subject.owner is not None and subject.owner.relation is not None:
        yield from _named(subject.owner, value, known)
    elif subject.relation is not None and subject.name is None and value.relation is None:
        yield from _named(subject, value, known)
    elif subject.name is not None and value.relation is not None and value.owner is not None and value.name is None:
        who = reference(replace(value, name=subject.name), known=known)
        if who is not None:
            yield who


def _named(relative: Noun, value: Noun, known: frozenset[str]) -> Iterator[Reference]:
    """Pairs a relation with the name, or its plural with the names."""
    for part in value.parts or (value,):
        if part.name is None or part.owner is not None or (part.head and part.head not in lexicon.TITLES):
            continue
        who = reference(replace(relative, name=part.name), known=known)
        if who is not None:
            yield replace(who, text=part.name)
