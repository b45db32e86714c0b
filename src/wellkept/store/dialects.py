"""One schema for every database: SQLite's words, and how PostgreSQL says the same.

On PostgreSQL every table gets row-level security: its owner sees all tenants, anybody else those of `tenant_roles`.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

from wellkept.store.catalogue import FOLDER, scripts
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLE_END = re.compile(r"^\) STRICT(?:, WITHOUT ROWID)?;$", re.MULTILINE)
_ONLY = re.compile(r"^-- only: (\w+)\n(.*?)^-- end\n", re.MULTILINE | re.DOTALL)
# A column stands on a line of its own, or comes with ALTER TABLE.
_COLUMN = re.compile(r"^(  \w+|ALTER TABLE \w+ ADD COLUMN \w+) (TEXT|INTEGER|REAL|BLOB|VECTOR|JSON)\b", re.MULTILINE)
_TABLE = re.compile(r"^CREATE TABLE (\w+)", re.MULTILINE)
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
    typed = _COLUMN.sub(lambda part: f"{part[1]} {dialect.types.get(part[2], part[2])}", own)
    walled = _TABLE.findall(own) if dialect.is_walled else []
    walls = "".join((_WHO_SEES_WHAT if walled else "", *map(_wall, walled)))
    return (typed if dialect.table_end is None else TABLE_END.sub(dialect.table_end, typed)) + walls


def schema(dialect: Dialect) -> str:
    """The whole schema."""
    return said_in((FOLDER / "sql" / "schema.sql").read_text(encoding="utf-8"), dialect)


def tables(dialect: Dialect) -> tuple[str, ...]:
    """The names of all tables, in the order in which they are made."""
    return tuple(_TABLE.findall(schema(dialect)))


def migrations(dialect: Dialect) -> tuple[str, ...]:
    """The steps from an empty database to the schema, in order."""
    return tuple(said_in(path.read_text(encoding="utf-8"), dialect) for path in scripts())


def _wall(table: str) -> str:
    return _WALL_OF_ROLES if table == "tenant_roles" else _WALL.format(table=table)
