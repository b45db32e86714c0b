"""The ledger: one hash chain a scope, written with the change it records, and a verifier that names the first fault."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from itertools import chain as joined
from typing import Any, ClassVar, Literal, get_args

from wellkept.errors import DamagedRow, InvalidInput
from wellkept.store.contract import (
    BrokenChain,
    Entry,
    Events,
    Feed,
    LedgerQuery,
    LedgerRow,
    NewestRows,
    Reads,
    RowsAbout,
    Searches,
)
from wellkept.store.core import Core, OpenScope
from wellkept.store.encoding import Row, canonical, from_json, micros, record_of, word
from wellkept.values import frozen
from wellkept.vocabulary import Space

HASHED = (
    "at", "tick", "actor", "node", "op", "status", "memory_id", "version", "category", "sim", "reason", "thread",
    "payload",
)  # fmt: skip
SEALED = "chain_sealed"
"""The reason of a row that seals a break."""

ChainFault = Literal["changed", "missing", "reordered"]


@frozen
class Break:
    """Where a chain does not hold."""

    seq: int
    fault: ChainFault
    seal: int | None = None
    """Number of the row that seals it: it is known, and what stood before that row is as it was then."""


def link(previous: str, columns: Mapping[str, Any]) -> str:
    """The hash of a row: over the hash before it and everything the row says, which are the columns `HASHED`."""
    return _digest(previous, canonical(columns))


@dataclass(kw_only=True)
class Chain:
    """What was read so far.

    A row follows from the hash of the row before it. A seal follows from `witness` instead, a digest over every row
    before it as it stands, broken or not: whoever touches one of them later breaks the seal too.
    """

    heads: Mapping[int, str] = field(default_factory=dict)
    """What the tenant's chain knows of this one: number of a row → its hash."""
    length: int = 0
    head: str = ""
    witness: str = ""
    fault: Break | None = None
    """The first break that no seal covers."""
    sealed: list[Break] = field(default_factory=list)

    def follow(self, seq: int, found: str, columns: dict[str, Any]) -> None:
        """The next row: its number, its hash and what it says (`HASHED`)."""
        said = canonical(columns)
        if columns["reason"] == SEALED and found == _digest(self.witness, said):
            self.sealed.append(_known(columns["payload"], seq))
            self.fault = None
        elif self.fault is None and seq != self.length + 1:
            self.fault = Break(seq=self.length + 1, fault="missing")
        elif self.fault is None and (found != _digest(self.head, said) or self.heads.get(seq, found) != found):
            self.fault = Break(seq=seq, fault="changed")
        self.witness = _digest(self.witness, f"{seq}\n{found}\n{said}")
        self.length, self.head = seq, found

    def end(self, length: int, head: str) -> None:
        """No row is left, and the scope tells of so many and of this last hash."""
        is_short = self.length < max((length, *self.heads))
        if self.fault is not None or ((self.length, self.head) == (length, head) and not is_short):
            return
        if is_short:
            self.fault = Break(seq=self.length + 1, fault="missing")
        else:
            self.fault = Break(seq=min(self.length, length + 1), fault="changed")


def _known(payload: str, seal: int) -> Break:
    """What a seal says of its break; an imported one may say nothing, and then it is its own."""
    told = from_json(payload)
    for fault in get_args(ChainFault):
        if isinstance(told, dict) and told.get("fault") == fault and isinstance(told.get("seq"), int):
            return Break(seq=told["seq"], fault=fault, seal=seal)
    return Break(seq=seal, fault="changed", seal=seal)


def _digest(previous: str, said: str) -> str:
    return hashlib.sha256(f"{previous}\n{said}".encode()).hexdigest()


TENANT_CHAIN = "*"
"""What the owner of the tenant's own chain is called, in the space of the system."""
_COUNTER = "sealed_head"
_NO_SCOPE = 0


class LedgerPart(Core):
    """See `contract.Store`, section "Ledger"."""

    def seal_heads(self, tenant: str, *, after: int, limit: int, at: datetime) -> tuple[int, ...]:
        with self._within():
            wanted = {"tenant": tenant, "after": after, "limit": limit}
            grown = self._db.rows("heads_to_seal", wanted)
            for scope, seq, head in grown:
                self._seal_head(tenant, {"at": micros(at), "scope": scope, "seq": seq, "head": head, "fault": None})
        return tuple(int(row[0]) for row in grown)

    def _seal_head(self, tenant: str, row: Mapping[str, Any], previous: str | None = None) -> None:
        """Append to the tenant's chain; `previous`: what it follows from, where that is not the row before it."""
        number = self._count_up(tenant, _NO_SCOPE, _COUNTER)
        if previous is None:
            before = self._db.one("head_numbered", {"tenant": tenant, "number": number - 1})
            previous = "" if before is None else str(before[0])
        self._db.run("head_add", {"tenant": tenant, "number": number, **row, "hash": link(previous, head_columns(row))})

    def _tenant_chain(self, tenant: str) -> Chain:
        chain = Chain()
        for number, found, at, seq, head, fault, is_there in self._db.stream("heads", {"tenant": tenant}):
            chain.follow(number, found, head_columns({"at": at, "seq": seq, "head": head, "fault": fault}))
            if chain.fault is None and not is_there:
                chain.fault = Break(seq=number, fault="missing")
        counted = self._db.one("heads_counted", {"tenant": tenant, "kind": _COUNTER})
        chain.end(0 if counted is None else int(counted[0]), chain.head)
        return chain

    def _seal_tenant_chain(self, tenant: str, broken: BrokenChain, *, at: datetime) -> bool:
        chain = self._tenant_chain(tenant)
        if chain.fault is None or (chain.fault.seq, chain.fault.fault) != (broken.seq, broken.fault):
            return False
        self._db.run("counter_raise", {"tenant": tenant, "scope": _NO_SCOPE, "kind": _COUNTER, "number": chain.length})
        row = {"at": micros(at), "scope": _NO_SCOPE, "seq": broken.seq, "head": "", "fault": broken.fault}
        self._seal_head(tenant, row, previous=chain.witness)
        return True

    def record(self, tenant: str, space: Space, owner: str, entry: Entry, *, at: datetime) -> None:
        with self._within():
            number = self._scope_or_new(tenant, space, owner)
            scope = self._open_scope(tenant, number, is_changing=False, user=entry.actor)
            if entry.op == "search":
                self._db.run("search_add", self._search_columns(scope, entry, at))
            else:
                self._append([(scope, entry)], at)
            self._save_scope(scope)

    def _keep_searches(self, made: Searches) -> None:
        """Rows in no chain, without an actor."""
        # Not from the cache: whoever was erased meanwhile is not named again.
        number, is_erased = self._look_up((made.tenant, str(made.space), made.owner))
        if number is None or is_erased or not made.searches:
            return
        held = self._db.held_rows("scope_held", {"tenant": made.tenant, "scope": number})
        if not held or held[0][0] != made.owner:
            return
        scope = OpenScope(tenant=made.tenant, scope=number)
        self._db.run_many("search_add", [self._search_columns(scope, entry, at) for at, entry in made.searches])

    def _append(self, entries: Sequence[tuple[OpenScope, Entry]], at: datetime) -> None:
        rows = []
        for scope, entry in entries:
            columns = self._hashed_columns(scope, entry, at)
            scope.ledger_seq += 1
            scope.ledger_head = link(scope.ledger_head, columns)
            columns["tenant"], columns["scope"] = scope.tenant, scope.scope
            columns["seq"], columns["hash"] = scope.ledger_seq, scope.ledger_head
            rows.append(columns)
        self._db.run_many("ledger_add", rows)

    def _search_columns(self, scope: OpenScope, entry: Entry, at: datetime) -> dict[str, Any]:
        return {"tenant": scope.tenant, "scope": scope.scope, **self._hashed_columns(scope, entry, at)}

    def _hashed_columns(self, scope: OpenScope, entry: Entry, at: datetime) -> dict[str, Any]:
        """What a row says, without its place in a chain: the columns `HASHED`."""
        if entry.reason is not None:
            _require_code(entry.reason)
        given = vars(entry) | {
            "at": micros(at),
            "actor": None if entry.actor is None else self._actor(scope, entry.actor),
            "sim": None if entry.sim is None else float(entry.sim),
            "payload": _codes(entry.payload) if entry.payload else "{}",
        }
        return {name: given[name] for name in HASHED}

    def _actor(self, scope: OpenScope, user: str) -> int:
        """The user's number in this chain: it says nothing to whoever cannot read the table of pseudonyms."""
        key = {"tenant": scope.tenant, "scope": scope.scope, "user": user}
        if user not in scope.actors:
            row = self._db.one("actor_of", key)
            scope.actors[user] = 0 if row is None else int(row[0])
        if not scope.actors[user]:
            scope.last_actor = scope.actors[user] = scope.last_actor + 1
            self._db.run("actor_add", key | {"actor": scope.last_actor})
        return scope.actors[user]

    def ledger(self, wanted: LedgerQuery) -> tuple[LedgerRow, ...]:
        match wanted:
            case RowsAbout():
                rows = self._db.rows("ledger_of_memory", vars(wanted))
            case NewestRows():
                rows = self._db.rows("ledger_newest", vars(wanted))
            case Feed():
                rows = self._db.rows("feed", vars(wanted))
            case Events():
                rows = self._events(wanted)
        return tuple(map(ledger_row, rows))

    def _events(self, asked: Events) -> list[Row]:
        wanted, last = asked.wanted, asked.wanted.before
        place: dict[str, object] = {"at": None, "space": None, "last_owner": None, "seq": None}
        if last is not None:
            place = {"at": micros(last.at), "space": last.space, "last_owner": last.owner, "seq": last.seq}
        narrowed = {
            "node": wanted.node,
            "op": wanted.op,
            "owner": wanted.owner,
            "housekeeping": int(wanted.housekeeping),
        }
        where = narrowed | place | {"tenant": asked.tenant, "limit": asked.limit}
        rows = [] if wanted.op == "search" else [*self._db.rows("events", where)]
        if wanted.op in (None, "search") and wanted.housekeeping:
            rows += self._db.rows("events_searched", where)
        # In the order of both statements: newest first, then by chain, each from its end.
        rows.sort(key=lambda row: (-row[3], row[0], row[1], -row[2]))
        return rows[: asked.limit]

    def verify(self, tenant: str) -> Iterator[BrokenChain]:
        with self.snapshot():
            found = [
                BrokenChain(space=word(Space, space), owner=owner, seq=one.seq, fault=one.fault, seal=one.seal)
                for scope, space, owner, *end in self._db.rows("chains", {"tenant": tenant})
                for one in self._breaks(self._chain(tenant, scope, *end), tenant, scope)
            ]
            own = self._tenant_chain(tenant)
            found += [
                BrokenChain(space=Space.SYSTEM, owner=TENANT_CHAIN, seq=one.seq, fault=one.fault, seal=one.seal)
                for one in (*own.sealed, *((own.fault,) if own.fault is not None else ()))
            ]
        yield from found

    def _chain(self, tenant: str, scope: int, length: int, head: str) -> Chain:
        where = {"tenant": tenant, "scope": scope}
        chain = Chain(heads=dict(self._db.rows("heads_of", where)))
        for row in self._db.stream("chain_rows", where):
            chain.follow(row[0], row[1], _columns(row))
        chain.end(length, head)
        return chain

    def _breaks(self, chain: Chain, tenant: str, scope: int) -> list[Break]:
        if chain.fault is None:
            return chain.sealed
        is_moved = chain.fault.fault == "changed" and self._is_moved(tenant, scope, chain.fault.seq)
        return [*chain.sealed, replace(chain.fault, fault="reordered") if is_moved else chain.fault]

    def seal(self, tenant: str, broken: BrokenChain, entry: Entry, *, at: datetime) -> bool:
        with self._within():
            if broken.owner == TENANT_CHAIN:
                return self._seal_tenant_chain(tenant, broken, at=at)
            number = self._scope(tenant, broken.space, broken.owner)
            if number is None:
                return False
            scope = self._open_scope(tenant, number, is_changing=False)
            chain = self._chain(tenant, number, scope.ledger_seq, scope.ledger_head)
            found = self._breaks(chain, tenant, number)
            if chain.fault is None or (found[-1].seq, found[-1].fault) != (broken.seq, broken.fault):
                return False
            scope.ledger_seq = max((scope.ledger_seq, chain.length, *chain.heads))
            scope.ledger_head = chain.witness
            known = {**entry.payload, "seq": broken.seq, "fault": broken.fault}
            self._append([(scope, replace(entry, reason=SEALED, payload=known))], at)
            self._save_scope(scope)
        return True

    def _is_moved(self, tenant: str, scope: int, seq: int) -> bool:
        """Is it a true row of this chain that follows another one than the row before it?"""
        where = {"tenant": tenant, "scope": scope}
        row = next((one for one in self._db.stream("chain_rows", where) if one[0] == seq), None)
        if row is None:
            return False
        columns, others = _columns(row), ((one[0], one[1]) for one in self._db.stream("chain_rows", where))
        follows = next((at for at, other in joined([(0, "")], others) if link(other, columns) == row[1]), None)
        return follows is not None and follows != seq - 1

    def _keep_reads(self, reads: Reads) -> None:
        key = {"tenant": reads.tenant, "at": micros(reads.at), "reader": reads.reader}
        self._db.run_many(
            "accessed", [key | {"id": memory_id, "times": times} for memory_id, times in sorted(reads.times.items())]
        )

    _HANDLES: ClassVar = {("keep", Searches): _keep_searches, ("keep", Reads): _keep_reads}


def head_columns(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the tenant's chain in the columns that a chain hashes. Its scope is named by the head alone."""
    fault = row.get("fault")
    said = {"seq": row["seq"], "head": row["head"]} if fault is None else {"seq": row["seq"], "fault": fault}
    reason = None if fault is None else SEALED
    return dict.fromkeys(HASHED) | {"at": row["at"], "reason": reason, "payload": canonical(said)}


CODE_LENGTH_MAX = 200
_WHITESPACE = re.compile(r"\s")


def _columns(row: Row) -> dict[str, Any]:
    return dict(zip(HASHED, row[2:], strict=True))


def ledger_row(row: Row) -> LedgerRow:
    """A row of `ledger_columns` as it is read back."""
    entry = record_of(Entry, row[5:])
    is_typed = all(isinstance(one, str) for one in (row[4], entry.node, entry.op, entry.status))
    if not is_typed or not isinstance(entry.version, int | None):
        raise DamagedRow("A row of the ledger")
    return record_of(LedgerRow, row[:5], entry=entry)


def _codes(payload: Mapping[str, Any]) -> str:
    """A payload as it is stored, once it is sure that there is no text in it."""
    _require_codes(payload)
    return canonical(dict(payload))


@lru_cache(maxsize=1024)
def _require_code(text: str) -> None:
    if len(text) > CODE_LENGTH_MAX or _WHITESPACE.search(text):
        raise InvalidInput("The ledger takes codes and references, never text.", code="text_in_ledger")


def _require_codes(value: object) -> None:
    """Codes and references have no spaces; sentences do. What looks like text is kept out of the ledger."""
    if isinstance(value, str):
        _require_code(value)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _require_codes(item)
    elif hasattr(value, "items"):
        for key, item in value.items():
            _require_code(key)
            _require_codes(item)
