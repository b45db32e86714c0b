"""The store's contract in the domain's words. Its meaning is `testing/conformance.py`; every store passes all of it."""

from __future__ import annotations

from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

from wellkept.store.contract.checkpoints import Checkpoints
from wellkept.store.contract.consent import Consents
from wellkept.store.contract.erasure import Erasure
from wellkept.store.contract.governed import Governance
from wellkept.store.contract.integrity import Integrity
from wellkept.store.contract.jobs import Jobs
from wellkept.store.contract.lifetime import Lifetimes
from wellkept.store.contract.merges import Merges
from wellkept.store.contract.messages import Messages
from wellkept.store.contract.portable import Portable
from wellkept.store.contract.server import Serving
from wellkept.store.contract.sessions import Conversations
from wellkept.store.contract.tending import Tending
from wellkept.store.contract.threads import Threads
from wellkept.types import Edge, Memory, Person, Version
from wellkept.values import frozen
from wellkept.vocabulary import ChatType, EdgeKind, Kind, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.policies.visibility.memories import View

Node = Literal["hotpath", "context", "episodic", "worker", "admin"]
Op = Literal[
    "classify", "search", "create", "update", "merge", "delete", "link", "ttl", "restore", "promote", "consent", "admin"
]
Status = Literal["ok", "error", "skipped", "denied"]


@frozen
class Filter:
    """Narrows what a view sees; None means no filter. Applied in the database, never after ranking."""

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    learned_in: str | None = None
    """A chat."""
    actor_id: str | None = None
    role: str | None = None
    pinned: bool | None = None
    importance_min: float | None = None
    importance_max: float | None = None
    updated_after: datetime | None = None
    updated_before: datetime | None = None
    categories: frozenset[str] | None = None
    types: frozenset[str] | None = None
    fact_keys: frozenset[str] | None = None
    entity: str | None = None
    about: frozenset[str] | None = None
    """Person ids; a memory about any of them passes."""


@frozen
class Search:
    """What to look for in a view: a query vector, query terms, or both. Without either nothing is scored."""

    view: View
    vector: NDArray[np.float32] | None = None
    model: str | None = None
    """Only vectors of this model are compared."""
    terms: tuple[str, ...] = ()
    filter: Filter = field(default_factory=Filter)
    limit: int = 50
    """Per arm."""
    is_near: Callable[[float], bool] | None = None
    """Of a cosine: whether a memory without a word of the query is worth reading. The nearest is read in any case."""


@frozen
class Candidate:
    """A memory that some arm found: raw cosine and BM25 over the visible rows, None where that arm did not see it."""

    memory: Memory
    cosine: float | None = None
    bm25: float | None = None
    share: float | None = None
    """BM25 as a share of what a row matching every query term well would score, 0..1: comparable across queries."""


@frozen
class Entry:
    """One decision for the ledger. References and codes only, never text, names, keys or user ids."""

    node: Node = "hotpath"
    op: Op
    status: Status = "ok"
    memory_id: str | None = None
    version: int | None = None
    category: str | None = None
    sim: float | None = None
    reason: str | None = None
    payload: Mapping[str, Any] = field(default_factory=dict)
    tick: int | None = None
    thread: str | None = None
    actor: str | None = None
    """User id of who caused it; the store keeps a pseudonym."""
    persona: str | None = None  # tells which threads hear of it, and is in no ledger row


@frozen
class Change:
    """One write to one memory with its ledger row. The whole of it is stored, or none."""

    memory: Memory
    """Of a memory that is not new, one version above the stored one: else `VersionConflict`, read and decide again."""
    entry: Entry
    is_new: bool = False
    is_text_changed: bool = False
    """The text differs from the stored version: a version row is added and the index entries are made anew."""
    how: Literal["change", "leave", "retell"] = "change"
    """Of one that leaves only its state is stored, with when and why; of one retold its text, and of whom and when."""
    terms: Mapping[str, int] | None = None
    """Term → count in the text; needed when new or changed. None on others."""
    vectors: NDArray[np.float32] | None = None
    """One row a piece of the text; None when the embedder did not answer: the memory is stored and marked."""
    model: str | None = None
    edges: tuple[Edge, ...] = ()
    """Edges to add, besides the ABOUT, STATED_BY and LEARNED_IN that follow from the memory itself."""
    drop_edges: tuple[Edge, ...] = ()


@frozen
class Note:
    """A ledger row of a scope that goes with no change of a memory."""

    tenant: str
    space: Space
    owner: str
    entry: Entry
    after: int = 0
    """How many of the changes that are stored with it stand before it in the ledger."""


@frozen
class LedgerRow:
    """A ledger row as it is read back."""

    space: Space
    owner: str
    seq: int
    at: datetime
    entry: Entry
    hash: str


@frozen
class BrokenChain:
    """A row of a chain that is changed, missing or out of order."""

    space: Space
    owner: str
    seq: int
    fault: Literal["changed", "missing", "reordered"]
    seal: int | None = None
    """Number of the row that seals it: known, and nothing before that row was touched since."""


@frozen
class Due:
    """What garbage collection finds: a memory whose life is over, and why."""

    memory: Memory
    reason: Literal["superseded", "expired", "ephemeral_decay"]


class Memories(Protocol):
    """Writing memories, and reading them where no viewpoint asks (inside a write, upkeep)."""

    def next_id(self, tenant: str, space: Space, owner: str, kind: Kind | Literal["person"]) -> str:
        """Deterministic id from the counter of (tenant, space, owner, kind); inside a transaction."""

    def next_moment(self, tenant: str, places: Collection[tuple[Space, str]], *, now: datetime) -> datetime:
        """When something is told in these scopes: now, or a microsecond after the last time that one of them has seen.

        It is kept with what the open transaction writes, so that neither a clock that steps back nor two machines whose
        clocks differ make the later of two statements the older one.
        """

    def next_tick(self, tenant: str, space: Space, owner: str) -> int:
        """Counts what arrives in a scope: the order of two statements of one instant. Inside a transaction."""

    def apply(
        self, changes: Sequence[Change], *, at: datetime, notes: Sequence[Note] = (), is_apart: bool = True
    ) -> None:
        """Store changes: row, version, edges, index, vector, counters, ledger. The rows of `notes` stand before theirs.

        Raises `KeyTaken` when a live memory of the scope holds the same key and discriminator: decide again. With
        `is_apart` a failure undoes this call alone; without, the open transaction has to be given up with it.
        """

    def record(self, tenant: str, space: Space, owner: str, entry: Entry, *, at: datetime) -> None:
        """A ledger row without a change: denied, skipped, error, classify or border check."""

    def memory(self, tenant: str, memory_id: str) -> Memory | None:
        """By exact id, whoever may see it."""

    def holder(self, tenant: str, space: Space, owner: str, memory_key: str, discriminator: str) -> Memory | None:
        """The live (active) memory that holds this key in this scope."""

    def in_slot(
        self, tenant: str, space: Space, owner: str, fact_key: str, *, value: str | None = None
    ) -> tuple[Memory, ...]:
        """Live memories of the scope with this fact key, and this value if one is given, newest first."""

    def near(self, tenant: str, space: Space, owner: str, search: Search) -> tuple[Candidate, ...]:
        """Live memories of one scope near a vector or sharing words, whoever may see them, of the kinds of the view."""

    def make_ready(self, tenant: str, space: Space, owner: str, search: Search) -> None:
        """Before a transaction: look at what `near` will compare in it. What is read after a write cannot be kept."""

    def said_about(
        self,
        tenant: str,
        person_id: str,
        *,
        besides: tuple[Space, str] | None = None,
        by_others: bool = False,
        limit: int = 1_000_000,
    ) -> tuple[Memory, ...]:
        """Live memories about a person in all scopes but one, newest first; `by_others`: what somebody else stated."""

    def living(self, tenant: str, space: Space, owner: str, *, now: datetime, more_than: int) -> tuple[Memory, ...]:
        """Live, unexpired memories of a scope, oldest first, when they are more than that; else none."""

    def versions(self, tenant: str, memory_id: str) -> tuple[Version, ...]:
        """Every text it had, oldest first."""

    def due(self, tenant: str, *, now: datetime, limit: int) -> tuple[Due, ...]:
        """Memories for gc to archive, in a stable order."""

    def unembedded(self, tenant: str, model: str, *, limit: int) -> tuple[Memory, ...]:
        """Live memories without a vector of this model."""

    def embed(self, memory: Memory, vectors: NDArray[np.float32], *, model: str) -> None:
        """Replace a memory's vectors; no ledger row, for the text is the same."""

    def purge(self, tenant: str, memory_id: str, entry: Entry, *, at: datetime) -> None:
        """Remove a memory with its versions, vectors, terms and edges; the ledger row stays."""


class Sights(Protocol):
    """Reading for a viewpoint: nothing invisible is counted, scored or returned."""

    def candidates(self, search: Search) -> tuple[Candidate, ...]:
        """The union of the arms, with statistics over the visible rows only."""

    def seen(
        self, view: View, filter: Filter, *, limit: int, before: str | None = None, state: State = State.ACTIVE
    ) -> tuple[Memory, ...]:
        """Visible memories, newest first, after id `before`; of a `state` that is not live, those of its own spaces."""

    def find(self, view: View, prefix: str) -> tuple[Memory, ...]:
        """Visible memories whose id starts so, at most 5; states other than active included when the view owns them."""

    def about(self, view: View, person_ids: Sequence[str], *, limit: int) -> tuple[Memory, ...]:
        """Visible memories about any of these people."""

    def with_refs(self, view: View, refs: Sequence[str], *, importance_min: float, limit: int) -> tuple[Memory, ...]:
        """Visible memories with one of these entity refs, pinned or important, best first."""

    def linked(self, view: View, memory_ids: Sequence[str], *, limit: int) -> tuple[tuple[str, Memory, float], ...]:
        """(from, visible memory related to it, strength), strongest first."""

    def ties(self, tenant: str, memory_ids: Sequence[str]) -> tuple[tuple[str, str, float], ...]:
        """(one, other, strength) of every pair among these memories that is related; all of them were seen already."""

    def in_sight(self, view: View, memory_ids: Sequence[str]) -> frozenset[str]:
        """Those of these memories that the view sees now."""

    def count(self, view: View) -> Mapping[str, int]:
        """Visible memories by type."""


class People(Protocol):
    """Persons, users, chats and the edges between them."""

    def person(self, tenant: str, person_id: str) -> Person | None:
        """By id, following MERGED_INTO."""

    def persons(self, tenant: str, person_ids: Sequence[str]) -> Mapping[str, Person]:
        """Several, by the ids that were asked for."""

    def person_of(self, tenant: str, user: str, *, is_whole: bool = True) -> Person | None:
        """The person a user is; not whole: perhaps without other names and relationships."""

    def persons_of(self, tenant: str, users: Sequence[str]) -> Mapping[str, Person]:
        """The persons of those users that have one: user id → person."""

    def save_person(self, person: Person) -> None:
        """Insert or replace, aliases and relationships included."""

    def remove_person(self, tenant: str, person_id: str) -> None:
        """Take out a person and whoever was merged into them, with everything that names them.

        Names, relationships to and from them, links of users, chats, merges and questions. ABOUT and STATED_BY are of
        the memories, and stay with them.
        """

    def everybody(self, tenant: str, *, limit: int) -> tuple[Person, ...]:
        """Unmerged persons of a tenant, latest first; for operators."""

    def each_person(self, tenant: str) -> Iterator[Person]:
        """Unmerged persons of a tenant in the order of their ids, in bounded memory."""

    def link_user(
        self, tenant: str, user: str, person_id: str, *, username: str | None, display_name: str | None
    ) -> None:
        """This user is that person."""

    def unlink_user(self, tenant: str, user: str) -> None:
        """This user is nobody, until linked again."""

    def holding_alias(self, tenant: str, norm: str) -> tuple[Person, ...]:
        """Unmerged persons of the tenant with this normalised name or alias."""

    def known(self, view: View, *, limit: int, is_here: bool = False) -> tuple[Person, ...]:
        """Whom it created, mentioned, met or sees memories about, latest first; `is_here`: the present and the last."""

    def related(self, tenant: str, stated_by: str, relationship: str) -> tuple[Person, ...]:
        """Whom this user called their wife, their boss and so on."""

    def attend(self, tenant: str, chat: str, chat_type: ChatType, person_ids: Sequence[str], *, at: datetime) -> None:
        """These people take part in this chat."""

    def attendance(self, tenant: str, chats: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """Chat id → persons who took part in it."""

    def edges(self, tenant: str, node: str, kinds: Sequence[EdgeKind]) -> tuple[Edge, ...]:
        """Edges from or to a node."""


class Ledger(Protocol):
    """The append-only record of every decision."""

    def history(self, tenant: str, memory_id: str, *, limit: int) -> tuple[LedgerRow, ...]:
        """Rows about one memory, newest first."""

    def rows(self, tenant: str, *, after: int = 0, limit: int = 100) -> tuple[LedgerRow, ...]:
        """The newest rows of all chains of a tenant, newest first; of each chain only those numbered above `after`."""

    def verify(self, tenant: str) -> Iterator[BrokenChain]:
        """Of each broken chain the breaks that are sealed, and the first that is not; nothing when all hold."""

    def seal(self, tenant: str, broken: BrokenChain, entry: Entry, *, at: datetime) -> bool:
        """Put a row behind a break that says where it is; False when the chain is not broken like that any more."""

    def accessed(self, tenant: str, memory_ids: Mapping[str, int], *, at: datetime, reader: str | None = None) -> None:
        """Add buffered access counts; not part of any chain. With a `reader`, other users' memories are left alone."""


class Store(
    Memories,
    Checkpoints,
    Sights,
    People,
    Merges,
    Ledger,
    Governance,
    Jobs,
    Lifetimes,
    Messages,
    Serving,
    Consents,
    Threads,
    Conversations,
    Portable,
    Erasure,
    Tending,
    Integrity,
    Protocol,
):
    """Everything wellkept keeps. Thread-safe and process-safe."""

    url: str

    def transaction(self) -> AbstractContextManager[None]:
        """Everything inside is written, or nothing; bound to the calling thread."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Everything read inside is of one moment; bound to the calling thread."""

    def counts(self, tenant: str) -> Mapping[State, int]:
        """Memories by state, for operators."""

    def rebuild_index(self, tenant: str) -> int:
        """Make words anew from the texts; returns how many memories it indexed."""

    def scrub(self) -> bool:
        """Take what was purged out of the files too; False when somebody reads or writes there now: try again."""

    def close(self) -> None:
        """Release connections; later calls raise."""
