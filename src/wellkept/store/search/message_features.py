"""What ranking knows of each message that a view may read, as one column a feature; NumPy in, NumPy out, no store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from wellkept.policies.ranking import message_traits as traits
from wellkept.values import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wellkept.policies.ranking.message_question import MessageQuestion

DAY = 86_400 * 10**6
"""Microseconds."""
SHORT_WORDS = 40
"""Below this a message says less the shorter it is; above it there is ever more in it that was not asked for."""
AFTERWARDS_DAYS = 14.0
"""Things are told of for about so long after they happened."""
NEAREST_DAYS = 0.5
STEPS_MAX = 8


@frozen
class Rows:
    """Every message in sight, in the order they were said within each talk; talks are numbered by when they began."""

    words: NDArray[np.float64]
    """BM25 as a share of what a message with every term once would score."""
    coverage: NDArray[np.float64]
    """The weight of the terms it has, as a share of that of all."""
    cosine: NDArray[np.float64]
    talk: NDArray[np.int64]
    at: NDArray[np.int64]
    """Microseconds."""
    speaker: NDArray[np.int64]
    is_assistant: NDArray[np.bool_]
    traits: NDArray[np.int64]
    length: NDArray[np.int64]
    """In words."""

    def __len__(self) -> int:
        return len(self.words)


def features(
    rows: Rows, question: MessageQuestion, speakers: Sequence[frozenset[str]], *, past: int | None = None
) -> dict[str, NDArray[Any]]:
    """Name → column. `speakers` are the terms of each speaker's name, `past` is how many talks are over."""
    asks = _flag(rows, traits.ASKS)
    nearness = _nearness(rows.cosine)
    words_before, near_before = _beside(rows.words, rows.talk, -1), _beside(nearness, rows.talk, -1)
    asked_before = _beside(asks, rows.talk, -1)
    names = (rows.traits >> traits.NAMES_SHIFT & traits.NAMES_MAX) / traits.NAMES_MAX
    length = rows.length.astype(np.float64)
    return {
        "words": rows.words / max(float(rows.words.max(initial=0.0)), 1e-9),
        "coverage": rows.coverage,
        "cosine": rows.cosine,
        "nearness": nearness,
        "words_before": words_before,
        "words_after": _beside(rows.words, rows.talk, 1),
        "near_before": near_before,
        "near_after": _beside(nearness, rows.talk, 1),
        "words_of_talk": _best_of_talk(rows.words, rows.talk),
        "near_of_talk": _best_of_talk(nearness, rows.talk),
        "answers_words": asked_before * words_before,
        "answers_near": asked_before * near_before,
        "speaker": _spoken_by(rows, question.named(speakers)),
        "assistant": rows.is_assistant * (0.0 if question.is_to_assistant else 1.0),
        "asks": asks,
        "short": np.log(np.minimum(length + 1, SHORT_WORDS) / SHORT_WORDS),
        "long": np.log(np.maximum(length, SHORT_WORDS) / SHORT_WORDS),
        "dates_asked": _flag(rows, traits.DATES) * (question.kind == "time"),
        "counts_asked": _flag(rows, traits.COUNTS) * (question.kind == "number"),
        "names_asked": names * (question.kind == "name"),
        "names": names,
        "own": _flag(rows, traits.OWN),
    } | _timed(rows, question, past)


def score(columns: Mapping[str, NDArray[Any]], weights: Mapping[str, float]) -> NDArray[np.float64]:
    """The weighted sum of the columns."""
    total = np.zeros(len(columns["words"]))
    for name, weight in weights.items():
        total += weight * columns[name]
    return total


def _flag(rows: Rows, bit: int) -> NDArray[np.float64]:
    return ((rows.traits & bit) > 0).astype(np.float64)


def _nearness(cosine: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cosines as a share of the way from the average one to the best."""
    if not len(cosine):
        return cosine
    middle = float(cosine.mean())
    way = float(cosine.max()) - middle
    return (cosine - middle) / way if way > 0 else np.zeros(len(cosine))


def _beside(column: NDArray[np.float64], talk: NDArray[np.int64], step: int) -> NDArray[np.float64]:
    """What the message before (-1) or after (1) in the same talk has; 0 where there is none."""
    moved = np.zeros(len(column))
    is_same = talk[1:] == talk[:-1]
    if step < 0:
        moved[1:] = np.where(is_same, column[:-1], 0.0)
    else:
        moved[:-1] = np.where(is_same, column[1:], 0.0)
    return moved


def _best_of_talk(column: NDArray[np.float64], talk: NDArray[np.int64]) -> NDArray[np.float64]:
    if not len(column):
        return column
    best = np.full(int(talk.max()) + 1, -np.inf)
    np.maximum.at(best, talk, column)
    lent: NDArray[np.float64] = best[talk]
    return lent


def _spoken_by(rows: Rows, named: frozenset[int]) -> NDArray[np.float64]:
    """Whether the one speaker who is named said it; of two who are named each may have."""
    if len(named) != 1:
        return np.zeros(len(rows))
    said: NDArray[np.bool_] = rows.speaker == next(iter(named))
    return said.astype(np.float64)


# --- time ---


def _timed(rows: Rows, question: MessageQuestion, past: int | None) -> dict[str, NDArray[np.float64]]:
    nothing = np.zeros(len(rows))
    said, happened, told = nothing, nothing, nothing
    if question.time.is_timed and len(rows):
        before, after = _distance(rows, question, past)
        away = before + after
        least = float(away.min())
        inside = (away <= least + (NEAREST_DAYS if least > 0 else 0.0)).astype(np.float64)
        if question.time.is_said:
            said = inside
        else:
            happened = inside
            told = np.where(before > 0, 0.0, np.exp(-after / AFTERWARDS_DAYS))
    return {"said_then": said, "happened_then": happened, "told_after": told}


def _distance(
    rows: Rows, question: MessageQuestion, past: int | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far each message lies before and after the time that is asked about, in days, or in talks."""
    time = question.time
    if time.window is None:
        sessions = time.sessions or (1, -1)
        count = int(rows.talk.max()) + 1 if past is None else past
        first, last = (number - 1 if number > 0 else count + number for number in sessions)
        return np.maximum(first - rows.talk, 0).astype(np.float64), np.maximum(rows.talk - last, 0).astype(np.float64)
    start, end = (_micros(moment) for moment in time.window)
    for _ in range(STEPS_MAX if time.step_days else 0):
        if ((rows.at >= start) & (rows.at < end)).any():
            break
        start, end = start - (time.step_days or 0) * DAY, end - (time.step_days or 0) * DAY
    return np.maximum(start - rows.at, 0) / DAY, np.maximum(rows.at - end + 1, 0) / DAY


def _micros(moment: datetime) -> int:
    return int(moment.timestamp() * 10**6)
