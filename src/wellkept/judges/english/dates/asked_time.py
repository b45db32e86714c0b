"""The time that a question about past talk names: days and periods, talks counted from either end, first and latest."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time, timedelta

from wellkept.judges.english.dates import calendar_words as words
from wellkept.judges.english.dates import times
from wellkept.judges.english.dates.calendar_grammar import month_span, shift
from wellkept.patterns import deferred
from wellkept.policies.ranking.rank_messages import AskedTime, Order
from wellkept.values import frozen

TEXT_MAX = 1000
NOW_TALK = timedelta(minutes=30)
"""What is this close to now belongs to the talk that goes on, which "earlier today" is not."""

_CARDINALS = """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen""".split()
_ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth""".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def _numbers() -> dict[str, int]:
    """Numbers in words, plain and ordinal, to ninety-nine."""
    found = {word: number for names in (_CARDINALS, _ORDINALS) for number, word in enumerate(names, start=1)}
    for index, tens in enumerate(_TENS, start=2):
        found |= {tens: index * 10, f"{tens[:-1]}ieth": index * 10}
        for sign in "- ":
            for names in (_CARDINALS, _ORDINALS):
                found |= {f"{tens}{sign}{names[unit]}": index * 10 + unit + 1 for unit in range(9)}
    return found


def _ordinals() -> list[str]:
    return [word for word in _numbers() if word.endswith("ieth") or re.split("[- ]", word)[-1] in _ORDINALS]


_NUMBERS = _numbers()
_ORDINAL = rf"(?:\d{{1,4}}(?:st|nd|rd|th)|{words.alternation(_ordinals())})"
_NUMBER = rf"(?:\d{{1,4}}(?:st|nd|rd|th)?|{words.alternation(_NUMBERS)})"
_TALK = (
    r"(?:sessions?|conversations?|chats?|discussions?|catch-?ups?|sitzung(?:en)?|gespräche?n?"
    r"|sesi[oó]n(?:es)?|conversaci[oó]n(?:es)?|séances?|sessões|sessão|sessioni|sessione|sessies?|gesprek(?:ken)?)"
)
_JOIN = r"(?:through|thru|to|until|till|and|bis|und|hasta|y|à|et|[-–—])"
_THE = r"(?:(?:the|our|my|your|this|that) )?"
_ENDS: dict[str, int] = {"last": -1, "latest": -1, "most recent": -1, "previous": -1, "prior": -1, "final": -1} | {
    f"{name}{sign}{joint}{sign}last": -number
    for sign in "- "
    for number, name in ((2, "second"), (2, "next"), (3, "third"), (4, "fourth"), (5, "fifth"))
    for joint in ("to", "from")
}  # fmt: skip
_LATER_ENDS = {"second last": -2, "second-last": -2, "third last": -3, "third-last": -3, "penultimate": -2}
_END = words.alternation(_ENDS | _LATER_ENDS)


@frozen
class _Read:
    """Words that name talks, and which."""

    start: int
    end: int
    first: int
    last: int


def _number(text: str) -> int:
    digits = re.match(r"\d+", text)
    return int(digits[0]) if digits else _NUMBERS[text.casefold()]


def _ago(match: re.Match[str]) -> tuple[int, int]:
    number = -_number(match["n"])
    return number, number


def _between(match: re.Match[str]) -> tuple[int, int]:
    one, other = _number(match["a"]), _number(match["b"])
    return min(one, other), max(one, other)


def _single(match: re.Match[str]) -> tuple[int, int]:
    return (_number(match["n"]),) * 2


def _ended(match: re.Match[str]) -> tuple[int, int]:
    word = match["end"].casefold()
    return ((_ENDS | _LATER_ENDS)[word],) * 2


def _several(match: re.Match[str]) -> tuple[int, int]:
    number = _amount(match["n"])
    return (1, number) if match["side"].casefold() in ("first", "opening", "initial") else (-number, -1)


def _is_number(text: str) -> bool:
    return text[:1].isdigit() or text.casefold() in _NUMBERS


_IN = r"(?:(?:in|during|at|from|on|over|across|between) )?"
_NR = r"(?:number |no\.? ?|# ?)?"
_SIDE = r"(?P<side>first|opening|initial|last|past|latest|previous|most recent)"
_SPOKE = r"(?:talked|spoke|chatted|met|discussed|had a \w+)"
_RANGE = rf"{_IN}{_THE}{_TALK} {_NR}(?P<a>{_NUMBER}) ?{_JOIN} ?(?:{_TALK} )?{_NR}(?P<b>{_NUMBER})"
_RANGE_BEFORE = rf"{_IN}{_THE}(?P<a>{_NUMBER})(?: {_TALK})? {_JOIN} {_THE}(?P<b>{_NUMBER}) {_TALK}"
_SEVERAL = rf"{_IN}{_THE}{_SIDE} (?P<n>{_NUMBER}|couple of|couple|few|several) {_TALK}"
_LAST_TIME = rf"(?:the )?last time (?:that )?(?:we|you and i|i) {_SPOKE}|when (?:we|i) last {_SPOKE}"
_FIRST_TIME = rf"(?:the )?(?:very )?first time (?:that )?(?:we|you and i) (?:ever )?{_SPOKE}|when we first {_SPOKE}"

_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[int, int]]], ...] = tuple(
    (deferred(rf"(?<!\w)(?:{pattern})(?!\w)", re.IGNORECASE), reader)
    for pattern, reader in (
        (rf"(?P<n>{_NUMBER}) {_TALK} (?:ago|back|earlier|before|atrás|geleden|fa)", _ago),
        (rf"(?:vor|hace|il y a|há) (?P<n>{_NUMBER}) {_TALK}", _ago),
        (_RANGE, _between),
        (_RANGE_BEFORE, _between),
        (_SEVERAL, _several),
        (rf"{_IN}{_THE}{_TALK} {_NR}(?P<n>{_NUMBER})", _single),
        (rf"{_IN}{_THE}(?P<n>{_ORDINAL}) {_TALK}", _single),
        (rf"{_IN}{_THE}(?P<end>{_END}) {_TALK}", _ended),
        (rf"{_IN}{_THE}{_TALK} before (?:the )?last(?: one)?", lambda _: (-2, -2)),
        (_LAST_TIME, lambda _: (-1, -1)),
        (_FIRST_TIME, lambda _: (1, 1)),
    )
)


def _talks(text: str) -> _Read | None:
    """The longest words that name talks."""
    found: list[_Read] = []
    for pattern, reader in _PATTERNS:
        for match in pattern.finditer(text):
            first, last = reader(match)
            if first != 0 and last != 0:
                found.append(_Read(start=match.start(), end=match.end(), first=first, last=last))
    return max(found, key=lambda one: (one.end - one.start, -one.start), default=None)


# --- days and periods ---

_LAST_SPAN = deferred(
    r"(?<!\w)(?:(?:over|in|during|within|for|across) )?(?P<the>the |this |these |our )?(?:last|past)"
    rf" (?:(?P<n>{_NUMBER}|couple(?: of)?|few|several) )?(?P<unit>{words.alternation(words.UNITS)})(?!\w)",
    re.IGNORECASE,
)
_HINT = deferred(
    r"\d|[年月日]|(?<!\w)(?:"
    + words.alternation(
        {*words.WEEKDAYS, *words.SHORT_WEEKDAYS, *words.MONTHS, *words.SEASONS, *words.HOLIDAYS}
        | {*words.DAY_OFFSETS, *words.UNITS, "weekend", "weekends", "wochenende", "earlier"}
    )
    + r")(?!\w)|[\u0370-\u1fff]",
    re.IGNORECASE,
)
"""Without one of these a text names no time, and is not read for one."""
_DAY_PARTS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (17, 24), "tonight": (17, 24), "night": (18, 24)}
_DAY_PART = deferred(r"\b(?P<part>morning|afternoon|evening|tonight|night)\b", re.IGNORECASE)
_EARLIER = deferred(r"\bearlier (?:today|this|in the|on)\b|\bso far today\b", re.IGNORECASE)
_SAID_WORD = (
    r"(?:discuss\w*|talk\w*|chat\w*|sp[eo]ak\w*|spoke\w*|say|says|said|tell|tells|told|mention\w*|bring\w* up"
    r"|brought up|conversation\w*|session\w*|shar(?:e|ed|es)|ask(?:ed|s)?|go over|went over|cover(?:ed)?|catch up"
    r"|caught up|per)"
)
_SAID = deferred(rf"\b{_SAID_WORD}\b", re.IGNORECASE)
_SAID_BEFORE = deferred(rf"\b{_SAID_WORD}\b[^,.?!]{{0,24}}$", re.IGNORECASE)
_FIRST = deferred(
    r"\b(?:first (?:time|ever)|did \w+ first|(?:was|were) the (?:very )?first|earliest|originally|initially|at first"
    r"|to begin with)",
    re.IGNORECASE,
)
_LATEST = deferred(
    r"\b(?:latest|most recent(?:ly)?|newest|currently|current|right now|at the moment|these days|nowadays|as of now"
    r"|up to date|the last time|last time)\b",
    re.IGNORECASE,
)


@frozen
class _Period:
    """Words that name a time, and which."""

    start: int
    end: int
    from_: datetime
    to: datetime
    step_days: int | None = None


def asked_time(text: str, now: datetime) -> AskedTime:
    """What time the question names; `now` is aware, in the asker's zone."""
    straight = text[:TEXT_MAX].replace("\u2019", "'")
    talks = _talks(straight)
    is_said = _SAID.search(straight) is not None
    if talks is not None:
        content = _cut(straight, talks.start, talks.end)
        return AskedTime(sessions=(talks.first, talks.last), is_said=True, content=content)
    period = _last_span(straight, now) or _period(straight, now) if _HINT.search(straight) else None
    order = _order(straight)
    if period is None or period.from_ > now:
        return AskedTime(order=order, is_said=is_said, content=straight)
    return AskedTime(
        window=(period.from_, period.to),
        step_days=period.step_days,
        is_said=is_said,
        order=order,
        content=_cut(straight, period.start, period.end),
    )


def _order(text: str) -> Order | None:
    if _LATEST.search(text):
        return "latest"
    return "first" if _FIRST.search(text) else None


def _cut(text: str, start: int, end: int) -> str:
    return " ".join(f"{text[:start]} {text[end:]}".split())


def _midnight(moment: datetime) -> datetime:
    return datetime.combine(moment.date(), time(), tzinfo=moment.tzinfo)


def _last_span(text: str, now: datetime) -> _Period | None:
    """The time up to now: "the last three days", "this last week". "Last week" alone is the week before this one."""
    for match in _LAST_SPAN.finditer(text):
        if match["n"] is None and match["the"] is None:
            continue
        number = _amount(match["n"])
        unit = words.UNITS[match["unit"].casefold()]
        try:
            from_ = shift(now, -number, unit)
        except (OverflowError, ValueError):
            continue
        from_ = from_ if unit in ("hour", "minute") else _midnight(from_)
        return _Period(start=match.start(), end=match.end(), from_=from_, to=_after(now))
    return None


def _after(now: datetime) -> datetime:
    return now + timedelta(seconds=1)


def _amount(word: str | None) -> int:
    if word is None:
        return 1
    if _is_number(word):
        return _number(word)
    return 2 if word.casefold().startswith("couple") else 3


def _period(text: str, now: datetime) -> _Period | None:
    between = times.between(text, now)
    if between is not None:
        return _Period(start=between.start, end=between.end, from_=between.from_, to=between.to)
    found = [_past(one, now) for one in times.mentions(text, now)]
    said = [one for one in found if one.grain != "year" or len(found) == 1]
    if not said:
        return None
    best = min(said, key=lambda one: (_SAID_BEFORE.search(text[: one.start]) is None, one.is_relative, one.start))
    return _widened(text, best, now)


def _past(mention: times.TimeMention, now: datetime) -> times.TimeMention:
    """Talk lies in the past: a date without a year that has not come yet is the one before."""
    if mention.is_relative or mention.from_ <= now or re.search(r"\b(?:19|20)\d\d\b", mention.text):
        return mention
    years = 1
    while shift(mention.from_, -years, "year") > now:
        years += 1
    return replace(mention, from_=shift(mention.from_, -years, "year"), to=shift(mention.to, -years, "year"))


def _widened(text: str, mention: times.TimeMention, now: datetime) -> _Period:
    """As wide as the words are: "three months ago" is a month, "this morning" half a day."""
    from_, to, step = mention.from_, mention.to, None
    if mention.grain == "month" and to - from_ <= timedelta(days=1):
        first, last = month_span(from_.year, from_.month)
        from_ = datetime.combine(first, time(), tzinfo=now.tzinfo)
        to = datetime.combine(last + timedelta(days=1), time(), tzinfo=now.tzinfo)
    elif mention.grain == "year" and to - from_ <= timedelta(days=1):
        from_, to = (datetime(year, 1, 1, tzinfo=now.tzinfo) for year in (from_.year, from_.year + 1))
    elif mention.grain == "time":
        from_, to = from_ - timedelta(hours=1), to + timedelta(hours=1)
    elif re.match(r"(?:since|seit|desde|depuis) ", mention.text, re.IGNORECASE):
        to = _after(now)
    elif mention.grain == "day" and re.search(words.alternation(words.WEEKDAYS), mention.text, re.IGNORECASE):
        step = 7
    part = _DAY_PART.search(text)
    if part is not None and mention.grain == "day":
        low, high = _DAY_PARTS[part["part"].casefold()]
        from_, to = _midnight(from_) + timedelta(hours=low), _midnight(from_) + timedelta(hours=high)
    if _EARLIER.search(text) and from_ < now - NOW_TALK < to:
        to = now - NOW_TALK
    return _Period(start=mention.start, end=mention.end, from_=from_, to=to, step_days=step)
