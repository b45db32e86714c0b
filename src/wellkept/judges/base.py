"""The judge: whatever decides things that need language. Rules by default, a model for those who have one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, TypeGuard

from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from wellkept.models.bundled import Labels, Reader
    from wellkept.policies.ranking.rank_messages import AskedTime
    from wellkept.policies.summaries import Lines, Parts, Talk
    from wellkept.policies.todos import Intents
    from wellkept.types import Claim, Memory, Message
    from wellkept.vocabulary import EventType

Verdict = Literal["same", "contradicts", "different"]


@frozen
class Reading:
    """What a judge is given to read. Only messages of role `user` are a source; the others help with pronouns."""

    messages: tuple[Message, ...]
    """Oldest first; the facts are read from the last one, the others are its window."""
    is_explicit: bool = False
    """The speaker asked for it to be remembered: no quality bar, and the text itself is kept when unsure."""
    is_remark: bool = False
    """Told, and nobody asked to have it kept: read as what is overheard where that understands more."""
    speaker: str | None = None
    """The speaker's name, if it is known."""
    persona: str | None = None
    people: tuple[str, ...] = ()
    """Names of people the speaker is known to talk about."""
    now: datetime | None = None
    """Aware, in the speaker's time zone. None: relative dates stay words."""
    known: tuple[str, ...] = ()
    """What the memory holds already, as texts."""
    tenant: str = "default"
    user: str | None = None
    """Whose budget a model is asked on."""


@frozen
class Question:
    """A question as a judge understood it."""

    text: str
    is_question: bool
    about: tuple[str, ...] = ()
    """Whom it asks about, as the text says it: "my wife", "Bob", "me"."""
    mentions: tuple[str, ...] = ()
    """Others it speaks of by what they are to the asker: "dinner with my brother"."""
    asks_everything: bool = False
    """"What do you know about X?": every visible memory about X is an answer."""
    slot: str | None = None
    terms: tuple[str, ...] = ()
    """Words that the rules would add to the search: the slot's own words, synonyms of the predicate."""
    asker: str | None = None
    """The asker's name, if it is known: facts may speak of them by it."""


@frozen
class Fact:
    """A recalled memory as a judge sees it when it answers."""

    memory: Memory
    similarity: float
    """Calibrated, 0..1."""
    score: float
    subjects: tuple[str, ...]
    """Names of the people it is about; "you" stands for the asker."""
    relations: tuple[str, ...] = ()
    """What the subjects are to the asker: "wife", "boss"."""


@frozen
class Answer:
    """What to say, and the memories it rests on. No memories: the judge does not know."""

    text: str
    memory_ids: tuple[str, ...] = ()


@frozen
class Likely:
    """How surely a text answers a question."""

    share: float
    word: Literal["Yes", "No"] | None = None
    """What it says to a yes/no question; None where it does not say, or another kind of question is asked."""


class Judge(Protocol):
    """Reads, classifies, compares and answers. Implementations keep no state between calls."""

    name: str

    def extract(self, reading: Reading) -> tuple[Claim, ...]:
        """The facts in the last message of the reading."""

    def classify(self, text: str) -> tuple[EventType, float]:
        """What the text does, with a confidence 0..1."""

    def compare(self, new: Claim, old: Memory) -> Verdict:
        """Whether two statements say the same, contradict each other, or neither."""

    def steady(self) -> Judge:
        """The judge of sessions that are replayed byte for byte: reads the same everywhere, and in every release."""

    def knows(self, new: Claim, old: Memory) -> bool:
        """Whether a verdict on the pair is in hand, so that it may be compared although the two are not near."""

    def question(self, text: str) -> Question:
        """What is asked, if anything."""

    def is_repair(self, text: str) -> bool:
        """Whether a text corrects what was said before, which is needed to read it: "wait no, Thursday"."""

    def is_brief(self, text: str) -> bool:
        """Whether a text, however short, says something that may be kept: "call me Max", "I can't do dairy"."""

    def is_reply(self, question: str, text: str) -> bool:
        """Whether a text, however short, answers a question with something that may be kept: "30 November"."""

    def is_jest(self, text: str) -> bool:
        """Whether a text takes back what its speaker said just before: "jk", "nah I made that up"."""

    def is_talk(self, text: str) -> bool:
        """Whether nothing in a text that is no question could be kept: compliments, orders for now, suppositions."""

    def is_happening(self, text: str) -> bool:
        """Whether the text tells what happened or was decided, and is understood by itself."""

    def intents(self, text: str, *, now: datetime, open_todos: Sequence[str]) -> Intents:
        """What the speaker means to do, and which of their open todos the text ends."""

    def rolling(self, previous: str, talk: Talk) -> str:
        """The summary of a running conversation; nothing invented, what is open carried over."""

    def session(self, talk: Talk) -> Parts:
        """What an ended session was about."""

    def spine(self, candidates: Lines, *, payer: tuple[str, str | None]) -> Lines:
        """Which durable facts stand in the long-term summary, of those that may; `payer` is tenant and user."""

    def asked_time(self, text: str, *, now: datetime) -> AskedTime:
        """The time that a question names; `now` is aware, in the asker's zone."""

    def answering(self, question: str, texts: Sequence[str]) -> tuple[Likely, ...] | None:
        """How surely each text answers the question; None where a judge cannot tell but by `answer`."""

    def answer(self, question: Question, facts: Sequence[Fact], *, now: datetime) -> Answer:
        """An answer from the facts alone, in plain sentences to the asker; says so when they do not hold it."""


class AskingJudge(Protocol):
    """A judge whose verdicts take a model, and so must be asked for before a transaction opens."""

    def ahead(self, pairs: Sequence[tuple[Claim, Memory]]) -> Judge:
        """Compare now: the judge for the inside of a transaction, which calls no model."""


class Sentence(Protocol):
    """A sentence of a message, where it begins, and what the reader says of it."""

    @property
    def start(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def labels(self) -> Labels: ...


class ReadingJudge(Protocol):
    """A judge that gives the probabilities it decides by."""

    name: str

    @property
    def reader(self) -> Reader: ...

    def read(self, messages: Sequence[Message], *, speaker: str | None) -> Sequence[Sentence]:
        """What it makes of every sentence of the last message."""


def reads(judge: Judge) -> TypeGuard[ReadingJudge]:
    """Whether it is one."""
    return hasattr(judge, "read")


def asks(judge: Judge) -> TypeGuard[AskingJudge]:
    """Whether it is one. To ask `isinstance` of a protocol looks through all its members, at every write."""
    return hasattr(judge, "ahead")
