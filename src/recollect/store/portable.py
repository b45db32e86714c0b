"""Rows out and in: every table of the schema as lines of JSON, words gathered, times readable, bytes in base64."""

from __future__ import annotations

import base64
import json
from datetime import datetime
from functools import cache
from itertools import groupby
from math import isfinite
from typing import TYPE_CHECKING, Any, get_args

from recollect.errors import BadLine, InvalidInput, StoreError
from recollect.store.catalogue import catalogue
from recollect.store.chain import HASHED, Chain
from recollect.store.core import Core
from recollect.store.encoding import COLUMNS, Halves, memory_from, micros, moment
from recollect.store.heads import head_columns
from recollect.store.messages import ROOM, TRANSCRIPT
from recollect.store.tables import KEPT, tables
from recollect.vocabulary import Authority, EventType, Kind, MemoryType, Origin, Sensitivity, Source, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from recollect.store.driver import Row
    from recollect.store.tables import Column, Table
    from recollect.types import Memory

TYPES: Mapping[str, str] = {kept.type: name for name, kept in KEPT.items() if kept.type is not None}
"""`_type` of a line → its table."""
_TIMES = frozenset({"at", "since", "valid_from", "valid_to"})
_JSON = frozenset(
    {
        "subject_person_ids", "tags", "entity_refs", "meta", "steps", "payload", "record", "body", "snapshot",
        "evidence", "given",
    }
)  # fmt: skip
_TEXT = ("content", "quote", "steps")
"""The present text stands in the line of its memory; earlier ones are lines of their own."""
_ACCEPTED: Mapping[str, tuple[type, ...]] = {"TEXT": (str,), "INTEGER": (int,), "REAL": (int, float), "BLOB": (bytes,)}
_NO_SCOPE = 0
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
_WHOSE: Mapping[str, str] = {
    "scope": "of_scope",
    "memory": "of_memory",
    "edge": "of_edge",
    "person": "of_person",
    "merge": "of_merge",
    "todo": "of_todo",
}


class PortablePart(Core):
    """See `base_portable.Portable`."""

    def lines(self, tenant: str, user: str | None = None) -> Iterator[Mapping[str, Any]]:
        """Every row of a tenant, or what belongs to one user, in an order in which they can be loaded."""
        with self.snapshot():
            for name, kept in KEPT.items():
                condition = _condition(name, user)
                if kept.type is None or condition is None:
                    continue
                rows = self._rows_of(tables()[name], condition, {"tenant": tenant, "user": user})
                for row in _gathered(rows) if name == "postings" else rows:
                    if name != "versions" or not row.pop("is_present"):
                        yield {"_type": kept.type} | row

    def _rows_of(self, table: Table, condition: str, parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        columns = [f"t.{name}" for name in table.columns]
        source = f"{table.name} AS t"
        if table.name == "memories":
            columns += [*(f"v.{name}" for name in _TEXT), "v.at"]
            source += " JOIN versions AS v ON v.tenant = t.tenant AND v.memory_id = t.id AND v.version = t.text_version"
        if table.name == "versions":
            columns.append("m.text_version")
            source += " JOIN memories AS m ON m.tenant = t.tenant AND m.id = t.memory_id"
        names = ["text_at" if column == "v.at" else column.partition(".")[2] for column in columns]
        key = ("scope", "num", "term") if table.name == "postings" else table.key
        order = ", ".join(f"t.{name}" for name in key)
        # Names of tables and columns are the schema's own.
        sql = f"SELECT {', '.join(columns)} FROM {source} WHERE t.tenant = :tenant{condition} ORDER BY {order}"  # noqa: S608 -- names of the schema
        wanted = {name: value for name, value in parameters.items() if f":{name}" in sql}
        for row in self._db.driver.stream(sql, wanted):
            yield _line(names, row)

    def check_line(self, line: Mapping[str, Any]) -> None:
        """Raises `InvalidInput` when no store ever gave such a line."""
        name = TYPES.get(str(line.get("_type")))
        if name is None:
            raise InvalidInput(f"unknown _type {line.get('_type')!r}")
        given = {key: value for key, value in line.items() if key != "_type"}
        if name == "postings":
            _check_words(given)
            return
        known, required = _columns(name)
        for column in (given.keys() - known.keys()) | (required - given.keys()):
            raise InvalidInput(f"{'unknown' if column not in known else 'missing'} {column}")
        for column, value in given.items():
            if not _fits(column, value, known[column].kind, is_required=column in required):
                raise InvalidInput(f"{column} is not what it should be")
            if (name, column) in _CLOSED and value not in (None, *_CLOSED[name, column]):
                raise InvalidInput(f"{column} is {value!r}, which is none of the words there are")

    def load(self, tenant: str, lines: Iterable[tuple[int, Mapping[str, Any]]]) -> Mapping[str, int]:
        """Put numbered lines into a tenant, all or none."""
        counts: dict[str, int] = {}
        numbers = {_NO_SCOPE: _NO_SCOPE}
        chains = _Chains()
        with self.transaction():
            for number, line in lines:
                try:
                    self._load_line(tenant, line, numbers)
                except (StoreError, KeyError, OverflowError) as error:
                    raise BadLine(number, "it clashes with what is stored, or with another line") from error
                chains.follow(number, line)
                counts[line["_type"]] = counts.get(line["_type"], 0) + 1
            chains.end()
            self._numbers.clear()
        return counts

    def _load_line(self, tenant: str, line: Mapping[str, Any], numbers: dict[int, int]) -> None:
        table = tables()[TYPES[line["_type"]]]
        row: dict[str, Any] = {
            name: value if isinstance(value, int) else _stored(name, value)
            for name, value in line.items()
            if name != "_type"
        }
        if table.name == "scopes":
            taken = self._scope(tenant, row["space"], row["owner"])
            numbers[row["scope"]] = self._count_up(tenant, _NO_SCOPE, "scope") if taken is None else taken
        if "scope" in row:
            row["scope"] = numbers[row["scope"]]
        if table.name == "counters" and row["scope"] == _NO_SCOPE and row["kind"] == "scope":
            return  # scopes were counted as they came
        if table.name == "postings":
            place = {"tenant": tenant, "scope": row["scope"], "num": row["num"]}
            self._db.run_many("posting_add", [place | {"term": term, "tf": tf} for term, tf in line["terms"].items()])
            return
        if table.name == "memories":
            row["authority"] = _authority(row)
            text = {name: row.pop(name, None) for name in _TEXT}
            self._insert("memories", tenant, row)
            place = {"memory_id": row["id"], "version": row["text_version"], "at": row.pop("text_at")}
            self._insert("versions", tenant, place | text)
            return
        self._insert(table.name, tenant, row)

    def _insert(self, table: str, tenant: str, row: Mapping[str, Any]) -> None:
        sql, columns = _insertion(table, tuple(row))
        self._db.driver.run(sql, {"tenant": tenant, **{name: row[name] for name in columns}})

    def memory_of(self, tenant: str, line: Mapping[str, Any]) -> Memory:
        """The memory that a line tells of, as it would stand in this tenant."""
        stored = {name: _stored(name, value) for name, value in line.items()} | {"tenant": tenant}
        stored["authority"] = _authority(stored)
        return memory_from(tuple(stored.get(name) for name in COLUMNS))

    def raise_counter(self, tenant: str, space: Space, owner: str, kind: str, number: int) -> None:
        """Give out no id of this kind up to this number."""
        with self._within():
            scope = self._scope_or_new(tenant, space, owner)
            self._db.run("counter_raise", {"tenant": tenant, "scope": scope, "kind": kind, "number": number})

    def is_empty(self, tenant: str, user: str | None = None) -> bool:
        """Has nothing been stored for this tenant, or in this user's own space?"""
        if user is not None:
            return self._scope(tenant, Space.USER, user) is None
        return self._db.one("any_scope", {"tenant": tenant}) is None

    def backup(self, path: Path) -> int:
        """A copy of everything as it is now, while others read and write."""
        return self._db.driver.backup(path)


class _Chains:
    """The hash chains of a file as its lines come by: each row follows from the one before it, and none is missing."""

    def __init__(self) -> None:
        self._chains: dict[int, Chain] = {}
        self._broken: dict[int, int] = {}
        """Scope → the line at which its chain breaks; a seal further on may say that this is known."""
        self._told: dict[int, tuple[int, int, str]] = {}
        """Scope → the line that names it, and the end that it tells of."""
        self._heads: dict[int, dict[int, str]] = {}
        """Scope → what the tenant's chain knows of its chain."""

    def follow(self, number: int, line: Mapping[str, Any]) -> None:
        """The next line."""
        if line["_type"] == "scope":
            self._told[line["scope"]] = (number, line.get("ledger_seq", 0), line.get("ledger_head", ""))
        if line["_type"] == "sealed_head":
            self._sealed(number, line)
        if line["_type"] != "ledger":
            return
        row = {name: _stored(name, value) for name, value in line.items()}
        chain = self._chain(line["scope"])
        was_whole = chain.fault is None
        chain.follow(line["seq"], line["hash"], {name: row.get(name) for name in HASHED})
        if was_whole and chain.fault is not None:
            self._broken[line["scope"]] = number

    def _chain(self, scope: int) -> Chain:
        return self._chains.setdefault(scope, Chain(heads=self._heads.setdefault(scope, {})))

    def _sealed(self, number: int, line: Mapping[str, Any]) -> None:
        """The tenant's own chain stands under no scope; it comes before the chains that it knows the ends of."""
        row = {name: _stored(name, value) for name, value in line.items()}
        own = self._chain(_NO_SCOPE)
        was_whole = own.fault is None
        own.follow(line["number"], line["hash"], head_columns(row))
        if was_whole and own.fault is not None:
            self._broken[_NO_SCOPE] = number
        if "fault" not in line:
            self._heads.setdefault(line["scope"], {})[line["seq"]] = line["head"]

    def end(self) -> None:
        """Raises `BadLine` when a chain does not hold, or is not as long as its scope says."""
        for scope, number in sorted(self._broken.items(), key=lambda one: one[1]):
            if self._chains[scope].fault is not None:
                raise BadLine(number, "it does not follow from the row before it in its chain")
        for scope, (number, *told) in self._told.items():
            chain = self._chain(scope)
            if (chain.length, chain.head) != tuple(told) or any(seq > chain.length for seq in chain.heads):
                raise BadLine(number, "its ledger is not complete")


@cache
def _columns(table: str) -> tuple[Mapping[str, Column], frozenset[str]]:
    """What a line of a table may have, and what it must have."""
    known = dict(tables()[table].columns)
    if table == "memories":
        known |= {column: tables()["versions"].columns[column] for column in _TEXT}
        known["text_at"] = tables()["versions"].columns["at"]
    return known, frozenset(name for name, column in known.items() if column.is_required)


@cache
def _insertion(table: str, given: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The statement that puts in a row of these columns, and those that the table has."""
    columns = tuple(name for name in given if name in tables()[table].columns)
    values = ", ".join(f":{name}" for name in ("tenant", *columns))
    # A policy is shared; names are the schema's own.
    clash = " ON CONFLICT DO NOTHING" if table == "policies" else ""
    return f"INSERT INTO {table} ({', '.join(('tenant', *columns))}) VALUES ({values}){clash}", columns  # noqa: S608 -- names of the schema


def _condition(table: str, user: str | None) -> str | None:
    """Which rows of a table are given; None: none of them."""
    whose = KEPT[table].whose
    if table == "jobs":  # rounds through a tenant are queued again by themselves
        return " AND t.key <> ''" if user is None else None
    if user is None or whose == "all":
        return ""
    if whose in ("user", "owner", "asker"):
        return f" AND t.{'user_id' if whose == 'user' else whose} = :user"
    if whose == "nobody":
        return None
    block = catalogue()[_WHOSE[whose]]
    return f" AND t.{block.replace('person_id IN', 'id IN', 1) if table == 'persons' else block}"


def _gathered(rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The words of a memory in one line."""
    for (scope, num), words in groupby(rows, key=lambda row: (row["scope"], row["num"])):
        yield {"scope": scope, "num": num, "terms": {row["term"]: row["tf"] for row in words}}


def _line(names: list[str], row: Row) -> dict[str, Any]:
    line = {name: _shown(name, value) for name, value in zip(names, row, strict=True) if value is not None}
    if "text_version" in line and "memory_id" in line:
        line["is_present"] = line.pop("text_version") == line["version"]
    return line


@cache
def _is_time(name: str) -> bool:
    return name in _TIMES or name.endswith("_at")


def _shown(name: str, value: Any) -> Any:  # noqa: ANN401 -- any column
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode("ascii")
    if _is_time(name) and isinstance(value, int):
        return moment(value).isoformat()
    if name in _JSON and isinstance(value, str):
        parsed = json.loads(value) if value[:1] in "[{" else value
        return parsed if not isinstance(parsed, str) and _dumped(parsed) == value else value
    return value


def _authority(row: Mapping[str, Any]) -> str:
    """As the line says, but a source that nobody knows is never worth more than a model's guess."""
    return str(row["authority"]) if row["source"] in get_args(Source) else Authority.AI_INFERRED.value


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _stored(name: str, value: Any) -> Any:  # noqa: ANN401 -- any column
    if isinstance(value, list | dict):
        return _dumped(value)
    if name == "vector":
        return Halves(base64.b64decode(value, validate=True))
    if _is_time(name) and isinstance(value, str):
        return micros(datetime.fromisoformat(value))
    return value


def _check_words(given: Mapping[str, Any]) -> None:
    terms = given.get("terms")
    places = [given.get("scope"), given.get("num")]
    counts = terms.values() if isinstance(terms, dict) else (None,)
    if given.keys() != {"scope", "num", "terms"} or not all(isinstance(one, int) for one in (*places, *counts)):
        raise InvalidInput("words are a scope, a number and counted terms")


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
        case float():
            return isfinite(value)
        case int():
            return abs(value) <= _INTEGER_MAX
        case str():
            return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
        case _:
            return True


def _fits(name: str, value: object, kind: str, *, is_required: bool) -> bool:
    if value is None:
        return not is_required
    try:
        stored = value if isinstance(value, int) else _stored(name, value)
    except (ValueError, TypeError):
        return False
    if name in _SHAPES and not _SHAPES[name](value):
        return False
    if not _is_storable(stored):
        return False
    return isinstance(stored, _ACCEPTED[kind]) and not isinstance(stored, bool)
