"""What callers ask of the flows: one frozen request a verb."""

from __future__ import annotations

from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from wellkept.store.contract import Filter
from wellkept.types import Message, Viewpoint
from wellkept.values import frozen
from wellkept.vocabulary import MemoryType, Origin, Sensitivity, Source, State

if TYPE_CHECKING:
    from wellkept.policies.ranking.rank import StrategyName

RecallSource = Literal["memories", "messages"]


@frozen
class Statement:
    """One thing to remember, as the caller gives it."""

    text: str
    about: tuple[str, ...] = ()
    """People it is about, as the speaker names them: "Sarah", "my wife", "@bob", or a person id."""
    expires_at: datetime | None = None
    expires_in_days: float | None = None
    shared: bool = False
    only_persona: bool = False
    is_procedure: bool = False
    """It tells steps: a title, then what to do."""
    is_as_given: bool = False
    """Store the text as it stands; the judge still reads it for slot, subjects, language and sensitivity."""
    type: MemoryType | None = None
    """None: the judge infers it."""
    sensitivity: Sensitivity | None = None
    category: str | None = None
    source: Source = "user"
    origin: Origin = "explicit"
    said_at: datetime | None = None
    """When it was said, where that was not now."""
    message: Message | None = None
    """The message it was said in, as the transcript keeps it."""
    window: tuple[Message, ...] = ()
    """What was said before it, oldest first: who is meant by "he"."""
    is_remark: bool = False
    """Said in passing, nobody asked to have it kept: the profile takes it as it takes what is overheard."""
    is_pinned: bool = False
    fault: str | None = None
    """Code of what is wrong with it, when the caller's own form was: it is reported, the others are stored."""


@frozen
class RememberRequest:
    """Statements of one speaker, each with an outcome of its own."""

    viewpoint: Viewpoint
    statements: tuple[Statement, ...]


@frozen
class RecallRequest:
    """A question to the memory."""

    viewpoint: Viewpoint
    query: str
    limit: int = 10
    sources: tuple[RecallSource, ...] = ("memories", "messages")
    include_stale: bool = False
    """Also messages that say what has been replaced or has expired, marked."""
    filter: Filter = field(default_factory=Filter)
    about: tuple[str, ...] = ()
    as_of: datetime | None = None
    now: datetime | None = None
    threshold: float | None = None
    similarity_min: float | None = None
    """Least calibrated similarity; without an embedder, least share of the words."""
    strategy: StrategyName | None = None
    with_cards: bool = True
    """Also what else is known of the entities that were found."""


@frozen
class ListRequest:
    """Memories of a viewpoint, newest first: live ones, or those of another state in its own spaces."""

    viewpoint: Viewpoint
    limit: int = 20
    filter: Filter = field(default_factory=Filter)
    about: tuple[str, ...] = ()
    before: str | None = None
    include_expired: bool = False
    as_of: datetime | None = None
    state: State = State.ACTIVE
    oldest_first: bool = False


@frozen
class MemoryRequest:
    """One memory of a viewpoint, by id or unique prefix."""

    viewpoint: Viewpoint
    memory_id: str
