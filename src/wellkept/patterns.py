"""Regular expressions and word lists, compiled and read at their first use: a start pays only for what it needs."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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


# --- Data files beside the modules: lists of words, and patterns by their names.


def data_lines(file: str, package: str = "wellkept.policies") -> list[str]:
    """The lines of a data file of a package without comments, which begin with #, and empty lines."""
    text = (resources.files(package) / file).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and line[0] != "#"]


@cache
def word_lists(file: str, package: str = "wellkept.policies") -> Mapping[str, tuple[str, ...]]:
    """The lines of a file under each of its headings, `[so]`."""
    found: dict[str, list[str]] = {}
    for line in data_lines(file, package):
        if line.startswith("["):
            lines = found.setdefault(line.strip("[]"), [])
        else:
            lines.append(line)
    return {heading: tuple(lines) for heading, lines in found.items()}


@cache
def word_set(file: str, heading: str) -> frozenset[str]:
    """The words of a file under one of its headings; none where it has no such heading."""
    return frozenset(" ".join(word_lists(file).get(heading, ())).split())


_NAMED = deferred("<<([^<>]+)>>")


class Patterns:
    """The patterns of a data file by their names, each compiled at its first use: `_RE.link.match(text)`.

    A line `name = pattern` begins one, indented lines go on with it. In it `<<other>>` stands for another pattern of
    the file, else for the words of a list in the file `words`, as alternatives.
    """

    def __init__(self, file: str, *, words: str = "") -> None:
        self._file, self._words = file, words

    def __getattr__(self, name: str) -> re.Pattern[str]:
        if name not in pattern_sources(self._file):
            raise AttributeError(name)
        compiled = re.compile(self.filled(pattern_sources(self._file)[name]))
        setattr(self, name, compiled)
        return compiled

    def filled(self, template: str) -> str:
        """A pattern with what stands for others in it replaced by them."""
        return _NAMED.sub(lambda found: f"(?:{self._part(found[1])})", template)

    def _part(self, name: str) -> str:
        own = pattern_sources(self._file)
        if name in own:
            return self.filled(own[name])
        return "|".join(self.filled(" ".join(word_lists(self._words)[name])).split())


@cache
def pattern_sources(file: str) -> Mapping[str, str]:
    """Name → pattern, as a data file has them."""
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in data_lines(file):
        if line[0] == " ":
            lines.append(line.strip())
        else:
            name, _, first = line.partition(" = ")
            lines = found[name] = [first]
    # In a verbose pattern a comment ends with its line; in another one a line break would be a part of it.
    return {name: ("\n" if lines[0].startswith("(?x") else "").join(lines) for name, lines in found.items()}
