"""Conversations with questions, read from a file: the form of the data folder, or that of the public LoCoMo file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

_DATE_FORMS = ("%I:%M %p on %d %B, %Y", "%I:%M:%S %p on %A %d %B, %Y", "%B-%d-%Y", "%Y-%m-%d", "%Y/%m/%d (%a) %H:%M")
_LOCOMO_CATEGORIES = {1: "1-multi_hop", 2: "2-temporal", 3: "3-open_domain", 4: "4-single_hop", 5: "5-adversarial"}
_SESSION = re.compile(r"session_(\d+)$")
_TURN_ID = re.compile(r"D\d+:\d+")
ROLES = ("user", "assistant")


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One message as it was said."""

    id: str
    session: str
    at: datetime | None
    speaker: str
    text: str

    def message(self) -> dict[str, Any]:
        """As `observe` takes it."""
        said = {"id": self.id, "session": self.session, "at": self.at, "content": self.text}
        if self.speaker in ROLES:
            return said | {"role": self.speaker}
        return said | {"role": "user", "speaker": self.speaker}


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question with the turns that hold its answer; none when the answer was never said."""

    id: str
    text: str
    category: str
    evidence: frozenset[str]
    old: frozenset[str] = frozenset()
    new: frozenset[str] = frozenset()
    """Turns that say what was so, and what is so now."""


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """Turns in the order they were said."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    @property
    def end(self) -> datetime:
        """When the last turn was said: the moment at which the questions are asked."""
        return max((turn.at for turn in self.turns if turn.at is not None), default=datetime(2026, 1, 1, tzinfo=UTC))


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """The conversations of one file."""

    name: str
    conversations: tuple[Conversation, ...]


def load(path: Path) -> tuple[DataSet, ...]:
    """A file, or every file of a folder."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise SystemExit(f"There is no .json file in {path}.")
    return tuple(_data_set(file) for file in files)


def _data_set(file: Path) -> DataSet:
    content = json.loads(file.read_text(encoding="utf-8"))
    if isinstance(content, list):
        return DataSet(name=file.stem, conversations=tuple(map(_locomo, content)))
    return DataSet(name=content["name"], conversations=tuple(map(_conversation, content["conversations"])))


def _conversation(given: Mapping[str, Any]) -> Conversation:
    turns: list[Turn] = []
    for turn in given["turns"]:
        at = _date(turn["date"]) or (turns[-1].at if turns else None)
        text = turn["text"].removeprefix(f"{turn['speaker']}: ")
        turns.append(Turn(id=turn["id"], session=str(turn["session"]), at=at, speaker=turn["speaker"], text=text))
    known = {turn.id for turn in turns}
    return Conversation(
        id=str(given["id"]), turns=tuple(turns), questions=tuple(_question(one, known) for one in given["questions"])
    )


def _question(given: Mapping[str, Any], known: set[str]) -> Question:
    extra = given.get("extra") or {}
    return Question(
        id=given["id"],
        text=given["text"],
        category=given["category"],
        evidence=frozenset(given["evidence"]) & known,
        old=frozenset(extra.get("old", ())),
        new=frozenset(extra.get("new", ())),
    )


def _date(text: str) -> datetime | None:
    for form in _DATE_FORMS:
        try:
            return datetime.strptime(text.strip().replace(" am ", " AM ").replace(" pm ", " PM "), form).replace(
                tzinfo=UTC
            )
        except ValueError:
            continue
    return None


def _locomo(given: Mapping[str, Any]) -> Conversation:
    talk = given["conversation"]
    numbers = sorted(int(found[1]) for name in talk if (found := _SESSION.match(name)))
    turns = [turn for number in numbers for turn in _locomo_session(talk, f"session_{number}")]
    known = {turn.id for turn in turns}
    questions = [
        Question(
            id=f"{given['sample_id']}_q{number}",
            text=one["question"],
            category=_LOCOMO_CATEGORIES[one["category"]],
            evidence=frozenset(_TURN_ID.findall(" ".join(one["evidence"]))) & known,
        )
        for number, one in enumerate(given["qa"])
    ]
    return Conversation(id=given["sample_id"], turns=tuple(turns), questions=tuple(questions))


def _locomo_session(talk: Mapping[str, Any], session: str) -> Sequence[Turn]:
    at = _date(talk[f"{session}_date_time"])
    return [
        Turn(id=turn["dia_id"], session=session, at=at, speaker=turn["speaker"], text=_with_picture(turn))
        for turn in talk[session]
    ]


def _with_picture(turn: Mapping[str, Any]) -> str:
    shown = turn.get("blip_caption")
    return f"{turn['text']} [shares {shown}]" if shown else str(turn["text"])
