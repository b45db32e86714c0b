"""Vectors in memory: renewed by revision, exact whatever stands beside them, near enough when only signs are kept."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from wellkept.errors import DamagedRow
from wellkept.store.opening import open_store
from wellkept.store.search import sights, vectors
from wellkept.store.search.vectors import Multiplier, Room, agreement, exact, floats, on_one_core, sign_codes
from wellkept.testing.world import MODEL, NOW, World, search, vector
from wellkept.vocabulary import Space

RANDOM = np.random.default_rng(3)


@pytest.mark.parametrize("blobs", [[b"\0\0\0"], [b"\0\0\0\0", b"\0\0"]])
def test_vectors_that_are_cut_are_damaged_rows(blobs):
    with pytest.raises(DamagedRow, match="A vector"):
        floats(blobs)


def unit(count: int, dimensions: int = 64) -> np.ndarray:
    rows = RANDOM.standard_normal((count, dimensions)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def store(store_path):
    store = open_store(store_path)
    yield store
    store.close()


def matrix(store, scope: int):
    ((_, *revs),) = store._db.rows("scope_revs", {"tenant": "t", "scopes": f"[{scope}]"})
    return store._arms.matrices.matrix("t", scope, MODEL, tuple(revs))


def test_stored_halves_come_back_with_length_one():
    rows = unit(9)
    back = floats([row.astype("<f2").tobytes() for row in rows])
    assert np.allclose(back, rows, atol=1e-3)
    assert np.allclose(np.linalg.norm(back, axis=1), 1.0, atol=1e-6)
    assert floats([np.zeros(8, "<f2").tobytes()]).tolist() == [[0.0] * 8]
    assert floats([]).shape == (0, 0)


def test_cosines_do_not_depend_on_the_neighbours():
    rows, query = unit(257, 384), unit(1, 384)[0]
    whole = exact(rows, query)
    for start, end in ((0, 1), (3, 10), (100, 257)):
        assert exact(rows[start:end], query).tolist() == whole[start:end].tolist()
        assert exact(np.asfortranarray(rows[start:end]), query).tolist() == whole[start:end].tolist()
    assert np.allclose(on_one_core(rows, query), whole, atol=1e-5)


def test_products_without_the_newest_numpy(monkeypatch):
    rows, query = unit(20), unit(1)[0]
    with_it, agreed = on_one_core(rows, query), agreement(sign_codes(rows), query)
    monkeypatch.delattr(np, "vecdot", raising=False)
    monkeypatch.delattr(np, "bitwise_count", raising=False)
    assert np.allclose(on_one_core(rows, query), with_it, atol=1e-6)
    assert agreement(sign_codes(rows), query).tolist() == agreed.tolist()


def shared(many: Multiplier, rows: np.ndarray, count: int) -> list[int]:
    """Which of so many products were made with threads."""
    query = unit(1)[0]
    made = []
    learn = many._learn
    for number in range(count):
        many._learn = lambda is_slow, number=number: made.append(number) or learn(is_slow)
        assert np.allclose(many.products(rows, query), on_one_core(rows, query), atol=1e-6)
    return made


def test_threads_are_woken_for_many_rows_or_for_many_products():
    rows, many = unit(1_000), Multiplier()
    many.SLOW, many.TOGETHER = 9.0, 9.0
    assert shared(many, rows, 12) == [8, 9, 10, 11]
    assert shared(many, rows[:999], 12) == [], "fewer rows are multiplied sooner than threads are woken"
    many.TOGETHER = 0.0
    assert shared(many, rows, 12) == []
    many.MANY = 1_000
    assert shared(many, rows, 2) == [0, 1]


def test_a_busy_machine_is_spared_the_threads():
    rows, many = unit(1_000), Multiplier()
    many.SLOW, many.MANY = 0.0, 1_000
    assert shared(many, rows, 250) == [0, 5, 14, 31, 64, 129, 194]
    many.SLOW, many._rest = 9.0, 0
    assert shared(many, rows, 2) == [0, 1]
    many.SLOW = 0.0
    assert shared(many, rows, 6) == [0, 5], "one that is quick ends the caution"


def test_sign_codes_count_the_signs_that_agree():
    rows, query = unit(50, 60), unit(1, 60)[0]
    differing = ((rows > 0) != (query > 0)).sum(axis=1)
    assert agreement(sign_codes(rows), query).tolist() == (-differing).tolist()


def test_a_room_grows_without_changing_what_others_read():
    first = Room(unit(4, 8))
    one = first.grown(4, unit(2, 8))
    kept = one.space[:6].copy()
    two = one.grown(6, unit(3, 8))
    assert two is one, "there was space"
    rival = one.grown(6, unit(1, 8))
    assert rival is not one, "the space behind was taken"
    assert np.array_equal(one.space[:6], kept)
    assert np.array_equal(rival.space[:6], kept)


def test_matrices_are_renewed_and_not_loaded_again(store, monkeypatch):
    world = World(store)
    matrices = store._arms.matrices
    told = [world.tell(f"Alice likes tea number {number}.") for number in range(20)]
    store.candidates(search("tea"))
    loads = []
    load = matrices._load
    monkeypatch.setattr(matrices, "_load", lambda *given: loads.append(given) or load(*given))
    for number in range(12):
        world.tell(f"Alice likes coffee number {number}.")
        told[number % 3] = world.reword(told[number % 3], f"Alice likes milk number {number}.")
        found = {item.memory.id: item.cosine for item in store.candidates(search("milk", limit=99))}
        fresh = open_store(store.url)
        assert {item.memory.id: item.cosine for item in fresh.candidates(search("milk", limit=99))} == found
        fresh.close()
    assert len(loads) <= 2, "only when a quarter of the rows is dead"
    store.purge("t", told[0].id, world.change(told[0], "delete").entry, at=NOW)
    store.candidates(search("milk"))
    assert len(loads) <= 3


def test_large_scopes_are_found_by_sign_codes(store):
    world = World(store)
    with store.transaction():
        for number in range(300):
            world.tell(f"Fact {number} of {number % 17} and {number % 29}.")
    wanted = store.candidates(search("Fact 150", terms=(), limit=10))
    small = open_store(store.url)
    small._arms.matrices.exact_rows_max = 100
    found = small.candidates(search("Fact 150", terms=(), limit=10))
    assert not matrix(small, 1).is_exact
    assert found == wanted
    World(small).told = 0
    world.tell("Fact 150 again.")
    assert found[0].memory.id in {item.memory.id for item in small.candidates(search("Fact 150", limit=10))}
    assert small.candidates(search("Fact 150 again.", limit=1))[0].memory.content == "Fact 150 again."
    small.close()


def test_sign_codes_lose_almost_nothing():
    """Vectors of texts lie near a space of fewer dimensions than they have; these do too, near one of 64."""
    weights = (1 / np.sqrt(np.arange(1, 65))).astype(np.float32)
    basis = RANDOM.standard_normal((64, 384)).astype(np.float32) * weights[:, None]

    def drawn(count: int) -> np.ndarray:
        inside = RANDOM.standard_normal((count, 64)).astype(np.float32) @ basis
        rows = inside + 0.3 * RANDOM.standard_normal((count, 384)).astype(np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    rows, queries = drawn(50_000), drawn(20)
    codes = sign_codes(rows)
    kept = 0
    for query in queries:
        wanted = np.argsort(-on_one_core(rows, query))[:50]
        likely = np.argsort(-agreement(codes, query), kind="stable")[: 50 * vectors.RESCORED_TIMES]
        kept += len(np.intersect1d(wanted, likely))
    assert kept / (50 * len(queries)) >= 0.99


def test_the_oldest_matrix_goes_when_memory_is_short(store):
    world = World(store)
    for owner in ("alice", "bob", "carol"):
        world.tell("Tea.", scope=("user", owner))
    matrices = store._arms.matrices
    for scope in (1, 2, 3):
        matrix(store, scope)
    size = matrix(store, 3).nbytes
    matrices.bytes_max = 2 * size
    matrix(store, 1)
    world.tell("More tea.", scope=("user", "alice"))
    matrix(store, 1)
    assert len(matrices._kept) < 3
    assert ("t", 1, MODEL) in matrices._kept


def test_the_oldest_sight_goes_when_there_are_too_many_rows(store, monkeypatch):
    world, users = World(store), ("alice", "bob", "carol")
    for user in users:
        for _ in range(4):
            world.tell(scope=(Space.USER, user))
    kept = store._arms.sights
    monkeypatch.setattr(sights, "ROWS_MAX", 9)

    def asked(user):
        store.candidates(search("tea"), within=(Space.USER, user))
        return len(kept._kept), kept._rows

    assert [asked(user) for user in users] == [(1, 4), (2, 8), (2, 8)]
    read, rows = [], store._db.rows
    monkeypatch.setattr(store._db, "rows", lambda name, given: read.append(name) or rows(name, given))
    assert asked("bob") == (2, 8)
    assert "live_own" not in read
    world.tell(scope=(Space.USER, "bob"))
    assert asked("bob") == (2, 9)
    assert asked("alice") == (2, 9), "carol was not asked for longest"
    monkeypatch.setattr(sights, "ROWS_MAX", 1)
    world.tell(scope=(Space.USER, "alice"))
    assert asked("alice") == (1, 5), "one is kept, however large"


def test_numpy_is_loaded_when_something_is_scored(store_path):
    code = (
        "import sys\n"
        "from wellkept.store.opening import open_store\n"
        f"store = open_store({str(store_path)!r})\n"
        "store.memory('t', 'm_x')\n"
        "assert 'numpy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_query_without_direction_is_near_nothing(store):
    World(store).tell("Alice likes tea.")
    found = store.candidates(search("tea", vector=np.zeros_like(vector("tea")), terms=()))
    assert [item.cosine for item in found] == [0.0]


def test_a_scope_without_vectors_is_searched_by_words(tmp_path):
    """Another scope has vectors of the model, this one has none: nothing to hold the query against is no fault."""
    store = open_store(tmp_path / "memory.db")
    world = World(store)
    world.tell("Bob drinks tea.", scope=(Space.USER, "bob"))
    bare = world.draft("Alice likes tea.")
    store.apply([replace(world.change(bare, is_new=True), vectors=None, model=None)], at=NOW)
    assert [found.memory.id for found in store.candidates(search("tea"))] == [bare.id]
    store.close()
