"""Durable jobs: rows of the same database, taken by leases and fenced by the name of the claim."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import timedelta
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput, LeaseLost, StoreBusy
from wellkept.store.contract import Job, JobKey
from wellkept.store.core import Core
from wellkept.store.driver import UniqueClash
from wellkept.store.encoding import canonical, from_json, json_list, micros, micros_or_none, moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from types import TracebackType

    from wellkept.store.contract import NewJob
    from wellkept.store.driver import Driver, Locks, Row

REFERENCE_LENGTH_MAX = 512
"""Of a text in a payload: no id is longer."""
PAYLOAD_LENGTH_MAX = 8_192


class _Telling:
    """A transaction, and what follows it when it is written."""

    __slots__ = ("_tell", "_transaction")

    def __init__(self, transaction: AbstractContextManager[None], tell: Callable[[], None]) -> None:
        self._transaction = transaction
        self._tell = tell

    def __enter__(self) -> None:
        self._transaction.__enter__()

    def __exit__(
        self, failure: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._transaction.__exit__(failure, error, trace)
        if failure is None:
            self._tell()


class JobsPart(Core):
    """See `contract.Store`, section "Jobs"."""

    def __init__(self, driver: Driver) -> None:
        super().__init__(driver)
        self._listeners: list[Callable[[JobKey], None]] = []
        self._untold = threading.local()
        self._at_work: tuple[str, ...] = ()
        """Tenants that had jobs when all could last be asked."""

    def transaction(self, locks: Locks | None = None) -> AbstractContextManager[None]:
        """Everything inside is written, or nothing; afterwards listeners hear of the jobs it queued."""
        if self._db.driver.is_in_transaction:
            return super().transaction(locks)
        self._untold.jobs = ()
        return _Telling(super().transaction(locks), self._tell)

    def _tell(self) -> None:
        for listener in self._listeners if self._untold.jobs else ():
            for about in self._untold.jobs:
                listener(about)

    def watch_jobs(self, listener: Callable[[JobKey], None]) -> None:
        """Tell this listener of every job queued through this handle."""
        self._listeners.append(listener)

    def enqueue(self, job: NewJob) -> None:
        """Queue a job; one that waits already gets the new due time, and the new payload if there is one."""
        columns = {
            "tenant": job.tenant,
            "name": job.name,
            "key": job.key,
            "payload": _references(job.payload or {}),
            "is_given": int(job.payload is not None),
            "due_at": micros(job.due_at),
        }
        with self._within():
            self._lock_on(job.tenant, "job", f"{job.name} {job.key}")
            self._db.run("job_add", columns)
            self._untold.jobs = (*getattr(self._untold, "jobs", ()), (job.tenant, job.name, job.key))

    def claim(
        self, worker: str, names: Sequence[str], *, now: datetime, lease_seconds: float, limit: int = 1
    ) -> tuple[Job, ...]:
        """Take due jobs of any tenant, earliest first."""
        wanted = {"names": json_list(names), "now": micros(now), "limit": limit}
        until = now + timedelta(seconds=lease_seconds)
        due = sorted(self._due(wanted), key=lambda job: job.due_at)[:limit]
        taken: list[tuple[datetime, Job]] = []
        # Tenants one by one: in a cluster each may be on another machine.
        for tenant, number in Counter(job.tenant for job in due).items():
            with self._db.driver.transaction(is_exclusive=False):
                free = self._db.lockable_rows("jobs_claimable", wanted | {"tenant": tenant, "limit": number})
                for job in map(_job, free):
                    mine = self._take(job, worker, until)
                    taken += [] if mine is None else [(job.due_at, mine)]
        return tuple(mine for _, mine in sorted(taken, key=itemgetter(0)))

    def _due(self, wanted: Mapping[str, Any]) -> Iterator[Job]:
        """What may be claimed, of every tenant that can be reached."""
        is_whole = True
        try:
            with self.snapshot():
                self._at_work = tuple(self._each_tenant("jobs_tenant_after"))
        except StoreBusy:
            is_whole = False  # a machine of a cluster is missing: the tenants of the others go on, as far as known
        for tenant in self._at_work:
            try:
                with self.snapshot():
                    found = self._db.rows("jobs_claimable", {**wanted, "tenant": tenant})
            except StoreBusy:
                if is_whole:
                    raise
                continue
            yield from map(_job, found)

    def claim_now(
        self, worker: str, about: JobKey, *, now: datetime, lease_seconds: float, takes_over: bool = False
    ) -> Job | None:
        """Take one job though it is not due yet."""
        tenant, name, key = about
        with self._db.driver.transaction(is_exclusive=False):
            wanted = {"tenant": tenant, "name": name, "key": key, "now": micros(now), "takes_over": int(takes_over)}
            rows = self._db.lockable_rows("job_claimable", wanted)
            return self._take(_job(rows[0]), worker, now + timedelta(seconds=lease_seconds)) if rows else None

    def _take(self, job: Job, worker: str, until: datetime) -> Job | None:
        columns = _columns(job) | {"due_at": micros(job.due_at), "worker": worker, "until": micros(until)}
        try:
            with self.transaction():
                if self._db.run("job_take", columns | {"state": job.state}) != 1:
                    return None
        except UniqueClash:  # another worker began the same work between our reading and our writing
            return None
        return Job(
            tenant=job.tenant,
            name=job.name,
            key=job.key,
            payload=job.payload,
            state="begun",
            due_at=until,
            attempts=job.attempts + 1,
            crashes=job.crashes + (job.lease != ""),
            run=job.run or worker,
            lease=worker,
            error=job.error,
        )

    def heartbeat(self, job: Job, *, now: datetime, lease_seconds: float) -> bool:
        """Keep a job for so long from now."""
        until = now + timedelta(seconds=lease_seconds)
        with self._within():
            return self._db.run("job_beat", _columns(job) | {"until": micros(until)}) == 1

    def hold(self, job: Job) -> None:
        """Nobody else gets this job before the open transaction ends."""
        self._as_holder(job, "job_hold", {})

    def rewrite(self, job: Job, payload: Mapping[str, Any]) -> None:
        """Put another payload in the place of the one that a job came with."""
        self._as_holder(job, "job_rewrite", {"payload": _references(payload)})

    def finish(self, job: Job) -> None:
        """Remove a job, in the transaction of its effect."""
        self._as_holder(job, "job_remove", {})

    def fail(self, job: Job, *, error: str, at: datetime, retry_at: datetime | None) -> None:
        """Note a failure, and try again then; None puts it among the dead letters."""
        after = {"after": "begun" if retry_at else "dead", "due_at": micros(retry_at or at), "error": error}
        self._as_holder(job, "job_fail", after)

    def _as_holder(self, job: Job, statement: str, columns: dict[str, Any]) -> None:
        with self._within():
            if self._db.run(statement, _columns(job) | columns) != 1:
                raise LeaseLost(job.name)

    def pending(self, tenant: str, *, names: Sequence[str] | None = None, limit: int = 100) -> tuple[Job, ...]:
        """Jobs that are queued or begun, earliest first."""
        wanted = {"tenant": tenant, "names": None if names is None else json_list(names), "limit": limit}
        return tuple(_job(row) for row in self._db.rows("jobs_pending", wanted))

    def is_pending(self, about: JobKey) -> bool:
        """Is this work queued or begun?"""
        tenant, name, key = about
        return self._db.one("job_pending", {"tenant": tenant, "name": name, "key": key}) is not None

    def has_jobs(self) -> bool:
        """Does any tenant have a job that is queued or begun?"""
        return next(self._each_tenant("jobs_tenant_after"), None) is not None

    def next_due(self, names: Sequence[str]) -> datetime | None:
        """When the next job of these names may be claimed."""
        each = [self.pending(tenant, names=names, limit=1) for tenant in self._each_tenant("jobs_tenant_after")]
        return min((found[0].due_at for found in each if found), default=None)

    def dead_letters(self, tenant: str, *, limit: int = 100) -> tuple[Job, ...]:
        """Jobs that were given up, latest first."""
        return tuple(_job(row) for row in self._db.rows("jobs_dead", {"tenant": tenant, "limit": limit}))

    def retry(self, job: Job, *, at: datetime) -> bool:
        """Put a dead letter back."""
        with self._within():
            return self._db.run("job_retry", _columns(job) | {"at": micros(at)}) == 1

    def watermark(self, tenant: str, name: str) -> datetime | None:
        """How far a schedule has come."""
        row = self._db.one("watermark_of", {"tenant": tenant, "name": name})
        return None if row is None else moment(row[0])

    def advance(self, tenant: str, name: str, *, since: datetime | None, to: datetime) -> bool:
        """Move a schedule on from where it was read."""
        columns = {"tenant": tenant, "name": name, "since": micros_or_none(since), "to": micros(to)}
        with self._within():
            return self._db.run("watermark_add" if since is None else "watermark_move", columns) == 1

    def tenants(self) -> tuple[str, ...]:
        """Everybody who has stored something."""
        return tuple(self._each_tenant("tenant_after"))

    def _each_tenant(self, statement: str) -> Iterator[str]:
        """From one tenant to the next by the index, however many rows each has."""
        tenant: str | None = ""
        while tenant is not None:
            row = self._db.one(statement, {"tenant": tenant})
            tenant = None if row is None else row[0]
            if tenant is not None:
                yield tenant


def _columns(job: Job) -> dict[str, Any]:
    return {"tenant": job.tenant, "name": job.name, "key": job.key, "run": job.run, "lease": job.lease}


def _job(row: Row) -> Job:
    tenant, name, key, payload, state, due_at, attempts, crashes, run, lease, error = row
    return Job(
        tenant=tenant,
        name=name,
        key=key,
        payload=from_json(payload),
        state=state,
        due_at=moment(due_at),
        attempts=attempts,
        crashes=crashes,
        run=run,
        lease=lease,
        error=error,
    )


def _references(payload: Mapping[str, Any]) -> str:
    """The payload as it is stored. What is longer than any id is somebody's text, and belongs elsewhere."""
    stored = canonical(dict(payload))
    if len(stored) > PAYLOAD_LENGTH_MAX or any(len(text) > REFERENCE_LENGTH_MAX for text in _texts(payload)):
        raise InvalidInput("A job takes references and codes, never text.", code="text_in_job")
    return stored


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    elif hasattr(value, "items"):
        for name, item in value.items():
            yield from (name, *_texts(item))
