"""Repairs: short corrections that lean on what was said before ("wait no, Thursday"), put into what they mend."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from wellkept.judges.english.dates import calendar_words
from wellkept.judges.english.grammar import lexicon
from wellkept.judges.english.grammar.parser import parse
from wellkept.judges.english.messages import openers
from wellkept.patterns import deferred, has_single_spaces
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable

RIGHT_WORDS_MAX = 7
LONE_WORDS_MAX = 4
UNNAMED_MAX = 6
"""Statements back that a repair may mean which does not say what was wrong."""


@frozen
class Repair:
    """What is right, and what was wrong where the speaker says it."""

    right: str
    wrong: str | None = None
    is_meant: bool = True
    """Said to be what was meant. Without that, "sorry, it's fine" must not be taken for one: only dates, numbers and
    names are."""


@frozen
class Mended:
    """A statement with the right value in it, and the words that it replaced."""

    text: str
    wrong: str
    statement: str
    """As it was."""


_LEAD = (
    r"(?:(?:oh|ah+|hmm?|uh|um|er+|well|ok(?:ay)?|and|but|so|i (?:was|got (?:it|that)) wrong|to be (?:exact|precise)"
    r"|oops|whoops|sorry|my (?:bad|mistake|apologies)|apologies|(?:small |quick )?correction|edit|typo|actually|wait"
    r"|no|nope|hang on|hold on|(?:or )?rather|scratch that|strike that|let me correct (?:that|myself)"
    r"|i misspoke)\b[\s,.:;!–—-]*)"
)
_TURNING = deferred(
    r"(?i)\b(?:oops|whoops|sorry|my (?:bad|mistake)|apologies|correction|edit|typo|actually|wait|no|nope|hang on"
    r"|hold on|rather|scratch that|strike that|correct|misspoke|wrong)\b"
)
_FIRM = deferred(
    r"(?i)\b(?:wait|no|nope|rather|correction|scratch that|strike that|misspoke|wrong|my (?:bad|mistake)|typo)\b"
)
_IS = r"(?:(?:it|that|this|he|she|they)|(?:his|her|its|their|the) name)(?:['’](?:s|re)|\s+(?:is|was|are|were))"
_MEANT = (
    r"(?:i (?:meant|mean)(?: to (?:say|write|type))?|make (?:that|it)"
    r"|(?:(?:that|it|this) )?should (?:be|have been|read|say))"
)
_BEGIN = rf"(?is)^\s*(?P<lead>{_LEAD}*)"
_LED = deferred(rf"(?i)\s*{_LEAD}")
_END = (
    r"(?:[,;–—-]\s*(?:(?:i )?(?:forgot|misread|misremembered|mistyped|mixed (?:it|them|that) up)\b"
    r"|(?:(?:the|my|our) )?\w+ (?:\w+ed|said|told|put|cut) (?:it|that|me|us|so)\b)[^.!?]*)?[\s.!]*$"
)
# The point of "Dr." and of an initial ends nothing.
_SHORTENED = (
    r"(?:(?<=\b(?:dr|mr|ms|mx|st|sr|jr|fr))|(?<=\b(?:mrs|rev|sgt|col|gen|hon|sra|mme))|(?<=\bprof)|(?<=\b[a-z]))"
    r"\.(?=\s?\w)"
)
_VALUE = rf"(?:[^,;.!?:]|(?<=\d)[:.](?=\d)|{_SHORTENED}){{1,60}}?"
_NOT_FIRST = deferred(
    rf"{_BEGIN}(?:(?:{_IS}|{_MEANT})\s+)?not\s+(?P<wrong>{_VALUE})\s*(?:,|;|\s-+|–|—|\bbut\b)\s*(?:but\s+)?"
    rf"(?:(?:{_IS}|{_MEANT})\s+)?(?P<right>{_VALUE}){_END}"
)
_NOT_LAST = deferred(
    rf"{_BEGIN}(?P<meant>(?:(?:{_IS}|{_MEANT})\s+)?)(?P<right>{_VALUE})\s*(?:,|\s-+|–|—|\s)\s*(?:and )?not\s+"
    rf"(?P<wrong>{_VALUE}){_END}"
)
_SAID = deferred(rf"{_BEGIN}(?P<meant>{_IS}|{_MEANT})\s+(?P<right>{_VALUE}){_END}")
_LONE = deferred(rf"{_BEGIN}(?P<right>{_VALUE}){_END}")

_DAYS = "|".join([*list(calendar_words.WEEKDAYS)[:7], *calendar_words.SHORT_WEEKDAYS])
_MONTH_NAMES = "january|february|march|april|may|june|july|august|september|october|november|december"
_WHEN = deferred(
    rf"(?i)\b(?:(?:next|this|last)\s+)?(?:{_DAYS})s?(?:(?:,|,? and|,? or)\s+(?:{_DAYS})s?)*\b"
    rf"|\b(?:{_MONTH_NAMES})(?:\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?)?\b"
    rf"|\b(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTH_NAMES})\b|\b(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)\b"
    r"|\b(?:tomorrow|today|tonight|yesterday|(?:next|last|this)\s+(?:week|weekend|month|year))\b"
)
_NOW = deferred(r"(?i)\b(?:today|tonight|tomorrow|yesterday|(?:this|next|last) (?:week|weekend|month|year))\b")
_MONTH_ONLY = deferred(rf"(?i)(?:in |by )?(?:(?:next|this|last) month|(?:early |late |mid-?)?(?:{_MONTH_NAMES}))")
_CLOCK = deferred(r"(?i)\b(?:\d{1,2}(?::\d{2})?\s?[ap]\.?m\b\.?|\d{1,2}:\d{2}|noon|midnight|\d{1,2} o['’]clock)")
_ORDINALS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
_CARDINALS = "|".join(sorted(lexicon.NUMBER_WORDS - {"one"}, key=len, reverse=True))
_COUNT = deferred(rf"(?i)\b(?:\d+(?:[.,]\d+)*k?|{_ORDINALS}|{_CARDINALS})\b")
_WORDED = deferred(rf"(?i)\b(?:{_CARDINALS}|one(?= (?:in|at|before|after|a|per|each|every|daily|with)\b))\b")
_NAMED = deferred(r"(?<![\w'’])[^\W\d_a-zß-öø-ÿ][\w'’-]+(?:\s+[^\W\d_a-zß-öø-ÿ][\w'’-]+)*")
_KINDS = (_CLOCK, _WHEN, _COUNT)
_AROUND_NUMBERS = lexicon.words("on at in to from for by of the a an my our years year old and")
_NO_VALUES = lexicon.words("i i'm we you not what it that this so no yes again")
_LINKING = deferred(r"(?i)^(?:(?:on|at|in|to|from|for|with|by|of|near|the|an?|my|our)\s+)+")


_SPACES = deferred(r"(\s)\s+")


@lru_cache(maxsize=64)
def recognise(text: str) -> Repair | None:
    """The repair that a message is, if it is nothing else."""
    # Long runs of spaces could be split between the parts of a pattern in very many ways.
    single = text if has_single_spaces(text) else _SPACES.sub(r"\1", text)
    text = openers.with_closer_first(single)
    for pattern in (_NOT_FIRST, _NOT_LAST) if "not" in text.lower() else ():
        match = pattern.match(text)
        if match is not None and _is_value(match["right"]) and _is_meant(match):
            return Repair(right=match["right"].strip(), wrong=match["wrong"].strip())
    match = _SAID.match(text)
    if match is not None and _is_value(match["right"]):
        right = match["right"].strip()
        is_meant = re.fullmatch(f"(?i){_MEANT}", match["meant"]) is not None
        if is_meant or (_TURNING.search(match["lead"]) and (_is_dated(right) or _NAMED.match(right))):
            return Repair(right=right, is_meant=is_meant)
    match = _LONE.match(text) if _LED.match(text) else None
    if match is None or not _TURNING.search(match["lead"]) or len(match["right"].split()) > LONE_WORDS_MAX:
        return None
    right = match["right"].strip()
    is_named = _NAMED.search(right) is not None and _FIRM.search(match["lead"]) is not None
    return Repair(right=right, is_meant=False) if _is_value(right) and (_is_dated(right) or is_named) else None


def _is_meant(match: re.Match[str]) -> bool:
    """Whether "A, not B" corrects: it says so, or has nothing else in it than a name or a number and what it is not."""
    right = match["right"].strip()
    is_bare = _is_dated(right) or _NAMED.match(right) is not None or "but" in match[0].casefold().split()
    return bool(match["lead"] or match.groupdict().get("meant")) or is_bare


def _is_dated(right: str) -> bool:
    """Whether it is a day, an hour or a number, with at most what is counted."""
    is_count = _COUNT.search(right) is not None and not _WHEN.search(right) and not _CLOCK.search(right)
    return _bare(right) != right and len(_counted(right)) <= int(is_count)


def _bare(right: str) -> str:
    for kind in _KINDS:
        right = kind.sub(" ", right)
    return right


def _counted(right: str) -> set[str]:
    """What stands beside the number: "euros", "grade"."""
    return set(_bare(right).casefold().split()) - _AROUND_NUMBERS


def _is_value(right: str) -> bool:
    """Whether it names something and states nothing by itself."""
    words = right.split()
    if not words or len(words) > RIGHT_WORDS_MAX or words[0].casefold() in _NO_VALUES:
        return False
    # The "am" of "at 10 am" is no verb.
    return all(clause.verb is None or clause.subject is None for clause in parse(_CLOCK.sub("noon", right)))


def mend(repair: Repair, statements: Iterable[str]) -> Mended | None:
    """The latest statement that the repair fits, with the right value in it. Statements come newest first."""
    for number, statement in enumerate(statements):
        if repair.wrong is None and number >= UNNAMED_MAX:
            return None
        span = _span(repair, statement, is_last=number == 0)
        if span is not None and statement.rstrip().endswith("?"):
            return None  # what was asked is meant, and nothing told
        if span is not None:
            wrong = statement[span[0] : span[1]]
            right = _after(statement[: span[0]], repair.right)
            right = right if _LINKING.match(wrong) else _LINKING.sub("", right)
            if right.split(" ")[-1].casefold() == statement[span[1] :].strip(" .").split(" ")[0].casefold():
                right = right.rsplit(" ", 1)[0]  # "900 euros", "sorry, 950 euros"
            return Mended(text=f"{statement[: span[0]]}{right}{statement[span[1] :]}", wrong=wrong, statement=statement)
    return None


def _after(before: str, right: str) -> str:
    """The right value without the words that stand before it already: "allergic to", "he's allergic to nuts"."""
    said, words = before.casefold().split(), right.split()
    for count in range(min(len(said), len(words) - 1), 0, -1):
        if said[-count:] == [word.casefold() for word in words[:count]]:
            return " ".join(words[count:])
    return right


def _span(repair: Repair, statement: str, *, is_last: bool) -> tuple[int, int] | None:
    """Where in a statement the wrong value stands: by its words, else the last one of the same kind."""
    if repair.wrong is not None:
        wrong = _LINKING.sub("", repair.wrong)
        found = list(re.finditer(rf"(?i)(?<!\w){re.escape(wrong)}(?!\w)", statement))
        return found[-1].span() if found else None
    kind = next((kind for kind in _KINDS if kind.search(repair.right)), None) if _is_dated(repair.right) else None
    counted = _counted(repair.right) if kind is not None else set()
    if kind is not None and (not counted or repair.is_meant or counted <= set(statement.casefold().split())):
        found = list(kind.finditer(statement))
        if kind is _COUNT and _WORDED.fullmatch(repair.right):
            found = list(_WORDED.finditer(statement)) or found  # "two" is said for "one", and not for the 40 beside it
        if kind is _WHEN:
            found = [one for one in found if _is_alike(one[0], repair.right)]
        return found[-1].span() if found else None
    if kind is not None:
        return None
    if _NAMED.search(repair.right):
        return _last_name(statement)
    # Any statement has words that complete it: only the last one can be meant.
    return _completing(statement) if repair.is_meant and is_last else None


def _is_alike(wrong: str, right: str) -> bool:
    """Whether one date can stand for the other: a month is said for a month, today for another day from today."""
    if _NOW.match(wrong) and not _NOW.search(right):
        return False
    return bool(_MONTH_ONLY.fullmatch(right)) == bool(_MONTH_ONLY.fullmatch(wrong))


def _last_name(statement: str) -> tuple[int, int] | None:
    spans = [match.span() for match in _NAMED.finditer(statement) if match.start() > 0 and not _WHEN.search(match[0])]
    return spans[-1] if spans else None


def _completing(statement: str) -> tuple[int, int] | None:
    """The words that complete the statement, without the article before them."""
    clauses = [clause for clause in parse(statement) if clause.verb is not None]
    if not clauses:
        return None
    last = clauses[-1]
    phrases = [phrase.noun for phrase in last.phrases if phrase.noun is not None]
    found = last.object or last.complement or (phrases[-1] if phrases else None)
    if found is None:
        return None
    link = _LINKING.match(statement[found.start : found.end])
    start = found.start + (link.end() if link else 0)
    # "That should be fun" is not said for a place or a day.
    is_plain = not any(kind.search(statement[start : found.end]) for kind in (*_KINDS, _NAMED))
    return (start, found.end) if is_plain else None
