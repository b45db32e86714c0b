"""What a database must do for the store: run named statements, in transactions. All that differs lives behind this."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, Protocol
from weakref import WeakSet

from wellkept.errors import StoreError
from wellkept.patterns import deferred
from wellkept.store.catalogue import catalogue
from wellkept.store.contract import Fault
from wellkept.store.encoding import Halves, Row, checksum
from wellkept.values import frozen

_QUOTED = deferred(r"'[^']*'")
_PARAMETER = deferred(r":(\w+)")
_SUMMING = deferred(r"(?:INSERT INTO|UPDATE) (\w+)")


class UniqueClash(StoreError):
    """A statement would have broken a unique index; the store says what that means."""

    code = "unique_clash"


@frozen
class Scan:
    """Whose vectors are compared with a query's, and which of them are wanted."""

    tenant: str
    model: str
    query: Halves
    seen: Mapping[int, bytes]
    """Scope → a bit for each num, the lowest first: set where the row may be compared."""
    places: Sequence[int]
    """Single rows of other scopes (`encoding.SCOPE_STEP`) that may be compared."""
    also: Sequence[int]
    """Rows that are wanted however far away."""
    limit: int


LockKind = Literal["scope", "person", "name", "chat", "job", "tally"]


@frozen
class Lock:
    """Something of a tenant that one writer has at a time: a scope, a person, a name."""

    kind: LockKind
    name: str


@frozen
class Locks:
    """What a writer of a tenant needs, as far as it is known when it begins."""

    tenant: str
    locks: tuple[Lock, ...] = ()


class Driver(Protocol):
    """One database. Statements use `:name` parameters; everything is bound to the calling thread."""

    url: str
    skip_locked: str
    """What a query ends with to lock its rows and pass over those that somebody else has locked; may be empty."""
    hold: str
    """What a query ends with to lock its rows until the transaction ends; empty where all is locked anyway."""
    scan: Callable[[Scan], list[Row]] | None
    """(place, vector) of at least the nearest rows, compared by the database; None where it cannot compare."""
    is_near: bool
    """A statement is no journey: a lookup by key takes microseconds."""
    when_replaced: list[Callable[[], None]]
    """Called when a backup was put in the place of the database, by whomever: what is held of it is of another one."""

    @property
    def is_in_transaction(self) -> bool:
        """A transaction or snapshot of this thread is open."""

    @property
    def is_writing(self) -> bool:
        """A transaction of this thread is open, and no snapshot."""

    @property
    def is_dirty(self) -> bool:
        """This thread has written something that is not committed: what it reads must stay out of shared caches."""

    def rows(self, sql: str, parameters: Mapping[str, Any]) -> list[Row]:
        """Run and fetch all rows."""

    def stream(self, sql: str, parameters: Mapping[str, Any]) -> Iterator[Row]:
        """Run and give rows one after the other, in bounded memory."""

    def run(self, sql: str, parameters: Mapping[str, Any]) -> int:
        """Run a write; how many rows it changed."""

    def run_many(self, sql: str, parameters: Iterable[Mapping[str, Any]]) -> None:
        """Run a write once for each set of parameters."""

    def transaction(self, *, is_exclusive: bool = True, locks: Locks | None = None) -> AbstractContextManager[None]:
        """All or nothing. Inside another one it is a part of it that can fail alone.

        Writers of a tenant queue up before they read, so that what they decide on cannot change; with locks only those
        who need the same. Unless they are not exclusive, and lock row by row.
        """

    def has_lock(self, tenant: str, lock: Lock) -> bool:
        """Whether the open transaction has this until it ends, or gets it without waiting."""

    def lock_times(self) -> Mapping[str, tuple[int, float]]:
        """Kind of lock → how often it was held here, and for how many seconds in all."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Reads of one moment. Inside a transaction or snapshot it is that one."""

    def damage(self) -> tuple[Fault, ...]:
        """What the database itself finds wrong with its files; nothing when all is well."""

    def reindex(self) -> None:
        """Make the indexes anew from their tables."""

    def scrub(self) -> bool:
        """Take removed content out of the files; False when somebody else's reading or writing prevents it now."""

    def backup(self, path: Path) -> int:
        """Copy everything of this moment into a new file, while others read and write; how many bytes."""

    def files(self) -> tuple[Path, ...]:
        """The files of the database, where they are on this machine and ours to read."""

    def close(self) -> None:
        """Release all connections."""


class Forkable(Protocol):
    """A driver with connections that belong to one process."""

    def begin_anew(self) -> None:
        """In a forked child: never touch what was the parent's."""


_FORKABLE: WeakSet[Forkable] = WeakSet()


def follow_forks(driver: Forkable) -> None:
    """From now on a forked child of this process begins anew with this driver."""
    _FORKABLE.add(driver)


def _begin_anew() -> None:
    for driver in _FORKABLE:
        driver.begin_anew()


if hasattr(os, "register_at_fork"):  # elsewhere nothing forks
    os.register_at_fork(after_in_child=_begin_anew)


@lru_cache(maxsize=512)
def in_order(sql: str) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    """What gives the parameters of a statement in their order: by name, each is looked up anew for every row.

    >>> in_order("INSERT INTO t VALUES (:one, ':no', :two, :one)")({"two": 2, "one": 1, "three": 3})
    (1, 2)
    """
    names = tuple(dict.fromkeys(_PARAMETER.findall(_QUOTED.sub("", sql))))
    return itemgetter(*names) if len(names) > 1 else lambda given: tuple(given[name] for name in names)


@lru_cache(maxsize=512)
def summing(name: str) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    """What gives a row that a named statement writes its checksum, where the table has one and the row has none yet."""
    found = _SUMMING.match(catalogue()[name])
    if found is None or ":checksum" not in catalogue()[name]:
        return lambda row: row
    table = found[1]
    return lambda row: row if "checksum" in row else {**row, "checksum": checksum(table, row)}


class Database:
    """A driver and the catalogue: statements by name."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self._sql = catalogue()

    def rows(self, name: str, parameters: Mapping[str, Any]) -> list[Row]:
        """All rows of a named statement."""
        return self.driver.rows(self._sql[name], parameters)

    def lockable_rows(self, name: str, parameters: Mapping[str, Any]) -> list[Row]:
        """All rows that nobody else has locked; they stay ours until the transaction ends."""
        return self.driver.rows(f"{self._sql[name]}{self.driver.skip_locked}", parameters)

    def held_rows(self, name: str, parameters: Mapping[str, Any]) -> list[Row]:
        """All rows, which nobody else changes until the transaction ends."""
        return self.driver.rows(f"{self._sql[name]}{self.driver.hold}", parameters)

    def stream(self, name: str, parameters: Mapping[str, Any]) -> Iterator[Row]:
        """The rows of a named statement, one after the other."""
        return self.driver.stream(self._sql[name], parameters)

    def one(self, name: str, parameters: Mapping[str, Any]) -> Row | None:
        """The first row, if there is one."""
        found = self.driver.rows(self._sql[name], parameters)
        return found[0] if found else None

    def number(self, name: str, parameters: Mapping[str, Any]) -> int:
        """The number that a named statement gives; 0 where it gives no row."""
        row = self.one(name, parameters)
        return 0 if row is None else int(row[0])

    def run(self, name: str, parameters: Mapping[str, Any]) -> int:
        """Run a named write; how many rows it changed."""
        return self.driver.run(self._sql[name], summing(name)(parameters))

    def run_many(self, name: str, parameters: Sequence[Mapping[str, Any]]) -> None:
        """Run a named write for each set of parameters."""
        if parameters:
            self.driver.run_many(self._sql[name], map(summing(name), parameters))
