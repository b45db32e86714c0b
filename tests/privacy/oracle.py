"""Reads matrix.csv: cells with the settings under which they are shown. Imports nothing of what it judges."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

PATH = Path(__file__).with_name("matrix.csv")
MARKS = tuple(product((True, False), (False, True), ("none", "same", "other")))
SETTINGS: Mapping[str, int] = {"default": 8, "seed": 4, "strict": 2, "closed": 1}
LEVELS = ("none", "public", "personal", "sensitive")
CHATS = ("alone", "two", "group")


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One combination, as the columns and characters of the table say it."""

    number: int
    chat: str
    subjects: tuple[str, ...]
    scope: str
    stated_by: str
    learned_in: str
    attended: str
    sensitivity: str
    portable: bool
    confidential: bool
    persona: str
    shown: int

    def is_shown(self, setting: str = "default") -> bool:
        return bool(self.shown & SETTINGS[setting])


@cache
def cells(chat: str) -> tuple[Cell, ...]:
    return tuple(cell for cell in read(lines()) if cell.chat == chat)


@cache
def lines() -> tuple[Mapping[str, str], ...]:
    """The lines of the table as they stand in the file, with the number of the first cell of each."""
    with PATH.open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    first = 0
    for line in found:
        line["first"] = str(first)
        first += sum(len(line[level]) for level in LEVELS)
    return tuple(found)


def read(table: Iterable[Mapping[str, str]]) -> Iterator[Cell]:
    """The cells of some lines, each character one."""
    for line in table:
        number = int(line["first"])
        for level in LEVELS:
            for character, (portable, confidential, persona) in zip(line[level], MARKS, strict=False):
                yield Cell(
                    number=number,
                    chat=line["chat"],
                    subjects=() if line["subjects"] == "nobody" else tuple(line["subjects"].split("+")),
                    scope=line["scope"],
                    stated_by=line["stated_by"],
                    learned_in=line["learned_in"],
                    attended=line["attended"],
                    sensitivity=level,
                    portable=portable,
                    confidential=confidential,
                    persona=persona,
                    shown=int(character, 16),
                )
                number += 1


def swapped(line: Mapping[str, str], level: str, place: int, setting: str = "default") -> dict[str, str]:
    """The line with the opposite verdict in one character, under one setting."""
    digit = f"{int(line[level][place], 16) ^ SETTINGS[setting]:x}"
    return {**line, level: line[level][:place] + digit + line[level][place + 1 :]}
