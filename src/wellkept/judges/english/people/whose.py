"""Whose somebody is when nobody says so: "the new boss is Marguerite", "roommate is Ola" name the speaker's own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.nouns import Noun
from wellkept.judges.english.people import relations
from wellkept.judges.english.slots.things import BILLS

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause

_SERVING = lexicon.words(
    "boss manager supervisor landlord landlady teacher tutor vet dentist doctor gp coach therapist trainer professor "
    "principal instructor neighbor neighbour nanny babysitter cleaner accountant lawyer advisor adviser physio"
)
"""Whom one has by living or working somewhere; kin are never told of as "the"."""


_AT_HOME = lexicon.words(
    "husband hubby wife boyfriend girlfriend son daughter boss roommate flatmate landlord landlady"
)
"""Of whom one says that they hate tomatoes, and need not say whose they are."""


def with_owner(clause: Clause) -> Clause:
    """The clause with the speaker as the one who has the boss or landlord that it gives a name to."""
    subject, verb = clause.subject, clause.verb
    if subject is None or verb is None or subject.owner is not None:
        return clause
    is_known = subject.relation is not None or subject.head in _SERVING
    if _is_bill(clause, subject):
        return replace(clause, subject=replace(subject, owner=_speaker(subject), determiner="the"))
    is_bare = subject.determiner is None and is_known and subject.name is None
    if is_bare and subject.head in _AT_HOME and not subject.is_plural and not clause.is_shared and subject.of is None:
        return replace(clause, subject=replace(subject, owner=_speaker(subject)))
    is_serving = subject.determiner == "the" and subject.head in _SERVING
    if not (is_bare or is_serving) or subject.of is not None or subject.is_plural or clause.is_shared:
        return clause
    named = clause.complement.noun if clause.complement is not None else clause.object
    is_naming = verb.lemma == "be" or (verb.lemma in {"call", "name"} and verb.is_passive)
    if not is_naming or named is None or named.name is None or (named.head and verb.lemma == "be"):
        return clause
    relation = subject.relation or relations.relation_of(subject.head)
    return replace(clause, subject=replace(subject, owner=_speaker(subject), relation=relation))


def _speaker(subject: Noun) -> Noun:
    return Noun(text="", start=subject.start, end=subject.start, pronoun="i")


def _is_bill(clause: Clause, subject: Noun) -> bool:
    """For "the rent is 900 a month": what the speaker pays."""
    is_one = subject.determiner in {"the", None} and subject.head in BILLS and subject.of is None
    is_sum = clause.verb is not None and any(token.tag == "number" for token in clause.tokens)
    return is_one and is_sum and subject.name is None and not subject.is_plural
