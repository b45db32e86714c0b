"""What the store does for two persons who are one, and for the questions whether they are."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol

from wellkept.types import Edge, Person
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence


@frozen
class Told:
    """Whom a memory was about and who said it, before a merge."""

    memory_id: str
    subjects: tuple[str, ...]
    stated_by: str | None = None


@frozen
class Merge:
    """A merge of two persons with all that is needed to take it back."""

    tenant: str
    at: datetime
    by: str | None = None
    """User id of who asked for it; None: found by the rules."""
    primary: Person
    secondary: Person
    """Both as they were before."""
    told: tuple[Told, ...] = ()
    chats: tuple[str, ...] = ()
    """Where the secondary took part and the primary did not."""
    shared_chats: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    """Users who were the secondary."""
    related: tuple[Person, ...] = ()
    """Persons with a relationship to the secondary, as they were."""


@frozen
class Review:
    """Two persons who may be one, for a user to decide. The pair is kept in the order of the ids."""

    tenant: str
    asker: str
    one: str
    other: str
    reason: str
    at: datetime
    decision: Literal["merged", "apart"] | None = None


class Merges(Protocol):
    """Two persons as one, and back; and the questions whether they are."""

    def rewire(self, tenant: str, *, add: Sequence[Edge], drop: Sequence[Edge], at: datetime) -> None:
        """Add and drop edges that follow from no row, such as PARTICIPATES_IN."""

    def keep_merge(self, merge: Merge) -> None:
        """Remember how to take a merge back; one a secondary."""

    def merge_of(self, tenant: str, secondary_id: str) -> Merge | None:
        """The merge by which a person went into another."""

    def merged_with(self, tenant: str, primary_id: str) -> tuple[Merge, ...]:
        """Merges into this person, newest first."""

    def drop_merge(self, tenant: str, secondary_id: str) -> None:
        """A merge that was taken back."""

    def put_review(self, review: Review) -> None:
        """Ask, or note the answer; what was answered is not asked again."""

    def reviews(self, tenant: str, asker: str) -> tuple[Review, ...]:
        """What this user has not answered, oldest first."""
