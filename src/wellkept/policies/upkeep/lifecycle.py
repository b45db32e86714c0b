"""What time does to a memory: the importance it earns, and when it goes, unasked for or for want of room."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput
from wellkept.types import Decision
from wellkept.values import frozen
from wellkept.vocabulary import LIFETIMES, Kind, MemoryType, State

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from wellkept.types import Memory


PINNED_MIN = 3.0
BONUS_MAX = 2.0
HALF_LIFE_DAYS = 60.0


def effective_importance(memory: Memory, *, now: datetime) -> float:
    """The importance that ranking, retention and cards use."""
    mentions = math.log2(max(memory.mention_count, 1)) * 0.35
    recalls = math.log2(1 + memory.access_count) * 0.15
    last = max(filter(None, (memory.observed_at, memory.updated_at, memory.last_accessed_at)))
    age_days = max((now - last).total_seconds() / 86_400, 0.0)
    bonus = min(mentions + recalls, BONUS_MAX) * 0.5 ** (age_days / HALF_LIFE_DAYS)
    base = max(memory.importance, PINNED_MIN) if memory.pinned else memory.importance
    return float(base + bonus)


def importance_share(importance: float) -> float:
    """Importance where a score needs 0..1."""
    return min(importance, 5.0) / 5.0


BRIEF, LASTING = 3.0, 1.0
"""Importance below which what is brief, and what is meant to last, may go."""
BELOW: Mapping[str, float] = {
    kind: BRIEF if kind in LIFETIMES or kind is MemoryType.INSIGHT else LASTING for kind in MemoryType
} | {Kind.EPISODIC.value: BRIEF}


@frozen
class Lifecycle:
    """`[lifecycle]`: how long what nobody asks for is kept."""

    idle_days: float = 60.0
    """Not recalled for so long, a memory may be soft-deleted."""
    purge_after_days: float = 30.0
    """From soft delete to removal; until then it can be restored."""
    soft_delete_below: Mapping[str, float] = field(default_factory=dict)
    """Type (or `episodic`) → effective importance below which idle memories go; what is not named keeps its default."""
    compact_after_days: float | None = None
    """Archived so long ago, a memory is removed. Unset: only by hand."""
    transcript_days: float | None = None
    """Messages that arrived so long ago are removed; what was learned from them stays. Unset: never."""

    def __post_init__(self) -> None:
        unknown = sorted(set(self.soft_delete_below) - set(BELOW))
        if unknown:
            raise InvalidInput(
                f"lifecycle.soft_delete_below has no type {unknown[0]!r}. Known: {', '.join(BELOW)}.",
                code="invalid_config",
            )

    def below(self, memory: Memory) -> float:
        """The importance that keeps this memory."""
        name = Kind.EPISODIC.value if memory.kind is Kind.EPISODIC else memory.type.value
        return self.soft_delete_below.get(name, BELOW[name])

    @property
    def below_max(self) -> float:
        """At this importance nothing goes."""
        return max({**BELOW, **self.soft_delete_below}.values())


def idle_since(memory: Memory) -> datetime:
    """When it was last recalled; if never, when it was made."""
    return memory.last_accessed_at or memory.created_at


def outlived(memory: Memory, *, now: datetime, rule: Lifecycle) -> Decision:
    """Whether a memory that nobody asks for is soft-deleted."""
    if memory.state is not State.ACTIVE:
        return Decision(verdict="keep", reason="not_active")
    if memory.pinned:
        return Decision(verdict="keep", reason="pinned")
    if now - idle_since(memory) < timedelta(days=rule.idle_days):
        return Decision(verdict="keep", reason="in_use")
    if effective_importance(memory, now=now) >= rule.below(memory):
        return Decision(verdict="keep", reason="important")
    return Decision(verdict="forget", reason="idle")


YOUNG = timedelta(days=7)
SIGNIFICANT = 2.0
"""What is as important as an allergy outlives every passing remark, however new."""


def leaving(live: Sequence[Memory], *, cap: int, incoming: str, now: datetime) -> tuple[Memory, ...]:
    """The memories to evict so that at most `cap` remain; fewer when all that could leave are pinned.

    `live` are the active, unexpired memories of the scope, the incoming one among them; that one never leaves.
    """
    surplus = len(live) - cap
    if surplus <= 0:
        return ()
    free = [memory for memory in live if not memory.pinned and memory.id != incoming]

    def order(memory: Memory) -> tuple[bool, bool, float, datetime, int, str]:
        is_young = now - memory.created_at < YOUNG
        weight = round(effective_importance(memory, now=now), 3)
        is_significant = memory.importance >= SIGNIFICANT
        return is_significant, is_young, weight, memory.created_at, memory.tick or 0, memory.id

    return tuple(sorted(free, key=order)[:surplus])
