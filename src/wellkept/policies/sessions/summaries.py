"""Summaries made of what was said, in the speakers' own words: nothing is invented, what is open is carried over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType

from wellkept.patterns import deferred
from wellkept.policies.sessions.boundaries import ROLLING_MAX, SessionSummary
from wellkept.policies.text.tokens import clipped
from wellkept.policies.writing.keys import normalised
from wellkept.types import Message
from wellkept.values import frozen

ONE_LINER_MAX = 200
ITEM_MAX = 120
ITEMS_MAX = 5
TONE_MAX = 40
SENTENCE_MAX = 160
WORDS_MIN = 3
OPEN = "Open: "
NOTHING_LEFT = "What it was about is no longer known."
_SENTENCE = deferred(r"(?<=[.!?…])\s+|\n+")
_SMALL_TALK = deferred(
    r"^(?:hi|hey|hello|good (?:morning|evening|night|afternoon)|thanks?|thank you|ok(?:ay)?|sure|great|cool|nice|bye"
    r"|lol|haha|yes|no|yeah|yep|nope|got it|sounds good|see you)\b[^.!?]{0,24}[.!?]*$",
    re.IGNORECASE,
)
_TONES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "strained",
        deferred(
            r"\b(?:stress\w*|overwhelm\w*|anxious|worr\w+|tired|exhaust\w+|frustrat\w+|angry|sad|stuck|struggl\w+"
            r"|afraid|upset|hate|awful|terrible|lonely|hurt\w*)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "upbeat",
        deferred(
            r"\b(?:happy|great|glad|excited|love\w*|proud|wonderful|fantastic|amazing|fun|thrilled|awesome|yay"
            r"|looking forward)\b|!",
            re.IGNORECASE,
        ),
    ),
)


@frozen
class Talk:
    """What a summary is made of: messages oldest first, and what is known of the todos and people in them."""

    messages: tuple[Message, ...]
    """Only words of somebody else than the user have a speaker."""
    open_items: tuple[str, ...] = ()
    """Texts of the todos that are open now."""
    closed_items: tuple[str, ...] = ()
    """Texts of those that were done or given up."""
    commitments: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Names of people the user knows."""
    speaker: str | None = None
    """The user's own name, if it is known."""
    tenant: str = "default"
    user: str | None = None
    """Whose budget a model is asked on."""


@frozen
class Parts:
    """The parts of a session's summary."""

    one_liner: str
    what_mattered: tuple[str, ...] = ()
    open_loops: tuple[str, ...] = ()
    commitments: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    tone: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Line → the user's own words that it rests on, where it is not those words itself."""


def rolling(previous: str, talk: Talk) -> str:
    """A line for each open item, then the newest telling sentences of the user, in their order, within the limit."""
    newest = [clipped(sentence, SENTENCE_MAX) for sentence in reversed(list(sentences(talk.messages)))]
    return rolled(previous, talk, newest, is_backwards=True)


def rolled(previous: str, talk: Talk, told: Sequence[str], *, is_backwards: bool = False) -> str:
    """A line for each open item, then as many of the told ones, the first first, as there is room for."""
    over = {normalised(item) for item in talk.closed_items}
    carried = [line.removeprefix(OPEN) for line in previous.split("\n") if line.startswith(OPEN)]
    open_items = {normalised(item): item for item in (*talk.open_items, *carried)}
    lines = [f"{OPEN}{clipped(item, ITEM_MAX)}" for key, item in open_items.items() if key not in over]
    room = ROLLING_MAX - sum(len(line) + 1 for line in lines)
    kept: list[str] = []
    for line in dict.fromkeys(told):
        if len(line) + 1 > room:
            break
        kept.append(line)
        room -= len(line) + 1
    return clipped("\n".join([*lines, *(reversed(kept) if is_backwards else kept)]), ROLLING_MAX)


def told_lines(summary: str) -> tuple[str, ...]:
    """The lines of a rolling summary that are no open items."""
    return tuple(line for line in summary.split("\n") if line and not line.startswith(OPEN))


def session(talk: Talk) -> Parts:
    """What a session was about: the user's own sentences, todos and names; the tone by the words used."""
    said = list(dict.fromkeys(sentences(talk.messages)))
    asked = [one for one in said if one.endswith("?")]
    stated = [one for one in said if not one.endswith("?")]
    first = next(iter(stated or said), "")
    whole = " ".join(message.content for message in talk.messages if message.role == "user")
    words = f" {normalised(whole)} "
    return Parts(
        one_liner=clipped(first, ONE_LINER_MAX) if first else "Nothing of weight was said.",
        what_mattered=items(stated),
        open_loops=items([*talk.open_items, *asked[-1:]]),
        commitments=items(talk.commitments),
        people=items([name for name in talk.names if f" {normalised(name)} " in words]),
        tone=next((name for name, pattern in _TONES if len(pattern.findall(whole)) > 1), "calm")[:TONE_MAX],
    )


def sentences(messages: Sequence[Message]) -> Iterator[str]:
    """What users said that says something, oldest first, and who said it unless that is the user."""
    for message in messages:
        if message.role != "user":
            continue
        for sentence in _SENTENCE.split(message.content):
            said = sentence.strip()
            if len(said.split()) >= WORDS_MIN and not _SMALL_TALK.match(said):
                yield attributed(said, message)


def attributed(said: str, message: Message) -> str:
    """Words of a message, with the name of a speaker who is not the user."""
    return said if message.speaker is None else f"{message.speaker}: {said}"


def items(texts: Sequence[str]) -> tuple[str, ...]:
    """Each once, cut to its length, as many as a part has."""
    return tuple(dict.fromkeys(clipped(text, ITEM_MAX) for text in texts))[:ITEMS_MAX]


def without(
    lines: Sequence[str], retired: Sequence[str], sources: Mapping[str, str] = MappingProxyType({})
) -> tuple[str, ...]:
    """The lines that repeat nothing which was forgotten, replaced or is over; nor rest on words that do."""
    gone = [words for text in retired if len((words := normalised(text)).split()) >= WORDS_MIN]
    told = [(line, (line, sources.get(line, line))) for line in lines]
    return tuple(line for line, words in told if not any(_repeats(normalised(one), gone) for one in words))


def still_open(lines: Sequence[str], ended: Sequence[str]) -> tuple[str, ...]:
    """The lines without the open items that have ended since."""
    over = {normalised(clipped(item, ITEM_MAX)) for item in ended}
    return tuple(line for line in lines if not (line.startswith(OPEN) and normalised(line.removeprefix(OPEN)) in over))


def standing(summary: SessionSummary, retired: Sequence[str]) -> SessionSummary:
    """A session's summary without the lines that repeat what was forgotten, replaced or is over."""
    first = without((summary.one_liner,), retired, summary.sources)
    mattered, loops, promised = (
        without(lines, retired, summary.sources)
        for lines in (summary.what_mattered, summary.open_loops, summary.commitments)
    )
    left = {*first, *mattered, *loops, *promised}
    return replace(
        summary,
        one_liner=first[0] if first else NOTHING_LEFT,
        what_mattered=mattered,
        open_loops=loops,
        commitments=promised,
        sources={line: words for line, words in summary.sources.items() if line in left},
    )


def _repeats(line: str, gone: Sequence[str]) -> bool:
    is_telling = len(line.split()) >= WORDS_MIN
    return any(words in line or (is_telling and line in words) for words in gone)
