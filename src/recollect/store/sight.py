"""What a view sees, as arrays: which rows, how long and how new; and the two arms that score them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from recollect.store.encoding import NEVER
from recollect.store.vectors import MULTIPLIER, RESCORED_MIN, RESCORED_TIMES, agreement, exact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from recollect.store.driver import Row
    from recollect.store.vectors import Matrix

SATURATION = 1.2
LENGTH_WEIGHT = 0.75
NEARLY = 1e-4
"""Products of 32-bit floats differ by less than this from the exact ones."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """The visible rows of one scope, by `num` in rising order."""

    scope: int
    place: tuple[str, str]
    """Space and owner: the order among rows of one moment."""
    rev: tuple[int, int] | None = None
    """Revisions of a scope that is in sight as a whole; of somebody else's scope only these rows may be touched."""
    nums: NDArray[np.int64]
    words: NDArray[np.int64]
    created: NDArray[np.int64]
    dies: NDArray[np.int64]
    models: NDArray[Any]
    """Number of the model whose vectors a row has, in `Sight.models`."""
    lifts: int = NEVER
    """When a word that hides a row of this scope may die: then the rows are looked at anew."""
    found: dict[int, Any] = field(default_factory=dict, compare=False)
    """Rows of a matrix that belong to this part, kept for the matrix they were found in."""


@dataclass(frozen=True, kw_only=True)
class Sight:
    """Everything a view sees at one state of the store, until something in it dies."""

    until: int
    parts: tuple[Part, ...]
    age: NDArray[np.int64]
    """Rank of each row, newest first; rows are numbered through all parts."""
    words: NDArray[np.int64]
    starts: tuple[int, ...]

    def place(self, row: int) -> tuple[int, int]:
        """(scope, num) of a row."""
        index = bisect_right(self.starts, row) - 1
        part = self.parts[index]
        return part.scope, int(part.nums[row - self.starts[index]])


def part_from(scope: int, place: tuple[str, str], rows: Sequence[Row], models: dict[str, int]) -> Part:
    """From rows of `sight_columns`; those hidden by the word of the person concerned only tell until when."""
    lifts = min((row[6] for row in rows if row[6] is not None), default=NEVER)
    shown = sorted(row for row in rows if row[5])
    return Part(
        scope=scope,
        place=place,
        nums=_integers(row[0] for row in shown),
        words=_integers(row[1] for row in shown),
        created=_integers(row[2] for row in shown),
        dies=_integers(NEVER if row[3] is None else row[3] for row in shown),
        models=_integers(models.setdefault(row[4], len(models)) for row in shown),
        lifts=lifts,
    )


def _integers(values: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(values, dtype=np.int64)


def renewed(part: Part, changed: Sequence[Row], models: dict[str, int], rev: tuple[int, int]) -> Part:
    """A part with some rows looked at anew: `changed` are rows of `sight_changed`, the seen ones marked."""
    fresh = part_from(part.scope, part.place, [row[1:] for row in changed if row[0]], models)
    stays = ~np.isin(part.nums, [row[1] for row in changed])
    order = np.argsort(np.concatenate([part.nums[stays], fresh.nums]), kind="stable")

    def joined(old: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate([old[stays], new])[order]

    return Part(
        scope=part.scope,
        place=part.place,
        rev=rev,
        nums=joined(part.nums, fresh.nums),
        words=joined(part.words, fresh.words),
        created=joined(part.created, fresh.created),
        dies=joined(part.dies, fresh.dies),
        models=joined(part.models, fresh.models),
        lifts=min(part.lifts, fresh.lifts),
    )


def living(part: Part, now: int) -> Part:
    """A part without the rows that have died meanwhile."""
    alive = part.dies > now
    if alive.all():
        return part
    return replace(
        part,
        nums=part.nums[alive],
        words=part.words[alive],
        created=part.created[alive],
        dies=part.dies[alive],
        models=part.models[alive],
        found={},
    )


def sight_from(parts: Sequence[Part]) -> Sight:
    """Parts as one list of rows, in the order of their places, so that rows of equal age have one order."""
    parts = sorted((part for part in parts if len(part.nums)), key=lambda part: part.place)
    created = np.concatenate([part.created for part in parts]) if parts else _integers(())
    scope = np.repeat(np.arange(len(parts)), [len(part.nums) for part in parts]) if parts else _integers(())
    nums = np.concatenate([part.nums for part in parts]) if parts else _integers(())
    newest = np.lexsort((-nums, scope, -created))
    age = np.empty(len(newest), dtype=np.int64)
    age[newest] = np.arange(len(newest))
    starts = np.concatenate([[0], np.cumsum([len(part.nums) for part in parts])])[: len(parts)]
    dies = [int(part.dies.min()) for part in parts]
    return Sight(
        until=min([NEVER, *dies]),
        parts=tuple(parts),
        age=age,
        words=np.concatenate([part.words for part in parts]) if parts else _integers(()),
        starts=tuple(int(start) for start in starts),
    )


def best(scores: NDArray[np.float64], age: NDArray[np.int64], limit: int) -> NDArray[np.int64]:
    """Positions of the best scores, ties by age; the same whatever order they stand in."""
    if len(scores) > limit:
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        chosen = np.flatnonzero(scores >= least)
    else:
        chosen = np.arange(len(scores))
    return chosen[np.lexsort((age[chosen], -scores[chosen]))][:limit]


# --- words ---


def bm25(
    sight: Sight, terms: Sequence[str], postings: Callable[[Part], Sequence[Row]]
) -> tuple[NDArray[np.float64], float]:
    """BM25 of every row, with statistics of the visible rows alone; and what a row with every term once would score."""
    numbers = {term: number for number, term in enumerate(terms)}
    found = [
        _postings(part, start, numbers, postings(part)) for part, start in zip(sight.parts, sight.starts, strict=True)
    ]
    rows, which, counts = (np.concatenate([item[index] for item in found]) for index in range(3))
    total = len(sight.words)
    frequency = np.bincount(which, minlength=len(terms))
    weight = np.log(1.0 + (total - frequency + 0.5) / (frequency + 0.5))
    average = max(float(sight.words.mean()), 1.0)
    length = 1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * sight.words[rows] / average
    parts = weight[which] * counts * (SATURATION + 1.0) / (counts + SATURATION * length)
    scores = np.bincount(rows, weights=parts, minlength=total).astype(np.float64)
    return scores, float(weight.sum())


def _postings(
    part: Part, start: int, numbers: Mapping[str, int], rows: Sequence[Row]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """(row in the sight, number of the term, count) of the postings that are visible."""
    nums = _integers(row[1] for row in rows)
    which = _integers(numbers[row[0]] for row in rows)
    counts = _integers(row[2] for row in rows)
    position = np.searchsorted(part.nums, nums)
    position[position == len(part.nums)] = 0
    is_seen = part.nums[position] == nums
    return start + position[is_seen], which[is_seen], counts[is_seen]


# --- vectors ---


@dataclass(frozen=True, kw_only=True)
class Near:
    """Rows near a vector, with their exact cosines."""

    rows: NDArray[np.int64]
    cosines: NDArray[np.float64]


def nearest(matrix: Matrix, part: Part, model: int, query: NDArray[np.float32], limit: int) -> Near:
    """The nearest rows of one part, numbered within it: found by a product over the scope, scored exactly."""
    lines, rows = _lines(matrix, part, model)
    if not len(lines):
        return Near(rows=lines, cosines=np.zeros(0))
    scores = _products(matrix, lines, query)
    keep = min(len(scores), limit if not matrix.has_pieces else limit * 4)
    least = np.partition(scores, len(scores) - keep)[len(scores) - keep]
    chosen = np.flatnonzero(scores >= least - NEARLY)
    cosines = exact(matrix.values[lines[chosen]], query)
    return _by_row(rows[chosen], cosines) if matrix.has_pieces else Near(rows=rows[chosen], cosines=cosines)


def cosines_of(matrix: Matrix, part: Part, model: int, query: NDArray[np.float32], rows: NDArray[np.int64]) -> Near:
    """Exact cosines of some rows of a part, as far as they have vectors."""
    lines, owners = _lines(matrix, part, model)
    wanted = np.isin(owners, rows)
    if not wanted.any():
        # A scope without a single vector has rows of no length, which no query can be held against.
        return Near(rows=owners[wanted], cosines=np.zeros(0))
    return _by_row(owners[wanted], exact(matrix.values[lines[wanted]], query))


def likely(matrix: Matrix, part: Part, model: int, query: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    """From sign codes: nums of the rows that may be among the nearest, to be scored exactly from the database."""
    lines, rows = _lines(matrix, part, model)
    if not len(lines):
        return rows
    scores = agreement(matrix.values[lines] if len(lines) < len(matrix.nums) else matrix.values, query)
    keep = min(len(scores), max(RESCORED_MIN, limit * RESCORED_TIMES))
    least = np.partition(scores, len(scores) - keep)[len(scores) - keep]
    return np.unique(part.nums[rows[scores >= least]])


def _products(matrix: Matrix, lines: NDArray[np.int64], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """A gather costs as much as a product of three times the rows."""
    if len(lines) * 3 < len(matrix.nums):
        return MULTIPLIER.products(matrix.values[lines], query)
    scores = MULTIPLIER.products(matrix.values, query)
    return scores if len(lines) == len(matrix.nums) else scores[lines]


def _lines(matrix: Matrix, part: Part, model: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Lines of the matrix that are visible and of this model, and the rows of the part they belong to."""
    kept = part.found.get(model)
    if kept is None or kept[0] is not matrix:
        position = np.searchsorted(part.nums, matrix.nums)
        position[position == len(part.nums)] = 0
        is_seen = (part.nums[position] == matrix.nums) & (part.models[position] == model)
        lines = np.flatnonzero(is_seen)
        kept = part.found[model] = (matrix, lines, position[lines])
    return kept[1], kept[2]


def _by_row(rows: NDArray[np.int64], cosines: NDArray[np.float64]) -> Near:
    """Several pieces of one text: the best counts."""
    unique, inverse = np.unique(rows, return_inverse=True)
    if len(unique) == len(rows):
        return Near(rows=rows, cosines=cosines)
    highest = np.full(len(unique), -np.inf)
    np.maximum.at(highest, inverse, cosines)
    return Near(rows=unique, cosines=highest)


def scored(part: Part, nums: NDArray[np.int64], rows: NDArray[np.float32], query: NDArray[np.float32]) -> Near:
    """Exact cosines of vectors that were loaded by number."""
    if not len(nums):
        return Near(rows=nums, cosines=np.zeros(0))
    return _by_row(np.searchsorted(part.nums, nums), exact(rows, query))
