"""The counters that one call moves on: those of a scope are read in one go and written once, when the call ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from recollect.store.core import make_id

if TYPE_CHECKING:
    from recollect.store.base import Store
    from recollect.vocabulary import Kind, Space

Scope = tuple[str, "Space", str]
TICK = "tick"


class Counts:
    """Lives as long as its transaction, which holds the counters: nobody else moves them meanwhile."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._numbers: dict[tuple[Scope, str], int] = {}
        self._unsaved: set[tuple[Scope, str]] = set()
        self._held: set[Scope] = set()

    def next_tick(self, scope: Scope) -> int:
        """Something is written or denied."""
        return self._next(scope, TICK)

    def next_id(self, scope: Scope, kind: Kind) -> str:
        """The id of an item that is about to be written."""
        tenant, space, owner = scope
        return make_id(tenant, space.value, owner, kind.value, self._next(scope, kind.value))

    def tick(self, scope: Scope) -> int:
        """The last one that was given; 0 before the first."""
        known = self._numbers.get((scope, TICK))
        return self._store.tick(*scope) if known is None else known

    def save(self) -> None:
        """Write what the store does not have yet."""
        for scope, kind in sorted(self._unsaved):
            self._store.counted(*scope, kind, self._numbers[scope, kind])
        self._unsaved.clear()

    def _next(self, scope: Scope, kind: str) -> int:
        key = (scope, kind)
        if scope not in self._held:
            self._held.add(scope)
            self._numbers |= {(scope, one): number for one, number in self._store.counters(*scope).items()}
        if key in self._numbers:
            self._numbers[key] += 1
            self._unsaved.add(key)
        else:
            # The first number ever is counted in the store, which holds the counter from then on.
            self._numbers[key] = self._store.next_number(*scope, kind)
        return self._numbers[key]
