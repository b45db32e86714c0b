"""The contract of checkpoints: a supervisor's latest state; steps, writes and items of graphs. Values are JSON."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence


@frozen
class Checkpoint:
    """The latest state of one supervisor's thread."""

    tenant: str
    id: str
    user_id: str
    thread_id: str
    data: str
    """JSON."""
    version: int
    created_at: datetime
    updated_at: datetime


@frozen
class Step:
    """One checkpoint of a graph."""

    tenant: str
    thread_id: str
    ns: str
    checkpoint_id: str
    parent_id: str | None
    run_id: str | None
    checkpoint: str
    metadata: str
    """Both JSON."""


@frozen
class Write:
    """What a task wrote after a step, before the next one."""

    checkpoint_id: str
    task_id: str
    idx: int
    channel: str
    task_path: str
    value: str


@frozen
class Item:
    """A value that graphs keep across threads."""

    tenant: str
    namespace: tuple[str, ...]
    key: str
    value: str
    created_at: datetime
    updated_at: datetime


class Checkpoints(Protocol):
    """Supervisors' states, and what graphs keep."""

    def checkpoint(self, tenant: str, user: str, thread: str) -> Checkpoint | None:
        """The latest state of a thread."""

    def checkpoints(self, tenant: str, *, user: str | None = None, limit: int = 100) -> tuple[Checkpoint, ...]:
        """Latest states, the last changed first; of one user or of all."""

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Over version - 1, or new with version 1; else `CheckpointConflict`, and nothing is written."""

    def drop_checkpoint(self, tenant: str, user: str, thread: str) -> bool:
        """Remove a thread's state; False when there was none."""

    def put_step(self, step: Step) -> None:
        """Store a step; one with the same id is replaced."""

    def steps(
        self,
        tenant: str,
        *,
        thread: str | None = None,
        ns: str | None = None,
        checkpoint_id: str | None = None,
        before: str | None = None,
        limit: int | None = None,
    ) -> tuple[Step, ...]:
        """Steps, the latest first."""

    def put_writes(self, step: tuple[str, str, str, str], writes: Sequence[Write]) -> None:
        """Writes after a step (tenant, thread, ns, id). One that is there stays, unless its idx is below 0."""

    def writes(self, tenant: str, thread: str, ns: str, checkpoint_id: str) -> tuple[Write, ...]:
        """Writes after a step, in the order in which they are applied."""

    def drop_steps(self, steps: Sequence[tuple[str, str, str, str]]) -> None:
        """Remove these steps with their writes."""

    def drop_thread(self, tenant: str, thread: str) -> None:
        """Remove a thread's steps with all writes, those too that follow no step."""

    def steps_of_runs(self, tenant: str, runs: Sequence[str]) -> tuple[tuple[str, str, str, str], ...]:
        """Which steps these runs made."""

    def copy_thread(self, tenant: str, source: str, target: str) -> None:
        """All steps and writes of a thread again under another name."""

    def item(self, tenant: str, namespace: Sequence[str], key: str) -> Item | None:
        """One item."""

    def items(self, tenant: str, prefix: Sequence[str]) -> tuple[Item, ...]:
        """Items in a namespace and below it, in the order of namespace and key."""

    def put_item(self, item: Item) -> None:
        """Store an item; one that is there keeps its first time."""

    def drop_item(self, tenant: str, namespace: Sequence[str], key: str) -> None:
        """Remove an item."""
