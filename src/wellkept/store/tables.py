"""The schema: every table as it is declared, how each database says it, and what it means for who copies or erases.

One schema in SQLite's words, which PostgreSQL says its own way: there every table gets row-level security, its owner
sees all tenants, anybody else those of `tenant_roles`. A table that is not named in `KEPT` has not been thought about:
a test refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import cache
from types import MappingProxyType
from typing import Literal

from wellkept.store.catalogue import FOLDER, scripts
from wellkept.values import frozen

TABLE_END = re.compile(r"^\) STRICT(?:, WITHOUT ROWID)?;$", re.MULTILINE)
_ONLY = re.compile(r"^-- only: (\w+)\n(.*?)^-- end\n", re.MULTILINE | re.DOTALL)
# A column stands on a line of its own, or comes with ALTER TABLE.
_COLUMN_TYPE = re.compile(
    r"^(  \w+|ALTER TABLE \w+ ADD COLUMN \w+) (TEXT|INTEGER|REAL|BLOB|VECTOR|JSON)\b", re.MULTILINE
)
_TABLE_NAME = re.compile(r"^CREATE TABLE (\w+)", re.MULTILINE)
_WALL = """
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
CREATE POLICY owner_sees_all ON {table} TO CURRENT_USER USING (true);
CREATE POLICY tenant_sees_own ON {table} USING (tenant = ANY (tenants_of_role()));
"""
# A function, because Citus takes no subquery in a policy. `tenant_roles` writes it anew whenever its rows change: with
# these in its body it says the same on every worker, and asks no table. It begins with nobody who sees anything.
_WHO_SEES_WHAT = """
DO $$ BEGIN
  IF to_regprocedure('tenants_of_role()') IS NULL THEN
    CREATE FUNCTION tenants_of_role() RETURNS TEXT[] LANGUAGE sql STABLE PARALLEL SAFE
    AS $said$SELECT ARRAY(SELECT t FROM pg_catalog.jsonb_array_elements_text('{}'::pg_catalog.jsonb \
OPERATOR(pg_catalog.->) (current_user::pg_catalog.text)) AS t)$said$;
  END IF;
END $$;
"""
# Who asks for their own tenants must be let see them; only the owner may change them.
_WALL_OF_ROLES = """
ALTER TABLE tenant_roles ENABLE ROW LEVEL SECURITY;
CREATE POLICY role_sees_own ON tenant_roles FOR SELECT USING (role = current_user);
GRANT SELECT ON tenant_roles TO PUBLIC;
"""


@frozen
class Dialect:
    """How a database says what the schema says."""

    name: str
    types: Mapping[str, str]
    table_end: str | None
    """None: as it is written."""
    is_walled: bool
    """Has row-level security."""


SQLITE = Dialect(
    name="sqlite",
    types=MappingProxyType({"VECTOR": "BLOB", "JSON": "TEXT"}),
    table_end=None,
    is_walled=False,
)
# Text is ordered by its bytes, as SQLite does it.
_POSTGRES_TYPES = {
    "TEXT": 'TEXT COLLATE "C"',
    "INTEGER": "BIGINT",
    "REAL": "DOUBLE PRECISION",
    "BLOB": "BYTEA",
    "JSON": "JSONB",
}
POSTGRES = Dialect(
    name="postgres",
    types=MappingProxyType(_POSTGRES_TYPES | {"VECTOR": "HALFVEC"}),
    table_end=");",
    is_walled=True,
)
POSTGRES_WITHOUT_VECTORS = Dialect(
    name="postgres",
    types=MappingProxyType(_POSTGRES_TYPES | {"VECTOR": "BYTEA"}),
    table_end=");",
    is_walled=True,
)


def said_in(script: str, dialect: Dialect) -> str:
    """A schema or a step of migration in the words of one database."""
    own = _ONLY.sub(lambda part: part[2] if part[1] == dialect.name else "", script)
    typed = _COLUMN_TYPE.sub(lambda part: f"{part[1]} {dialect.types.get(part[2], part[2])}", own)
    walled = _TABLE_NAME.findall(own) if dialect.is_walled else []
    walls = "".join((_WHO_SEES_WHAT if walled else "", *map(_wall, walled)))
    return (typed if dialect.table_end is None else TABLE_END.sub(dialect.table_end, typed)) + walls


def schema(dialect: Dialect) -> str:
    """The whole schema."""
    return said_in((FOLDER / "sql" / "schema.sql").read_text(encoding="utf-8"), dialect)


def table_names(dialect: Dialect) -> tuple[str, ...]:
    """The names of all table_names, in the order in which they are made."""
    return tuple(_TABLE_NAME.findall(schema(dialect)))


def migrations(dialect: Dialect) -> tuple[str, ...]:
    """The steps from an empty database to the schema, in order."""
    return tuple(said_in(path.read_text(encoding="utf-8"), dialect) for path in scripts())


def _wall(table: str) -> str:
    return _WALL_OF_ROLES if table == "tenant_roles" else _WALL.format(table=table)


Whose = Literal["scope", "user", "owner", "todo", "person", "edge", "asker", "merge", "all", "nobody"]
"""How a row belongs to a user: by the scope it stands in, by user or person id; `all` belongs to everybody."""

_TABLE = re.compile(r"^CREATE TABLE (\w+) \((.*?)^\)", re.MULTILINE | re.DOTALL)
_TABLE_COLUMN = re.compile(r"^  (\w+) (TEXT|INTEGER|REAL|BLOB)\b( NOT NULL)?( DEFAULT)?", re.MULTILINE)
_KEY = re.compile(r"PRIMARY KEY \(([^)]+)\)")
_COMMENT = re.compile(r"--.*")


@frozen
class Kept:
    """What a table holds, under the name that its rows have in an export (None: they are not exported)."""

    type: str | None
    whose: Whose = "nobody"


@frozen
class Column:
    """A column: what it holds, and whether a row must say it."""

    kind: Literal["TEXT", "INTEGER", "REAL", "BLOB"]
    is_required: bool


@frozen
class Table:
    """A table of the schema. Columns stand in their order, without the tenant."""

    name: str
    columns: Mapping[str, Column] = field(default_factory=dict)
    key: tuple[str, ...] = ()


# In the order in which rows can be put into an empty store.
KEPT: Mapping[str, Kept] = {
    "scopes": Kept(type="scope", whose="scope"),
    "counters": Kept(type="counter", whose="scope"),
    "memories": Kept(type="memory", whose="scope"),
    "versions": Kept(type="version", whose="scope"),
    "edges": Kept(type="edge", whose="edge"),
    "subjects": Kept(type="subject", whose="scope"),
    "postings": Kept(type="words", whose="scope"),
    "vectors": Kept(type="vector", whose="scope"),
    "entity_refs": Kept(type="entity_ref", whose="scope"),
    "sealed_heads": Kept(type="sealed_head"),
    "ledger": Kept(type="ledger", whose="scope"),
    "pseudonyms": Kept(type="pseudonym", whose="scope"),
    "phases": Kept(type="phase", whose="scope"),
    "policies": Kept(type="policy", whose="all"),
    "traces": Kept(type="trace", whose="scope"),
    "trace_mentions": Kept(type="trace_mention", whose="scope"),
    "persons": Kept(type="person", whose="person"),
    "person_revs": Kept(type="person_rev", whose="scope"),
    "aliases": Kept(type="alias", whose="person"),
    "relationships": Kept(type="relationship", whose="person"),
    "users": Kept(type="user", whose="user"),
    "merges": Kept(type="merge", whose="merge"),
    "reviews": Kept(type="review", whose="asker"),
    "profiles": Kept(type="profile", whose="user"),
    "proposals": Kept(type="proposal", whose="user"),
    "pair_checks": Kept(type="pair_check", whose="scope"),
    "chats": Kept(type="chat"),
    "messages": Kept(type="message", whose="scope"),
    "audiences": Kept(type="audience", whose="scope"),
    "evidence": Kept(type="evidence", whose="scope"),
    "sessions": Kept(type="session", whose="owner"),
    "session_states": Kept(type="session_state", whose="owner"),
    "rolling_summaries": Kept(type="rolling_summary", whose="owner"),
    "session_summaries": Kept(type="session_summary", whose="owner"),
    "spines": Kept(type="spine", whose="owner"),
    "todos": Kept(type="todo", whose="owner"),
    "wins": Kept(type="win", whose="todo"),
    "tallies": Kept(type="tally"),
    "supervisor_checkpoints": Kept(type="checkpoint", whose="user"),
    "graph_steps": Kept(type="graph_step"),
    "graph_writes": Kept(type="graph_write"),
    "graph_items": Kept(type="graph_item"),
    "threads": Kept(type="thread", whose="user"),
    "change_log": Kept(type="change", whose="user"),
    "thread_readers": Kept(type="thread_reader", whose="user"),
    "jobs": Kept(type="job"),
    "watermarks": Kept(type="watermark"),
    # Of this installation, not of what is remembered.
    "searches": Kept(type=None),
    "api_keys": Kept(type=None),
    "answers": Kept(type=None),
    "fingerprints": Kept(type=None),
    "webhook_marks": Kept(type=None),
}


@cache
def tables() -> Mapping[str, Table]:
    """Every table of the schema by its name."""
    text = _COMMENT.sub("", schema(SQLITE))
    return {name: _table(name, body) for name, body in _TABLE.findall(text)}


def _table(name: str, body: str) -> Table:
    columns = {
        column: Column(kind=kind, is_required=bool(required) and not default)
        for column, kind, required, default in _TABLE_COLUMN.findall(body)
        if column != "tenant"
    }
    found = _KEY.search(body)
    key = tuple(found[1].split(", ")) if found is not None else ()
    return Table(name=name, columns=columns, key=key[1:])
