"""Whom people have appointments with: "the dentist is on Friday" tells the day of the appointment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.nouns import Noun

VISITED = lexicon.words(
    "dentist orthodontist hygienist doctor gp physician paediatrician pediatrician dermatologist cardiologist "
    "gynaecologist gynecologist urologist neurologist oncologist ophthalmologist endocrinologist surgeon midwife "
    "physio physiotherapist osteopath chiropractor podiatrist optician optometrist audiologist acupuncturist "
    "therapist psychologist psychiatrist counsellor counselor dietitian nutritionist vet groomer barber hairdresser "
    "stylist beautician masseur masseuse notary solicitor accountant tutor plumber electrician locksmith"
)
_MEETINGS = lexicon.words("appointment appt visit checkup check-up session")


def visited(noun: Noun | None) -> str | None:
    """The profession that stands for an appointment of the speaker's own, or that an appointment is with.

    "Physio", "my dentist", "a dentist appointment"; not "Dr Kaya" and not "my aunt's dentist".
    """
    if noun is None or noun.pronoun is not None or noun.parts or noun.is_plural or noun.of is not None:
        return None
    if noun.owner is not None and noun.owner.pronoun not in {"i", "we"}:
        return None
    if noun.head in _MEETINGS:
        return next((word for word in noun.modifiers if word in VISITED), None)
    word = (noun.head or noun.name or "").casefold()
    is_bare = noun.name is None or not noun.head
    return word if word in VISITED and is_bare else None
