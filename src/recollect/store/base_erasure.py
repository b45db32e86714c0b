"""What the store does to erase a user: whose is what, rows that go, and the files in which nothing may be left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


class Erasure(Protocol):
    """The right to be forgotten."""

    def memories_of(self, tenant: str, user: str, *, mentions: bool, after: str, limit: int) -> tuple[str, ...]:
        """Ids, in their order, of what a user owns or stated, whatever its state; if asked, of what is about them."""

    def texts_of(self, tenant: str, user: str) -> Iterator[str]:
        """Every text that stands in a user's own rows."""

    def erase_rows(self, tenant: str, user: str) -> Mapping[str, int]:
        """Remove what belongs to a user besides memories, messages and conversations: how many rows of each table.

        Who the user is in the ledger is emptied with it, and the texts of the user's own governed sessions.
        """

    def persons_by(self, tenant: str, user: str) -> tuple[str, ...]:
        """Persons that a user has made, named or related to somebody."""

    def is_spoken_of(self, tenant: str, person_id: str) -> bool:
        """Is any memory about this person, or are they some user?"""

    def still_holds(self, tenant: str, text: str) -> bool:
        """Does somebody's memory or message that is stored have exactly this text?"""

    def is_known(self, tenant: str, user: str) -> bool:
        """Does anything that is stored belong to this user?"""

    def files(self) -> tuple[Path, ...]:
        """The files of the database that can be looked into; none where they are another machine's."""
