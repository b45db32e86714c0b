"""Which stems stand in a text: most rules are tried only where one of theirs does, and all are looked for at once."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

# The stems by two of their letters, as each text is cut into pairs once; of one letter there are few.
_BY_PAIR: Final[dict[tuple[str, str], list[str]]] = {}
_LONE: Final[list[str]] = []
_COMMONEST: Final = "etaoinsrhldcumfpgwybv "


def known(stems: Iterable[str]) -> frozenset[str]:
    """Stems that are looked for in every text from now on."""
    found = frozenset(stems)
    for stem in sorted(found):
        into = _LONE if len(stem) == 1 else _BY_PAIR.setdefault(_rarest_pair(stem), [])
        if stem not in into:
            into.append(stem)
    return found


def _rarest_pair(stem: str) -> tuple[str, str]:
    """The two letters after one another that stand in the fewest texts."""
    return max(pairwise(stem), key=lambda pair: sum(_COMMONEST.find(letter) % len(_COMMONEST) for letter in pair))


def stems_in(low: str) -> frozenset[str]:
    """The stems that stand in a text in small letters. Nothing is remembered of it: it may have a secret.

    >>> _ = known(["pass", "pw", "code"])
    >>> sorted({"pass", "pw", "code"} & stems_in("the passport of pwll"))
    ['pass', 'pw']
    """
    found = {stem for stem in _LONE if stem in low}
    for pair in _BY_PAIR.keys() & pairwise(low):
        for stem in _BY_PAIR[pair]:
            if stem in low:
                found.add(stem)
    return frozenset(found)
