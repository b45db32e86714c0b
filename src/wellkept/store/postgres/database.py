"""PostgreSQL as a driver of the store: its schema, its vectors, and taking removed content out of its files."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psycopg
from psycopg.types.numeric import Int8

from wellkept.errors import ForeignDatabase, InvalidInput, SchemaOutdated, StoreError
from wellkept.store.catalogue import scripts
from wellkept.store.contract import Fault
from wellkept.store.driver import Scan
from wellkept.store.encoding import Row
from wellkept.store.postgres import citus
from wellkept.store.postgres.session import (
    BUSY_SECONDS,
    CONNECTIONS_MAX,
    PAUSE_SECONDS,
    SCAN,
    Connection,
    PostgresSessions,
    is_lost,
    notice_missing_vectors,
    ours,
    scan_parameters,
)
from wellkept.store.tables import POSTGRES, POSTGRES_WITHOUT_VECTORS, Dialect, migrations, table_names

OLDEST_POSTGRES = 150_000
_MIGRATING = 7_234_911_066_045_114_207
"""The advisory lock of those who change the schema."""
_VERSION = "SELECT obj_description(to_regclass('scopes'), 'pg_class'), to_regclass('scopes') IS NOT NULL"
_SAID = re.compile(r"(?:wellkept|recollect) schema (\d+)")  # stores made under the earlier name still open
_ARRAYS = {"TEXT": "TEXT[]", "INTEGER": "BIGINT[]", "REAL": "DOUBLE PRECISION[]"}
_VECTOR_TYPE = """
SELECT t.oid, t.typname FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
WHERE a.attrelid = to_regclass('vectors') AND a.attname = 'vector'
"""


class PostgresDriver(PostgresSessions):
    """See `Driver`."""

    dialect = "postgres"
    skip_locked = " FOR UPDATE OF j SKIP LOCKED"
    hold = " FOR UPDATE"
    is_near = False

    def __init__(self, url: str, *, busy_seconds: float = BUSY_SECONDS, connections_max: int = CONNECTIONS_MAX) -> None:
        super().__init__(url, busy_seconds=busy_seconds, connections_max=connections_max)
        self.when_replaced: list[Callable[[], None]] = []
        self.scan: Callable[[Scan], list[Row]] | None = None

    def create_or_check(self) -> None:
        """Make the schema in a new database; refuse one of another release."""
        with self.connect() as connection:
            if connection.info.server_version < OLDEST_POSTGRES:
                raise StoreError("PostgreSQL is too old: wellkept needs 15 or newer.")
            found = _version(connection)
            if found == 0:
                self.migrate()
            elif found != len(scripts()):
                raise SchemaOutdated(
                    f"The database has schema {found}, this release needs {len(scripts())}: "
                    + ("run `wellkept db migrate`." if found < len(scripts()) else "upgrade wellkept.")
                )
            row = connection.execute(_VECTOR_TYPE).fetchone()
        assert row is not None, "the schema was checked"
        oid, name = row
        if name == "halfvec":
            self._adapters.know_halves(oid)
            self.scan = self._scan
        else:
            notice_missing_vectors()

    def _scan(self, scan: Scan) -> list[Row]:
        return self.rows(SCAN, scan_parameters(scan))

    def schema_version(self) -> int:
        """How many migrations this database has seen."""
        with self.connect() as connection:
            return _version(connection)

    def migrate(self) -> int:
        """Take the missing steps to this release's schema, all or none; how many there were."""
        wanted = len(scripts())
        with self.connect() as connection:
            try:
                connection.execute("SELECT pg_advisory_lock(%s)", [_MIGRATING])
                found = _version(connection)
                if found > wanted:
                    raise SchemaOutdated(f"The database has schema {found}, newer than this release: upgrade wellkept.")
                if found < wanted:
                    steps = migrations(_dialect(connection, is_new=found == 0))[found:]
                    _take_steps(connection, steps, wanted, until=time.monotonic() + self._busy_seconds)
                    placed = citus.layout(connection)
                    if placed is not None and placed.distributed:
                        citus.distribute(connection)  # tables that are new go where the others are
            except psycopg.Error as error:
                raise ours(error) from error
        return wanted - found

    def layout(self) -> citus.Layout | None:
        """On which workers the tables are; None where the database has no Citus."""
        with self.connect() as connection:
            return citus.layout(connection)

    def distribute(self, shards: int | None = None) -> citus.Layout:
        """Spread every table over the workers of a cluster, by tenant; what is spread already stays where it is."""
        with self.connect() as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", [_MIGRATING])
            return citus.distribute(connection, shards)

    def crossing(self) -> dict[str, str]:
        """Statements that Citus would send to more than one shard, and why."""
        with self.connect() as connection:
            return citus.crossing(connection)

    def damage(self) -> tuple[Fault, ...]:
        """Indexes that the server knows to be unusable; page checksums are the server's own watch."""
        return tuple(Fault(kind="files", code="damaged", id=f"index {name} is not valid") for name in self._invalid())

    def reindex(self) -> None:
        """The indexes that are unusable."""
        for name in self._invalid():
            self.run(f"REINDEX INDEX {name}", {})

    def _invalid(self) -> list[str]:
        sql = (
            "SELECT i.indexrelid::regclass::text FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid "
            "WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace ORDER BY 1"
        )
        return [str(row[0]) for row in self.rows(sql, {})]

    def backup(self, path: Path) -> int:
        """PostgreSQL has its own tools for that."""
        raise InvalidInput(
            f"Back up PostgreSQL with pg_dump, not to {path}; or `wellkept db export`.", code="unsupported"
        )

    def files(self) -> tuple[Path, ...]:
        """The files are the server's."""
        return ()

    def restore(self, path: Path) -> Path | None:
        """PostgreSQL has its own tools for that."""
        raise InvalidInput(f"Restore PostgreSQL with pg_restore, not from {path}.", code="unsupported")

    def scrub(self) -> bool:
        """Write every table anew and drop the old files; not while a snapshot still needs what they hold.

        The write-ahead log keeps what was removed until its segments are used again, and so do backups and standbys:
        see docs/postgres.md.
        """
        until = time.monotonic() + self._busy_seconds
        try:
            with self.connect() as connection:
                placed = citus.layout(connection)
                if placed is not None and placed.distributed:
                    return citus.rewrite(connection, until=until)
                # What the planner knows of a column are examples of what stands in it, and of what stood there before.
                for old in (list(table_names(POSTGRES)), ["pg_statistic"]):
                    while old := [table for table in old if _keeps_removed(connection, table)]:
                        if time.monotonic() > until:
                            return False
                        time.sleep(PAUSE_SECONDS)
                # Old files are removed at a checkpoint; who may not ask for one waits for the next.
                try:
                    connection.execute("CHECKPOINT")
                except psycopg.errors.InsufficientPrivilege:
                    return True
        except psycopg.errors.LockNotAvailable:
            return False
        except psycopg.Error as error:
            raise ours(error) from error
        return True

    def moving_from(self) -> int:
        """A number of the store that is being moved here, until it is all here; 0: none."""
        row = self.rows("SELECT obj_description(to_regclass('counters'), 'pg_class')", {})[0]
        return int(row[0] or 0)

    def mark_moving(self, origin: int) -> None:
        """Say that a store is being moved here; 0: no more."""
        self.run(f"COMMENT ON TABLE counters IS '{int(origin)}'", {})

    def weigh(self) -> None:
        """Let the planner count what was written in bulk: it guesses until then, and guesses badly."""
        for table in table_names(POSTGRES):
            self.run(f"ANALYZE {table}", {})

    def put_lists(self, into: str, clash: str, types: Sequence[str], rows: Sequence[Row]) -> bool:
        """Many rows in one statement, a list for each column."""
        columns = zip(types, zip(*rows, strict=True), strict=True)
        lists = {f"list_{place}": _listed(kind, values) for place, (kind, values) in enumerate(columns)}
        casts = ", ".join(f"CAST(:{name} AS {_ARRAYS[kind]})" for name, kind in zip(lists, types, strict=True))
        self.run(f"{into} SELECT * FROM unnest({casts}) {clash}", lists)  # noqa: S608 -- names of the schema
        return True


def _take_steps(connection: Connection, steps: Sequence[str], wanted: int, *, until: float) -> None:
    """All steps in one transaction. Servers go on meanwhile: where one of them is in the way, it is tried again."""
    while True:
        try:
            connection.execute(
                f"BEGIN;\n{''.join(steps)}\nCOMMENT ON TABLE scopes IS 'wellkept schema {wanted}';\nCOMMIT"
            )
        except psycopg.errors.DeadlockDetected:
            connection.execute("ROLLBACK")
            if time.monotonic() > until:
                raise
        else:
            return


def _keeps_removed(connection: Connection, table: str) -> bool:
    """Write a table anew. Rows that were removed are copied too while a snapshot, of whomever, is older than that."""
    kept: list[int] = []

    def note(notice: psycopg.errors.Diagnostic) -> None:
        # "7 dead row versions cannot be removed yet.", in the server's language
        kept.extend(int(one) for one in re.findall(r"\d+", notice.message_detail or "")[:1])

    connection.add_notice_handler(note)
    try:
        connection.execute(f"VACUUM (FULL, ANALYZE, VERBOSE) {table}")
    finally:
        connection.remove_notice_handler(note)
    return any(kept)


def _listed(kind: str, values: Sequence[Any]) -> list[Any]:
    """Numbers of one size: psycopg takes the least that the first of a list needs."""
    return [None if value is None else Int8(value) for value in values] if kind == "INTEGER" else list(values)


def _version(connection: Connection) -> int:
    row = connection.execute(_VERSION).fetchone()
    assert row is not None, "a SELECT without FROM has a row"
    said, is_there = row
    found = _SAID.fullmatch(said or "")
    if is_there and found is None:
        raise ForeignDatabase(
            "The database has a table `scopes` of somebody else: give wellkept a schema of its own, with "
            "`?options=-csearch_path%3Dwellkept` at the end of the address."
        )
    return int(found[1]) if found is not None else 0


def _dialect(connection: Connection, *, is_new: bool) -> Dialect:
    """With pgvector where it can be had; a database stays with what it began with."""
    if not is_new:
        row = connection.execute(_VECTOR_TYPE).fetchone()
        return POSTGRES if row is not None and row[1] == "halfvec" else POSTGRES_WITHOUT_VECTORS
    try:
        # Only where it is missing: Citus refuses the statement to all but superusers, even if it does nothing.
        row = connection.execute("SELECT to_regtype('halfvec')").fetchone()
        if row == (None,):
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute("SELECT NULL::halfvec")
    except psycopg.Error as error:
        if is_lost(error, connection):
            raise
        return POSTGRES_WITHOUT_VECTORS
    return POSTGRES
