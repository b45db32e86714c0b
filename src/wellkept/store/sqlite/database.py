"""The embedded database: SQLite through apsw, one connection a thread, every commit on the disk before it returns."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from wellkept.errors import (
    CommitUnknown,
    DamagedRow,
    ForeignDatabase,
    InvalidInput,
    NotEmpty,
    SchemaForeign,
    SchemaOutdated,
    StoreBusy,
    StoreDamaged,
    StoreError,
)
from wellkept.store.catalogue import scripts
from wellkept.store.contract import Fault
from wellkept.store.driver import Lock, Locks, Scan, UniqueClash, follow_forks, in_order
from wellkept.store.encoding import Row


class Session:
    """One thread's connection, and how deep in transactions it is."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self.cursor = connection.cursor()
        """For statements that are done when they return: to make one for each takes longer than some of them."""
        self.depth = 0
        self.is_snapshot = False
        self.changes_before = 0


class Own(threading.local):
    """What each thread has for itself."""

    session: Session | None = None


BUSY_SECONDS = 30.0
CLOSING_TRIES = 500
CLOSING_PAUSE_SECONDS = 0.01
OLDEST_SQLITE = (3, 51, 3)
"""Older ones can corrupt a write-ahead log that several processes write."""
_CACHED_STATEMENTS = 512
"""The most that are kept. A statement goes out after so many others ran, however few different ones they were."""
_PAGE_CACHE_KIB = 16_384
_BUSY = "Another writer held the database for too long; nothing was written, try again."
_RESTORE = "`wellkept db restore FILE` puts a backup in its place."
_FOREIGN = "The file holds a database of another program; nothing was written. Name another file with --db."
# Every schema of ours has these two tables, that of the first build too, which has no application id.
_IS_FOREIGN = "SELECT count(*) > 0 AND count(*) FILTER (WHERE name IN ('scopes', 'memories')) < 2 FROM sqlite_schema"
_DAMAGED = ".damaged"
"""Ending of a file that could not be read when a backup took its place."""
_MAKING = threading.Lock()
"""Held while a database file is made: see `_make_private_file`."""
_UNIQUE = {apsw.SQLITE_CONSTRAINT_UNIQUE, apsw.SQLITE_CONSTRAINT_PRIMARYKEY}


class SqliteDriver:
    """See `Driver`. Safe to use from many threads and many processes at once, and after a fork."""

    skip_locked = ""
    hold = ""
    scan: Callable[[Scan], list[Row]] | None = None
    is_near = True

    def __init__(self, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
        if version < OLDEST_SQLITE:
            raise StoreError("SQLite is too old; `pip install --upgrade apsw`.")
        # A later chdir must not lead another thread to another file.
        self.path = path.absolute()
        self.url = f"sqlite:///{path}"
        self._busy_milliseconds = int(busy_seconds * 1000)
        self._is_closed = False
        self.when_replaced: list[Callable[[], None]] = []
        self.layout: int | None = None
        """SQLite's count of changes to the schema, which a restore moves on too; None before the first look."""
        self._inherited: list[Own] = []
        self._begin_life()
        follow_forks(self)

    def begin_anew(self) -> None:
        """Connections belong to one process; a forked child opens its own and never touches the parent's."""
        self._inherited.append(self._local)
        self._begin_life()

    def _begin_life(self) -> None:
        self._lock = threading.Lock()
        self._writers = threading.Lock()
        self._local = Own()
        self._connections: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()

    @property
    def _session(self) -> Session:
        session = self._local.session
        if session is None:
            session = self._local.session = Session(self._connect())
        return session

    def _connect(self) -> apsw.Connection:
        if self._is_closed:
            raise StoreError("The store is closed.")
        try:
            _make_private_file(self.path)
            connection = apsw.Connection(str(self.path), statementcachesize=_CACHED_STATEMENTS)
            connection.set_busy_timeout(self._busy_milliseconds)
            # Asked before the journal's mode, which is written into the file.
            if connection.execute(_IS_FOREIGN).get:
                raise ForeignDatabase(_FOREIGN)
            connection.pragma("journal_mode", "wal")
            connection.pragma("synchronous", "full")
            connection.pragma("secure_delete", "on")
            connection.pragma("foreign_keys", "on")
            connection.pragma("cache_size", -_PAGE_CACHE_KIB)
            connection.pragma("temp_store", "memory")
            # Whoever reads a mapped page that another process has cut off dies of SIGBUS.
            connection.pragma("mmap_size", 0)
            # Plans do not depend on the values; else a statement is prepared anew each time one of them changes, which
            # takes longer than most of them run.
            connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        except OSError as error:
            raise StoreError(f"The database cannot be opened: {error.strerror}.") from error
        except apsw.Error as error:
            raise _ours(error) from error
        with self._lock:
            self._connections.add(connection)
        return connection

    @property
    def is_in_transaction(self) -> bool:
        return self._session.depth > 0

    @property
    def is_writing(self) -> bool:
        session = self._session
        return session.depth > 0 and not session.is_snapshot

    @property
    def is_dirty(self) -> bool:
        session = self._session
        return self.is_writing and session.connection.total_changes() != session.changes_before

    def rows(self, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
        try:
            return self._session.cursor.execute(sql, in_order(sql)(parameters) if parameters else ()).fetchall()
        except (apsw.Error, UnicodeError) as error:
            raise _ours(error) from error

    def stream(self, sql: str, parameters: Mapping[str, Any]) -> Iterator[Row]:
        try:
            yield from self._session.connection.execute(sql, parameters)
        except (apsw.Error, UnicodeError) as error:
            raise _ours(error) from error

    def run(self, sql: str, parameters: Mapping[str, Any]) -> int:
        session = self._session
        try:
            session.cursor.execute(sql, in_order(sql)(parameters) if parameters else ())
            return session.connection.changes()
        except (apsw.Error, UnicodeEncodeError) as error:
            raise _ours(error) from error

    def _commit(self) -> None:
        """End a transaction that wrote.

        Where the disk fails to sync, the commit may stand in the write-ahead log already: whoever opens the file next
        finds it there or not.
        """
        try:
            self._session.cursor.execute("COMMIT")
        except apsw.IOError as error:
            raise CommitUnknown from error
        except apsw.Error as error:
            raise _ours(error) from error

    def run_many(self, sql: str, parameters: Iterable[Mapping[str, Any]]) -> None:
        try:
            self._session.cursor.executemany(sql, map(in_order(sql), parameters))
        except (apsw.Error, UnicodeEncodeError) as error:
            raise _ours(error) from error

    @contextmanager
    def transaction(
        self,
        *,
        is_exclusive: bool = True,  # noqa: ARG002 -- here all are
        locks: Locks | None = None,  # noqa: ARG002 -- one writer at a time has the whole file
    ) -> Iterator[None]:
        """BEGIN IMMEDIATE: writers queue up before they read, so that what they decide on cannot change."""
        session = self._session
        if session.is_snapshot:
            raise StoreError("A snapshot only reads; end it before writing.")
        if session.depth > 0:
            with self._part(session):
                yield
            return
        # The writers of this process wait for each other here: SQLite's own waiting sleeps longer and longer, and who
        # came last may be first.
        if not self._writers.acquire(timeout=self._busy_milliseconds / 1000):
            raise StoreBusy(_BUSY)
        try:
            with self._begun(session, "BEGIN IMMEDIATE"):
                yield
        finally:
            self._writers.release()

    def has_lock(self, tenant: str, lock: Lock) -> bool:  # noqa: ARG002 -- one writer at a time has the whole file
        """Always."""
        return True

    def lock_times(self) -> Mapping[str, tuple[int, float]]:
        return {}

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """BEGIN: what is read first fixes the moment of all reads."""
        session = self._session
        if session.depth > 0:
            yield
            return
        session.is_snapshot = True
        try:
            with self._begun(session, "BEGIN"):
                yield
        finally:
            session.is_snapshot = False

    @contextmanager
    def _begun(self, session: Session, begin: str) -> Iterator[None]:
        """From BEGIN to COMMIT, or to ROLLBACK where it fails."""
        self.run(begin, {})
        try:
            layout = self.rows("PRAGMA schema_version", {})[0][0]
            session.depth = 1
            self._see_layout(layout)
            session.changes_before = session.connection.total_changes()
            yield
            self._commit()
        finally:
            if session.depth and layout != self.layout:  # what it read meanwhile was of the database before
                self._forget_held()
            session.depth = 0
            # After some failures (disk full, I/O error) SQLite has rolled back by itself.
            if session.connection.in_transaction:
                self.run("ROLLBACK", {})

    @contextmanager
    def _part(self, session: Session) -> Iterator[None]:
        """A part of a transaction that can fail alone."""
        name = f"part_{session.depth}"
        self.run(f"SAVEPOINT {name}", {})
        session.depth += 1
        is_done = False
        try:
            yield
            is_done = True
        finally:
            session.depth -= 1
            if session.connection.in_transaction:
                self.run(f"RELEASE {name}" if is_done else f"ROLLBACK TO {name}; RELEASE {name}", {})

    def _see_layout(self, layout: int) -> None:
        """The file has this count of changes to its schema: another one than before may be another database."""
        before, self.layout = self.layout, layout
        if before not in (None, layout):
            self._forget_held()

    def _forget_held(self) -> None:
        """Whoever holds something of the file is told that it may be another one."""
        for tell in self.when_replaced:
            tell()

    def damage(self) -> tuple[Fault, ...]:
        found = [str(row[0]) for row in self.rows("PRAGMA integrity_check(20)", {}) if row[0] != "ok"]
        return tuple(Fault(kind="files", code="damaged", id=one, can_repair=" index " in one) for one in found)

    def reindex(self) -> None:
        self.run("REINDEX", {})

    def scrub(self) -> bool:
        """Write the file anew from what is stored, and cut the write-ahead log to nothing.

        `secure_delete` alone is not enough: when SQLite moves rows between pages, bytes of the old places stay in the
        gaps, and a row that is deleted later is zeroed only where it stands then.
        """
        try:
            self.run("VACUUM", {})
            rows = self.rows("PRAGMA wal_checkpoint(TRUNCATE)", {})
        except StoreBusy:
            return False
        return bool(rows[0][0] == 0)

    def backup(self, path: Path) -> int:
        """Written beside its place and moved there when it is whole, so that no half of a copy is taken for one."""
        if path.exists():
            raise NotEmpty(f"There is a file at {path} already; nothing was written.")
        begun = path.with_name(f"{path.name}.part")
        try:
            make_private_folder(path.parent)
            begun.unlink(missing_ok=True)
            _make_private_file(begun)
            self.run("VACUUM INTO :path", {"path": str(begun)})  # on the disk when it returns, as every commit is
            begun.replace(path)
        except OSError as error:
            raise StoreError(f"The backup cannot be written: {error.strerror}.") from error
        return path.stat().st_size

    def files(self) -> tuple[Path, ...]:
        """The database, its write-ahead log and the index of that, and what a restore put aside."""
        every = [self.path.with_name(f"{self.path.name}{end}") for end in ("", "-wal", "-shm", "-journal")]
        return tuple(path for path in (*every, *map(_aside, every)) if path.is_file())

    def restore(self, path: Path) -> Path | None:
        """Put everything of a backup in the place of what is stored here; readers see the one or the other.

        Where what is here cannot even be read, it is put aside: the path is where.
        """
        if not path.is_file():
            raise InvalidInput(f"There is no backup at {path}.", code="no_backup")
        try:
            source = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
            try:
                is_whole = source.pragma("integrity_check") == "ok" and source.pragma("user_version") != 0
                if not is_whole or source.execute(_IS_FOREIGN).get:
                    raise InvalidInput(f"{path} is no whole backup of a memory.", code="damaged_file")
                return self._replaced_by(source)
            finally:
                source.close()
        except apsw.NotADBError as error:
            raise InvalidInput(f"{path} is no backup of a memory.", code="damaged_file") from error
        except apsw.Error as error:
            raise _ours(error) from error

    def _replaced_by(self, source: apsw.Connection) -> Path | None:
        try:
            self._copy(source)
        except StoreDamaged:
            # SQLite writes into no file that it cannot read. It makes way, kept for who may save something of it.
            self.close()
            self._is_closed = False
            for file in self.files():
                if file.suffix != _DAMAGED:
                    file.replace(_aside(file))
            self._copy(source)
            return _aside(self.path)
        return None

    def _copy(self, source: apsw.Connection) -> None:
        into = self._connect()  # on which nothing is open, as a copy demands
        try:
            with into.backup("main", source, "main") as copying:
                while not copying.done:
                    copying.step()
        except apsw.Error as error:
            raise _ours(error) from error
        finally:
            into.close()

    def close(self) -> None:
        self._is_closed = True
        with self._lock:
            connections, self._connections = list(self._connections), weakref.WeakSet()
        for connection in connections:
            _close(connection)
        self._local = Own()

    def moving_from(self) -> int:
        """A number of the store that is being moved here, until it is all here; 0: none."""
        return int(self.rows("PRAGMA application_id", {})[0][0])

    def mark_moving(self, origin: int) -> None:
        """Say that a store is being moved here; 0: no more."""
        self.run(f"PRAGMA application_id = {int(origin)}", {})

    def weigh(self) -> None:
        """Plans here follow from the schema alone."""

    def put_lists(self, _into: str, _clash: str, _types: Sequence[str], _rows: Sequence[Row]) -> bool:
        """Here rows go one by one: False."""
        return False

    def schema_version(self) -> int:
        """How many migrations this file has seen."""
        return int(self.rows("PRAGMA user_version", {})[0][0])

    def create_or_check(self) -> None:
        """Make the schema in a new file; refuse a file of another release."""
        wanted = len(scripts())
        found = self.schema_version()
        if found == 0 and self._is_empty():
            self.migrate()
        elif found != wanted:
            raise SchemaOutdated(
                f"The database has schema {found}, this release needs {wanted}: "
                + ("run `wellkept db migrate`." if found < wanted else "upgrade wellkept.")
            )

    def _is_empty(self) -> bool:
        return not self.rows("SELECT 1 FROM sqlite_schema LIMIT 1", {})

    def migrate(self) -> int:
        """Take the missing steps to this release's schema, all or none; how many there were."""
        from wellkept.store.tables import SQLITE, migrations

        steps = migrations(SQLITE)
        with self.transaction():
            found = self.schema_version()
            if found > len(steps):
                raise SchemaOutdated(f"The database has schema {found}, newer than this release: upgrade wellkept.")
            for step in steps[found:]:
                self.run(step, {})
            self.run(f"PRAGMA user_version = {len(steps)}", {})
        return len(steps) - found


def make_private_folder(folder: Path) -> None:
    """Make a folder where there is none, and those above it, for their owner alone."""
    if not folder.is_dir():
        make_private_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)  # its `parents=True` would leave those above open to everybody


def _make_private_file(path: Path) -> None:
    """Make an empty file for SQLite that only its owner can read; SQLite gives `-wal` and `-shm` the same mode.

    One thread at a time, and never where a file is: to close a descriptor of a database drops SQLite's locks on it.
    """
    file = path.resolve()  # O_EXCL follows no link, not even to a file that is still to be made
    with _MAKING:
        if not file.exists():
            with suppress(FileExistsError):  # another process was faster
                os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


if hasattr(os, "register_at_fork"):  # a child must not wait for a thread that it has not got
    os.register_at_fork(before=_MAKING.acquire, after_in_parent=_MAKING.release, after_in_child=_MAKING.release)


def _aside(path: Path) -> Path:
    return path.with_name(f"{path.name}{_DAMAGED}")


def _ours(error: apsw.Error | UnicodeError) -> StoreError:
    """The errors of apsw as ours. Their messages name columns and files, never values."""
    match error:
        case UnicodeDecodeError():
            return DamagedRow()
        case UnicodeError():
            return StoreError("A text with half of a surrogate pair cannot be stored or found.", code="invalid_text")
        case apsw.BusyError():
            return StoreBusy(_BUSY)
        case apsw.ConstraintError() if getattr(error, "extendedresult", 0) in _UNIQUE:
            return UniqueClash(str(error))
        case apsw.SQLError() if str(error).startswith("no such ") or " has no column named " in str(error):
            return SchemaForeign(str(error))
        case apsw.NotADBError():
            return StoreDamaged(f"This file is no database; name another. {_RESTORE}")
        case apsw.CorruptError():
            return StoreDamaged(f"The file of the database is damaged; nothing was written. {_RESTORE}")
        case apsw.FullError():
            return StoreError("The disk is full; nothing was written. Make room and try again.")
        case _:
            return StoreError(f"The database failed, nothing was written: {error}")


def _close(connection: apsw.Connection) -> None:
    """Close a connection once the statement that another thread is running on it has ended."""
    for _ in range(CLOSING_TRIES):
        try:
            connection.close()
            return
        except apsw.ThreadingViolationError:
            time.sleep(CLOSING_PAUSE_SECONDS)
    raise StoreBusy("A thread is still using the store: end it, then close again.")
