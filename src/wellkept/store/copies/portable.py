"""Rows out and in: every table of the schema as lines of JSON, words gathered, times readable, bytes in base64."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, get_args

from wellkept.errors import BadLine, StoreError
from wellkept.store.catalogue import catalogue
from wellkept.store.chains.chain import HASHED, Chain
from wellkept.store.chains.heads import head_columns
from wellkept.store.copies import lines
from wellkept.store.core import Core, words_by_count
from wellkept.store.encoding import COLUMNS, SUMMED, checksum, decoded
from wellkept.store.tables import KEPT, tables
from wellkept.vocabulary import Authority, Source, Space

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from wellkept.store.tables import Table
    from wellkept.types import Memory

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
        """Every row of a tenant, or what belongs to one user, in an order in which they can be loaded."""
        with self.snapshot():
            for name, kept in KEPT.items():
                condition = _condition(name, user)
                if kept.type is None or condition is None:
                    continue
                rows = self._rows_of(tables()[name], condition, {"tenant": tenant, "user": user})
                for row in lines.gathered(rows) if name == "postings" else rows:
                    if name != "versions" or not row.pop("is_present"):
                        yield {"_type": kept.type} | row

    def _rows_of(self, table: Table, condition: str, parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        columns = [f"t.{name}" for name in table.columns if name != "checksum"]
        source = f"{table.name} AS t"
        if table.name == "memories":
            columns += [*(f"v.{name}" for name in lines.TEXT), "v.at"]
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
            yield lines.shown(names, row)

    def check_line(self, line: Mapping[str, Any]) -> None:
        """Raises `InvalidInput` when no store ever gave such a line."""
        lines.check(line)

    def load(self, tenant: str, lines: Iterable[tuple[int, Mapping[str, Any]]]) -> Mapping[str, int]:
        """Put numbered lines into a tenant, all or none."""
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
        table = lines.TYPES[line["_type"]]
        row = lines.stored(line)
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
            for words in words_by_count(place, line["terms"]):
                waiting.add(table, catalogue()["postings_add"], words)
            return
        if table == "memories":
            row["authority"] = _authority(row)
            text = {name: row.pop(name, None) for name in lines.TEXT} | {"at": row.pop("text_at"), "tenant": tenant}
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

    def memory_of(self, tenant: str, line: Mapping[str, Any]) -> Memory:
        """The memory that a line tells of, as it would stand in this tenant."""
        stored = lines.stored(line) | {"tenant": tenant}
        stored["authority"] = _authority(stored)
        return decoded(tuple(stored.get(name) for name in COLUMNS))

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
        row = lines.stored(line)
        chain = self._chain(line["scope"])
        was_whole = chain.fault is None
        chain.follow(line["seq"], line["hash"], {name: row.get(name) for name in HASHED})
        if was_whole and chain.fault is not None:
            self._broken[line["scope"]] = number

    def _chain(self, scope: int) -> Chain:
        return self._chains.setdefault(scope, Chain(heads=self._heads.setdefault(scope, {})))

    def _sealed(self, number: int, line: Mapping[str, Any]) -> None:
        """The tenant's own chain stands under no scope; it comes before the chains that it knows the ends of."""
        row = lines.stored(line)
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
