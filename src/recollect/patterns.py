"""Regular expressions that are compiled at their first use: a start pays only for those its words need."""

from __future__ import annotations

import re
from typing import cast

_METHODS = ("finditer", "findall", "fullmatch", "match", "search", "split", "sub", "subn", "pattern")


class _Deferred:
    def __init__(self, source: str, flags: int) -> None:
        self._given = source, flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(*self._given)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def deferred(source: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that costs nothing until a text needs it: few texts need more than a handful of all of them."""
    return cast("re.Pattern[str]", _Deferred(source, flags))
