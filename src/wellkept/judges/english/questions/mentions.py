"""Whom a query speaks of by what they are to the asker: "dinner with my brother"."""

from __future__ import annotations

from wellkept.patterns import deferred
from wellkept.policies.people.relations import canonical

MENTIONED_MAX = 3
_OWN = deferred(r"(?i)\b(?:my|our)\s+((?:best |business |ex-? ?)?[^\W\d_]+(?:[- ]in[- ]law)?)")


def mentions(text: str) -> tuple[str, ...]:
    """The people, as the text names them; the same relation once.

    >>> mentions("a quiet place for dinner with my brother and my mother-in-law")
    ('my brother', 'my mother-in-law')
    """
    found = dict.fromkeys(match[1].casefold() for match in _OWN.finditer(text) if canonical(match[1]) is not None)
    return tuple(f"my {word}" for word in list(found)[:MENTIONED_MAX])
