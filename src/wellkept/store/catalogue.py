"""The catalogue of SQL: named blocks in `sql/*.sql`, read once, with fragments put in their places.

`-- name: x` begins a block. In it `{y}` stands for the block y, and `{y@s}` for y said of the alias s instead of m.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
MIGRATIONS = FOLDER / "migrations"
_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_COMMENT = re.compile(r"^\s*--.*$", re.MULTILINE)
_FRAGMENT = re.compile(r"\{(\w+)(?:@(\w+))?\}")
_ALIAS = re.compile(r"\bm\.")
_SPACES = re.compile(r"\s+")


@cache
def catalogue() -> Mapping[str, str]:
    """Block name → SQL with `:name` parameters."""
    blocks: dict[str, str] = {}
    for path in sorted((FOLDER / "sql").glob("*.sql")):
        if path.name != "schema.sql":
            blocks |= read(path.read_text(encoding="utf-8"), known=blocks)
    return {name: expand(name, blocks) for name in blocks}


def read(text: str, *, known: Mapping[str, str]) -> dict[str, str]:
    """The blocks of one file. A name is given once."""
    _, *parts = _NAME.split(text)
    blocks: dict[str, str] = {}
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        if name in blocks or name in known:
            raise ValueError(f"SQL block {name} is defined twice")
        blocks[name] = _SPACES.sub(" ", _COMMENT.sub("", body)).strip()
    return blocks


def expand(name: str, blocks: Mapping[str, str], within: tuple[str, ...] = ()) -> str:
    """A block with all fragments in it expanded."""
    if name in within:
        raise ValueError(f"SQL block {name} contains itself")

    def fragment(match: re.Match[str]) -> str:
        text = expand(match[1], blocks, (*within, name))
        return _ALIAS.sub(f"{match[2]}.", text) if match[2] else text

    return _FRAGMENT.sub(fragment, blocks[name])


def scripts() -> tuple[Path, ...]:
    """The files of the steps from an empty database to the schema; their number is the schema's version."""
    return tuple(sorted(MIGRATIONS.glob("*.sql")))
