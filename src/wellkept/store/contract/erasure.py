"""What the store does to erase a user: whose is what, rows that go, and the files in which nothing may be left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path


@frozen
class Fingerprint:
    """One way in which a text can stand in a file."""

    tag: int
    """Of its last bytes."""
    length: int
    digest: str
    way: str
    is_reply: bool = False
    """Something that was said to the user: others may have been told the same."""


class Erasure(Protocol):
    """The right to be forgotten."""

    def memories_of(self, tenant: str, user: str, *, mentions: bool, after: str, limit: int) -> tuple[str, ...]:
        """Ids, in their order, of what a user owns or stated, whatever its state; if asked, of what is about them."""

    def texts_of(self, tenant: str, user: str) -> Iterator[str]:
        """Every text that stands in a user's own rows, but for what was said to them."""

    def replies_to(self, tenant: str, user: str) -> Iterator[str]:
        """What was said to a user."""

    def remove_resting(
        self, tenant: str, memory_ids: Sequence[str], *, mentions: bool, speakers: Collection[str]
    ) -> tuple[str, ...]:
        """Remove replies that tell these memories again, whoever was told; the texts of what was removed.

        Also what these speakers (folded names) said; with `mentions` everything that the memories rest on.
        """

    def remove_retold(self, tenant: str, is_retold: Callable[[str, str], bool], *, mentions: bool) -> Mapping[str, int]:
        """Remove what was made for others and tells again: replies that rest on no memory, summaries, kept answers.

        `is_retold` is asked with a role and a text; with `mentions` about what others said, too.
        """

    def add_fingerprints(self, tenant: str, key: str, prints: Iterable[Fingerprint]) -> None:
        """Note what an erasure removes, so that it can be looked for until it is proved to be gone."""

    def fingerprints(self, tenant: str, key: str) -> tuple[Fingerprint, ...]:
        """What was noted."""

    def remove_fingerprints(self, tenant: str, key: str) -> None:
        """It is proved."""

    def erase_rows(self, tenant: str, user: str) -> Mapping[str, int]:
        """Remove what belongs to a user besides memories, messages and conversations: how many rows of each table.

        Who the user is in the ledger is emptied with it, and the texts of the user's own governed sessions.
        """

    def persons_by(self, tenant: str, user: str) -> tuple[str, ...]:
        """Persons that a user has made, named or related to somebody."""

    def is_spoken_of(self, tenant: str, person_id: str) -> bool:
        """Is any memory about this person, or are they some user?"""

    def still_holds(self, tenant: str, text: str, *, replies: bool = False) -> bool:
        """Does this text stand in a memory, in somebody's own words or in a reply that rests on a memory?

        With `replies` any reply that has it will do.
        """

    def is_known(self, tenant: str, user: str) -> bool:
        """Does anything that is stored belong to this user?"""

    def files(self) -> tuple[Path, ...]:
        """The files of the database that can be looked into; none where they are another machine's."""
