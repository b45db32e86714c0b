"""What time does to a memory that nobody asks for: it is taken out after a while, and removed when nobody misses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from wellkept.errors import InvalidInput
from wellkept.policies.lifetime import importance
from wellkept.types import Decision
from wellkept.values import frozen
from wellkept.vocabulary import LIFETIMES, Kind, MemoryType, State

if TYPE_CHECKING:
    from wellkept.types import Memory

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
    if importance.effective(memory, now=now) >= rule.below(memory):
        return Decision(verdict="keep", reason="important")
    return Decision(verdict="forget", reason="idle")
