"""Profiles, and changes of them that wait for a yes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.store.contract import ProfileValue, Proposal
from wellkept.store.core import Core, make_id
from wellkept.store.encoding import micros, moment
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from wellkept.policies.people.consent import State
    from wellkept.store.driver import Row


class ConsentPart(Core):
    """See `contract.Store`, section "Consent"."""

    def profile(self, tenant: str, user: str) -> tuple[ProfileValue, ...]:
        """By field, then by time."""
        rows = self._db.rows("profile_of", {"tenant": tenant, "user": user})
        return tuple(
            ProfileValue(field=field, value=value, memory_id=memory_id, at=moment(at))
            for field, value, memory_id, at in rows
        )

    def set_profile(self, tenant: str, user: str, value: ProfileValue, *, adds: bool) -> None:
        """The value of a field; with `adds` beside what is there, else instead of it."""
        key = {"tenant": tenant, "user": user, "field": value.field}
        with self._within():
            if not adds:
                self._db.run("profile_clear", key)
            told = {"value": value.value, "memory_id": value.memory_id, "at": micros(value.at)}
            self._db.run("profile_put", key | told)

    def next_proposal_id(self, tenant: str, user: str) -> str:
        """Deterministic, from a counter of the user."""
        with self._within():
            number = self._count_up(tenant, self._scope_or_new(tenant, Space.USER, user), "proposal")
        return make_id(tenant, str(Space.USER), user, "proposal", number)

    def put_proposal(self, proposal: Proposal) -> None:
        """Insert or replace."""
        decided = proposal.decided_at
        times = {"at": micros(proposal.at), "decided_at": None if decided is None else micros(decided)}
        self._db.run("proposal_put", vars(proposal) | times)

    def proposal(self, tenant: str, proposal_id: str) -> Proposal | None:
        """By exact id."""
        row = self._db.one("proposal_of", {"tenant": tenant, "id": proposal_id})
        return None if row is None else _proposal(row)

    def proposals(self, tenant: str, user: str | None, *, state: State | None, limit: int) -> tuple[Proposal, ...]:
        """Of one user, or of all, oldest first."""
        wanted = {"tenant": tenant, "state": state, "limit": limit}
        if user is None:
            return _proposals(self._db.rows("proposals_of_all", wanted))
        return _proposals(self._db.rows("proposals_of_user", wanted | {"user": user}))

    def overdue_proposals(self, tenant: str, *, before: datetime, limit: int) -> tuple[Proposal, ...]:
        """Pending ones made before that moment or at it, oldest first."""
        wanted = {"tenant": tenant, "before": micros(before), "limit": limit}
        return _proposals(self._db.rows("proposals_overdue", wanted))


def _proposals(rows: Sequence[Row]) -> tuple[Proposal, ...]:
    return tuple(_proposal(row) for row in rows)


def _proposal(row: Row) -> Proposal:
    *same, at, asked_in, decided_at = row
    names = ("id", "tenant", "user_id", "field", "old", "new", "evidence", "message_id", "signals", "state")
    decided = None if decided_at is None else moment(decided_at)
    return Proposal(**dict(zip(names, same, strict=True)), at=moment(at), asked_in=asked_in, decided_at=decided)
