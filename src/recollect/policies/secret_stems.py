"""Which stems stand in a text: most rules are tried only where one of theirs does, and all are looked for at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_KNOWN: Final[dict[str, None]] = {}


def known(stems: Iterable[str]) -> frozenset[str]:
    """Stems that are looked for in every text from now on."""
    found = frozenset(stems)
    _KNOWN.update(dict.fromkeys(sorted(found)))
    return found


def stems_in(low: str) -> frozenset[str]:
    """The stems that stand in a text in small letters. Nothing is remembered of it: it may have a secret.

    >>> _ = known(["pass", "pw", "code"])
    >>> sorted({"pass", "pw", "code"} & stems_in("the passport of pwll"))
    ['pass', 'pw']
    """
    return frozenset([stem for stem in _KNOWN if stem in low])
