"""Amounts of money that somebody has, and whose an amount is that somebody changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.slots.things import CHANGING
from wellkept.judges.english.slots.values import Slot
from wellkept.patterns import deferred

if TYPE_CHECKING:
    from wellkept.judges.english.grammar.clauses import Clause

_AMOUNTS = lexicon.words("rent mortgage salary pay wage budget fee price dose dosage loan deposit allowance premium")
_SAVED = deferred(
    r"(?i)(?:only |about |around |already )?(?P<value>[$€£¥₱₹]?\d[\d.,]*k?(?: \w+)?) (?:saved|in savings)\b"
)


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
