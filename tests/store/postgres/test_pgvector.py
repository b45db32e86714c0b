"""pgvector finds what the embedded store finds: the same rows, the same order, the same bytes."""

from __future__ import annotations

import numpy as np
import psycopg
import pytest

from wellkept.store.contract import Filter
from wellkept.store.opening import open_store
from wellkept.store.postgres.session import StoreNotice
from wellkept.testing.world import ALICE, BOB, MODEL, World, search
from wellkept.vocabulary import Space

DIMENSIONS = 48
ROWS = 140


def directions(seed: int, count: int) -> np.ndarray:
    """Many near each other, so that cosines are close; some the same, so that they tie; one of no length."""
    chance = np.random.default_rng(seed)
    rows = chance.standard_normal((count, DIMENSIONS)) * 0.02 + chance.standard_normal((1, DIMENSIONS)) * 0.1
    rows[::17] = rows[0]
    rows[1:2] = 0
    return rows.astype(np.float32)


def fill(store) -> None:
    """Alice's memories, some of several pieces, archived, of another model; and Bob's, of which some are about her."""
    world, vectors = World(store), directions(5, 2 * ROWS)
    with store.transaction():
        for number in range(ROWS):
            is_bobs = number % 4 == 3
            memory = world.draft(
                f"Fact {number} of {number % 7}.",
                scope=(Space.USER, "bob" if is_bobs else "alice"),
                subject_person_ids=(ALICE if number % 8 == 3 else BOB,) if is_bobs else (),
                pinned=number % 5 == 0,
            )
            pieces = vectors[[number, ROWS + number] if number % 6 == 0 else [number]]
            model = "other@1" if number % 11 == 10 else MODEL
            store.apply([world.change(memory, is_new=True, vectors=pieces, model=model)], at=memory.created_at)
            if number % 13 == 12:
                world.archive(memory)


def answers(store) -> list[object]:
    """Of several queries, by vector alone and with words, for several limits and filters."""
    company = {"present": frozenset({ALICE, BOB}), "partners": frozenset({BOB})}
    found = []
    for number, query in enumerate([*directions(6, 4), np.zeros(DIMENSIONS, np.float32)]):
        for limit in (1, 7, 40, 1_000):
            for more in ({}, {"filter": Filter(pinned=True)}, company):
                terms = ("fact",) if number % 2 else (str(number),)
                asked = search("", vector=query, terms=terms, limit=limit, **more)
                found.append([(one.memory.id, one.cosine, one.bm25, one.share) for one in store.candidates(asked)])
        near = store.candidates(search("", vector=query, terms=(), limit=9), within=(Space.USER, "bob"))
        found.append([(one.memory.id, one.cosine) for one in near])
    return found


@pytest.fixture
def embedded(store_path):
    store = open_store(store_path)
    fill(store)
    yield answers(store)
    store.close()


def test_the_database_compares_and_answers_are_the_same_bytes(new_database, embedded):
    store = open_store(new_database())
    fill(store)
    loads = []
    store._arms.matrices._load = lambda *given: loads.append(given)
    assert answers(store) == embedded
    assert not loads, "no scope's vectors were fetched"
    assert sum(len(found) for found in embedded) > 600
    # Something that is not committed is compared too, and only where it was written.
    asked = search("", vector=directions(6, 1)[0], terms=(), limit=1)
    (first,) = store.candidates(asked)
    with store.transaction():
        World(store).archive(first.memory)
        assert store.candidates(asked)[0].memory.id != first.memory.id
        other = open_store(store.url)
        assert other.candidates(asked)[0].memory.id == first.memory.id
        other.close()
    store.close()


def test_without_pgvector_answers_are_the_same_bytes(new_database, embedded):
    url = new_database("template1")
    with pytest.warns(StoreNotice, match="pgvector is not installed"):
        plain = open_store(url)
    with psycopg.connect(url) as connection:
        kind = connection.execute("SELECT atttypid::regtype FROM pg_attribute WHERE attrelid = 'vectors'::regclass "
                                  "AND attname = 'vector'").fetchone()  # fmt: skip
    assert kind == ("bytea",)
    assert plain._db.driver.scan is None
    fill(plain)
    assert answers(plain) == embedded
    plain.close()


def test_a_scan_touches_no_row_that_is_not_seen(new_database):
    """A broken row of the same scope that may not be seen is never compared, or the server would complain."""
    store = open_store(new_database())
    fill(store)
    hidden = store._db.driver.rows(
        "SELECT scope, num FROM memories WHERE state = 'archived' AND owner = 'alice' ORDER BY num LIMIT 1", {}
    )[0]
    store._db.driver.run("UPDATE vectors SET vector = '[1,2]' WHERE scope = :scope AND num = :num",
                         dict(zip(("scope", "num"), hidden, strict=True)))  # fmt: skip
    assert len(store.candidates(search("", vector=directions(6, 1)[0], terms=(), limit=1_000))) > 60
    store.close()
