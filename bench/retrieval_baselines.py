"""Plain baselines for the retrieval bench, with the same words and vectors: BM25, dense, reciprocal ranks of both."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from retrieval_data import ROLES, Conversation
from retrieval_measures import KEPT, Ranking

from wellkept.policies import words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wellkept.models import Embedder

SATURATION, LENGTH_WEIGHT = 1.2, 0.75
RANK_OFFSET = 60


class Baselines:
    """The rankings of one conversation."""

    def __init__(self, conversation: Conversation, embedder: Embedder) -> None:
        self._ids = [turn.id for turn in conversation.turns]
        self._texts = [
            turn.text if turn.speaker in ROLES else f"{turn.speaker}: {turn.text}" for turn in conversation.turns
        ]
        self._embedder = embedder

    @property
    def methods(self) -> dict[str, Callable[[str], Ranking]]:
        return {
            "bm25": lambda query: self._ranking(self._bm25(query)),
            "dense": lambda query: self._ranking(self._dense(query)),
            "rrf": lambda query: self._ranking(_reciprocal(self._bm25(query)) + _reciprocal(self._dense(query))),
        }

    def _ranking(self, scores: NDArray[np.float64]) -> Ranking:
        order = np.argsort(-scores, kind="stable")[:KEPT]
        return Ranking(turns=tuple(self._ids[row] for row in order), sure=float(scores[order[0]]))

    @cached_property
    def _postings(self) -> dict[str, list[tuple[int, int]]]:
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for row, text in enumerate(self._texts):
            for term, count in words.term_counts(text).items():
                found[term].append((row, count))
        return dict(found)

    @cached_property
    def _lengths(self) -> NDArray[np.float64]:
        return np.array([sum(words.term_counts(text).values()) for text in self._texts], dtype=np.float64)

    @cached_property
    def _vectors(self) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        pieces = [self._embedder.pieces(text) for text in self._texts]
        owners = np.repeat(np.arange(len(pieces)), [len(parts) for parts in pieces])
        return self._embedder.embed([piece for parts in pieces for piece in parts]), owners

    def _bm25(self, query: str) -> NDArray[np.float64]:
        scores, total = np.zeros(len(self._texts)), len(self._texts)
        average = float(self._lengths.mean())
        for term in words.query_terms(query):
            found = self._postings.get(term, [])
            weight = math.log(1 + (total - len(found) + 0.5) / (len(found) + 0.5))
            for row, count in found:
                length = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * self._lengths[row] / average
                scores[row] += weight * count * (SATURATION + 1) / (count + SATURATION * length)
        return scores

    def _dense(self, query: str) -> NDArray[np.float64]:
        vectors, owners = self._vectors
        scores = np.full(len(self._texts), -1.0)
        np.maximum.at(scores, owners, (vectors @ self._embedder.embed([query])[0]).astype(np.float64))
        return scores


def _reciprocal(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    places = np.empty(len(scores))
    places[np.argsort(-scores, kind="stable")] = np.arange(len(scores))
    return 1.0 / (RANK_OFFSET + places)
