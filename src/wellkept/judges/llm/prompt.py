"""Prompts as files, and the fence around what other people wrote."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wellkept.judges.llm.notices import Operation

_FIRST_LINE = re.compile(r"(?P<name>\w+), prompt version (?P<version>\d+), schema version (?P<schema>\d+)")


@frozen
class Prompt:
    """Instructions of one operation, with their version and that of the form they ask for."""

    name: str
    version: int
    schema: int
    text: str


@cache
def prompt(operation: Operation) -> Prompt:
    """The prompt file of an operation, from the package."""
    file = resources.files("wellkept.judges.llm") / "prompts" / f"{operation}.md"
    first, _, text = file.read_text(encoding="utf-8").partition("\n")
    head = _FIRST_LINE.fullmatch(first)
    if head is None:
        raise ValueError(f"The first line of prompts/{operation}.md does not say its versions.")
    return Prompt(name=head["name"], version=int(head["version"]), schema=int(head["schema"]), text=text.strip())


def fenced(rows: Iterable[Mapping[str, object]]) -> str:
    """Rows of data as one JSON object a line, between two lines with a marker that none of them can hold.

    The marker is a hash of the rows: nobody can write a text that holds the hash of itself, and the same rows give
    the same prompt.
    """
    lines = [json.dumps(row, ensure_ascii=False, separators=(", ", ": ")) for row in rows]
    marker = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    return "\n".join([f"data {marker} begins", *lines, f"data {marker} ends"])
