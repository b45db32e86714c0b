"""What begins and ends on a connection to SQLite: transactions, parts of them, and snapshots."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

    from wellkept.store.sqlite.database import SqliteDriver


class Session:
    """One thread's connection, and how deep in transactions it is."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self.cursor = connection.cursor()
        """For statements that are done when they return: to make one for each takes longer than some of them."""
        self.depth = 0
        self.is_snapshot = False
        self.changes_before = 0
        self.layout = 0
        """Of the file as the open transaction sees it."""


class Own(threading.local):
    """What each thread has for itself."""

    session: Session | None = None


class Snapshot:
    """From BEGIN to COMMIT, or to ROLLBACK where it fails. A class: generators cost more than what is done here."""

    __slots__ = ("_driver", "_session")
    begin, is_snapshot = "BEGIN", True

    def __init__(self, driver: SqliteDriver, session: Session) -> None:
        self._driver = driver
        self._session = session

    def __enter__(self) -> None:
        session = self._session
        self._driver.run(self.begin, {})
        try:
            session.layout = self._driver.rows("PRAGMA schema_version", {})[0][0]
            session.depth, session.is_snapshot = 1, self.is_snapshot
        finally:
            if session.depth == 0:
                self._roll_back()
        if session.layout != self._driver.layout:
            self._driver.see_layout(session.layout)
        session.changes_before = session.connection.total_changes()

    def __exit__(self, failure: object, *_: object) -> None:
        session = self._session
        try:
            if failure is None:
                self._commit()
        finally:
            session.depth, session.is_snapshot = 0, False
            if session.layout != self._driver.layout:  # what it read meanwhile was of the database before
                self._driver.forget_held()
            self._roll_back()

    def _commit(self) -> None:
        self._driver.run("COMMIT", {})

    def _roll_back(self) -> None:
        """After some failures (disk full, I/O error) SQLite has rolled back by itself."""
        if self._session.connection.in_transaction:
            self._driver.run("ROLLBACK", {})


class Transaction(Snapshot):
    """The same for whoever writes."""

    __slots__ = ()
    begin, is_snapshot = "BEGIN IMMEDIATE", False

    def __enter__(self) -> None:
        self._driver.await_turn()
        try:
            super().__enter__()
        finally:
            if self._session.depth == 0:  # it did not begin
                self._driver.end_turn()

    def __exit__(self, failure: object, *_: object) -> None:
        try:
            super().__exit__(failure)
        finally:
            self._driver.end_turn()

    def _commit(self) -> None:
        self._driver.commit()


class Part:
    """A part of a transaction that can fail alone."""

    __slots__ = ("_driver", "_name", "_session")

    def __init__(self, driver: SqliteDriver, session: Session) -> None:
        self._driver = driver
        self._session = session
        self._name = f"part_{session.depth}"

    def __enter__(self) -> None:
        self._driver.run(f"SAVEPOINT {self._name}", {})
        self._session.depth += 1

    def __exit__(self, failure: object, *_: object) -> None:
        self._session.depth -= 1
        if failure is not None and self._session.connection.in_transaction:
            self._driver.run(f"ROLLBACK TO {self._name}", {})
        if self._session.connection.in_transaction:
            self._driver.run(f"RELEASE {self._name}", {})
