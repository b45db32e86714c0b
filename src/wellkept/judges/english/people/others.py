"""Whom other people have: "Tobi has a daughter named Ife" tells whose daughter Ife is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wellkept.judges.base import Fact
from wellkept.judges.english.grammar.parser import Noun
from wellkept.judges.english.people import relations
from wellkept.judges.english.questions.bonds import Bond, is_same_person
from wellkept.judges.english.questions.frames import Frame, Holder, frames, holder_of, same_relation
from wellkept.judges.english.questions.matching import Match
from wellkept.values import frozen


@frozen
class Had:
    """Somebody by name, what they are to whom, and the statement that says so."""

    name: str
    relation: str
    of: Holder
    match: Match


def had_by_others(facts: Sequence[Fact]) -> Iterator[Had]:
    """Everybody whom a fact names as the relative or friend of somebody other than the asker."""
    for fact in facts:
        for text, frame in frames(fact.memory.content):
            verb, thing = frame.clause.verb, frame.clause.object
            if verb is None or verb.lemma != "have" or verb.is_negative or thing is None:
                continue
            if frame.holder.kind == "person":
                yield from _members(fact, text, frame, thing)


def _members(fact: Fact, text: str, frame: Frame, thing: Noun) -> Iterator[Had]:
    members = thing.parts or (thing,)
    relation = thing.relation or relations.relation_of(members[0].head)
    for part in members:
        if relation is not None and part.name is not None:
            match = Match(fact=fact, text=text, frame=frame, order=(0, 0, 0))
            yield Had(name=part.name, relation=relation, of=holder_of(frame.clause.subject), match=match)


def is_asked_for(holder: Holder, had: Had, known: Sequence[Bond]) -> bool:
    """Whether a question by relation, such as "Tobi's daughter", means this one."""
    is_theirs = holder.of is not None and is_same_person(holder.of, had.of, known)
    return is_theirs and same_relation(holder.relation or "", had.relation)
