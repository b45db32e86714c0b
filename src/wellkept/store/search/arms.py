"""The arms of a search, by vector and by words, and their union."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from wellkept.store.contract import Search
from wellkept.store.driver import Database, Scan
from wellkept.store.encoding import SCOPE_STEP, Halves, Row, json_list
from wellkept.store.search.sights import (
    Matches,
    Near,
    Part,
    Sight,
    Sights,
    best,
    bits_of,
    bm25,
    likely,
    matches,
    nearest,
    scored,
)
from wellkept.store.search.vectors import Matrices, Matrix, loaded
from wellkept.values import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray


@frozen
class Score:
    """What the arms say of one memory, at its place (`encoding.SCOPE_STEP`)."""

    place: int
    cosine: float | None
    bm25: float | None
    share: float | None


class Arms:
    """Scores of what is seen, from the matrices and postings of the store."""

    def __init__(self, database: Database, sights: Sights, matrices: Matrices) -> None:
        self._db = database
        self.sights = sights
        self.matrices = matrices

    def scores(self, tenant: str, sight: Sight, search: Search) -> list[Score]:
        """The union of both arms, nearest first, then by words.

        A memory that one arm found gets the other's score too, where it has one.
        """
        if not len(sight.places) or search.limit < 1:
            return []
        terms = tuple(dict.fromkeys(search.terms))
        words, whole = self._words(tenant, sight, terms)
        matching = np.flatnonzero(words)
        by_words = matching[best(sight, matching, words[matching], search.limit)]
        cosines = self._cosines(tenant, sight, search, by_words)
        near = np.fromiter(cosines, dtype=np.int64, count=len(cosines))
        values = np.fromiter(cosines.values(), dtype=np.float64, count=len(cosines))
        chosen = best(sight, near, values, search.limit)
        by_vector = near[chosen]
        if search.is_near is not None:
            is_read = np.arange(len(chosen)) < max(_near(values[chosen].tolist(), search.is_near), 1)
            by_vector = by_vector[is_read | (words[by_vector] > 0) if whole else is_read]
        rows = list(dict.fromkeys([*by_vector.tolist(), *by_words.tolist()]))
        said = words[rows].tolist() if whole else [0.0] * len(rows)
        return [
            Score(
                place=place,
                cosine=cosines.get(row),
                bm25=round(count, 9) if count > 0 else None,
                share=round(min(count / whole, 1.0), 9) if count > 0 else None,
            )
            for row, place, count in zip(rows, sight.places[rows].tolist(), said, strict=True)
        ]

    def make_ready(self, tenant: str, sight: Sight, search: Search) -> None:
        """Read the vectors that a search of this sight multiplies here."""
        if self._db.driver.scan is None and self.sights.model(search.model) > 0:
            for part in sight.parts:
                self._matrix(tenant, part, search.model or "")

    # --- words ---

    def _words(self, tenant: str, sight: Sight, terms: Sequence[str]) -> tuple[NDArray[np.float64], float]:
        return bm25(sight, self._matches(tenant, sight, terms)) if terms else (np.zeros(0), 0.0)

    def _matches(self, tenant: str, sight: Sight, terms: Sequence[str]) -> Matches:
        where = {"tenant": tenant, "terms": json_list(terms)}
        postings = [
            row for part in sight.parts for row in self._db.rows("postings_of_terms", where | {"scope": part.scope})
        ]
        if len(sight.elsewhere):
            places = json_list(sight.places[sight.elsewhere].tolist())
            postings += self._db.rows("postings_of_places", where | {"places": places})
        return matches(sight, terms, _left(sight, terms, postings))

    # --- vectors ---

    def _cosines(self, tenant: str, sight: Sight, search: Search, by_words: NDArray[np.int64]) -> dict[int, float]:
        """Row → cosine, of at least the nearest rows and of those that words have found."""
        if search.vector is None or self.sights.model(search.model) < 1:
            return {}
        if self._db.driver.scan is not None:
            return self._scanned(self._db.driver.scan, tenant, sight, search, by_words)
        model, query, name = self.sights.model(search.model), unit(search.vector), search.model or ""
        found: dict[int, float] = {}
        others = [sight.elsewhere, by_words]
        for part, start in zip(sight.parts, sight.starts, strict=True):
            matrix = self._matrix(tenant, part, name)
            is_inside = (by_words >= start) & (by_words < start + len(part.nums))
            if matrix.is_exact:
                near = nearest(matrix, part, model, query, search.limit, also=by_words[is_inside] - start)
                found |= _numbered(near, start)
            else:
                others.append(likely(matrix, part, model, query, search.limit) + start)
        rows = np.unique(np.concatenate(others))
        is_left = (sight.models[rows] == model) & ~np.isin(rows, list(found))
        return found | self._loaded(tenant, sight, rows[is_left], query, name)

    def _scanned(
        self,
        scan: Callable[[Scan], list[Row]],
        tenant: str,
        sight: Sight,
        search: Search,
        by_words: NDArray[np.int64],
    ) -> dict[int, float]:
        """Found by the database, which rounds the query; scored exactly here."""
        model, query = self.sights.model(search.model), unit(search.vector)  # type: ignore[arg-type]  # asked before
        others = sight.elsewhere[sight.models[sight.elsewhere] == model]
        named = by_words[sight.models[by_words] == model]
        asked = Scan(
            tenant=tenant,
            model=search.model or "",
            query=Halves(query.astype("<f2").tobytes()),
            seen={part.scope: bits_of(part, model) for part in sight.parts},
            places=sight.places[others].tolist(),
            also=sight.places[named].tolist(),
            limit=search.limit,
        )
        places, vectors = loaded(scan(asked))
        return _numbered(scored(sight, places, vectors, query), 0)

    def _matrix(self, tenant: str, part: Part, model: str) -> Matrix:
        assert part.rev is not None, "only a scope that is in sight as a whole has a matrix"
        return self.matrices.matrix(tenant, part.scope, model, part.rev)

    def _loaded(
        self, tenant: str, sight: Sight, rows: NDArray[np.int64], query: NDArray[np.float32], model: str
    ) -> dict[int, float]:
        """Scored from the database: others' scopes, of which only the visible rows may be touched, and large ones."""
        if not len(rows):
            return {}
        places, vectors = self.matrices.some(tenant, model, sight.places[rows])
        return _numbered(scored(sight, places, vectors, query), 0)


def _near(cosines: Sequence[float], is_near: Callable[[float], bool]) -> int:
    """How many of the cosines, highest first, are near enough."""
    return bisect_left(cosines, 1, key=lambda cosine: 1 - is_near(cosine))


def _numbered(near: Near, start: int) -> dict[int, float]:
    """Row of the sight → cosine."""
    return dict(zip((near.rows + start).tolist(), near.cosines.tolist(), strict=True))


def _left(sight: Sight, terms: Sequence[str], postings: list[Row]) -> list[Row]:
    """Postings with those of rows that are seen in part replaced by what is left of them."""
    cuts = {part.scope * SCOPE_STEP + num: cut for part in sight.parts for num, cut in part.cut.items()}
    if not cuts:
        return postings
    whole = [row for row in postings if row[0] not in cuts]
    left = (
        (place, term, cut.terms[term]) for place, cut in cuts.items() for term in sorted(terms) if term in cut.terms
    )
    return [*whole, *left]


def unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vector with length one."""
    flat = np.asarray(vector, dtype=np.float32).reshape(-1)
    length = float(np.sqrt(flat @ flat))
    return flat / length if length else flat
