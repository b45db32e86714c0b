"""Who leaves when a scope holds more than it may: the insignificant first, the young last, the pinned never."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.policies.lifetime import importance

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from wellkept.types import Memory

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
        weight = round(importance.effective(memory, now=now), 3)
        is_significant = memory.importance >= SIGNIFICANT
        return is_significant, is_young, weight, memory.created_at, memory.tick or 0, memory.id

    return tuple(sorted(free, key=order)[:surplus])
