"""Slots of ties: who is somebody's wife, boss or teacher, and whether there is one of them at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import relations
from wellkept.judges.english.slots.values import Slot, many
from wellkept.values import changed

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.nouns import Noun


def relation_slot(relation: str, value: str) -> Slot:
    """The slot of a relation with whoever holds it."""
    if relation in relations.CHILDREN:
        return many("children", value)
    if relation in {"wife", "husband", "spouse"}:
        return Slot(name="spouse", value=value)
    return Slot(
        name=f"relation:{relation}", value=value, cardinality="one" if relation in relations.SINGULAR else "many"
    )


def place_of(subject: Noun, value: str) -> Slot | None:
    """Who is what a noun says: "the teacher" is the only one of a class, "my teacher" one of those one has."""
    if subject.relation is None:
        return None
    held = relation_slot(subject.relation, value)
    is_only = subject.determiner == "the" and subject.relation in _ONE_EACH
    return changed(held, cardinality="one") if is_only else held


_ONE_EACH = lexicon.words("teacher coach professor vet barber pastor")
