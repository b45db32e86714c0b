"""Who is who to the asker, as the facts at hand tell it, and whether a fact is about the person a question means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wellkept.judges.base import Fact
from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.parser import Clause, Noun
from wellkept.judges.english.people import relations
from wellkept.judges.english.questions import concepts
from wellkept.judges.english.questions.frames import Frame, Holder, frames, holder_of, same_relation
from wellkept.values import frozen

ASKER = "you"
CONTRASTS = lexicon.words(
    "first previous former old middle last maiden childhood lucky ex next second favorite favourite dream future worst "
    "ideal lost stolen"
)
"""Words before a noun that make it another one of its kind: a first job is not the job."""


@frozen
class Bond:
    """A relation of the asker's and the name of who holds it, with the fact that says so."""

    relation: str
    name: str
    word: str
    """The relation as the fact words it."""
    fact: Fact


def _nouns(clause: Clause) -> list[Noun]:
    nouns = [clause.subject, clause.object, clause.indirect]
    nouns += [phrase.noun for phrase in clause.phrases]
    if clause.complement is not None:
        nouns.append(clause.complement.noun)
    found = [noun for noun in nouns if noun is not None]
    return found + [part for noun in found for part in noun.parts]


def _is_asker_s(noun: Noun) -> bool:
    is_former = bool(CONTRASTS & set(noun.modifiers)) and noun.relation != "best friend"
    return noun.owner is not None and holder_of(noun).of is None and not is_former


def _bonds_in(fact: Fact, clause: Clause) -> list[Bond]:
    found = [
        Bond(relation=noun.relation, name=noun.name, word=_worded(noun), fact=fact)
        for noun in _nouns(clause)
        if noun.relation and noun.name and _is_asker_s(noun)
    ]
    complement = clause.complement.noun if clause.complement else None
    verb = clause.verb
    if verb is not None and verb.lemma == "have" and clause.object is not None and not verb.is_negative:
        found += _listed(fact, clause)
    is_equation = verb is not None and verb.lemma in ("be", "call", "name") and not verb.is_negative
    if is_equation and clause.subject is not None and complement is not None:
        for role, bearer in ((clause.subject, complement), (complement, clause.subject)):
            if role.relation and not role.name and _is_asker_s(role) and bearer.name and not bearer.relation:
                found.append(Bond(relation=role.relation, name=bearer.name, word=_worded(role), fact=fact))
    return found


def _listed(fact: Fact, clause: Clause) -> list[Bond]:
    """The names in "two kids, Emma and Liam", when it is the asker who has them."""
    noun = clause.object
    if noun is None or clause.subject is None or holder_of(clause.subject).kind != "asker":
        return []
    members = noun.parts or (noun,)
    word = concepts.singular(members[0].head)
    relation = relations.relation_of(members[0].head) or relations.relation_of(word)
    if relation is None:
        return []
    return [Bond(relation=relation, name=part.name, word=word, fact=fact) for part in members if part.name]


def _worded(noun: Noun) -> str:
    return noun.relation if noun.relation and (" " in noun.relation or not noun.head) else noun.head


def _is_name(name: str) -> bool:
    first = name.casefold().split(" ", 1)[0]
    return first not in (ASKER, "your", "my", "the") and relations.relation_of(name.casefold()) is None


def bonds(facts: Sequence[Fact]) -> tuple[Bond, ...]:
    """Every relation of the asker's that a fact ties to a name, in the order of the facts."""
    found: list[Bond] = []
    for fact in facts:
        for _, frame in frames(fact.memory.content):
            found += _bonds_in(fact, frame.clause)
        names = [name for name in fact.subjects if name.casefold() != ASKER]
        pairs = [(names[0], one) for one in fact.relations] if len(names) == 1 else []
        if len(names) > 1 and len(names) == len(fact.relations):
            pairs = list(zip(names, fact.relations, strict=True))
        found += [Bond(relation=one, name=name, word=one, fact=fact) for name, one in pairs if _is_name(name)]
    return tuple(found)


def same_name(first: str | None, second: str | None) -> bool:
    """Whether two names can be one person's: equal, or one is the other's first name."""
    if not first or not second:
        return False
    left, right = first.casefold().lstrip("@").split(), second.casefold().lstrip("@").split()
    return left == right or (left[:1] == right[:1] and min(len(left), len(right)) == 1)


def names_of(holder: Holder, known: Sequence[Bond]) -> tuple[Bond, ...]:
    """Who it is that the holder names by relation to the asker."""
    if holder.relation is None or holder.of is not None:
        return ()
    return tuple(bond for bond in known if same_relation(holder.relation, bond.relation))


def is_same_person(asked: Holder, told: Holder, known: Sequence[Bond]) -> bool:
    """Whether two ways of naming somebody can mean one person."""
    if asked.of is not None or told.of is not None:
        if asked.of is None or told.of is None:
            return same_name(asked.name, told.name)
        return is_same_person(asked.of, told.of, known) and same_relation(asked.relation or "", told.relation or "-")
    if asked.name and told.name:
        return same_name(asked.name, told.name)
    if asked.relation and told.relation and not told.name:
        return same_relation(asked.relation, told.relation)
    if asked.relation and told.name:
        is_told = told.relation is not None and same_relation(asked.relation, told.relation)
        return is_told or any(same_name(bond.name, told.name) for bond in names_of(asked, known))
    if asked.name and told.relation:
        return any(same_name(bond.name, asked.name) for bond in names_of(told, known))
    return False


def _is_meant_for(name: str, frame: Frame) -> bool:
    """Whether somebody uses, plans or decides something for the thing that is asked about: "Postgres for Atlas"."""
    wanted = set(name.casefold().split()) - {"project"}
    nouns = [phrase.noun for phrase in frame.clause.phrases if phrase.preposition == "for"]
    named = [set((noun.name or noun.head).casefold().split()) - {"project"} for noun in nouns if noun is not None]
    return bool(wanted) and wanted in named


def is_about(asked: Holder, frame: Frame, fact: Fact, *, known: Sequence[Bond]) -> bool:
    """Whether a statement belongs to the person or thing that a question asks about."""
    told = frame.holder
    others = [name for name in fact.subjects if name.casefold() != ASKER]
    if asked.kind in ("unknown", "thing"):
        return asked.kind == "thing"
    if asked.kind == "asker":
        return told.kind == "asker" or (told.kind == "thing" and not others)
    if told.kind == "person":
        return is_same_person(asked, told, known)
    subject = frame.clause.subject
    if asked.name and asked.relation is None and _is_meant_for(asked.name, frame):
        return True
    if asked.name and asked.relation is None and subject is not None:
        named = set(asked.name.casefold().split())
        is_named = told.kind == "thing" and named <= set(re.findall(r"[\w'-]+", subject.text.casefold()))
        return is_named or same_name(asked.name, subject.name)
    # A fact whose grammar hides its subject may still carry it beside the text.
    meant = [name for name in (asked.name, *(bond.name for bond in names_of(asked, known))) if name]
    return told.kind == "thing" and any(same_name(name, other) for name in meant for other in others)
