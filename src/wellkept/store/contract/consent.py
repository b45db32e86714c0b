"""What the store keeps of a user's profile and of the changes that wait for a yes."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.policies.people.consent import Field, State


@frozen
class ProfileValue:
    """One field of a profile. A many-valued field has several."""

    field: Field
    value: str
    memory_id: str | None = None
    at: datetime


@frozen
class Proposal:
    """A change of a profile that somebody has to agree to."""

    id: str
    tenant: str
    user_id: str
    field: Field
    old: str | None = None
    new: str
    evidence: str | None = None
    """Id of the memory of what was said."""
    message_id: str | None = None
    signals: int = 1
    state: State = "pending"
    at: datetime
    asked_in: str | None = None
    """The chat that was asked last; empty text for none in particular."""
    decided_at: datetime | None = None


class Consents(Protocol):
    """Profiles and proposals."""

    def profile(self, tenant: str, user: str) -> tuple[ProfileValue, ...]:
        """By field, then by time."""

    def set_profile(self, tenant: str, user: str, value: ProfileValue, *, adds: bool) -> None:
        """The value of a field; with `adds` beside what is there, else instead of it."""

    def next_proposal_id(self, tenant: str, user: str) -> str:
        """Deterministic, from a counter of the user; inside a transaction."""

    def put_proposal(self, proposal: Proposal) -> None:
        """Insert or replace."""

    def proposal(self, tenant: str, proposal_id: str) -> Proposal | None:
        """By exact id."""

    def proposals(self, tenant: str, user: str | None, *, state: State | None, limit: int) -> tuple[Proposal, ...]:
        """Of one user, or of all, oldest first."""

    def overdue_proposals(self, tenant: str, *, before: datetime, limit: int) -> tuple[Proposal, ...]:
        """Pending ones made before that moment or at it, oldest first."""
