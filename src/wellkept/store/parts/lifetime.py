"""The ends of lives: which memories are idle, due for removal, or archived long ago."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.store.core import Core
from wellkept.store.encoding import micros, word
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from datetime import datetime


class LifetimePart(Core):
    """See `contract.Store`, section "Lifetimes"."""

    def idle(self, tenant: str, *, since: datetime, below: float, after: str, limit: int) -> tuple[str, ...]:
        """Live memories, not pinned, of less than this base importance, that nobody recalled since then."""
        wanted = {"tenant": tenant, "since": micros(since), "below": float(below), "after": after, "limit": limit}
        return tuple(row[0] for row in self._db.rows("idle_ids", wanted))

    def purgeable(self, tenant: str, *, now: datetime, limit: int) -> tuple[str, ...]:
        """Soft-deleted memories whose time has come, earliest first."""
        return tuple(
            row[0] for row in self._db.rows("purgeable_ids", {"tenant": tenant, "now": micros(now), "limit": limit})
        )

    def archived(self, tenant: str, *, until: datetime, after: str, limit: int) -> tuple[str, ...]:
        """Memories that were archived by then."""
        wanted = {"tenant": tenant, "until": micros(until), "after": after, "limit": limit}
        return tuple(row[0] for row in self._db.rows("archived_ids", wanted))

    def scopes(self, tenant: str) -> tuple[tuple[Space, str], ...]:
        """Every space and owner that something was written for."""
        rows = self._db.rows("scopes_of_tenant", {"tenant": tenant})
        return tuple((word(Space, space), owner) for space, owner in rows)
