"""Builders for the values that policy tests need: a plain memory, a plain claim."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from wellkept.types import Claim, Memory
from wellkept.vocabulary import Space

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def memory(**changes: Any) -> Memory:
    base: dict[str, Any] = {
        "id": "m_one",
        "tenant": "default",
        "content": "The user likes tea",
        "space": Space.USER,
        "owner": "ana",
        "memory_key": "profile|person|self|preference",
        "discriminator": "d",
        "created_at": NOON,
        "observed_at": NOON,
        "updated_at": NOON,
        "stated_by": "p_ana",
        "subject_person_ids": ("p_ana",),
    }
    return Memory(**(base | changes))


def claim(content: str = "The user likes tea", **changes: Any) -> Claim:
    return Claim(content=content, **changes)
