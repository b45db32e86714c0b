"""A question as it is put to the transcript: which words, which time, whose words, what kind of thing is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field
from datetime import datetime
from typing import Literal

from wellkept.patterns import deferred
from wellkept.policies import words
from wellkept.values import frozen

Order = Literal["first", "latest"]


@frozen
class AskedTime:
    """The time a question names. Neither window nor sessions: it names none."""

    window: tuple[datetime, datetime] | None = None
    """From a moment up to, not including, another."""
    step_days: int | None = None
    """A day that comes again, such as "last Friday": when nothing was said then, the one so many days before counts."""
    sessions: tuple[int, int] | None = None
    """First and last talk, counted from 1; from the end when negative, so that -1 is the latest one."""
    is_said: bool = False
    """Whether the time is that of the talk ("what did we discuss in May"), not of something told in it."""
    order: Order | None = None
    """The end of the story that is asked for: "the first time", "the latest"."""
    content: str = ""
    """The question without the words that name the time."""

    @property
    def is_timed(self) -> bool:
        return self.window is not None or self.sessions is not None


Kind = Literal["time", "number", "name"]

_TALK = frozenset(
    words.terms(
        "discuss discussed discussion talk talked talking chat chatted speak spoke say said tell told mention mentioned"
        " conversation session share shared ask asked cover covered topic thing stuff bring brought come came go gone"
        " earlier"
    )
)
"""Words that speak of talking; beside a time they say nothing about what was said."""

_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (
        "time",
        deferred(r"^\W*(?:since |until )?when\b|\bwhat (?:date|day|time|year|month)\b|\bhow long\b", re.IGNORECASE),
    ),
    ("number", deferred(r"\bhow (?:many|much|old|often|long|far)\b", re.IGNORECASE)),
    (
        "name",
        deferred(
            r"^\W*(?:who|where|which)\b|\bname[sd]?\b"
            r"|\bwhat (?:book|movie|film|game|song|city|country|place|band|brand|company|restaurant)",
            re.IGNORECASE,
        ),
    ),
)
_TO_ASSISTANT = deferred(
    r"\b(?:did|do|have|had|would|could|can) you\b"
    r"|\byou(?:'ve| have)? (?:\w+ )?(?:recommend|suggest|advi[sc]e|said|say|propose|help|told|tell|explain|provide"
    r"|mention|give|gave|show)",
    re.IGNORECASE,
)
_STANDS = deferred(
    r"^(?:\W*+\w++){0,4}?\W*+\b(?:what|which|who|where|when|how (?:many|much|often|old|long|far|big))\b.*?"
    r"(?:\b(?:is|are|am|do|does|have|has|should)\b|'(?:s|m|re|ve)\b)",
    re.IGNORECASE,
)
_PAST = deferred(r"\b(?:did|was|were|had|used to)\b", re.IGNORECASE)
_OWN = deferred(r"\b(?:i|my|me|mine|we|our)\b", re.IGNORECASE)

_FRAME = deferred(
    r"^\W*(?:can|could|would|will) you (?:please )?"
    r"(?:tell me about|tell me|share|describe|explain|remind me of|remind me|give me|show me)\s+(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_WHAT = deferred(r"\b(?:what|which)(?:'s| is| are| was| were)?\s+(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_FOR_ADVICE = deferred(
    r"\b(?:should|could|can|might) (?:i|we)\b|\bwould you (?:suggest|recommend|advise|say|do|use)\b"
    r"|\bhow (?:do (?:i|we)|to)\b|\bhelp me\b|^\W*(?:can|could|would|will) you (?:please )?(?:explain|walk|show)\b",
    re.IGNORECASE,
)
"""Asks for something new, which nobody need have named before."""
_ARTICLES = frozenset("the a an my your any some our his her their all".split())
_ENDS = frozenset(
    """did do does is are was were have has had can could should will would in of for from that to during about i my me
    we you your on at with behind between when where which who by as besides after before his her the if how""".split()
)
_VAGUE = frozenset(
    """specific exact particular different main key various kind kinds type types sort some details detail information
    summary overview list order way ways comprehensive clear full brief complete time date dates day days year month
    amount number percentage total hours name names""".split()
)
"""Not the thing itself, or told by an answer that does not say the word."""
WANTED_MAX = 4


@frozen
class MessageQuestion:
    """What is looked for in the transcript."""

    terms: tuple[str, ...]
    """Empty: everything said at the time that is asked about."""
    wanted: tuple[str, ...] = ()
    """Those of the terms that name the thing asked for, as "agenda" in "What was the agenda of the meeting?"."""
    kind: Kind | None = None
    is_to_assistant: bool = False
    """Asks for what the assistant said, not for what it was told."""
    is_standing: bool = False
    """Asks how something stands now, so that of several statements the newest is the answer."""
    time: AskedTime = field(default_factory=AskedTime)

    def named(self, speakers: Iterable[frozenset[str]]) -> frozenset[int]:
        """Numbers of the speakers whose name, or a part of it, stands in the question."""
        mine = frozenset(self.terms)
        return frozenset(number for number, name in enumerate(speakers) if name & mine)

    @property
    def is_bare(self) -> bool:
        return not self.terms and self.time.is_timed


def understand(query: str, time: AskedTime) -> MessageQuestion:
    """The question without its time words; `time` is what was read from it."""
    content = time.content if time.is_timed else query
    terms = words.query_terms(content) if content.strip() else []
    if time.is_timed:
        terms = [term for term in terms if not words.is_stop(term) and not (time.is_said and term in _TALK)]
    wanted = frozenset(words.terms(" ".join(_wanted(content))))
    return MessageQuestion(
        terms=tuple(terms),
        wanted=tuple(term for term in terms if term in wanted),
        kind=next((kind for kind, pattern in _KINDS if pattern.search(content)), None),
        is_to_assistant=_TO_ASSISTANT.search(query) is not None,
        is_standing=_is_standing(query, time),
        time=time,
    )


def _is_standing(query: str, time: AskedTime) -> bool:
    if time.is_timed or time.order == "first":
        return False
    return time.order == "latest" or (
        _STANDS.search(query) is not None and _PAST.search(query) is None and _OWN.search(query) is not None
    )


def _wanted(content: str) -> list[str]:
    """The words of the thing that is asked for, if the question names one."""
    match = _FRAME.match(content) or _WHAT.search(content)
    if match is None or (_FOR_ADVICE.search(content) and not _PAST.search(content)):
        return []
    found: list[str] = []
    for word in re.findall(r"[^\W_]+(?:[-'][^\W_]+)*", match["rest"].casefold().replace("\u2019", "'")):
        if not found and word in _ARTICLES:
            continue
        if word in ("or", "and") and found:
            continue
        if word in _ENDS or len(found) >= WANTED_MAX:
            break
        found.append(word)
    return [word for word in found if word not in _VAGUE]
