"""Plans of PostgreSQL: every statement of the hot paths has an index that takes it past its tenant's other rows."""

from __future__ import annotations

import os
import re
from itertools import pairwise

import psycopg
import pytest

from bench import postgres_scale
from recollect.store.catalogue import catalogue
from recollect.store.postgres_link import native
from recollect.store.postgres_session import PLANNING

# Written by `remember`, read by `recall` and `context`.
HOT = (
    "scope_of", "scope_touch", "scope_lock", "scope_save", "count_up", "memory_by_id", "memory_change", "holder",
    "in_slot", "live_in_scope", "memories_by_id", "postings_of_terms", "scope_revs", "people_revs", "sight_changed",
    "vectors_changed", "vectors_of_nums", "vectors_after", "linked", "ties", "persons_by_id", "aliases_of",
    "relationships_of", "person_of_user", "persons_of_users", "attending", "ledger_of_memory", "versions_of",
    "accessed", "checkpoint_of", "steps_of_thread", "graph_writes_of", "with_refs", "about",
)  # fmt: skip


# A condition on the tenant alone reads everybody's rows; of these tables each holds thousands.
FULL = "memories|versions|edges|subjects|postings|vectors|ledger"
WHOLE = re.compile(rf"Seq Scan on ({FULL})\b")
TENANT_ONLY = re.compile(r"Index Cond: \(tenant = [^)]*(\)::text)?\)$")


@pytest.fixture(scope="module")
def connection(postgres):
    """A store with five thousand memories of fifty users, planned as the driver has it planned."""
    name = f"plans{os.getpid()}"
    postgres.execute(f"CREATE DATABASE {name} TEMPLATE memory")
    postgres_scale.fill(postgres.url(name), memories=5_000, users=50)
    with psycopg.connect(postgres.url(name), autocommit=True) as connection:
        connection.execute(PLANNING)
        yield connection
    postgres.execute(f"DROP DATABASE {name} WITH (FORCE)")


def wholes(lines: list[str]) -> list[str]:
    """Where a plan reads a whole table, or all of a tenant's rows in one of the full ones."""
    found = [line for line in lines if WHOLE.search(line)]
    for before, line in pairwise(lines):
        if TENANT_ONLY.search(line) and re.search(rf"on ({FULL})\b", before):
            found.append(f"{before}: {line}")
    return found


def plan(connection, name: str) -> list[str]:
    text, names = native(catalogue()[name])
    connection.execute(f"PREPARE it AS {text.decode()}")
    try:
        given = ", ".join(["NULL"] * len(names))
        rows = connection.execute(
            f"EXPLAIN (COSTS OFF) EXECUTE it({given})" if names else "EXPLAIN (COSTS OFF) EXECUTE it"
        )
        return [row[0].strip().removeprefix("->").strip() for row in rows]
    finally:
        connection.execute("DEALLOCATE it")


@pytest.mark.parametrize("name", [name for name in HOT if name in catalogue()])
def test_a_hot_statement_has_an_index(connection, name):
    lines = plan(connection, name)
    assert not wholes(lines), "\n".join(lines)


def test_the_test_finds_what_has_none(connection):
    found = []
    for condition in ("source_username = $1", "tenant = $1"):
        connection.execute(f"PREPARE it AS SELECT 1 FROM memories WHERE {condition}")  # noqa: S608
        rows = [row[0] for row in connection.execute("EXPLAIN (COSTS OFF) EXECUTE it('x')")]
        connection.execute("DEALLOCATE it")
        found.append(wholes(rows))
    assert all(found), found


def test_the_hot_statements_are_there():
    assert len([name for name in HOT if name in catalogue()]) >= len(HOT) - 3
