"""Who is meant: references that a clause makes, and what a pronoun stands for in the conversation so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from recollect.judges.rules import lexicon, relations, topics
from recollect.judges.rules.callings import fits, gender_told, is_addressed, is_introduced, is_stranger, names_nobody
from recollect.judges.rules.given_names import is_camel
from recollect.judges.rules.nouns import members, nouns_of
from recollect.policies.references import named
from recollect.types import Reference
from recollect.values import once

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from recollect.judges.rules.clauses import Clause
    from recollect.judges.rules.nouns import Noun

SPEAKER = Reference(text="I", is_speaker=True)


def is_person_name(noun: Noun, known: frozenset[str] = frozenset()) -> bool:
    """Whether a proper name is likely a person's, by itself."""
    if noun.name is None or (noun.head and noun.relation is None and noun.head not in lexicon.TITLES):
        return False
    first = noun.name.split()[0].casefold().rstrip(".")
    if noun.name.casefold() in lexicon.TIME_NOUNS and noun.name.casefold() not in known:
        return False
    if noun.name.casefold() in known or first in lexicon.FIRST_NAMES or first in lexicon.TITLES:
        return True
    if (
        first in topics.PLACES
        or first in topics.LANGUAGES
        or first in lexicon.ADJECTIVES
        or noun.name.split()[-1].casefold() in lexicon.ORG_SUFFIXES | lexicon.PLACE_SUFFIXES
        or first in topics.WORK
        or first in topics.CARS
    ):
        return False
    return (
        noun.determiner is None
        and not any(sign.isdigit() for sign in noun.name)
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
        return Reference(text=noun.text, name=noun.name, relation=noun.relation, of=of)
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


def people_after(clause: Clause, known: frozenset[str]) -> Iterator[Noun]:
    """People that the clause names after its verb. A bare name is one only where people stand: "with Mateusz"."""
    start = clause.subject.end if clause.subject is not None and not clause.is_shared else clause.start
    nouns = [noun for noun in nouns_of(clause) if noun.start >= start and _is_other(noun)]
    if not nouns:
        return
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


REACH = 5
"""Messages back, replies included, in which a pronoun may find whom it means."""


@dataclass
class Discourse:
    """What has been mentioned so far, most recent last, to give pronouns a meaning."""

    known: frozenset[str] = frozenset()
    now: int = 0
    """Number of the message that is read."""
    strangers: list[int] = field(default_factory=list)
    """Numbers of the messages that speak of a pet or of "a little girl": they, too, are a she or he."""
    animals: int = 0
    """Number of the last message that speaks of an animal: whoever was named before it is no she or he behind it."""
    unsure: int = 0
    """Number of the last message with a name that may be somebody's: no she or he behind it is of an earlier one."""
    people: list[tuple[int, Reference, bool]] = field(default_factory=list)
    """(message number, who, whether several)."""
    genders: dict[str, str] = field(default_factory=dict)
    """Name to pronoun, of those whose relation to somebody else says it: "his mother Anneke"."""
    places: list[tuple[int, str]] = field(default_factory=list)
    thing: str | None = None
    """What "it" may stand for: the one thing that the clause just before was about."""
    owned: str | None = None
    """The one thing of their own that the speaker's last message speaks of."""
    groups: dict[Reference, tuple[Reference, ...]] = field(default_factory=dict)
    """Who they are that are spoken of together."""
    names: dict[str, str] = field(default_factory=dict)
    """Relation to name, from "my wife Sarah" and "Sarah is my wife"."""

    noted: list[Clause] = field(default_factory=list)
    """The clauses that were taken into account, in their order."""

    def note(self, clause: Clause, number: int) -> None:
        """Takes the people and places of a clause into account."""
        self.noted.append(clause)
        self.thing = _lone_thing(clause)
        for tie in ties(clause, self.known):
            if tie.of is None and tie.name and tie.relation:
                self._learn(tie.relation, tie)
        self._note_people(clause, number)
        pets = [noun for noun in nouns_of(clause) if noun.head in relations.PETS]
        if names_nobody(clause) or any(is_stranger(noun) for noun in pets):
            self.strangers.append(number)
        if pets:
            self.animals = number
        for noun in (clause.subject, clause.object):
            parts = [reference(part, known=self.known) for part in noun.parts] if noun is not None else []
            members = tuple(who for who in parts if who is not None and not who.is_speaker)
            if noun is not None and parts and len(members) == len(parts):
                label = " and ".join(part.name or part.head or part.text for part in noun.parts)
                # "Mum and Dad" are called by what they are to the speaker.
                are_kin = all(who.name is None and who.of is None for who in members)
                both = Reference(text=label, name=None if are_kin else label)
                self.groups[both] = members
                self.people.append((number, both, True))
        self.places.extend((number, name) for name in _places(clause))

    def _learn(self, relation: str, tie: Reference) -> None:
        """Gives a name to whoever was known by the relation alone."""
        self.names[relation] = tie.name or ""
        for at, (seen, who, several) in enumerate(self.people):
            if who.relation == relation and who.name is None and not several:
                self.people[at] = (seen, tie, several)

    def _note_people(self, clause: Clause, number: int) -> None:
        agents = {noun.start for noun in people_after(clause, self.known)}
        if clause.complement is not None and clause.complement.noun is not None:
            agents.add(clause.complement.noun.start)
        if clause.subject is not None:
            agents |= {part.start for part in clause.subject.parts or (clause.subject,)}
        for noun in (step for item in nouns_of(clause) for step in _chain(item)):
            is_bare = noun.relation is None and noun.handle is None
            if is_bare and (noun.name is None or noun.owner is not None or noun.start not in agents):
                self.unsure = number if noun.name is not None and noun == clause.object else self.unsure
                continue
            first = (noun.name or "").split(" ")[0].casefold()
            is_loose = clause.type == "fragment" and first not in lexicon.FIRST_NAMES
            if is_bare and (is_loose or is_addressed(noun.name or "", clause.text)):
                continue
            who = reference(noun, known=self.known)
            if who is not None and who.name is not None and (gender := gender_told(who.name, noun.relation)):
                self.genders[who.name] = gender
            if who is not None and not who.is_speaker:
                self.people.append((number, self.named(who), noun.is_plural))

    def named(self, who: Reference) -> Reference:
        """The reference with the name that its relation was given before."""
        if who.name is None and who.relation is not None and who.of is None and who.relation in self.names:
            return replace(who, name=self.names[who.relation])
        return who

    def person(self, pronoun: str) -> Reference | None:
        """Whom he, she or they means: the one that fits in the latest message that names one that fits; else None."""
        found: dict[tuple[str | None, str | None, str | None], Reference] = {}
        latest: int | None = None
        for number, who, several in reversed(self.people):
            if latest is not None and number != latest:
                break
            if not fits(pronoun, who, is_plural=several):
                continue
            if self.genders.get(who.name or "", "they") not in {"they", pronoun}:
                continue
            latest = number
            same = next((key for key in found if key[0] and key[0] == who.name), None)
            found.setdefault(same or (who.name, who.relation, who.handle), who)
        is_near = latest is not None and latest >= max(self.now - REACH, self.animals, self.unsure)
        is_near = is_near and latest is not None and all(number < latest for number in self.strangers)
        return next(iter(found.values())) if len(found) == 1 and is_near else None

    def place(self) -> str | None:
        """Where "there" is: the one place of the latest message that names one."""
        if not self.places:
            return None
        latest = self.places[-1][0]
        found = {name for number, name in self.places if number == latest}
        return found.pop() if len(found) == 1 else None


def _places(clause: Clause) -> Iterator[str]:
    """Names that stand where places stand."""
    for phrase in clause.phrases:
        noun = phrase.noun
        if (
            phrase.preposition in {"in", "to", "at", "from"}
            and noun is not None
            and noun.name
            and noun.relation is None
        ):
            first = noun.name.split()[0].casefold()
            if first not in lexicon.TIME_NOUNS and first not in lexicon.FIRST_NAMES:
                yield noun.name


def _is_liked(clause: Clause) -> bool:
    """For "I hate okra, but Adeel loves it": what one has a taste for needs no article."""
    return clause.verb is not None and clause.verb.lemma in {"love", "like", "hate", "dislike", "adore", "enjoy"}


def _lone_thing(clause: Clause) -> str | None:
    """The object of the clause when it is the only thing in it that "it" can mean."""
    thing = clause.object
    if (
        thing is None
        or thing.parts
        or thing.pronoun is not None
        or thing.relation is not None
        or thing.is_plural
        or thing.head in lexicon.TIME_NOUNS
        or (thing.determiner in {None, "some", "any", "no", "more"} and not _is_liked(clause))
        or thing.head in lexicon.ADJECTIVES
    ):
        return None
    others = [
        item
        for item in nouns_of(clause)
        if item.start != thing.start
        and item.head
        and not item.is_plural
        and item.relation is None
        and item.head not in lexicon.TIME_NOUNS
        and item.pronoun is None
    ]
    return (
        thing.text
        if not others and (clause.subject is None or clause.subject.is_person or clause.subject.name is not None)
        else None
    )


def ties(clause: Clause, known: frozenset[str] = frozenset()) -> tuple[Reference, ...]:
    """The names that the clause ties to a relation: "my wife Sarah", "Sarah is my wife", "my wife's name is Sarah"."""
    made = once(clause, "_ties", lambda one: (known, _ties(one, known)))
    return made[1] if made[0] == known else _ties(clause, known)


def _ties(clause: Clause, known: frozenset[str]) -> tuple[Reference, ...]:
    out: list[Reference] = []
    for noun in nouns_of(clause):
        for step in _chain(noun):
            if step.relation is not None and step.name is not None:
                who = reference(step, known=known)
                if who is not None and who.relation is not None:
                    out.append(who)
    out.extend(_had(clause, known))
    out.extend(_copular_ties(clause, known))
    if (
        clause.verb is not None
        and clause.verb.lemma in {"marry", "date"}
        and clause.object is not None
        and clause.object.name is not None
        and clause.object.relation is None
        and clause.subject is not None
        and clause.subject.pronoun == "i"
    ):
        relation = "spouse" if clause.verb.lemma == "marry" else "partner"
        out.append(Reference(text=clause.object.name, name=clause.object.name, relation=relation))
    return tuple(dict.fromkeys(out))


def _had(clause: Clause, known: frozenset[str]) -> Iterator[Reference]:
    """For "I have a sister named Ana", "Tobi has a daughter, Ife": the tie is that of whoever has them."""
    verb, thing, holder = clause.verb, clause.object, clause.subject
    if verb is None or verb.lemma not in {"have", "get"} or verb.is_negative or thing is None:
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


def _chain(noun: Noun) -> Iterator[Noun]:
    if noun.owner is not None:
        yield from _chain(noun.owner)
    yield noun


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
