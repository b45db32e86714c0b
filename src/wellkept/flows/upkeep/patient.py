"""The store in the doctor's hands, and what is found in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wellkept.flows.upkeep import upkeep_writer
from wellkept.values import frozen
from wellkept.vocabulary import State

if TYPE_CHECKING:
    from wellkept.flows.engine import Engine
    from wellkept.flows.write.draft import Writer
    from wellkept.types import Memory


@frozen
class Finding:
    """One thing that is wrong. Ids and codes only."""

    check: str
    code: str
    id: str
    """Of the memory, the person or the chain."""
    can_fix: bool = True


@dataclass(kw_only=True)
class Patient:
    """What every check is handed."""

    tenant: str
    engine: Engine
    progress: Callable[[int], None]
    is_fixing: bool
    looked: int = 0
    """Rows that were looked at by all checks so far."""
    sealed: list[Finding] = field(default_factory=list)
    """Breaks of chains that are known."""

    def look(self, rows: int = 1) -> None:
        """One row more was looked at."""
        self.looked += rows
        self.progress(self.looked)

    def living(self) -> Iterator[Memory]:
        """Live, unexpired memories scope by scope, in bounded memory."""
        now = self.engine.clock()
        for memory in self.engine.store.every(self.tenant):
            self.look()
            if memory.dies_at is None or memory.dies_at > now:
                yield memory

    def fresh(self, memory_ids: Sequence[str], is_so: Callable[[Memory], bool]) -> list[Memory]:
        """Those of these that live and are still so, read in the open transaction: others mend at the same time."""
        found = self.engine.store.memories(self.tenant, memory_ids)
        fresh = [found[one] for one in memory_ids if one in found]
        return [one for one in fresh if one.state is State.ACTIVE and is_so(one)]

    def writer(self, memory: Memory) -> Writer:
        """Who mends it."""
        return upkeep_writer.of_place(self.tenant, memory.space, memory.owner, self.engine, node="admin")
