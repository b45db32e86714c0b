"""Citus: tables spread over workers by tenant, and the proof that a statement asks one shard only."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from typing import LiteralString

import psycopg
from psycopg import sql

from wellkept.errors import InvalidInput, StoreError
from wellkept.store.catalogue import catalogue
from wellkept.store.postgres.session import SCAN, Connection, native, ours
from wellkept.store.tables import POSTGRES, table_names
from wellkept.values import frozen

SHARDS = 32
"""More than workers, so that a new worker can take some over; a tenant is in one of them."""
REFERENCES = ("api_keys",)
"""Looked up before a tenant is known: every worker has all of their rows."""
LOCAL = ("tenant_roles",)
"""Only on the coordinator: what follows from it is a function, which every worker has."""
LISTING_TENANTS = frozenset({"jobs_tenant_after", "tenant_after"})
"""The only statements that ask every shard."""
LOCKING = {
    "jobs_claimable": " FOR UPDATE OF j SKIP LOCKED",
    "job_claimable": " FOR UPDATE OF j SKIP LOCKED",
    "scope_open": " FOR UPDATE",
    "scope_held": " FOR UPDATE",
    "counters_of": " FOR UPDATE",
}
"""Statements that lock the rows they read, with what the store adds to them."""

_ROOT = "scopes"
_BY_TENANT_FIRST: LiteralString = (
    "create_distributed_table(%s, 'tenant', shard_count => %s::int, colocate_with => 'none')"
)
_BY_TENANT: LiteralString = "create_distributed_table(%s, 'tenant', colocate_with => %s)"
_IS_STATEMENT = re.compile(r"SELECT|INSERT|UPDATE|DELETE|WITH")
_TASKS = re.compile(r"Task Count: (\d+)")
# Beside the task itself: a plan that takes rows to the coordinator first.
_DETOUR = re.compile(r"(?i)Distributed Subplan|INSERT \.\.\. SELECT|MapMergeJob|repartition")
_SAMPLES = {
    "text": "'t'",
    "bigint": "1",
    "integer": "1",
    "double precision": "1.0",
    "boolean": "true",
    "text[]": "'{a}'",
    "bigint[]": "'{1}'",
    "bytea": "'\\x00'",
    "bytea[]": "'{}'",
    "jsonb": "'{}'",
    "halfvec": "'[1]'",
}
PAUSE_SECONDS = 0.1
# Of this database, or of a standby that says what it still needs.
_OLDER = """
SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
AND (datname = current_database() OR backend_type = 'walsender') AND backend_type IN ('client backend', 'walsender')
AND (query = '<insufficient privilege>' OR (backend_xmin IS NOT NULL AND xact_start < '{moment}'))
"""
_HAS_CITUS = "SELECT extversion FROM pg_extension WHERE extname = 'citus'"
_PLACED = """
SELECT c.relname, p.partmethod::text, p.colocationid::bigint FROM pg_dist_partition AS p
JOIN pg_class AS c ON c.oid = p.logicalrelid WHERE c.relnamespace = current_schema()::regnamespace
"""
_WORKERS = """
SELECT n.nodename || ':' || n.nodeport, count(s.shardid)::bigint, n.isactive FROM pg_dist_node AS n
LEFT JOIN pg_dist_placement AS p ON p.groupid = n.groupid
LEFT JOIN pg_dist_shard AS s ON s.shardid = p.shardid AND s.logicalrelid = to_regclass('scopes')
WHERE n.noderole = 'primary' AND n.shouldhaveshards GROUP BY n.nodename, n.nodeport, n.isactive ORDER BY 1
"""


@frozen
class Worker:
    """A server that holds shards."""

    address: str
    shards: int
    is_active: bool


@frozen
class Layout:
    """How the tables of a database lie on its workers."""

    citus: str
    workers: tuple[Worker, ...]
    shards: int
    distributed: tuple[str, ...]
    """By tenant, each tenant in the same shard of all of them."""
    references: tuple[str, ...]
    """Whole on every worker."""
    local: tuple[str, ...]
    """Only on the coordinator."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Tables that should be on the workers, and with the others."""
        return tuple(
            name for name in table_names(POSTGRES) if name not in (*self.distributed, *self.references, *LOCAL)
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """The layout in words."""
        if not self.distributed:
            return (f"Citus {self.citus} is installed; the tables are not distributed.",)
        return (
            (
                f"Citus {self.citus}: {len(self.distributed)} tables by tenant in {self.shards} shards, "
                f"{len(self.references)} on every worker, {len(self.local)} on the coordinator."
            ),
            *(f"{worker.address}: {worker.shards} shards" for worker in self.workers),
        )


def layout(connection: Connection) -> Layout | None:
    """Where the tables are; None where the database has no Citus."""
    try:
        version = connection.execute(_HAS_CITUS).fetchone()
        if version is None:
            return None
        placed = {name: (method, colocated) for name, method, colocated in connection.execute(_PLACED)}
        workers = tuple(Worker(address=at, shards=n, is_active=is_up) for at, n, is_up in connection.execute(_WORKERS))
    except psycopg.Error as error:
        raise ours(error) from error
    root = placed.get(_ROOT)
    ours_ = table_names(POSTGRES)
    return Layout(
        citus=version[0],
        workers=workers,
        shards=sum(worker.shards for worker in workers),
        distributed=tuple(name for name in ours_ if name in placed and placed[name] == root),
        references=tuple(name for name in ours_ if name in placed and placed[name][0] == "n"),
        local=tuple(name for name in ours_ if name not in placed),
    )


def distribute(connection: Connection, shards: int | None = None) -> Layout:
    """Spread every table over the workers, those that are already there left as they are."""
    before = layout(connection)
    if before is None:
        raise StoreError(
            "The database has no Citus: install it on every server, and `CREATE EXTENSION citus` in the database.",
            code="no_citus",
        )
    if before.distributed and shards not in (None, before.shards):
        raise InvalidInput(
            f"The tables have {before.shards} shards already; `SELECT alter_distributed_table('scopes', "
            "shard_count => N, cascade_to_colocated => true)` changes that.",
            code="already_distributed",
        )
    try:
        for name in before.local:
            if name in REFERENCES:
                _place(connection, name, "create_reference_table(%s)", [name])
            elif name == _ROOT:
                _place(connection, name, _BY_TENANT_FIRST, [name, shards or SHARDS])
            elif name not in LOCAL:
                _place(connection, name, _BY_TENANT, [name, _ROOT])
        _plan_alike(connection)
    except psycopg.Error as error:
        raise ours(error) from error
    after = layout(connection)
    assert after is not None, "it was there before"
    return _checked(after, crossing(connection))


def _place(connection: Connection, name: str, how: LiteralString, arguments: list[str | int]) -> None:
    """Rows go to workers, and later from one to another, only while policies do not bind the owner: who sees all."""
    connection.execute(sql.SQL("ALTER TABLE {} NO FORCE ROW LEVEL SECURITY").format(sql.Identifier(name)))
    connection.execute(sql.SQL("SELECT ") + sql.SQL(how), arguments)


def _plan_alike(connection: Connection) -> None:
    """Workers plan as the coordinator does; settings of a connection stay there, those of a role go to all."""
    role, database = connection.info.user, connection.info.dbname
    for setting in ("jit", "enable_hashjoin", "enable_mergejoin"):
        alter = sql.SQL("ALTER ROLE {} IN DATABASE {} SET {} = off")
        connection.execute(alter.format(*map(sql.Identifier, (role, database, setting))))


def _checked(found: Layout, across: Mapping[str, str]) -> Layout:
    if found.missing:
        raise StoreError(
            f"Not distributed with the others: {', '.join(found.missing)}. Undistribute them and try again.",
            code="not_colocated",
        )
    if across:
        told = "; ".join(f"{name}: {why}" for name, why in sorted(across.items()))
        raise StoreError(f"Statements that need more than one shard: {told}", code="crosses_shards")
    return found


def rewrite(connection: Connection, *, until: float) -> bool:
    """Write every shard anew without what was removed; False while somebody's snapshot needs what they hold.

    Workers do not tell what a rewrite had to keep, so no older snapshot may be left anywhere before it begins. Sessions
    whose state the role may not see count as older: grant it `pg_read_all_stats`.
    """
    try:
        moment = max(_on_all(connection, "SELECT clock_timestamp()"))
        while any(map(int, _on_all(connection, _OLDER.format(moment=moment)))):
            if time.monotonic() > until:
                return False
            time.sleep(PAUSE_SECONDS)
        for name in table_names(POSTGRES):
            connection.execute(sql.SQL("VACUUM (FULL, ANALYZE) {}").format(sql.Identifier(name)))
        _on_all(connection, "VACUUM (FULL, ANALYZE) pg_statistic")
    except psycopg.errors.LockNotAvailable:
        return False
    except psycopg.Error as error:
        raise ours(error) from error
    # Old files are removed at a checkpoint; who may not ask for one waits for the next.
    connection.execute("SELECT run_command_on_all_nodes('CHECKPOINT')")
    return True


def _on_all(connection: Connection, command: str) -> list[str]:
    """What each server of the cluster answers."""
    answers = connection.execute("SELECT success, result FROM run_command_on_all_nodes(%s)", [command]).fetchall()
    for is_done, said in answers:
        if not is_done:
            raise StoreError(f"A server of the cluster refused: {said.partition(chr(10))[0]}", code="worker_refused")
    return [said for _, said in answers]


def statements() -> Iterator[tuple[str, str]]:
    """Every statement of the store by its name, as it is sent, but for those that list tenants."""
    for name, text in catalogue().items():
        if _IS_STATEMENT.match(text) and name not in LISTING_TENANTS:
            yield name, f"{text}{LOCKING.get(name, '')}"
    yield "scan", SCAN


def crossing(connection: Connection) -> dict[str, str]:
    """The statements that Citus would not run as one task, and why."""
    found = ((name, _why(connection, text)) for name, text in statements())
    return {name: why for name, why in found if why}


def _why(connection: Connection, statement: str) -> str:
    try:
        lines = _plan(connection, native(statement).text)
    except psycopg.Error as error:
        return str(error).partition("\n")[0]
    finally:
        connection.execute("DEALLOCATE ALL", prepare=False)
    text = "\n".join(lines)
    tasks = [int(count) for count in _TASKS.findall(text)]
    detour = _DETOUR.search(text)
    if detour is not None:
        return f"planned with {detour[0]!r}"
    return "" if tasks == [1] else f"{sum(tasks)} tasks"


def _plan(connection: Connection, statement: bytes) -> list[str]:
    connection.execute(b"PREPARE it AS " + statement, prepare=False)
    kinds = connection.execute(
        "SELECT unnest(parameter_types)::text FROM pg_prepared_statements WHERE name = 'it'", prepare=False
    )
    values = ", ".join(_SAMPLES.get(kind, "NULL") for (kind,) in kinds)
    rows = connection.execute(
        f"EXPLAIN (COSTS OFF) EXECUTE it{f'({values})' if values else ''}".encode(), prepare=False
    )
    return [row[0] for row in rows]
