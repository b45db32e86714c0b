"""What became of a commit whose answer was lost: asked of the server, never guessed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import errors

from wellkept.errors import CommitUnknown, StoreError
from wellkept.values import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

PAUSE_SECONDS = 0.1
# Statistics begin anew when a server recovers from a crash, the timeline when a standby takes over.
_LIFE = """concat(substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), pg_stat_get_bgwriter_stat_reset_time())"""
_SPREAD = "to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL"
_MARK = f"SELECT pg_current_xact_id()::text, {_LIFE}, {_SPREAD}"
_LOCK = f"{_MARK}, pg_advisory_xact_lock(%s)"
_SHARE = f"""{_MARK}, pg_advisory_xact_lock_shared(%s),
(SELECT count(l) FROM (SELECT pg_advisory_xact_lock(number)::text AS l FROM unnest(%s::bigint[]) AS number) AS locks)"""  # noqa: S608 -- words of this file
_STATUS = f"SELECT pg_xact_status(%s::xid8), {_LIFE}"
# Comes back when a synchronous standby has everything that was committed before it.
_REPLICATED = "SELECT pg_logical_emit_message(true, 'wellkept', '')"


@frozen
class Mark:
    """By what a transaction is known again: its number, and the life of the server that gave it."""

    number: str
    life: str
    is_spread: bool = False
    """The rows are on a worker, which commits before the server that gave the number."""


def mark_of(connection: psycopg.Connection[Any], lock: int | None, *, parts: list[int] | None = None) -> Mark:
    """The mark of the open transaction; with a lock, once nobody else holds that.

    With parts the lock is shared with others of whom each has its own parts; they are taken in their order.
    """
    if lock is None:
        row = connection.execute(_MARK).fetchone()
    elif parts is None:
        row = connection.execute(_LOCK, [lock]).fetchone()
    else:
        row = connection.execute(_SHARE, [lock, parts]).fetchone()
    assert row is not None, "a SELECT without FROM has a row"
    return Mark(number=row[0], life=row[1], is_spread=row[2])


def was_committed(mark: Mark, connect: Callable[[], psycopg.Connection[Any]], *, until: float) -> bool:
    """Ask until the server answers. `CommitUnknown` when it cannot know any more.

    A number that is not committed never was, but for a cluster whose coordinator crashed between a worker's commit and
    its own. One that is committed is ours only in the life in which it was given:
    after a crash or a failover the same number may have been given to somebody else.
    """
    while True:
        try:
            with connect() as connection:
                answer = _ask(connection, mark)
        except (StoreError, psycopg.OperationalError):
            answer = None
        if answer is not None:
            return answer
        if time.monotonic() > until:
            raise CommitUnknown
        time.sleep(PAUSE_SECONDS)


def _ask(connection: psycopg.Connection[Any], mark: Mark) -> bool | None:
    """None: still under way."""
    try:
        row = connection.execute(_STATUS, [mark.number]).fetchone()
    except errors.InvalidParameterValue:
        row = ("aborted", None)  # a number that this server has not given yet
    assert row is not None, "a SELECT without FROM has a row"
    status, life = row
    if status == "in progress":
        return None
    if status == "aborted":
        if mark.is_spread and life != mark.life:
            raise CommitUnknown
        return False
    if status != "committed" or life != mark.life:
        raise CommitUnknown
    connection.execute(_REPLICATED)
    return True
