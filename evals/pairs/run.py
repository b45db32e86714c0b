"""Pairs of statements with the verdict that is right for them; a merge or a contradiction must not be said wrongly."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wellkept.judges.english.compare import verdict

Half = Literal["train", "test"]
HALVES: tuple[Half, ...] = ("train", "test")
TARGETS = {
    "same precision": 0.99,
    "same recall": 0.85,
    "contradicts precision": 0.97,
    "contradicts recall": 0.80,
}


@dataclass(frozen=True, kw_only=True)
class Row:
    """One pair, what it is and what it was called."""

    label: str
    old: str
    new: str
    got: str


@dataclass(frozen=True, kw_only=True)
class Figures:
    """How many of a verdict were right, and how many of those that should have had it got it."""

    precision: float
    recall: float


def evaluate(half: Half) -> list[Row]:
    """Every pair of a half with its verdict."""
    path = Path(__file__).parent / f"{half}.txt"
    rows = [line.split(" | ") for line in path.read_text(encoding="utf-8").splitlines()]
    return [Row(label=label, old=old, new=new, got=verdict(new, old)) for label, old, new in rows]


def figures(rows: list[Row], label: str) -> Figures:
    """Precision and recall of one verdict."""
    right = sum(row.label == row.got == label for row in rows)
    said = sum(row.got == label for row in rows)
    due = sum(row.label == label for row in rows)
    return Figures(precision=right / said if said else 1.0, recall=right / due if due else 1.0)


def key_figures(half: Half) -> dict[str, float]:
    """For the table of all sets."""
    rows = evaluate(half)
    found = {label: figures(rows, label) for label in ("same", "contradicts")}
    return {f"{label} {name}": share for label, one in found.items() for name, share in vars(one).items()}


if __name__ == "__main__":
    for half in ("train", "test"):
        rows = evaluate(half)  # type: ignore[arg-type]  # one of the two halves
        if "-v" in sys.argv and half == "train":
            for row in rows:
                if row.label != row.got:
                    print(f"  {row.label} but {row.got}: {row.old} / {row.new}")
        for label in ("same", "contradicts"):
            found = figures(rows, label)
            print(f"{half} {label}: precision {found.precision:.3f}, recall {found.recall:.3f}")
