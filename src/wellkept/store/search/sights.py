"""What a view sees, as arrays: which rows, how long and how new; read once and renewed where something changed."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from wellkept.errors import DamagedRow
from wellkept.policies.visibility import without_spans
from wellkept.policies.words import term_counts
from wellkept.store.driver import Database
from wellkept.store.encoding import NEVER, SCOPE_STEP, Row
from wellkept.store.search.vectors import MULTIPLIER, RESCORED_MIN, RESCORED_TIMES, Matrix, agreement, exact
from wellkept.values import changed, frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray


SATURATION = 1.2
LENGTH_WEIGHT = 0.75
NEARLY = 1e-4
"""Products of 32-bit floats differ by less than this from the exact ones."""


@frozen
class Cut:
    """What is left of a text when a span is left out of it."""

    text: str
    terms: Mapping[str, int]


@frozen
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
    cut: Mapping[int, Cut] = field(default_factory=dict)
    """Rows of which a span is left out for this view: what is left of them."""
    found: dict[int, Any] = field(default_factory=dict, compare=False)
    """Rows of a matrix that belong to this part, kept for the matrix they were found in."""


@frozen
class Sight:
    """Everything a view sees at one state of the store, until something in it dies."""

    until: int
    parts: tuple[Part, ...]
    """Of scopes in sight as a whole."""
    starts: tuple[int, ...]
    """The first row of each part; rows are numbered through all of them, others' after these."""
    elsewhere: NDArray[np.int64]
    """Rows of others' scopes, of which nothing else may be touched."""
    created: NDArray[np.int64]
    rank: NDArray[np.int64]
    """Of each row, its place in the order of spaces and owners: of one moment, the lower is the newer."""
    words: NDArray[np.int64]
    models: NDArray[Any]
    places: NDArray[np.int64]
    """Scope and num of each row, as one number (`encoding.SCOPE_STEP`)."""
    by_place: NDArray[np.int64]
    """Rows in the order of their places."""
    rising: NDArray[np.int64]
    """Places in that order."""

    def rows_of(self, places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The row of each place, and whether there is one."""
        position = np.searchsorted(self.rising, places)
        position[position == len(self.rising)] = 0
        return self.by_place[position], self.rising[position] == places

    def beside(self, place: tuple[int, int]) -> tuple[tuple[int, int], ...]:
        """Places of the rows just before and after one in its scope."""
        part = self.part(place[0])
        if part is None:
            return ()
        at = int(np.searchsorted(part.nums, place[1]))
        return tuple((part.scope, int(num)) for num in (*part.nums[max(at - 1, 0) : at], *part.nums[at + 1 : at + 2]))

    def part(self, scope: int) -> Part | None:
        """The rows of one scope, if any are seen."""
        return next((part for part in self.parts if part.scope == scope), None)

    def seen(self, scope: int, nums: Sequence[int]) -> list[int]:
        """Those of some rows of a scope that are seen."""
        part = self.part(scope)
        if part is None:
            return []
        wanted = np.unique(np.array(nums, dtype=np.int64))
        position = np.minimum(np.searchsorted(part.nums, wanted), len(part.nums) - 1)
        seen: list[int] = wanted[part.nums[position] == wanted].tolist()
        return seen


_COLUMNS = ("nums", "words", "created", "dies", "models")
"""What a part has of each of its rows."""


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


def renewed(part: Part, rows: Sequence[Row], models: dict[str, int], rev: tuple[int, int]) -> Part:
    """A part with some rows looked at anew: `rows` are of `sight_changed`, the seen ones marked."""
    fresh = part_from(part.scope, part.place, [row[1:] for row in rows if row[0]], models)
    stays = np.ones(len(part.nums), dtype=bool)
    touched = _integers(row[1] for row in rows)
    at = np.minimum(np.searchsorted(part.nums, touched), max(len(part.nums) - 1, 0))
    stays[at[part.nums[at] == touched] if len(stays) else at[:0]] = False
    position = np.searchsorted(part.nums[stays], fresh.nums)
    joined = {name: np.insert(getattr(part, name)[stays], position, getattr(fresh, name)) for name in _COLUMNS}
    cut = {num: cut for num, cut in part.cut.items() if num not in touched}
    return changed(part, **joined, rev=rev, lifts=min(part.lifts, fresh.lifts), cut=cut, found={})


def _of_rows(part: Part, stays: NDArray[np.bool_]) -> Part:
    """The part with some of its rows only."""
    return changed(part, **{name: getattr(part, name)[stays] for name in _COLUMNS}, found={})


def with_cuts(part: Part, cuts: Mapping[int, Cut]) -> Part:
    """The part with what is left of some rows; a row of which no word is left goes."""
    if not cuts:
        return part
    counts = {num: sum(cut.terms.values()) for num, cut in cuts.items()}
    words = _integers(counts.get(num, int(count)) for num, count in zip(part.nums.tolist(), part.words, strict=True))
    cut = {**part.cut, **{num: cut for num, cut in cuts.items() if counts[num]}}
    stays = ~np.isin(part.nums, [num for num, count in counts.items() if not count])
    return _of_rows(replace(part, words=words, cut=cut), stays)


def living(part: Part, now: int) -> Part:
    """A part without the rows that have died meanwhile."""
    alive = part.dies > now
    return part if alive.all() else _of_rows(part, alive)


def sight_from(parts: Sequence[Part]) -> Sight:
    """Parts as one list of rows, those in sight as a whole first; rows of equal age in the order of space and owner."""
    parts = sorted((part for part in parts if len(part.nums)), key=lambda part: (part.rev is None, part.place))
    whole = tuple(part for part in parts if part.rev is not None)
    counts = [len(part.nums) for part in parts]
    ranks = {place: rank for rank, place in enumerate(sorted(part.place for part in parts))}
    starts = np.cumsum([0, *counts])
    # Within a part places rise: it takes no sorting of rows.
    by_scope = sorted(range(len(parts)), key=lambda number: parts[number].scope)
    by_place = _joined(np.arange(starts[number], starts[number + 1]) for number in by_scope)
    places = _joined(part.scope * SCOPE_STEP + part.nums for part in parts)
    return Sight(
        until=min([NEVER, *(int(part.dies.min()) for part in parts)]),
        parts=whole,
        starts=tuple(int(start) for start in starts[: len(whole)]),
        elsewhere=np.arange(starts[len(whole)], len(places)),
        created=_joined(part.created for part in parts),
        rank=np.repeat(_integers(ranks[part.place] for part in parts), counts),
        words=_joined(part.words for part in parts),
        models=_joined(part.models for part in parts),
        places=places,
        by_place=by_place,
        rising=places[by_place],
    )


def _joined(arrays: Iterable[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([_integers(()), *arrays])


def best(sight: Sight, rows: NDArray[np.int64], scores: NDArray[np.float64], limit: int) -> NDArray[np.int64]:
    """Positions of the best scores of some rows, of equal ones the newer; the same whatever order they stand in."""
    if len(scores) > limit:
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        chosen = np.flatnonzero(scores >= least)
    else:
        chosen = np.arange(len(scores))
    of = rows[chosen]
    # In a scope the higher number is the newer.
    order = np.lexsort((-sight.places[of], sight.rank[of], -sight.created[of], -scores[chosen]))
    return chosen[order][:limit]


# --- words ---


@frozen
class Matches:
    """Where the terms of a query stand in a sight: of each place the row, the number of the term and how often."""

    rows: NDArray[np.int64]
    which: NDArray[np.int64]
    counts: NDArray[np.int64]
    weight: NDArray[np.float64]
    """Of each term: the rarer, the more, with statistics of the visible rows alone."""


def matches(sight: Sight, terms: Sequence[str], postings: Sequence[Row]) -> Matches:
    """From (place, term, count), by term within a scope; those that are not seen do not count."""
    numbers = {term: number for number, term in enumerate(terms)}
    rows, is_seen = sight.rows_of(_integers(row[0] for row in postings))
    rows = rows[is_seen]
    try:
        which = _integers(numbers[row[1]] for row in postings)[is_seen]
    except KeyError as error:  # a term that was not asked for: an index that does not say what its table says
        raise DamagedRow("A word") from error
    counts = _integers(row[2] for row in postings)[is_seen]
    frequency = np.bincount(which, minlength=len(terms))
    weight = np.log(1.0 + (len(sight.words) - frequency + 0.5) / (frequency + 0.5))
    return Matches(rows=rows, which=which, counts=counts, weight=weight)


def bm25(sight: Sight, found: Matches) -> tuple[NDArray[np.float64], float]:
    """BM25 of every row, and what a row with every term once would score."""
    average = max(float(sight.words.mean()), 1.0)
    length = 1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * sight.words[found.rows] / average
    parts = found.weight[found.which] * found.counts * (SATURATION + 1.0) / (found.counts + SATURATION * length)
    scores = np.bincount(found.rows, weights=parts, minlength=len(sight.words)).astype(np.float64)
    return scores, float(found.weight.sum())


def coverage(sight: Sight, found: Matches) -> NDArray[np.float64]:
    """The weight of the terms that each row has, as a share of the weight of all of them."""
    whole = float(found.weight.sum())
    weights = found.weight[found.which]
    held = np.bincount(found.rows, weights=weights, minlength=len(sight.words)).astype(np.float64)
    return held / whole if whole else held


# --- vectors ---


@frozen
class Near:
    """Rows near a vector, with their exact cosines."""

    rows: NDArray[np.int64]
    cosines: NDArray[np.float64]


def nearest(
    matrix: Matrix, part: Part, model: int, query: NDArray[np.float32], limit: int, *, also: NDArray[np.int64]
) -> Near:
    """The nearest rows of one part, and `also` these, numbered within it; found by a product, scored exactly."""
    lines, rows = lines_of(matrix, part, model)
    if not len(lines):
        return Near(rows=lines, cosines=np.zeros(0))
    scores = _products(matrix, lines, query)
    keep = min(len(scores), limit if not matrix.has_pieces else limit * 4)
    least = np.partition(scores, len(scores) - keep)[len(scores) - keep]
    is_chosen = scores >= least - NEARLY
    if len(also):
        is_chosen |= np.isin(rows, also)
    cosines = exact(matrix.values[lines[is_chosen]], query)
    return _by_row(rows[is_chosen], cosines) if matrix.has_pieces else Near(rows=rows[is_chosen], cosines=cosines)


def bits_of(part: Part, model: int) -> bytes:
    """A bit for each num of the scope, the lowest first: set for rows of the part that have a vector of this model."""
    nums = part.nums[part.models == model]
    bits = np.zeros(int(nums[-1]) + 1 if len(nums) else 0, dtype=bool)
    bits[nums] = True
    return np.packbits(bits, bitorder="little").tobytes()


def likely(matrix: Matrix, part: Part, model: int, query: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    """From sign codes: rows of the part that may be among the nearest, to be scored exactly from the database."""
    lines, rows = lines_of(matrix, part, model)
    if not len(lines):
        return rows
    scores = agreement(matrix.values[lines] if len(lines) < len(matrix.nums) else matrix.values, query)
    keep = min(len(scores), max(RESCORED_MIN, limit * RESCORED_TIMES))
    least = np.partition(scores, len(scores) - keep)[len(scores) - keep]
    return np.unique(rows[scores >= least])


def _products(matrix: Matrix, lines: NDArray[np.int64], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """A gather costs as much as a product of three times the rows."""
    if len(lines) * 3 < len(matrix.nums):
        return MULTIPLIER.products(matrix.values[lines], query)
    scores = MULTIPLIER.products(matrix.values, query)
    return scores if len(lines) == len(matrix.nums) else scores[lines]


def lines_of(matrix: Matrix, part: Part, model: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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


def scored(sight: Sight, places: NDArray[np.int64], rows: NDArray[np.float32], query: NDArray[np.float32]) -> Near:
    """Exact cosines of vectors that were loaded by place."""
    if not len(places):
        return Near(rows=places, cosines=np.zeros(0))
    return _by_row(sight.rows_of(places)[0], exact(rows, query))


SIGHTS_MAX = 1_024
ROWS_MAX = 300_000
"""Views whose rows are kept, and their rows together, some 130 bytes each; the one not asked for longest goes first."""


_PEOPLE = -1
"""In the place of a scope: the revisions of the people watched."""


@frozen
class Reads:
    """The statements by which a kind of rows is looked at."""

    scopes: str = "scopes"
    """The parameter that holds the numbers of the scopes in sight."""
    own: str = "sight_own"
    changed: str = "sight_changed"
    across: str | None = "sight_across"
    """What scopes out of sight say of the people present; None: nothing is looked for there."""


@frozen
class _Kept:
    """A sight and the state of the store it was taken at."""

    sight: Sight
    own: Mapping[int, Part]
    across: tuple[Part, ...]
    revs: Mapping[int, tuple[int, int]]
    """Scope → revision, and revision of its last removal."""
    attendance: int
    told: int
    """Revisions of where the people watched take part, and of what scopes out of sight say about them."""
    since: int
    lifts: int
    """When a word that hides something may die."""


class Sights:
    """The sights of a store. Thread-safe."""

    def __init__(self, database: Database, reads: Reads = Reads()) -> None:  # noqa: B008 -- a frozen value
        self._db = database
        self._reads = reads
        # What changes from call to call, or with the first row of a scope, is compared by itself.
        self._passing = frozenset({"now", reads.scopes})
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[Any, ...], _Kept] = OrderedDict()
        self._rows = 0
        self._models: dict[str, int] = {"": 0}

    def model(self, name: str | None) -> int:
        """The number that parts use for a model; one that nobody has when it is unknown."""
        return self._models.get(name or "", -1)

    def sight(self, parameters: dict[str, Any], *, only: int | None = None) -> Sight:
        """What a view sees now; with `only`, the live rows of that one scope, whoever may see them."""
        key = (only, *(value for name, value in parameters.items() if name not in self._passing))
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
        fresh = self._look(parameters, only, kept)
        # What is not committed may never have been: it stays with its transaction.
        if fresh is not kept and not self._db.driver.is_dirty:
            self._keep(key, fresh)
        return fresh.sight

    def _keep(self, key: tuple[Any, ...], fresh: _Kept) -> None:
        with self._lock:
            self._rows += len(fresh.sight.places) - self._drop(key)
            self._kept[key] = fresh
            while len(self._kept) > 1 and (len(self._kept) > SIGHTS_MAX or self._rows > ROWS_MAX):
                self._rows -= self._drop(next(iter(self._kept)))

    def _drop(self, key: tuple[Any, ...]) -> int:
        """Keep it no longer; how many rows it had."""
        gone = self._kept.pop(key, None)
        return 0 if gone is None else len(gone.sight.places)

    def _look(self, parameters: dict[str, Any], only: int | None, kept: _Kept | None) -> _Kept:
        scopes = json.loads(parameters[self._reads.scopes]) if only is None else [only]
        where = {"tenant": parameters["tenant"], "scopes": json.dumps(scopes), "watched": parameters["watched"]}
        rows = self._db.rows("sight_revs" if only is None else "scope_revs", where)
        revs = {scope: (rev, purge_rev) for scope, rev, purge_rev in sorted(rows)}
        attendance, told = revs.pop(_PEOPLE, (0, 0))
        told = 0 if self._reads.across is None else told
        now = parameters["now"]
        timeless = parameters["as_of"] is not None or parameters["include_expired"] == 1
        if kept is not None and (kept.attendance != attendance or not (timeless or kept.since <= now < kept.lifts)):
            kept = None
        nothing_died = kept is not None and (timeless or now < kept.sight.until)
        # A scope that came into sight was out of it before: then what is told elsewhere is another set of rows.
        is_told_same = kept is not None and kept.told == told and kept.revs.keys() == revs.keys()
        if kept is not None and is_told_same and kept.revs == revs and nothing_died:
            return kept
        own = {scope: self._own_part(scope, parameters, only, kept, revs[scope]) for scope in revs}
        across = kept.across if kept is not None and is_told_same else self._across(parameters, only)
        if kept is not None and not nothing_died:
            own = {scope: living(part, now) for scope, part in own.items()}
            across = tuple(living(part, now) for part in across)
        parts = (*own.values(), *across)
        return _Kept(
            sight=sight_from(parts),
            own=own,
            across=across,
            revs=revs,
            attendance=attendance,
            told=told,
            since=now,
            lifts=min((part.lifts for part in parts), default=2**62),
        )

    def _own_part(
        self, scope: int, parameters: dict[str, Any], only: int | None, kept: _Kept | None, rev: tuple[int, int]
    ) -> Part:
        """The scope's part: the kept one, renewed from what changed, or taken whole."""
        where = parameters | {"scope": scope}
        before = kept.revs.get(scope) if kept is not None else None
        if kept is not None and before is not None and scope in kept.own:
            if before == rev:
                return kept.own[scope]
            if before[1] == rev[1] and before[0] < rev[0]:
                name = self._reads.changed if only is None else "live_changed"
                changed = self._db.rows(name, where | {"since": before[0]})
                part = renewed(kept.own[scope], changed, self._models, rev)
                return self._finished(part, where | {"since": before[0]})
        rows = self._db.rows(self._reads.own if only is None else "live_own", where)
        place = self._db.rows("scope_place", where)[0]
        part = replace(part_from(scope, (place[0], place[1]), rows, self._models), rev=rev)
        return self._finished(part, where | {"since": 0})

    def _finished(self, part: Part, _where: dict[str, Any]) -> Part:
        """The rows that changed after `since`, as far as they may be seen."""
        return part

    def _across(self, parameters: dict[str, Any], only: int | None) -> tuple[Part, ...]:
        if only is not None or self._reads.across is None or parameters["present"] == "[]":
            return ()
        by_scope: dict[tuple[int, str, str], list[Row]] = {}
        for scope, space, owner, *rest in self._db.rows(self._reads.across, parameters):
            by_scope.setdefault((scope, space, owner), []).append(tuple(rest))
        return tuple(
            part_from(scope, (space, owner), rows, self._models) for (scope, space, owner), rows in by_scope.items()
        )

    def forget(self) -> None:
        """Drop everything that is kept."""
        with self._lock:
            self._kept.clear()
            self._rows = 0


READS = Reads(scopes="rooms", own="message_sight", changed="message_sight_changed", across=None)


class MessageSights(Sights):
    """Sights of the transcript."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, READS)

    def _finished(self, part: Part, where: dict[str, Any]) -> Part:
        spans: dict[int, list[tuple[int, int]]] = {}
        texts: dict[int, str] = {}
        for num, content, start, stop in self._db.rows("spans_left_out", where):
            texts[num] = content
            spans.setdefault(num, []).append((start, stop))
        left = {num: without_spans(text, spans[num]) for num, text in texts.items()}
        return with_cuts(part, {num: Cut(text=text, terms=term_counts(text)) for num, text in left.items()})
