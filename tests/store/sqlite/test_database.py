"""The embedded database: what it promises about files, failures, threads and processes."""

from __future__ import annotations

import os
import shutil
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

import wellkept
from wellkept.errors import (
    CommitUnknown,
    DamagedRow,
    ForeignDatabase,
    InvalidInput,
    KeyTaken,
    SchemaForeign,
    SchemaOutdated,
    StoreBusy,
    StoreError,
)
from wellkept.store import catalogue
from wellkept.store.catalogue import scripts
from wellkept.store.opening import migrate, open_store, restore
from wellkept.store.sqlite import database
from wellkept.store.sqlite.file_bytes import chunks
from wellkept.testing.world import World, search
from wellkept.vocabulary import Space


@pytest.fixture
def store(store_path):
    store = open_store(store_path)
    yield store
    store.close()


def pragma(store, name):
    return store._db.driver.rows(f"PRAGMA {name}", {})[0][0]


def test_durable_by_default(store):
    assert pragma(store, "journal_mode") == "wal"
    assert pragma(store, "synchronous") == 2
    assert pragma(store, "secure_delete") == 1
    assert pragma(store, "foreign_keys") == 1
    assert pragma(store, "user_version") == len(scripts())
    assert tuple(int(part) for part in apsw.sqlite_lib_version().split(".")) >= database.OLDEST_SQLITE


def test_a_relative_path_stays_the_same_file_after_chdir(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = open_store("memory.db")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    worker = threading.Thread(target=World(store).tell)
    worker.start()
    worker.join()
    assert tmp_path / "memory.db" in store.files()
    assert not (tmp_path / "elsewhere" / "memory.db").exists()
    store.close()


def test_a_statement_is_planned_once(store):
    connection = store._db.driver._session.connection
    assert connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, -1) == 1


def test_an_old_sqlite_is_refused(store_path, monkeypatch):
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.46.0")
    with pytest.raises(StoreError, match="too old"):
        open_store(store_path)


@pytest.mark.parametrize("url", ["{}/deep/er/memory.db", "sqlite:///{}/memory.db"])
def test_opening_makes_what_is_missing(tmp_path, url):
    store = open_store(url.format(tmp_path))
    assert store.url.startswith("sqlite:///")
    World(store).tell()
    store.close()
    again = open_store(store.url)
    assert again.counts("t") == {"active": 1}
    again.close()


def modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def test_what_opening_makes_is_its_owners_alone(tmp_path):
    store = open_store(tmp_path / "deep" / "er" / "memory.db")
    World(store).tell()
    assert modes(tmp_path / "deep" / "er") == {"memory.db": 0o600, "memory.db-wal": 0o600, "memory.db-shm": 0o600}
    assert modes(tmp_path) == {"deep": 0o700}
    assert modes(tmp_path / "deep") == {"er": 0o700}
    store.backup(tmp_path / "copies" / "backup.db")
    assert modes(tmp_path)["copies"] == 0o700
    assert modes(tmp_path / "copies") == {"backup.db": 0o600}
    store.close()
    restore(tmp_path / "restored.db", tmp_path / "copies" / "backup.db")
    assert modes(tmp_path)["restored.db"] == 0o600


def test_a_database_keeps_the_mode_that_its_owner_gave_it(store_path):
    open_store(store_path).close()
    store_path.chmod(0o640)
    store = open_store(store_path)
    World(store).tell()
    assert set(modes(store_path.parent).values()) == {0o640}
    store.close()


def test_a_link_to_a_database_that_is_not_there_yet_makes_it_private_too(tmp_path):
    (tmp_path / "link.db").symlink_to(tmp_path / "real.db")
    open_store(tmp_path / "link.db").close()
    assert stat.S_IMODE((tmp_path / "real.db").stat().st_mode) == 0o600


def test_threads_that_make_a_store_at_once_make_one(store_path):
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(open_store, [store_path] * 8))
    World(stores[0]).tell()
    assert [store.counts("t") for store in stores] == [{"active": 1}] * 8
    for store in stores:
        store.close()


@pytest.mark.parametrize("url", ["", ":memory:", "oracle://x/y", "mysql://x"])
def test_unknown_addresses_are_refused(url):
    with pytest.raises(InvalidInput):
        open_store(url)


def test_what_is_no_database_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to be taken for one " * 50)
    with pytest.raises(StoreError):
        open_store(path)
    assert path.read_text().startswith("not a database")
    with pytest.raises(StoreError):
        open_store(path / "inside")


def test_another_schema_is_refused_until_it_is_migrated(store_path):
    open_store(store_path).close()
    for version, word in ((99, "upgrade wellkept"), (0, "db migrate")):
        connection = apsw.Connection(str(store_path))
        connection.pragma("user_version", version)
        connection.close()
        with pytest.raises(SchemaOutdated, match=word):
            open_store(store_path)
    connection = apsw.Connection(str(store_path))
    connection.pragma("user_version", 99)
    connection.close()
    with pytest.raises(SchemaOutdated):
        migrate(store_path)


@pytest.mark.parametrize("version", [0, 1, 7])
def test_a_database_of_another_program_is_left_as_it_is(store_path, tmp_path, version):
    open_store(tmp_path / "backup.db").close()
    connection = apsw.Connection(str(store_path))
    connection.execute("CREATE TABLE scopes (name TEXT); INSERT INTO scopes VALUES ('mail.read')")
    connection.pragma("user_version", version)
    connection.close()
    before = store_path.read_bytes()
    for attempt in (open_store, migrate, lambda path: restore(path, tmp_path / "backup.db")):
        with pytest.raises(ForeignDatabase, match="another program"):
            attempt(store_path)
    assert ForeignDatabase.code == "foreign_database"
    assert store_path.read_bytes() == before
    with pytest.raises(InvalidInput, match="no whole backup"):
        restore(tmp_path / "backup.db", store_path)
    open_store(tmp_path / "backup.db").close()


def test_a_store_without_an_application_id_opens(store_path):
    store = open_store(store_path)
    World(store).tell()
    assert pragma(store, "application_id") == 0
    store.close()
    again = open_store(store_path)
    assert again.counts("t") == {"active": 1}
    again.close()


def test_tables_of_another_build_are_named_with_the_way_out(store_path):
    open_store(store_path).close()
    connection = apsw.Connection(str(store_path))
    connection.execute("ALTER TABLE scopes RENAME COLUMN ledger_head TO head")
    connection.close()
    store = open_store(store_path)
    with pytest.raises(SchemaForeign, match=r"ledger_head.*db export"):
        store.chain_end("t", Space.USER, "ana")
    store.close()


def test_a_column_that_only_a_write_misses_is_named_too(store_path):
    with wellkept.open(store_path, embedder="none") as memory:
        memory.at(user="ana").remember("I like tea")
    connection = apsw.Connection(str(store_path))
    connection.execute("DROP INDEX subjects_hearsay")
    connection.execute("ALTER TABLE subjects RENAME COLUMN is_hearsay TO another")
    connection.close()
    with (
        wellkept.open(store_path, embedder="none") as memory,
        pytest.raises(SchemaForeign, match=r"is_hearsay.*db export"),
    ):
        memory.at(user="ana").remember("My brother Emeka loves jazz")


def test_migrate_takes_the_missing_steps_all_or_none(store_path, tmp_path, monkeypatch):
    folder = tmp_path / "migrations"
    folder.mkdir()
    for path in scripts():
        shutil.copy(path, folder)
    monkeypatch.setattr(catalogue, "MIGRATIONS", folder)
    open_store(store_path).close()
    later = "CREATE TABLE more (tenant TEXT) STRICT; CREATE TABLE most (tenant TEXT) STRICT"
    (folder / "8888.sql").write_text(later)
    with pytest.raises(SchemaOutdated, match="db migrate"):
        open_store(store_path)
    (folder / "9999.sql").write_text("CREATE TABLE more (tenant TEXT) STRICT")
    with pytest.raises(StoreError):
        migrate(store_path)
    (folder / "9999.sql").unlink()
    assert migrate(store_path) == 1
    assert migrate(store_path) == 0
    store = open_store(store_path)
    assert store._db.driver.rows("SELECT COUNT(*) FROM most", {}) == [(0,)]
    store.close()


def test_writers_of_one_process_take_turns(store):
    """SQLite's own waiting is sleep of growing length: it is never needed among threads."""
    slept, together = [], threading.Barrier(4)

    def write(number):
        store._db.driver._session.connection.set_busy_handler(lambda count: slept.append(count) or True)
        together.wait()
        for turn in range(5):
            with store.transaction():
                World(store).tell("Here.", id=f"m_{number}x{turn}", discriminator=f"{number}x{turn}")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert slept == []
    assert store.counts("t") == {"active": 20}


def test_a_turn_that_does_not_come_is_an_error(store_path):
    store = open_store(store_path, busy_seconds=0.05)
    said = []

    def write():
        with pytest.raises(StoreBusy, match="nothing was written"), store.transaction():
            pass
        said.append("busy")

    with store.transaction():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert said == ["busy"]
    World(store).tell()
    store.close()


def test_a_busy_database_says_so_and_readers_never_wait(store_path):
    store = open_store(store_path, busy_seconds=0.05)
    world = World(store)
    memory = world.tell("Alice likes tea.")
    other = open_store(store_path)
    with other.transaction():
        World(other).tell("Alice likes coffee.", discriminator="x")
        with pytest.raises(StoreBusy):
            world.archive(memory)
        assert [item.memory for item in store.candidates(search("tea"))] == [memory]
    world.archive(memory)
    other.close()
    store.close()


def test_a_full_disk_leaves_nothing_half_written(store):
    world = World(store)
    kept = world.tell("Alice likes tea.")
    connection = store._db.driver._session.connection
    pages = connection.pragma("page_count")
    connection.pragma("max_page_count", pages + 2)

    def fill() -> None:
        for number in range(2_000):
            world.tell(f"Alice counts {number} sheep and many more words to fill the pages of this file.")

    with pytest.raises(StoreError, match="disk is full"), store.transaction():
        fill()
    assert not store._db.driver.is_in_transaction
    assert store.counts("t") == {"active": 1}
    assert store.memory("t", kept.id) == kept
    assert not list(store.verify("t"))
    connection.pragma("max_page_count", 1_000_000)
    world.told += 10_000
    world.tell("Alice sleeps.")
    assert store.counts("t") == {"active": 2}
    assert pragma(store, "integrity_check") == "ok"


class FailingFile(apsw.VFSFile):
    """A disk that stops writing when told to."""

    fails = False

    def xWrite(self, data, offset):  # noqa: N802 -- apsw's name
        if FailingFile.fails:
            raise apsw.IOError("no write today")
        super().xWrite(data, offset)

    def xSync(self, flags):  # noqa: N802 -- the name that apsw calls
        if FailingFile.fails:
            raise apsw.IOError("no sync today")
        super().xSync(flags)


class FailingDisk(apsw.VFS):
    def __init__(self):
        super().__init__("failing", "")

    def xOpen(self, name, flags):  # noqa: N802 -- the name that apsw calls
        return FailingFile("", name, flags)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_io_errors_reach_the_caller_and_the_service_goes_on(store_path, monkeypatch):
    disk = FailingDisk()
    connect = apsw.Connection
    monkeypatch.setattr(database.apsw, "Connection", lambda path, **options: connect(path, vfs="failing", **options))
    store = open_store(store_path)
    world = World(store)
    kept = world.tell("Alice likes tea.")
    FailingFile.fails = True
    try:
        with pytest.raises(CommitUnknown, match="may be written or not"):
            world.tell("Alice likes coffee.")
    finally:
        FailingFile.fails = False
    assert [item.memory for item in store.candidates(search("tea coffee"))] == [kept]
    world.tell("Alice likes juice.")
    assert store.counts("t") == {"active": 2}
    assert not list(store.verify("t"))
    assert pragma(store, "integrity_check") == "ok"
    store.close()
    del disk


def test_a_snapshot_is_one_moment_and_does_not_write(store):
    world = World(store)
    world.tell("Alice likes tea.")
    other = open_store(store.url)
    theirs = World(other)
    theirs.told = 50
    with store.snapshot():
        before = store.counts("t")
        theirs.tell("Alice likes coffee.")
        assert store.counts("t") == before
        assert len(store.candidates(search("Alice"))) == 1
        with pytest.raises(StoreError, match="snapshot"):
            world.tell("Alice likes juice.")
    assert store.counts("t") == {"active": 2}
    assert len(store.candidates(search("Alice"))) == 2
    other.close()


def test_threads_have_connections_of_their_own(store):
    world = World(store)
    with store.transaction():
        world.tell("Alice likes tea.")
        seen = []
        thread = threading.Thread(target=lambda: seen.append(store.counts("t")))
        thread.start()
        thread.join()
        assert seen == [{}]
    assert store.counts("t") == {"active": 1}


def test_a_forked_child_opens_its_own_connection(store):
    World(store).tell("Alice likes tea.")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            world = World(store)
            world.told = 9
            world.tell("Alice likes coffee.")
            os.write(writing, str(store.counts("t")["active"]).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 9) == b"2"
    assert store.counts("t") == {"active": 2}
    assert len(store.candidates(search("Alice"))) == 2


def test_no_page_of_the_file_is_memory_mapped(store):
    assert store._db.driver.rows("PRAGMA mmap_size", {}) == [(0,)]


def test_reading_writes_nothing(store):
    World(store).tell("Alice likes tea.")
    assert store.scrub()
    path = store._db.driver.path
    before = b"".join(chunks(path))
    store.candidates(search("tea"))
    store.candidates(search("tea"), within=(Space.USER, "alice"))
    store.memory("t", "m_x")
    wal = Path(f"{path}-wal")
    assert wal.stat().st_size == 0
    assert b"".join(chunks(path)) == before


def test_errors_name_no_values(store):
    world = World(store)
    world.tell("A very private sentence.", discriminator="private-key")
    with pytest.raises(KeyTaken) as caught:
        world.tell("Another private sentence.", discriminator="private-key")
    chain = [caught.value, caught.value.__cause__, caught.value.__cause__.__cause__]
    assert not [error for error in chain if "private" in str(error)]


def test_a_text_whose_bytes_are_none_is_a_damaged_row(store):
    memory = World(store).tell()
    store._db.driver.run("UPDATE versions SET content = CAST(x'ff41' AS TEXT)", {})
    with pytest.raises(DamagedRow) as caught:
        store.memory("t", memory.id)
    assert caught.value.code == "damaged_row"


def test_a_folder_is_no_store(tmp_path):
    with pytest.raises(StoreError, match="is a folder"):
        open_store(tmp_path)


def test_closing_waits_for_the_statement_of_another_thread():
    started, released = threading.Event(), threading.Event()

    def hold():
        started.set()
        return released.wait(10)

    connection = apsw.Connection(":memory:")
    connection.create_scalar_function("hold", hold)
    running = threading.Thread(target=lambda: connection.execute("SELECT hold()").fetchall())
    running.start()
    assert started.wait(10)
    with pytest.raises(apsw.ThreadingViolationError):
        connection.close()
    threading.Timer(0.05, released.set).start()
    database._close(connection)
    running.join()
    with pytest.raises(apsw.ConnectionClosedError):
        connection.execute("SELECT 1")
