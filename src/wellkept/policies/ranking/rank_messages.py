"""Ranking of messages: the question as it is put to the transcript, what each message is worth to it, and scores.

The scores stand beside those of memories.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Literal

from wellkept.patterns import Patterns, word_set
from wellkept.policies import words
from wellkept.policies.writing import shape
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellkept.types import Message

_RE = Patterns("ranking/rank_messages.txt")

# --- The question: which words, which time, whose words, what kind of thing is asked for.


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


WANTED_MAX = 4


def _list(heading: str) -> frozenset[str]:
    return word_set("ranking/words.txt", heading)


@cache
def _talk() -> frozenset[str]:
    """Terms that speak of talking; beside a time they say nothing about what was said."""
    return frozenset(words.terms(" ".join(_list("talk"))))


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
        terms = [term for term in terms if not words.is_stop(term) and not (time.is_said and term in _talk())]
    wanted = frozenset(words.terms(" ".join(_wanted(content))))
    return MessageQuestion(
        terms=tuple(terms),
        wanted=tuple(term for term in terms if term in wanted),
        kind=_kind(content),
        is_to_assistant=_RE.to_assistant.search(query) is not None,
        is_standing=_is_standing(query, time),
        time=time,
    )


def _kind(content: str) -> Kind | None:
    if _RE.asks_time.search(content):
        return "time"
    if _RE.asks_number.search(content):
        return "number"
    return "name" if _RE.asks_name.search(content) else None


def _is_standing(query: str, time: AskedTime) -> bool:
    if time.is_timed or time.order == "first":
        return False
    return time.order == "latest" or (
        _RE.stands.search(query) is not None
        and _RE.past.search(query) is None
        and _RE.own_asked.search(query) is not None
    )


def _wanted(content: str) -> list[str]:
    """The words of the thing that is asked for, if the question names one."""
    match = _RE.frame.match(content) or _RE.what.search(content)
    if match is None or (_RE.for_advice.search(content) and not _RE.past.search(content)):
        return []
    found: list[str] = []
    for word in re.findall(r"[^\W_]+(?:[-'][^\W_]+)*", match["rest"].casefold().replace("\u2019", "'")):
        if not found and word in _list("articles"):
            continue
        if word in ("or", "and") and found:
            continue
        if word in _list("ends") or len(found) >= WANTED_MAX:
            break
        found.append(word)
    return [word for word in found if word not in _list("vague")]


# --- What kind of text a message is, as bits stored with it.


TEXT_MAX = 3_000
"""Characters that are looked at."""

ASKS = 1
DATES = 2
COUNTS = 4
OWN = 8
NAMES_SHIFT, NAMES_MAX = 4, 3
NEWS_SHIFT, NEWS_MAX = 6, 2
IDLE = 256
"""Asks memory, or is what memory answered: it says nothing of its own, as whoever stores it knows."""


def traits(text: str) -> int:
    """The bits of a text."""
    text = text[:TEXT_MAX]
    bits = ASKS if _RE.is_question.search(text) else 0
    bits |= DATES if _RE.has_date.search(text) else 0
    bits |= COUNTS if _RE.has_count.search(text) else 0
    bits |= OWN if _RE.is_own.search(text) else 0
    bits |= min(len(_RE.name.findall(text)), NAMES_MAX) << NAMES_SHIFT
    news = {match[0].casefold() for match in _RE.news.finditer(text)}
    return bits | min(len(news), NEWS_MAX) << NEWS_SHIFT


# --- Weights and scores.


# Fitted by `wellkept bench ranking`; docs/retrieval.md says what each part gives.
WEIGHTS: Mapping[str, float] = {
    "words": 1.57,
    "coverage": 1.25,
    "cosine": 1.83,
    "nearness": 2.82,
    "words_before": 0.68,
    "words_after": 0.59,
    "near_before": 0.38,
    "near_after": 0.34,
    "words_of_talk": 1.25,
    "near_of_talk": 0.78,
    "answers_words": 0.82,
    "answers_near": 0.49,
    "speaker": 0.93,
    "assistant": -1.91,
    "asks": -0.29,
    "short": 0.35,
    "long": -0.92,
    "dates_asked": 1.27,
    "counts_asked": 1.03,
    "names_asked": 1.29,
    "names": 0.46,
    "own": 0.5,
    "said_then": 5.64,
    "happened_then": 1.66,
    "told_after": 1.19,
}


@frozen
class MessageRankOptions:
    """Weights of what is known of a message, and how sure an answer is from the best ones."""

    weights: Mapping[str, float] = field(default_factory=lambda: WEIGHTS)
    newest: float = 5.0
    """What a statement gains for everything that was said before it, when a question asks how something stands."""
    newest_among: int = 10
    sure: float = -4.6
    sure_near: float = 5.0
    sure_coverage: float = 0.3
    sure_wanted: float = 2.6
    sure_words_only: float = 6.0
    """Of the coverage instead of the nearness, where there are no vectors."""
    on_topic: float = 0.35
    on_topic_spread: float = 0.05
    """The cosine above which a message is on the topic of the question; how far above says little more."""
    spread: float = 20.0
    """How much less relevant a message is that has the e-th part of the best one's score."""
    fade: float = 2.5
    """The same beside memories: what is far less relevant than the best message says little against a memory."""
    quoted: float = 0.6
    quoted_words_only: float = 0.3
    """The most a message scores, with and without vectors: a memory that fits as well says it in one sentence."""


@frozen
class Said:
    """A message with what is known of it, and what ranking makes of that."""

    message: Message
    relevance: float
    """The weighted sum."""
    cosine: float | None = None
    similarity: float = 0.0
    """The cosine, calibrated."""
    words: float = 0.0
    """BM25 as a share of what a message with every term once would score."""
    coverage: float = 0.0
    """The share of the question's words that it has, rare ones weighing more."""
    score: float = 0.0
    """How likely it helps, among messages: what is too low is not returned."""
    standing: float = 0.0
    """Where it stands beside memories."""
    parts: Mapping[str, float] = field(default_factory=dict)
    why: tuple[str, ...] = ()

    @property
    def is_of_the_time(self) -> bool:
        """Whether it was said, or tells of something, at the time that is asked for."""
        return any(self.parts.get(name) for name in ("said_then", "happened_then"))

    @property
    def arms(self) -> Mapping[str, float]:
        """The arms that found it, each with what it says."""
        said = {"vector": self.similarity, "words": min(self.words, 1.0)}
        return {arm: round(value, 6) for arm, value in said.items() if value > 0}


def rank_messages(said: Sequence[Said], question: MessageQuestion, *, options: MessageRankOptions) -> tuple[Said, ...]:
    """Best first, with scores that can be compared from question to question. `said` is sorted by relevance."""
    if not said:
        return ()
    most = options.quoted if any(item.cosine is not None for item in said) else options.quoted_words_only
    sure = most * assurance(said, question, options)
    best = said[0].relevance
    scores = [round(sure * math.exp((item.relevance - best) / options.spread), 6) for item in said]
    standings = [round(sure * math.exp((item.relevance - best) / options.fade), 6) for item in said]
    ordered = _newest_first(said, options) if question.is_standing else said
    return tuple(_scored(*item) for item in zip(ordered, scores, standings, strict=True))


def assurance(said: Sequence[Said], question: MessageQuestion, options: MessageRankOptions) -> float:
    """How likely the answer is among the best messages, 0..1: how near they are, and whether the thing is named."""
    if question.is_bare:
        return 1.0
    told = [item for item in said if question.is_to_assistant or item.message.role != "assistant"][:5] or said[:5]
    fades = [(item, math.exp((item.relevance - told[0].relevance) / 2)) for item in told]
    coverage = max(fade * item.coverage for item, fade in fades)
    wanted = max(fade * _names_the_thing(item.message, question) for item, fade in fades) if question.wanted else 1.0
    near = [fade * item.cosine for item, fade in fades if item.cosine is not None]
    total = options.sure + options.sure_coverage * coverage + options.sure_wanted * wanted
    if near:
        total += options.sure_near * _likely((max(near) - options.on_topic) / options.on_topic_spread)
    else:
        total += options.sure_words_only * coverage
    return _likely(total)


def _likely(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def _names_the_thing(message: Message, question: MessageQuestion) -> float:
    """How well one place of a message speaks of the thing asked for together with the rest of the question, 0..1.

    A long message has the words of many things. "The agenda" at its end says nothing of the workshop at its beginning.
    """
    rest = frozenset(question.terms).difference(question.wanted, words.terms(message.speaker or ""))
    lines = message.content.splitlines()
    told = [frozenset(words.terms(sentence)) for line in lines for sentence in shape.sentences(line)]
    best = 0.0
    for one, other in itertools.pairwise([*told, frozenset[str]()]):
        place = one | other
        thing = len(place.intersection(question.wanted)) / len(question.wanted)
        best = max(best, thing * (len(place & rest) / len(rest) if rest else 1.0))
    return best


def _newest_first(said: Sequence[Said], options: MessageRankOptions) -> list[Said]:
    """Among the best, what tells news rises above what was said of it before; who is among them stays the same."""
    top = said[: options.newest_among]
    weights = [math.exp(item.relevance - top[0].relevance) for item in top]
    most = max((item.words for item in top), default=0.0) or 1.0

    def risen(number: int) -> float:
        item = top[number]
        if item.message.role == "assistant":
            return item.relevance
        before = sum(
            weight for other, weight in zip(top, weights, strict=True) if _moment(other.message) < _moment(item.message)
        )
        news = (traits(item.message.content) >> NEWS_SHIFT & 3) / NEWS_MAX
        return item.relevance + options.newest * before / sum(weights) * news * min(1.0, 2 * item.words / most)

    order = sorted(range(len(top)), key=lambda number: (-risen(number), number))
    return [*(top[number] for number in order), *said[options.newest_among :]]


def _moment(message: Message) -> tuple[float, tuple[int, int]]:
    at = message.at or message.arrived_at
    return (0.0 if at is None else at.timestamp()), message.place


def _scored(item: Said, score: float, standing: float) -> Said:
    parts = {name: value for name, value in item.parts.items() if value}
    return replace(item, score=score, standing=standing, parts=parts, why=(*item.why, "matches_query"))
