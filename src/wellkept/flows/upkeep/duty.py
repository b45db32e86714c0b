"""A job in a worker's hands: what a flow that runs as a job is given, and how it ends with its effect."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wellkept.store.contract import Entry
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from wellkept.flows.engine import Engine
    from wellkept.store.contract import Job, Status

OWNER = "upkeep"
"""Of the ledger's chain that counts jobs, in the space of the system."""


class Duty:
    """A claimed job at work. Whoever loses the lease can neither write through it nor finish it."""

    def __init__(self, job: Job, engine: Engine, progress: Callable[[int], None] = lambda _done: None) -> None:
        self.job = job
        self.engine = engine
        self.progress = progress
        self.status: Status | None = None
        """How it ended, once it has."""

    @property
    def tenant(self) -> str:
        """Whose job it is."""
        return self.job.tenant

    @property
    def reference(self) -> str:
        """Stands for this work in ledger rows, the same through all its attempts."""
        return digest(self.job.run)

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
