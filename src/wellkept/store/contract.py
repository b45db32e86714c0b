"""The store's contract in the domain's words. Its meaning is `testing/conformance.py`; every store passes all of it.

One protocol, in sections; the values that it takes and gives are in `store/records.py` and can be imported from here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from wellkept.policies.governance.phases import Phase
from wellkept.policies.summaries import Conversation, RollingSummary, Session, SessionState, SessionSummary, Spine
from wellkept.policies.todos import Intent, Todo, TodoStatus
from wellkept.policies.visibility import View
from wellkept.store.queries import *
from wellkept.store.records import *
from wellkept.types import Edge, Memory, Message, Person, Version
from wellkept.vocabulary import EdgeKind, Kind, Space

T = TypeVar("T")
Summary = TypeVar("Summary", RollingSummary, SessionSummary, Spine)


class Store(Protocol):
    """Everything wellkept keeps. Thread-safe and process-safe."""

    # --- The whole of it

    url: str
    job_listeners: list[Callable[[JobKey], None]]
    """Told of every job queued through this handle, after the commit, in the thread that queued it."""

    def transaction(self, *, is_lazy: bool = False) -> AbstractContextManager[None]:
        """Everything inside is written, or nothing; bound to the calling thread. Writers of a tenant queue up.

        A lazy one begins with the first transaction inside it, and all of them are one.
        """

    def write_in(
        self, tenant: str, places: Collection[tuple[Space, str]], work: Callable[[], T], *, chat: str | None = None
    ) -> T:
        """Do this in a transaction; only those wait who write in the same scopes or chat, or about the same people.

        `places` are scopes that it certainly writes in: they are made first where they are not there yet. It is begun
        again where it turns out to need what another writer has: so it must do nothing but read and write here. Inside
        a transaction it is a part of that.
        """

    def lock_times(self) -> Mapping[str, tuple[int, float]]:
        """Kind of lock → how often it was held by this process, and for how many seconds in all."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Everything read inside is of one moment; bound to the calling thread."""

    def keep(self, record: Record) -> None:
        """Store a record, in the place of one with the same key, with whatever the open transaction writes."""

    def drop(self, what: Droppable) -> int:
        """Remove records; how many there were."""

    def has(self, what: Holding) -> bool:
        """Is there any such thing?"""

    def count(self, what: Countable) -> int:
        """How many there are."""

    def counts(
        self, tenant: str, *, by: CountedBy = "state", owner: str | None = None, view: View | None = None
    ) -> Mapping[str, int]:
        """Memories by state, live ones by who may hear them, or those made by one user or all by the day (UTC).

        Ledger rows by node, op and status, with a space between. Of a view the memories that it sees, by type.
        """

    def scrub(self) -> bool:
        """Take what was purged out of the files too; False when somebody reads or writes there now: try again."""

    def close(self) -> None:
        """Release connections; later calls raise."""

    # --- Memories: writing them, and reading them where no viewpoint asks (inside a write, upkeep).

    def next_id(self, tenant: str, space: Space, owner: str, kind: Kind | Literal["person", "proposal"]) -> str:
        """Deterministic id from the counter of (tenant, space, owner, kind); inside a transaction."""

    def next_moment(
        self, tenant: str, places: Collection[tuple[Space, str]], *, now: datetime, is_ticking: bool = False
    ) -> tuple[datetime, int]:
        """When something is told in these scopes: now, or a microsecond after the last time that one of them has seen.

        If asked, with the next tick of the last of them; else that is 0.
        It is kept with what the open transaction writes, so that neither a clock that steps back nor two machines whose
        clocks differ make the later of two statements the older one.
        """

    def apply(
        self, changes: Sequence[Change], *, at: datetime, notes: Sequence[Note] = (), is_apart: bool = True
    ) -> None:
        """Store changes: row, version, edges, index, vector, counters, ledger. The rows of `notes` stand before theirs.

        Raises `KeyTaken` when a live memory of the scope holds the same key and discriminator: decide again. With
        `is_apart` a failure undoes this call alone; without, the open transaction has to be given up with it.
        """

    def record(self, tenant: str, space: Space, owner: str, entry: Entry, *, at: datetime) -> None:
        """A ledger row without a change: denied, skipped, error, classify or border check."""

    def memory(self, tenant: str, which: str | HeldKey) -> Memory | None:
        """By exact id or by the key that it holds, whoever may see it."""

    def memories_by_id(self, tenant: str, memory_ids: Sequence[str]) -> Mapping[str, Memory]:
        """Several by exact id, in whatever state, whoever may see them."""

    def memories(self, wanted: MemoryQuery) -> tuple[Memory, ...]:
        """Memories as they are wanted, whoever may see them."""

    def versions(self, tenant: str, memory_id: str) -> tuple[Version, ...]:
        """Every text it had, oldest first."""

    def purge(self, tenant: str, memory_id: str, entry: Entry, *, at: datetime) -> None:
        """Remove a memory with its versions, vectors, terms and edges; the ledger row stays."""

    # --- Viewpoints: nothing invisible is counted, scored or returned.

    def candidates(
        self, search: Search, *, within: tuple[Space, str] | None = None, is_ahead: bool = False
    ) -> tuple[Candidate, ...]:
        """The union of the arms, with statistics over the visible rows only.

        Within a scope: over its live memories of the kinds of the view, whoever may see them. Ahead of a transaction
        nothing is given: what it will compare is read, for what is read after a write is not held.
        """

    def seen(self, view: View, wanted: Listing) -> tuple[Memory, ...]:
        """Visible memories as they are wanted."""

    def linked(self, view: View, memory_ids: Sequence[str], *, limit: int) -> tuple[tuple[str, Memory, float], ...]:
        """(from, visible memory related to it, strength), strongest first."""

    # --- Ledger: the append-only record of every decision.

    def ledger(self, wanted: LedgerQuery) -> tuple[LedgerRow, ...]:
        """Ledger rows as they are wanted."""

    def verify(self, tenant: str) -> Iterator[BrokenChain]:
        """Of each broken chain the breaks that are sealed, and the first that is not; nothing when all hold."""

    def seal(self, tenant: str, broken: BrokenChain, entry: Entry, *, at: datetime) -> bool:
        """Put a row behind a break that says where it is; False when the chain is not broken like that any more."""

    # --- People: persons, users, chats and the edges between them.

    def person(
        self, tenant: str, person_id: str | None = None, *, user: str | None = None, is_whole: bool = True
    ) -> Person | None:
        """By id, following MERGED_INTO, or the person a user is. Not whole: perhaps without other names and ties."""

    def persons(
        self, tenant: str, person_ids: Sequence[str] = (), *, users: Sequence[str] = ()
    ) -> Mapping[str, Person]:
        """Several, by the ids that were asked for: of persons, or of users."""

    def people(self, wanted: PeopleQuery | KnownTo) -> tuple[Person, ...]:
        """Persons as they are wanted."""

    def attendance(self, tenant: str, chats: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """Chat id → persons who took part in it."""

    def edges(self, tenant: str, node: str | Sequence[str], kinds: Sequence[EdgeKind]) -> tuple[Edge, ...]:
        """Edges from or to a node; of several memories, those that relate two of them."""

    # --- Merges: two persons as one, and back; and the questions whether they are.

    def merges(self, tenant: str, *, secondary: str | None = None, primary: str | None = None) -> tuple[Merge, ...]:
        """The merge by which a person went into another, or those into a person, newest first."""

    def reviews(self, tenant: str, asker: str) -> tuple[Review, ...]:
        """What this user has not answered, oldest first."""

    # --- Consent: profiles, and changes of them that wait for a yes.

    def profile(self, tenant: str, user: str) -> tuple[ProfileValue, ...]:
        """By field, then by time."""

    def proposals(self, wanted: ProposalQuery) -> tuple[Proposal, ...]:
        """Proposals as they are wanted, oldest first."""

    # --- Transcript: messages in, messages found, and what memories rest on.

    def add_messages(
        self, place: Place, messages: Sequence[NewMessage], *, model: str | None, at: datetime
    ) -> tuple[Message, ...]:
        """Store messages in the order given; those whose id the chat has already are left out of the answer."""

    def message_candidates(self, search: MessageSearch) -> tuple[MessageCandidate, ...]:
        """The best messages of all that this view may read, with statistics over those only."""

    def messages(self, wanted: MessageQuery) -> tuple[Message, ...]:
        """Messages as they are wanted."""

    def neighbours(self, view: View, messages: Sequence[Message]) -> Mapping[tuple[int, int], tuple[Message, ...]]:
        """Place of each message → what was said just before and after it in the same chat, as far as it may be read."""

    def tally(self, tenant: str, kind: str, owner: str, *, day: date, add: int = 0) -> int:
        """How much of a daily allowance is used up, with what is used now. What is over by days is dropped."""

    def chat_days(self, tenant: str, view: View | None, *, chat: str | None, limit: int) -> tuple[ChatDay, ...]:
        """Where something was said, by chat and day, the latest first: what this view may read, or everything."""

    def citations(
        self, tenant: str, memory_ids: Sequence[str] = (), *, messages: Sequence[Message] = ()
    ) -> tuple[Citation, ...]:
        """What these memories rest on, or what rests on these messages, whoever may read it."""

    # --- Threads: their revisions. `apply` and `purge` write the changes, in the transaction of the write.

    def changes(self, view: View, reader: Reader, *, taken: Taking | None = None) -> Changes:
        """What the reader was not told yet and this view may see.

        Taken, the mark moves: of many takers at once each change goes to one. It counts a turn of the thread, which is
        told from now on of what the user changes elsewhere; changes of more turns ago than are kept are dropped.
        """

    # --- Sessions, summaries and todos: by user and persona. Nothing of one persona is read for another, but the spine
    # is the user's.

    def session(self, tenant: str, session_id: str) -> tuple[Conversation, Session] | None:
        """By id, with the conversation it belongs to."""

    def sessions(self, conversation: Conversation, *, limit: int) -> tuple[Session, ...]:
        """Newest first."""

    def state(self, conversation: Conversation) -> SessionState:
        """What lasts; all zero before the first message."""

    def summaries(
        self, conversation: Conversation, kind: type[Summary], *, session: str | None = None, limit: int = 2**31 - 1
    ) -> tuple[Summary, ...]:
        """Rolling summaries, those of sessions or the spine, newest first; of one session that one."""

    def keep_in(self, conversation: Conversation, record: ConversationRecord) -> None:
        """Store what is of a conversation as it is now. A rolling summary and a spine are new versions.

        The version of a rolling summary is given here; a state leaves the rolling summary alone.
        """

    def add_todo(self, conversation: Conversation, intent: Intent, *, at: datetime, session_id: str | None) -> Todo:
        """A new todo. Two open ones of one kind and key cannot be."""

    def todos(
        self, conversation: Conversation, status: TodoStatus | None, *, done_since: datetime | None = None, limit: int
    ) -> tuple[Todo, ...]:
        """Oldest first; None: whatever their status. Done since: each time that one was, newest first."""

    # --- Governed sessions: who may name a session or project; ticks, phases and traces.

    def opened(self, tenant: str, user: str, places: Sequence[tuple[Space, str]]) -> frozenset[tuple[Space, str]]:
        """Those of these sessions and projects that are open to the user."""

    def next_number(self, tenant: str, space: Space, owner: str, kind: str) -> int:
        """The next number of a counter, of a kind or `tick`; a transaction holds the counter until it ends.

        `tick` counts what arrives in a scope: the order of two statements of one instant.
        """

    def counters(self, tenant: str, space: Space, owner: str, *, hold: bool = True) -> Mapping[str, int]:
        """The last number of each counter that was ever moved on; held, the open transaction has them until it ends."""

    def live_now(
        self, tenant: str, space: Space, owner: str, kinds: Collection[Kind], *, limit: int, held: Living
    ) -> Living:
        """What `live` gives. `held`: what this gave before; of that only is read what is not as it was then.

        The rows themselves say so, in this very look: it does not matter who changed, erased or restored them.
        """

    def chain_end(self, tenant: str, space: Space, owner: str) -> ChainEnd:
        """Where the chain of a scope ends."""

    def chain(self, tenant: str, space: Space, owner: str, *, after: int = 0, until: int) -> Iterator[LedgerRow]:
        """The ledger rows of a scope above one number and up to another, oldest first."""

    def phases(self, tenant: str, space: Space, owner: str) -> tuple[Phase, ...]:
        """The phases of a scope, oldest first; those that were trimmed are not there."""

    def keep_traces(
        self, tenant: str, space: Space, owner: str, traces: Sequence[Trace], *, policy: Mapping[str, Any]
    ) -> ChainEnd:
        """Keep the events of one call; where the chain ends that they stand beside.

        `policy`: the snapshot that they name, which is kept once, under its hash.
        """

    def traces(self, tenant: str, space: Space, owner: str, *, after: int, limit: int) -> tuple[Trace, ...]:
        """Events numbered above `after`, oldest first. Of an erased one codes, references and counts are left."""

    def lived_by(self, tenant: str, space: Space, owner: str) -> Mapping[str, Any] | None:
        """The policy that the newest traces of a session name; None when they name none."""

    def governed_sessions(self, tenant: str, *, limit: int) -> tuple[GovernedSession, ...]:
        """Sessions that have traces, the one of the latest decision first."""

    # --- Jobs: durable. Of one (tenant, name, key) at most one row waits, and at most one is begun.

    def claim(self, wanted: Claim) -> tuple[Job, ...]:
        """Take jobs of any tenant for so long, earliest first; those of a worker whose lease is over too."""

    def hold(self, job: Job, *, until: datetime | None = None, payload: Mapping[str, Any] | None = None) -> None:
        """Nobody else gets this job before the open transaction ends. Raises `LeaseLost`: write nothing.

        `until`: keep it so long; `payload`: in the place of the one that it came with.
        """

    def finish(self, job: Job, failure: Failure | None = None) -> None:
        """Remove a job, in the transaction of its effect, or note why it failed.

        `LeaseLost`: the effect must not be stored either.
        """

    def jobs(
        self, tenant: str | None, *, names: Sequence[str] | None = None, dead: bool = False, limit: int = 100
    ) -> tuple[Job, ...]:
        """Jobs that are queued or begun, earliest first; or those that were given up, latest first.

        None: of all tenants, of each at most so many.
        """

    def retry(self, job: Job, *, at: datetime) -> bool:
        """Put a dead letter back, its attempts forgotten; False when it is none or the same work is being done now."""

    def watermark(self, tenant: str, name: str) -> datetime | None:
        """How far a schedule has come."""

    def advance(self, tenant: str, name: str, *, since: datetime | None, to: datetime) -> bool:
        """Move a schedule on from where it was read; False when somebody else has moved it: the tick is theirs."""

    def tenants(self) -> tuple[str, ...]:
        """Everybody who has stored something."""

    # --- Checkpoints: supervisors' states, and what graphs keep.

    def checkpoints(
        self, tenant: str, *, user: str | None = None, thread: str | None = None, limit: int = 100
    ) -> tuple[Checkpoint, ...]:
        """Latest states, the last changed first; of one user's thread, of one user or of all."""

    def steps(self, wanted: StepQuery) -> tuple[Step, ...]:
        """Steps, the latest first."""

    def items(self, tenant: str, namespace: Sequence[str], *, key: str | None = None) -> tuple[Item, ...]:
        """Items in a namespace and below it, in the order of namespace and key; with a key, the one in it."""

    # --- Servers: API keys, kept answers, and the ledger as events.

    is_near: bool
    """A lookup by key takes microseconds: who waits for nothing may ask without a thread."""

    def keys(self, tenant: str | None = None, *, key_id: str | None = None) -> tuple[ApiKey, ...]:
        """Keys of a tenant, oldest first, revoked ones included; or one by its id.

        Of whatever tenant: who asks has not said yet whose they are.
        """

    def answered(self, tenant: str, caller: str, key: str) -> Answer | None:
        """What was answered before."""

    def activity(self, tenant: str, *, since: datetime, owner: str | None = None) -> tuple[Done, ...]:
        """What was done a day (UTC) since then, the earliest first: in the memory of one user, or of everybody."""

    # --- Lifetimes: ids in the order of ids; `after` is the last id of the page before.

    # --- Upkeep: consolidation's own books.

    def scopes(self, tenant: str, *, live: bool = False) -> Iterator[Chain]:
        """Every scope that something was written for, or that holds live memories, in a stable order."""

    def checked(self, tenant: str, fingerprints: Sequence[str], *, since: datetime) -> frozenset[str]:
        """Those of the pairs that were judged after that moment."""

    def every(self, tenant: str, *, within: tuple[Space, str] | None = None) -> Iterator[Memory]:
        """Every live memory of a tenant but turns, or of one scope, in a stable order, in bounded memory."""

    # --- Soundness: faults that no write leaves behind.

    def faults(self, tenant: str, kind: FaultKind) -> Iterator[Fault]:
        """What is wrong in this way, in a stable order, in bounded memory; the files are those of all tenants."""

    def repair(self, tenant: str, kind: FaultKind, *, which: str = "") -> int:
        """Mend what is wrong in this way; how much it was. `which`: the code of orphans, the id of a textless memory.

        Orphans are removed; a memory falls back to the newest wording that is left (0: none is); vectors that are lost
        or damaged are noted as missing, so that upkeep makes them; words are made anew from the texts of all memories
        and messages, indexes of the database from their tables.
        """

    def seal_heads(self, tenant: str, *, after: int, limit: int, at: datetime) -> tuple[int, ...]:
        """Put the ends of chains that have grown since the last time into the tenant's own chain.

        At most so many, in the order of their scopes' numbers, which it returns; only scopes numbered above `after`.
        """

    # --- Copies: export, import, backup.

    def lines(self, tenant: str, user: str | None = None) -> Iterator[Mapping[str, Any]]:
        """Every row of a tenant, or what belongs to one user, as JSON-ready objects with `_type`; of one moment.

        In an order in which they can be loaded, the same for the same content.
        """

    def load(self, tenant: str, lines: Iterable[tuple[int, Mapping[str, Any]]]) -> Mapping[str, int]:
        """Put numbered lines into a tenant, all or none; how many of each type. `BadLine` names the first that clashes.

        Scopes get numbers of their own here; everything else is as it was.
        """

    def backup(self, path: Path) -> int:
        """A copy of everything as it is now, while others read and write; its bytes. The file must not exist."""

    # --- Erasure: the right to be forgotten.

    def memory_ids(self, wanted: IdQuery) -> tuple[str, ...]:
        """Ids of memories, whoever may see them, in their order unless said otherwise; from after the last one on."""

    def texts(self, wanted: TextQuery) -> Iterator[str]:
        """Texts as they are wanted, whoever may read them."""

    def remove_retold(self, tenant: str, what: Resting | Retold) -> Removed:
        """Take what somebody told out of the words of others."""

    def fingerprints(self, tenant: str, key: str) -> tuple[Fingerprint, ...]:
        """What was noted."""

    def erase(self, tenant: str, user: str) -> Mapping[str, int]:
        """Remove what belongs to a user besides memories: how many rows of each table.

        Who the user is in the ledger is emptied with it, and the texts of the user's own governed sessions.
        """

    def files(self) -> tuple[Path, ...]:
        """The files of the database that can be looked into; none where they are another machine's."""
