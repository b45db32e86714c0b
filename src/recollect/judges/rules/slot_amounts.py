"""Slots of amounts: what has one number at a time, and changes it in many words ("went up to", "was raised to")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.judges.rules import favorites, lexicon
from recollect.judges.rules.slot_values import Slot
from recollect.patterns import deferred
from recollect.policies.names import slug

if TYPE_CHECKING:
    from recollect.judges.rules.clauses import Clause
    from recollect.judges.rules.nouns import Noun

CHANGING = lexicon.words("go rise increase jump climb drop fall decrease sink raise lower cut reduce hike")
_AMOUNTS = lexicon.words("rent mortgage salary pay wage budget fee price dose dosage loan deposit allowance premium")
BILLS = lexicon.words("rent mortgage")
"""Amounts that are the speaker's own when nobody says whose they are."""
_TO = deferred(r"(?i)\bto (?P<value>[$€£¥₱₹]?\d[\d.,]*k?(?: \w+)?(?: (?:a|per) (?:month|year|week|hour|day))?)")
_SAVED = deferred(
    r"(?i)(?:only |about |around |already )?(?P<value>[$€£¥₱₹]?\d[\d.,]*k?(?: \w+)?) (?:saved|in savings)\b"
)


def changed_to(clause: Clause) -> Slot | None:
    """For "my rent went up to 900", "they raised my salary to 50k"."""
    verb = clause.verb
    if verb is None or verb.is_negative or verb.tense == "future" or verb.modal is not None:
        return None
    thing = next((noun for noun in (clause.object, clause.subject) if _is_amount(noun)), None)
    told = _TO.search(clause.rest)
    if thing is None or told is None:
        return None
    return Slot(name=slug(favorites.label(thing)), value=told["value"].casefold())


def saved(clause: Clause) -> Slot | None:
    """For "I have 900 euros saved"."""
    told = _SAVED.match(clause.rest)
    return Slot(name="savings", value=told["value"].casefold()) if told is not None else None


def is_speakers(slot: Slot, clause: Clause) -> bool:
    """For "the landlady raised my rent to 900": whose amount it is, whoever changed it."""
    thing, verb = clause.object, clause.verb
    is_changed = verb is not None and verb.lemma in CHANGING and thing is not None and thing.head in _AMOUNTS
    owner = thing.owner if thing is not None else None
    return is_changed and slot.name not in {"city", "job"} and (owner is None or owner.pronoun in {"i", "we"})


def _is_amount(noun: Noun | None) -> bool:
    if noun is None or noun.head not in _AMOUNTS or noun.name is not None:
        return False
    return noun.owner is not None or (noun.head in BILLS and noun.determiner in {"the", None})
