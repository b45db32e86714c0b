"""Episodes: what was talked about in an exchange, in a sentence; when one is told, and in which words."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from wellkept.types import Decision
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.types import Memory, Message

TAG = "episode"
"""Tells an episode from what somebody said had happened."""
MESSAGES = 10
"""The last messages of a chat, of which an episode tells."""
LENGTH_MAX = 280
QUOTES_MAX = 3
PAUSE = timedelta(hours=4)
"""After so long a silence another talk begins."""
_QUOTE_MAX = 110


@frozen
class Episodes:
    """How often an episode is told, and when two are one."""

    day_max: int = 5
    turns_min: int = 3
    """Messages of the user since the last one."""
    apart: timedelta = timedelta(minutes=10)
    same: float = 0.90
    """Similarity from which a recent episode is told again in other words."""
    same_within: timedelta = timedelta(hours=48)


def last_talk(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Of messages, oldest first, those of the last talk: an episode tells of one."""
    kept: list[Message] = []
    for message in reversed(messages):
        if kept and message.arrived_at is not None and _said(kept[-1]) - message.arrived_at > PAUSE:
            break
        kept.append(message)
    return tuple(reversed(kept))


def _said(message: Message) -> datetime:
    return message.arrived_at or datetime.max.replace(tzinfo=UTC)


def due(before: Sequence[Memory], *, said_at: Sequence[datetime], now: datetime, rule: Episodes) -> Decision:
    """Is it time for an episode? `before` are those told already, `said_at` the times of the user's last messages."""
    last = max((memory.updated_at for memory in before), default=None)
    if sum(memory.created_at.date() == now.date() for memory in before) >= rule.day_max:
        return Decision(verdict="wait", reason="cap_day")
    if last is not None and now - last < rule.apart:
        return Decision(verdict="wait", reason="too_soon")
    if sum(last is None or moment > last for moment in said_at) < rule.turns_min:
        return Decision(verdict="wait", reason="too_few_turns")
    return Decision(verdict="tell", reason="due")


_LEANING = re.compile(
    r"(?i)^\W*(?:they|it|he|she|this|that|these|those|there|here|scratch|wait|never mind)\b|\b(?:it|that|this)\W*$"
)


def stands_alone(sentence: str) -> bool:
    """Whether a sentence can be quoted by itself: what leans on the one before means nothing later.

    >>> stands_alone("The kiln was too hot"), stands_alone("They went with the Danube")
    (True, False)
    """
    return _LEANING.search(sentence) is None


def text(name: str, sentences: Sequence[str], *, day: datetime) -> str | None:
    """The episode in a sentence, in the speaker's own words between quotation marks; None when too little was said.

    >>> text("Ana", ["The kiln broke", "We fired it again"], day=datetime(2026, 3, 2))
    'On 2026-03-02 Ana talked about: "The kiln broke"; "We fired it again".'
    """
    told = f"On {day:%Y-%m-%d} {name} talked about: "
    quotes: list[str] = []
    for sentence in sentences:
        quote = f'"{_cut(sentence)}"'
        if len(quotes) < QUOTES_MAX and len(told) + len("; ".join([*quotes, quote])) < LENGTH_MAX:
            quotes.append(quote)
    is_enough = len(quotes) > 1 or any(_WHEN.search(quote) for quote in quotes)
    return f"{told}{'; '.join(quotes)}." if is_enough else None


_WHEN = re.compile(
    r"(?i)\b(?:yesterday|today|tonight|this (?:morning|afternoon|evening|week|weekend)|last (?:night|week|weekend)"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
"""One thing that happened some time is no episode: it is a memory by itself, or worth none."""


def _cut(sentence: str) -> str:
    bare = sentence.replace('"', "'").rstrip(" .")
    return bare if len(bare) <= _QUOTE_MAX else f"{bare[: _QUOTE_MAX - 1].rsplit(' ', 1)[0]}…"
