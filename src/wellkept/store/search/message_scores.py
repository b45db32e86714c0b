"""Every message in sight scored for a question: by words, by vector, by what stands around it, by when it was said."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from wellkept.errors import DamagedRow
from wellkept.policies.ranking import rank_messages
from wellkept.policies.ranking.rank_messages import IDLE, MessageQuestion, traits
from wellkept.policies.words import terms
from wellkept.store.contract import MessageSearch
from wellkept.store.driver import Database
from wellkept.store.encoding import Row
from wellkept.store.search.arms import Arms, unit
from wellkept.store.search.sights import Part, Sight, Sights, best, bm25, coverage, likely, lines_of
from wellkept.store.search.vectors import Matrices, Matrix, on_one_core
from wellkept.values import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    asks = _flag(rows, rank_messages.ASKS)
    nearness = _nearness(rows.cosine)
    words_before, near_before = _beside(rows.words, rows.talk, -1), _beside(nearness, rows.talk, -1)
    asked_before = _beside(asks, rows.talk, -1)
    names = (rows.traits >> rank_messages.NAMES_SHIFT & rank_messages.NAMES_MAX) / rank_messages.NAMES_MAX
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
        "dates_asked": _flag(rows, rank_messages.DATES) * (question.kind == "time"),
        "counts_asked": _flag(rows, rank_messages.COUNTS) * (question.kind == "number"),
        "names_asked": names * (question.kind == "name"),
        "names": names,
        "own": _flag(rows, rank_messages.OWN),
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


SCOPES_MAX = 256
ARRANGED_MAX = 16
PAUSE = 4 * 3600 * 10**6
"""Without a session, a talk ends with a pause of so many microseconds."""


@frozen
class Spoken:
    """The messages of one scope at a revision, by `num` in rising order."""

    rev: tuple[int, int]
    nums: NDArray[np.int64]
    columns: NDArray[np.int64]
    """Of each: number of the talk, whether it has a session, number of the speaker, is it the assistant's, traits."""


@frozen
class Arranged:
    """The messages of a sight, talk by talk; all arrays but `order` are in that order."""

    sight: Sight
    order: NDArray[np.int64]
    """Rows of the sight."""
    talk: NDArray[np.int64]
    """Numbered by when they began."""
    sessions: tuple[str | None, ...]
    """The session of each talk."""
    speaker: NDArray[np.int64]
    speakers: tuple[frozenset[str], ...]
    """The terms of each speaker's name."""
    is_assistant: NDArray[np.bool_]
    traits: NDArray[np.int64]
    at: NDArray[np.int64]
    length: NDArray[np.int64]


class Talks:
    """The talks of a store. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int], Spoken] = OrderedDict()
        self._arranged: OrderedDict[int, Arranged] = OrderedDict()
        self._talks: dict[tuple[str | None, ...], int] = {}
        self._speakers: dict[str, int] = {"": 0}

    def arranged(self, tenant: str, sight: Sight) -> Arranged:
        """The sight's messages in the order of their talks."""
        with self._lock:
            kept = self._arranged.get(id(sight))
            if kept is not None and kept.sight is sight:
                self._arranged.move_to_end(id(sight))
                return kept
        fresh = self._arrange(tenant, sight)
        with self._lock:
            self._arranged[id(sight)] = fresh
            if len(self._arranged) > ARRANGED_MAX:
                self._arranged.popitem(last=False)
        return fresh

    def _arrange(self, tenant: str, sight: Sight) -> Arranged:
        columns = np.concatenate([self._of_part(tenant, part) for part in sight.parts])
        at = np.concatenate([part.created for part in sight.parts])
        labels = _by_pauses(columns[:, 0], columns[:, 1], at)
        talk = _numbered(labels, at)
        order = np.lexsort((np.arange(len(at)), at, talk))
        used, speaker = np.unique(columns[order, 2], return_inverse=True)
        names, keys = list(self._speakers), list(self._talks)
        firsts = order[np.searchsorted(talk[order], np.arange(int(talk.max()) + 1))]
        return Arranged(
            sight=sight,
            order=order,
            talk=talk[order],
            sessions=tuple(keys[columns[row, 0]][-1] for row in firsts.tolist()),
            speaker=speaker.astype(np.int64),
            speakers=tuple(frozenset(terms(names[number])) for number in used.tolist()),
            is_assistant=columns[order, 3] == 1,
            traits=columns[order, 4],
            at=at[order],
            length=sight.words[order],
        )

    def _of_part(self, tenant: str, part: Part) -> NDArray[np.int64]:
        spoken = self._spoken(tenant, part)
        if not np.isin(part.nums, spoken.nums).all():  # an index that does not say what its table says
            raise DamagedRow("A message")
        columns = spoken.columns[np.searchsorted(spoken.nums, part.nums)]
        for num, cut in part.cut.items():
            row = np.searchsorted(part.nums, num)
            columns[row, 4] = traits(cut.text) | columns[row, 4] & IDLE
        return columns

    def _spoken(self, tenant: str, part: Part) -> Spoken:
        key, rev = (tenant, part.scope), part.rev or (0, 0)
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None and kept.rev == rev:
            return kept
        is_grown = kept is not None and kept.rev[1] == rev[1] and kept.rev[0] < rev[0]
        since = kept.rev[0] if kept is not None and is_grown else -1
        rows = sorted(
            self._db.rows("spoken_since", {"tenant": tenant, "scope": part.scope, "since": since}), key=itemgetter(0)
        )
        fresh = self._read(rows, rev)
        if kept is not None and is_grown:
            fresh = _renewed(kept, fresh)
        if not self._db.driver.is_dirty:
            with self._lock:
                self._kept[key] = fresh
                self._kept.move_to_end(key)
                if len(self._kept) > SCOPES_MAX:
                    self._kept.popitem(last=False)
        return fresh

    def _read(self, rows: Sequence[Row], rev: tuple[int, int]) -> Spoken:
        with self._lock:
            columns = [
                (
                    self._talks.setdefault((chat, persona, session), len(self._talks)),
                    int(session is not None),
                    self._speakers.setdefault(speaker or "", len(self._speakers)),
                    int(role == "assistant"),
                    bits,
                )
                for _, chat, persona, session, speaker, role, bits in rows
            ]
        return Spoken(
            rev=rev,
            nums=np.array([row[0] for row in rows], dtype=np.int64),
            columns=np.array(columns, dtype=np.int64).reshape(len(rows), 5),
        )

    def forget(self) -> None:
        """Drop everything that is kept."""
        with self._lock:
            self._kept.clear()
            self._arranged.clear()


def _renewed(kept: Spoken, changed: Spoken) -> Spoken:
    stays = ~np.isin(kept.nums, changed.nums)
    nums = np.concatenate([kept.nums[stays], changed.nums])
    order = np.argsort(nums, kind="stable")
    columns = np.concatenate([kept.columns[stays], changed.columns])
    return Spoken(rev=changed.rev, nums=nums[order], columns=columns[order])


def _by_pauses(labels: NDArray[np.int64], has_session: NDArray[np.int64], at: NDArray[np.int64]) -> NDArray[np.int64]:
    """Labels in which what has no session is divided where the talk paused."""
    order = np.lexsort((np.arange(len(at)), at, labels))
    is_new = np.ones(len(at), dtype=bool)
    is_new[1:] = (labels[order][1:] != labels[order][:-1]) | (
        (has_session[order][1:] == 0) & (np.diff(at[order]) > PAUSE)
    )
    divided = np.empty(len(at), dtype=np.int64)
    divided[order] = np.cumsum(is_new)
    return divided


def _numbered(labels: NDArray[np.int64], at: NDArray[np.int64]) -> NDArray[np.int64]:
    """Talks from 0 by when they began; of two that began at once, the one whose message stands first."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    began = np.full(len(first), np.iinfo(np.int64).max)
    np.minimum.at(began, inverse, at)
    numbers: NDArray[Any] = np.empty(len(first), dtype=np.int64)
    numbers[np.lexsort((first, began))] = np.arange(len(first))
    return numbers[inverse]


INSIDE = 1_000.0
"""What a message said at the time asked about is ahead by, when nothing but the time is asked about."""
DIGITS = 6


@frozen
class MessageScore:
    """What is known of one message, at its place (`encoding.SCOPE_STEP`)."""

    place: int
    relevance: float
    cosine: float | None
    share: float
    coverage: float
    parts: Mapping[str, float]


class MessageArms(Arms):
    """Scores of the messages in sight. Everything is counted over those alone."""

    def __init__(self, database: Database, sights: Sights, matrices: Matrices) -> None:
        super().__init__(database, sights, matrices)
        self._talks = Talks(database)

    def ranked(self, tenant: str, sight: Sight, search: MessageSearch) -> list[MessageScore]:
        """The best messages for the question, best first; of equal ones the newest."""
        if not len(sight.places) or search.limit < 1:
            return []
        talks = self._talks.arranged(tenant, sight)
        rows, has_vector = self._rows(tenant, sight, search, talks)
        columns = features(rows, search.question, talks.speakers, past=_past(talks, search.session))
        total = np.round(score(columns, search.weights), DIGITS)
        if search.question.is_bare:
            total += INSIDE * (columns["said_then"] + columns["happened_then"])
        is_idle = (rows.traits & IDLE > 0) & (not search.question.is_bare)
        is_found = (rows.words > 0) | has_vector | (columns["said_then"] > 0) | (columns["happened_then"] > 0)
        found = np.flatnonzero(is_found & ~is_idle)
        chosen = found[best(sight, talks.order[found], total[found], search.limit)]
        parts = np.stack([weight * columns[name][chosen] for name, weight in search.weights.items()], axis=1)
        return [
            MessageScore(
                place=int(sight.places[talks.order[at]]),
                relevance=float(total[at]),
                cosine=float(rows.cosine[at]) if has_vector[at] else None,
                share=round(float(rows.words[at]), 9),
                coverage=round(float(rows.coverage[at]), 9),
                parts=dict(zip(search.weights, values, strict=True)),
            )
            for at, values in zip(chosen.tolist(), parts.round(DIGITS).tolist(), strict=True)
        ]

    def _rows(
        self, tenant: str, sight: Sight, search: MessageSearch, talks: Arranged
    ) -> tuple[Rows, NDArray[np.bool_]]:
        named = search.question.named(talks.speakers)
        left_out = frozenset(term for number in named for term in talks.speakers[number])
        terms = tuple(term for term in search.question.terms if term not in left_out) or search.question.terms
        found = self._matches(tenant, sight, terms)
        shares, whole = bm25(sight, found) if terms else (np.zeros(len(sight.words)), 0.0)
        cosines = self._all_cosines(tenant, sight, search)
        has_vector = ~np.isnan(cosines)
        # A message without a vector is as far away as the average one.
        middle = float(cosines[has_vector].mean()) if has_vector.any() else 0.0
        order = talks.order
        rows = Rows(
            words=(shares / whole if whole else shares)[order],
            coverage=(coverage(sight, found) if terms else shares)[order],
            cosine=np.where(has_vector, cosines, middle)[order],
            talk=talks.talk,
            at=talks.at,
            speaker=talks.speaker,
            is_assistant=talks.is_assistant,
            traits=talks.traits,
            length=talks.length,
        )
        return rows, has_vector[order]

    def _all_cosines(self, tenant: str, sight: Sight, search: MessageSearch) -> NDArray[np.float64]:
        """Of every row, NaN where there is no vector; of a scope too large for that, of the likeliest."""
        cosines = np.full(len(sight.words), np.nan)
        model, name = self.sights.model(search.model), search.model or ""
        if search.vector is None or model < 1:
            return cosines
        query = unit(search.vector)
        loaded = [sight.elsewhere[sight.models[sight.elsewhere] == model]]
        for part, start in zip(sight.parts, sight.starts, strict=True):
            matrix = self._matrix(tenant, part, name)
            if matrix.is_exact:
                rows, found = _products(matrix, part, model, query)
                np.fmax.at(cosines, rows + start, found)
            else:
                loaded.append(likely(matrix, part, model, query, search.limit) + start)
        for row, cosine in self._loaded(tenant, sight, np.concatenate(loaded), query, name).items():
            cosines[row] = cosine
        return cosines


def _products(
    matrix: Matrix, part: Part, model: int, query: NDArray[np.float32]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows of a part, and the cosine of each of their pieces."""
    lines, rows = lines_of(matrix, part, model)
    if not len(lines):
        return rows, np.zeros(0)
    values = matrix.values if len(lines) == len(matrix.nums) else matrix.values[lines]
    # On one core, row by row: a row's sum must not depend on what stands beside it.
    cosines = on_one_core(values, query).astype(np.float64)
    return rows, cosines.round(DIGITS)


def _past(talks: Arranged, session: str | None) -> int:
    """How many talks are over: all but the one that goes on, if it is the last."""
    is_going_on = session is not None and talks.sessions[-1] == session
    return len(talks.sessions) - is_going_on
