"""Everyday things: counts of the week, praise, furniture and makeshifts, of which nothing is of use in a month."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.people import relations
from wellkept.judges.english.worth.soft_words import COUNTED

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause


def is_count_of_now(clause: Clause) -> bool:
    """For "She has two teeth", "I have 300 followers": the number is another one in a month."""
    number, *counted = [word.strip(".,!") for word in clause.rest.casefold().split()[:4]] or [""]
    is_number = number[:1].isdigit() or number in lexicon.NUMBER_WORDS
    is_draft = clause.subject is not None and clause.subject.head in _DRAFTS
    is_counted = is_draft or bool(COUNTED & set(counted))
    return is_number and is_counted and clause.verb is not None and clause.verb.lemma == "have"


_DRAFTS = lexicon.words("speech toast essay email letter talk presentation slides deck draft list post poem playlist")
"""What is still being written: "my speech has 3 jokes"."""


def is_praise(clause: Clause) -> bool:
    """For "Grandma makes the best pies"."""
    verb, thing = clause.verb, clause.object
    is_made = verb is not None and verb.lemma in {"make", "cook", "bake", "do", "brew", "serve", "have"}
    is_best = thing is not None and bool({"best", "greatest", "finest", "yummiest"} & set(thing.modifiers))
    return is_made and is_best and thing is not None and thing.owner is None and thing.name is None


def is_furniture(clause: Clause) -> bool:
    """For "I have a desk": so has everybody."""
    verb, thing = clause.verb, clause.object
    if verb is None or verb.lemma != "have" or thing is None or verb.is_negative or clause.phrases or thing.parts:
        return False
    return thing.head in _FURNITURE and not thing.modifiers and thing.name is None and thing.determiner in {"a", "an"}


_FURNITURE = lexicon.words("desk chair table bed sofa couch lamp shelf wardrobe fridge mug pillow blanket window door")


def is_makeshift(clause: Clause) -> bool:
    """A thing that serves as another one for now: "my desk is an ironing board"."""
    verb, subject = clause.verb, clause.subject
    noun = clause.complement.noun if clause.complement is not None else None
    if verb is None or verb.lemma != "be" or subject is None or noun is None or clause.phrases or verb.is_negative:
        return False
    is_thing = subject.owner is not None and bool(subject.head) and subject.relation is None
    is_animal = subject.head in relations.PETS
    is_kind = noun.determiner in {"a", "an"} and noun.name is None and noun.head not in lexicon.TIME_NOUNS
    return is_thing and not is_animal and is_kind and noun.head != subject.head and noun.of is None
