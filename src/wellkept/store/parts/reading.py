"""Reading memories where no viewpoint asks: inside a write, and in upkeep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.errors import DamagedRow
from wellkept.store.contract import Due
from wellkept.store.encoding import memory_from, micros, moment, summed, word
from wellkept.store.parts.writing import WritingPart
from wellkept.types import Memory, Version
from wellkept.vocabulary import State

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from wellkept.vocabulary import Space


class ReadingPart(WritingPart):
    """The reading half of `contract.Store`, section "Memories"."""

    def memory(self, tenant: str, memory_id: str) -> Memory | None:
        """By exact id, whoever may see it."""
        row = self._db.one("memory_by_id", {"tenant": tenant, "id": memory_id})
        return None if row is None else memory_from(row)

    def holder(self, tenant: str, space: Space, owner: str, memory_key: str, discriminator: str) -> Memory | None:
        """The active memory that holds this key in this scope, even when its time is over."""
        scope = self._scope(tenant, space, owner)
        if scope is None:
            return None
        key = {"tenant": tenant, "scope": scope, "memory_key": memory_key, "discriminator": discriminator}
        row = self._db.one("holder", key)
        return None if row is None else memory_from(row)

    def in_slot(
        self, tenant: str, space: Space, owner: str, fact_key: str, *, value: str | None = None
    ) -> tuple[Memory, ...]:
        """Live memories of the scope with this fact key, and this value if one is given, newest first."""
        scope = self._scope(tenant, space, owner)
        if scope is None:
            return ()
        key = {"tenant": tenant, "scope": scope, "fact_key": fact_key}
        rows = (
            self._db.rows("in_slot", key)
            if value is None
            else self._db.rows("in_slot_of_value", key | {"value": value})
        )
        return tuple(memory_from(row) for row in rows)

    def retracted(self, tenant: str, space: Space, owner: str, *, limit: int) -> tuple[Memory, ...]:
        """Memories of a scope that ended without a successor, the latest first."""
        scope = self._scope(tenant, space, owner)
        if scope is None:
            return ()
        rows = self._db.rows("retracted", {"tenant": tenant, "scope": scope, "limit": limit})
        return tuple(memory_from(row) for row in rows)

    def said_about(
        self,
        tenant: str,
        person_id: str,
        *,
        besides: tuple[Space, str] | None = None,
        by_others: bool = False,
        limit: int = 1_000_000,
    ) -> tuple[Memory, ...]:
        """Live memories about a person, across all owners but one, newest first."""
        self._lock_on(tenant, "person", person_id)  # what is said of them in other scopes stays as it is read
        scope = self._scope(tenant, *besides) if besides is not None else None
        key = {"tenant": tenant, "person": person_id, "besides": -1 if scope is None else scope, "limit": limit}
        rows = self._db.rows("hearsay_about" if by_others else "said_about", key)
        return tuple(memory_from(row) for row in rows)

    def living(self, tenant: str, space: Space, owner: str, *, now: datetime, more_than: int) -> tuple[Memory, ...]:
        """Live, unexpired memories of a scope, oldest first, when they are more than that; else none."""
        scope = self._scope(tenant, space, owner)
        key = {"tenant": tenant, "scope": scope, "now": micros(now)}
        row = self._db.one("living_count", key) if scope is not None else None
        if row is None or row[0] <= more_than:
            return ()
        return tuple(memory_from(one) for one in self._db.rows("living", key))

    def versions(self, tenant: str, memory_id: str) -> tuple[Version, ...]:
        """Every text it had, oldest first."""
        rows = self._db.rows("versions_of", {"tenant": tenant, "id": memory_id})
        for _, _, at, stored, *text in rows:
            if stored is not None and stored != summed([at, *text]):
                raise DamagedRow(f"Memory {memory_id}")
        return tuple(
            Version(memory_id=memory_id, version=number, content=content, quote=quote, at=moment(at))
            for _, number, at, _, content, quote, _ in rows
        )

    def due(self, tenant: str, *, now: datetime, limit: int) -> tuple[Due, ...]:
        """Superseded ones first, oldest first; then those whose time is over, in the order they died."""
        key = {"tenant": tenant, "now": micros(now), "limit": limit}
        over = [memory_from(row) for row in self._db.rows("due_superseded", key)]
        found = [Due(memory=memory, reason="superseded") for memory in over]
        if len(found) < limit:
            for row in self._db.rows("due_dead", key | {"limit": limit - len(found)}):
                memory = memory_from(row)
                found.append(Due(memory=memory, reason="expired" if memory.expires_at else "ephemeral_decay"))
        return tuple(found)

    def unembedded(self, tenant: str, model: str, *, limit: int) -> tuple[Memory, ...]:
        """Live memories without a vector of this model; those without any first."""
        key = {"tenant": tenant, "model": model, "limit": limit}
        rows = self._db.rows("unembedded", key)
        if len(rows) < limit:
            rows += self._db.rows("unembedded_after", key | {"limit": limit - len(rows)})
        return tuple(memory_from(row) for row in rows)

    def privacy_counts(self, tenant: str) -> Mapping[str, int]:
        """Live memories by who may hear them."""
        return dict(self._db.rows("privacy_counts", {"tenant": tenant}))

    def counts(self, tenant: str) -> Mapping[State, int]:
        """Memories by state."""
        return {word(State, state): count for state, count in self._db.rows("counts", {"tenant": tenant})}
