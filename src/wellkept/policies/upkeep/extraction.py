"""What is read for facts, how much of it is written, and when: the rules of learning in the background."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from wellkept.patterns import deferred
from wellkept.policies import context
from wellkept.types import Claim, Decision, Message
from wellkept.values import frozen
from wellkept.vocabulary import LIFETIMES, MemoryType

if TYPE_CHECKING:
    from collections.abc import Sequence

WINDOW_MESSAGES = 8
CHARACTERS_MAX = 2_000
"""Of each message of a window."""
CHARACTERS_MIN = 20
"""A shorter message says nothing worth a reading."""
KNOWN_MAX = 20
PEOPLE_MAX = 200
"""Names by which somebody may be meant whose name is typed in lower case."""


@frozen
class Extraction:
    """How eagerly is learned from what is overheard."""

    is_enabled: bool = True
    """False: messages are only recorded."""
    debounce: timedelta = timedelta(seconds=30)
    """So long after the last message of a chat it is read."""
    turn_max: int = 3
    """Facts that one message may leave."""
    day_max: int = 50
    """Facts that a user's words may leave in a day."""


def readable(message: Message, *, characters_min: int = CHARACTERS_MIN) -> Message | None:
    """The message as it may be read for facts: memory's own words blanked, cut; None when there is nothing to read.

    Places of what is left stay the same.
    """
    text = _cut(context.own_words(message.content))
    if message.role != "user" or len(text.strip()) < characters_min:
        return None
    return replace(message, content=text)


_SENTENCE_END = deferred(r"[.!?\n](?=\s)")


def _cut(text: str) -> str:
    """As much of a text as is read, up to the end of a sentence: half a sentence says what nobody said."""
    if len(text) <= CHARACTERS_MAX:
        return text
    kept = text[:CHARACTERS_MAX]
    ends = [
        found.end() for found in _SENTENCE_END.finditer(text[: CHARACTERS_MAX + 1]) if found.end() <= CHARACTERS_MAX
    ]
    return kept[: ends[-1]] if ends else kept


def window(before: Sequence[Message], source: Message) -> tuple[Message, ...]:
    """What a judge is shown: the last messages, cut, and the one that is read."""
    shown = (replace(one, content=context.own_words(one.content)[:CHARACTERS_MAX]) for one in before)
    return (*tuple(one for one in shown if one.content.strip())[-(WINDOW_MESSAGES - 1) :], source)


def chosen(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Candidates, the best first: by importance and confidence, then in the order they were said."""
    return tuple(sorted(claims, key=lambda claim: -claim.importance * claim.confidence))


def admit(written: int, today: int, rule: Extraction) -> Decision:
    """May one more fact be written?"""
    if written >= rule.turn_max:
        return Decision(verdict="refuse", reason="cap_turn")
    if today >= rule.day_max:
        return Decision(verdict="refuse", reason="cap_day")
    return Decision(verdict="pass", reason="allowed")


def lives_until(claim: Claim, *, said_at: datetime, now: datetime) -> datetime | None:
    """When it expires. What is still to come lives until it is over, and as long after as anything of its type.

    What was said long ago and is learned now lives as long as what is said now.
    """
    lifetime = LIFETIMES.get(claim.type)
    if claim.expires_at is not None:
        return claim.expires_at
    if claim.event_at is not None and claim.event_at > now:
        return claim.event_at + (lifetime or LIFETIMES[MemoryType.EVENT])
    return None if lifetime is None or said_at >= now else now + lifetime
