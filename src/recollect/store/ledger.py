"""The ledger: one hash chain a scope, written with the change it records, and a verifier that names the first fault."""

from __future__ import annotations

import hashlib
import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from recollect.errors import InvalidInput
from recollect.store.base import BrokenChain, Entry, LedgerRow
from recollect.store.core import Core, OpenScope
from recollect.store.encoding import canonical, micros, moment
from recollect.vocabulary import Space

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from recollect.store.driver import Row

CODE_LENGTH_MAX = 200
HASHED = (
    "at", "tick", "actor", "node", "op", "status", "memory_id", "version", "category", "sim", "reason", "thread",
    "payload",
)  # fmt: skip
_IN_ORDER = tuple(sorted(HASHED))
"""As the canonical form has them."""
_WHITESPACE = re.compile(r"\s")


def link(previous: str, columns: Mapping[str, Any]) -> str:
    """The hash of a row: over the hash before it and everything the row says."""
    said = canonical({name: columns[name] for name in _IN_ORDER})
    return hashlib.sha256(f"{previous}\n{said}".encode()).hexdigest()


class LedgerPart(Core):
    """See `base.Ledger`."""

    def record(self, tenant: str, space: Space, owner: str, entry: Entry, *, at: datetime) -> None:
        """A ledger row without a change. Searches go to a table of their own, in no chain."""
        with self._within():
            scope = self._open_scope(tenant, self._scope_or_new(tenant, space, owner), is_changing=False)
            if entry.op == "search":
                self._db.run("search_add", self._entry_columns(scope, entry, at))
            else:
                self._append([(scope, entry)], at)
            self._save_scope(scope)

    def _append(self, entries: Sequence[tuple[OpenScope, Entry]], at: datetime) -> None:
        rows = []
        for scope, entry in entries:
            columns = self._entry_columns(scope, entry, at)
            scope.ledger_seq += 1
            scope.ledger_head = link(scope.ledger_head, columns)
            rows.append(columns | {"seq": scope.ledger_seq, "hash": scope.ledger_head})
        self._db.run_many("ledger_add", rows)

    def _entry_columns(self, scope: OpenScope, entry: Entry, at: datetime) -> dict[str, Any]:
        _require_codes(entry.reason)
        _require_codes(entry.payload)
        return {
            "tenant": scope.tenant,
            "scope": scope.scope,
            "at": micros(at),
            "tick": entry.tick,
            "actor": None if entry.actor is None else self._actor(scope, entry.actor),
            "node": entry.node,
            "op": entry.op,
            "status": entry.status,
            "memory_id": entry.memory_id,
            "version": entry.version,
            "category": entry.category,
            "sim": None if entry.sim is None else float(entry.sim),
            "reason": entry.reason,
            "thread": entry.thread,
            "payload": canonical(dict(entry.payload)),
        }

    def _actor(self, scope: OpenScope, user: str) -> int:
        """The user's number in this chain: it says nothing to whoever cannot read the table of pseudonyms."""
        if user not in scope.actors:
            key = {"tenant": scope.tenant, "scope": scope.scope, "user": user}
            row = self._db.one("actor_of", key)
            if row is None:
                scope.last_actor += 1
                self._db.run("actor_add", key | {"actor": scope.last_actor})
            scope.actors[user] = scope.last_actor if row is None else int(row[0])
        return scope.actors[user]

    def history(self, tenant: str, memory_id: str, *, limit: int) -> tuple[LedgerRow, ...]:
        """Rows about one memory, newest first."""
        rows = self._db.rows("ledger_of_memory", {"tenant": tenant, "id": memory_id, "limit": limit})
        return tuple(ledger_row(row) for row in rows)

    def rows(self, tenant: str, *, after: int = 0, limit: int = 100) -> tuple[LedgerRow, ...]:
        """The newest rows of all chains of a tenant, newest first; of each chain only those after number `after`."""
        rows = self._db.rows("ledger_newest", {"tenant": tenant, "after": after, "limit": limit})
        return tuple(ledger_row(row) for row in rows)

    def verify(self, tenant: str) -> Iterator[BrokenChain]:
        """The first fault of each broken chain; nothing when all hold."""
        with self.snapshot():
            faults = [self._fault(tenant, *chain) for chain in self._db.rows("chains", {"tenant": tenant})]
        yield from (fault for fault in faults if fault is not None)

    def _fault(self, tenant: str, scope: int, space: str, owner: str, *end: Any) -> BrokenChain | None:  # noqa: ANN401
        length, head = end
        broken = partial(BrokenChain, space=Space(space), owner=owner)
        previous, expected = "", 1
        for row in self._db.stream("chain_rows", {"tenant": tenant, "scope": scope}):
            seq, found = row[0], row[1]
            if seq != expected:
                return broken(seq=expected, fault="missing")
            if link(previous, _columns(row)) != found:
                is_moved = self._is_moved(tenant, scope, row)
                return broken(seq=seq, fault="reordered" if is_moved else "changed")
            previous, expected = found, expected + 1
        if expected <= length:
            return broken(seq=expected, fault="missing")
        if expected > length + 1 or previous != head:
            return broken(seq=min(expected - 1, length + 1), fault="changed")
        return None

    def _is_moved(self, tenant: str, scope: int, row: Row) -> bool:
        """Is it a true row of this chain that follows another one than the row before it?"""
        columns = _columns(row)
        others = self._db.stream("chain_rows", {"tenant": tenant, "scope": scope})
        return any(link(other[1], columns) == row[1] for other in others) or link("", columns) == row[1]

    def accessed(self, tenant: str, memory_ids: Mapping[str, int], *, at: datetime, reader: str | None = None) -> None:
        """Add buffered access counts; not part of any chain. With a `reader`, other users' memories are left alone."""
        counts = [
            {"tenant": tenant, "id": memory_id, "times": times, "at": micros(at), "reader": reader}
            for memory_id, times in sorted(memory_ids.items())
        ]
        with self.transaction():
            self._db.run_many("accessed", counts)


def _columns(row: Row) -> dict[str, Any]:
    return dict(zip(HASHED, row[2:], strict=True))


def ledger_row(row: Row) -> LedgerRow:
    """A row of `ledger_columns` as it is read back."""
    space, owner, seq, at, hashed, node, op, status, memory_id, version, category, sim, reason, payload, *rest = row
    tick, thread, actor = rest
    entry = Entry(
        node=node,
        op=op,
        status=status,
        memory_id=memory_id,
        version=version,
        category=category,
        sim=sim,
        reason=reason,
        payload=json.loads(payload),
        tick=tick,
        thread=thread,
        actor=actor,
    )
    return LedgerRow(space=Space(space), owner=owner, seq=seq, at=moment(at), entry=entry, hash=hashed)


def _require_codes(value: object) -> None:
    """Codes and references have no spaces; sentences do. What looks like text is kept out of the ledger."""
    if isinstance(value, str):
        if len(value) > CODE_LENGTH_MAX or _WHITESPACE.search(value):
            raise InvalidInput("The ledger takes codes and references, never text.", code="text_in_ledger")
    elif isinstance(value, (list, tuple)):
        for item in value:
            _require_codes(item)
    elif hasattr(value, "items"):
        for key, item in value.items():
            _require_codes(key)
            _require_codes(item)
