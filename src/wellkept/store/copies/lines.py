"""A row as a line of an export: what it may say, how its values are shown, and how they are stored."""

from __future__ import annotations

import base64
from datetime import datetime
from functools import cache, lru_cache
from itertools import groupby
from math import isfinite
from typing import TYPE_CHECKING, Any, get_args

from wellkept.errors import InvalidInput
from wellkept.store.encoding import Halves, compact, from_json, micros, moment
from wellkept.store.parts.messages import ROOM, TRANSCRIPT
from wellkept.store.tables import KEPT, tables
from wellkept.values import frozen
from wellkept.vocabulary import Authority, EventType, Kind, MemoryType, Origin, Sensitivity, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from wellkept.store.driver import Row

TYPES: Mapping[str, str] = {kept.type: name for name, kept in KEPT.items() if kept.type is not None}
"""`_type` of a line → its table."""
TEXT = ("content", "quote", "steps")
"""The present text stands in the line of its memory; earlier ones are lines of their own."""
_TIMES = frozenset({"at", "since", "valid_from", "valid_to"})
_JSON = frozenset(
    {
        "subject_person_ids", "tags", "entity_refs", "meta", "steps", "payload", "record", "body", "snapshot",
        "evidence", "given",
    }
)  # fmt: skip
_ACCEPTED: Mapping[str, tuple[type, ...]] = {"TEXT": (str,), "INTEGER": (int,), "REAL": (int, float), "BLOB": (bytes,)}
_INTEGER_MAX = 2**63 - 1
_CLOSED: Mapping[tuple[str, str], frozenset[str]] = {
    ("scopes", "space"): frozenset({*map(str, Space), TRANSCRIPT, ROOM}),
    ("memories", "space"): frozenset(map(str, Space)),
    ("memories", "state"): frozenset(map(str, State)),
    ("memories", "kind"): frozenset(map(str, Kind)),
    ("memories", "type"): frozenset(map(str, MemoryType)),
    ("memories", "sensitivity"): frozenset(map(str, Sensitivity)),
    ("memories", "authority"): frozenset(map(str, Authority)),
    ("memories", "event_type"): frozenset(map(str, EventType)),
    ("memories", "origin"): frozenset(get_args(Origin)),
}
"""Columns that know their words: table and column → what may stand there."""


# --- what a line may say ---


@frozen
class _Rule:
    """What a column of a line may hold."""

    accepts: Callable[[Any], bool]
    words: frozenset[str] | None = None


def check(line: Mapping[str, Any]) -> None:
    """Raises `InvalidInput` when no store ever gave such a line."""
    name = TYPES.get(str(line.get("_type")))
    if name is None:
        raise InvalidInput(f"unknown _type {line.get('_type')!r}")
    if name == "postings":
        _check_words(line)
        return
    rules, required = _rules(name)
    if not (line.keys() <= rules.keys() and required <= line.keys()):
        for column in (line.keys() - rules.keys()) | (required - line.keys()):
            raise InvalidInput(f"{'unknown' if column not in rules else 'missing'} {column}")
    for column, value in line.items():
        rule = rules[column]
        if not rule.accepts(value):
            raise InvalidInput(f"{column} is not what it should be")
        if rule.words is not None and value is not None and not (isinstance(value, str) and value in rule.words):
            raise InvalidInput(f"{column} is {value!r}, which is none of the words there are")


def _check_words(line: Mapping[str, Any]) -> None:
    terms = line.get("terms")
    places = [line.get("scope"), line.get("num")]
    counts = terms.values() if isinstance(terms, dict) else (None,)
    if line.keys() != {"_type", "scope", "num", "terms"} or not all(isinstance(one, int) for one in (*places, *counts)):
        raise InvalidInput("words are a scope, a number and counted terms")


@cache
def _rules(table: str) -> tuple[Mapping[str, _Rule], frozenset[str]]:
    """What a line of a table may have, and what it must have."""
    known = {name: column for name, column in tables()[table].columns.items() if name != "checksum"}
    if table == "memories":
        known |= {column: tables()["versions"].columns[column] for column in TEXT}
        known["text_at"] = tables()["versions"].columns["at"]
    required = frozenset(name for name, column in known.items() if column.is_required)
    rules = {
        name: _Rule(
            accepts=_accepting(name, column.kind, is_required=column.is_required), words=_CLOSED.get((table, name))
        )
        for name, column in known.items()
    }
    return rules | {"_type": _Rule(accepts=lambda _value: True)}, required


def _accepting(name: str, kind: str, *, is_required: bool) -> Callable[[Any], bool]:
    """Whether a value may stand in this column; most are texts and numbers that are stored as they are."""
    shape, accepted = _SHAPES.get(name), _ACCEPTED[kind]
    is_text = kind == "TEXT" and shape is None and _reader(name) is None
    is_number = kind == "INTEGER" and shape is None

    def accepts(value: Any) -> bool:  # noqa: ANN401 -- any value of JSON
        if is_text and value.__class__ is str:
            return "\0" not in value and (value.isascii() or _is_whole(value))
        if is_number and value.__class__ is int:
            return -_INTEGER_MAX <= value <= _INTEGER_MAX
        if value is None:
            return not is_required
        try:
            stored = _stored(name, value)
        except (ValueError, TypeError):
            return False
        if shape is not None and not shape(value):
            return False
        return isinstance(stored, accepted) and not isinstance(stored, bool) and _is_storable(stored)

    return accepts


def _are_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


_SHAPES: Mapping[str, Callable[[object], bool]] = {
    "subject_person_ids": _are_words,
    "tags": _are_words,
    "entity_refs": _are_words,
    "steps": _are_words,
    "meta": lambda value: isinstance(value, dict),
    "importance": lambda value: isinstance(value, int | float) and value >= 0,
}
"""Columns of memories that are read back as something."""


def _is_storable(value: object) -> bool:
    """No number beyond all bounds, no NUL and no half of a letter: not every database keeps these."""
    match value:
        case str():
            return "\0" not in value and (value.isascii() or _is_whole(value))
        case float():
            return isfinite(value)
        case int():
            return abs(value) <= _INTEGER_MAX
        case _:
            return True


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


# --- how it is stored ---


def stored(line: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a line as they are stored."""
    row = {
        name: value
        if value.__class__ is int or (value.__class__ is str and _reader(name) is None)
        else _stored(name, value)
        for name, value in line.items()
    }
    row.pop("_type", None)
    return row


def _stored(name: str, value: Any) -> Any:  # noqa: ANN401 -- any column
    kind = value.__class__
    if kind is str:
        reader = _reader(name)
        return value if reader is None else reader(value)
    return compact(value) if kind is list or kind is dict else value


@cache
def _reader(name: str) -> Callable[[str], Any] | None:
    """What makes the stored value of a text in this column; None where it is the text."""
    if name == "vector":
        return _halves
    return _moment if _is_time(name) else None


def _halves(text: str) -> Halves:
    return Halves(base64.b64decode(text, validate=True))


@lru_cache(maxsize=4096)
def _moment(text: str) -> int:
    """The rows of one change share their times."""
    return micros(datetime.fromisoformat(text))


@cache
def _is_time(name: str) -> bool:
    return name in _TIMES or name.endswith("_at")


# --- how it is shown ---


def shown(names: list[str], row: Row) -> dict[str, Any]:
    """The line of a row, without its type."""
    line = {name: _shown(name, value) for name, value in zip(names, row, strict=True) if value is not None}
    if "text_version" in line and "id" not in line:  # an earlier wording, beside the number of the present one
        line["is_present"] = line.pop("text_version") == line["version"]
    return line


def gathered(rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The words of a memory in one line."""
    for (scope, num), words in groupby(rows, key=lambda row: (row["scope"], row["num"])):
        yield {"scope": scope, "num": num, "terms": {row["term"]: row["tf"] for row in words}}


def _shown(name: str, value: Any) -> Any:  # noqa: ANN401 -- any column
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode("ascii")
    if _is_time(name) and isinstance(value, int):
        return moment(value).isoformat()
    if name in _JSON and isinstance(value, str):
        parsed = from_json(value) if value[:1] in "[{" else value
        return parsed if not isinstance(parsed, str) and compact(parsed) == value else value
    return value
