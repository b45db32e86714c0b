"""Memories on the real store, with the real judge, and with the real embedder or none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import wellkept
from wellkept.config import Config
from wellkept.models.bundled import MiniLM


@pytest.fixture(scope="session")
def embedder() -> MiniLM:
    return MiniLM()


@pytest.fixture
def memory(store_path, clock, embedder) -> Iterator[wellkept.Memory]:
    with wellkept.open(store_path, config=Config(), clock=clock, embedder=embedder) as opened:
        yield opened


@pytest.fixture
def memory_without_vectors(store_path, clock) -> Iterator[wellkept.Memory]:
    with wellkept.open(store_path, config=Config(), clock=clock, embedder="none") as opened:
        yield opened


@pytest.fixture
def refusing():
    """Has the database fail, as of an I/O error, when a row of a table is added for which the condition holds."""

    @contextmanager
    def refuse(memory: wellkept.Memory, table: str, condition: str = "1 = 1") -> Iterator[None]:
        driver = memory.engine.store._db.driver
        if str(driver.url).startswith("postgres"):
            driver.run(
                "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
                "$$BEGIN RAISE EXCEPTION 'disk I/O error'; END$$",
                {},
            )
            body, on, when = "EXECUTE FUNCTION refuse()", f" ON {table}", f"FOR EACH ROW WHEN ({condition})"
        else:
            body, on, when = "BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END", "", f"WHEN {condition}"
        driver.run(f"CREATE TRIGGER refused BEFORE INSERT ON {table} {when} {body}", {})
        try:
            yield
        finally:
            driver.run(f"DROP TRIGGER refused{on}", {})

    return refuse
