"""The arms of a search, by vector and by words, and their union."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from recollect.store.encoding import json_list
from recollect.store.sight import Near, best, bm25, cosines_of, likely, nearest, scored
from recollect.store.sights import Sights
from recollect.store.vectors import Matrices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from recollect.store.base import Search
    from recollect.store.driver import Database, Row
    from recollect.store.sight import Part, Sight


@dataclass(frozen=True, kw_only=True)
class Score:
    """What the arms say of one memory, at (scope, num)."""

    place: tuple[int, int]
    cosine: float | None
    bm25: float | None
    share: float | None


class Arms:
    """Scores of what is seen, from the matrices and postings of the store."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self.matrices = Matrices(database)
        self.sights = Sights(database)

    def scores(self, tenant: str, sight: Sight, search: Search) -> list[Score]:
        """The union of both arms, nearest first, then by words.

        A memory that one arm found gets the other's score too, where it has one.
        """
        if not sight.parts or search.limit < 1:
            return []
        terms = tuple(dict.fromkeys(search.terms))
        words, whole = self._words(tenant, sight, terms)
        matching = np.flatnonzero(words)
        by_words = matching[best(words[matching], sight.age[matching], search.limit)]
        cosines = self._vectors(tenant, sight, search)
        by_vector = sorted(cosines, key=lambda row: (-cosines[row], sight.age[row]))[: search.limit]
        rows = list(dict.fromkeys([*by_vector, *by_words.tolist()]))
        cosines |= self._missing(tenant, sight, search, [row for row in rows if row not in cosines])
        return [
            Score(
                place=sight.place(row),
                cosine=cosines.get(row),
                bm25=round(float(words[row]), 9) if whole and words[row] > 0 else None,
                share=round(min(float(words[row]) / whole, 1.0), 9) if whole and words[row] > 0 else None,
            )
            for row in rows
        ]

    # --- words ---

    def _words(self, tenant: str, sight: Sight, terms: Sequence[str]) -> tuple[NDArray[np.float64], float]:
        if not terms:
            return np.zeros(0), 0.0
        wanted = json_list(terms)

        def postings(part: Part) -> list[Row]:
            where = {"tenant": tenant, "scope": part.scope, "terms": wanted}
            if part.rev is not None:
                return self._db.rows("postings_of_terms", where)
            return self._db.rows("postings_of_nums", where | {"nums": json_list(part.nums.tolist())})

        return bm25(sight, terms, postings)

    # --- vectors ---

    def _vectors(self, tenant: str, sight: Sight, search: Search) -> dict[int, float]:
        """Row → cosine, of the nearest rows of every part."""
        model = self.sights.model(search.model)
        if search.vector is None or model < 1:
            return {}
        query = _unit(search.vector)
        found: dict[int, float] = {}
        for part, start in zip(sight.parts, sight.starts, strict=True):
            near = self._nearest(tenant, part, query, search, model)
            found |= dict(zip((near.rows + start).tolist(), near.cosines.tolist(), strict=True))
        return found

    def _nearest(self, tenant: str, part: Part, query: NDArray[np.float32], search: Search, model: int) -> Near:
        name = search.model or ""
        if part.rev is None:
            return self._loaded(tenant, part, part.nums[part.models == model], query, name)
        matrix = self.matrices.matrix(tenant, part.scope, name, part.rev)
        if matrix.is_exact:
            return nearest(matrix, part, model, query, search.limit)
        return self._loaded(tenant, part, likely(matrix, part, model, query, search.limit), query, name)

    def _loaded(self, tenant: str, part: Part, nums: NDArray[np.int64], query: NDArray[np.float32], model: str) -> Near:
        """Scored from the database: others' scopes, of which only the visible rows may be touched, and large ones."""
        found, rows = self.matrices.some(tenant, part.scope, model, nums.tolist())
        return scored(part, found, rows, query)

    def _missing(self, tenant: str, sight: Sight, search: Search, rows: Sequence[int]) -> dict[int, float]:
        """Cosines of rows that only words have found."""
        model = self.sights.model(search.model)
        if search.vector is None or model < 1 or not rows:
            return {}
        query = _unit(search.vector)
        wanted = np.array(sorted(rows))
        found: dict[int, float] = {}
        for part, start in zip(sight.parts, sight.starts, strict=True):
            inside = wanted[(wanted >= start) & (wanted < start + len(part.nums))] - start
            if len(inside):
                near = self._cosines(tenant, part, inside, query, search)
                found |= dict(zip((near.rows + start).tolist(), near.cosines.tolist(), strict=True))
        return found

    def _cosines(
        self, tenant: str, part: Part, rows: NDArray[np.int64], query: NDArray[np.float32], search: Search
    ) -> Near:
        name = search.model or ""
        model = self.sights.model(name)
        if part.rev is not None:
            matrix = self.matrices.matrix(tenant, part.scope, name, part.rev)
            if matrix.is_exact:
                return cosines_of(matrix, part, model, query, rows)
        return self._loaded(tenant, part, part.nums[rows][part.models[rows] == model], query, name)


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    flat = np.asarray(vector, dtype=np.float32).reshape(-1)
    length = float(np.sqrt(flat @ flat))
    return flat / length if length else flat
