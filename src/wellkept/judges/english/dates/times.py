"""Times in words: what dates a text mentions, until when a fact is to be kept, what period a question asks about."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from wellkept.judges.english.dates import calendar_words as words
from wellkept.judges.english.dates.calendar_grammar import (
    AFTER_CLOCK,
    BEFORE_CLOCK,
    CLOCK,
    PATTERNS,
    Direction,
    Grain,
    Span,
    calendar_day,
    count,
    shift,
    span_of,
)
from wellkept.patterns import deferred
from wellkept.values import frozen

TEXT_MAX = 4000
"""Characters that are read for dates; a fact is never longer."""
HALF_DAY_HOURS = 12


@frozen
class TimeMention:
    """Words that name a time: their place in the text, and the time from `from_` up to, not including, `to`."""

    start: int
    end: int
    text: str
    from_: datetime
    to: datetime
    grain: Grain
    is_relative: bool
    """Whether the date depends on when it was said; "March 15" does not, though its year is found from the clock."""

    @property
    def last(self) -> datetime:
        """For "by Sunday" the end of that day, which is no longer its next midnight."""
        return self.to if self.to == self.from_ else self.to - timedelta(seconds=1)

    @property
    def bracket(self) -> str:
        """The dates as they stand in brackets behind the words, no finer than the words are."""
        first, last = self.from_.date(), (self.to - timedelta(microseconds=1)).date()
        width = {"year": 4, "month": 7, "season": 7}.get(self.grain, 10)
        parts = (first.isoformat()[:width], last.isoformat()[:width])
        return parts[0] if parts[0] == parts[1] else f"{parts[0]} to {parts[1]}"


_SENTENCE_END = deferred(r"[.!?;]\s|\n")
_WORD = deferred(r"[^\W\d_]+|'(?:s|m|re|ll|d|ve)\b")
_HABIT = deferred(
    r"(?:\b(?:every|each|most|any|jeden|jede|cada|chaque|todos los|ogni|elke)"
    r"|guten|good|por la|de la|la|buon)(?: other)? $",
    re.IGNORECASE,
)


def _midnight(day: date, now: datetime) -> datetime:
    return datetime.combine(day, time(), tzinfo=now.tzinfo)


def _tense(sentence_words: list[str]) -> Direction | None:
    """Where the nearest verb, read from the end, points to."""
    for index in range(len(sentence_words) - 1, -1, -1):
        word = sentence_words[index]
        if word in words.PRESENT_VERBS:
            return "future"
        is_past = word in words.PAST_VERBS or (word.endswith("ed") and len(word) > 3 and word not in words.NOT_PAST)
        if not is_past:
            continue
        before = sentence_words[max(0, index - 2) : index]
        if before[-1:] == ["to"] or {"is", "are", "am", "be", "will", "'s", "'re", "'m", "'ll"} & set(before):
            return "future"
        return "past"
    return None


def _direction(text: str, start: int, end: int) -> Direction:
    """Whether the sentence around a mention speaks of the past; without a sign it speaks of what comes."""
    begin = max((found.end() for found in _SENTENCE_END.finditer(text, max(0, start - 200), start)), default=0)
    before = text[max(begin, start - 200) : start].casefold()
    if before.rstrip().endswith((" to", " by", " until", " till", " bis", " hasta")):
        return "future"
    if text[start:end].casefold().startswith(("since ", "seit ", "desde ", "depuis ")):
        return "past"
    stop = _SENTENCE_END.search(text, end)
    after = text[end : min(len(text), end + 200) if stop is None else stop.start()].casefold()
    # A perfect ("has moved") tells of the past although its first verb is a present one.
    before = re.sub(r"\b(?:have|has|'ve) (?:\w+ )?(?=\w+ed\b|been\b|gone\b)", "", before).replace("been", "was")
    found = _tense(_unowned(_WORD.findall(before)[-12:]))
    return found or _tense(list(reversed(_unowned(_WORD.findall(after)[:8])))) or "future"


_BEING = frozenset("it he she that there what who where when here let this everything everybody everyone".split())
_NOUNS = frozenset(
    """wedding meeting evening morning building painting drawing training thing ring king string wing spring ceiling
    christening hearing viewing reading recording outing housewarming pudding engagement clothing savings""".split()
)
_AFTER_IS = frozenset("at in on off out back away due free not the a an going here there home coming".split())


def _unowned(sentence_words: list[str]) -> list[str]:
    """The words without the 's that says whose something is: "lost the user's job" has one verb, "Tom's away" too."""
    return [
        word
        for at, word in enumerate(sentence_words)
        if word != "'s"
        or (at > 0 and sentence_words[at - 1] in _BEING)
        or (at + 1 < len(sentence_words) and _may_follow_is(sentence_words[at + 1]))
        or at + 1 == len(sentence_words)
    ]


def _may_follow_is(word: str) -> bool:
    return word in _AFTER_IS or (word.endswith("ing") and word not in _NOUNS)


def _clock(match: re.Match[str]) -> time | None:
    groups = match.groupdict()
    if groups.get("noon"):
        return time(12)
    if groups.get("midnight"):
        return time(0)
    hour_text = groups.get("hour") or groups.get("hour24") or groups.get("bare")
    if hour_text is None:
        return None
    hour, minute = int(hour_text), int(groups.get("minute") or groups.get("minute24") or 0)
    half = (groups.get("half") or "").casefold()
    if half:
        hour = hour % HALF_DAY_HOURS + (HALF_DAY_HOURS if half.startswith("p") else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _mention(text: str, start: int, end: int, span: Span, now: datetime) -> TimeMention:
    from_ = span.moment or _midnight(span.first, now)
    to = from_ if span.moment else _midnight(span.last + timedelta(days=1), now)
    mention = TimeMention(
        start=start, end=end, text=text[start:end], from_=from_, to=to, grain=span.grain, is_relative=span.is_relative
    )
    return mention if span.first != span.last or span.moment else _with_clock(text, mention)


def _with_clock(text: str, mention: TimeMention) -> TimeMention:
    """The same mention with the time of day that stands beside it."""
    start, end = mention.start, mention.end
    found = AFTER_CLOCK.match(text, end)
    if found is not None:
        end = found.end()
    else:
        found = BEFORE_CLOCK.search(text[max(0, start - 24) : start])
        if found is None:
            return mention
        start -= len(found[0])
    clock = _clock(found)
    if clock is None:
        # "Friday evening" is longer than "Friday"; "0:60 Monday" is no time at all.
        return replace(mention, end=end, text=text[mention.start : end]) if start == mention.start else mention
    moment = mention.from_.replace(hour=clock.hour, minute=clock.minute)
    return replace(mention, start=start, end=end, text=text[start:end], from_=moment, to=moment, grain="time")


_FOREIGN_DAY = deferred(r"(?<!\w)\d{1,2}\.? [\u0370-\u1fff]{3,}(?: \d{4})?(?!\w)")


def _foreign(text: str, now: datetime) -> Iterator[TimeMention]:
    """Absolute dates in scripts our own words do not cover, read by a library that is slow to load."""
    for match in _FOREIGN_DAY.finditer(text):
        import dateparser

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = dateparser.parse(match[0], settings={"REQUIRE_PARTS": ["day", "month"], "STRICT_PARSING": False})
        if found is None or not re.match(rf"0?{found.day}\b", match[0]):
            continue
        year = match[0][-4:] if match[0][-4:].isdigit() else None
        span = calendar_day(year, found.month, found.day, now, _direction(text, match.start(), match.end()))
        if span is not None:
            yield _mention(text, match.start(), match.end(), span, now)


_DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_DAY_ONLY = deferred(rf"(?i)(?:on )?{_DAY}")
_SPAN_AFTER = deferred(
    rf"(?i)\s*(?:to|through|thru|till|until|-|–|—)\s*{_DAY}\b|\s+(?:morning|afternoon|evening|night)s\b"
)
_SPAN_BEFORE = deferred(rf"(?i)\b{_DAY}\s*(?:to|through|thru|till|until|-|–|—)\s*$")


# "Every day except Monday", "I never work on Friday".
_USUAL_BEFORE = deferred(
    r"(?i)\b(?:every|each|daily|all|any|seven)\b[^.!?;]*\b(?:except|but|besides|save|apart from|other than)"
    r"(?: for)?(?: on)? $"
    r"|\b(?:never|always|usually|normally|generally|typically|mostly) (?!\w+ed\b)\w+(?: [\w'’]+){0,3} (?:on )?$"
)


def _is_weekly(text: str, match: re.Match[str]) -> bool:
    """For "Monday to Friday", "on Wednesday evenings": days of every week, and none of the calendar."""
    if _DAY_ONLY.fullmatch(match[0].strip()) is None:
        return False
    before, after = text[max(0, match.start() - 60) : match.start()], text[match.end() : match.end() + 20]
    if match[0].lower().startswith("on "):
        before += "on "
    return (
        _SPAN_AFTER.match(after) is not None
        or _SPAN_BEFORE.search(before) is not None
        or _USUAL_BEFORE.search(before) is not None
    )


def _candidates(text: str, now: datetime) -> Iterator[TimeMention]:
    for pattern, resolver in PATTERNS:
        for match in pattern.finditer(text):
            if _HABIT.search(text[max(0, match.start() - 20) : match.start()]) or _is_weekly(text, match):
                continue
            try:
                span = resolver(match, now, _direction(text, match.start(), match.end()))
            except (OverflowError, ValueError):
                # A distance beyond the calendar ("in 9000 years") names no date.
                continue
            if span is not None:
                yield _mention(text, match.start(), match.end(), span, now)
    yield from _foreign(text, now)


@lru_cache(maxsize=64)
def mentions(text: str, now: datetime) -> tuple[TimeMention, ...]:
    """The times a text names, in its order, none inside another. `now` is aware, in the speaker's zone."""
    straight = text[:TEXT_MAX].replace("\u2019", "'")
    chosen: list[TimeMention] = []
    for found in sorted(_candidates(straight, now), key=lambda one: (one.start - one.end, one.start)):
        if all(found.end <= other.start or found.start >= other.end for other in chosen):
            chosen.append(found)
    return tuple(sorted(chosen, key=lambda one: one.start))


_CHOSEN = deferred(r"\b(?:favou?rite|lucky|preferred|best|busiest|usual|called|named)\b[^.!?;]*$", re.IGNORECASE)


def annotate(text: str, now: datetime) -> str:
    """The text with the date in brackets behind every expression that depends on when it was said."""
    pieces: list[str] = []
    position = 0
    for found in mentions(text, now):
        is_chosen = _CHOSEN.search(text[max(0, found.start - 60) : found.start]) is not None
        if is_chosen or not found.is_relative or text[found.end : found.end + 2] == " (" or found.start < position:
            continue
        pieces += [text[position : found.end], f" ({found.bracket})"]
        position = found.end
    return "".join([*pieces, text[position:]])


_UNTIL = deferred(
    r"(?<!\w)(?P<word>until|till|'til|through|thru|up to|bis zum|bis zur|bis|hasta|jusqu'(?:à|au|en)|fino a|fino al|até"
    r"|tot en met|tot)(?: (?:el|la|le|o|a))? (?=\S)",
    re.IGNORECASE,
)
_FOR = deferred(
    r"(?<!\w)(?:for|für|durante|por|pendant|pour|per|voor)"
    r"(?P<next> (?:the )?(?:next|coming)| die nächsten| los próximos| les prochaine?s)?"
    rf" (?:(?:about|around|roughly) )?(?:(?P<number>\d{{1,4}}|{words.alternation(words.NUMBERS)})(?P<half> and a half)?"
    rf"|(?P<half_of>half an?)|(?P<vague>{words.alternation(words.VAGUE_NUMBERS)}))"
    rf" (?P<unit>{words.alternation(words.UNITS)})(?!\w)"
    rf"(?: or (?P<more>\d{{1,4}}|{words.alternation(words.NUMBERS)})(?!\w))?",
    re.IGNORECASE,
)
_REST = deferred(
    r"(?<!\w)(?:(?:for|für|durante|por|pour|per|voor) )?(?:the |den |el |le |il |o |de )?(?:rest|remainder|resto|reste)"
    r" (?:of (?:the |this |my )?|des |der |del |de la |de |du |van de |van het |da |do |della )"
    rf"(?P<span>{words.alternation(words.SPANS)})(?!\w)",
    re.IGNORECASE,
)
_THIS = deferred(
    r"(?<!\w)(?P<only>(?:just |only )?(?:for )?)"
    r"(?:this (?P<span>week|weekend|month|year)|(?P<today>today|tonight))(?!\w)",
    re.IGNORECASE,
)
_IS_SO = deferred(r"(?:\b(?:is|are|am)|['’](?:s|re|m))\b", re.IGNORECASE)
_REQUEST = deferred(
    r"(?:\b(?:remember|note|save|keep|store|memori[sz]e|forget|mind|this|merke?|dir|recuerda|retiens|ricorda)"
    r"(?: (?:this|it|that))?|^)[ ,:]*$",
    re.IGNORECASE,
)
_LASTING = deferred(r"\b(?:lasts?|takes?|used to|ago|since|for over|for more than)\b", re.IGNORECASE)
_REPEATED = deferred(r"\b(?:every|each|daily|weekly|a day|per|twice|once)\b", re.IGNORECASE)


def _without(text: str, start: int, end: int) -> str:
    """The text without a stretch, and without the gap it leaves."""
    left, right = text[:start].rstrip(), text[end:].lstrip()
    if not left:
        right = right.lstrip(",: ")
        return right[:1].upper() + right[1:] if text[:1].isupper() else right
    return (left + ("" if right[:1] in ",.;:!?" or not right else " ") + right).rstrip(" ,")


def _is_told(text: str, start: int, end: int) -> bool:
    """Whether a duration tells how long something took or has lasted, not how long it is to be kept."""
    return bool(_LASTING.search(text[max(0, start - 80) : start])) or _direction(text, start, end) == "past"


def _for_duration(text: str, now: datetime) -> tuple[datetime, int, int] | None:
    for found in _FOR.finditer(text):
        before = text[: found.start()]
        is_asked = bool(_REQUEST.search(before) or found["next"])
        unit = words.UNITS[found["unit"].casefold()]
        if not is_asked:
            is_short = unit in ("hour", "minute")
            if is_short or _is_told(text, found.start(), found.end()) or _REPEATED.search(text):
                continue
        try:
            return _later(found, unit, now), found.start(), found.end()
        except (OverflowError, ValueError):
            continue
    return None


def _later(found: re.Match[str], unit: str, now: datetime) -> datetime:
    """The moment after a duration; of half a unit by its parts."""
    if found["half_of"]:
        number = 0
    elif found["vague"]:
        number = words.VAGUE_NUMBERS[found["vague"].casefold()]
    else:
        number = count(found["more"] or found["number"])
    moment = shift(now, number, unit)
    if found["half_of"] or found["half"]:
        parts, part = words.HALVES[unit]
        moment = shift(moment, parts, part)
    return moment


def _for_the_rest(text: str, now: datetime) -> tuple[datetime, int, int] | None:
    """The end of a week, month or year that something is said to hold for, or for the rest of."""
    found = _REST.search(text)
    if found is not None and not _is_told(text, found.start(), found.end()):
        span = span_of(words.SPANS[found["span"].casefold()], now.date(), 0)
        return _midnight(span.last + timedelta(days=1), now), found.start(), found.end()
    for found in _THIS.finditer(text):
        if _is_told(text, found.start(), found.end()):
            continue
        is_asked = bool(_REQUEST.search(text[: found.start()]) or found["only"])
        # "The lift is broken this week" holds for it; "I start this week" holds on.
        holds = not text[found.end() :].strip(" .!") and _IS_SO.search(text[: found.start()]) is not None
        if (is_asked or holds) and found["today"] is None:
            last = span_of(found["span"].casefold(), now.date(), 0).last
            return _midnight(last + timedelta(days=1), now), found.start(), found.end()
        if is_asked:
            return _midnight(now.date() + timedelta(days=1), now), found.start(), found.end()
    return None


def _until_date(text: str, now: datetime) -> tuple[datetime, int, int] | None:
    for found in _UNTIL.finditer(text):
        if not _REQUEST.search(text[: found.start()]) and _is_told(text, found.start(), found.start()):
            continue
        clock = CLOCK.match(text, found.end())
        moment = _clock(clock) if clock else None
        if clock is not None and moment is not None:
            at = now.replace(hour=moment.hour, minute=moment.minute, second=0, microsecond=0)
            return (at if at > now else at + timedelta(days=1)), found.start(), clock.end()
        near = (one for one in mentions(text, now) if one.start <= found.end() + 4 and one.end > found.end())
        mention = next(near, None)
        if mention is None:
            continue
        is_whole = found["word"].casefold() in ("through", "thru", "tot en met") or mention.grain in ("day", "time")
        return (mention.to if is_whole else mention.from_), found.start(), mention.end
    return None


def expiry(text: str, now: datetime) -> tuple[datetime | None, str]:
    """Until when a fact is to be kept, in UTC, and the text without the words that say so."""
    straight = text[:TEXT_MAX].replace("\u2019", "'")
    found = _until_date(straight, now) or _for_duration(straight, now) or _for_the_rest(straight, now)
    if found is None or found[0] <= now:
        return None, text
    moment, start, end = found
    return moment.astimezone(UTC), _without(text, start, end)


_BETWEEN = deferred(
    r"\b(?:between|from)\b(?P<first>.{1,40}?)\b(?:and|to|until|till)\b(?P<second>.{1,40})", re.IGNORECASE
)


def _edge(text: str, now: datetime) -> TimeMention | None:
    return next(iter(mentions(f"was in {text.strip()}", now) or mentions(f"was {text.strip()}", now)), None)


@frozen
class Between:
    """Words that name a stretch from one time to another."""

    start: int
    end: int
    from_: datetime
    to: datetime


def between(query: str, now: datetime) -> Between | None:
    """The stretch "between March and June", from its first moment up to, not including, its end."""
    found = _BETWEEN.search(query[:TEXT_MAX])
    if found is None:
        return None
    first, second = _edge(found["first"], now), _edge(found["second"], now)
    if first is None or second is None:
        return None
    from_ = first.from_
    while from_ > second.from_:
        from_ = shift(from_, -1, "year")
    return Between(start=found.start(), end=found.end(), from_=from_, to=second.to)


def period(query: str, now: datetime) -> tuple[datetime, datetime] | None:
    """The time a question asks about, from a moment up to, not including, another; None when it names no time."""
    stretch = between(query, now)
    if stretch is not None:
        return stretch.from_, stretch.to
    found = next(iter(mentions(query, now)), None)
    if found is None:
        return None
    if found.text.casefold().startswith(("since ", "seit ", "desde ", "depuis ")):
        return found.from_, _midnight(now.date() + timedelta(days=1), now)
    return found.from_, max(found.to, found.from_ + timedelta(hours=1))
