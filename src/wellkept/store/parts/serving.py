"""What servers and graphs keep: API keys, answers, events, supervisors' states, steps and items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from wellkept.errors import CheckpointConflict, InvalidInput
from wellkept.store.contract import (
    Answer,
    AnswersBefore,
    AnyKey,
    ApiKey,
    Checkpoint,
    CheckpointKey,
    Done,
    FeedMark,
    Item,
    ItemKey,
    Step,
    StepQuery,
    Write,
    Writes,
)
from wellkept.store.core import Core
from wellkept.store.encoding import JsonText, columns, json_list, micros, record_of


class ServingPart(Core):
    """See `contract.Store`, sections "Servers" and "Checkpoints"."""

    def keys(self, tenant: str | None = None, *, key_id: str | None = None) -> tuple[ApiKey, ...]:
        name = "keys_of_tenant" if key_id is None else "key_of"
        return tuple(record_of(ApiKey, row) for row in self._db.rows(name, {"tenant": tenant, "id": key_id}))

    def answered(self, tenant: str, caller: str, key: str) -> Answer | None:
        asked = {"tenant": tenant, "caller": caller, "key": key}
        row = self._db.one("answer_of", asked)
        return None if row is None else record_of(Answer, row, **asked)

    def activity(self, tenant: str, *, since: datetime, owner: str | None = None) -> tuple[Done, ...]:
        rows = self._db.rows("activity", {"tenant": tenant, "since": micros(since), "owner": owner})
        return tuple(record_of(Done, row) for row in rows)

    def _keep_feed(self, mark: FeedMark) -> None:
        key = {"tenant": mark.tenant, "hook": mark.hook}
        if mark.rows is None:
            self._db.run("feed_begin", key)
        for (space, owner), seq in {(row.space, row.owner): row.seq for row in mark.rows or ()}.items():
            self._db.run("feed_move", key | {"scope": self._scope(mark.tenant, space, owner), "seq": seq})

    def checkpoints(
        self, tenant: str, *, user: str | None = None, thread: str | None = None, limit: int = 100
    ) -> tuple[Checkpoint, ...]:
        name = "checkpoint_of" if thread is not None else "checkpoints_all" if user is None else "checkpoints_of"
        wanted = {"tenant": tenant, "user": user, "thread": thread, "limit": limit}
        return tuple(record_of(Checkpoint, row) for row in self._db.rows(name, wanted))

    def _keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        name = "checkpoint_add" if checkpoint.version == 1 else "checkpoint_change"
        if self._db.run(name, columns(checkpoint) | {"data": JsonText(checkpoint.data)}) != 1:
            raise CheckpointConflict(checkpoint.thread_id)

    def _keep_step(self, step: Step) -> None:
        self._db.run("step_put", vars(step))
        self._keep_writes(step)

    def steps(self, wanted: StepQuery) -> tuple[Step, ...]:
        found = self._steps_of_runs(wanted) if wanted.runs is not None else self._steps_of_threads(wanted)
        return tuple(replace(step, writes=self._writes(step)) if wanted.with_writes else step for step in found)

    def _steps_of_runs(self, wanted: StepQuery) -> list[Step]:
        rows = self._db.rows("steps_of_runs", {"tenant": wanted.tenant, "runs": json_list(list(wanted.runs or ()))})
        return [record_of(Step, row, tenant=wanted.tenant) for row in rows]

    def _steps_of_threads(self, wanted: StepQuery) -> list[Step]:
        most = NO_LIMIT if wanted.limit is None else wanted.limit
        found: list[Step] = []
        for thread in self._threads(wanted.tenant) if wanted.thread is None else (wanted.thread,):
            rows = self._db.rows("steps_of_thread", vars(wanted) | {"thread": thread, "limit": most - len(found)})
            found += [record_of(Step, row, tenant=wanted.tenant) for row in rows]
            if len(found) >= most:
                break
        return found

    def _writes(self, step: Step) -> tuple[Write, ...]:
        return tuple(record_of(Write, row) for row in self._db.rows("graph_writes_of", vars(step)))

    def _drop_steps(self, which: StepQuery) -> int:
        if which == StepQuery(tenant=which.tenant, thread=which.thread):
            key = {"tenant": which.tenant, "thread": which.thread}
            self._db.run("thread_writes_remove", key)
            return self._db.run("thread_steps_remove", key)
        steps = self.steps(which)
        for name in ("step_writes_remove", "step_remove"):
            self._db.run_many(name, [vars(step) for step in steps])
        return len(steps)

    def _threads(self, tenant: str) -> Iterator[str]:
        thread: str | None = ""
        while thread is not None:
            row = self._db.one("steps_after", {"tenant": tenant, "thread": thread})
            thread = None if row is None else row[0]
            if thread is not None:
                yield thread

    def _keep_writes(self, after: Step | Writes) -> None:
        self._db.run_many("graph_write_add", [vars(write) | vars(after) for write in after.writes])

    def items(self, tenant: str, namespace: Sequence[str], *, key: str | None = None) -> tuple[Item, ...]:
        first = _namespace(namespace)
        last = first[:-1] + AFTER if first else "\U0010ffff"
        where = {"tenant": tenant, "namespace": first, "key": key, "first": first, "last": last}
        rows = self._db.rows("items_below" if key is None else "item_of", where)
        return tuple(record_of(Item, row, tenant=tenant, namespace=namespace_of(name)) for name, *row in rows)

    def _keep_item(self, item: Item) -> None:
        self._db.run("item_put", columns(item) | {"namespace": _namespace(item.namespace)})

    def _drop_item(self, which: ItemKey) -> int:
        return self._db.run("item_remove", vars(which) | {"namespace": _namespace(which.namespace)})

    _HANDLES: ClassVar = {
        ("keep", FeedMark): _keep_feed,
        ("keep", ApiKey): "key_put",
        ("has", AnyKey): "key_any",
        ("keep", Answer): "answer_add",
        ("drop", AnswersBefore): "answers_drop",
        ("keep", Checkpoint): _keep_checkpoint,
        ("drop", CheckpointKey): "checkpoint_remove",
        ("keep", Step): _keep_step,
        ("keep", Writes): _keep_writes,
        ("drop", StepQuery): _drop_steps,
        ("keep", Item): _keep_item,
        ("drop", ItemKey): _drop_item,
    }


NO_LIMIT = 2**31 - 1
END = "\x01"
"""Ends each part of a namespace; what is below a namespace sorts between it and `AFTER`."""
AFTER = "\x02"


def namespace_of(stored: str) -> tuple[str, ...]:
    """The parts of a namespace as it is stored."""
    return tuple(stored.split(END)[:-1])


def _namespace(parts: Sequence[str]) -> str:
    if any(sign in part for part in parts for sign in (END, AFTER, "\0")):
        raise InvalidInput("A namespace has a control character in it.", code="invalid_namespace")
    return "".join(f"{part}{END}" for part in parts)
