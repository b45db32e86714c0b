"""What the store does for those who copy it: rows out, rows in, and the whole of it into a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from wellkept.types import Memory
    from wellkept.vocabulary import Space


class Portable(Protocol):
    """Export, import, backup."""

    def lines(self, tenant: str, user: str | None = None) -> Iterator[Mapping[str, Any]]:
        """Every row of a tenant, or what belongs to one user, as JSON-ready objects with `_type`; of one moment.

        In an order in which they can be loaded, the same for the same content.
        """

    def check_line(self, line: Mapping[str, Any]) -> None:
        """Raises `InvalidInput` when no store ever gave such a line."""

    def load(self, tenant: str, lines: Iterable[tuple[int, Mapping[str, Any]]]) -> Mapping[str, int]:
        """Put numbered lines into a tenant, all or none; how many of each type. `BadLine` names the first that clashes.

        Scopes get numbers of their own here; everything else is as it was.
        """

    def memory_of(self, tenant: str, line: Mapping[str, Any]) -> Memory:
        """The memory that a line tells of, as it would stand in this tenant."""

    def raise_counter(self, tenant: str, space: Space, owner: str, kind: str, number: int) -> None:
        """Give out no id of this kind up to this number: memories that have them come from elsewhere."""

    def is_empty(self, tenant: str, user: str | None = None) -> bool:
        """Has nothing been stored for this tenant, or in this user's own space?"""

    def backup(self, path: Path) -> int:
        """A copy of everything as it is now, while others read and write; its bytes. The file must not exist."""
