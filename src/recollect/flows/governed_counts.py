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
        self._numbers: dict[Scope, dict[str, int]] = {}
        self._unsaved: dict[Scope, dict[str, int]] = {}

    def next_tick(self, scope: Scope) -> int:
        """Something is written or denied."""
        return self._next(scope, TICK)

    def next_id(self, scope: Scope, kind: Kind) -> str:
        """The id of an item that is about to be written."""
        tenant, space, owner = scope
        counter = str(kind)
        return make_id(tenant, str(space), owner, counter, self._next(scope, counter))

    def tick(self, scope: Scope) -> int:
        """The last one that was given; 0 before the first."""
        known = self._numbers.get(scope, {}).get(TICK)
        return self._store.tick(*scope) if known is None else known

    def save(self) -> None:
        """Write what the store does not have yet."""
        for scope, numbers in sorted(self._unsaved.items()):
            self._store.counted(*scope, numbers)
        self._unsaved.clear()

    def _next(self, scope: Scope, kind: str) -> int:
        numbers = self._numbers.get(scope)
        if numbers is None:
            numbers = self._numbers[scope] = dict(self._store.counters(*scope))
        if kind in numbers:
            number = self._unsaved.setdefault(scope, {})[kind] = numbers[kind] + 1
        else:
            # The first number ever is counted in the store, which holds the counter from then on.
            number = self._store.next_number(*scope, kind)
        numbers[kind] = number
        return number
