"""Questions over a full store: told facts must be answered, and only they; what was never told must not be."""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import wellkept

Half = Literal["train", "test"]
Kind = Literal["answerable", "unanswerable", "paraphrase"]
KINDS: tuple[Kind, ...] = ("answerable", "unanswerable", "paraphrase")
NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
FOLDER = Path(__file__).parent
UNKNOWN = "I don't know."
HALVES: tuple[Half, ...] = ("train", "test")
TARGETS = {"answerable": 0.9, "unanswerable": 0.9, "paraphrase": 0.8, "nothing unasked": 1.0, "answerable by name": 0.9}
TOP = 3
NAME = "Zanele"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One question, what it should give and what it gave."""

    kind: Kind
    question: str
    expected: str
    got: str
    spilled: tuple[str, ...] = ()
    """Values of other facts that the answer told unasked."""

    @property
    def is_right(self) -> bool:
        """Whether it gave what it should."""
        if self.kind == "unanswerable":
            return self.got.startswith(UNKNOWN)
        return self.expected.casefold() in self.got.casefold()


def facts(half: Half) -> list[tuple[str, str]]:
    """Each fact as it is told, with the value in it that no other answer may tell."""
    lines = (FOLDER / f"{half}_facts.txt").read_text(encoding="utf-8").splitlines()
    return [(re.sub(r"[\[\]]", "", line), (re.findall(r"\[(.*?)\]", line) or [line])[0]) for line in lines]


def questions(half: Half, kind: Kind) -> list[tuple[str, str]]:
    """The questions of a kind with the value that answers them ("" for none)."""
    lines = (FOLDER / f"{half}_{kind}.txt").read_text(encoding="utf-8").splitlines()
    return [(line.partition(" | ")[0], line.partition(" | ")[2]) for line in lines]


def _spilled(answer: str, question: str, expected: str, told: list[tuple[str, str]]) -> tuple[str, ...]:
    """Values that the answer tells although neither the question nor the asked fact has them."""
    allowed = " ".join([question, *(text for text, _ in told if expected.casefold() in text.casefold())]).casefold()
    return tuple(
        value
        for _, value in told
        if value.casefold() not in allowed and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", answer, re.IGNORECASE)
    )


def evaluate(half: Half, *, name: str | None = None, kinds: tuple[Kind, ...] = KINDS) -> list[Row]:
    """Every question of a half, asked by somebody, of this name if any, who has told its facts to a new store."""
    with (
        tempfile.TemporaryDirectory() as folder,
        wellkept.open(Path(folder) / "memory.db", clock=lambda: NOW) as memory,
    ):
        asker = memory.at(user="asker", chat="dm-asker", display_name=name)
        for text, _ in facts(half):
            asker.remember(text)
        return [_row(half, kind, question, value, asker) for kind in kinds for question, value in questions(half, kind)]


def _row(half: Half, kind: Kind, question: str, value: str, asker: wellkept.Viewpoint) -> Row:
    if kind == "paraphrase":
        recalled = [hit.text for hit in asker.recall(question, threshold=0.0, sources=("memories",))]
        return Row(kind=kind, question=question, expected=value, got=" / ".join(recalled[:TOP]))
    got = asker.chat(question).text
    spilled = _spilled(got, question, value, facts(half)) if kind == "answerable" else ()
    return Row(kind=kind, question=question, expected=value, got=got, spilled=spilled)


def figures(rows: list[Row]) -> dict[str, float]:
    """The share of right answers of each kind, and of answers that told nothing unasked."""
    found: dict[str, float] = {}
    for kind in KINDS:
        of_kind = [row for row in rows if row.kind == kind]
        found[kind] = sum(row.is_right for row in of_kind) / len(of_kind)
    answered = [row for row in rows if row.kind == "answerable" and row.is_right]
    found["nothing unasked"] = sum(not row.spilled for row in answered) / max(1, len(answered))
    return found


def key_figures(half: Half) -> dict[str, float]:
    """For the table of all sets."""
    named = evaluate(half, name=NAME, kinds=("answerable",))
    return figures(evaluate(half)) | {"answerable by name": sum(row.is_right for row in named) / len(named)}


if __name__ == "__main__":
    for half in ("train", "test"):
        rows = evaluate(half)  # type: ignore[arg-type]  # one of the two halves
        for row in rows:
            if "-v" in sys.argv and half == "train" and (not row.is_right or row.spilled):
                print(f"  {row.kind}: {row.question} | {row.expected} | {row.got} {row.spilled or ''}")
        print(half, ", ".join(f"{name} {share:.3f}" for name, share in figures(rows).items()))
