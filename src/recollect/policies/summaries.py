"""Summaries made of what was said, in the speakers' own words: nothing is invented, what is open is carried over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from recollect.patterns import deferred
from recollect.policies.keys import normalised
from recollect.policies.sessions import ROLLING_MAX
from recollect.policies.tokens import clipped
from recollect.types import Message
from recollect.values import frozen

ONE_LINER_MAX = 200
ITEM_MAX = 120
ITEMS_MAX = 5
TONE_MAX = 40
SENTENCE_MAX = 160
WORDS_MIN = 3
OPEN = "Open: "
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
    open_items: tuple[str, ...] = ()
    """Texts of the todos that are open now."""
    closed_items: tuple[str, ...] = ()
    """Texts of those that were done or given up."""
    commitments: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Names of people the user knows."""


@frozen
class Parts:
    """The parts of a session's summary."""

    one_liner: str
    what_mattered: tuple[str, ...] = ()
    open_loops: tuple[str, ...] = ()
    commitments: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    tone: str = ""


def rolling(previous: str, talk: Talk) -> str:
    """A line for each open item, then the newest telling sentences of the user, in their order, within the limit."""
    over = {normalised(item) for item in talk.closed_items}
    carried = [line.removeprefix(OPEN) for line in previous.split("\n") if line.startswith(OPEN)]
    items = {normalised(item): item for item in (*talk.open_items, *carried)}
    lines = [f"{OPEN}{clipped(item, ITEM_MAX)}" for key, item in items.items() if key not in over]
    room = ROLLING_MAX - sum(len(line) + 1 for line in lines)
    told: list[str] = []
    for sentence in reversed(list(sentences(talk.messages))):
        line = clipped(sentence, SENTENCE_MAX)
        if len(line) + 1 > room:
            break
        if line not in told:
            told.append(line)
            room -= len(line) + 1
    return clipped("\n".join([*lines, *reversed(told)]), ROLLING_MAX)


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
        what_mattered=_items(stated),
        open_loops=_items([*talk.open_items, *asked[-1:]]),
        commitments=_items(talk.commitments),
        people=_items([name for name in talk.names if f" {normalised(name)} " in words]),
        tone=next((name for name, pattern in _TONES if len(pattern.findall(whole)) > 1), "calm")[:TONE_MAX],
    )


def sentences(messages: Sequence[Message]) -> Iterator[str]:
    """What users said that says something, oldest first."""
    for message in messages:
        if message.role != "user":
            continue
        for sentence in _SENTENCE.split(message.content):
            said = sentence.strip()
            if len(said.split()) >= WORDS_MIN and not _SMALL_TALK.match(said):
                yield said


def _items(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clipped(text, ITEM_MAX) for text in texts))[:ITEMS_MAX]


def without(lines: Sequence[str], retired: Sequence[str]) -> tuple[str, ...]:
    """The lines that repeat nothing which was forgotten, replaced or is over."""
    gone = [words for text in retired if len((words := normalised(text)).split()) >= WORDS_MIN]
    return tuple(line for line in lines if not _repeats(normalised(line), gone))


def _repeats(line: str, gone: Sequence[str]) -> bool:
    is_telling = len(line.split()) >= WORDS_MIN
    return any(words in line or (is_telling and line in words) for words in gone)
