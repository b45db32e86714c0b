"""What is handed to the store and what comes back: the values of `store/contract.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from wellkept.policies.context import ChangeEvent
from wellkept.policies.governance.phases import Phase
from wellkept.policies.people import profile_fields
from wellkept.policies.people.profile_fields import Field
from wellkept.policies.summaries import RollingSummary, Session, SessionState, SessionSummary, Spine
from wellkept.policies.todos import Todo
from wellkept.types import Edge, Memory, Message, Person
from wellkept.values import frozen
from wellkept.vocabulary import ChatType, Space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Node = Literal["hotpath", "context", "episodic", "worker", "admin"]
Op = Literal[
    "classify", "search", "create", "update", "merge", "delete", "link", "ttl", "restore", "promote", "consent", "admin"
]
Status = Literal["ok", "error", "skipped", "denied"]
ACTIVE_FOR = timedelta(days=30)
"""A thread that nobody spoke in for so long is told of nothing that happens elsewhere."""
JobKey = tuple[str, str, str]
"""Tenant, name and key: what makes two requests the same work."""
JobState = Literal["queued", "begun", "dead"]
CountedBy = Literal["state", "privacy", "day", "event"]


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
    """Of one that leaves only its state is stored, with when and why; of one retold its text, and of whom and when.

    Everything else of the memory must be as it is stored: the checksum is of the whole row.
    """
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
class NewMessage:
    """A message to be stored, with its words and vectors."""

    message: Message
    terms: Mapping[str, int]
    vectors: NDArray[np.float32] | None = None
    """One row a piece of the text; None when the embedder did not answer: it is stored and marked."""
    is_waiting: bool = False
    """It is to be read for facts."""
    is_idle: bool = False
    """It asks memory or is memory's answer: it is found by its time alone, never as an answer."""


@frozen
class Place:
    """Where the messages of one call belong: who speaks with whom, and who hears it."""

    tenant: str
    user: str | None = None
    persona: str | None = None
    chat: str | None = None
    is_group: bool = False
    audience: frozenset[str] = frozenset()
    """Person ids of everybody who hears them."""


@frozen
class MessageCandidate:
    """A message that bears on the question, with what is known of it; everything is counted over what is visible."""

    message: Message
    """Without the spans that this view may not be shown."""
    relevance: float = 0.0
    """The weighted sum of its features."""
    cosine: float | None = None
    """None: it has no vector."""
    share: float = 0.0
    """BM25 as a share of what a message with every query term once would score."""
    coverage: float = 0.0
    """The weight of the query terms that it has, as a share of that of all."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """Each feature's part of the relevance."""
    is_stale: bool = False
    """Shown only because stale messages were asked for."""


@frozen
class Citation:
    """A span of a message that a memory rests on, in characters."""

    memory_id: str
    message_id: str
    place: tuple[int, int]
    """Of the message, as in `Message.place`."""
    start: int
    stop: int


@frozen
class Citations:
    """Memories rest on these spans. In the transaction of the memories."""

    tenant: str
    citations: tuple[Citation, ...]


@frozen
class Rewiring:
    """Edges to add and to drop that follow from no row, such as PARTICIPATES_IN."""

    tenant: str
    add: tuple[Edge, ...] = ()
    drop: tuple[Edge, ...] = ()
    at: datetime


@frozen
class Win:
    """A todo was done, then."""

    todo: Todo
    at: datetime


@frozen
class CuratorVisit:
    """When the curator was with a user last, and what it left, in every state of theirs."""

    tenant: str
    owner: str
    books: Mapping[str, Any]


@frozen
class ChatDay:
    """What was said in a chat on a day (UTC), with one persona and in one session, in figures."""

    tenant: str
    scope: int
    """Number of the scope of its messages."""
    user: str | None
    chat: str | None
    chat_type: str
    persona: str | None
    session: str | None
    day: date
    messages: int
    waiting: int
    """Messages that nobody has read for facts yet."""
    first_at: datetime
    last_at: datetime


@frozen
class Reader:
    """An agent in a thread of a user; each has a mark of its own."""

    tenant: str
    user: str
    thread: str
    agent: str | None = None
    persona: str | None = None


@frozen
class ThreadChange:
    """One change of a thread that the reader may hear of."""

    rev: int
    event: ChangeEvent
    memory_id: str
    category: str
    importance: float
    is_live: bool
    """Whether the reader sees the memory now; else its text is not told."""


@frozen
class Changes:
    """What a reader has not been told yet, in order."""

    since: int = 0
    """How many changes it was told of before."""
    changes: tuple[ThreadChange, ...] = ()


@frozen
class Taking:
    """Changes are told now, and kept for so many turns."""

    at: datetime
    keep_turns: int


@frozen
class Told:
    """Whom a memory was about and who said it, before a merge."""

    memory_id: str
    subjects: tuple[str, ...]
    stated_by: str | None = None


@frozen
class Merge:
    """A merge of two persons with all that is needed to take it back; one a secondary."""

    tenant: str
    at: datetime
    by: str | None = None
    """User id of who asked for it; None: found by the rules."""
    primary: Person
    secondary: Person
    """Both as they were before."""
    told: tuple[Told, ...] = ()
    chats: tuple[str, ...] = ()
    """Where the secondary took part and the primary did not."""
    shared_chats: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    """Users who were the secondary."""
    related: tuple[Person, ...] = ()
    """Persons with a relationship to the secondary, as they were."""


@frozen
class Review:
    """Two persons who may be one, for a user to decide; what was answered is not asked again.

    The pair is kept in the order of the ids.
    """

    tenant: str
    asker: str
    one: str
    other: str
    reason: str
    at: datetime
    decision: Literal["merged", "apart"] | None = None


@frozen
class ProfileValue:
    """One field of a profile. A many-valued field has several."""

    field: Field
    value: str
    memory_id: str | None = None
    at: datetime


@frozen
class Proposal:
    """A change of a profile that somebody has to agree to."""

    id: str
    tenant: str
    user_id: str
    field: Field
    old: str | None = None
    new: str
    evidence: str | None = None
    """Id of the memory of what was said."""
    message_id: str | None = None
    signals: int = 1
    state: profile_fields.State = "pending"
    at: datetime
    asked_in: str | None = None
    """The chat that was asked last; empty text for none in particular."""
    decided_at: datetime | None = None


@frozen
class ApiKey:
    """A program's right to call. The key itself is nowhere; `hash` is of its secret part."""

    tenant: str
    id: str
    name: str
    hash: str
    scopes: tuple[str, ...]
    """`operator`, `tenant`, `user:<id>`, `agent:<name>`."""
    created_at: datetime
    revoked_at: datetime | None = None
    expires_at: datetime | None = None
    """From then on it opens nothing. None: it has no end."""


@frozen
class Answer:
    """What was answered to a write that came with a key of its own, so that asking again changes nothing.

    `UniqueClash` when one is kept already.
    """

    tenant: str
    caller: str
    key: str
    request: str
    """Hash of what was asked."""
    user: str | None = None
    """Whose words may stand in it: erasing a user removes it."""
    body: str
    at: datetime


@frozen
class Chain:
    """A scope's chain of ledger rows, by its length."""

    space: Space
    owner: str
    length: int


@frozen
class Done:
    """How often something was done on a day."""

    day: date
    node: str
    op: str
    times: int


@frozen
class NewJob:
    """Work to be done at `due_at` or later. A row that still waits gets the new due time.

    While the same work is being done, the new row waits behind it.
    """

    tenant: str
    name: str
    """Of the table in `jobs.py`."""
    key: str = ""
    """What the work is about, such as a chat's id; empty for the whole tenant."""
    payload: Mapping[str, Any] | None = None
    """Ids, codes and numbers, never text. None keeps the payload of the row that waits."""
    due_at: datetime


@frozen
class Job:
    """A job as it is stored. What `claim` gave is the right to finish it, until somebody else takes over."""

    tenant: str
    name: str
    key: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    state: JobState
    due_at: datetime
    """When it may be claimed: while a worker has it, the end of its lease."""
    attempts: int = 0
    crashes: int = 0
    """How many of the attempts ended without a word: the worker died or was too slow."""
    run: str = ""
    """Names this work through all its attempts, from the first claim on."""
    lease: str = ""
    error: str | None = None
    """Code of the last failure."""

    @property
    def about(self) -> JobKey:
        """Tenant, name and key."""
        return self.tenant, self.name, self.key


@frozen
class Failure:
    """Why a job could not be done, by its code."""

    error: str
    at: datetime
    retry_at: datetime | None
    """None: it is given up, and put among the dead letters."""


@frozen
class Checkpoint:
    """The latest state of one supervisor's thread.

    It is kept over version - 1, or new with version 1; else `CheckpointConflict`, and nothing is written.
    """

    tenant: str
    id: str
    user_id: str
    thread_id: str
    data: str
    """JSON."""
    version: int
    created_at: datetime
    updated_at: datetime


@frozen
class Step:
    """One checkpoint of a graph. Kept with its writes; one with the same id is replaced."""

    tenant: str
    thread_id: str
    ns: str
    checkpoint_id: str
    parent_id: str | None
    run_id: str | None
    checkpoint: str
    metadata: str
    """Both JSON."""
    writes: tuple[Write, ...] = ()
    """In the order in which they are applied."""


@frozen
class Write:
    """What a task wrote after a step, before the next one."""

    checkpoint_id: str
    task_id: str
    idx: int
    channel: str
    task_path: str
    value: str


@frozen
class Writes:
    """Writes after a step, kept in their order. One that is there stays, unless its idx is below 0."""

    tenant: str
    thread_id: str
    ns: str
    checkpoint_id: str
    writes: tuple[Write, ...]


@frozen
class Item:
    """A value that graphs keep across threads; one that is there keeps its first time."""

    tenant: str
    namespace: tuple[str, ...]
    key: str
    value: str
    created_at: datetime
    updated_at: datetime


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


@frozen
class Fingerprint:
    """One way in which a text can stand in a file."""

    tag: int
    """Of its last bytes."""
    length: int
    digest: str
    way: str
    is_reply: bool = False
    """Something that was said to the user: others may have been told the same."""


FaultKind = Literal["orphans", "textless", "lost_vectors", "wrong_words", "rows", "files"]
"""What can be wrong with a store: rows that belong to nothing, memories without their text, memories that are said to
have vectors and have none, words in the index that are not those of the text, checksums, the database's own files."""


@frozen
class Fault:
    """Something that no write leaves behind. Names of tables, ids and places, never values."""

    kind: FaultKind
    code: str
    """Of rows that belong to nothing, their table; of a checksum, `unsummed` where an earlier release wrote the row."""
    table: str = ""
    id: str = ""
    """Of the memory or message, else the key of the row; of the files, what the database says of them."""
    count: int = 1
    can_repair: bool = True
    """Whether it can be had back from what else is stored."""


@frozen
class UserLink:
    """This user is that person, and nobody else; without a person the user is nobody until linked again."""

    tenant: str
    user: str
    person_id: str | None
    username: str | None = None
    display_name: str | None = None
    is_first: bool = False
    """The user was nobody before: there is nothing to take back."""


@frozen
class Attendance:
    """These people take part in this chat. Nothing is written when all of it is known."""

    tenant: str
    chat: str
    chat_type: ChatType
    person_ids: tuple[str, ...]
    at: datetime


@frozen
class NewPerson:
    """A person of whose id nothing was ever stored."""

    person: Person


@frozen
class ProfileChange:
    """A value of a field of a user's profile; with `adds` beside what is there, else instead of it."""

    tenant: str
    user: str
    value: ProfileValue
    adds: bool


@frozen
class Opening:
    """From now on these sessions and projects are open to the user. Nothing is written when they are already."""

    tenant: str
    user: str
    places: tuple[tuple[Space, str], ...]
    at: datetime


@frozen
class PairChecks:
    """Pairs of a scope that were judged now: fingerprint → verdict."""

    tenant: str
    space: Space
    owner: str
    verdicts: Mapping[str, str]
    at: datetime


@frozen
class Counters:
    """Counters of a scope as far as they were counted elsewhere; none goes back."""

    tenant: str
    space: Space
    owner: str
    numbers: Mapping[str, int]


@frozen
class FeedMark:
    """A webhook has been told of these rows; None: of everything so far."""

    tenant: str
    hook: str
    rows: tuple[LedgerRow, ...] | None


@frozen
class Reads:
    """Buffered access counts of memories; not part of any chain. With a `reader` other users' memories stay as is."""

    tenant: str
    times: Mapping[str, int]
    at: datetime
    reader: str | None = None


@frozen
class Searches:
    """Ledger rows of searches, in no chain; none where the owner has no chain: reading makes nobody known."""

    tenant: str
    space: Space
    owner: str
    searches: tuple[tuple[datetime, Entry], ...]


@frozen
class Fingerprints:
    """What an erasure removes, noted so that it can be looked for until it is proved to be gone."""

    tenant: str
    key: str
    prints: frozenset[Fingerprint] = frozenset()
    """Dropped, all of the key."""


@frozen
class Embedded:
    """The vectors of a memory or message, in the place of those it had; no ledger row, for the text is the same."""

    said: Memory | Message
    vectors: NDArray[np.float32]
    model: str


@frozen
class NewPhase:
    """A phase that begins; those numbered below the first are dropped, and their memories stay."""

    tenant: str
    phase: Phase
    first: int = 0


@frozen
class Removed:
    """What an erasure took out of the words of others: how many of each kind, and the texts of replies."""

    counts: Mapping[str, int] = field(default_factory=dict)
    texts: tuple[str, ...] = ()


Record = (
    Answer | ApiKey | Attendance | Checkpoint | Citations | Counters | CuratorVisit | Embedded | FeedMark | Fingerprints
    | Item | Merge | NewJob | NewPerson | NewPhase | Opening | PairChecks | Person | ProfileChange | Proposal | Reads
    | Review | Rewiring | Searches | Step | Todo | UserLink | Win | Writes
)  # fmt: skip
ConversationRecord = RollingSummary | Session | SessionState | SessionSummary | Spine
"""What `keep` takes. Each says of itself what is special about keeping it."""
