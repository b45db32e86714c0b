"""Which of the hits of a recall answer a question: how surely the reader says so, weighed with the place of the hit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

SHARE_MIN = 0.001
"""What the reader says with more certainty than this is not worth more."""


@frozen
class AnswerOptions:
    """A logistic regression on the development conversations: `python -m training.product development --fit`."""

    base: float = -0.67
    reader: float = 0.4
    """For each unit of the reader's log odds."""
    rank: float = -1.07
    """For each e-fold of the place, counted from 1."""
    sure: float = 0.5
    """The least probability of what is given as an answer."""
    besides: float = 0.15
    """The least probability of what is told besides, where the best is sure enough."""


@frozen
class Candidate:
    """A hit, by its place among the hits, and how likely it answers the question."""

    row: int
    probability: float


def choose(shares: Sequence[float], options: AnswerOptions) -> tuple[Candidate, ...]:
    """The best hit and at most one besides, best first; nothing where none is sure enough.

    `shares` are the reader's probabilities in the order of the recall.

    >>> [one.row for one in choose([0.2, 0.99, 0.1], AnswerOptions())]
    [1, 0]
    >>> choose([0.5, 0.5], AnswerOptions())
    ()
    """
    likely = [Candidate(row=row, probability=_probability(share, row, options)) for row, share in enumerate(shares)]
    ordered = sorted(likely, key=lambda one: (-one.probability, one.row))[:2]
    if not ordered or ordered[0].probability < options.sure:
        return ()
    return tuple(one for one in ordered if one is ordered[0] or one.probability >= options.besides)


def _probability(share: float, row: int, options: AnswerOptions) -> float:
    bounded = min(max(share, SHARE_MIN), 1 - SHARE_MIN)
    odds = options.base + options.reader * math.log(bounded / (1 - bounded)) + options.rank * math.log(row + 1)
    return 1 / (1 + math.exp(-odds))
