"""The catalogue of SQL is whole, portable, and in step with the code that reads its rows."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from recollect.store.catalogue import FOLDER, catalogue, expand, migrations, read, schema
from recollect.store.encoding import COLUMNS
from recollect.store.sqlite import SqliteDriver
from recollect.types import Memory

CODE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py")))
STATEMENTS = {name: sql for name, sql in catalogue().items() if re.match(r"SELECT|INSERT|UPDATE|DELETE|WITH", sql)}
# What SQLite has and PostgreSQL has not, or means something else there.
SQLITE_ONLY = re.compile(
    r"\b(ROWID|IFNULL|GROUP_CONCAT|GLOB|STRFTIME|JULIANDAY|PRINTF|REPLACE INTO|INSERT OR|INDEXED BY|TYPEOF|"
    r"JSON_EXTRACT|JSON_GROUP_ARRAY|RANDOM|TOTAL_CHANGES|LAST_INSERT_ROWID)\b|\bIS NOT :|\bIS :|==|::|\"",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    driver = SqliteDriver(tmp_path_factory.mktemp("catalogue") / "memory.db")
    driver.create_or_check()
    yield driver
    driver.close()


def test_columns_are_those_of_the_record():
    listed = re.findall(r"[mv]\.(\w+)", catalogue()["memory_columns"])
    assert tuple(listed) == COLUMNS
    assert set(listed) - {"entity_type", "fact_type"} == {field.name for field in fields(Memory)} - {"subtype"}


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_statement_is_valid(driver, name):
    connection = driver._session.connection
    names = set(re.findall(r":(\w+)", STATEMENTS[name]))
    connection.execute(f"EXPLAIN {STATEMENTS[name]}", dict.fromkeys(names)).fetchall()


@pytest.mark.parametrize("name", catalogue())
def test_every_block_is_portable(name):
    assert not SQLITE_ONLY.search(catalogue()[name])
    assert "{" not in catalogue()[name]


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_statement_is_used_and_asks_for_a_tenant(name):
    assert f'"{name}"' in CODE or any(f"{{{name}" in path.read_text() for path in (FOLDER / "sql").glob("*.sql"))
    assert ":tenant" in STATEMENTS[name]


def test_statements_are_cached():
    # apsw keeps no statement that is longer than this.
    assert max(len(sql) for sql in STATEMENTS.values()) < 16_384


def test_every_key_leads_with_the_tenant():
    text = re.sub(r"--.*", "", schema("sqlite"))
    keys = re.findall(r"(?:PRIMARY KEY|UNIQUE|FOREIGN KEY|ON \w+) \((\w+)", text)
    assert len(keys) > 40
    assert set(keys) == {"tenant"}
    tables = re.findall(r"CREATE TABLE (\w+)", text)
    assert len(tables) == text.count(") STRICT, WITHOUT ROWID;")


def test_migrations_end_in_the_schema(tmp_path):
    def made(*scripts: str) -> list[tuple[str, ...]]:
        driver = SqliteDriver(tmp_path / f"{len(scripts)}-{len(scripts[0])}.db")
        for script in scripts:
            driver.run(script, {})
        rows = driver.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name", {})
        driver.close()
        return [(*row[:3], re.sub(r"\s+", " ", row[3] or "")) for row in rows]

    assert made(*migrations("sqlite")) == made(schema("sqlite"))


def test_blocks_are_checked():
    with pytest.raises(ValueError, match="twice"):
        read("-- name: a\nx\n-- name: a\ny\n", known={})
    with pytest.raises(ValueError, match="contains itself"):
        expand("a", {"a": "{b}", "b": "{a}"})
    blocks = read("-- name: a\n-- why\nm.x AND {b@s} AND {b}\n\n-- name: b\nm.y = am.z\n", known={})
    assert expand("a", blocks) == "m.x AND s.y = am.z AND m.y = am.z"


# Read by operators or in batches: a whole tenant is what they are asked for.
WHOLE_TENANT = {
    "chains", "counts", "due_superseded", "everybody", "jobs_dead", "jobs_pending", "ledger_newest",
    "persons_reviews_remove",
}  # fmt: skip
WHOLE = re.compile(r"\(tenant=\?\)|^SCAN (?!\w+ VIRTUAL)(?!(?:b|below|e|k|l|w)$)|AUTOMATIC")


@pytest.mark.parametrize("name", sorted(STATEMENTS.keys() - WHOLE_TENANT))
def test_no_statement_reads_a_whole_table(driver, name):
    names = set(re.findall(r":(\w+)", STATEMENTS[name]))
    plan = driver.rows(f"EXPLAIN QUERY PLAN {STATEMENTS[name]}", dict.fromkeys(names))
    assert not [row[3] for row in plan if WHOLE.search(row[3])]
