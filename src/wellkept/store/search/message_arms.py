"""Every message in sight scored for a question: by words, by vector, by what stands around it, by when it was said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from wellkept.policies.ranking.message_traits import IDLE
from wellkept.store.search.arms import Arms, unit
from wellkept.store.search.message_features import Rows, features, score
from wellkept.store.search.sight import best, bm25, coverage, likely, lines_of
from wellkept.store.search.talks import Talks
from wellkept.store.search.vectors import on_one_core
from wellkept.values import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wellkept.store.contract import MessageSearch
    from wellkept.store.driver import Database
    from wellkept.store.search.sight import Part, Sight
    from wellkept.store.search.sights import Sights
    from wellkept.store.search.talks import Arranged
    from wellkept.store.search.vectors import Matrices, Matrix

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
