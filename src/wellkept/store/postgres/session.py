"""Connections of PostgreSQL: how statements, values and errors go there and come back, transactions, sure commits."""

from __future__ import annotations

import array
import hashlib
import json
import logging
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import errors
from psycopg.adapt import AdaptersMap, Buffer, Dumper, Loader
from psycopg.pq import Format, TransactionStatus
from psycopg.types.numeric import Int8BinaryDumper
from psycopg.types.string import BytesBinaryDumper, StrBinaryDumper, StrDumper, StrDumperUnknown, TextBinaryLoader
from psycopg_pool import ConnectionPool, PoolTimeout

from wellkept.errors import CommitUnknown, SchemaForeign, StoreBusy, StoreError
from wellkept.store.driver import Lock, Locks, Scan, UniqueClash, follow_forks
from wellkept.store.encoding import SCOPE_STEP, Halves, JsonText, Row
from wellkept.values import frozen

if TYPE_CHECKING:
    from psycopg.abc import AdaptContext


_PARAMETER = re.compile(r"(?<![:\w]):([a-z]\w*)")
# A list that is compared with is one value to the planner, and no table of unknown length.
_LIST = re.compile(
    r"(?P<not>NOT )?IN \(SELECT (?P<cast>CAST\()?(?P<alias>\w+)\.value(?: AS BIGINT\))? "
    r"FROM json_each\(CAST\(:(?P<list>\w+) AS TEXT\)\) AS (?P=alias)\)"
)
# Any other list is a table of its items. Citus knows what to do with `unnest`, and nothing of a function of ours.
_ITEMS = re.compile(r"json_each\(CAST\(:(?P<list>\w+) AS TEXT\)\)(?: AS (?P<alias>\w+))?")
_NO_VECTORS = (
    "pgvector is not installed in this database: vectors are kept as bytes and searched in this process. "
    "Answers are the same; the first search of a large scope takes longer. To change that, install pgvector before "
    "`wellkept db migrate` makes the tables."
)


class StoreNotice(UserWarning):
    """Something that works, and would work better otherwise."""


class TextList(str):
    """A list of texts as PostgreSQL writes it."""

    __slots__ = ()


class NumberList(str):
    """A list of numbers as PostgreSQL writes it."""

    __slots__ = ()


@lru_cache(maxsize=2048)
def _text_list(stored: str) -> TextList:
    items = (str(item).replace(_ESCAPE, _ESCAPE * 2).replace(_QUOTE, _ESCAPE + _QUOTE) for item in json.loads(stored))
    return TextList("{" + ",".join(f'"{item}"' for item in items) + "}")


def _number_list(stored: str) -> NumberList:
    return NumberList(f"{{{stored[1:-1]}}}")


_ESCAPE, _QUOTE = "\\", '"'
_LISTS: Mapping[str, Callable[[str], str]] = {"TEXT[]": _text_list, "BIGINT[]": _number_list}


@frozen
class Native:
    """A statement as PostgreSQL takes it: `$1` for its first parameter."""

    text: bytes
    names: tuple[tuple[str, str], ...]
    """Of each parameter its name, and of a list the type that it has."""

    def values(self, parameters: Mapping[str, Any]) -> list[Any]:
        """The values in the order of the statement."""
        return [
            parameters[name] if not kind or parameters[name] is None else _LISTS[kind](parameters[name])
            for name, kind in self.names
        ]


@lru_cache(maxsize=2048)
def native(sql: str) -> Native:
    """A statement with `:name` in it. JSON lists become arrays: the server reads them once."""
    names: dict[tuple[str, str], str] = {}

    def place(name: str, kind: str = "") -> str:
        return names.setdefault((name, kind), f"${len(names) + 1}")

    def compared(found: re.Match[str]) -> str:
        kind = "BIGINT[]" if found["cast"] else "TEXT[]"
        items = f"CAST({place(found['list'], kind)} AS {kind})"
        return f"<> ALL ({items})" if found["not"] else f"= ANY ({items})"

    def listed(found: re.Match[str]) -> str:
        alias = f" AS {found['alias']} (value)" if found["alias"] else ""
        return f"unnest(CAST({place(found['list'], 'TEXT[]')} AS TEXT[])){alias}"

    lists = _ITEMS.sub(listed, _LIST.sub(compared, sql))
    return Native(text=_PARAMETER.sub(lambda found: place(found[1]), lists).encode(), names=tuple(names))


@lru_cache(maxsize=2048)
def is_write(sql: str) -> bool:
    """Does it change something? What only reads may be run again."""
    return not sql.lstrip().upper().startswith(("SELECT", "WITH", "EXPLAIN", "SHOW"))


class _TruthDumper(Int8BinaryDumper):
    """Truth values are 0 and 1, as in every table."""

    def dump(self, obj: Any) -> Buffer | None:  # noqa: ANN401 -- the signature of Dumper
        return super().dump(int(obj))


class _TextListDumper(StrDumper):
    """As it is written."""

    oid = psycopg.adapters.types["text"].array_oid


class _NumberListDumper(StrDumper):
    """As it is written."""

    oid = psycopg.adapters.types["int8"].array_oid


class _HalvesDumper(Dumper):
    """Little-endian halves as pgvector sends them: a count, two empty bytes, big-endian halves."""

    format = Format.BINARY

    def dump(self, obj: Halves) -> Buffer:
        return (len(obj) // 2).to_bytes(2, "big") + b"\0\0" + _swapped(obj)


class _HalvesLoader(Loader):
    """The other way."""

    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        return _swapped(bytes(data)[4:])


def _swapped(halves: bytes) -> bytes:
    values = array.array("H", halves)
    values.byteswap()
    return values.tobytes()


class _JsonText(TextBinaryLoader):
    """JSON as the text that it is; `jsonb` comes with a version before it."""

    format = Format.BINARY

    def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
        super().__init__(oid, context)
        self._start = 1 if oid == psycopg.adapters.types["jsonb"].oid else 0

    def load(self, data: Buffer) -> str:
        return bytes(data)[self._start :].decode("utf-8")


class Adapters:
    """Texts, numbers and truth values with one type each, so that a statement is prepared once. An `AdaptContext`."""

    connection = None

    def __init__(self) -> None:
        self.adapters = known = AdaptersMap(psycopg.adapters)
        known.register_dumper(int, Int8BinaryDumper)
        known.register_dumper(bool, _TruthDumper)
        known.register_dumper(str, StrBinaryDumper)
        known.register_dumper(Halves, BytesBinaryDumper)
        known.register_dumper(JsonText, StrDumperUnknown)
        known.register_dumper(TextList, _TextListDumper)
        known.register_dumper(NumberList, _NumberListDumper)
        for name in ("json", "jsonb"):
            known.register_loader(name, _JsonText)

    def know_halves(self, oid: int) -> None:
        """Vectors as pgvector's type, when the database has it."""
        self.adapters.register_dumper(Halves, type("HalvesDumper", (_HalvesDumper,), {"oid": oid}))
        self.adapters.register_loader(oid, _HalvesLoader)


def notice_missing_vectors() -> None:
    """Once a process: the same store, a little slower."""
    warnings.warn(_NO_VECTORS, StoreNotice, stacklevel=2)


def is_lost(error: BaseException, connection: psycopg.Connection[Any]) -> bool:
    """Is the connection gone, and what was under way with it?"""
    return isinstance(error, (errors.AdminShutdown, errors.CrashShutdown, errors.CannotConnectNow)) or (
        isinstance(error, psycopg.OperationalError) and connection.closed
    )


def is_worker_lost(error: BaseException) -> bool:
    """Has the coordinator of a cluster lost the worker that a statement was sent to?"""
    return isinstance(error, psycopg.Error) and (error.sqlstate or "").startswith("08")


_BUSY = (
    (errors.LockNotAvailable, "Another writer held the database for too long; nothing was written, try again."),
    (errors.DeadlockDetected, "Two writers were in each other's way; nothing was written, try again."),
    (errors.SerializationFailure, "Two writers were in each other's way; nothing was written, try again."),
    (errors.TooManyConnections, "The database takes no more connections; nothing was written, try again."),
    (PoolTimeout, "No connection to the database was free or could be made in time; nothing was written."),
)
_WORKER_LOST = "A worker of the database cluster could not be reached; nothing was written, try again."
_TEXTS = (errors.UntranslatableCharacter, errors.CharacterNotInRepertoire)


def ours(error: Exception) -> StoreError:
    """The errors of psycopg as ours. Of the server's messages only the first line, which holds no values."""
    said = getattr(getattr(error, "diag", None), "message_primary", None)
    busy = next((message for kind, message in _BUSY if isinstance(error, kind)), None)
    if busy is not None or is_worker_lost(error):
        return StoreBusy(busy or _WORKER_LOST)
    match error:
        case errors.UniqueViolation():
            return UniqueClash(said or "unique violation")
        case UnicodeEncodeError():
            return StoreError("A text with half of a surrogate pair cannot be stored or found.", code="invalid_text")
        case psycopg.DataError() if isinstance(error, _TEXTS) or "NUL" in str(error):
            return StoreError("A text with a NUL in it cannot be stored or found.", code="invalid_text")
        case errors.UndefinedColumn() | errors.UndefinedTable():
            return SchemaForeign(said or "something is missing")
        case errors.DiskFull():
            return StoreError("The disk is full; nothing was written. Make room and try again.")
        case errors.InsufficientPrivilege():
            return StoreError(f"The database role may not do this: {said}.", code="not_permitted")
        case psycopg.OperationalError() if said is None:
            return StoreError("The connection to the database broke or could not be made; nothing was written.")
        case _:
            return StoreError(f"The database failed, nothing was written: {said or type(error).__name__}")


assert sys.byteorder == "little", "vectors are little-endian"


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
        self._adapters = Adapters()
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
        return self._session.depth > 0

    @property
    def is_writing(self) -> bool:
        session = self._session
        return session.depth > 0 and not session.is_snapshot

    @property
    def is_dirty(self) -> bool:
        return self._session.is_dirty

    def rows(self, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
        session = self._session
        if session.connection is None:
            if not is_write(sql):
                return self._read_alone(sql, parameters)
            with self.transaction():
                return self.rows(sql, parameters)
        return self._within(session, sql, parameters).fetchall()

    def run(self, sql: str, parameters: Mapping[str, Any]) -> int:
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


# --- vectors compared by pgvector: an exact scan of the rows that are seen, inside their scopes, and nothing else ---

ROUNDED = 0.0011
"""Two cosines of a query that was rounded to halves differ by less than this from the exact ones' difference."""
# A scope in sight is read along its key, and a bit says of each row whether it may be compared; of other scopes only
# the rows named are touched. A vector of no length has no direction: it is as far away as one at a right angle. A text
# is as near as its nearest piece; so many first pieces as are wanted tell how near that must be at least.
_DISTANCE = "COALESCE(NULLIF(v.vector <=> :query, 'NaN'), 1)"
SCAN = f"""
WITH seen AS MATERIALIZED (
  SELECT v.scope, v.num, v.piece, {_DISTANCE} AS distance
  FROM unnest(CAST(:scopes AS BIGINT[]), CAST(:bits AS BYTEA[])) AS p (scope, bits) CROSS JOIN vectors AS v
  WHERE v.tenant = :tenant AND v.scope = p.scope AND v.model = :model
    AND CASE WHEN v.num < 8 * length(p.bits) THEN get_bit(p.bits, v.num) = 1 ELSE FALSE END
  UNION ALL
  SELECT v.scope, v.num, v.piece, {_DISTANCE}
  FROM unnest(CAST(:place_scopes AS BIGINT[]), CAST(:place_nums AS BIGINT[])) AS p (scope, num)
    CROSS JOIN vectors AS v
  WHERE v.tenant = :tenant AND v.scope = p.scope AND v.num = p.num AND v.model = :model
), near AS (
  SELECT s.scope, s.num FROM seen AS s
  WHERE s.distance <= {ROUNDED} + COALESCE(
    (SELECT e.distance FROM seen AS e WHERE e.piece = 0 ORDER BY e.distance OFFSET :limit - 1 LIMIT 1), 2)
  UNION
  SELECT * FROM unnest(CAST(:also_scopes AS BIGINT[]), CAST(:also_nums AS BIGINT[]))
)
SELECT v.scope * {SCOPE_STEP} + v.num, v.vector FROM near AS n CROSS JOIN vectors AS v
WHERE v.tenant = :tenant AND v.scope = n.scope AND v.num = n.num AND v.model = :model
"""  # noqa: S608 -- two numbers of ours


def scan_parameters(scan: Scan) -> Mapping[str, Any]:
    """What `SCAN` is given."""
    return {
        "tenant": scan.tenant,
        "model": scan.model,
        "query": scan.query,
        "limit": scan.limit,
        "scopes": _numbers(scan.seen),
        "bits": list(scan.seen.values()),
        **_split("place", scan.places),
        **_split("also", scan.also),
    }


def _split(name: str, places: Iterable[int]) -> Mapping[str, NumberList]:
    pairs = [divmod(place, SCOPE_STEP) for place in places]
    return {f"{name}_scopes": _numbers(scope for scope, _ in pairs), f"{name}_nums": _numbers(num for _, num in pairs)}


def _numbers(values: Iterable[int]) -> NumberList:
    return NumberList(f"{{{','.join(map(str, values))}}}")
