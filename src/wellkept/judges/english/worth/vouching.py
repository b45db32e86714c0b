"""Whether what a clause reports is as good as said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause

FACTIVE = lexicon.words("know learn find discover realize realise confirm notice remember mention")
_EXPERTS = lexicon.words("doctor gp dentist therapist nurse surgeon vet specialist test tests results scan")


def vouches(clause: Clause) -> bool:
    """Whether what a clause reports is as good as said: "I learned that …", "The doctor says I …"."""
    verb, subject = clause.verb, clause.subject
    if not clause.inner or verb is None or subject is None or verb.is_negative or clause.object is not None:
        return False
    if clause.rest.casefold().startswith(("how ", "what ", "why ")):
        return False  # "I remember how glad I was" tells of the gladness
    if clause.inner[0].verb is not None and clause.inner[0].verb.modal is not None:
        return False  # "My therapist says I should journal" advises
    about = clause.inner[0].subject
    is_finding = verb.lemma in {"say", "tell", "confirm", "show"} and (
        subject.head in _EXPERTS or subject.relation == "doctor"
    )
    is_own = about is not None and about.pronoun == "i"
    return (verb.lemma in FACTIVE and subject.pronoun == "i") or (is_finding and is_own)
