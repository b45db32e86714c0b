"""What paces upkeep: schedules whose tick has passed, rounds and jobs at work, and daily budgets."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from wellkept.policies.upkeep import pace
from wellkept.policies.upkeep.pace import latest_slot
from wellkept.store.contract import Entry, NewJob
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.judges.llm.meter import Account
    from wellkept.policies.upkeep.pace import TokenLimits
    from wellkept.store.contract import Job, Status, Store
    from wellkept.types import Decision


DAY = timedelta(days=1)


def tick(tenant: str, name: str, every: timedelta, engine: Engine) -> bool:
    """Queue the job when the tenant's slot has come; ticks that were missed are caught up once. Whether it was queued.

    A tenant that is seen for the first time waits for its slot, so that a fleet of new ones does not begin at once.
    """
    since = engine.store.watermark(tenant, name)
    slot = latest_slot(tenant, every, engine.clock())
    if since is None:
        engine.store.advance(tenant, name, since=None, to=slot)
        return False
    return since < slot and _queue(tenant, name, since, slot, engine)


def tick_now(tenant: str, name: str, every: timedelta, engine: Engine) -> bool:
    """Queue the job at once, unless it was queued in this span already. Whether it was."""
    since, now = engine.store.watermark(tenant, name), engine.clock()
    return (since is None or now - since >= every) and _queue(tenant, name, since, now, engine)


def _queue(tenant: str, name: str, since: datetime | None, to: datetime, engine: Engine) -> bool:
    store = engine.store
    with store.transaction():
        is_ours = store.advance(tenant, name, since=since, to=to)
        if is_ours:
            store.keep(NewJob(tenant=tenant, name=name, due_at=engine.clock()))
    return is_ours


OWNER = "upkeep"
"""Of the ledger's chain that counts jobs, in the space of the system."""


class Sweep:
    """A round through one tenant: who is told how far it is, and what its transactions are."""

    reference = ""
    """Stands for this work in ledger rows, where it is a job's."""
    is_resumed = False
    """Whether an earlier attempt was cut short and may have done part of it."""

    def __init__(self, tenant: str, engine: Engine, progress: Callable[[int], None] = lambda _done: None) -> None:
        self.tenant = tenant
        self.engine = engine
        self.progress = progress

    def transaction(self) -> AbstractContextManager[None]:
        """For one batch."""
        return self.engine.store.transaction()


class Duty(Sweep):
    """A claimed job at work. Whoever loses the lease can neither write through it nor finish it."""

    def __init__(self, job: Job, engine: Engine, progress: Callable[[int], None] = lambda _done: None) -> None:
        super().__init__(job.tenant, engine, progress)
        self.job = job
        self.reference = digest(job.run)  # the same through all attempts
        self.is_resumed = job.attempts > 1
        self.status: Status | None = None
        """How it ended, once it has."""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside is written by the holder of the lease, or not at all."""
        with self.engine.store.transaction():
            self.engine.store.hold(self.job)
            yield

    def finish(
        self, counts: Mapping[str, int] | None = None, *, status: Status = "ok", reason: str | None = None
    ) -> None:
        """The work is done: call it in the transaction of the last effect. Counts and a code go to the ledger."""
        with self.engine.store.transaction():
            self.engine.store.finish(self.job)
            self.record(counts or {}, status=status, reason=reason or "job_done")
        self.status = status

    def record(self, counts: Mapping[str, int] | None = None, *, status: Status, reason: str) -> None:
        """A ledger row about this work: which, how often tried, how much done."""
        payload = {
            "job": self.job.name,
            "key": digest("\n".join(self.job.about)),
            "run": self.reference,
            "attempts": self.job.attempts,
            **(counts or {}),
        }
        entry = Entry(node="worker", op="admin", status=status, reason=reason, payload=payload)
        self.engine.store.record(self.job.tenant, Space.SYSTEM, OWNER, entry, at=self.engine.clock())


def digest(text: str) -> str:
    """Sixteen digits that stand for a text which does not belong in the ledger."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


TOKENS = "tokens"
WRITES = "writes"
TENANT = ""
"""The owner under whom a tenant's own total stands."""


class StoreMeter:
    """See `judges.llm.meter.Meter`. What is counted are tokens, or writes of callers from outside."""

    def __init__(self, store: Store, kind: str = TOKENS) -> None:
        self._store = store
        self._kind = kind

    def reserve(self, account: Account, tokens: int, limits: TokenLimits) -> Decision:
        """Take so many tokens off the day's budget, or refuse and take nothing."""
        with self._store.transaction():
            # The tenant's row is written first: of two callers at once, the second waits here for the first.
            tenant = self._add(account, TENANT, 0)
            user = self._add(account, account.user, 0) if account.user else 0
            decision = pace.admit_tokens(tokens, pace.TokensSpent(user=user, tenant=tenant), limits)
            if decision.verdict == "pass":
                self._add_both(account, tokens)
        return decision

    def settle(self, account: Account, *, reserved: int, used: int) -> None:
        """Replace what was reserved for a call by what it took."""
        with self._store.transaction():
            self._add_both(account, used - reserved)

    def spent(self, account: Account) -> pace.TokensSpent:
        """Of this day so far."""
        user = self._store.tally(account.tenant, self._kind, account.user, day=account.day) if account.user else 0
        return pace.TokensSpent(
            user=user, tenant=self._store.tally(account.tenant, self._kind, TENANT, day=account.day)
        )

    def _add_both(self, account: Account, tokens: int) -> None:
        self._add(account, TENANT, tokens)
        if account.user:
            self._add(account, account.user, tokens)

    def _add(self, account: Account, owner: str | None, tokens: int) -> int:
        return self._store.tally(account.tenant, self._kind, owner or TENANT, day=account.day, add=tokens)
