"""What can be asked of the store, and what it can be told to drop: the questions of `store/contract.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from wellkept.policies.people import profile_fields
from wellkept.policies.ranking.rank_messages import MessageQuestion
from wellkept.policies.visibility import View
from wellkept.store.records import ChatDay, Fingerprints, JobKey, Merge, Place
from wellkept.types import Memory, Message
from wellkept.values import frozen
from wellkept.vocabulary import Kind, Space, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ScopeKey = tuple[str, Space, str]
"""A scope by its tenant, space and owner."""


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
    sensitivity: str | None = None
    """What has none counts as public."""
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
class Listing:
    """Which memories a view is shown, newest first unless asked otherwise; of those with refs, the best first."""

    limit: int
    filter: Filter = field(default_factory=Filter)
    before: str | None = None
    """After this id; nothing after one that the view cannot see."""
    state: State = State.ACTIVE
    """Of one that is not live, those of the view's own spaces."""
    oldest_first: bool = False
    prefix: str | None = None
    """Whose id starts so, whatever their state where the view owns them."""
    refs: tuple[str, ...] | None = None
    """With one of these entity refs, pinned or at least so important."""
    importance_min: float = 0.0


@frozen
class HeldKey:
    """The live (active) memory that holds this key in this scope."""

    space: Space
    owner: str
    memory_key: str
    discriminator: str

    @classmethod
    def of(cls, memory: Memory) -> HeldKey:
        """The key that a memory holds, or would hold."""
        return cls(
            space=memory.space, owner=memory.owner, memory_key=memory.memory_key, discriminator=memory.discriminator
        )


@frozen
class InSlot:
    """Live memories of a scope with one of these fact keys, and this value if one is given, newest first."""

    scope: ScopeKey
    fact_keys: tuple[str, ...]
    value: str | None = None


@frozen
class SaidAbout:
    """Live memories about a person in all scopes but one, newest first; `by_others`: what somebody else stated."""

    tenant: str
    person_id: str
    besides: tuple[Space, str] | None = None
    by_others: bool = False
    limit: int = 1_000_000


@frozen
class Unexpired:
    """Live, unexpired memories of a scope, oldest first, when they are more than that; else none."""

    scope: ScopeKey
    now: datetime
    more_than: int = 0


@frozen
class Latest:
    """The newest live memories of one scope, of these kinds, oldest of them first."""

    scope: ScopeKey
    kinds: tuple[Kind, ...]
    limit: int


@frozen
class Retracted:
    """Memories of a scope that ended without a successor, the latest first."""

    scope: ScopeKey
    limit: int


@frozen
class Due:
    """Memories for upkeep to archive: superseded ones first, oldest first; then those whose time is over."""

    tenant: str
    now: datetime
    limit: int


@frozen
class Heard:
    """The newest messages that a view may read, in the order they arrived, without the spans it may not be shown."""

    view: View
    page: Page


@frozen
class OfChat:
    """The last messages of a chat up to a number or up to now, oldest first, whoever may read them.

    Or the first of those that nobody has read for facts yet.
    """

    place: Place
    number: int | None = None
    is_waiting: bool = False
    limit: int


@frozen
class UnembeddedMessages:
    """Messages without a vector of this model."""

    tenant: str
    model: str
    limit: int


@frozen
class RowsAbout:
    """Ledger rows about one memory, newest first."""

    tenant: str
    memory_id: str
    limit: int


@frozen
class NewestRows:
    """The newest ledger rows of all chains, newest first; of each chain only those numbered above `after`."""

    tenant: str
    after: int = 0
    limit: int = 100


@frozen
class Events:
    """Rows of all chains and searches, newest first; the numbers of searches are below zero."""

    tenant: str
    wanted: EventFilter
    limit: int


@frozen
class Feed:
    """Rows of which a webhook has not been told, those of each chain in their order and without a gap."""

    tenant: str
    hook: str
    limit: int


@frozen
class MessageSearch:
    """What to look for in the transcript that a view may read."""

    view: View
    question: MessageQuestion
    weights: Mapping[str, float]
    """Of the features in `store/search/message_scores.py`, by name."""
    vector: NDArray[np.float32] | None = None
    model: str | None = None
    session: str | None = None
    """The talk that goes on: "the last session" is the one before it."""
    include_stale: bool = False
    """Also what a memory says otherwise by now, or said for a time that is over."""
    limit: int = 50


@frozen
class Page:
    """Which messages to list; None means all."""

    chat: str | None = None
    session: str | None = None
    is_alone: bool = False
    """Only what was said in private, with nobody listening but those who listen now."""
    since: datetime | None = None
    until: datetime | None = None
    before: Message | None = None
    """The first message of the page that was shown last."""
    include_stale: bool = False
    limit: int = 50


@frozen
class AnswersBefore:
    """A tenant's answers that are older than this."""

    tenant: str
    since: datetime


@frozen
class AnyKey:
    """A key that some secret opens, whatever tenant it is of and whatever became of it."""


@frozen
class Position:
    """Where a ledger row stands among all of a tenant."""

    at: datetime
    space: str
    owner: str
    seq: int


@frozen
class EventFilter:
    """Narrows events; None means no filter."""

    owner: str | None = None
    """Whose memory it is."""
    node: str | None = None
    op: str | None = None
    housekeeping: bool = True
    """Also searches, readings, links, ends of lifetimes and everything that upkeep does."""
    before: Position | None = None
    """Of the last event of the page before."""


@frozen
class Claim:
    """Which jobs a worker takes, and for how long: due ones of these names, or one though it is not due."""

    worker: str
    """A name that no other claim has: it is what `hold` and `finish` check."""
    now: datetime
    lease_seconds: float
    names: tuple[str, ...] = ()
    about: JobKey | None = None
    takes_over: bool = False
    """One job also from a worker whose lease is not over, unless it is writing right now; it can write nothing more."""
    limit: int = 1


@frozen
class CheckpointKey:
    """Which supervisor's state."""

    tenant: str
    user: str
    thread: str


@frozen
class StepQuery:
    """Which steps: of one thread or of all, one thread after the other; dropped, they go with their writes.

    With nothing but a thread, writes that follow no step are dropped with it too.
    """

    tenant: str
    thread: str | None = None
    ns: str | None = None
    checkpoint_id: str | None = None
    before: str | None = None
    runs: tuple[str, ...] | None = None
    """Those that these runs made, in whatever thread; nothing else narrows them."""
    limit: int | None = None
    with_writes: bool = False


@frozen
class ItemKey:
    """Which item."""

    tenant: str
    namespace: tuple[str, ...]
    key: str


@frozen
class PersonKey:
    """A person and whoever was merged into them, dropped with everything that names them.

    Names, relationships to and from them, links of users, chats, merges and questions. ABOUT and STATED_BY are of the
    memories, and stay with them.
    """

    tenant: str
    person_id: str


@frozen
class PeopleQuery:
    """Which unmerged persons of a tenant, by one of these; without any, all of them, the latest first."""

    tenant: str
    name: str | None = None
    """A normalised name or alias (`words.name_key`)."""
    related_to: tuple[str, str] | None = None
    """A user, and what they call them: their wife, their boss and so on."""
    made_by: str | None = None
    """A user who has made, named or related them; merged ones too."""
    after: str | None = None
    """All, in the order of their ids, from here on."""
    limit: int = 2**31 - 1


@frozen
class PendingJob:
    """This work, or any of any tenant, queued or begun."""

    about: JobKey | None = None


@frozen
class Unread:
    """A message that nobody has read for facts; dropped in the transaction of what was read, by one reader only."""

    message: Message


@frozen
class KnownTo:
    """Whom a view created, mentioned, met or sees memories about, latest first; `is_here`: the present and the last."""

    view: View
    limit: int
    is_here: bool = False


@frozen
class Resting:
    """Replies that tell these memories again, whoever was told, and what these speakers (folded names) said.

    With `mentions` everything that the memories rest on.
    """

    memory_ids: tuple[str, ...]
    mentions: bool
    speakers: frozenset[str]


@frozen
class Retold:
    """What was made for others and tells again: replies that rest on no memory, summaries, kept answers.

    `is_retold` is asked with a role and a text; with `mentions` about what others said, too.
    """

    is_retold: Callable[[str, str], bool]
    mentions: bool


@frozen
class ProposalQuery:
    """Which proposals, oldest first: one by its id, those of a user, or of all."""

    tenant: str
    id: str | None = None
    user: str | None = None
    state: profile_fields.State | None = None
    until: datetime | None = None
    """Pending ones of all users that were made before that moment or at it."""
    limit: int = 2**31 - 1


@frozen
class MessagesBefore:
    """Messages that arrived before then, the oldest of each chat first; they go with their words and vectors."""

    tenant: str
    until: datetime
    limit: int


@frozen
class TextQuery:
    """Which texts of a user.

    `own`: everything in their rows but what was said to them, which is `replies`; `confidences`: what they told in a
    chat to be kept in it; `retired`: texts and quotes of memories that are no longer live, newest first.
    """

    tenant: str
    user: str | None
    kind: Literal["own", "replies", "confidences", "retired"]
    chat: str | None = None
    limit: int = 2**31 - 1


@frozen
class Idle:
    """Live memories, not pinned, of less than this base importance, that nobody recalled since then."""

    tenant: str
    since: datetime
    below: float
    after: str
    limit: int


@frozen
class Purgeable:
    """Soft-deleted memories whose time has come, earliest first."""

    tenant: str
    now: datetime
    limit: int


@frozen
class Archived:
    """Memories that were archived by then."""

    tenant: str
    until: datetime
    after: str
    limit: int


@frozen
class MemoriesOf:
    """What a user owns or stated, whatever its state; if asked, what is about them."""

    tenant: str
    user: str
    mentions: bool
    after: str
    limit: int


@frozen
class FoldedInto:
    """Memories that were folded into this one."""

    tenant: str
    memory_id: str


@frozen
class NeverEmbedded:
    """Those of these live memories that never had a vector of any model."""

    tenant: str
    memory_ids: tuple[str, ...]


@frozen
class InSight:
    """Those of these memories that the view sees now."""

    view: View
    memory_ids: tuple[str, ...]


@frozen
class Stored:
    """Anything that was stored for a tenant, or in a user's own space."""

    tenant: str
    user: str | None = None


@frozen
class KnownUser:
    """Anything that is stored and belongs to this user."""

    tenant: str
    user: str


@frozen
class SpokenOf:
    """A memory about this person, or a user who they are."""

    tenant: str
    person_id: str


@frozen
class TextHeld:
    """A memory, somebody's own words or a reply that rests on a memory, with this text; with `replies` any reply."""

    tenant: str
    text: str
    replies: bool = False


@frozen
class Transcript:
    """A chat of which this view may have heard anything; without one, no message is in sight."""

    view: View


@frozen
class UserMessages:
    """Messages of a user to all personas."""

    tenant: str
    owner: str


@frozen
class EverStored:
    """Memories that a scope has taken in, those that are gone included."""

    tenant: str
    space: Space
    owner: str


@frozen
class ChecksSince:
    """Pairs of a scope that were judged after that moment."""

    tenant: str
    space: Space
    owner: str
    since: datetime


@frozen
class TracedUntil:
    """The number of the ledger row that the last kept call of a session ended with; 0 before the first."""

    scope: ScopeKey


@frozen
class Unembedded:
    """Live memories without a vector of this model."""

    tenant: str
    model: str
    limit: int = 2**31 - 1


Droppable = (
    AnswersBefore | CheckpointKey | Fingerprints | ItemKey | Merge | MessagesBefore | PersonKey | StepQuery | Unread
)  # fmt: skip
IdQuery = Archived | ChatDay | FoldedInto | Idle | InSight | MemoriesOf | NeverEmbedded | Purgeable
"""What `memory_ids` takes; of a day in a chat, the memories that rest on what was said there."""
Holding = AnyKey | KnownUser | PendingJob | SpokenOf | Stored | TextHeld | Transcript
Countable = ChecksSince | EverStored | TracedUntil | Unembedded | UserMessages
MemoryQuery = Due | InSlot | Latest | Retracted | SaidAbout | Unembedded | Unexpired
MessageQuery = Heard | OfChat | UnembeddedMessages
LedgerQuery = Events | Feed | RowsAbout | NewestRows
