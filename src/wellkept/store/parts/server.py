"""API keys, kept answers, and the ledger as events."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from datetime import date, timedelta
from typing import TYPE_CHECKING

from wellkept.store.chains.ledger import ledger_row
from wellkept.store.contract import Answer, ApiKey, Chain, Done
from wellkept.store.core import Core
from wellkept.store.encoding import canonical, from_json, micros, moment, word
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from wellkept.store.contract import EventFilter, LedgerRow
    from wellkept.store.driver import Row


EPOCH = date(1970, 1, 1)


class ServingPart(Core):
    """See `contract.Store`, section "Servers"."""

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
