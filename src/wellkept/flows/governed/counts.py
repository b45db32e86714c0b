"""The counters that one call moves on: those of a space are read in one go and written once, when the call ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.store.core import make_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellkept.store.contract import Store
    from wellkept.vocabulary import Kind, Space

Scope = tuple[str, "Space", str]
TICK = "tick"
"""The counter that moves on whenever something is written or denied."""


class Counts:
    """Lives as long as its transaction, which holds the counters: nobody else moves them meanwhile."""

    def __init__(self, store: Store, scopes: Mapping[Space, Scope]) -> None:
        self._store = store
        self._scopes = scopes
        self._numbers: dict[Space, dict[str, int]] = {}
        self._saved: dict[Space, dict[str, int]] = {}

    def next_id(self, space: Space, kind: Kind) -> str:
        """The id of an item that is about to be written."""
        tenant, _, owner = self._scopes[space]
        counter = str(kind)
        return make_id(tenant, str(space), owner, counter, self.next(space, counter))

    def tick(self, space: Space) -> int:
        """The last one that was given; 0 before the first."""
        if space in self._numbers and TICK in self._numbers[space]:
            return self._numbers[space][TICK]
        return self._store.tick(*self._scopes[space])

    def save(self) -> None:
        """Write what the store does not have yet."""
        for space, numbers in sorted(self._numbers.items()):
            saved = self._saved[space]
            moved = {counter: number for counter, number in numbers.items() if number != saved[counter]}
            if moved:
                self._store.counted(*self._scopes[space], moved)
                saved.update(moved)

    def next(self, space: Space, counter: str) -> int:
        """The next number of a counter: `tick`, or a kind."""
        if space not in self._numbers:
            known = self._store.counters(*self._scopes[space])
            self._numbers[space], self._saved[space] = dict(known), dict(known)
        numbers = self._numbers[space]
        if counter in numbers:
            numbers[counter] += 1
        else:
            # The first number ever is counted in the store, which holds the counter from then on.
            numbers[counter] = self._saved[space][counter] = self._store.next_number(*self._scopes[space], counter)
        return numbers[counter]
