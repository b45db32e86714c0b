"""What every embedder promises: unit vectors of texts, calibrated similarities, and long texts read in pieces."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, Protocol, get_args, overload, runtime_checkable

from wellkept.errors import InvalidInput
from wellkept.patterns import deferred
from wellkept.values import frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors. May be called from several threads at once.

    `model_id` and `weights_hash` stand beside every stored vector: vectors of other weights are never compared.
    """

    @property
    def model_id(self) -> str: ...

    @property
    def weights_hash(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def pieces(self, text: str) -> list[str]:
        """The text in consecutive parts that the model can read whole; joined they are the text again."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 a text, in order. A text that is too long for the model gets the mean of its pieces.

        Raises EmbedderUnavailable when the model cannot answer.
        """
        ...

    def embed_long(self, text: str) -> NDArray[np.float32]:
        """One row of length 1 for each of `pieces(text)`."""
        ...

    @overload
    def calibrate(self, cosine: float) -> float: ...
    @overload
    def calibrate(self, cosine: NDArray[np.floating]) -> NDArray[np.float32]: ...
    def calibrate(self, cosine: float | NDArray[np.floating]) -> float | NDArray[np.float32]:
        """Similarity from 0 to 1, rising with the cosine, on the scale of the bands."""
        ...


# --- From raw cosines to calibrated similarities, so that the bands mean the same for every embedder.

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
    # Lower than most unrelated pairs: a question and the fact that answers it are often less alike than two facts.
    nothing = reached_by(0.95, "unrelated")
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


# --- Long texts in pieces: at sentence borders, else between words, else anywhere; nothing is left out.

_QUOTES = "\"'”’»)\\]"
_SENTENCE_ENDS = deferred(
    rf"(?:(?<=[.!?…])|(?<=[.!?…][{_QUOTES}]))\s+"  # a stop, perhaps a closing quote, and space
    r"|(?<=[。！？।])(?![。！？।\s])"  # scripts that put no space there
    r"|\n\s*"
)
_WORD_ENDS = deferred(r"\s+")


def pieces(text: str, *, size: Callable[[str], int], size_max: int) -> list[str]:
    """Consecutive parts of at most `size_max` each; joined they are the text again."""
    if size(text) <= size_max or len(text) < 2:  # noqa: PLR2004 -- one letter cannot be halved
        return [text]
    for ends in (_SENTENCE_ENDS, _WORD_ENDS):
        units = _units(text, ends)
        if len(units) > 1:
            return _packed(units, size=size, size_max=size_max)
    middle = len(text) // 2
    return [piece for half in (text[:middle], text[middle:]) for piece in pieces(half, size=size, size_max=size_max)]


def _units(text: str, ends: re.Pattern[str]) -> list[str]:
    cuts = [0, *(match.end() for match in ends.finditer(text)), len(text)]
    return [text[start:end] for start, end in pairwise(cuts) if start < end]


def _packed(units: list[str], *, size: Callable[[str], int], size_max: int) -> list[str]:
    """As many units in a piece as fit; a unit that is too long by itself is divided further."""
    packed: list[str] = []
    open_units: list[str] = []
    open_size = 0
    for unit in units:
        unit_size = size(unit)
        if open_units and open_size + unit_size > size_max:
            packed.append("".join(open_units))
            open_units, open_size = [], 0
        if unit_size > size_max:
            packed.extend(pieces(unit, size=size, size_max=size_max))
        else:
            open_units.append(unit)
            open_size += unit_size
    if open_units:
        packed.append("".join(open_units))
    return packed


def joined(vectors: NDArray[np.float32], owners: Sequence[int], sizes: Sequence[int]) -> NDArray[np.float32]:
    """One row of length 1 a text from those of its pieces, longer pieces weighing more.

    `owners` are the numbers of the texts, rising from 0. The row of a text in one piece is returned as it is.
    """
    import numpy as np

    first = np.searchsorted(owners, range(owners[-1] + 1)) if owners else np.empty(0, dtype=np.intp)
    if len(first) == len(owners):
        return vectors
    sums = np.add.reduceat(vectors * np.array(sizes, dtype=np.float32)[:, None], first)
    means = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    in_one = np.bincount(owners) == 1
    rows: NDArray[np.float32] = np.where(in_one[:, None], vectors[first], means)
    return rows
