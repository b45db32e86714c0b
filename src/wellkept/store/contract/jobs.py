"""The contract of durable jobs: rows written with their cause, taken by leases, finished with their effect."""

from __future__ import annotations

from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

JobKey = tuple[str, str, str]
"""Tenant, name and key: what makes two requests the same work."""
JobState = Literal["queued", "begun", "dead"]


@frozen
class NewJob:
    """Work to be done at `due_at` or later."""

    tenant: str
    name: str
    """Of the table in `jobs.py`."""
    key: str = ""
    """What the work is about, such as a chat's id; empty for the whole tenant."""
    payload: Mapping[str, Any] | None = None
    """Ids, codes and numbers, never text. None keeps the payload of the row that waits."""
    due_at: datetime


@frozen
class Job:
    """A job as it is stored. What `claim` gave is the right to finish it, until somebody else takes over."""

    tenant: str
    name: str
    key: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    state: JobState
    due_at: datetime
    """When it may be claimed: while a worker has it, the end of its lease."""
    attempts: int = 0
    crashes: int = 0
    """How many of the attempts ended without a word: the worker died or was too slow."""
    run: str = ""
    """Names this work through all its attempts, from the first claim on."""
    lease: str = ""
    error: str | None = None
    """Code of the last failure."""

    @property
    def about(self) -> JobKey:
        """Tenant, name and key."""
        return self.tenant, self.name, self.key


class Jobs(Protocol):
    """Durable jobs. Of one (tenant, name, key) at most one row waits, and at most one is begun."""

    def enqueue(self, job: NewJob) -> None:
        """Queue a job, with whatever the open transaction writes. A row that still waits gets the new due time.

        While the same work is being done, the new row waits behind it.
        """

    def watch_jobs(self, listener: Callable[[JobKey], None]) -> None:
        """Tell of every job queued through this handle, after the commit, in the thread that queued it."""

    def claim(
        self, worker: str, names: Sequence[str], *, now: datetime, lease_seconds: float, limit: int = 1
    ) -> tuple[Job, ...]:
        """Take due jobs of any tenant for so long, earliest first; those of a worker whose lease is over too.

        `worker` must be a name that no other claim has: it is what `hold`, `heartbeat`, `finish` and `fail` check.
        """

    def claim_now(
        self, worker: str, about: JobKey, *, now: datetime, lease_seconds: float, takes_over: bool = False
    ) -> Job | None:
        """Take one job though it is not due yet; None when there is none or somebody has it.

        `takes_over`: also from a worker whose lease is not over, who can then write nothing more. None only when there
        is no such job, or when that worker is writing right now.
        """

    def heartbeat(self, job: Job, *, now: datetime, lease_seconds: float) -> bool:
        """Keep a job for so long from now; False when it was taken over or is finished."""

    def hold(self, job: Job) -> None:
        """Nobody else gets this job before the open transaction ends. Raises `LeaseLost`: write nothing."""

    def rewrite(self, job: Job, payload: Mapping[str, Any]) -> None:
        """Put another payload in the place of the one that a job came with. Raises `LeaseLost`."""

    def finish(self, job: Job) -> None:
        """Remove a job, in the transaction of its effect. `LeaseLost`: the effect must not be stored either."""

    def fail(self, job: Job, *, error: str, at: datetime, retry_at: datetime | None) -> None:
        """Note a failure by its code, and try again then; None puts it among the dead letters. Raises `LeaseLost`."""

    def pending(self, tenant: str, *, names: Sequence[str] | None = None, limit: int = 100) -> tuple[Job, ...]:
        """Jobs that are queued or begun, earliest first."""

    def is_pending(self, about: JobKey) -> bool:
        """Is this work queued or begun?"""

    def has_jobs(self) -> bool:
        """Does any tenant have a job that is queued or begun?"""

    def next_due(self, names: Sequence[str]) -> datetime | None:
        """When the next job of these names, of any tenant, may be claimed."""

    def dead_letters(self, tenant: str, *, limit: int = 100) -> tuple[Job, ...]:
        """Jobs that were given up, latest first."""

    def retry(self, job: Job, *, at: datetime) -> bool:
        """Put a dead letter back, its attempts forgotten; False when it is none or the same work is being done now."""

    def discard(self, job: Job) -> bool:
        """Remove a dead letter for good."""

    def watermark(self, tenant: str, name: str) -> datetime | None:
        """How far a schedule has come."""

    def advance(self, tenant: str, name: str, *, since: datetime | None, to: datetime) -> bool:
        """Move a schedule on from where it was read; False when somebody else has moved it: the tick is theirs."""

    def tenants(self) -> tuple[str, ...]:
        """Everybody who has stored something."""
