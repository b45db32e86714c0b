"""Measures of evidence retrieval: per question, per category, and over all categories alike."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval_data import Question


CUTS = (5, 10, 20)
BUDGETS = (500, 1_000, 2_000)
KEPT = 50
"""Turns of a ranking that are looked at."""
MEASURES = (
    "ndcg@10",
    *(f"recall@{cut}" for cut in CUTS),
    "all@10",
    *(f"within {budget} tokens" for budget in BUDGETS),
)


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Turn ids, best first, and how sure the method is of the first."""

    turns: tuple[str, ...]
    sure: float
    more: Mapping[str, int] = field(default_factory=dict)
    """Tokens that are shown besides the turn's own: of the memory that stands for it."""


def measured(question: Question, ranking: Ranking, tokens: Mapping[str, int]) -> dict[str, float]:
    """Every measure of one answerable question."""
    wanted = question.evidence
    hits = [turn in wanted for turn in ranking.turns]
    gain = sum(1 / math.log2(place + 2) for place, hit in enumerate(hits[:10]) if hit)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(wanted))))
    found = {f"recall@{cut}": sum(hits[:cut]) / len(wanted) for cut in CUTS}
    return (
        {"ndcg@10": gain / ideal}
        | found
        | {"all@10": float(sum(hits[:10]) == len(wanted))}
        | {f"within {budget} tokens": _within(ranking, wanted, tokens, budget) for budget in BUDGETS}
    )


def _within(ranking: Ranking, wanted: frozenset[str], tokens: Mapping[str, int], budget: int) -> float:
    """The share of the evidence among the turns that fit; one that does not fit is passed over."""
    left, found = budget, 0
    for turn in ranking.turns:
        size = tokens.get(turn, 0) + ranking.more.get(turn, 0)
        if size <= left:
            left -= size
            found += turn in wanted
    return found / len(wanted)


def is_newest_first(question: Question, ranking: Ranking) -> bool:
    """Whether the first turn that says how it is now stands above the first that says how it was."""
    places = {turn: place for place, turn in enumerate(ranking.turns)}
    new, old = (min(places.get(turn, KEPT) for turn in turns) for turns in (question.new, question.old))
    return new < old


def area(answerable: Sequence[float], unanswerable: Sequence[float]) -> float:
    """How often a question that can be answered is surer than one that cannot (AUROC)."""
    pairs = [(one > other) + 0.5 * (one == other) for one in answerable for other in unanswerable]
    return sum(pairs) / len(pairs)


def by_category(rows: Iterable[tuple[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    """The mean of each measure in each category, and `macro`, in which every category weighs the same."""
    collected: defaultdict[str, list[Mapping[str, float]]] = defaultdict(list)
    for category, figures in rows:
        collected[category].append(figures)
    means = {category: _mean(collected[category]) for category in sorted(collected)}
    return means | {"macro": _mean(list(means.values()))}


def _mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {name: sum(row[name] for row in rows) / len(rows) for name in MEASURES}
