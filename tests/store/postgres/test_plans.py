"""Plans of PostgreSQL: every statement of the hot paths has an index that takes it past its tenant's other rows."""

from __future__ import annotations

import os
import re
from itertools import pairwise

import psycopg
import pytest

import wellkept
from bench import postgres_scale
from wellkept.store.catalogue import catalogue
from wellkept.store.driver import Database
from wellkept.store.postgres.session import PLANNING, SCAN, native

# A condition on the tenant alone reads everybody's rows; of these tables each holds thousands.
FULL = "memories|versions|edges|subjects|postings|vectors|ledger"
WHOLE = re.compile(rf"Seq Scan on ({FULL})\b")
TENANT_ONLY = re.compile(r"Index Cond: \(tenant = [^)]*(\)::text)?\)$")
ASKS = ("rows", "lockable_rows", "stream", "one", "run", "run_many")


@pytest.fixture(scope="module")
def url(postgres):
    """A store with three thousand memories of fifty users."""
    name = f"plans{os.getpid()}"
    postgres.execute(f"CREATE DATABASE {name} TEMPLATE memory")
    postgres_scale.fill(postgres.url(name), memories=3_000, users=50)
    yield postgres.url(name)
    postgres.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def connection(url):
    """Planned as the driver has it planned, and as if nothing was known to be visible to all.

    How much is depends on who else looks while the tables are vacuumed.
    """
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(PLANNING)
        connection.execute("UPDATE pg_class SET relallvisible = 0 WHERE relkind = 'r'")
        yield connection


def wholes(lines: list[str]) -> list[str]:
    """Where a plan reads a whole table, or all of a tenant's rows in one of the full ones."""
    found = [line for line in lines if WHOLE.search(line)]
    for before, line in pairwise(lines):
        if TENANT_ONLY.search(line) and re.search(rf"on ({FULL})\b", before):
            found.append(f"{before}: {line}")
    return found


def plan(connection, sql: str) -> list[str]:
    statement = native(sql)
    connection.execute(f"PREPARE it AS {statement.text.decode()}")
    try:
        given = ", ".join(["NULL"] * len(statement.names))
        rows = connection.execute(f"EXPLAIN (COSTS OFF) EXECUTE it{f'({given})' if given else ''}")
        return [row[0].strip().removeprefix("->").strip() for row in rows]
    finally:
        connection.execute("DEALLOCATE it")


def live_a_day(url: str) -> None:
    """Everything that is done while somebody waits for the answer."""
    with wellkept.open(url, config=postgres_scale.QUIET, worker="off") as memory:
        at = memory.at(user="user01", chat="c", chat_type="group", participants=["user02"], persona="coach")
        told = at.remember("My sister Lena lives in Bergen and loves oboes")
        at.remember("My favorite color is blue")
        at.remember("My favorite color is green")
        at.observe([{"content": "I moved to Ghent last week"}, {"role": "assistant", "content": "Noted."}], wait=True)
        for asked in ("Where does Lena live?", "What is my favorite color?", "What about zorlin and tea?"):
            at.recall(asked)
            at.context(asked)
            at.query(asked)
            at.turn(asked)
        at.list()
        at.list(about=["Lena"])
        at.list(filters={"category": "people"})
        at.people()
        at.show(told.id)
        at.history(told.id)
        at.why(told.id)
        at.pin(told.id)
        at.forget(told.id)
        session = memory.governed(session="s", user="user01")
        for said in ("My sister Lena plays the oboe", "Remember this for me: I like long walks", "My aunt is Ida"):
            session.record(user=said, ai="Noted.")
            session.recall(said)
        memory.checkpoints.save("user01", "th", {"state": {}})
        memory.checkpoints.load("user01", "th")


@pytest.fixture(scope="module")
def hot(url):
    """The names of the statements that such a day runs."""
    names: set[str] = set()
    with pytest.MonkeyPatch.context() as patched:
        for ask in ASKS:
            whole = getattr(Database, ask)
            patched.setattr(
                Database, ask, lambda self, name, *given, whole=whole: names.add(name) or whole(self, name, *given)
            )
        live_a_day(url)
    return names


def test_every_hot_statement_has_an_index(connection, hot):
    found = {name: wholes(plan(connection, catalogue()[name])) for name in sorted(hot)}
    assert not {name: lines for name, lines in found.items() if lines}
    assert {"known", "seen_own", "seen_own_about", "linked", "holder", "in_slot", "sight_revs"} <= hot
    assert {"hearsay_about", "in_slot_of_value", "live_marks", "trace_end"} <= hot
    assert len(hot) > 90


def test_vectors_are_compared_along_the_key_of_their_scope(connection):
    lines = plan(connection, SCAN)
    assert not wholes(lines)
    conditions = [line for line in lines if line.startswith("Index Cond")]
    assert len(conditions) == 3
    assert all("scope = " in line for line in conditions)


def test_the_test_finds_what_has_none(connection):
    for condition in ("source_username = :it", "tenant = :it"):
        assert wholes(plan(connection, f"SELECT 1 FROM memories WHERE {condition}"))  # noqa: S608 -- conditions of this file
