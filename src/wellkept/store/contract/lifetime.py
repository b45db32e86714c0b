"""What upkeep asks the store about the ends of lives: what is idle, due for removal, or archived long ago."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from wellkept.vocabulary import Space


class Lifetimes(Protocol):
    """Ids in the order of ids; `after` is the last id of the page before."""

    def idle(self, tenant: str, *, since: datetime, below: float, after: str, limit: int) -> tuple[str, ...]:
        """Live memories, not pinned, of less than this base importance, that nobody recalled since then."""

    def purgeable(self, tenant: str, *, now: datetime, limit: int) -> tuple[str, ...]:
        """Soft-deleted memories whose time has come, earliest first."""

    def archived(self, tenant: str, *, until: datetime, after: str, limit: int) -> tuple[str, ...]:
        """Memories that were archived by then."""

    def scopes(self, tenant: str) -> tuple[tuple[Space, str], ...]:
        """Every space and owner that something was written for."""
