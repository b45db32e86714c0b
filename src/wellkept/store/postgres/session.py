"""Connections of PostgreSQL and what a thread does on them: statements, transactions, snapshots, sure commits."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool

from wellkept.errors import CommitUnknown, StoreError
from wellkept.store.driver import follow_forks
from wellkept.store.postgres import link
from wellkept.store.postgres.commit import Mark, mark_of, was_committed
from wellkept.store.postgres.link import is_lost, is_worker_lost, is_write, native, ours

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wellkept.store.driver import Lock, Locks, Row

CONNECTIONS_MAX = 16
"""Of one process; a thread holds one only while it reads or writes."""
BUSY_SECONDS = 30.0
STREAMED_ROWS = 1_000
PAUSE_SECONDS = 0.1
# Statements are shaped so that one plan fits all values, and reach their few rows by keys; to plan the visibility rule
# anew takes longer than to run it. Citus has to see the tenant to know on which worker to plan.
PLANNING = """
SET jit = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
SELECT set_config('plan_cache_mode',
  CASE WHEN to_regclass('pg_catalog.pg_dist_partition') IS NULL THEN 'force_generic_plan' ELSE 'auto' END, false)
"""
_LISTENING = f"{PLANNING}; SET lock_timeout = {{milliseconds}}; SET client_encoding = 'UTF8'"
PREPARED_AFTER, PREPARED_MAX = 2, 1_000
"""Times a connection runs a statement before it is prepared, and how many are kept so."""
_TRY = "SELECT pg_try_advisory_xact_lock(%s)"
_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
Connection = psycopg.Connection[Any]
_NUMBERS = count(1)
_POOL = "wellkept"
_log = logging.getLogger("wellkept")


class _Pooled(psycopg.Connection[Any]):
    """A connection of our pool. Of a log record that names one we know that it is about us."""


def _take_over(record: logging.LogRecord) -> bool:
    """Lets pass what psycopg logs of other pools; what it warns of in ours goes to our logger.

    The pool warns of each connection that is lost. It makes a new one, and whoever is concerned gets an error, so here
    that is information. Python would print a warning to stderr where nobody has set up logging.
    """
    about = record.args if isinstance(record.args, tuple) else ()
    is_ours = any(isinstance(one, _Pooled) or (isinstance(one, str) and one.startswith(_POOL)) for one in about)
    if not is_ours or record.levelno < logging.WARNING:
        return True
    _log.info("PostgreSQL: %s", record.getMessage())
    return False


class _Session:
    """What one thread is doing: its connection while it has one, and how deep in transactions it is."""

    def __init__(self) -> None:
        self.connection: Connection | None = None
        self.depth = 0
        self.is_snapshot = False
        self.is_exclusive = True
        self.locks: Locks | None = None
        """What the transaction began with; None: its whole tenant."""
        self.held: dict[int, tuple[str, float]] = {}
        """Numbers of locks that it has, with their kind and since when."""
        self.is_dirty = False
        self.mark: Mark | None = None
        self.tenants: set[str] = set()


class _Own(threading.local):
    """What each thread has for itself."""

    session: _Session | None = None


class PostgresSessions:
    """The part of `Driver` that runs statements. For many threads and many processes at once, and after a fork."""

    def __init__(self, url: str, *, busy_seconds: float = BUSY_SECONDS, connections_max: int = CONNECTIONS_MAX) -> None:
        self.url = url
        self._busy_seconds = busy_seconds
        self._connections_max = connections_max
        self._adapters = link.Adapters()
        self._is_closed = False
        self._lock_times: dict[str, tuple[int, float]] = {}
        self._inherited: list[object] = []
        self._begin_life()
        follow_forks(self)

    def begin_anew(self) -> None:
        """Connections belong to one process; a forked child opens its own and never touches the parent's."""
        self._inherited += [self._local, self._pool]
        self._begin_life()

    def _begin_life(self) -> None:
        self._local = _Own()
        self._lock = threading.Lock()
        self._pool: ConnectionPool[Connection] | None = None

    # --- connections ---

    @property
    def _session(self) -> _Session:
        session = self._local.session
        if session is None:
            session = self._local.session = _Session()
        return session

    def connect(self) -> Connection:
        """A connection outside the pool, at once or with the reason why not."""
        try:
            connection = psycopg.connect(self.url, autocommit=True, context=self._adapters)
            self._prepare(connection)
        except (psycopg.Error, UnicodeEncodeError) as error:
            raise ours(error) from error
        return connection

    def _prepare(self, connection: Connection) -> None:
        connection.prepare_threshold, connection.prepared_max = PREPARED_AFTER, PREPARED_MAX
        connection.execute(_LISTENING.format(milliseconds=int(self._busy_seconds * 1000)))

    def _borrow(self, until: float) -> Connection:
        if self._is_closed:
            raise StoreError("The store is closed.")
        with self._lock:
            if self._pool is None:
                logging.getLogger("psycopg.pool").addFilter(_take_over)  # once, however often it is added
                self._pool = ConnectionPool(
                    self.url,
                    connection_class=_Pooled,
                    min_size=0,
                    max_size=self._connections_max,
                    open=True,
                    kwargs={"autocommit": True, "context": self._adapters},
                    configure=self._prepare,
                    name=_POOL,
                )
        try:
            return self._pool.getconn(timeout=max(until - time.monotonic(), 0.01))
        except psycopg.Error as error:
            raise ours(error) from error

    def _give_back(self, connection: Connection) -> None:
        if self._pool is not None:
            self._pool.putconn(connection)

    def _execute(self, connection: Connection, sql: str, parameters: Mapping[str, Any]) -> psycopg.RawCursor[Any]:
        statement = native(sql)
        cursor = psycopg.RawCursor(connection)
        return cursor.execute(statement.text, statement.values(parameters), binary=True)

    # --- statements ---

    @property
    def is_in_transaction(self) -> bool:
        """A transaction or snapshot of this thread is open."""
        return self._session.depth > 0

    @property
    def is_writing(self) -> bool:
        """A transaction of this thread is open, and no snapshot."""
        session = self._session
        return session.depth > 0 and not session.is_snapshot

    @property
    def is_dirty(self) -> bool:
        """This thread has uncommitted writes."""
        return self._session.is_dirty

    def rows(self, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
        """Run and fetch all rows."""
        session = self._session
        if session.connection is None:
            if not is_write(sql):
                return self._read_alone(sql, parameters)
            with self.transaction():
                return self.rows(sql, parameters)
        return self._within(session, sql, parameters).fetchall()

    def run(self, sql: str, parameters: Mapping[str, Any]) -> int:
        """Run a write; how many rows it changed."""
        session = self._session
        if session.connection is None:
            with self.transaction():
                return self.run(sql, parameters)
        return max(self._within(session, sql, parameters).rowcount, 0)

    def run_many(self, sql: str, parameters: Iterable[Mapping[str, Any]]) -> None:
        """Run a write once for each set of parameters, without waiting between them."""
        session = self._session
        sets = list(parameters)
        if session.connection is None:
            with self.transaction():
                self.run_many(sql, sets)
            return
        statement = native(sql)
        try:
            self._mark(session, sets[0])
            with psycopg.RawCursor(session.connection) as cursor:
                cursor.executemany(statement.text, list(map(statement.values, sets)))
            session.is_dirty = True
        except (psycopg.Error, UnicodeEncodeError) as error:
            raise ours(error) from error

    def stream(self, sql: str, parameters: Mapping[str, Any]) -> Iterator[Row]:
        """Run and give rows one after the other, from a cursor of the server."""
        session = self._session
        connection, is_alone = session.connection, False
        if connection is None:
            # On a connection of its own: whoever reads may write meanwhile.
            connection, is_alone = self._open(_SNAPSHOT), True
        statement = native(sql)
        try:
            if not is_alone:
                self._mark(session, parameters)
            with psycopg.RawServerCursor(connection, f"stream_{next(_NUMBERS)}") as cursor:
                cursor.itersize = STREAMED_ROWS
                cursor.execute(statement.text, statement.values(parameters), binary=True)
                yield from cursor
        except (psycopg.Error, UnicodeEncodeError) as error:
            raise ours(error) from error
        finally:
            if is_alone:
                _roll_back(connection, is_read=True)
                self._give_back(connection)

    def _within(self, session: _Session, sql: str, parameters: Mapping[str, Any]) -> psycopg.RawCursor[Any]:
        assert session.connection is not None, "asked inside a transaction"
        try:
            self._mark(session, parameters)
            cursor = self._execute(session.connection, sql, parameters)
        except (psycopg.Error, UnicodeEncodeError) as error:
            raise ours(error) from error
        session.is_dirty = session.is_dirty or is_write(sql)
        return cursor

    def _read_alone(self, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
        """A read outside a transaction; again on another connection when its own is lost."""
        until = time.monotonic() + self._busy_seconds
        while True:
            connection = self._borrow(until)
            try:
                return self._execute(connection, sql, parameters).fetchall()
            except (psycopg.Error, UnicodeEncodeError) as error:
                if not (is_lost(error, connection) or is_worker_lost(error)) or time.monotonic() > until:
                    raise ours(error) from error
            finally:
                self._give_back(connection)
            time.sleep(PAUSE_SECONDS)

    # --- transactions ---

    def _mark(self, session: _Session, parameters: Mapping[str, Any]) -> None:
        """Before the first statement of a transaction: writers of one tenant queue up before they read.

        So what they decide on cannot change, and no two of them can wait for each other in a circle.
        """
        tenant = parameters.get("tenant")
        if session.is_snapshot or session.connection is None or tenant is None or tenant in session.tenants:
            return
        session.tenants.add(tenant)
        if not session.is_exclusive:
            session.mark = session.mark or mark_of(session.connection, None)
            return
        wanted = session.locks if session.locks is not None and session.locks.tenant == tenant else None
        whole = _lock_number(tenant)
        if wanted is None:
            session.mark = mark_of(session.connection, whole)
            session.held[whole] = ("tenant", time.monotonic())
            return
        numbers = {_lock_number(tenant, lock): lock.kind for lock in wanted.locks}
        # In one order everywhere, so that two writers never wait for each other in a circle.
        session.mark = mark_of(session.connection, whole, parts=sorted(numbers))
        now = time.monotonic()
        session.held[whole] = ("tenant, shared", now)
        session.held |= {number: (kind, now) for number, kind in numbers.items()}

    def has_lock(self, tenant: str, lock: Lock) -> bool:
        """Whether the open transaction has it. One that turns out to be needed is never waited for: no circle."""
        session = self._session
        if session.connection is None or session.is_snapshot or not session.is_exclusive:
            return True
        number = _lock_number(tenant, lock)
        try:
            self._mark(session, {"tenant": tenant})
            if session.locks is None or session.locks.tenant != tenant or number in session.held:
                return True
            row = session.connection.execute(_TRY, [number]).fetchone()
        except psycopg.Error as error:
            raise ours(error) from error
        if row != (True,):
            return False
        session.held[number] = (lock.kind, time.monotonic())
        return True

    def lock_times(self) -> Mapping[str, tuple[int, float]]:
        """Kind of lock → how often it was held by this process, and for how many seconds in all."""
        with self._lock:
            return dict(self._lock_times)

    def _note_locks(self, held: Mapping[int, tuple[str, float]]) -> None:
        now = time.monotonic()
        with self._lock:
            for kind, since in held.values():
                times, seconds = self._lock_times.get(kind, (0, 0.0))
                self._lock_times[kind] = (times + 1, seconds + now - since)

    def _open(self, statement: str) -> Connection:
        """A transaction on a connection that answers; nothing was done yet, so a lost one is simply replaced."""
        until = time.monotonic() + self._busy_seconds
        while True:
            connection = self._borrow(until)
            try:
                connection.execute(statement, prepare=False)
                return connection
            except psycopg.Error as error:
                self._give_back(connection)
                if not is_lost(error, connection) or time.monotonic() > until:
                    raise ours(error) from error
            time.sleep(PAUSE_SECONDS)

    def _begin(self, session: _Session, statement: str) -> None:
        session.connection, session.depth = self._open(statement), 1
        session.mark, session.is_dirty, session.tenants, session.held = None, False, set(), {}

    def _end(self, session: _Session) -> None:
        connection, session.connection = session.connection, None
        is_read, session.is_snapshot = session.is_snapshot, False
        session.depth, session.is_dirty = 0, False
        if connection is not None:
            _roll_back(connection, is_read=is_read)
            self._give_back(connection)
        self._note_locks(session.held)

    @contextmanager
    def transaction(self, *, is_exclusive: bool = True, locks: Locks | None = None) -> Iterator[None]:
        """All or nothing. Writers of one tenant wait for each other, or for those who need the same locks."""
        session = self._session
        if session.is_snapshot:
            raise StoreError("A snapshot only reads; end it before writing.")
        if session.depth > 0:
            with self._savepoint(session):
                yield
            return
        self._begin(session, "BEGIN")
        session.is_exclusive, session.locks = is_exclusive, locks
        try:
            yield
            self._commit(session)
        finally:
            self._end(session)

    def _commit(self, session: _Session) -> None:
        connection, mark = session.connection, session.mark
        assert connection is not None, "a transaction has one"
        try:
            done = connection.execute("COMMIT", prepare=False)
        except psycopg.Error as error:
            if is_worker_lost(error):
                raise CommitUnknown from error  # the worker may have committed before it was lost
            if mark is None or not is_lost(error, connection):
                raise ours(error) from error
            if not was_committed(mark, self.connect, until=time.monotonic() + self._busy_seconds):
                raise StoreError("The database went away before the commit; nothing was written.") from error
            return
        # A transaction in which a statement has failed ends with COMMIT too, and is rolled back.
        if done.statusmessage != "COMMIT":
            raise StoreError("A statement of this transaction has failed; nothing was written.")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What is read first fixes the moment of all reads."""
        session = self._session
        if session.depth > 0:
            yield
            return
        self._begin(session, _SNAPSHOT)
        session.is_snapshot = True
        try:
            yield
        finally:
            self._end(session)

    @contextmanager
    def _savepoint(self, session: _Session) -> Iterator[None]:
        name = f"part_{session.depth}"
        connection = session.connection
        assert connection is not None, "a transaction has one"
        self._control(connection, f"SAVEPOINT {name}")
        session.depth += 1
        is_done = False
        try:
            yield
            is_done = True
        finally:
            session.depth -= 1
            if is_done:
                self._control(connection, f"RELEASE {name}")
            elif not connection.closed:
                self._control(connection, f"ROLLBACK TO {name}; RELEASE {name}")

    def _control(self, connection: Connection, statement: str) -> None:
        try:
            connection.execute(statement, prepare=False)
        except psycopg.Error as error:
            raise ours(error) from error

    def close(self) -> None:
        """Close all connections of this process."""
        self._is_closed = True
        if self._pool is not None:
            self._pool.close()
            self._pool = None


def _roll_back(connection: Connection, *, is_read: bool = False) -> None:
    """Whatever is open on it is not committed; a connection that cannot say so is of no use to others.

    What only read ends with COMMIT: after a ROLLBACK psycopg forgets all prepared statements.
    """
    if connection.closed or connection.info.transaction_status is TransactionStatus.IDLE:
        return
    try:
        connection.execute("COMMIT" if is_read else "ROLLBACK", prepare=False)
    except psycopg.Error:
        connection.close()


def _lock_number(tenant: str, lock: Lock | None = None) -> int:
    """The advisory lock that writers queue up at: of a tenant, or of something in it."""
    name = f"wellkept {tenant}" if lock is None else f"wellkept {tenant}\0{lock.kind}\0{lock.name}"
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
