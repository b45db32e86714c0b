"""Opening a store by its address: a path, `sqlite:///path` or `postgresql://…`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wellkept.errors import CommitUnknown, InvalidInput, MissingExtra, StoreError
from wellkept.store.catalogue import scripts
from wellkept.store.contract import Store
from wellkept.store.parts.erasure import ErasurePart
from wellkept.store.parts.jobs import JobsPart
from wellkept.store.parts.people import PeoplePart
from wellkept.store.parts.serving import ServingPart
from wellkept.store.parts.upkeep import UpkeepPart
from wellkept.store.sqlite.database import BUSY_SECONDS, SqliteDriver, make_private_folder
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.store.postgres.citus import Layout
    from wellkept.store.postgres.database import PostgresDriver


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
