"""Long texts in pieces: at sentence borders, else between words, else anywhere; nothing is left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from wellkept.patterns import deferred

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
