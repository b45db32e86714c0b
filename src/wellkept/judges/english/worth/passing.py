"""What is so for a while: what is dated ends with its day, and some states end by their nature, told or not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from wellkept.judges.english.dates.days import ONE_DAY
from wellkept.judges.english.dates.times import mentions
from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.worth.kinds import LASTING_SLOTS
from wellkept.judges.english.worth.moments import HABIT
from wellkept.patterns import deferred
from wellkept.vocabulary import LIFETIMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.judges.english.dates.times import TimeMention
    from wellkept.judges.english.grammar.clauses import Clause
    from wellkept.judges.english.slots.values import Slot
    from wellkept.vocabulary import MemoryType

AFTER = timedelta(days=7)
"""So long after it is over, what was to come may still be asked for: "How was the trip?"."""
YEAR_DAYS, WISH_DAYS = 366, 180
_CARRYING = deferred(
    r"(?i)\b(?:is|are|am) (?:\d+ (?:weeks|months) |\w+ )?(?:pregnant|expecting (?:a baby|twins|a child))\b"
)
_CARRYING_FOR = timedelta(days=273)
_STAYS = (
    r"(?:is|are|am|'s|'re|still|back) (?:still |back )?(?:in|at) (?:the |a )?(?:\w+ ){0,3}(?:hospital|icu|a&e"
    r"|intensive care|emergency room|hospice|quarantine|isolation|rehab|detention|custody|medical cent(?:er|re))"
    r"|(?:in a coma|on a ventilator|(?:is|are|am) (?:back )?home)"
    r"|(?:has|have|caught|got) (?:the |a (?:bad |nasty )?)?(?:flu|cold|covid|fever|stomach bug|food poisoning)"
    r"|(?:has|have) (?:only |about |around |already )?\S*\d\S*(?: \w+)? (?:saved|left|to go|in savings)"
    r"|(?:has|have) saved (?:up )?\S*\d"
)
_MENDING = (
    r"(?:has|have|with) (?:a |his |her |their |an? \w+ )?(?:broken|fractured|sprained|torn) \w+"
    r"|on crutches|in a (?:cast|sling)|(?:is|are|am) recovering from"
)
_PASSING = (
    (30, deferred(rf"(?i)\b(?:{_STAYS})\b")),
    (120, deferred(rf"(?i)\b(?:{_MENDING})\b")),
)
"""Days after which a state is over, or another one, though nobody says so."""
_YEARLY = lexicon.words("birthday birthdays anniversary name-day jubilee bday")
_BEGINNING = lexicon.words("start begin join open resume become take")
_UNTIL = deferred(r"(?i)\b(?:until|till|through|to|ends?|expires?|over)\s+(?:the\s+)?\W*$")


def carried(content: str, said: str, now: datetime) -> datetime | None:
    """When a pregnancy is over, by the day that was told with it, or by nature; None: there is none."""
    if not _CARRYING.search(content):
        return None
    due = _DUE.search(said)
    born = next((one.to for one in mentions(due["when"], now)), None) if due is not None else None
    return (born.astimezone(UTC) if born is not None else now.astimezone(UTC) + _CARRYING_FOR) + AFTER


_DUE = deferred(
    r"(?i)\b(?:due|baby(?: is)? due|expected) (?P<when>(?:date )?(?:in|on|around|by|this|next|is)?\b[^.!?]{3,30})"
)


def until(
    clause: Clause | None,
    slot: Slot | None,
    kind: MemoryType,
    content: str,
    *,
    said: str,
    now: datetime,
) -> datetime | None:
    """When a statement no longer holds by what it says: the end of its last day and a week, or of a passing state."""
    born = carried(content, said, now)
    if born is not None:
        return born
    days = next((days for days, words in _PASSING if words.search(content)), None)
    if slot is not None and slot.name == "age" and kind not in LIFETIMES:
        days = YEAR_DAYS
    if days is None and not mentions(content, now) and _is_wish_of_others(clause, content):
        days = WISH_DAYS
    if days is not None:
        return now.astimezone(UTC) + timedelta(days=days)
    dates = mentions(content, now)
    is_told_back = clause is not None and clause.verb is not None and clause.verb.tense == "past"
    # "She went back to work this month" is over, though the month is not.
    end = max((one.to for one in dates if not is_told_back or one.from_ > now), default=now)
    if end <= now:
        return None
    if _is_beginning(clause):
        return end.astimezone(UTC) + timedelta(days=YEAR_DAYS)
    return end.astimezone(UTC) + AFTER if _is_dated(clause, slot, kind, content, dates) else None


def _is_wish_of_others(clause: Clause | None, content: str) -> bool:
    """For "Femi wants to learn Tagalog": what one wants oneself is told when it changes, what others want seldom."""
    if clause is None or clause.verb is None or clause.verb.lemma not in {"want", "hope", "plan", "aim", "intend"}:
        return False
    is_own = clause.subject is None or clause.subject.pronoun in {"i", "we"}
    is_to_do = clause.complement is not None and clause.complement.kind == "infinitive"
    return is_to_do and (not is_own or content.casefold().startswith("the team "))


def _is_beginning(clause: Clause | None) -> bool:
    """For "I start at Bosch on 1 July": what a person begins goes on when the day is over."""
    if clause is None or clause.verb is None or clause.verb.lemma not in {"start", "begin", "join"}:
        return False
    subject = clause.subject
    return subject is None or subject.is_person or subject.name is not None or subject.relation is not None


def _is_dated(
    clause: Clause | None, slot: Slot | None, kind: MemoryType, content: str, dates: Sequence[TimeMention]
) -> bool:
    """Whether it is over after its day: what comes back every year or week, or begins on that day, is not."""
    if clause is None or clause.verb is None or (slot is not None and slot.name in {"birthday", "anniversary"}):
        return False
    is_end = any(_UNTIL.search(content[: one.start]) for one in dates)
    if is_end:
        return True
    if any(noun is not None and noun.head in _YEARLY for noun in (clause.subject, clause.object)):
        return False
    if clause.verb.lemma in _BEGINNING or HABIT.search(content):
        return False
    if kind in LIFETIMES or (slot is not None and slot.name == "goals"):
        return True
    is_lasting = slot is not None and slot.name in LASTING_SLOTS
    return clause.verb.tense != "past" and not is_lasting and ONE_DAY.search(content) is not None
