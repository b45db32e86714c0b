"""Consolidation: which memories are looked at again and which pairs are worth a judge; which are folded into one."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from wellkept.patterns import deferred, word_set
from wellkept.policies.writing import keys
from wellkept.values import frozen
from wellkept.vocabulary import LIFETIMES, Authority, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from wellkept.types import Memory


_NUMBER = deferred(r"\d+(?:[.,]\d+)?")
_WORD = deferred(r"[^\W\d_]{3,}")
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
    return frozenset(word.casefold() for word in _WORD.findall(text)) - word_set("words.txt", "in most statements")


def _share_numbers(one: str, other: str) -> bool:
    """The same number in both, or one that is a single step away: a counter that moved on."""
    first, second = ({float(number.replace(",", ".")) for number in _NUMBER.findall(text)} for text in (one, other))
    return any(abs(a - b) <= 1 for a in first for b in second)


# --- Folding: duplicates, and what many small statements say together.


TEXT_MAX = 280
IMPORTANCE = 2.0

_LOWEST_FIRST = (Authority.AI_INFERRED, Authority.USER_ASSERTED, Authority.TOOL_VERIFIED, Authority.SYSTEM_IMPOSED)


@frozen
class Folding:
    """The limits of one run."""

    parts_min: int = 3
    folds_max: int = 5


@frozen
class Fold:
    """Memories that may stand as one, oldest first, and the text that says all of them."""

    parts: tuple[Memory, ...]
    text: str


@frozen
class Twin:
    """What is needed of a memory to decide which of several equal ones stays."""

    id: str
    created_at: datetime
    is_fixed: bool
    """Pinned or seeded: it always stays."""


def alike(texts: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Ids of texts that are not the only ones of their wording: what may have a duplicate, the earliest group first.

    >>> alike([("one", "Tea, please!"), ("two", "Coffee"), ("three", "tea please")])
    ('one', 'three')
    """
    groups: dict[str, list[str]] = {}
    for text_id, text in texts:
        groups.setdefault(keys.normalised(text), []).append(text_id)
    return tuple(text_id for group in groups.values() if len(group) > 1 for text_id in group)


def duplicates(memories: Iterable[Memory]) -> tuple[tuple[str, str], ...]:
    """Ids (stays, goes) of memories that say the same letter for letter. Pinned and seeded ones always stay."""
    groups: dict[tuple[object, ...], list[Twin]] = {}
    for memory in memories:
        groups.setdefault(saying(memory), []).append(twin(memory))
    return tuple(pair for group in groups.values() for pair in going(group))


def saying(memory: Memory) -> tuple[object, ...]:
    """Equal for memories of one scope that say the same to the same people."""
    return (keys.signs(memory.content), *_sight(memory))


def twin(memory: Memory) -> Twin:
    """The little of it that decides."""
    return Twin(id=memory.id, created_at=memory.created_at, is_fixed=_is_fixed(memory))


def going(group: Sequence[Twin]) -> Iterator[tuple[str, str]]:
    """Ids (stays, goes) of equal ones: the oldest stays, fixed ones do too."""
    first, *others = sorted(group, key=lambda one: (not one.is_fixed, one.created_at, one.id))
    yield from ((first.id, other.id) for other in others if not other.is_fixed)


def folds(memories: Iterable[Memory], *, rule: Folding) -> tuple[Fold, ...]:
    """At most so many, the entity with the most parts first."""
    groups: dict[tuple[object, ...], list[Memory]] = {}
    for memory in memories:
        if _may_be_folded(memory):
            groups.setdefault((memory.entity_refs[0], memory.category, *_sight(memory)), []).append(memory)
    found = [fold for group in groups.values() if (fold := _fold(group, rule)) is not None]
    found.sort(key=lambda fold: (-len(fold.parts), fold.parts[0].created_at, fold.parts[0].id))
    return tuple(found[: rule.folds_max])


def authority(parts: Sequence[Memory]) -> Authority:
    """The lowest of the parts: together they are worth no more."""
    return min((part.authority for part in parts), key=_LOWEST_FIRST.index)


def _may_be_folded(memory: Memory) -> bool:
    """Facts with a slot stay alone, for a new value has to find them; so does what will not live as long."""
    return (
        memory.kind is Kind.SEMANTIC
        and memory.fact_key is None
        and bool(memory.entity_refs)
        and memory.origin != "curated_fold"
        and not _is_fixed(memory)
        and memory.expires_at is None
        and memory.type not in LIFETIMES
    )


def _is_fixed(memory: Memory) -> bool:
    return memory.pinned or memory.origin == "seeded_profile"


def _sight(memory: Memory) -> tuple[object, ...]:
    """Everything that decides who may see a memory: parts of one fold are alike in all of it."""
    return (
        memory.kind,
        memory.sensitivity,
        memory.portable,
        memory.confidential,
        memory.persona_id,
        memory.learned_in,
        memory.learned_in_type,
        memory.stated_by,
        memory.subject_person_ids,
        memory.agent_id,
    )


def _fold(group: Sequence[Memory], rule: Folding) -> Fold | None:
    """As many parts as one text can say, oldest first."""
    parts: list[Memory] = []
    text = ""
    for memory in sorted(group, key=lambda one: (one.created_at, one.id)):
        sentence = memory.content if memory.content.endswith((".", "!", "?", "。")) else f"{memory.content}."
        longer = f"{text} {sentence}".strip()
        if len(longer) > TEXT_MAX:
            break
        parts.append(memory)
        text = longer
    return Fold(parts=tuple(parts), text=text) if len(parts) >= rule.parts_min else None
