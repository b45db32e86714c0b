"""A time before the subject without a comma: "On Tuesdays Yuki plays" is read as "On Tuesdays, Yuki plays"."""

from __future__ import annotations

from recollect.judges.rules.calendar_words import MONTHS
from recollect.patterns import deferred

_UNITS = (
    "days?|weeks?|weekends?|months?|years?|mornings?|afternoons?|evenings?|nights?|springs?|summers?|autumns?|falls?"
    "|winters?|quarters?|semesters?|holidays|christmas|easter|ramadan|diwali"
)
_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTHS = "|".join(sorted(MONTHS, key=len, reverse=True))
_FRONT = deferred(
    rf"(?:^|(?<=[.!?]\s))(?i:(?:(?:on|in|at|every|each|during|from|until|by|last|next|this|one|two|three|\d+)\s+)"
    rf"(?:(?:the|a|every|other|last|next|this|early|late|first|few)\s+)*"
    rf"(?:{_DAYS}|{_MONTHS}|{_UNITS}|(?:19|20)\d\d)(?:\s+(?:ago|(?:19|20)\d\d|{_UNITS}))?)"
    r"(?P<gap>\s)(?=(?!I\b)[A-Z][\w'\u2019-]*\s+(?:and\s+|[a-z]))"
)


def with_comma(text: str) -> str:
    """The same text, letter for letter in length, with a comma for the blank before such a subject.

    >>> with_comma("Last year Tariq moved to Ghent.")
    'Last year,Tariq moved to Ghent.'
    >>> with_comma("In May I go to Rome")
    'In May I go to Rome'
    """
    return _FRONT.sub(lambda match: f"{match[0][: match.start('gap') - match.start()]},", text)
