"""Supervisors' states, and what graphs keep: steps, writes and items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellkept.errors import CheckpointConflict, InvalidInput
from wellkept.store.contract import Checkpoint, Item, Step, Write
from wellkept.store.core import Core
from wellkept.store.encoding import JsonText, json_list, micros, moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellkept.store.driver import Row

NO_LIMIT = 2**31 - 1
END = "\x01"
"""Ends each part of a namespace; what is below a namespace sorts between it and `AFTER`."""
AFTER = "\x02"


class CheckpointsPart(Core):
    """See `contract.Store`, section "Checkpoints"."""

    def checkpoint(self, tenant: str, user: str, thread: str) -> Checkpoint | None:
        """The latest state of a thread."""
        row = self._db.one("checkpoint_of", {"tenant": tenant, "user": user, "thread": thread})
        return None if row is None else _checkpoint(row)

    def checkpoints(self, tenant: str, *, user: str | None = None, limit: int = 100) -> tuple[Checkpoint, ...]:
        """Latest states, the last changed first."""
        name = "checkpoints_all" if user is None else "checkpoints_of"
        return tuple(map(_checkpoint, self._db.rows(name, {"tenant": tenant, "user": user, "limit": limit})))

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Over the version before this one, or new."""
        columns = {
            "tenant": checkpoint.tenant,
            "id": checkpoint.id,
            "user": checkpoint.user_id,
            "thread": checkpoint.thread_id,
            "data": JsonText(checkpoint.data),
            "version": checkpoint.version,
            "created_at": micros(checkpoint.created_at),
            "updated_at": micros(checkpoint.updated_at),
        }
        with self._within():
            if self._db.run("checkpoint_add" if checkpoint.version == 1 else "checkpoint_change", columns) != 1:
                raise CheckpointConflict(checkpoint.thread_id)

    def drop_checkpoint(self, tenant: str, user: str, thread: str) -> bool:
        """Remove a thread's state."""
        return self._db.run("checkpoint_remove", {"tenant": tenant, "user": user, "thread": thread}) == 1

    def put_step(self, step: Step) -> None:
        """Store a step."""
        columns = vars(step) | {"thread": step.thread_id, "body": step.checkpoint}
        self._db.run("step_put", columns)

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
        """Steps, the latest first; of all threads one thread after the other."""
        most = NO_LIMIT if limit is None else limit
        wanted = {"tenant": tenant, "ns": ns, "checkpoint_id": checkpoint_id, "before": before}
        found: list[Step] = []
        for name in self._threads(tenant) if thread is None else (thread,):
            rows = self._db.rows("steps_of_thread", wanted | {"thread": name, "limit": most - len(found)})
            found += [_step(tenant, row) for row in rows]
            if len(found) >= most:
                break
        return tuple(found)

    def _threads(self, tenant: str) -> Iterator[str]:
        thread: str | None = ""
        while thread is not None:
            row = self._db.one("steps_after", {"tenant": tenant, "thread": thread})
            thread = None if row is None else row[0]
            if thread is not None:
                yield thread

    def put_writes(self, step: tuple[str, str, str, str], writes: Sequence[Write]) -> None:
        """Writes after a step."""
        place = _place(step)
        with self._within():
            self._db.run_many("graph_write_add", [place | vars(write) | place for write in writes])

    def writes(self, tenant: str, thread: str, ns: str, checkpoint_id: str) -> tuple[Write, ...]:
        """Writes after a step, in the order in which they are applied."""
        rows = self._db.rows("graph_writes_of", _place((tenant, thread, ns, checkpoint_id)))
        return tuple(
            Write(checkpoint_id=row[0], task_id=row[1], idx=row[2], channel=row[3], task_path=row[4], value=row[5])
            for row in rows
        )

    def drop_steps(self, steps: Sequence[tuple[str, str, str, str]]) -> None:
        """Remove these steps with their writes."""
        with self._within():
            for name in ("step_writes_remove", "step_remove"):
                self._db.run_many(name, [_place(step) for step in steps])

    def drop_thread(self, tenant: str, thread: str) -> None:
        """Remove a thread's steps with all writes."""
        with self._within():
            for name in ("thread_writes_remove", "thread_steps_remove"):
                self._db.run(name, {"tenant": tenant, "thread": thread})

    def steps_of_runs(self, tenant: str, runs: Sequence[str]) -> tuple[tuple[str, str, str, str], ...]:
        """Which steps these runs made."""
        rows = self._db.rows("steps_of_runs", {"tenant": tenant, "runs": json_list(list(runs))})
        return tuple((row[0], row[1], row[2], row[3]) for row in rows)

    def copy_thread(self, tenant: str, source: str, target: str) -> None:
        """All steps and writes of a thread again under another name."""
        with self._within():
            for name in ("steps_copy", "writes_copy"):
                self._db.run(name, {"tenant": tenant, "source": source, "target": target})

    def item(self, tenant: str, namespace: Sequence[str], key: str) -> Item | None:
        """One item."""
        row = self._db.one("item_of", {"tenant": tenant, "namespace": _namespace(namespace), "key": key})
        return None if row is None else _item(row)

    def items(self, tenant: str, prefix: Sequence[str]) -> tuple[Item, ...]:
        """Items in a namespace and below it."""
        first = _namespace(prefix)
        last = first[:-1] + AFTER if first else "\U0010ffff"
        return tuple(map(_item, self._db.rows("items_below", {"tenant": tenant, "first": first, "last": last})))

    def put_item(self, item: Item) -> None:
        """Store an item."""
        columns = {
            "tenant": item.tenant,
            "namespace": _namespace(item.namespace),
            "key": item.key,
            "value": item.value,
            "created_at": micros(item.created_at),
            "updated_at": micros(item.updated_at),
        }
        self._db.run("item_put", columns)

    def drop_item(self, tenant: str, namespace: Sequence[str], key: str) -> None:
        """Remove an item."""
        self._db.run("item_remove", {"tenant": tenant, "namespace": _namespace(namespace), "key": key})


def _place(step: tuple[str, str, str, str]) -> dict[str, Any]:
    return dict(zip(("tenant", "thread", "ns", "checkpoint_id"), step, strict=True))


def _checkpoint(row: Row) -> Checkpoint:
    tenant, checkpoint_id, user_id, thread_id, data, version, created_at, updated_at = row
    return Checkpoint(
        tenant=tenant,
        id=checkpoint_id,
        user_id=user_id,
        thread_id=thread_id,
        data=data,
        version=version,
        created_at=moment(created_at),
        updated_at=moment(updated_at),
    )


def _step(tenant: str, row: Row) -> Step:
    thread, ns, checkpoint_id, parent_id, run_id, body, metadata = row
    return Step(
        tenant=tenant,
        thread_id=thread,
        ns=ns,
        checkpoint_id=checkpoint_id,
        parent_id=parent_id,
        run_id=run_id,
        checkpoint=body,
        metadata=metadata,
    )


def _item(row: Row) -> Item:
    tenant, namespace, key, value, created_at, updated_at = row
    return Item(
        tenant=tenant,
        namespace=namespace_of(namespace),
        key=key,
        value=value,
        created_at=moment(created_at),
        updated_at=moment(updated_at),
    )


def namespace_of(stored: str) -> tuple[str, ...]:
    """The parts of a namespace as it is stored."""
    return tuple(stored.split(END)[:-1])


def _namespace(parts: Sequence[str]) -> str:
    if any(sign in part for part in parts for sign in (END, AFTER, "\0")):
        raise InvalidInput("A namespace has a control character in it.", code="invalid_namespace")
    return "".join(f"{part}{END}" for part in parts)
