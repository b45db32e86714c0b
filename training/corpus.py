"""The labelled conversations: one text file each, in the form that GUIDE.md describes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
TRAIN, TEST, STRANGERS = HERE / "conversations", HERE / "test", HERE / "strangers"
HAYSTACKS = HERE / "haystacks"
"""Long conversations with questions and without readings: for finding and answering, not for what is kept."""

TYPES = ("preference", "identity", "relationship", "knowledge", "context", "event", "task", "observation")
HOLDS = ("lasting", "now", "dated", "over")
ABOUT = ("self", "person", "group", "thing")
PRIVACY = ("public", "personal", "sensitive")
STANCES = (
    "hypothetical", "quoted", "played", "joking", "denied", "asked", "general", "task", "not-todo", "past-self",
    "other-life",
)  # fmt: skip
CATEGORIES = ("single", "multi", "when", "count", "who", "why", "open", "now", "before", "yesno", "none")
LINKS = ("replaces", "ends", "repeats", "happened")
TODOS = ("commitment", "habit", "thread", "friction", "done", "dropped")

_TODO = re.compile(r"commitment|habit|thread|friction|(done|dropped):t\d+(\.\d+)?")
_OPTION = re.compile(r"\b(slot|value|todo|quiet|replaces|ends|repeats|happened)=")
_SESSION = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
_TURN = re.compile(r"(t\d+) ([^:]{1,40}): (.+)")
_READING = re.compile(r"(\S+) (\S+) (self|group|thing|person\([^)]+\)) (\S+)(.*)")


@dataclass(kw_only=True)
class Fact:
    """One thing worth keeping; `span` and `value` are characters of its turn."""

    type: str
    holds: str
    about: str
    person: str | None
    privacy: str
    span: tuple[int, int]
    text: str
    slot: str | None = None
    value: tuple[int, int] | None = None
    todo: str | None = None
    is_quiet: bool = False
    links: dict[str, str] = field(default_factory=dict)
    """`replaces`, `ends`, `repeats`, `happened`: the earlier turn, or the fact of it (`t7.2`)."""


@dataclass(kw_only=True)
class Trap:
    """Words that look like a fact and are none."""

    stance: str
    span: tuple[int, int]


@dataclass(kw_only=True)
class Turn:
    id: str
    session: int
    at: str
    speaker: str
    text: str
    facts: list[Fact] = field(default_factory=list)
    traps: list[Trap] = field(default_factory=list)

    @property
    def is_assistant(self) -> bool:
        return self.speaker == "assistant"


@dataclass(kw_only=True)
class Question:
    category: str
    text: str
    evidence: tuple[str, ...]
    answer: str
    stale: tuple[str, ...] = ()


@dataclass(kw_only=True)
class Conversation:
    path: Path
    id: str = ""
    kind: str = ""
    people: dict[str, str] = field(default_factory=dict)
    """Handle → name and description."""
    turns: list[Turn] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    def name(self, handle: str) -> str:
        """The full name of a speaker; the assistant is called so."""
        return self.people[handle].split(",")[0].strip() if handle in self.people else handle

    def turn(self, number: str) -> Turn:
        return self._by_id()[number]

    def fact(self, link: str) -> Fact | None:
        """The fact that a link means: `t7.2`, or the only (else the first) one of `t7`."""
        turn, _, number = link.partition(".")
        facts = self._by_id()[turn].facts
        return facts[int(number or 1) - 1] if len(facts) >= int(number or 1) else None

    def _by_id(self) -> dict[str, Turn]:
        return {turn.id: turn for turn in self.turns}


def load(*folders: Path) -> list[Conversation]:
    """Every conversation of the folders; a malformed line is an error."""
    talks, errors = [], []
    for path in sorted(path for folder in folders for path in folder.glob("*.txt")):
        talk, wrong = read(path)
        talks.append(talk)
        errors += wrong
    if errors:
        raise ValueError("\n".join(errors))
    return talks


def read(path: Path) -> tuple[Conversation, list[str]]:
    """A conversation, and what is malformed in its file."""
    talk, errors = Conversation(path=path), []
    reader = _Reader(talk)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            reader.line(line.rstrip())
        except (ValueError, IndexError, KeyError) as error:
            errors.append(f"{path.name}:{number}: {error}: {line[:90]}")
    return talk, errors


class _Reader:
    def __init__(self, talk: Conversation) -> None:
        self.talk, self.turns = talk, dict[str, Turn]()
        self.at, self.session = "", 0

    def line(self, line: str) -> None:
        if line.startswith("## "):
            self._session(line[3:].strip())
        elif line.startswith("# "):
            self._head(line[2:])
        elif line.startswith("+"):
            self._fact(line[1:])
        elif line.startswith("-"):
            stance, _, span = line[1:].partition("|")
            if stance.strip() not in STANCES:
                raise ValueError(f"unknown stance {stance.strip()!r}")
            turn = self.talk.turns[-1]
            turn.traps.append(Trap(stance=stance.strip(), span=_place(span.strip(), turn.text)))
        elif line.startswith("?"):
            self._question([part.strip() for part in line[1:].split("|")])
        elif line:
            self._turn(line)

    def _session(self, at: str) -> None:
        if not _SESSION.fullmatch(at):
            raise ValueError("a session needs YYYY-MM-DD HH:MM")
        if at < self.at:
            raise ValueError("a session lies before the one above it")
        self.at, self.session = at, self.session + 1

    def _head(self, line: str) -> None:
        key, _, value = line.partition(":")
        if key.startswith("person "):
            self.talk.people[key[7:].strip()] = value.strip()
        elif key in ("id", "kind"):
            setattr(self.talk, key, value.split("  ")[0].strip())

    def _turn(self, line: str) -> None:
        match = _TURN.match(line)
        if match is None:
            raise ValueError("not a line of this form")
        number, speaker, text = match.groups()
        if number in self.turns or not self.at:
            raise ValueError("turn id twice, or no session yet")
        if speaker != "assistant" and speaker not in self.talk.people:
            raise ValueError(f"unknown speaker {speaker!r}")
        turn = Turn(id=number, session=self.session, at=self.at, speaker=speaker, text=text)
        self.turns[number] = turn
        self.talk.turns.append(turn)

    def _fact(self, line: str) -> None:
        turn = self.talk.turns[-1]
        head, _, rest = line.partition("|")
        span, _, text = rest.partition("=>")
        match = _READING.match(head.strip())
        if turn.is_assistant or match is None or not text.strip():
            raise ValueError("a fact needs type, holds, about, privacy, words and a sentence, on a person's turn")
        kind, holds, about, privacy, options = match.groups()
        if kind not in TYPES or holds not in HOLDS or privacy not in PRIVACY:
            raise ValueError(f"unknown label in {kind} {holds} {privacy}")
        fact = Fact(
            type=kind,
            holds=holds,
            about=about.partition("(")[0],
            person=about[7:-1] if about.startswith("person(") else None,
            privacy=privacy,
            span=_place(span.strip(), turn.text),
            text=text.strip(),
        )
        pieces = _OPTION.split(options)
        for key, value in zip(pieces[1::2], pieces[2::2], strict=True):
            self._option(fact, key, value.strip(), turn)
        turn.facts.append(fact)

    def _option(self, fact: Fact, key: str, value: str, turn: Turn) -> None:
        if key == "value":
            start, stop = fact.span
            inner = turn.text[start:stop].find(value)
            fact.value = (start + inner, start + inner + len(value)) if inner >= 0 else _place(value, turn.text)
        elif key == "todo":
            if not _TODO.fullmatch(value):
                raise ValueError(f"unknown todo {value!r}")
            fact.todo = value
        elif key in LINKS:
            self._check_link(key, value)
            fact.links[key] = value
        elif key == "quiet":
            fact.is_quiet = value == "yes"
        else:
            fact.slot = value

    def _check_link(self, key: str, value: str) -> None:
        number, _, which = value.partition(".")
        if number not in self.turns or (which and not 1 <= int(which) <= len(self.turns[number].facts)):
            raise ValueError(f"{key} names {value!r}, which is no earlier turn or fact")

    def _question(self, parts: list[str]) -> None:
        category, text, evidence, answer, *extras = [*parts, "", "", ""][: max(4, len(parts))]
        ids = tuple(one.strip() for one in evidence.split(",") if one.strip())
        if category not in CATEGORIES or not text:
            raise ValueError(f"unknown category {category!r}")
        if any(one not in self.turns for one in ids) or bool(ids) == (category == "none"):
            raise ValueError("evidence must be turns of this file, and none has none")
        stale = [extra[6:] for extra in extras if extra.startswith("stale=")]
        self.talk.questions.append(
            Question(
                category=category,
                text=text,
                evidence=ids,
                answer=answer,
                stale=tuple(one.strip() for extra in stale for one in extra.split(",")),
            )
        )


def _place(span: str, text: str) -> tuple[int, int]:
    start = text.find(span)
    if not span or start < 0:
        raise ValueError(f"span is not in the turn: {span!r}")
    return start, start + len(span)


def split(talks: Iterable[Conversation]) -> tuple[list[Conversation], list[Conversation]]:
    """Training and development: every tenth conversation, counted within each part of the corpus, is for development.

    Parts (`w1`, `x4`, ...) were written by different hands, so both sides have all of them.
    """
    train, development = [], []
    for number, talk in _numbered(talks):
        (development if number % 10 == 5 else train).append(talk)
    return train, development


def _numbered(talks: Iterable[Conversation]) -> Iterator[tuple[int, Conversation]]:
    counts: dict[str, int] = {}
    for talk in sorted(talks, key=lambda talk: talk.path.name):
        part = talk.path.name.partition("-")[0]
        counts[part] = counts.get(part, -1) + 1
        yield counts[part], talk
