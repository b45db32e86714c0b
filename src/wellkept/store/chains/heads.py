"""The tenant's own chain: upkeep seals into it where the chains of the scopes end, so that a cut is found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wellkept.store.chains.chain import HASHED, SEALED, Break, Chain, link
from wellkept.store.core import Core
from wellkept.store.encoding import canonical, micros

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from wellkept.store.contract import BrokenChain

TENANT_CHAIN = "*"
"""What the owner of the tenant's own chain is called, in the space of the system."""
_COUNTER = "sealed_head"
_NO_SCOPE = 0


class HeadsPart(Core):
    """See `contract.Store`, section "Soundness"."""

    def seal_heads(self, tenant: str, *, after: int, limit: int, at: datetime) -> tuple[int, ...]:
        """Seal the ends of chains that have grown; the numbers of their scopes, in order, those above `after` only."""
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

    def _heads_of(self, tenant: str, scope: int) -> Mapping[int, str]:
        """What is sealed of a chain: number of a row → its hash."""
        return dict(self._db.rows("heads_of", {"tenant": tenant, "scope": scope}))

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


def head_columns(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the tenant's chain in the columns that a chain hashes. Its scope is named by the head alone."""
    fault = row.get("fault")
    said = {"seq": row["seq"], "head": row["head"]} if fault is None else {"seq": row["seq"], "fault": fault}
    reason = None if fault is None else SEALED
    return dict.fromkeys(HASHED) | {"at": row["at"], "reason": reason, "payload": canonical(said)}
