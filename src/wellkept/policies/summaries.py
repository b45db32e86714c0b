"""Sessions: when they begin and end, what lasts between them, and the summaries and episodes that are told of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from wellkept.patterns import Patterns
from wellkept.policies.words import clipped
from wellkept.policies.writing.keys import normalised
from wellkept.types import Decision, Message
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.types import Memory, Message


_RE = Patterns("summaries.txt")

IDLE = timedelta(minutes=30)
"""So long without a word ends a session."""
SOFT = timedelta(hours=2)
"""Who comes back within this gets the end of the session before, marked as earlier."""
ROLLING_EVERY = 4
SPINE_EVERY = 20
LAST_MESSAGE_MAX = 100
ROLLING_MAX = 600
SPINE_LINES_MAX = 12
"""Of each section."""
SPINE_SECTIONS = ("PROFILE", "PROJECTS", "PEOPLE", "OPEN_LOOPS")
UNAVAILABLE = "Summary unavailable."


@frozen
class Conversation:
    """Who talks with whom: a user and a persona; or a group, all of it."""

    tenant: str
    owner: str
    persona: str | None = None
    is_alone: bool = True
    """Nobody but the user hears it: todos, summaries and the spine are kept and shown only then."""


@frozen
class Session:
    """A conversation from its first message to half an hour of silence."""

    id: str
    number: int
    persona_id: str | None = None
    started_at: datetime
    last_activity_at: datetime
    ended_at: datetime | None = None
    turn_count: int = 1


@frozen
class RollingSummary:
    """One version of the short text about a running conversation."""

    version: int
    at: datetime
    message_count: int
    content: str


@frozen
class SessionState:
    """What lasts from session to session."""

    message_count: int = 0
    last_interaction: datetime | None = None
    last_user_message: str = ""
    curator: Mapping[str, Any] = field(default_factory=dict)
    """`last_run_at` and `last_memory_count_at_run`."""
    last_rolling_attempt_at: datetime | None = None
    last_rolling_success_at: datetime | None = None
    last_rolling_error: Mapping[str, str] | None = None
    """`reason` and `detail` of the last failure, until one succeeds."""
    rolling_summary: str = ""


@frozen
class SessionSummary:
    """What a session was about. With an `error` there is none yet."""

    session_id: str
    at: datetime
    one_liner: str = UNAVAILABLE
    what_mattered: tuple[str, ...] = ()
    open_loops: tuple[str, ...] = ()
    commitments: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    tone: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    """Line → the user's own words that it rests on, where it is not those words itself."""
    error: Mapping[str, str] | None = None


@frozen
class SpineLine:
    """A durable fact, and the memory it rests on."""

    memory_id: str
    text: str


Lines = Mapping[str, tuple[SpineLine, ...]]
"""Durable facts by section, the weightiest first."""


@frozen
class Spine:
    """One version of the long-term summary of a user."""

    version: int
    at: datetime
    message_count: int
    """User messages since the version before."""
    total: int
    """User messages in all."""
    content: Mapping[str, tuple[SpineLine, ...]] = field(default_factory=dict)
    conversation_id: str = "default"


def is_over(session: Session, now: datetime) -> bool:
    """Whether silence has ended it."""
    return session.ended_at is None and now - session.last_activity_at >= IDLE


def ended_session(session: Session) -> Session:
    """The session as it ended: with its last word, not when that was noticed."""
    return replace(session, ended_at=session.last_activity_at)


def is_soft(before: Session | None, now: datetime) -> bool:
    """Whether the session before is near enough to be carried over."""
    return before is not None and before.ended_at is not None and now - before.ended_at <= SOFT


# --- Summaries, in the speakers' own words: nothing is invented, what is open is carried over.


ONE_LINER_MAX = 200
ITEM_MAX = 120
ITEMS_MAX = 5
TONE_MAX = 40
SENTENCE_MAX = 160
WORDS_MIN = 3
OPEN_ITEM = "Open: "
NOTHING_LEFT = "What it was about is no longer known."


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


def rolling_summary(previous: str, talk: Talk) -> str:
    """A line for each open item, then the newest telling sentences of the user, in their order, within the limit."""
    newest = [clipped(sentence, SENTENCE_MAX) for sentence in reversed(list(told_sentences(talk.messages)))]
    return rolled(previous, talk, newest, is_backwards=True)


def rolled(previous: str, talk: Talk, told: Sequence[str], *, is_backwards: bool = False) -> str:
    """A line for each open item, then as many of the told ones, the first first, as there is room for."""
    over = {normalised(item) for item in talk.closed_items}
    carried = [line.removeprefix(OPEN_ITEM) for line in previous.split("\n") if line.startswith(OPEN_ITEM)]
    open_items = {normalised(item): item for item in (*talk.open_items, *carried)}
    lines = [f"{OPEN_ITEM}{clipped(item, ITEM_MAX)}" for key, item in open_items.items() if key not in over]
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
    return tuple(line for line in summary.split("\n") if line and not line.startswith(OPEN_ITEM))


def session_parts(talk: Talk) -> Parts:
    """What a session was about: the user's own sentences, todos and names; the tone by the words used."""
    said = list(dict.fromkeys(told_sentences(talk.messages)))
    asked = [one for one in said if one.endswith("?")]
    stated = [one for one in said if not one.endswith("?")]
    first = next(iter(stated or said), "")
    whole = " ".join(message.content for message in talk.messages if message.role == "user")
    words = f" {normalised(whole)} "
    return Parts(
        one_liner=clipped(first, ONE_LINER_MAX) if first else "Nothing of weight was said.",
        what_mattered=summary_items(stated),
        open_loops=summary_items([*talk.open_items, *asked[-1:]]),
        commitments=summary_items(talk.commitments),
        people=summary_items([name for name in talk.names if f" {normalised(name)} " in words]),
        tone=_tone(whole),
    )


def _tone(said: str) -> str:
    if len(_RE.strained.findall(said)) > 1:
        return "strained"
    return "upbeat" if len(_RE.upbeat.findall(said)) > 1 else "calm"


def told_sentences(messages: Sequence[Message]) -> Iterator[str]:
    """What users said that says something, oldest first, and who said it unless that is the user."""
    for message in messages:
        if message.role != "user":
            continue
        for sentence in _RE.sentence.split(message.content):
            said = sentence.strip()
            if len(said.split()) >= WORDS_MIN and not _RE.small_talk.match(said):
                yield attributed(said, message)


def attributed(said: str, message: Message) -> str:
    """Words of a message, with the name of a speaker who is not the user."""
    return said if message.speaker is None else f"{message.speaker}: {said}"


def summary_items(texts: Sequence[str]) -> tuple[str, ...]:
    """Each once, cut to its length, as many as a part has."""
    return tuple(dict.fromkeys(clipped(text, ITEM_MAX) for text in texts))[:ITEMS_MAX]


def without_retired(
    lines: Sequence[str], retired: Sequence[str], sources: Mapping[str, str] = MappingProxyType({})
) -> tuple[str, ...]:
    """The lines that repeat nothing which was forgotten, replaced or is over; nor rest on words that do."""
    gone = [words for text in retired if len((words := normalised(text)).split()) >= WORDS_MIN]
    told = [(line, (line, sources.get(line, line))) for line in lines]
    return tuple(line for line, words in told if not any(_repeats(normalised(one), gone) for one in words))


def still_open(lines: Sequence[str], ended: Sequence[str]) -> tuple[str, ...]:
    """The lines without the open items that have ended since."""
    over = {normalised(clipped(item, ITEM_MAX)) for item in ended}
    return tuple(
        line for line in lines if not (line.startswith(OPEN_ITEM) and normalised(line.removeprefix(OPEN_ITEM)) in over)
    )


def standing_summary(summary: SessionSummary, retired: Sequence[str]) -> SessionSummary:
    """A session's summary without the lines that repeat what was forgotten, replaced or is over."""
    first = without_retired((summary.one_liner,), retired, summary.sources)
    mattered, loops, promised = (
        without_retired(lines, retired, summary.sources)
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


# --- Episodes: what was talked about, when it is told, and when two are one.


EPISODE_TAG = "episode"
"""Tells an episode from what somebody said had happened."""
EPISODE_MESSAGES = 10
"""The last messages of a chat, of which an episode tells."""
EPISODE_MAX = 280
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
        if kept and message.arrived_at is not None and _said_at(kept[-1]) - message.arrived_at > PAUSE:
            break
        kept.append(message)
    return tuple(reversed(kept))


def _said_at(message: Message) -> datetime:
    return message.arrived_at or datetime.max.replace(tzinfo=UTC)


def episode_due(before: Sequence[Memory], *, said_at: Sequence[datetime], now: datetime, rule: Episodes) -> Decision:
    """Is it time for an episode? `before` are those told already, `said_at` the times of the user's last messages."""
    last = max((memory.updated_at for memory in before), default=None)
    if sum(memory.created_at.date() == now.date() for memory in before) >= rule.day_max:
        return Decision(verdict="wait", reason="cap_day")
    if last is not None and now - last < rule.apart:
        return Decision(verdict="wait", reason="too_soon")
    if sum(last is None or moment > last for moment in said_at) < rule.turns_min:
        return Decision(verdict="wait", reason="too_few_turns")
    return Decision(verdict="tell", reason="due")


def stands_alone(sentence: str) -> bool:
    """Whether a sentence can be quoted by itself: what leans on the one before means nothing later.

    >>> stands_alone("The kiln was too hot"), stands_alone("They went with the Danube")
    (True, False)
    """
    return _RE.leaning.search(sentence) is None


def episode_text(name: str, sentences: Sequence[str], *, day: datetime) -> str | None:
    """The episode in a sentence, in the speaker's own words between quotation marks; None when too little was said.

    >>> episode_text("Ana", ["The kiln broke", "We fired it again"], day=datetime(2026, 3, 2))
    'On 2026-03-02 Ana talked about: "The kiln broke"; "We fired it again".'
    """
    told = f"On {day:%Y-%m-%d} {name} talked about: "
    quotes: list[str] = []
    for sentence in sentences:
        quote = f'"{_cut(sentence)}"'
        if len(quotes) < QUOTES_MAX and len(told) + len("; ".join([*quotes, quote])) < EPISODE_MAX:
            quotes.append(quote)
    is_enough = len(quotes) > 1 or any(_RE.when.search(quote) for quote in quotes)
    return f"{told}{'; '.join(quotes)}." if is_enough else None


def _cut(sentence: str) -> str:
    bare = sentence.replace('"', "'").rstrip(" .")
    return bare if len(bare) <= _QUOTE_MAX else f"{bare[: _QUOTE_MAX - 1].rsplit(' ', 1)[0]}…"
