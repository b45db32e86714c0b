"""The catalogue of SQL is whole, portable, and in step with the code that reads its rows."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields

import pytest

from wellkept.store.catalogue import FOLDER, catalogue, expand, read
from wellkept.store.driver import in_order
from wellkept.store.encoding import COLUMNS
from wellkept.store.parts.upkeep import ORPHANS
from wellkept.store.postgres.citus import LISTING_TENANTS, LOCKING
from wellkept.store.sqlite.database import SqliteDriver
from wellkept.store.tables import (
    POSTGRES,
    POSTGRES_WITHOUT_VECTORS,
    SQLITE,
    TABLE_END,
    migrations,
    said_in,
    schema,
    tables,
)
from wellkept.types import Memory

CODE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.rglob("*.py")))
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
    assert tuple(listed) == (*COLUMNS, "subject_count", "sole_subject", "at", "checksum", "checksum")
    assert {*COLUMNS} - {"entity_type", "fact_type"} == {field.name for field in fields(Memory)} - {"subtype"}


# Until a caller is known, its tenant is not.
ACROSS_TENANTS = {"key_of", "key_any"}


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_statement_is_valid_and_its_parameters_are_given_in_its_order(driver, name):
    connection = driver._session.connection
    names = set(re.findall(r":(\w+)", STATEMENTS[name]))
    explained = connection.execute(f"EXPLAIN {STATEMENTS[name]}", dict.fromkeys(names))
    assert explained.bindings_names == in_order(STATEMENTS[name])({one: one for one in names})
    explained.fetchall()


@pytest.mark.parametrize("name", catalogue())
def test_every_block_is_portable(name):
    assert not SQLITE_ONLY.search(catalogue()[name])
    assert "{" not in catalogue()[name]


@pytest.mark.parametrize("name", STATEMENTS)
def test_every_statement_is_used_and_asks_for_a_tenant(name):
    assert f'"{name}"' in CODE or any(f"{{{name}" in path.read_text() for path in (FOLDER / "sql").glob("*.sql"))
    assert ":tenant" in STATEMENTS[name] or name in ACROSS_TENANTS


def unbound(sql: str) -> list[str]:
    """Tables of a statement that are not held to the tenant by a parameter of their own."""
    named = "|".join(tables())
    aliased = Counter(re.findall(rf"\b(?:FROM|JOIN|UPDATE|,) (?:{named}) AS (\w+)", sql))
    held = Counter(re.findall(r"\b(\w+)\.tenant = :tenant\b", sql))
    bare = re.findall(rf"\b(?:FROM|JOIN|UPDATE) ({named})\b(?! AS\b)", sql)
    missing = [alias for alias, times in aliased.items() if held[alias] < times]
    return missing + bare[len(re.findall(r"(?<!\.)\btenant = :tenant\b", sql)) :]


@pytest.mark.parametrize("name", sorted(STATEMENTS.keys() - ACROSS_TENANTS - LISTING_TENANTS))
def test_every_table_of_a_statement_is_held_to_the_tenant(name):
    """Citus sends a statement to one worker only where each table in it says whose rows it wants."""
    assert not unbound(STATEMENTS[name])


def test_the_test_finds_a_table_that_is_not_held():
    assert unbound("SELECT 1 FROM memories AS m WHERE m.id = :id") == ["m"]
    joined = "SELECT 1 FROM memories AS m JOIN versions AS v ON v.tenant = m.tenant WHERE m.tenant = :tenant"
    assert unbound(joined) == ["v"]
    assert unbound("DELETE FROM jobs WHERE key = :key") == ["jobs"]
    assert not unbound("DELETE FROM jobs WHERE tenant = :tenant")


def test_statements_that_lock_are_known_to_the_check_of_a_cluster():
    locking = {*re.findall(r'(?:lockable|held)_rows\(\s*"(\w+)"', CODE)}
    assert locking == LOCKING.keys()


def test_statements_are_cached():
    # apsw keeps no statement that is longer than this.
    assert max(len(sql) for sql in STATEMENTS.values()) < 16_384


def test_every_key_leads_with_the_tenant():
    text = re.sub(r"--.*", "", schema(SQLITE))
    keys = re.findall(r"(?:PRIMARY KEY|UNIQUE|FOREIGN KEY|ON \w+) \((\w+)", text)
    assert len(keys) > 40
    assert set(keys) == {"tenant"}
    made = re.findall(r"CREATE TABLE (\w+)", text)
    assert len(made) == len(TABLE_END.findall(text))


def test_migrations_end_in_the_schema(tmp_path):
    def made(*scripts: str) -> list[tuple[str, ...]]:
        driver = SqliteDriver(tmp_path / f"{len(scripts)}-{len(scripts[0])}.db")
        for script in scripts:
            driver.run(script, {})
        rows = driver.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name", {})
        driver.close()
        return [(*row[:3], re.sub(r"\s+", " ", row[3] or "")) for row in rows]

    assert made(*migrations(SQLITE)) == made(schema(SQLITE))


def test_one_schema_is_said_in_the_words_of_each_database():
    script = (
        "CREATE TABLE notes (\n  tenant TEXT NOT NULL,\n  at INTEGER,\n  weight REAL,\n  raw BLOB,\n  place VECTOR,\n"
        "  said JSON,\n  PRIMARY KEY (tenant)\n) STRICT, WITHOUT ROWID;\n"
        "ALTER TABLE notes ADD COLUMN more TEXT;\n"
        "-- only: sqlite\nANALYZE;\n-- end\n-- only: postgres\nCHECKPOINT;\n-- end\n"
    )
    embedded = said_in(script, SQLITE)
    assert "place BLOB," in embedded
    assert "said TEXT," in embedded
    assert "ANALYZE" in embedded
    assert "CHECKPOINT" not in embedded
    fleet = said_in(script, POSTGRES)
    for line in (
        'tenant TEXT COLLATE "C" NOT NULL',
        "at BIGINT",
        "weight DOUBLE PRECISION",
        "raw BYTEA",
        "place HALFVEC",
    ):
        assert f"  {line},\n" in fleet
    assert 'ADD COLUMN more TEXT COLLATE "C";' in fleet
    assert "said JSONB" in fleet
    assert "ALTER TABLE notes FORCE ROW LEVEL SECURITY;" in fleet
    assert "CHECKPOINT" in fleet
    assert not re.search(r"ANALYZE|STRICT|ROWID", fleet)
    assert "place BYTEA" in said_in(script, POSTGRES_WITHOUT_VECTORS)


def test_every_table_has_a_wall_and_every_part_its_end():
    for dialect in (POSTGRES, POSTGRES_WITHOUT_VECTORS):
        text = schema(dialect)
        walled = set(re.findall(r"CREATE TABLE (\w+)", text)) - {"tenant_roles"}
        assert walled == set(re.findall(r"ALTER TABLE (\w+) FORCE ROW LEVEL SECURITY", text))
        assert not re.search("^-- (only:|end)", text, re.MULTILINE)


def test_blocks_are_checked():
    with pytest.raises(ValueError, match="twice"):
        read("-- name: a\nx\n-- name: a\ny\n", known={})
    with pytest.raises(ValueError, match="contains itself"):
        expand("a", {"a": "{b}", "b": "{a}"})
    blocks = read("-- name: a\n-- why\nm.x AND {b@s} AND {b}\n\n-- name: b\nm.y = am.z\n", known={})
    assert expand("a", blocks) == "m.x AND s.y = am.z AND m.y = am.z"


# Read by operators or in batches: a whole tenant is what they are asked for.
WHOLE_TENANT = {
    "answers_erase", "graph_namespaces", "graph_steps_of_users", "jobs_of_tenant", "key_scopes", "merges_erase",
    "pseudonyms_erase", "same_text", "activity", "messages_that_may_retell", "rolling_that_may_retell",
    "session_summaries_that_may_retell", "spines_that_may_retell", "answers_that_may_retell",
    "chains", "counts", "due_superseded", "event_counts", "events", "everybody", "growth", "jobs_dead", "jobs_pending",
    "key_any", "key_of", "keys_of_tenant", "ledger_newest", "persons_reviews_remove", "any_scope",
    "heads", "events_searched", "chat_days_of_all", "privacy_counts", "feed", "feed_begin", "messages_before_time",
    "scopes_of_tenant", "textless", *ORPHANS, *ORPHANS.values(), "lost_vectors", "lost_vectors_own_up",
}  # fmt: skip
# What a statement makes for itself is as long as it has to be.
MADE = "b|below|e|gaps|k|l|lives|reaches|spoken|w"
WHOLE = re.compile(rf"\(tenant=\?\)|^SCAN (?!CONSTANT ROW)(?!2-ROW VALUES)(?!\w+ VIRTUAL)(?!(?:{MADE})$)|AUTOMATIC")


@pytest.mark.parametrize("name", sorted(STATEMENTS.keys() - WHOLE_TENANT))
def test_no_statement_reads_a_whole_table(driver, name):
    names = set(re.findall(r":(\w+)", STATEMENTS[name]))
    plan = driver.rows(f"EXPLAIN QUERY PLAN {STATEMENTS[name]}", dict.fromkeys(names))
    assert not [row[3] for row in plan if WHOLE.search(row[3])]


@pytest.mark.parametrize("name", sorted(name for name, sql in STATEMENTS.items() if "rev > :since" in sql))
def test_what_changed_is_found_by_its_revision(driver, name):
    names = set(re.findall(r":(\w+)", STATEMENTS[name]))
    plan = driver.rows(f"EXPLAIN QUERY PLAN {STATEMENTS[name]}", dict.fromkeys(names))
    assert "rev>?" in plan[0][3], "a refresh must not read the whole scope"
