"""What must not travel: messages that are told in confidence, that hold something against somebody, or neither."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from wellkept.judges.base import Reading
from wellkept.judges.reader.judge import ReaderJudge
from wellkept.types import Message

Half = Literal["train", "test"]
HALVES: tuple[Half, ...] = ("train", "test")
TARGETS = {
    "confidential precision": 0.95,
    "confidential recall": 0.90,
    "stays precision": 0.65,
    "stays recall": 0.85,
}
"""`stays`: may not travel to the people it is about, be it confidential or not portable.

Whatever is said of somebody else travels only as a lasting trait that the reader is sure is public: that holds back
harmless things as well, which costs precision.
"""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One message, what it is, and whether a fact of it was called confidential or may not travel."""

    label: Literal["closed", "bound", "open"]
    message: str
    is_confidential: bool
    stays: bool


def evaluate(half: Half) -> list[Row]:
    """Every message of a half, overheard and asked to be remembered: the laxer of the two counts."""
    judge = ReaderJudge()
    path = Path(__file__).parent / f"{half}.txt"
    out: list[Row] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        label, message = line.split(" | ")
        claims = [
            claim
            for is_explicit in (True, False)
            for claim in judge.extract(
                Reading(
                    messages=(Message(id="m", role="user", content=message),), is_explicit=is_explicit, speaker="Kim"
                )
            )
        ]
        is_open = label == "open"
        told = any if is_open else all
        out.append(
            Row(
                label=label,  # type: ignore[arg-type]  # one of the labels
                message=message,
                is_confidential=told(claim.confidential for claim in claims),
                stays=told(claim.confidential or not claim.portable for claim in claims),
            )
        )
    return out


def key_figures(half: Half) -> dict[str, float]:
    """For the table of all sets."""
    rows = evaluate(half)
    closed = [row.label == "closed" for row in rows]
    bound = [row.label != "open" for row in rows]
    return {
        **_figures("confidential", closed, [row.is_confidential for row in rows]),
        **_figures("stays", bound, [row.stays for row in rows]),
    }


def _figures(name: str, due: list[bool], said: list[bool]) -> dict[str, float]:
    right = sum(one and other for one, other in zip(due, said, strict=True))
    return {
        f"{name} precision": right / sum(said) if any(said) else 1.0,
        f"{name} recall": right / sum(due),
    }


if __name__ == "__main__":
    for half in HALVES:
        if "-v" in sys.argv and half == "train":
            for row in evaluate(half):
                if (row.label == "closed") != row.is_confidential or (row.label != "open") != row.stays:
                    print(f"  {row.label}: {row.message} (confidential {row.is_confidential}, stays {row.stays})")
        print(half, {name: f"{share:.3f}" for name, share in key_figures(half).items()})
