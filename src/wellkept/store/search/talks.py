"""Who said what in which talk: the messages of a scope as arrays, kept right by revision, and talks in their order."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import numpy as np

from wellkept.errors import DamagedRow
from wellkept.policies.ranking.message_traits import IDLE, traits
from wellkept.policies.text.words import terms
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from wellkept.store.driver import Database, Row
    from wellkept.store.search.sight import Part, Sight

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
        rows = sorted(self._db.rows("spoken_since", {"tenant": tenant, "scope": part.scope, "since": since}), key=_num)
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


def _num(row: Row) -> int:
    return int(row[0])


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
