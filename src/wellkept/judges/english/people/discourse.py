"""What a conversation has mentioned so far: whom and what its pronouns stand for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import relations
from wellkept.judges.english.people.callings import fits, gender_told, is_addressed, is_stranger, names_nobody
from wellkept.judges.english.people.named import chain, people_after, reference, ties
from wellkept.types import Reference
from wellkept.values import changed, frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.grammar.nouns import Noun

REACH = 5
"""Messages back, replies included, in which a pronoun may find whom it means."""


@frozen
class Earlier:
    """What the messages before the one that is read speak of."""

    clauses: Sequence[tuple[int, Clause | None]] = ()
    """(message number, clause), oldest first; None where somebody else speaks of people of theirs."""
    last: Sequence[Clause] = ()
    """What the speaker said last."""


@dataclass
class Discourse:
    """What was said so far. Who and what it speaks of is worked out when something asks for it: few sentences do."""

    known: frozenset[str] = frozenset()
    now: int = 0
    """Number of the message that is read."""
    look_back: Callable[[], Earlier] = Earlier
    """Reads the messages before."""
    noted: list[Clause] = field(default_factory=list)
    """The clauses of the message that were taken into account, in their order."""
    _earlier: Earlier | None = None
    _mentions: Mentions | None = None
    _names: dict[str, str] = field(default_factory=dict)
    _taken: int = 0
    """How many of the clauses, those before included, the mentions hold."""
    _heard: int = 0
    """Of how many of them the names are known."""

    @property
    def earlier(self) -> Earlier:
        """What the messages before speak of."""
        if self._earlier is None:
            self._earlier = self.look_back()
        return self._earlier

    @property
    def thing(self) -> str | None:
        """What "it" may stand for: the one thing that the clause just before, in the same message, was about."""
        return _lone_thing(self.noted[-1]) if self.noted else None

    @property
    def mentions(self) -> Mentions:
        """The people and places of all that was said."""
        if self._mentions is None:
            self._mentions = Mentions(known=self.known, now=self.now)
        said = self._said()
        for number, clause in said[self._taken :]:
            if clause is None:
                self._mentions.strangers.append(number)
            else:
                self._mentions.take(clause, number)
        self._taken = len(said)
        return self._mentions

    @property
    def names(self) -> dict[str, str]:
        """Relation to name, from "my wife Sarah" and "Sarah is my wife"."""
        said = self._said()
        for _, clause in said[self._heard :]:
            for tie in _named_ties(clause, self.known) if clause is not None else ():
                self._names[tie.relation or ""] = tie.name or ""
        self._heard = len(said)
        return self._names

    def _said(self) -> list[tuple[int, Clause | None]]:
        return [*self.earlier.clauses, *[(self.now, clause) for clause in self.noted]]

    def named(self, who: Reference) -> Reference:
        """The reference with the name that its relation was given before."""
        is_open = who.name is None and who.relation is not None and who.of is None
        return _with_name(who, self.names) if is_open else who


@dataclass
class Mentions:
    """The people and places that clauses speak of, most recent last."""

    known: frozenset[str]
    now: int
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
    groups: dict[Reference, tuple[Reference, ...]] = field(default_factory=dict)
    """Who they are that are spoken of together."""
    names: dict[str, str] = field(default_factory=dict)
    """Relation to name, from "my wife Sarah" and "Sarah is my wife"."""

    def take(self, clause: Clause, number: int) -> None:
        """Takes the people and places of a clause into account."""
        for tie in _named_ties(clause, self.known):
            self._learn(tie.relation or "", tie)
        self._take_people(clause, number)
        pets = [noun for noun in clause.nouns if noun.head in relations.PETS]
        if names_nobody(clause) or (pets and any(is_stranger(noun) for noun in pets)):
            self.strangers.append(number)
        if pets:
            self.animals = number
        for noun in (clause.subject, clause.object):
            if noun is not None and noun.parts:
                self._take_group(noun.parts, number)
        self.places.extend((number, name) for name in _places(clause))

    def _learn(self, relation: str, tie: Reference) -> None:
        """Gives a name to whoever was known by the relation alone."""
        self.names[relation] = tie.name or ""
        for at, (seen, who, several) in enumerate(self.people):
            if who.relation == relation and who.name is None and not several:
                self.people[at] = (seen, tie, several)

    def _take_people(self, clause: Clause, number: int) -> None:
        steps = [
            step
            for noun in clause.nouns
            for step in ((noun,) if noun.owner is None else chain(noun))
            if step.relation is not None or step.handle is not None or step.name is not None
        ]
        agents = self._agents(clause) if steps else set()
        for noun in steps:
            is_bare = noun.relation is None and noun.handle is None
            if is_bare and (noun.owner is not None or noun.start not in agents):
                self.unsure = number if noun == clause.object else self.unsure
                continue
            first = (noun.name or "").split(" ")[0].casefold()
            is_loose = clause.type == "fragment" and first not in lexicon.FIRST_NAMES
            if is_bare and (is_loose or is_addressed(noun.name or "", clause.text)):
                continue
            who = reference(noun, known=self.known)
            if who is not None and who.name is not None and (gender := gender_told(who.name, noun.relation)):
                self.genders[who.name] = gender
            if who is not None and not who.is_speaker:
                self.people.append((number, _with_name(who, self.names), noun.is_plural))

    def _agents(self, clause: Clause) -> set[int]:
        """Where those stand who do something in a clause, or have something done to them."""
        agents = {noun.start for noun in people_after(clause, self.known)}
        if clause.complement is not None and clause.complement.noun is not None:
            agents.add(clause.complement.noun.start)
        if clause.subject is not None:
            agents |= {part.start for part in clause.subject.parts or (clause.subject,)}
        return agents

    def _take_group(self, parts: Sequence[Noun], number: int) -> None:
        told = [reference(part, known=self.known) for part in parts]
        members = tuple(who for who in told if who is not None and not who.is_speaker)
        if len(members) == len(told):
            label = " and ".join(part.name or part.head or part.text for part in parts)
            # "Mum and Dad" are called by what they are to the speaker.
            are_kin = all(who.name is None and who.of is None for who in members)
            both = Reference(text=label, name=None if are_kin else label)
            self.groups[both] = members
            self.people.append((number, both, True))

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


def _named_ties(clause: Clause, known: frozenset[str]) -> list[Reference]:
    """Those of the speaker's own to whom a clause gives a name."""
    return [tie for tie in ties(clause, known) if tie.of is None and tie.name and tie.relation]


def _with_name(who: Reference, names: dict[str, str]) -> Reference:
    if who.name is None and who.relation is not None and who.of is None and who.relation in names:
        return changed(who, name=names[who.relation])
    return who


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
        for item in clause.nouns
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
