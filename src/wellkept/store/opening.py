"""Opening a store by its address, a path, `sqlite:///path` or `postgresql://…`, and moving it to another one.

A move goes range by range, on after an interruption, and is proved equal at the end. The source is only read. What the
target has already is compared and left; what differs is written over.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellkept.errors import CommitUnknown, InvalidInput, MissingExtra, StoreError
from wellkept.store.catalogue import scripts
from wellkept.store.contract import Store
from wellkept.store.encoding import Halves, JsonText, canonical
from wellkept.store.parts.erasure import ErasurePart
from wellkept.store.parts.jobs import JobsPart
from wellkept.store.parts.people import PeoplePart
from wellkept.store.parts.serving import ServingPart
from wellkept.store.parts.upkeep import UpkeepPart
from wellkept.store.sqlite.database import BUSY_SECONDS, SqliteDriver, make_private_folder
from wellkept.store.tables import Table, tables
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.store.postgres.citus import Layout
    from wellkept.store.postgres.database import PostgresDriver

    AnyDriver = SqliteDriver | PostgresDriver
    Key = tuple[Any, ...]


class SqlStore(ErasurePart, UpkeepPart, PeoplePart, ServingPart, JobsPart):
    """See `contract.Store`."""

    def scrub(self) -> bool:
        return self._db.driver.scrub()

    def close(self) -> None:
        self._db.driver.close()


SQLITE = "sqlite:///"
POSTGRES = ("postgresql://", "postgres://")


@frozen
class Description:
    """What a database is, and what is wrong with how it is laid out."""

    engine: str
    schema: int
    schema_wanted: int
    layout: Layout | None = None
    lines: tuple[str, ...] = ()
    """The layout in words."""
    faults: tuple[str, ...] = ()


def open_store(url: str | Path, *, busy_seconds: float = BUSY_SECONDS) -> Store:
    """The store at this address; a new one is made where there is none. `SchemaOutdated`: run `migrate` first."""
    driver = open_driver(url, busy_seconds)
    try:
        driver.create_or_check()
    except StoreError as error:
        driver.close()
        if isinstance(driver, SqliteDriver) and not isinstance(error, CommitUnknown):
            raise type(error)(f"{driver.path}: {error}") from error
        raise
    return SqlStore(driver)


def migrate(url: str | Path) -> int:
    """Bring the database at this address to this release's schema; how many steps were taken."""
    driver = open_driver(url)
    try:
        return driver.migrate()
    finally:
        driver.close()


def distribute(url: str | Path, shards: int | None = None) -> Layout:
    """Spread the database at this address over the workers of its Citus cluster; it may be spread already."""
    driver = open_driver(url)
    try:
        if isinstance(driver, SqliteDriver):
            raise InvalidInput("A file cannot be spread over machines: give the address of a PostgreSQL with Citus.")
        driver.create_or_check()
        return driver.distribute(shards)
    finally:
        driver.close()


def describe(url: str | Path) -> Description:
    """How the database at this address is laid out, whatever its schema."""
    driver = open_driver(url)
    try:
        version, wanted = driver.schema_version(), len(scripts())
        stale = [] if version == wanted else [f"The schema is {version}, this release needs {wanted}: `db migrate`."]
        faults = [*stale, *(damage.id for damage in driver.damage())]
        if isinstance(driver, SqliteDriver):
            return Description(engine="SQLite", schema=version, schema_wanted=wanted, faults=tuple(faults))
        placed = driver.layout()
        if placed is not None and placed.distributed:
            faults += [f"Worker {worker.address} is not active." for worker in placed.workers if not worker.is_active]
            faults += [f"Table {name} is not distributed: `db distribute`." for name in placed.missing]
            faults += [f"Statement {name} needs more than one shard: {why}." for name, why in driver.crossing().items()]
        return Description(
            engine="PostgreSQL",
            schema=version,
            schema_wanted=wanted,
            layout=placed,
            lines=() if placed is None else placed.lines,
            faults=tuple(faults),
        )
    finally:
        driver.close()


def restore(url: str | Path, backup: Path) -> Path | None:
    """Put a backup in the place of the database at this address; then it may need `migrate`.

    A file that cannot be read is put aside: the path is where.
    """
    driver = open_driver(url)
    try:
        return driver.restore(backup)
    finally:
        driver.close()


def missing_file(url: str) -> Path | None:
    """Where the file of the store should be, when there is none; nothing for other stores."""
    if "://" in url and not url.startswith(SQLITE):
        return None
    path = Path(url.removeprefix(SQLITE)).expanduser()
    return None if path.exists() else path


def open_driver(url: str | Path, busy_seconds: float = BUSY_SECONDS) -> SqliteDriver | PostgresDriver:
    """The driver of the database at this address, whatever its schema."""
    text = str(url)
    if text.startswith(POSTGRES):
        return _postgres(text, busy_seconds)
    if "://" in text and not text.startswith(SQLITE):
        scheme = text.split("://", maxsplit=1)[0]
        raise InvalidInput(f"Unknown kind of store: {scheme}. Use a path, sqlite:///path or postgresql://….")
    path = Path(text.removeprefix(SQLITE)).expanduser()
    if not text or text.startswith(":"):
        raise InvalidInput("A store needs a file: give its path.")
    if path.is_dir():
        raise StoreError(f"{path} is a folder, and a store is a file: {path / 'memory.db'} can be one.")
    try:
        make_private_folder(path.parent)
    except OSError as error:
        raise StoreError(f"The folder {path.parent} of the store cannot be made: {error.strerror}.") from error
    return SqliteDriver(path, busy_seconds=busy_seconds)


def _postgres(url: str, busy_seconds: float) -> PostgresDriver:
    try:
        from wellkept.store.postgres.database import PostgresDriver
    except ModuleNotFoundError as error:
        raise MissingExtra("PostgreSQL needs `pip install wellkept[postgres]`.") from error
    return PostgresDriver(url, busy_seconds=busy_seconds)


# --- moving ---

BATCH = 1_000
_JSON = {("supervisor_checkpoints", "checkpoint_data")}
_VECTORS = {("vectors", "vector")}


def _page(table: Table, after: Key | None, until: Key | None = None) -> tuple[str, dict[str, Any]]:
    """Rows after a key, in the order of the key; up to another key, or at most so many.

    A bound stands in the statement only where there is one: with an "or" every page would begin at the first row.
    """
    key = ", ".join(_key(table))
    bounds: list[str] = []
    values: dict[str, Any] = {}
    for letter, sign, bound in (("a", ">", after), ("u", "<=", until)):
        if bound is not None:
            names = {f"{letter}{place}": value for place, value in enumerate(bound)}
            bounds.append(f"({key}) {sign} ({', '.join(f':{name}' for name in names)})")
            values |= names
    where = f"WHERE {' AND '.join(bounds)} " if bounds else ""
    limit = f" LIMIT {BATCH}" if until is None else ""
    select = f"SELECT {', '.join(_columns(table))} FROM {table.name} "  # noqa: S608 -- names of the schema
    return f"{select}{where}ORDER BY {key}{limit}", values


def _columns(table: Table) -> tuple[str, ...]:
    return ("tenant", *table.columns)


def _key(table: Table) -> tuple[str, ...]:
    return ("tenant", *table.key)


def _key_of(table: Table, row: Sequence[Any]) -> Key:
    columns = _columns(table)
    return tuple(row[columns.index(name)] for name in _key(table))


def _value(table: Table, column: str, value: Any) -> Any:  # noqa: ANN401 -- any column
    """As a parameter of the target."""
    if (table.name, column) in _VECTORS:
        return Halves(value)
    return JsonText(value) if (table.name, column) in _JSON and value is not None else value


@dataclass(frozen=True, kw_only=True)
class Moved:
    """What a move did, and the proof: rows and a hash of every table, the same on both sides."""

    rows: int
    written: int
    tables: dict[str, tuple[int, str]]


def move(source: str | Path, target: str | Path, *, tell: Callable[[int], None] | None = None) -> Moved:
    """Copy everything, then read both sides again and compare. `StoreError` when they differ: somebody has written."""
    old, new = open_driver(source), open_driver(target)
    if old.url == new.url:
        raise InvalidInput("A move needs another store to go to.")
    try:
        old.create_or_check()
        new.create_or_check()
        return _move(old, new, tell or (lambda _rows: None))
    finally:
        old.close()
        new.close()


def _move(old: AnyDriver, new: AnyDriver, tell: Callable[[int], None]) -> Moved:
    origin = int.from_bytes(hashlib.sha256(old.url.encode()).digest()[:3]) + 1
    every = tuple(tables().values())  # those first that others refer to
    if new.moving_from() != origin:
        if any(new.rows(f"SELECT 1 FROM {table.name} LIMIT 1", {}) for table in every):  # noqa: S608 -- names of the schema
            raise StoreError("The target holds memories already: a move needs an empty database.", code="not_empty")
        new.mark_moving(origin)
    written = 0
    with old.snapshot():
        for table in every:
            written += sum(_copied(table, old, new))
            tell(written)
        for table in reversed(every):
            _remove_gone(table, old, new)
        proof = {table.name: _proof(table, old) for table in every}
    with new.snapshot():
        differing = [table.name for table in every if _proof(table, new) != proof[table.name]]
    if differing:
        raise StoreError(f"Both sides differ in {', '.join(differing)}: run it again.", code="move_incomplete")
    new.mark_moving(0)
    new.weigh()
    return Moved(rows=sum(count for count, _ in proof.values()), written=written, tables=proof)


def _copied(table: Table, old: AnyDriver, new: AnyDriver) -> Iterator[int]:
    """How many rows of each range had to be written."""
    for after, rows in _ranges(table, old):
        there = new.rows(*_page(table, after, _key_of(table, rows[-1])))
        if _digest(table, there) == _digest(table, rows):
            continue
        _write(table, rows, new)
        yield len(rows)


def _write(table: Table, rows: Sequence[Any], new: AnyDriver) -> None:
    """Whole rows, over those with the same key."""
    columns, key = _columns(table), _key(table)
    changes = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in key)
    clash = f"ON CONFLICT ({', '.join(key)}) DO " + (f"UPDATE SET {changes}" if changes else "NOTHING")
    into = f"INSERT INTO {table.name} ({', '.join(columns)})"
    is_plain = not any((table.name, column) in _JSON | _VECTORS for column in columns)
    types = ("TEXT", *(column.kind for column in table.columns.values()))
    if not is_plain or not new.put_lists(into, clash, types, rows):
        values = ", ".join(f":{name}" for name in columns)
        new.run_many(
            f"{into} VALUES ({values}) {clash}",
            [{name: _value(table, name, value) for name, value in zip(columns, row, strict=True)} for row in rows],
        )


def _ranges(table: Table, driver: AnyDriver) -> Iterator[tuple[Key | None, list[Any]]]:
    after: Key | None = None
    while rows := driver.rows(*_page(table, after)):
        yield after, rows
        after = _key_of(table, rows[-1])


def _remove_gone(table: Table, old: AnyDriver, new: AnyDriver) -> None:
    """Rows that an earlier run has copied and the source has no more."""
    condition = " AND ".join(f"{name} = :k{place}" for place, name in enumerate(_key(table)))
    for after, rows in _ranges(table, new):
        last = _key_of(table, rows[-1])
        kept = {_key_of(table, row) for row in old.rows(*_page(table, after, last))}
        gone = [key for row in rows if (key := _key_of(table, row)) not in kept]
        if gone:
            keys = [{f"k{place}": value for place, value in enumerate(key)} for key in gone]
            new.run_many(f"DELETE FROM {table.name} WHERE {condition}", keys)  # noqa: S608 -- names of the schema


def _proof(table: Table, driver: AnyDriver) -> tuple[int, str]:
    count, total = 0, hashlib.sha256()
    for _, rows in _ranges(table, driver):
        count += len(rows)
        total.update(_digest(table, rows))
    return count, total.hexdigest()


def _digest(table: Table, rows: Sequence[Any]) -> bytes:
    plain = [[_plain(table, column, value) for column, value in zip(_columns(table), row, strict=True)] for row in rows]
    return hashlib.sha256(canonical(plain).encode("utf-8", "surrogatepass")).digest()


def _plain(table: Table, column: str, value: Any) -> Any:  # noqa: ANN401 -- any column
    if isinstance(value, bytes):
        return value.hex()
    return json.loads(value) if (table.name, column) in _JSON and value is not None else value
