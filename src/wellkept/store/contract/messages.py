"""What the store does for the transcript, in the domain's words: messages in, messages found, what memories rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date, datetime
from typing import TYPE_CHECKING, Protocol

from wellkept.types import Message
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from wellkept.policies.ranking.message_question import MessageQuestion
    from wellkept.policies.visibility.memories import View


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
class MessageSearch:
    """What to look for in the transcript that a view may read."""

    view: View
    question: MessageQuestion
    weights: Mapping[str, float]
    """Of the features in `store/search/message_features.py`, by name."""
    vector: NDArray[np.float32] | None = None
    model: str | None = None
    session: str | None = None
    """The talk that goes on: "the last session" is the one before it."""
    include_stale: bool = False
    """Also what a memory says otherwise by now, or said for a time that is over."""
    limit: int = 50


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


class Messages(Protocol):
    """The transcript."""

    def confidences(self, tenant: str, user: str | None, chat: str | None) -> tuple[str, ...]:
        """Texts of what a user told in this chat to be kept in it; what is said there may tell them."""

    def add_messages(
        self, place: Place, messages: Sequence[NewMessage], *, model: str | None, at: datetime
    ) -> tuple[Message, ...]:
        """Store messages in the order given; those whose id the chat has already are left out of the answer."""

    def has_transcript(self, view: View) -> bool:
        """Whether there is a chat of which this view may have heard anything; False: no message is in sight."""

    def message_candidates(self, search: MessageSearch) -> tuple[MessageCandidate, ...]:
        """The best messages of all that this view may read, with statistics over those only."""

    def heard(self, view: View, page: Page) -> tuple[Message, ...]:
        """The newest messages this view may read, in the order they arrived; spans it may not be shown are left out."""

    def neighbours(self, view: View, messages: Sequence[Message]) -> Mapping[tuple[int, int], tuple[Message, ...]]:
        """Place of each message → what was said just before and after it in the same chat, as far as it may be read."""

    def messages_before(self, place: Place, number: int | None, *, limit: int) -> tuple[Message, ...]:
        """The last messages of a chat up to a number or up to now, oldest first, whoever may read them."""

    def messages_waiting(self, place: Place, *, limit: int) -> tuple[Message, ...]:
        """Messages of a chat that nobody has read for facts yet, oldest first."""

    def mark_read(self, message: Message) -> bool:
        """It has been read for facts; False when somebody else had read it before. In the transaction of its effect."""

    def tally(self, tenant: str, kind: str, owner: str, *, day: date) -> int:
        """How much of a daily allowance is used up."""

    def add_to_tally(self, tenant: str, kind: str, owner: str, *, day: date, amount: int) -> int:
        """Use some, and how much is used now. What is over by days is dropped. In a transaction."""

    def cite(self, tenant: str, citations: Sequence[Citation]) -> None:
        """These memories rest on these spans. In the transaction of the memories."""

    def citations(self, tenant: str, memory_ids: Sequence[str]) -> tuple[Citation, ...]:
        """What memories rest on, whoever may read it."""

    def unembedded_messages(self, tenant: str, model: str, *, limit: int) -> tuple[Message, ...]:
        """Messages without a vector of this model."""

    def embed_message(self, message: Message, vectors: NDArray[np.float32], *, model: str) -> None:
        """Replace a message's vectors."""

    def remove_messages(self, tenant: str, user: str) -> int:
        """Erase what a user's viewpoints have put into the transcript, words and vectors too; how many messages."""
