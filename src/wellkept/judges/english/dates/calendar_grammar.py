"""The grammar of dates: patterns over the calendar words, and the days each of them means."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from wellkept.judges.english.dates import calendar_words as words
from wellkept.patterns import deferred
from wellkept.values import frozen

Grain = Literal["time", "day", "weekend", "week", "month", "season", "year"]
Direction = Literal["past", "future"]


@frozen
class Span:
    """What some words mean: first and last day, and the moment when they name one."""

    first: date
    last: date
    grain: Grain
    is_relative: bool = True
    moment: datetime | None = None


Resolver = Callable[[re.Match[str], datetime, Direction], Span | None]

_NUMBER = rf"(?P<number>\d{{1,4}}|{words.alternation(words.NUMBERS)})"
_UNIT = rf"(?P<unit>{words.alternation(words.UNITS)})"
# "The Saturday market" is held on each of them.
_OF_EVERY_WEEK = r" (?:markets?|school|club|papers?|league|roast|prayers?|crossword)(?!\w)"
_WEEKDAY = rf"(?P<weekday>{words.alternation(words.WEEKDAYS)})"
_MONTH = rf"(?P<month>{words.alternation(words.MONTHS)})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|º|er|\.)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_THE_YEAR = rf"(?:,? (?:de |del )?{_YEAR}\b)?"
_MODIFIER = rf"(?:(?P<next>{words.NEXT_WORDS})|(?P<last>{words.LAST_WORDS})|(?P<this>{words.THIS_WORDS}))"
_AFTER = rf"(?: (?:(?P<next_after>{words.NEXT_AFTER})|(?P<last_after>{words.LAST_AFTER})))"
_SPAN = (
    r"(?P<span>weekends?|week|month|year|woche|wochenende|monat|jahr|semana|mes|año|semaine|mois|année|settimana|mese)"
)
_ON = r"(?:(?:on|since|am|seit|el|desde|le|depuis|op|at) )?(?:the )?"
_IN = r"(?:in|since|during|from|im|en|em|seit|desde|depuis|à partir de)"


def month_span(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def add_months(day: date, months: int) -> date:
    """The same day some months later, or the last day of a shorter month."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def _modifier(match: re.Match[str]) -> Literal["next", "last", "this"] | None:
    groups = match.groupdict()
    for name in ("next", "last", "this"):
        if groups.get(name) or groups.get(f"{name}_after"):
            return name
    return None


def _one_day(day: date, *, is_relative: bool = True) -> Span:
    return Span(first=day, last=day, grain="day", is_relative=is_relative)


def _offset(match: re.Match[str], now: datetime, _direction: Direction) -> Span | None:
    return _one_day(now.date() + timedelta(days=words.DAY_OFFSETS[match["offset"].casefold()]))


def nearest_weekday(today: date, weekday: int, direction: Direction) -> date:
    """The next such day after today, or the latest before it."""
    if direction == "past":
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def _weekday(match: re.Match[str], now: datetime, direction: Direction) -> Span | None:
    name = match["weekday"].casefold()
    weekday = words.WEEKDAYS.get(name, words.SHORT_WEEKDAYS.get(name, 0))
    today = now.date()
    modifier = _modifier(match)
    if modifier == "next":
        return _one_day(today - timedelta(days=today.weekday()) + timedelta(days=7 + weekday))
    if modifier == "last":
        return _one_day(nearest_weekday(today, weekday, "past"))
    if modifier == "this" and weekday == today.weekday():
        return _one_day(today)
    return _one_day(nearest_weekday(today, weekday, direction))


_SPAN_UNITS = {
    "woche": "week", "semana": "week", "semaine": "week", "settimana": "week", "wochenende": "weekend",
    "weekends": "weekend", "monat": "month", "mes": "month", "mois": "month", "mese": "month",
    "jahr": "year", "año": "year", "année": "year",
}  # fmt: skip


def span_of(unit: str, today: date, steps: int) -> Span:
    """The week, weekend, month or year that lies some steps from the present one."""
    if unit == "week":
        first = today - timedelta(days=today.weekday()) + timedelta(days=7 * steps)
        return Span(first=first, last=first + timedelta(days=6), grain="week")
    if unit == "weekend":
        first = today - timedelta(days=today.weekday()) + timedelta(days=5 + 7 * steps)
        return Span(first=first, last=first + timedelta(days=1), grain="weekend")
    if unit == "month":
        first, last = month_span(*_year_month(add_months(today.replace(day=1), steps)))
        return Span(first=first, last=last, grain="month")
    year = today.year + steps
    return Span(first=date(year, 1, 1), last=date(year, 12, 31), grain="year")


def _year_month(day: date) -> tuple[int, int]:
    return day.year, day.month


def _period(match: re.Match[str], now: datetime, direction: Direction) -> Span | None:
    unit = match["span"].casefold()
    unit = _SPAN_UNITS.get(unit, unit)
    modifier = _modifier(match)
    if modifier is None:
        has_begun = now.weekday() >= calendar.SATURDAY
        return span_of("weekend", now.date(), -1 if direction == "past" and not has_begun else 0)
    return span_of(unit, now.date(), {"next": 1, "last": -1, "this": 0}[modifier])


def _season(match: re.Match[str], now: datetime, direction: Direction) -> Span | None:
    month = words.SEASONS[match["season"].casefold()]
    if words.SOUTHERN_ZONES.match(str(now.tzinfo)):
        month = (month + 5) % 12 + 1
    modifier = _modifier(match)
    today = now.date()
    starts = [date(year, month, 1) for year in range(today.year - 2, today.year + 3)]
    is_past = modifier == "last" or (modifier is None and direction == "past")
    if is_past:
        first = max(start for start in starts if add_months(start, 3) <= today)
    elif modifier == "next":
        first = min(start for start in starts if start > today)
    else:
        first = min(start for start in starts if add_months(start, 3) > today)
    last = add_months(first, 3) - timedelta(days=1)
    return Span(first=first, last=last, grain="season", is_relative=modifier is not None)


def count(word: str) -> int:
    return int(word) if word.isdigit() else words.NUMBERS[word.casefold()]


def shift(now: datetime, number: int, unit: str) -> datetime:
    """A moment some units away: hours and minutes pass in real time, days and longer by the calendar."""
    if unit in ("hour", "minute"):
        delta = timedelta(**{f"{unit}s": number})
        return (now.astimezone(UTC) + delta).astimezone(now.tzinfo)
    if unit in ("month", "year"):
        day = add_months(now.date(), number * (12 if unit == "year" else 1))
        return now.replace(year=day.year, month=day.month, day=day.day)
    return now + timedelta(days=number * {"day": 1, "week": 7, "fortnight": 14}[unit])


def _distance(match: re.Match[str], now: datetime, _direction: Direction) -> Span | None:
    unit = words.UNITS[match["unit"].casefold()]
    number = count(match["number"])
    groups = match.groupdict()
    if groups.get("ago") or groups.get("ago_before"):
        number = -number
    base = now
    if groups.get("weekday"):
        day = nearest_weekday(now.date(), words.WEEKDAYS[groups["weekday"].casefold()], "future")
        base = now.replace(year=day.year, month=day.month, day=day.day)
    elif (groups.get("base") or "").casefold() == "tomorrow":
        base = now + timedelta(days=1)
    moment = shift(base, number, unit)
    if unit in ("hour", "minute"):
        return Span(first=moment.date(), last=moment.date(), grain="time", moment=moment)
    grain: Grain = unit if unit in ("month", "year") else "day"  # type: ignore[assignment]  # the two that are a grain of their own
    return Span(first=moment.date(), last=moment.date(), grain=grain)


def _yearless(month: int, day: int, now: datetime, direction: Direction) -> date | None:
    """The nearest such date on the side that the tense points to; 29 February only where it exists."""
    years = range(now.year - 4, now.year + 1) if direction == "past" else range(now.year, now.year + 5)
    found = [date(year, month, day) for year in years if 1 <= day <= calendar.monthrange(year, month)[1]]
    if direction == "past":
        return max((one for one in found if one <= now.date()), default=None)
    return min((one for one in found if one >= now.date()), default=None)


def _full_year(text: str) -> int:
    return int(text) if len(text) > 2 else 2000 + int(text)


def calendar_day(year: str | None, month: int, day: int, now: datetime, direction: Direction) -> Span | None:
    """A day given by month and day, with or without its year; None where there is no such day."""
    if not 1 <= month <= 12:
        return None
    if year is None:
        found = _yearless(month, day, now, direction)
        return None if found is None else _one_day(found, is_relative=False)
    try:
        return _one_day(date(_full_year(year), month, day), is_relative=False)
    except ValueError:
        return None


def _numeric(match: re.Match[str], now: datetime, direction: Direction) -> Span | None:
    first, second = int(match["first"]), int(match["second"])
    is_month_first = match["separator"] == "/" and first <= 12
    month, day = (first, second) if is_month_first else (second, first)
    return calendar_day(match.groupdict().get("year"), month, day, now, direction)


def _iso(match: re.Match[str], now: datetime, direction: Direction) -> Span | None:
    return calendar_day(match["year"], int(match["month"]), int(match["day"]), now, direction)


def _named_day(match: re.Match[str], now: datetime, direction: Direction) -> Span | None:
    return calendar_day(match["year"], words.MONTHS[match["month"].casefold()], int(match["day"]), now, direction)


def _month(match: re.Match[str], now: datetime, direction: Direction) -> Span | None:
    month = words.MONTHS[match["month"].casefold()]
    modifier = _modifier(match)
    if match["year"]:
        year = int(match["year"])
    elif modifier == "this":
        year = now.year
    elif modifier == "last" or (modifier is None and direction == "past"):
        year = now.year - (month > now.month or (modifier == "last" and month == now.month))
    else:
        year = now.year + (month < now.month or (modifier == "next" and month == now.month))
    first, last = month_span(year, month)
    return Span(first=first, last=last, grain="month", is_relative=modifier is not None)


def _year(match: re.Match[str], _now: datetime, _direction: Direction) -> Span | None:
    year = int(match["year"])
    return Span(first=date(year, 1, 1), last=date(year, 12, 31), grain="year", is_relative=False)


def _end_of(match: re.Match[str], now: datetime, direction: Direction) -> Span | None:
    if match["month"]:
        span = _month(match, now, direction)
        return None if span is None else _one_day(span.last, is_relative=_modifier(match) is not None)
    if match["today"]:
        return _one_day(now.date())
    unit = _SPAN_UNITS.get(match["span"].casefold(), match["span"].casefold())
    modifier = _modifier(match) or "this"
    return _one_day(span_of(unit, now.date(), {"next": 1, "last": -1, "this": 0}[modifier]).last)


def _day_of_month(match: re.Match[str], now: datetime, direction: Direction) -> Span | None:
    day = int(match["day"])
    step = -1 if direction == "past" else 1
    for distance in range(13):
        first = add_months(now.date().replace(day=1), step * distance)
        if 1 <= day <= calendar.monthrange(first.year, first.month)[1]:
            found = first.replace(day=day)
            if found <= now.date() if direction == "past" else found >= now.date():
                return _one_day(found)
    return None


def _holiday(match: re.Match[str], now: datetime, direction: Direction) -> Span | None:
    month, day = words.HOLIDAYS[match["holiday"].casefold()]
    return calendar_day(None, month, day, now, direction)


_TIME = (
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))? ?(?P<half>[ap]\.?m\b\.?)|(?P<hour24>\d{1,2})[:h](?P<minute24>\d\d)"
    r"|(?P<noon>noon)|(?P<midnight>midnight)"
)
CLOCK = deferred(rf"(?:{_TIME})(?!\w)", re.IGNORECASE)
BEFORE_CLOCK = deferred(rf"(?:\b(?:at|um|a las|à) )?\b(?:{_TIME}),? (?:on )?$", re.IGNORECASE)
AFTER_CLOCK = deferred(
    rf",?(?: (?:in the )?(?:morning|afternoon|evening|night)\b)?,? (?:at|um|a las|à|@) (?:{_TIME})(?!\w)"
    r"|,? (?:at|@) (?P<bare>\d{1,2})(?![\w:.,]*\d)(?!\w)"
    r"| (?:morning|afternoon|evening|night)\b",
    re.IGNORECASE,
)

_PATTERNS: tuple[tuple[str, Resolver], ...] = (
    (r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?![\d-])", _iso),
    (r"(?P<first>\d{1,2})(?P<separator>/)(?P<second>\d{1,2})/(?P<year>\d{4}|\d\d)(?![\d/])", _numeric),
    (r"(?P<first>\d{1,2})(?P<separator>\.) ?(?P<second>\d{1,2})\.(?P<year>\d{4})(?![\d.])", _numeric),
    (r"(?:am|vom|bis|zum|ab|seit|on) (?P<first>\d{1,2})(?P<separator>\.) ?(?P<second>\d{1,2})\.(?! ?\d)", _numeric),
    (rf"{_ON}{_MONTH} {_DAY}(?![\w:/.]*\d)(?! ?(?:[ap]m)\b){_THE_YEAR}", _named_day),
    (rf"{_ON}{_DAY} (?:of |de )?{_MONTH}(?!\w){_THE_YEAR}", _named_day),
    (
        (
            rf"(?:(?:at|in|on|am|à la|a) )?(?:the )?(?:end of|ende|fin de) (?:the |{_MODIFIER} )?"
            rf"(?:{_SPAN}|(?P<today>day)|{_MONTH})(?!\w){_THE_YEAR}"
        ),
        _end_of,
    ),
    (rf"(?P<offset>{words.alternation(words.DAY_OFFSETS)})(?!\w)", _offset),
    (rf"{_NUMBER} {_UNIT} (?:from|after) (?:(?P<base>now|today|tomorrow)|(?:next )?{_WEEKDAY})(?!\w)", _distance),
    (rf"(?:in|dans|dentro de|en|tra|fra|daqui a|over) {_NUMBER} {_UNIT}(?!\w)(?:'s time)?", _distance),
    (rf"{_NUMBER} {_UNIT} (?P<ago>ago|back|earlier|fa|geleden|atrás)(?!\w)", _distance),
    (rf"(?P<ago_before>vor|hace|il y a|há) {_NUMBER} {_UNIT}(?!\w)", _distance),
    (rf"{_ON}(?:{_MODIFIER} )?{_WEEKDAY}(?!\w|'s \w+ nights?|{_OF_EVERY_WEEK}){_AFTER}?", _weekday),
    (rf"(?:on |{_MODIFIER} )(?P<weekday>{words.alternation(words.SHORT_WEEKDAYS)})(?!\w)", _weekday),
    (rf"(?:in |during )?(?:the )?{_MODIFIER} {_SPAN}(?!\w)", _period),
    (rf"(?:la |le |el )?{_SPAN}{_AFTER}(?!\w)", _period),
    (r"(?:at|over|on) the (?P<span>weekend)(?!\w)", _period),
    (rf"(?:{_MODIFIER}|in(?: the)?) (?P<season>{words.alternation(words.SEASONS)})(?!\w)", _season),
    (
        (
            rf"(?:(?:{_IN}|by|until|till|through|early|late|mid) |{_MODIFIER} ){_MONTH}(?!\w| ?\d\d?(?!\d))"
            rf"(?: (?:de )?{_YEAR})?"
        ),
        _month,
    ),
    (rf"{_MONTH} {_YEAR}(?!\w)", _month),
    (rf"{_IN} {_YEAR}(?![\w-])", _year),
    (
        (
            r"(?:on|by|until|till|since) the (?P<day>\d{1,2})(?:st|nd|rd|th)"
            r"(?=[.,;!?]|$| (?:at|in|and|with|for|to)\b)"
        ),
        _day_of_month,
    ),
    (rf"{_ON}(?P<holiday>{words.alternation(words.HOLIDAYS)})(?!\w)", _holiday),
    (r"(?:(?P<year>\d{4}) ?年)? ?(?P<month>\d{1,2}) ?月 ?(?P<day>\d{1,2}) ?日", _iso),
)  # fmt: skip

PATTERNS: tuple[tuple[re.Pattern[str], Resolver], ...] = tuple(
    (deferred(pattern if "月" in pattern else rf"(?<![\w/.-]){pattern}", re.IGNORECASE), resolver)
    for pattern, resolver in _PATTERNS
)
