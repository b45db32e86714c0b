"""From raw cosines to calibrated similarities, so that the bands mean the same for every embedder."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, get_args, overload

from wellkept.errors import InvalidInput
from wellkept.values import frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Label = Literal["same", "related_contradiction", "related", "unrelated"]
"""How two statements stand to each other: one fact, two answers to one question, one topic, or nothing in common."""

BORDERS = (0.30, 0.60, 0.85)


@frozen
class Calibration:
    """A rising line through knots (cosine, similarity), flat beyond the first and the last."""

    knots: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        rising = all(left[0] < right[0] and left[1] <= right[1] for left, right in pairwise(self.knots))
        if len(self.knots) < 2 or not rising or self.knots[0][1] < 0 or self.knots[-1][1] > 1:  # noqa: PLR2004 -- a line has two ends
            raise InvalidInput("A calibration needs two or more knots that rise, with similarities from 0 to 1.")

    @overload
    def __call__(self, cosine: float) -> float: ...
    @overload
    def __call__(self, cosine: NDArray[np.floating]) -> NDArray[np.float32]: ...
    def __call__(self, cosine: float | NDArray[np.floating]) -> float | NDArray[np.float32]:
        if isinstance(cosine, (int, float)):
            return self._one(float(cosine))
        import numpy as np

        cosines, similarities = zip(*self.knots, strict=True)
        calibrated: NDArray[np.float32] = np.interp(cosine, cosines, similarities).astype(np.float32)
        return calibrated

    def _one(self, cosine: float) -> float:
        """Without NumPy, which costs more than the whole of it for a single number."""
        after = bisect_right(self.knots, cosine, key=lambda knot: knot[0])
        if after == 0:
            return self.knots[0][1]
        if after == len(self.knots):
            return self.knots[-1][1]
        (left, low), (right, high) = self.knots[after - 1 : after + 1]
        return low + (high - low) * (cosine - left) / (right - left)


def fit(cosines: NDArray[np.floating], labels: Sequence[Label]) -> Calibration:
    """The knots that put the borders of the bands where labelled pairs want them, rounded to 0.01.

    From 0.30 stand nine of ten related pairs, from 0.60 nearly all pairs that a judge must see. From 0.85 a
    pair counts as one fact: that border has the best F-score with precision weighing twice as much as recall.
    """
    import numpy as np

    kinds = np.array(labels)

    def reached_by(part: float, *wanted: Label) -> float:
        return round(float(np.quantile(cosines[np.isin(kinds, wanted)], 1 - part)), 2)

    steps = np.arange(100) / 100
    above = (cosines >= steps[:, None]).sum(axis=1)
    same = (cosines[kinds == "same"] >= steps[:, None]).sum(axis=1)
    scores = 1.25 * same / (0.25 * (kinds == "same").sum() + above)
    borders = (
        reached_by(0.90, "related"),
        reached_by(0.97, "same", "related_contradiction"),
        float(steps[scores.argmax()]),
    )
    nothing = reached_by(0.75, "unrelated")
    return Calibration(knots=((nothing, 0.0), *zip(borders, BORDERS, strict=True), (1.0, 1.0)))


def confusion(similarities: NDArray[np.floating], labels: Sequence[Label]) -> dict[Label, tuple[int, ...]]:
    """How many pairs of each label fall into each band, the lowest band first."""
    import numpy as np

    bands = np.searchsorted(BORDERS, np.asarray(similarities, dtype=np.float64) + 1e-6, side="right")
    counts: dict[Label, tuple[int, ...]] = {}
    for label in get_args(Label):
        inside = bands[np.array(labels) == label]
        counts[label] = tuple(int(number) for number in np.bincount(inside, minlength=len(BORDERS) + 1))
    return counts
