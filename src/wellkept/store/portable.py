"""Rows out and in: every table of the schema as lines of JSON, words gathered, times readable, bytes in base64."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache, lru_cache
from itertools import groupby
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar, get_args

from wellkept.errors import BadLine, InvalidInput, StoreError
from wellkept.store.catalogue import catalogue
from wellkept.store.contract import Stored
from wellkept.store.core import Core, words_of
from wellkept.store.encoding import COLUMNS, SUMMED, Halves, Row, checksum, compact, decoded, from_json, micros, moment
from wellkept.store.parts.ledger import HASHED, Chain, head_columns
from wellkept.store.parts.messages import ROOM, TRANSCRIPT
from wellkept.store.tables import KEPT, Table, tables
from wellkept.types import Memory
from wellkept.values import frozen
from wellkept.vocabulary import Authority, EventType, Kind, MemoryType, Origin, Sensitivity, Source, Space, State

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


def check_line(line: Mapping[str, Any]) -> None:
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


_NO_SCOPE = 0
INSERTED_AT_ONCE = 1_000
_SAME_PLACE = "{other}.tenant = :tenant AND {other}.scope = t.scope AND {other}.num = t.num"
_CLASH = "it clashes with what is stored, or with another line"
_ORDER = {name: place for place, name in enumerate(KEPT)}
_WHOSE: Mapping[str, str] = {
    "scope": "of_scope",
    "edge": "of_edge",
    "person": "of_person",
    "merge": "of_merge",
    "todo": "of_todo",
}


class PortablePart(Core):
    """See `contract.Store`, section "Copies"."""

    def lines(self, tenant: str, user: str | None = None) -> Iterator[Mapping[str, Any]]:
        with self.snapshot():
            for name, kept in KEPT.items():
                condition = _condition(name, user)
                if kept.type is None or condition is None:
                    continue
                rows = self._rows_of(tables()[name], condition, {"tenant": tenant, "user": user})
                for row in gathered(rows) if name == "postings" else rows:
                    if name != "versions" or not row.pop("is_present"):
                        yield {"_type": kept.type} | row

    def _rows_of(self, table: Table, condition: str, parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        columns = [f"t.{name}" for name in table.columns if name != "checksum"]
        source = f"{table.name} AS t"
        if table.name == "memories":
            columns += [*(f"v.{name}" for name in TEXT), "v.at"]
            source += f" JOIN versions AS v ON {_SAME_PLACE.format(other='v')} AND v.version = t.text_version"
        if table.name == "versions":
            columns.append("m.text_version")
            source += f" JOIN memories AS m ON {_SAME_PLACE.format(other='m')}"
        names = ["text_at" if column == "v.at" else column.partition(".")[2] for column in columns]
        key = ("scope", "num", "term") if table.name == "postings" else table.key
        order = ", ".join(f"t.{name}" for name in key)
        # Names of tables and columns are the schema's own.
        sql = f"SELECT {', '.join(columns)} FROM {source} WHERE t.tenant = :tenant{condition} ORDER BY {order}"  # noqa: S608 -- names of the schema
        wanted = {name: value for name, value in parameters.items() if f":{name}" in sql}
        for row in self._db.driver.stream(sql, wanted):
            yield shown(names, row)

    def load(self, tenant: str, lines: Iterable[tuple[int, Mapping[str, Any]]]) -> Mapping[str, int]:
        counts: dict[str, int] = {}
        numbers = {_NO_SCOPE: _NO_SCOPE}
        chains, waiting = _Chains(), _Waiting()
        with self.transaction():
            for number, line in lines:
                waiting.number = number
                try:
                    self._load_line(tenant, line, numbers, waiting)
                except (StoreError, KeyError) as error:
                    raise BadLine(number, _CLASH) from error
                if len(waiting.rows) >= INSERTED_AT_ONCE:
                    self._insert(waiting)
                chains.follow(number, line)
                counts[line["_type"]] = counts.get(line["_type"], 0) + 1
            self._insert(waiting)
            chains.end()
            self._numbers.clear()
        return counts

    def _load_line(self, tenant: str, line: Mapping[str, Any], numbers: dict[int, int], waiting: _Waiting) -> None:
        table = TYPES[line["_type"]]
        row = stored(line)
        row["tenant"] = tenant
        if table == "scopes":
            taken = self._scope(tenant, row["space"], row["owner"])
            numbers[row["scope"]] = self._count_up(tenant, _NO_SCOPE, "scope") if taken is None else taken
        if "scope" in row:
            row["scope"] = numbers[row["scope"]]
        if table == "counters" and row["scope"] == _NO_SCOPE and row["kind"] == "scope":
            return  # scopes were counted as they came
        if table == "postings":
            place = {"tenant": tenant, "scope": row["scope"], "num": row["num"]}
            for words in words_of(place, line["terms"]):
                waiting.add(table, catalogue()["postings_add"], words)
            return
        if table == "memories":
            row["authority"] = _authority(row)
            text = {name: row.pop(name, None) for name in TEXT} | {"at": row.pop("text_at"), "tenant": tenant}
            row["checksum"] = checksum(table, row)
            waiting.add(table, _insertion(table, tuple(row)), row)
            place = {"scope": row["scope"], "num": row["num"]}
            table, row = "versions", text | place | {"version": row["text_version"]}
        if table in SUMMED:
            row["checksum"] = checksum(table, row)
        waiting.add(table, _insertion(table, tuple(row)), row)

    def _insert(self, waiting: _Waiting) -> None:
        """Each statement once for all its rows; where that fails, line by line, to tell the first that does."""
        try:
            with self.transaction():
                for sql, rows in waiting.by_statement():
                    self._db.driver.run_many(sql, rows)
        except (StoreError, OverflowError):
            self._insert_singly(waiting)
        waiting.rows.clear()

    def _insert_singly(self, waiting: _Waiting) -> None:
        for number, _, sql, row in waiting.rows:
            try:
                with self.transaction():
                    self._db.driver.run(sql, row)
            except (StoreError, OverflowError) as error:
                raise BadLine(number, _CLASH) from error

    def _has_stored(self, asked: Stored) -> bool:
        if asked.user is not None:
            return self._scope(asked.tenant, Space.USER, asked.user) is not None
        return self._db.one("any_scope", {"tenant": asked.tenant}) is not None

    _HANDLES: ClassVar = {("has", Stored): _has_stored}

    def backup(self, path: Path) -> int:
        return self._db.driver.backup(path)


class _Waiting:
    """Rows that wait to be put in together: number of the line, place of the table, statement and values."""

    def __init__(self) -> None:
        self.number = 0
        """Of the line that is being read."""
        self.rows: list[tuple[int, int, str, Mapping[str, Any]]] = []

    def add(self, table: str, sql: str, row: Mapping[str, Any]) -> None:
        """A row of this table, put in by this statement."""
        self.rows.append((self.number, _ORDER[table], sql, row))

    def by_statement(self) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
        """All of them, in the order in which tables may refer to one another."""
        found: dict[tuple[int, str], list[Mapping[str, Any]]] = {}
        for _, place, sql, row in self.rows:
            found.setdefault((place, sql), []).append(row)
        return ((sql, found[place, sql]) for place, sql in sorted(found))


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
        row = stored(line)
        chain = self._chain(line["scope"])
        was_whole = chain.fault is None
        chain.follow(line["seq"], line["hash"], {name: row.get(name) for name in HASHED})
        if was_whole and chain.fault is not None:
            self._broken[line["scope"]] = number

    def _chain(self, scope: int) -> Chain:
        return self._chains.setdefault(scope, Chain(heads=self._heads.setdefault(scope, {})))

    def _sealed(self, number: int, line: Mapping[str, Any]) -> None:
        """The tenant's own chain stands under no scope; it comes before the chains that it knows the ends of."""
        row = stored(line)
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
def _insertion(table: str, given: tuple[str, ...]) -> str:
    """The statement that puts in a row of these columns, as far as the table has them."""
    columns = ("tenant", *(name for name in given if name in tables()[table].columns))
    # A policy is shared; names are the schema's own.
    clash = " ON CONFLICT DO NOTHING" if table == "policies" else ""
    values = ", ".join(f":{name}" for name in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values}){clash}"  # noqa: S608 -- names of the schema


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


def _authority(row: Mapping[str, Any]) -> str:
    """As the line says, but a source that nobody knows is never worth more than a model's guess."""
    return str(row["authority"]) if row["source"] in get_args(Source) else Authority.AI_INFERRED.value


def memory_of(tenant: str, line: Mapping[str, Any]) -> Memory:
    """The memory that a line tells of, as it would stand in this tenant."""
    row = stored(line) | {"tenant": tenant}
    row["authority"] = _authority(row)
    return decoded(tuple(row.get(name) for name in COLUMNS))
