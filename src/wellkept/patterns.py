"""Regular expressions that are compiled at their first use: a start pays only for those its words need."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

_REPEATS = ("?", "*", "+", "{")
_METHODS = ("finditer", "findall", "fullmatch", "match", "search", "split", "sub", "subn")


class _Deferred:
    def __init__(self, source: str | Callable[[], str], flags: int) -> None:
        self._source, self._flags = source, flags

    @property
    def pattern(self) -> str:
        return self._source if isinstance(self._source, str) else self._source()

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def deferred(source: str | Callable[[], str], flags: int = 0) -> re.Pattern[str]:
    """A pattern that costs nothing until a text needs it: few texts need more than a handful of all of them.

    `source`: the pattern, or what writes it.
    """
    return cast("re.Pattern[str]", _Deferred(source, flags))


def has_single_spaces(text: str) -> bool:
    r"""Whether nothing stands between words but one plain space: of most texts that is seen without a pattern.

    >>> has_single_spaces("a cup of tea"), has_single_spaces("a cup  of"), has_single_spaces("a cup\tof")
    (True, False, False)
    """
    return text.isascii() and text.isprintable() and "  " not in text


def has_long_word(text: str, length: int) -> bool:
    """Whether so many characters stand in a row without a blank.

    >>> has_long_word("a cup of tea", 3), has_long_word("a cup of tea", 4)
    (True, False)
    """
    return max(map(len, text.split()), default=0) >= length


_PIECES = deferred(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", re.DOTALL)
"""What is written with a backslash or as a set of letters is passed over whole."""


def by_first_letter(alternatives: str) -> str:
    """The same alternatives, those with the same first letter together: at each place most are passed over at once.

    They say as before whether one of them is there; of several that are, another may be found first.

    >>> by_first_letter("cat|dog|cow(?:s|boy)|d?og")
    'c(?:at|ow(?:s|boy))|d(?:og)|d?og'
    """
    groups: dict[str, list[str]] = {}
    others: list[str] = []
    for one in _alternatives(alternatives):
        if one[:1].isalpha() and one[1:2] not in _REPEATS:
            groups.setdefault(one[0], []).append(one[1:])
        else:
            others.append(one)
    return "|".join([*(f"{letter}(?:{'|'.join(rests)})" for letter, rests in groups.items()), *others])


def _alternatives(source: str) -> list[str]:
    """What stands between the bars that are in no bracket."""
    found, depth, start = [], 0, 0
    for piece in _PIECES.finditer(source):
        sign = piece.group()
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            found.append(source[start : piece.start()])
            start = piece.end()
    return [*found, source[start:]]
