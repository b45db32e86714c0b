"""Consolidation: which memories are looked at again, which pairs are worth a judge, and which need no second look."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from wellkept.patterns import deferred
from wellkept.values import frozen
from wellkept.vocabulary import Kind

if TYPE_CHECKING:
    from wellkept.types import Memory

_NUMBER = deferred(r"\d+(?:[.,]\d+)?")
_WORD = deferred(r"[^\W\d_]{3,}")
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "the and for with has have had was were are not her his their its our your user from that this who very "
        "likes like lives live works work wants want named called",
    )
)

KINDS = (Kind.SEMANTIC, Kind.EPISODIC)
"""Turns, procedures, profiles and insights keep to themselves."""


@frozen
class Consolidation:
    """The limits of one run."""

    only: frozenset[str] | None = None
    """Ids to look at instead of what is fresh, important or often recalled; then the limit is that of the run."""

    fresh: timedelta = timedelta(hours=72)
    importance_min: float = 3.0
    age_max: timedelta = timedelta(days=90)
    similarity_min: float = 0.30
    rest: timedelta = timedelta(days=14)
    """A pair that was judged is not judged again for so long."""
    pairs_a_day: int = 50
    """For each scope."""
    batch: int = 8
    neighbours: int = 12


def often(memories: tuple[Memory, ...]) -> int:
    """The recall count from which a memory belongs to the tenth that is recalled most; never less than one."""
    counts = sorted((memory.access_count for memory in memories), reverse=True)
    return max(counts[len(counts) // 10] if counts else 1, 1)


def is_in_pool(memory: Memory, *, often_min: int, now: datetime, rule: Consolidation) -> bool:
    """Fresh, important or often recalled."""
    if memory.kind not in KINDS:
        return False
    if rule.only is not None:
        return memory.id in rule.only
    is_fresh = now - max(memory.created_at, memory.updated_at) <= rule.fresh
    return is_fresh or memory.importance >= rule.importance_min or memory.access_count >= often_min


def is_pair(one: Memory, other: Memory, similarity: float, *, now: datetime, rule: Consolidation) -> bool:
    """Whether a judge should look at two memories of one scope."""
    if one.kind is not other.kind or similarity < rule.similarity_min:
        return False
    if now - min(one.observed_at, other.observed_at) > rule.age_max:
        return False
    return _share_words(one.content, other.content) or _share_numbers(one.content, other.content)


def fingerprint(one: Memory, other: Memory, similarity: float) -> str:
    """The same pair at the same similarity has the same one, whichever way round; it tells nothing else."""
    first, second = sorted((one.id, other.id))
    return hashlib.sha256(f"{first}|{second}|{similarity:.2f}".encode()).hexdigest()[:24]


def _share_words(one: str, other: str) -> bool:
    return bool(_words(one) & _words(other))


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORD.findall(text)) - _COMMON


def _share_numbers(one: str, other: str) -> bool:
    """The same number in both, or one that is a single step away: a counter that moved on."""
    first, second = ({float(number.replace(",", ".")) for number in _NUMBER.findall(text)} for text in (one, other))
    return any(abs(a - b) <= 1 for a in first for b in second)
