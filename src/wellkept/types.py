"""The frozen values that cross boundaries: memories, people, viewpoints, claims, outcomes, hits."""

from __future__ import annotations

from dataclasses import field, fields
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal

from wellkept.values import frozen
from wellkept.vocabulary import (
    LIFETIMES,
    Authority,
    Cardinality,
    ChatType,
    EdgeKind,
    EventType,
    Kind,
    MemoryType,
    Origin,
    OutcomeKind,
    Polarity,
    Sensitivity,
    Source,
    Space,
    State,
    Trust,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Role = Literal["user", "assistant", "tool", "system"]


@frozen
class Viewpoint:
    """Who is speaking or asking, and where."""

    tenant: str = "default"
    user: str | None = None
    chat: str | None = None
    chat_type: ChatType = "private"
    participants: tuple[str, ...] = ()
    """User ids of the other people in the chat."""
    persona: str | None = None
    agent: str | None = None
    thread: str | None = None
    session: str | None = None
    project: str | None = None
    run: str | None = None
    username: str | None = None
    display_name: str | None = None


@frozen
class Subtype:
    """What the primary entity is, and what is said of it."""

    entity_type: Literal["person", "place", "org", "project"] = "person"
    fact_type: Literal["fact", "preference", "relationship", "friction", "habit"] = "fact"

    def as_json(self) -> dict[str, str]:
        """The names of the contract."""
        return {"entityType": self.entity_type, "factType": self.fact_type}


@frozen
class Memory:
    """One fact in one or two sentences, with its metadata. Times are aware and in UTC."""

    id: str
    tenant: str
    version: int = 1
    content: str
    quote: str | None = None
    language: str | None = None
    type: MemoryType = MemoryType.KNOWLEDGE
    kind: Kind = Kind.SEMANTIC
    event_type: EventType = EventType.FACT
    category: str = "knowledge"
    tags: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    space: Space
    owner: str
    persona_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    actor_id: str | None = None
    role: str | None = None
    subject_person_ids: tuple[str, ...] = ()
    stated_by: str | None = None
    """The person who said it."""
    learned_in: str | None = None
    """The chat it was said in."""
    learned_in_type: ChatType | None = None
    source: Source = "user"
    origin: Origin = "explicit"
    source_username: str | None = None
    source_display_name: str | None = None
    source_session_id: str | None = None
    source_message_id: str | None = None
    entity_refs: tuple[str, ...] = ()
    entity_label: str | None = None
    subtype: Subtype = Subtype()
    memory_key: str
    fact_key: str | None = None
    discriminator: str
    """Unique among live memories of a scope and memory_key: what makes two memories the same slot or the same fact."""
    value: str | None = None
    """The normalised value that fills the slot, if there is one."""
    sensitivity: Sensitivity | None = None
    portable: bool = True
    confidential: bool = False
    importance: float = 1.0
    pinned: bool = False
    confidence: float = 1.0
    authority: Authority = Authority.USER_ASSERTED
    authority_reason: str = "source:user"
    is_correction: bool = False
    mention_count: int = 1
    access_count: int = 0
    state: State = State.ACTIVE
    archive_reason: str | None = None
    created_at: datetime
    observed_at: datetime
    updated_at: datetime
    last_accessed_at: datetime | None = None
    event_at: datetime | None = None
    """When the thing told of happens or happened, if the text says so."""
    expires_at: datetime | None = None
    purge_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_at: datetime | None = None
    superseded_by: str | None = None
    tick: int | None = None
    phase_id: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)

    @property
    def owner_user_id(self) -> str | None:
        """The user, for a personal memory."""
        return self.owner if self.space is Space.USER else None

    @property
    def chat_id(self) -> str | None:
        """The chat, for a group memory."""
        return self.owner if self.space is Space.CHAT else None

    @property
    def trust(self) -> Trust:
        """Whether the speaker speaks of themself, of somebody else, or is unknown."""
        if self.stated_by is None:
            return Trust.UNKNOWN
        if not self.subject_person_ids or self.stated_by in self.subject_person_ids:
            return Trust.FACT
        return Trust.HEARSAY

    @property
    def dies_at(self) -> datetime | None:
        """When it stops being recalled: its own expiry, else the lifetime of its type."""
        if self.expires_at is not None:
            return self.expires_at
        # When it was told may be ahead of the wall clock, which had stepped back; a lifetime is of wall time.
        told_at = min(self.observed_at, self.updated_at)
        return told_at + LIFETIMES[self.type] if self.type in LIFETIMES else None


@frozen
class Version:
    """An earlier (or the present) text of a memory."""

    memory_id: str
    version: int
    content: str
    quote: str | None
    at: datetime


@frozen
class Alias:
    """Another name of a person, and who calls them so (a user id; None: the system)."""

    value: str
    added_by: str | None = None


@frozen
class Relationship:
    """What a person is to another, as somebody said: 'wife' of `other_person_id`, stated by that user."""

    relationship: str
    stated_by: str | None = None
    other_person_id: str | None = None


@frozen
class Person:
    """Somebody in somebody's life. `name` is None until it is learned ("my wife")."""

    id: str
    tenant: str
    name: str | None = None
    created_by: str | None = None
    created_at: datetime
    aliases: tuple[Alias, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    merged_into: str | None = None
    user_id: str | None = None


@frozen
class Edge:
    """One typed relation between two ids."""

    kind: EdgeKind
    src: str
    dst: str
    strength: float | None = None
    stated_by: str | None = None


@frozen
class Message:
    """One message of a conversation: as a judge reads it, and as the transcript keeps it."""

    id: str | None = None
    role: Role = "user"
    content: str = ""
    speaker: str | None = None
    at: datetime | None = None
    """When it was said; None: nobody knows, then the order of arrival counts."""
    tenant: str = "default"
    user_id: str | None = None
    persona_id: str | None = None
    chat_id: str | None = None
    chat_type: ChatType = "private"
    session_id: str | None = None
    arrived_at: datetime | None = None
    confidential: bool = False
    place: tuple[int, int] = (0, 0)
    """Where it stands in the transcript; the second number is the order of arrival there."""


@frozen
class Reference:
    """Somebody as a text names them: a name, a relation to the speaker, a handle, or several of these."""

    text: str
    name: str | None = None
    relation: str | None = None
    """Canonical relation word ("wife"), as seen from `of`, or from the speaker when `of` is None."""
    handle: str | None = None
    is_speaker: bool = False
    of: Reference | None = None
    """Whose relation it is: "Sarah's brother" is brother of Sarah."""


@frozen
class Evidence:
    """Where a claim was said: message id and character range in it."""

    message_id: str | None = None
    start: int = 0
    end: int = 0


@frozen
class Claim:
    """A fact as a judge read it, before anything is decided about it."""

    content: str
    quote: str | None = None
    language: str = "en"
    type: MemoryType = MemoryType.KNOWLEDGE
    kind: Kind = Kind.SEMANTIC
    event_type: EventType = EventType.FACT
    category: str | None = None
    tags: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    subjects: tuple[Reference, ...] = ()
    """Who it is about. The speaker is among them only when named beside others."""
    introduces: tuple[Reference, ...] = ()
    """People whose name and relation the text ties together ("Sarah is my wife"), whether or not they are subjects."""
    ends: tuple[Reference, ...] = ()
    """Relations of the speaker that the text says are over; without a name, whoever holds them."""
    entity_refs: tuple[str, ...] = ()
    entity_label: str | None = None
    subtype: Subtype = Subtype()
    slot: str | None = None
    """Slot of the first subject (or of the speaker): `favorite:color`, `city`, `likes`."""
    value: str | None = None
    cardinality: Cardinality = "many"
    polarity: Polarity = "assert"
    is_correction: bool = False
    corrects: str | None = None
    """The B of "A, not B": the value that is said to be wrong."""
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    portable: bool = True
    is_of_us: bool = False
    is_going_on: bool = False
    """Of "us" who talk here and our things, or what goes on among us: told among several people, both are theirs."""
    is_about_nobody: bool = False
    """Of a thing, a place, work: the speaker does not become its subject, and it stays where it was told."""
    confidential: bool = False
    only_persona: bool = False
    importance: float = 1.0
    confidence: float = 1.0
    event_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    is_suspect: bool = False
    said_by: str | None = None
    """The name of whoever said it."""
    said_in: str = ""
    """The message it was read from, where that is short. Never stored."""
    said_after: str = ""
    """The end of the message before it, with its speaker: an answer is understood by its question. Never stored."""
    evidence: Evidence = Evidence()


@frozen
class Outcome:
    """What became of one write."""

    outcome: OutcomeKind
    id: str | None = None
    reason: str | None = None
    replaced: str | None = None
    content: str | None = None
    others: tuple[Outcome, ...] = ()
    """Outcomes of the further facts of the same text."""


@frozen
class Decision:
    """What a policy decided, and why."""

    verdict: str
    reason: str


@frozen
class Hit:
    """One recalled thing, with the reasons it was found and ranked where it is."""

    id: str
    source: Literal["memory", "message"]
    text: str
    score: float
    why: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    """Names of the people it is about."""
    stated_by: str | None = None
    at: datetime | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    arms: Mapping[str, float] = field(default_factory=dict)
    """Arm that found it → how well it fits by that arm alone, 0..1."""
    memory: Memory | None = None
    related: tuple[str, ...] = ()
    """Texts of one or two related memories; of a message, what was said just before and after it."""
    quote: str | None = None
    """What was said, where a found message is represented by this memory."""
    message: Message | None = None
    message_ids: tuple[str, ...] = ()
    """Messages that this memory represents here."""


@frozen
class Card:
    """What else is known of one entity."""

    ref: str
    facts: tuple[str, ...]


@frozen
class Recall:
    """The answer of a recall: hits, best first."""

    query: str
    hits: tuple[Hit, ...] = ()
    verdict: Literal["found", "nothing", "below_threshold"] = "nothing"
    delta: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    notices: tuple[str, ...] = ()
    """What the caller should know, such as an embedder that did not answer."""

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


def as_json(value: object) -> Any:  # noqa: ANN401 -- JSON is what it gives
    """A value as JSON-ready data: dataclasses become objects, days and times ISO text in UTC."""
    if isinstance(value, Subtype):
        return value.as_json()
    if isinstance(value, date):
        return value.isoformat()
    if hasattr(value, "__dataclass_fields__"):
        return {item.name: as_json(getattr(value, item.name)) for item in fields(value)}  # type: ignore[arg-type]  # dataclasses only
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, frozenset, set)):
        return [as_json(item) for item in value]
    return value
