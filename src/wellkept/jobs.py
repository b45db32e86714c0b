"""The durable runner: claims jobs, keeps their leases, retries, queues what is scheduled. A job is a flow's call."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING, Literal

from wellkept import flows
from wellkept.errors import InvalidInput, LeaseLost, StoreError, WellkeptError
from wellkept.flows.upkeep.schedule import DAY, Duty, tick
from wellkept.flows.write import extract_messages
from wellkept.policies.upkeep.pace import Retries, again_at
from wellkept.store.contract import Claim, Failure, JobKey, NewJob, PendingJob
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.store.contract import Job

Counts = Mapping[str, int]
Progress = Callable[[int], None]

_log = logging.getLogger("wellkept")


@frozen
class Work:
    """What a job does. `run` may finish its duty in the transaction of its last effect; else the runner does it."""

    doc: str
    run: Callable[[Duty], Counts | None]
    every: timedelta | None = None
    """How often it is queued for each tenant by itself."""
    is_wanted: Callable[[str, Engine], bool] = lambda _tenant, _engine: True
    """Whether it is queued by itself for a tenant."""
    is_sweep: bool = True
    """It can be asked for without a payload, for a whole tenant; otherwise only its cause queues it."""


def _compact(duty: Duty) -> Counts:
    days = duty.engine.lifecycle_of(duty.tenant).compact_after_days
    return {} if days is None else flows.lifetime.compact(duty, after_days=days)


def _swept(verb: str) -> Callable[[Duty], Counts]:
    """A sweep of the lifetimes, by the name of its verb: the page loads when it is first used."""

    def run(duty: Duty) -> Counts:
        counts: Counts = getattr(flows.lifetime, verb)(duty)
        return counts

    return run


JOBS: Mapping[str, Work] = {
    "gc": Work(doc="Archive what is superseded, expired or past its lifetime.", run=_swept("gc"), every=DAY),
    "soft-delete": Work(
        doc="Take out what nobody asked for in 60 days; it can be restored for 30 more.",
        run=_swept("soft_delete"),
        every=DAY,
    ),
    "purge": Work(doc="Remove what was soft-deleted and not missed.", run=_swept("purge"), every=DAY),
    "compact": Work(
        doc="Remove what was archived long ago, when `lifecycle.compact_after_days` is set.", run=_compact, every=DAY
    ),
    "transcript": Work(
        doc="Remove messages that are older than `lifecycle.transcript_days`, when it is set.",
        run=_swept("drop_messages"),
        every=DAY,
    ),
    "evict": Work(doc="Bring scopes down to `memory.max_entries`.", run=_swept("evict"), every=DAY),
    "extract": Work(doc="Learn from what users said in a chat.", run=extract_messages.job, is_sweep=False),
    "scrub": Work(
        doc="Take what was removed out of the files too.",
        run=lambda duty: flows.lifetime.scrub(duty.engine),
        is_sweep=False,
    ),
    "erase": Work(
        doc="Bring the erasure of a user to its end, and prove it.",
        run=lambda duty: flows.erase.job(duty),  # noqa: PLW0108 -- loads when it is first used
        is_sweep=False,
    ),
    "embed": Work(
        doc="Give vectors to memories that have none of the present embedder.",
        run=flows.consolidate.embed_job,
        every=DAY,
    ),
    "reconcile": Work(
        doc="Compare what got its vectors late with what was there, as a write would have done.",
        run=flows.consolidate.reconcile_job,
        is_sweep=False,
    ),
    "consolidate": Work(
        doc="Join what is the same in other words, settle contradictions, complete links.",
        run=lambda duty: vars(flows.consolidate.consolidate(duty)),
        every=DAY,
    ),
    "curate": Work(
        doc="Keep equal texts once, and fold many notes on one thing into one.",
        run=flows.consolidate.curate_job,
        every=DAY,
    ),
    "importance": Work(
        doc="Write what was recalled and is only counted so far.",
        run=lambda duty: {"memories": duty.engine.access.flush(duty.engine, duty.tenant)},
        every=DAY,
    ),
    "insights": Work(doc="Ask a model what a person's last days show.", run=flows.summarise.insights_job, every=DAY),
    "summarise": Work(
        doc="Renew rolling summaries, close silent sessions and say what they were about.",
        run=flows.summarise.job,
        is_sweep=False,
    ),
    "spine": Work(doc="Write a new version of a user's long-term summary.", run=flows.summarise.job, is_sweep=False),
    "consent": Work(
        doc="Close questions that nobody answered in a week.",
        run=lambda duty: {"expired": flows.consent.expire(duty)},
        every=DAY,
    ),
    "deliver": Work(
        doc="Tell the webhooks of a tenant what has changed.",
        run=lambda duty: flows.webhooks.job(duty),  # noqa: PLW0108 -- loads when it is first used
        every=timedelta(minutes=1),
        is_wanted=lambda tenant, engine: any(hook.tenant == tenant for hook in engine.webhooks),
    ),
    # Last: it covers what the others have written.
    "seal": Work(
        doc="Seal where the chains of the ledger end, so that a cut is found.",
        run=lambda duty: flows.doctor.seal_job(duty),  # noqa: PLW0108 -- loads when it is first used
        every=DAY,
    ),
}


@frozen
class RunnerOptions:
    """How jobs are run."""

    lease_seconds: float = 60.0
    """After so long without a sign of life another worker takes over."""
    poll_seconds: float = 5.0
    """How often the queue is looked at for jobs of other processes."""
    schedule_seconds: float = 60.0
    patience_seconds: float = 120.0
    """How long to wait for the same work in other hands before leaving it to them."""
    retries: Retries = field(default_factory=Retries)


@frozen
class Done:
    """What became of one claimed job."""

    job: str
    tenant: str
    key: str = ""
    status: Literal["ok", "skipped", "denied", "error", "retry", "dead", "lost"]
    counts: Counts = field(default_factory=dict)
    error: str | None = None


def no_progress(_done: int) -> None:
    """Nobody watches."""


class Runner:
    """Runs jobs one after the other. Any number of runners, in any number of processes, share the work."""

    def __init__(
        self,
        engine: Engine,
        *,
        worker: str,
        jobs: Mapping[str, Work] = JOBS,
        options: RunnerOptions | None = None,
    ) -> None:
        """`worker` is a name that no other runner has."""
        self._engine = engine
        self._worker = worker
        self._jobs = jobs
        self._options = options or RunnerOptions()
        self._lock = threading.Lock()
        self._claims = 0
        self._held: dict[str, Job] = {}
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._pulse: threading.Thread | None = None
        self._scheduled_at: float | None = None

    def run_due(self, *, limit: int | None = None, told: Callable[[Done], None] | None = None) -> tuple[Done, ...]:
        """Queue what is scheduled, then run what is due, until nothing is or this many are done."""
        self._schedule()
        done: list[Done] = []
        while (limit is None or len(done) < limit) and not self._stopped.is_set():
            now = self._engine.clock()
            due = next((job.due_at for job in self._engine.store.jobs(None, names=list(self._jobs), limit=1)), None)
            if due is None or due > now:
                break
            found = self._engine.store.claim(
                Claim(worker=self._name(), names=tuple(self._jobs), now=now, lease_seconds=self._options.lease_seconds)
            )
            if not found:
                break
            for job in found:
                done.append(self._do(job, no_progress))
                if told is not None:
                    told(done[-1])
        return tuple(done)

    def run_now(self, tenant: str, names: Sequence[str] | None, progress: Progress = no_progress) -> tuple[Done, ...]:
        """Run these jobs of a tenant, or all, though they are not due."""
        for name in names or ():
            if name not in self._jobs:
                raise InvalidInput(f"There is no job {name!r}. Known: {', '.join(self._jobs)}.", code="unknown_job")
        store, wanted = self._engine.store, list(names or self._jobs)
        # Due only when this process should die now: nobody else takes it before.
        later = self._engine.clock() + timedelta(seconds=self._options.lease_seconds)
        asked = [NewJob(tenant=tenant, name=name, due_at=later) for name in wanted if self._jobs[name].is_sweep]
        with store.transaction():
            for job in asked:
                store.keep(job)
        order = {name: number for number, name in enumerate(wanted)}
        done: list[Done] = []
        tried: set[JobKey] = set()
        while True:  # a job may queue another
            waiting = {job.about for job in store.jobs(tenant, names=wanted, limit=1_000_000)} - tried
            if not waiting:
                return tuple(done)
            tried |= waiting
            done += self.finish(sorted(waiting, key=lambda about: (order[about[1]], about)), progress)

    def finish(self, keys: Iterable[JobKey], progress: Progress = no_progress) -> tuple[Done, ...]:
        """Run these jobs to their end, due or not; what another worker is doing is waited for."""
        done: list[Done] = []
        left = list(dict.fromkeys(keys))
        patient_until = monotonic() + self._options.patience_seconds
        while left and monotonic() < patient_until:
            again: list[JobKey] = []
            for about in left:
                found = self._claim(about)
                if found is not None:
                    done.append(self._do(found, progress))
                # What was skipped has put itself off: it waits for its time.
                is_given_up = found is not None and done[-1].status in ("retry", "dead", "skipped")
                if not is_given_up and self._engine.store.has(PendingJob(about=about)):
                    again.append(about)
            if again == left:
                self._stopped.wait(0.02)
            left = again
        return tuple(done)

    @contextmanager
    def taken_over(self, about: JobKey) -> Iterator[Job]:
        """A job for the caller to do, due or not, whoever had it: who was killed can hold it no longer than this."""
        store, patient_until = self._engine.store, monotonic() + self._options.patience_seconds
        found: Job | None = None
        while found is None:
            if not store.has(PendingJob(about=about)) or monotonic() > patient_until:
                raise LeaseLost(about[1])
            found = self._claim(about, takes_over=True)
            if found is None:  # its worker is in the middle of a write
                self._stopped.wait(0.02)
        with self._kept(found):
            yield found

    def _claim(self, about: JobKey, *, takes_over: bool = False) -> Job | None:
        now, lease = self._engine.clock(), self._options.lease_seconds
        wanted = Claim(worker=self._name(), about=about, now=now, lease_seconds=lease, takes_over=takes_over)
        return next(iter(self._engine.store.claim(wanted)), None)

    def _name(self) -> str:
        """Each claim has a name of its own: a late worker is told from itself, too."""
        with self._lock:
            self._claims += 1
            return f"{self._worker}.{self._claims}"

    def _do(self, job: Job, progress: Progress) -> Done:
        if job.crashes >= self._options.retries.crashes_max:
            return self._failed(job, job.error or "crashed")
        duty = Duty(job, self._engine, progress)
        try:
            with self._kept(job):
                counts = self._jobs[job.name].run(duty) or {}
                if duty.status is None:
                    duty.finish(counts)
        except LeaseLost:
            return Done(job=job.name, tenant=job.tenant, key=job.key, status="lost")
        except Exception as error:  # whatever a flow or a model raises: it is on record, and the next job runs
            is_ours = isinstance(error, WellkeptError)
            code = error.code if isinstance(error, WellkeptError) else type(error).__name__
            # By its code: what an error says may be somebody's words.
            _log.warning("job %s failed, attempt %d: %s", job.name, job.attempts, code, exc_info=not is_ours)
            return self._failed(job, code)
        return Done(job=job.name, tenant=job.tenant, key=job.key, status=duty.status or "ok", counts=counts)

    def _failed(self, job: Job, error: str) -> Done:
        now = self._engine.clock()
        is_hopeless = job.crashes >= self._options.retries.crashes_max
        tries = job.attempts - job.crashes
        retry_at = None if is_hopeless else again_at(tries, now=now, rule=self._options.retries)
        failed = Duty(job, self._engine)
        try:
            with self._engine.store.transaction():
                self._engine.store.finish(job, Failure(error=error, at=now, retry_at=retry_at))
                failed.record(status="error", reason=error)
        except LeaseLost:
            return Done(job=job.name, tenant=job.tenant, key=job.key, status="lost", error=error)
        status: Literal["retry", "dead"] = "dead" if retry_at is None else "retry"
        return Done(job=job.name, tenant=job.tenant, key=job.key, status=status, error=error)

    def _schedule(self) -> None:
        now = monotonic()
        if self._scheduled_at is not None and now - self._scheduled_at < self._options.schedule_seconds:
            return
        self._scheduled_at = now
        for tenant in self._engine.store.tenants():
            for name, work in self._jobs.items():
                if work.every is not None and work.is_wanted(tenant, self._engine):
                    tick(tenant, name, work.every, self._engine)

    @contextmanager
    def _kept(self, job: Job) -> Iterator[None]:
        """Show signs of life for this job until it is done."""
        with self._lock:
            self._held[job.lease] = job
            if self._pulse is None:
                self._pulse = threading.Thread(target=self._beat, name="wellkept-heartbeat", daemon=True)
                self._pulse.start()
        try:
            yield
        finally:
            with self._lock:
                self._held.pop(job.lease, None)

    def _beat(self) -> None:
        while not self._stopped.wait(self._options.lease_seconds / 3):
            with self._lock:
                held = list(self._held.values())
            for job in held:
                try:
                    until = self._engine.clock() + timedelta(seconds=self._options.lease_seconds)
                    with suppress(LeaseLost):
                        self._engine.store.hold(job, until=until)
                except StoreError as error:
                    _log.warning("no heartbeat for job %s: %s", job.name, error)

    def start(self) -> None:
        """Work in the background until `stop`."""
        with self._lock:
            if self._thread is None and not self._stopped.is_set():
                self._thread = threading.Thread(target=self.work, name="wellkept-worker", daemon=True)
                self._thread.start()

    def wake(self) -> None:
        """Look at the queue now."""
        self._wake.set()

    def work(self, told: Callable[[Done], None] | None = None) -> None:
        """Run what is due, wait for more, until `cease` or `stop`."""
        while not self._stopped.is_set():
            self._wake.clear()
            try:
                self.run_due(told=told)
                pause = self._pause()
            except StoreError as error:
                _log.warning("the queue cannot be read: %s", error)
                pause = self._options.poll_seconds
            self._wake.wait(pause)

    def _pause(self) -> float:
        due = next((job.due_at for job in self._engine.store.jobs(None, names=list(self._jobs), limit=1)), None)
        until = self._options.poll_seconds if due is None else (due - self._engine.clock()).total_seconds()
        return min(max(until, 0.01), self._options.poll_seconds)

    def cease(self) -> None:
        """Take no further job; safe in a signal handler."""
        self._stopped.set()
        self._wake.set()

    def stop(self) -> None:
        """End after the job that is running now, and wait for that."""
        self.cease()
        for thread in (self._thread, self._pulse):
            if thread is not None and thread is not threading.current_thread():
                thread.join()
