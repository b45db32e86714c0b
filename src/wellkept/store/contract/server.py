"""What the store does for servers, in the domain's words: API keys, answers already given, events."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Protocol

from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from wellkept.store.contract import Entry, LedgerRow
    from wellkept.vocabulary import Space


@frozen
class ApiKey:
    """A program's right to call. The key itself is nowhere; `hash` is of its secret part."""

    tenant: str
    id: str
    name: str
    hash: str
    scopes: tuple[str, ...]
    """`operator`, `tenant`, `user:<id>`, `agent:<name>`."""
    created_at: datetime
    revoked_at: datetime | None = None


@frozen
class Answer:
    """What was answered to a write that came with a key of its own, so that asking again changes nothing."""

    tenant: str
    caller: str
    key: str
    request: str
    """Hash of what was asked."""
    user: str | None = None
    """Whose words may stand in it: erasing a user removes it."""
    body: str
    at: datetime


@frozen
class Position:
    """Where a ledger row stands among all of a tenant."""

    at: datetime
    space: str
    owner: str
    seq: int


@frozen
class EventFilter:
    """Narrows events; None means no filter."""

    owner: str | None = None
    """Whose memory it is."""
    node: str | None = None
    op: str | None = None
    before: Position | None = None
    """Of the last event of the page before."""


@frozen
class Chain:
    """A scope's chain of ledger rows, by its length."""

    space: Space
    owner: str
    length: int


@frozen
class Done:
    """How often something was done on a day."""

    day: date
    node: str
    op: str
    times: int


class Serving(Protocol):
    """API keys, kept answers, and the ledger as events."""

    is_near: bool
    """A lookup by key takes microseconds: who waits for nothing may ask without a thread."""

    def add_key(self, key: ApiKey) -> None:
        """Keep a key."""

    def key(self, key_id: str) -> ApiKey | None:
        """By id, of whatever tenant: who asks has not said yet whose they are."""

    def keys(self, tenant: str) -> tuple[ApiKey, ...]:
        """Keys of a tenant, oldest first, revoked ones included."""

    def has_keys(self) -> bool:
        """Whether a key was ever added, whatever became of it; what no secret opens (an empty hash) is none."""

    def revoke_key(self, tenant: str, key_id: str, *, at: datetime) -> bool:
        """From now on it opens nothing; False when there is no such key."""

    def answered(self, tenant: str, caller: str, key: str) -> Answer | None:
        """What was answered before."""

    def keep_answer(self, answer: Answer, *, since: datetime) -> None:
        """Keep an answer and drop the tenant's older than `since`. `UniqueClash` when one is kept already."""

    def held(self) -> AbstractContextManager[None]:
        """All transactions of this thread inside are one: begun with the first of them, stored at the end.

        Inside another one it is that one.
        """

    def searched(self, tenant: str, space: Space, owner: str, searches: Sequence[tuple[datetime, Entry]]) -> None:
        """Rows of searches, in no chain; none where the owner has no chain: reading makes nobody known."""

    def events(self, tenant: str, wanted: EventFilter, *, limit: int) -> tuple[LedgerRow, ...]:
        """Rows of all chains and searches, newest first; the numbers of searches are below zero."""

    def growth(self, tenant: str, *, owner: str | None = None) -> Mapping[date, int]:
        """Memories made a day (UTC), the earliest first: in the memory of one user, or of everybody."""

    def activity(self, tenant: str, *, since: datetime, owner: str | None = None) -> tuple[Done, ...]:
        """What was done a day (UTC) since then, the earliest first: in the memory of one user, or of everybody."""

    def event_counts(self, tenant: str) -> Mapping[tuple[str, str, str], int]:
        """(node, op, status) → how many."""

    def chains(self, tenant: str) -> tuple[Chain, ...]:
        """The chains of a tenant with their lengths."""
