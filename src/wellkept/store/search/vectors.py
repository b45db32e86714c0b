"""Vectors in memory: one exact matrix a scope, kept right by revision, and sign codes for scopes too large for that."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wellkept.errors import DamagedRow
from wellkept.store.driver import Database
from wellkept.store.encoding import Row, json_list
from wellkept.values import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXACT_ROWS_MAX = 50_000
"""Above this a scope is kept as one bit a dimension, and the best are scored exactly from the database."""
BYTES_MAX = 192 * 2**20
"""What all matrices together may take; the scope that was not asked for longest goes first."""
RESCORED_MIN = 1_000
RESCORED_TIMES = 32
"""Of 100,000 vectors this many, by their signs, hold 99 % of the nearest fifty (tests/store/search/test_vectors.py)."""
_BATCH = 4096
ROWS_SHARED_MIN = 1_000
"""Fewer rows are multiplied sooner than threads are woken."""


def floats(blobs: Sequence[bytes]) -> NDArray[np.float32]:
    """Stored halves as rows of length one."""
    if not blobs:
        return np.zeros((0, 0), dtype=np.float32)
    try:
        halves = np.frombuffer(b"".join(blobs), dtype="<f2").reshape(len(blobs), -1)
    except (TypeError, ValueError) as error:
        raise DamagedRow("A vector") from error
    rows = halves.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    lengths[lengths == 0] = 1.0
    rows /= lengths[:, None]
    return rows


def loaded(rows: Sequence[Row]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """(place, stored halves) as places and rows of length one."""
    return np.array([row[0] for row in rows], dtype=np.int64), floats([row[1] for row in rows])


class Multiplier:
    """Rows times a query: on one core, or on all where that is worth the waking of threads.

    Threads save some tenths of a millisecond of a small product, and then wait for the next one at full speed, on a
    core that others need: so it takes many rows, or products one after the other. And they wait for each other: on a
    busy machine that takes forty times as long as the product itself; so after a slow one the next are made on one
    core, twice as many each time until one is quick again.
    """

    MANY = 20_000
    RUN = 8
    """Products that follow each other within a millisecond before threads are woken for them."""
    TOGETHER = 1e-3
    SLOW = 2e-10
    """Seconds a number: what one core takes."""
    REST_MIN, REST_MAX = 4, 64

    def __init__(self) -> None:
        self._ended = 0.0
        self._run = 0
        self._rest = 0
        self._next_rest = self.REST_MIN

    def products(self, rows: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float32]:
        """The product of each row with the query."""
        start = time.perf_counter()
        self._run = self._run + 1 if start - self._ended < self.TOGETHER else 0
        is_worth_it = len(rows) >= (ROWS_SHARED_MIN if self._run >= self.RUN else self.MANY)
        if self._rest > 0 or not is_worth_it:
            self._rest = max(self._rest - 1, 0)
            scores = on_one_core(rows, query)
        else:
            scores = rows @ query
            self._learn(time.perf_counter() - start > self.SLOW * rows.size)
        self._ended = time.perf_counter()
        return scores

    def _learn(self, is_slow: bool) -> None:  # noqa: FBT001 -- all there is to learn
        if is_slow:
            self._rest, self._next_rest = self._next_rest, min(2 * self._next_rest, self.REST_MAX)
        else:
            self._next_rest = self.REST_MIN


def on_one_core(rows: NDArray[Any], query: NDArray[Any]) -> NDArray[Any]:
    """The same without threads, each row by itself."""
    scores: NDArray[Any] = np.vecdot(rows, query) if hasattr(np, "vecdot") else np.einsum("ij,j->i", rows, query)
    return scores


MULTIPLIER = Multiplier()
"""One for the process: it learns how busy the machine is."""


def exact(rows: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float64]:
    """Cosines that do not depend on where a row stands or what stands beside it.

    A matrix product rounds a row's sum differently at another place in the matrix; results must be the same bytes
    whatever else is stored, so the few that are returned are summed again, each by itself.
    """
    wide = rows.astype(np.float64, order="C")
    cosines: NDArray[np.float64] = on_one_core(wide, query.astype(np.float64)).round(6)
    return cosines


@frozen
class Matrix:
    """A scope's vectors at one revision. Row i belongs to memory `nums[i]`; 0 marks a row that is no longer valid."""

    rev: int
    purge_rev: int
    nums: NDArray[np.int64]
    room: Room
    is_exact: bool
    """Vectors, or else only their sign codes."""
    has_pieces: bool

    @property
    def values(self) -> NDArray[Any]:
        """One row of floats, or of codes, for each of `nums`."""
        return self.room.space[: len(self.nums)]

    @property
    def nbytes(self) -> int:
        """Memory it takes."""
        return self.nums.nbytes + self.room.space.nbytes


def sign_codes(rows: NDArray[np.float32]) -> NDArray[np.uint64]:
    """One bit a dimension: is it above zero?"""
    bits = np.packbits(rows > 0, axis=1)
    padding = -bits.shape[1] % 8
    padded = np.pad(bits, ((0, 0), (0, padding)))
    return np.ascontiguousarray(padded).view(np.uint64)


def agreement(codes: NDArray[np.uint64], query: NDArray[np.float32]) -> NDArray[np.int64]:
    """How few bits differ, as a score: higher is nearer."""
    differing = codes ^ sign_codes(query[None, :])
    if hasattr(np, "bitwise_count"):
        different = np.bitwise_count(differing)
    else:
        different = np.unpackbits(differing.view(np.uint8), axis=1)
    return np.negative(np.sum(different, axis=1, dtype=np.int64))


class Matrices:
    """The matrices of a store, by (tenant, scope, model). Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int, str], Matrix] = OrderedDict()
        self.exact_rows_max = EXACT_ROWS_MAX
        self.bytes_max = BYTES_MAX

    def matrix(self, tenant: str, scope: int, model: str, revs: tuple[int, int]) -> Matrix:
        """The scope's vectors at these revisions; or newer, when another thread was faster."""
        key = (tenant, scope, model)
        rev, purge_rev = revs
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
        if kept is not None and kept.purge_rev == purge_rev and kept.rev >= rev:
            return kept
        if kept is None or kept.purge_rev != purge_rev:
            fresh = self._load(key, rev, purge_rev)
        else:
            fresh = self._renew(key, kept, rev)
        # What is not committed may never have been: it stays with its transaction.
        if not self._db.driver.is_dirty:
            self._keep(key, fresh)
        return fresh

    def _keep(self, key: tuple[str, int, str], fresh: Matrix) -> None:
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or (kept.purge_rev, kept.rev) <= (fresh.purge_rev, fresh.rev):
                self._kept[key] = fresh
                self._kept.move_to_end(key)
            while len(self._kept) > 1 and sum(matrix.nbytes for matrix in self._kept.values()) > self.bytes_max:
                self._kept.popitem(last=False)

    def _load(self, key: tuple[str, int, str], rev: int, purge_rev: int) -> Matrix:
        """In batches, so that no second copy of everything exists at any time."""
        tenant, scope, model = key
        nums: list[int] = []
        parts: list[NDArray[Any]] = []
        last = (0, -1)
        is_exact, has_pieces = True, False
        while True:
            where = {"tenant": tenant, "scope": scope, "model": model, "num": last[0], "piece": last[1]}
            batch = self._db.rows("vectors_after", where | {"limit": _BATCH})
            if not batch:
                break
            nums += [row[0] for row in batch]
            has_pieces = has_pieces or any(row[1] for row in batch)
            rows = floats([row[2] for row in batch])
            if is_exact and len(nums) > self.exact_rows_max:
                is_exact, parts = False, [sign_codes(part) for part in parts]
            parts.append(rows if is_exact else sign_codes(rows))
            last = batch[-1][:2]
        joined = _joined(parts)
        return Matrix(
            rev=rev,
            purge_rev=purge_rev,
            nums=np.array(nums, dtype=np.int64),
            room=Room(joined),
            is_exact=is_exact,
            has_pieces=has_pieces,
        )

    def _renew(self, key: tuple[str, int, str], kept: Matrix, rev: int) -> Matrix:
        """The kept matrix with the changed memories' rows put at its end and their old rows marked."""
        tenant, scope, model = key
        where = {"tenant": tenant, "scope": scope, "model": model, "since": kept.rev}
        changed = sorted(self._db.rows("vectors_changed", where))
        if not changed:
            return Matrix(**(vars(kept) | {"rev": rev}))
        total = len(kept.nums) + len(changed)
        dead = np.isin(kept.nums, [row[0] for row in changed]) | (kept.nums == 0)
        if dead.sum() * 4 > total or (kept.is_exact and total > self.exact_rows_max) or not len(kept.nums):
            return self._load(key, rev, kept.purge_rev)
        fresh = floats([row[2] for row in changed])
        return Matrix(
            rev=rev,
            purge_rev=kept.purge_rev,
            nums=np.concatenate([np.where(dead, 0, kept.nums), [row[0] for row in changed]]).astype(np.int64),
            room=kept.room.grown(len(kept.nums), fresh if kept.is_exact else sign_codes(fresh)),
            is_exact=kept.is_exact,
            has_pieces=kept.has_pieces or any(row[1] for row in changed),
        )

    def some(self, tenant: str, model: str, places: NDArray[np.int64]) -> tuple[NDArray[np.int64], Any]:
        """Just these memories' vectors, from the database, whatever their scopes: (places, rows)."""
        found: list[Row] = self._db.rows(
            "vectors_of_places", {"tenant": tenant, "model": model, "places": json_list(places.tolist())}
        )
        return loaded(found)

    def forget(self) -> None:
        """Drop everything that is kept."""
        with self._lock:
            self._kept.clear()


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """One array from many, giving back each part as it is copied."""
    if not parts:
        return np.zeros((0, 0), dtype=np.float32)
    total = sum(len(part) for part in parts)
    joined = np.empty((total, parts[0].shape[1]), dtype=parts[0].dtype)
    position = 0
    for index, part in enumerate(parts):
        joined[position : position + len(part)] = part
        position += len(part)
        parts[index] = part[:0]
    return joined


class Room:
    """An array with spare rows at its end, so that most writes copy nothing. Rows that others read never change."""

    def __init__(self, rows: NDArray[Any], *, spare: int = 0) -> None:
        self._lock = threading.Lock()
        self._taken = len(rows)
        self.space = rows
        if spare:
            self.space = np.empty((len(rows) + spare, rows.shape[1]), dtype=rows.dtype)
            self.space[: len(rows)] = rows

    def grown(self, count: int, more: NDArray[Any]) -> Room:
        """A room whose first rows are the first `count` here, with `more` after them; this one, if there is space."""
        needed = count + len(more)
        with self._lock:
            is_free = self._taken == count and needed <= len(self.space)
            if is_free:
                self._taken = needed
        room = self if is_free else Room(self.space[:count], spare=len(more) + needed // 4 + 64)
        room.space[count:needed] = more
        if not is_free:
            room._taken = needed  # noqa: SLF001 -- nobody else has it yet
        return room
