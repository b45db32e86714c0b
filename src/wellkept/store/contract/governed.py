"""What the store does for governed sessions, in the domain's words: whose they are, ticks, phases and traces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from wellkept.policies.governance.phases import Phase
    from wellkept.store.contract import LedgerRow
    from wellkept.types import Memory
    from wellkept.vocabulary import Kind, Space


@frozen
class Trace:
    """One event of a governed session as it is kept."""

    number: int = 0
    """In its session, from 1; given by the store."""
    call: int = 0
    """Which call it belongs to, from 1; given by the store."""
    event: Mapping[str, Any]
    seq: int = 0
    """Number of the ledger row of its session that its call ended with; given by the store."""
    mentions: tuple[str, ...] = ()
    """Ids of the memories whose words it shows."""


@frozen
class GovernedSession:
    """A session with traces, in numbers."""

    session: str
    events: int
    phases: int
    last_at: datetime | None = None
    """When something was last decided in it."""


@frozen
class ChainEnd:
    """Where the chain of a scope ends. Two equal ones: nothing was written to the scope or erased between them."""

    seq: int = 0
    """Number of the last ledger row; 0 before the first."""
    hash: str = ""
    names_a_phase: bool = False
    """Erasing takes the names of phases away, and writes no row here."""


@frozen
class Living:
    """The live memories of a scope as somebody holds them from one look to the next."""

    memories: tuple[Memory, ...] = ()
    """Oldest first; each as it stood after its last change, but for how often it was looked at."""
    shadowed: frozenset[str] = frozenset()
    """Ids of those that a word of the person concerned stands above: who asks decides."""
    known: Mapping[tuple[int, ...], Memory] = field(default_factory=dict)
    """The same by what the store tells them by."""


class Governance(Protocol):
    """Who may name a session or project; ticks, phases and traces."""

    def open_to(self, tenant: str, user: str, places: Sequence[tuple[Space, str]], *, at: datetime) -> None:
        """From now on these sessions and projects are open to the user. Writes nothing when they are already."""

    def opened(self, tenant: str, user: str, places: Sequence[tuple[Space, str]]) -> frozenset[tuple[Space, str]]:
        """Those of these sessions and projects that are open to the user."""

    def tick(self, tenant: str, space: Space, owner: str) -> int:
        """The last number that `next_tick` gave; 0 before the first."""

    def next_number(self, tenant: str, space: Space, owner: str, kind: str) -> int:
        """The next number of a counter, `tick` or a kind; a transaction holds the counter until it ends."""

    def counters(self, tenant: str, space: Space, owner: str) -> Mapping[str, int]:
        """The last number of each counter that was ever moved on; the open transaction holds these until it ends."""

    def counted(self, tenant: str, space: Space, owner: str, numbers: Mapping[str, int]) -> None:
        """Counters as far as the open transaction, which holds them, has counted by itself; none goes back."""

    def live(self, tenant: str, space: Space, owner: str, kinds: Collection[Kind], *, limit: int) -> tuple[Memory, ...]:
        """The newest live memories of one scope, oldest of them first, whoever may see them."""

    def live_now(
        self, tenant: str, space: Space, owner: str, kinds: Collection[Kind], *, limit: int, held: Living
    ) -> Living:
        """What `live` gives. `held`: what this gave before; of that only is read what is not as it was then.

        The rows themselves say so, in this very look: it does not matter who changed, erased or restored them.
        """

    def retracted(self, tenant: str, space: Space, owner: str, *, limit: int) -> tuple[Memory, ...]:
        """Memories of a scope that ended without a successor, the latest first, whoever may see them."""

    def memories(self, tenant: str, memory_ids: Sequence[str]) -> Mapping[str, Memory]:
        """Several by exact id, in whatever state, whoever may see them."""

    def chain_end(self, tenant: str, space: Space, owner: str) -> ChainEnd:
        """Where the chain of a scope ends."""

    def chain(self, tenant: str, space: Space, owner: str, *, after: int = 0, until: int) -> Iterator[LedgerRow]:
        """The ledger rows of a scope above one number and up to another, oldest first."""

    def phases(self, tenant: str, space: Space, owner: str) -> tuple[Phase, ...]:
        """The phases of a scope, oldest first; those that were trimmed are not there."""

    def add_phase(self, tenant: str, phase: Phase) -> None:
        """Begin a phase."""

    def trim_phases(self, tenant: str, space: Space, owner: str, *, before: int) -> None:
        """Drop the phases numbered below `before`; their memories stay."""

    def keep_traces(
        self, tenant: str, space: Space, owner: str, traces: Sequence[Trace], *, policy: Mapping[str, Any]
    ) -> ChainEnd:
        """Keep the events of one call; where the chain ends that they stand beside.

        `policy`: the snapshot that they name, which is kept once, under its hash.
        """

    def traced(self, tenant: str, space: Space, owner: str) -> int:
        """Number of the ledger row that the last kept call of a session ended with; 0 before the first."""

    def traces(self, tenant: str, space: Space, owner: str, *, after: int, limit: int) -> tuple[Trace, ...]:
        """Events numbered above `after`, oldest first. Of an erased one codes, references and counts are left."""

    def lived_by(self, tenant: str, space: Space, owner: str) -> Mapping[str, Any] | None:
        """The policy that the newest traces of a session name; None when they name none."""

    def governed_sessions(self, tenant: str, *, limit: int) -> tuple[GovernedSession, ...]:
        """Sessions that have traces, the one of the latest decision first."""

    def erase_traces(self, tenant: str, space: Space, owner: str) -> None:
        """Take all texts out of the traces of a scope, and the names of its phases. The ledger stays."""
