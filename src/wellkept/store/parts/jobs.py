"""Durable jobs: rows of the same database, taken by leases and fenced by the name of the claim."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from operator import itemgetter
from typing import Any, ClassVar

from wellkept.errors import InvalidInput, LeaseLost, StoreBusy
from wellkept.store.contract import Claim, Failure, Job, JobKey, NewJob, PendingJob
from wellkept.store.core import Core
from wellkept.store.driver import Driver, Locks, UniqueClash
from wellkept.store.encoding import canonical, json_list, micros, micros_or_none, moment, record_of
from wellkept.values import changed

REFERENCE_LENGTH_MAX = 512
"""Of a text in a payload: no id is longer."""
PAYLOAD_LENGTH_MAX = 8_192


class JobsPart(Core):
    """See `contract.Store`, section "Jobs"."""

    def __init__(self, driver: Driver) -> None:
        super().__init__(driver)
        self.job_listeners: list[Callable[[JobKey], None]] = []
        self._untold = threading.local()
        self._at_work: tuple[str, ...] = ()
        """Tenants that had jobs when all could last be asked."""

    @contextmanager
    def transaction(self, locks: Locks | None = None, *, is_lazy: bool = False) -> Iterator[None]:
        is_outermost = not (is_lazy or self._db.driver.is_in_transaction)
        if is_outermost:
            self._untold.jobs = ()
        with super().transaction(locks, is_lazy=is_lazy):
            yield
        for listener in self.job_listeners if is_outermost else ():
            for about in self._untold.jobs:
                listener(about)

    def _enqueue(self, job: NewJob) -> None:
        given = {"payload": _references(job.payload or {}), "is_given": int(job.payload is not None)}
        self._lock_on(job.tenant, "job", f"{job.name} {job.key}")
        self._db.run("job_add", vars(job) | given | {"due_at": micros(job.due_at)})
        self._untold.jobs = (*getattr(self._untold, "jobs", ()), (job.tenant, job.name, job.key))

    def claim(self, wanted: Claim) -> tuple[Job, ...]:
        until = wanted.now + timedelta(seconds=wanted.lease_seconds)
        if wanted.about is not None:
            return self._claim_one(wanted.about, wanted, until)
        asked = {"names": json_list(wanted.names), "now": micros(wanted.now), "limit": wanted.limit}
        due = sorted(self._due(asked), key=lambda job: job.due_at)[: wanted.limit]
        taken: list[tuple[datetime, Job]] = []
        # Tenants one by one: in a cluster each may be on another machine.
        for tenant, number in Counter(job.tenant for job in due).items():
            with self._db.driver.transaction(is_exclusive=False):
                free = self._db.lockable_rows("jobs_claimable", asked | {"tenant": tenant, "limit": number})
                for job in map(_job, free):
                    mine = self._take(job, wanted.worker, until)
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

    def _claim_one(self, about: JobKey, wanted: Claim, until: datetime) -> tuple[Job, ...]:
        tenant, name, key = about
        asked = {"tenant": tenant, "name": name, "key": key, "now": micros(wanted.now)}
        with self._db.driver.transaction(is_exclusive=False):
            rows = self._db.lockable_rows("job_claimable", asked | {"takes_over": int(wanted.takes_over)})
            mine = self._take(_job(rows[0]), wanted.worker, until) if rows else None
        return () if mine is None else (mine,)

    def _take(self, job: Job, worker: str, until: datetime) -> Job | None:
        columns = _columns(job) | {"due_at": micros(job.due_at), "worker": worker, "until": micros(until)}
        try:
            with self.transaction():
                if self._db.run("job_take", columns | {"state": job.state}) != 1:
                    return None
        except UniqueClash:  # another worker began the same work between our reading and our writing
            return None
        return changed(
            job,
            state="begun",
            due_at=until,
            attempts=job.attempts + 1,
            crashes=job.crashes + (job.lease != ""),
            run=job.run or worker,
            lease=worker,
        )

    def hold(self, job: Job, *, until: datetime | None = None, payload: Mapping[str, Any] | None = None) -> None:
        if payload is not None:
            self._as_holder(job, "job_rewrite", {"payload": _references(payload)})
        if until is not None:
            self._as_holder(job, "job_beat", {"until": micros(until)})
        if payload is None and until is None:
            self._as_holder(job, "job_hold", {})

    def finish(self, job: Job, failure: Failure | None = None) -> None:
        if failure is None:
            self._as_holder(job, "job_remove", {})
            return
        due_at = micros(failure.retry_at or failure.at)
        after = {"after": "begun" if failure.retry_at else "dead", "due_at": due_at, "error": failure.error}
        self._as_holder(job, "job_fail", after)

    def _as_holder(self, job: Job, statement: str, columns: dict[str, Any]) -> None:
        with self._within():
            if self._db.run(statement, _columns(job) | columns) != 1:
                raise LeaseLost(job.name)

    def jobs(
        self, tenant: str | None, *, names: Sequence[str] | None = None, dead: bool = False, limit: int = 100
    ) -> tuple[Job, ...]:
        if tenant is None:
            each = self._each_tenant("jobs_tenant_after")
            found = [job for one in each for job in self.jobs(one, names=names, dead=dead, limit=limit)]
            return tuple(sorted(found, key=lambda job: job.due_at))
        wanted = {"tenant": tenant, "names": None if names is None else json_list(names), "limit": limit}
        return tuple(map(_job, self._db.rows("jobs_dead" if dead else "jobs_pending", wanted)))

    def _is_pending(self, job: PendingJob) -> bool:
        if job.about is None:
            return next(self._each_tenant("jobs_tenant_after"), None) is not None
        tenant, name, key = job.about
        return self._db.one("job_pending", {"tenant": tenant, "name": name, "key": key}) is not None

    _HANDLES: ClassVar = {("keep", NewJob): _enqueue, ("has", PendingJob): _is_pending}

    def retry(self, job: Job, *, at: datetime) -> bool:
        with self._within():
            return self._db.run("job_retry", _columns(job) | {"at": micros(at)}) == 1

    def watermark(self, tenant: str, name: str) -> datetime | None:
        row = self._db.one("watermark_of", {"tenant": tenant, "name": name})
        return None if row is None else moment(row[0])

    def advance(self, tenant: str, name: str, *, since: datetime | None, to: datetime) -> bool:
        columns = {"tenant": tenant, "name": name, "since": micros_or_none(since), "to": micros(to)}
        with self._within():
            return self._db.run("watermark_add" if since is None else "watermark_move", columns) == 1

    def tenants(self) -> tuple[str, ...]:
        return tuple(self._each_tenant("tenant_after"))

    def _each_tenant(self, statement: str) -> Iterator[str]:
        """From one tenant to the next by the index, however many rows each has."""
        tenant: str | None = ""
        while tenant is not None:
            row = self._db.one(statement, {"tenant": tenant})
            tenant = None if row is None else row[0]
            if tenant is not None:
                yield tenant


_job = partial(record_of, Job)


def _columns(job: Job) -> dict[str, Any]:
    return {"tenant": job.tenant, "name": job.name, "key": job.key, "run": job.run, "lease": job.lease}


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
