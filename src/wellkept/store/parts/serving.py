"""What servers and graphs keep: API keys, answers, events, supervisors' states, steps and items."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from wellkept.errors import CheckpointConflict, InvalidInput
from wellkept.store.contract import Answer, ApiKey, Chain, Checkpoint, Done, Item, Step, Write
from wellkept.store.core import Core
from wellkept.store.encoding import JsonText, canonical, from_json, json_list, micros, moment, word
from wellkept.store.parts.ledger import ledger_row
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from wellkept.store.contract import EventFilter, LedgerRow
    from wellkept.store.driver import Row


EPOCH = date(1970, 1, 1)


class ServingPart(Core):
    """See `contract.Store`, sections "Servers" and "Checkpoints"."""

    def add_key(self, key: ApiKey) -> None:
        """Keep a key."""
        ends = None if key.expires_at is None else micros(key.expires_at)
        values = vars(key) | {"scopes": canonical(list(key.scopes)), "created_at": micros(key.created_at)}
        values |= {"expires_at": ends}
        with self._within():
            self._db.run("key_add", values)

    def key(self, key_id: str) -> ApiKey | None:
        """By id, of whatever tenant."""
        row = self._db.one("key_of", {"id": key_id})
        return None if row is None else _key(row)

    def keys(self, tenant: str) -> tuple[ApiKey, ...]:
        """Keys of a tenant, oldest first, revoked ones included."""
        return tuple(_key(row) for row in self._db.rows("keys_of_tenant", {"tenant": tenant}))

    def has_keys(self) -> bool:
        """Whether a key was ever added, whatever became of it; what no secret opens (an empty hash) is none."""
        return self._db.one("key_any", {}) is not None

    def revoke_key(self, tenant: str, key_id: str, *, at: datetime) -> bool:
        """From now on it opens nothing; False when there is no such key."""
        with self._within():
            return self._db.run("key_revoke", {"tenant": tenant, "id": key_id, "at": micros(at)}) > 0

    def expire_key(self, tenant: str, key_id: str, *, at: datetime) -> bool:
        """It ends then, or earlier where it already did; False when there is no such key."""
        with self._within():
            return self._db.run("key_expire", {"tenant": tenant, "id": key_id, "at": micros(at)}) > 0

    def answered(self, tenant: str, caller: str, key: str) -> Answer | None:
        """What was answered before."""
        row = self._db.one("answer_of", {"tenant": tenant, "caller": caller, "key": key})
        if row is None:
            return None
        request, user, body, at = row
        return Answer(tenant=tenant, caller=caller, key=key, request=request, user=user, body=body, at=moment(at))

    def keep_answer(self, answer: Answer, *, since: datetime) -> None:
        """Keep an answer and drop the tenant's older than `since`."""
        with self._within():
            self._db.run("answers_drop", {"tenant": answer.tenant, "since": micros(since)})
            self._db.run("answer_add", vars(answer) | {"at": micros(answer.at)})

    @contextmanager
    def held(self) -> Iterator[None]:
        """All transactions of this thread inside are one, which begins with the first of them."""
        if getattr(self._local, "held", None) is not None:
            yield
            return
        with ExitStack() as stack:
            self._local.held = stack
            try:
                yield
            finally:
                self._local.held = None

    def events(self, tenant: str, wanted: EventFilter, *, limit: int) -> tuple[LedgerRow, ...]:
        """Newest first."""
        last = wanted.before
        place: dict[str, object] = {"at": None, "space": None, "last_owner": None, "seq": None}
        if last is not None:
            place = {"at": micros(last.at), "space": last.space, "last_owner": last.owner, "seq": last.seq}
        values = {name: value for name, value in vars(wanted).items() if name != "before"}
        asked = values | place | {"tenant": tenant, "limit": limit, "housekeeping": int(wanted.housekeeping)}
        rows = [] if wanted.op == "search" else [*self._db.rows("events", asked)]
        if wanted.op in (None, "search") and wanted.housekeeping:
            rows += self._db.rows("events_searched", asked)
        # In the order of both statements: newest first, then by chain, each from its end.
        rows.sort(key=lambda row: (-row[3], row[0], row[1], -row[2]))
        return tuple(ledger_row(row) for row in rows[:limit])

    def growth(self, tenant: str, *, owner: str | None = None) -> Mapping[date, int]:
        """Memories made a day (UTC), the earliest first."""
        rows = self._db.rows("growth", {"tenant": tenant, "owner": owner})
        return {EPOCH + timedelta(days=int(day)): int(count) for day, count in rows}

    def activity(self, tenant: str, *, since: datetime, owner: str | None = None) -> tuple[Done, ...]:
        """What was done a day (UTC), the earliest first."""
        rows = self._db.rows("activity", {"tenant": tenant, "since": micros(since), "owner": owner})
        return tuple(
            Done(day=EPOCH + timedelta(days=int(day)), node=node, op=op, times=int(times))
            for day, node, op, times in rows
        )

    def event_counts(self, tenant: str) -> Mapping[tuple[str, str, str], int]:
        """(node, op, status) → how many."""
        rows = self._db.rows("event_counts", {"tenant": tenant})
        return {(node, op, status): count for node, op, status, count in rows}

    def feed(self, tenant: str, hook: str, *, limit: int) -> tuple[LedgerRow, ...]:
        """Rows of which a webhook has not been told."""
        rows = self._db.rows("feed", {"tenant": tenant, "hook": hook, "limit": limit})
        return tuple(map(ledger_row, rows))

    def move_feed(self, tenant: str, hook: str, rows: Sequence[LedgerRow] | None) -> None:
        """A webhook has been told of these rows; None: of everything so far."""
        ends = {(row.space, row.owner): row.seq for row in rows or ()}
        with self._within():
            if rows is None:
                self._db.run("feed_begin", {"tenant": tenant, "hook": hook})
            for (space, owner), seq in ends.items():
                scope = self._scope(tenant, space, owner)
                self._db.run("feed_move", {"tenant": tenant, "hook": hook, "scope": scope, "seq": seq})

    def chains(self, tenant: str) -> tuple[Chain, ...]:
        """The chains of a tenant with their lengths."""
        rows = self._db.rows("chains", {"tenant": tenant})
        return tuple(Chain(space=word(Space, space), owner=owner, length=length) for _, space, owner, length, _ in rows)

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


def _key(row: Row) -> ApiKey:
    tenant, key_id, name, hashed, scopes, created_at, revoked_at, expires_at = row
    return ApiKey(
        tenant=tenant,
        id=key_id,
        name=name,
        hash=hashed,
        scopes=tuple(from_json(scopes)),
        created_at=moment(created_at),
        revoked_at=None if revoked_at is None else moment(revoked_at),
        expires_at=None if expires_at is None else moment(expires_at),
    )


NO_LIMIT = 2**31 - 1
END = "\x01"
"""Ends each part of a namespace; what is below a namespace sorts between it and `AFTER`."""
AFTER = "\x02"


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
