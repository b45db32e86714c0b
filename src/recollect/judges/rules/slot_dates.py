"""Slots of appointments: what has one day at a time, and gets another ("was moved to", "has been pushed back to")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.judges.rules import favorites, lexicon
from recollect.judges.rules.attributes import EVENTS, SCHEDULED
from recollect.judges.rules.slot_values import Slot, normal
from recollect.patterns import deferred
from recollect.policies.names import slug

if TYPE_CHECKING:
    from recollect.judges.rules.clauses import Clause
    from recollect.judges.rules.nouns import Noun

DATING = lexicon.words("move push postpone reschedule shift delay bring schedule set get")
_DAY = (
    r"(?:\d{1,2}(?:st|nd|rd|th)?\b|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|tomorrow\b|today\b"
    r"|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:next|this) (?:week|month|spring|summer|autumn"
    r"|fall|winter|year)\b|\d{4}\b)"
)
_TO = deferred(
    rf"(?i)(?P<moved>\b(?:moved|pushed|postponed|rescheduled|shifted|delayed|brought)\b)?[^,.;]*?\b(?:to|for|until|till|on)"
    rf" (?:the |late |early )?(?P<value>{_DAY}[^,;.]*)"
)


def moved_to(clause: Clause) -> Slot | None:
    """For "the exam got moved to Tuesday", "my surgery is scheduled for 12 January", "we moved the trip to May"."""
    verb = clause.verb
    if verb is None or verb.is_negative or verb.modal is not None:
        return None
    told = _TO.match(clause.rest)
    thing = next((noun for noun in (clause.object, clause.subject) if _is_dated(noun)), None)
    if thing is None or told is None or (verb.lemma == "get" and told["moved"] is None):
        return None
    label = slug(favorites.label(thing))
    value = normal(told["value"])
    if value is None or not label:
        return None
    return Slot(name=f"{'date' if thing.head in EVENTS else 'schedule'}:{label}", value=value)


def _is_dated(noun: Noun | None) -> bool:
    return noun is not None and noun.name is None and (noun.head in EVENTS or noun.head in SCHEDULED)
