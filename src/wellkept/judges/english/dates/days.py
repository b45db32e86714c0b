"""Words for a day and for an hour, as the rules look for them; which day they mean is read in `times`."""

from __future__ import annotations

from wellkept.patterns import deferred

WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
_SPANS = r"(?:week|weekend|month|year|spring|summer|autumn|fall|winter|quarter|term|semester)"
_COUNTED = (
    rf"(?= (?!(?:of|at|in|on|by|for|from|until|till|to|and|or|but|if|as|with|because|so|since|when|then|not|instead|now"
    rf"|this|next|please|though|again|actually|already|maybe|i|we|it|he|she|they|you|my|our|the|a|am|is|was|will|morning"
    rf"|afternoon|evening|night|{MONTH})\b)[^\W\d_])"
)
"""After the 3rd: a word that is counted by it, such as "floor"."""
NAMED = (
    rf"(?:{MONTH} \d|{_NUMBER}(?: of)? {MONTH}|\d{{4}}-\d\d-\d\d"
    rf"|(?:the )?\d{{1,2}}(?:st|nd|rd|th)\b(?!{_COUNTED}))"
)
"""A day by its number: "3 May", "May 3", "the 12th"."""
DAY = (
    rf"(?:{NAMED}|{MONTH}|(?:next |this |coming )?{WEEKDAY}s?\b|tomorrow\b|today\b|tonight\b|(?:next|this) {_SPANS}\b"
    r"|(?:19|20)\d\d\b)"
)
"""A day, or the week, month or year that it lies in."""
HOUR = (
    r"(?:\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\b\.?|o['’]clock\b)|\d{1,2}:\d\d\b|noon\b|midnight\b"
    r"|(?:half|quarter) (?:past|to) \w+)"
)

ONE_DAY = deferred(
    rf"(?i)\b(?:{NAMED}|tomorrow\b|tonight\b|next (?:week|month|weekend)\b|(?:by|next|this|coming) {WEEKDAY}\b)"
)
"""A day that comes once, and not every week."""
_DATED = deferred(rf"(?i)\b{DAY}")
WEEKLY = deferred(rf"(?i)\b(?:(?:on )?{WEEKDAY}s|(?:every|each) \w+|daily|weekly|mornings|evenings)\b")


def is_dated(text: str) -> bool:
    """Whether a day is named.

    >>> is_dated("on 3 May"), is_dated("at noon"), is_dated("in the garage")
    (True, False, False)
    >>> is_dated("the 3rd at noon"), is_dated("on the 3rd floor")
    (True, False)
    """
    return _DATED.search(text) is not None


def is_weekly(text: str) -> bool:
    """Whether a day is named that comes again: "on Tuesdays", "every Friday"."""
    return WEEKLY.search(text) is not None
