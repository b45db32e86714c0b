"""PostgreSQL: what it promises about schemas, roles, texts, vectors, threads and processes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading

import psycopg
import pytest

from bench.postgres_server import BIN
from wellkept.errors import ForeignDatabase, SchemaForeign, SchemaOutdated, StoreBusy, StoreError
from wellkept.store import catalogue
from wellkept.store.contract import Entry, HeldKey
from wellkept.store.opening import migrate, open_store
from wellkept.store.postgres.session import native
from wellkept.store.tables import POSTGRES, schema, table_names
from wellkept.testing.world import NOW, World, search
from wellkept.vocabulary import Space

STATEMENT = re.compile("SELECT|INSERT|UPDATE|DELETE|WITH")
# In a database without a schema this role cannot install pgvector.
WITHOUT_VECTORS = pytest.mark.filterwarnings("ignore::wellkept.store.postgres.session.StoreNotice")


@pytest.fixture
def url(new_database):
    return new_database()


@pytest.fixture
def store(url):
    store = open_store(url)
    yield store
    store.close()


def dump(url: str) -> list[str]:
    done = subprocess.run([BIN / "pg_dump", "--schema-only", url], capture_output=True, text=True, check=True)
    # A dump has a random key in it, and says in comments where it comes from.
    told = [line for line in done.stdout.splitlines() if not line.startswith(("--", "\\", "COMMENT ON TABLE"))]
    return sorted(filter(None, told))


def test_migrations_end_in_the_schema(postgres, new_database, url):
    other = new_database("template1")
    with psycopg.connect(other, autocommit=True) as connection:
        postgres.execute("CREATE EXTENSION vector", connection.info.dbname)
        connection.execute(schema(POSTGRES))
    made, wanted = dump(url), dump(other)
    assert len(made) > 400
    assert made == wanted


def test_every_primary_key_leads_with_the_tenant(store):
    keys = store._db.driver.rows(
        "SELECT c.relname, a.attname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid "
        "JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] "
        "WHERE i.indisprimary AND c.relnamespace = current_schema()::regnamespace",
        {},
    )
    assert {name for name, _ in keys} == set(table_names(POSTGRES))
    assert {first for _, first in keys} == {"tenant"}


def test_text_is_ordered_by_its_bytes(store):
    collations = store._db.driver.rows(
        "SELECT DISTINCT collation_name FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND data_type = 'text'",
        {},
    )
    assert collations == [("C",)]


def test_a_newer_release_is_refused(url):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("COMMENT ON TABLE scopes IS 'wellkept schema 99'")
    with pytest.raises(SchemaOutdated, match="upgrade"):
        open_store(url)
    with pytest.raises(SchemaOutdated):
        migrate(url)


def test_a_store_made_under_the_earlier_name_opens(url):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"COMMENT ON TABLE scopes IS 'recollect schema {len(catalogue.scripts())}'")
    open_store(url).close()
    assert migrate(url) == 0


def test_tables_of_another_build_are_named_with_the_way_out(url):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER TABLE scopes RENAME COLUMN ledger_head TO head")
    store = open_store(url)
    with pytest.raises(SchemaForeign, match=r"ledger_head.*db export"):
        store.chain_end("t", Space.USER, "ana")
    store.close()


def test_migrate_takes_the_missing_steps_all_or_none(url, tmp_path, monkeypatch):
    folder = tmp_path / "migrations"
    shutil.copytree(catalogue.MIGRATIONS, folder)
    monkeypatch.setattr(catalogue, "MIGRATIONS", folder)
    made = "CREATE TABLE {} (\n  tenant TEXT NOT NULL,\n  PRIMARY KEY (tenant)\n) STRICT, WITHOUT ROWID;\n"
    (folder / "8888.sql").write_text(made.format("more") + made.format("most"))
    with pytest.raises(SchemaOutdated, match="db migrate"):
        open_store(url)
    (folder / "9999.sql").write_text(made.format("more"))
    with pytest.raises(StoreError):
        migrate(url)
    (folder / "9999.sql").unlink()
    assert migrate(url) == 1
    assert migrate(url) == 0
    store = open_store(url)
    assert store._db.driver.rows("SELECT COUNT(*) FROM most", {}) == [(0,)]
    store.close()


@WITHOUT_VECTORS
def test_somebody_elses_tables_are_left_alone(new_database):
    url = new_database("template1")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE scopes (x INT)")
        with pytest.raises(ForeignDatabase, match="search_path"):
            open_store(url)
        connection.execute("CREATE SCHEMA wellkept")
    store = open_store(f"{url}&options=-csearch_path%3Dwellkept")
    World(store).tell()
    store.close()


@WITHOUT_VECTORS
def test_processes_that_come_first_together_make_one_schema(new_database):
    url = new_database("template1")
    faults: list[Exception] = []

    def come() -> None:
        try:
            open_store(url).close()
        except StoreError as error:
            faults.append(error)

    threads = [threading.Thread(target=come) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


@pytest.mark.parametrize("text", ["a\x00b", "\ud800"])
def test_texts_that_cannot_be_stored_are_refused(store, text):
    for ask in (
        lambda: store.memory("t", HeldKey(space=Space.USER, owner=text, memory_key="k", discriminator="d")),
        lambda: store.person("t", text),
    ):
        with pytest.raises(StoreError) as caught:
            ask()
        assert caught.value.code == "invalid_text"
    with pytest.raises(StoreError):
        World(store).tell(text)
    assert store.counts("t") == {}
    World(store).tell()


def test_errors_hold_no_values(url):
    store = open_store(url)
    memory = World(store).tell("Zorblax bees.", memory_key="zorblax")
    with pytest.raises(StoreError) as caught:
        store._db.driver.run(
            "INSERT INTO versions (tenant, scope, num, version, at, content, steps) "
            "SELECT tenant, scope, num, 1, 0, 'zorblax', '' FROM memories WHERE id = :id",
            {"id": memory.id},
        )
    assert "zorblax" not in str(caught.value)
    assert memory.id not in str(caught.value)
    store.close()


def test_an_address_that_nobody_answers_at_says_so_at_once():
    with pytest.raises(StoreError, match="could not be made") as caught:
        open_store("postgresql://user:secret@localhost:1/nothing")
    assert "secret" not in str(caught.value)


def test_a_writer_that_waits_too_long_says_so_and_readers_never_wait(url):
    first, second = open_store(url), open_store(url, busy_seconds=0.2)
    World(first).tell("Alice likes tea.")
    with first.transaction():
        World(first).tell("Alice likes coffee.", discriminator="x")
        with pytest.raises(StoreBusy):
            World(second).tell("Alice likes milk.", discriminator="y")
        assert len(second.candidates(search("coffee tea"))) == 1
        # Another tenant's writers do not wait for this one's.
        World(second).tell("Bob likes tea.", tenant="other")
    assert len(second.candidates(search("coffee tea"))) == 2
    first.close()
    second.close()


def test_a_failed_part_leaves_the_rest(store):
    world = World(store)
    with store.transaction():
        world.tell("Alice likes tea.", discriminator="one")
        with pytest.raises(StoreError):
            world.tell("Alice likes coffee.", discriminator="one")
        world.tell("Alice likes milk.", discriminator="two")
    assert sum(store.counts("t").values()) == 2


def test_whoever_reads_a_stream_may_write_meanwhile(store):
    world = World(store)
    for number in range(5):
        world.tell(f"Tea {number}.")
    rows = store._db.driver.stream("SELECT id FROM memories WHERE tenant = :tenant ORDER BY num", {"tenant": "t"})
    first = next(rows)
    world.tell("More tea.")
    assert len([first, *rows]) == 5
    unread = store._db.driver.stream("SELECT id FROM memories WHERE tenant = :tenant", {"tenant": "t"})
    next(unread)
    unread.close()
    world.tell("Even more tea.")
    assert store.counts("t")["active"] == 7


def test_a_forked_child_has_connections_of_its_own(store):
    World(store).tell()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            World(store).tell("Alice likes coffee.", discriminator="child")
            status = 0 if len(store.candidates(search("coffee tea"))) == 2 else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert len(store.candidates(search("coffee tea"))) == 2


def test_more_threads_than_connections(url):
    store = open_store(url)
    store._db.driver._connections_max = 2

    def tell(number: int) -> None:
        World(store).tell(f"Tea {number}.", discriminator=f"d{number}")
        assert store.candidates(search("tea"))

    threads = [threading.Thread(target=tell, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.counts("t")["active"] == 8
    assert not list(store.verify("t"))
    store.close()


def test_every_statement_of_the_catalogue_is_understood(url):
    """With nothing given, so that no type can be guessed from a value."""
    statements = {name: sql for name, sql in catalogue.catalogue().items() if STATEMENT.match(sql)}
    with psycopg.connect(url, autocommit=True) as connection:
        for name, sql in statements.items():
            connection.execute(f"PREPARE {name} AS {native(sql).text.decode()}")
            connection.execute(f"DEALLOCATE {name}")
    assert len(statements) > 150


def test_lists_are_one_value_to_the_planner():
    statement = native(
        "SELECT 1 FROM m WHERE a IN (SELECT x.value FROM json_each(CAST(:as AS TEXT)) AS x) AND b NOT IN "
        "(SELECT CAST(y.value AS BIGINT) FROM json_each(CAST(:bs AS TEXT)) AS y) AND c = :as"
    )
    assert statement.text == (
        b"SELECT 1 FROM m WHERE a = ANY (CAST($1 AS TEXT[])) AND b <> ALL (CAST($2 AS BIGINT[])) AND c = $3"
    )
    assert statement.names == (("as", "TEXT[]"), ("bs", "BIGINT[]"), ("as", ""))
    assert statement.values({"as": None, "bs": "[]"}) == [None, "{}", None]


ODD = ("", "NULL", "null", "{}", "a,b", 'say "no"', "back\\slash", "'quoted'", " spaced ", "日本", "\n\t", "$1 :as %s")


def test_odd_texts_are_found_in_lists(store):
    sql = (
        "SELECT x.value FROM json_each(:all) AS x "
        "WHERE x.value IN (SELECT y.value FROM json_each(CAST(:wanted AS TEXT)) AS y)"
    )
    for text in ODD:
        found = store._db.driver.rows(sql, {"all": json.dumps(ODD), "wanted": json.dumps([text, "missing"])})
        assert found == [(text,)]
    with pytest.raises(StoreError) as caught:
        store._db.driver.rows(sql, {"all": "[]", "wanted": json.dumps(["a\x00b"])})
    assert caught.value.code == "invalid_text"


def test_scrub_waits_for_nobody_for_ever(url):
    store, other = open_store(url, busy_seconds=0.2), open_store(url)
    memory = World(store).tell("Alice keeps zorblax.")
    store.purge("t", memory.id, Entry(op="delete", memory_id=memory.id), at=NOW)
    with other.snapshot():
        other.counts("t")
        assert not store.scrub()
    # With patience: whoever only connects to the server holds an old snapshot for a moment.
    assert other.scrub()
    store.close()
    other.close()


def test_scrub_sees_what_a_snapshot_keeps(url, bytes_of):
    """A snapshot that has read none of our tables locks none, and the server still copies for it what was removed."""
    store = open_store(url, busy_seconds=0.2)
    memory = World(store).tell("Alice keeps zorblax.")
    with psycopg.connect(url) as other:
        other.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        other.execute("SELECT 1")
        store.purge("t", memory.id, Entry(op="delete", memory_id=memory.id), at=NOW)
        assert not store.scrub()
        assert b"zorblax" in bytes_of(store), "the control: it is still in a file"
    store.close()
    store = open_store(url)
    assert store.scrub()
    assert b"zorblax" not in bytes_of(store)
    store.close()


def test_scrub_waits_until_a_snapshot_is_gone(url, bytes_of):
    store = open_store(url, busy_seconds=20)
    memory = World(store).tell("Alice keeps zorblax.")
    with psycopg.connect(url) as other:
        other.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        other.execute("SELECT 1")
        store.purge("t", memory.id, Entry(op="delete", memory_id=memory.id), at=NOW)
        leaving = threading.Timer(0.5, other.rollback)
        leaving.start()
        assert store.scrub()
        leaving.join()
    assert b"zorblax" not in bytes_of(store)
    store.close()
