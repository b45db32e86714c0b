"""What the store does for the doctor: whether its rows belong together, and the database is whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime


@frozen
class Damage:
    """A complaint of the database about its own files: names of tables, pages and rows, never values."""

    what: str
    is_index: bool
    """An index says something else than its table: it can be made anew from it."""


class Integrity(Protocol):
    """Faults that no write leaves behind."""

    def orphans(self, tenant: str) -> Mapping[str, int]:
        """Rows that belong to no memory or person, by kind; only those there are."""

    def remove_orphans(self, tenant: str, kind: str) -> int:
        """Remove the orphans of a kind; how many there were."""

    def textless(self, tenant: str) -> Iterator[str]:
        """Ids of memories whose present text is not there."""

    def fall_back(self, tenant: str, memory_id: str) -> bool:
        """Make the newest wording that is left the present one; False when none is."""

    def lost_vectors(self, tenant: str) -> int:
        """How many live memories are said to have vectors, and have none."""

    def own_up(self, tenant: str) -> None:
        """Say of them that they have none, so that upkeep gives them some."""

    def damage(self) -> tuple[Damage, ...]:
        """What the database itself finds wrong with its files; nothing when all is well."""

    def reindex(self) -> None:
        """Make the indexes of the database anew from their tables."""

    def seal_heads(self, tenant: str, *, after: int, limit: int, at: datetime) -> tuple[int, ...]:
        """Put the ends of chains that have grown since the last time into the tenant's own chain.

        At most so many, in the order of their scopes' numbers, which it returns; only scopes numbered above `after`.
        """
