"""Earned importance: being mentioned again or recalled raises it, bounded and fading; the base stays as it was set."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from wellkept.types import Memory

PINNED_MIN = 3.0
BONUS_MAX = 2.0
HALF_LIFE_DAYS = 60.0


def effective(memory: Memory, *, now: datetime) -> float:
    """The importance that ranking, retention and cards use."""
    mentions = math.log2(max(memory.mention_count, 1)) * 0.35
    recalls = math.log2(1 + memory.access_count) * 0.15
    last = max(filter(None, (memory.observed_at, memory.updated_at, memory.last_accessed_at)))
    age_days = max((now - last).total_seconds() / 86_400, 0.0)
    bonus = min(mentions + recalls, BONUS_MAX) * 0.5 ** (age_days / HALF_LIFE_DAYS)
    base = max(memory.importance, PINNED_MIN) if memory.pinned else memory.importance
    return float(base + bonus)


def as_share(importance: float) -> float:
    """Importance where a score needs 0..1."""
    return min(importance, 5.0) / 5.0
