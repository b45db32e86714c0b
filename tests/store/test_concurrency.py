"""Many writers on one key: one live winner, an unbroken chain, no lost update, an answer for everybody."""

from __future__ import annotations

import multiprocessing
import threading
from dataclasses import replace

from wellkept.errors import KeyTaken, VersionConflict
from wellkept.store.contract import Change, Embedded, Entry, HeldKey, Listing
from wellkept.store.opening import open_store
from wellkept.testing.world import NOW, World, search, vector, view
from wellkept.vocabulary import Space, State

PROCESSES = 8
WRITES = {True: 50, False: 10}
"""On a file, and on a server: there a statement is a journey."""


def claim(store, worker: int, number: int, *, careful: bool) -> str:
    """Store a value under the one key: a new memory, or a mention more of the one that is there."""
    world = World(store)
    text = f"The color is number {worker}-{number}."
    memory = world.draft(text, discriminator="favorite:color", id=f"m_{worker}x{number}")
    while True:
        try:
            if not careful:
                return _decide(store, world, memory)
            with store.transaction():
                return _decide(store, world, memory)
        except (KeyTaken, VersionConflict):
            continue


def _decide(store, world: World, memory) -> str:
    live = store.memory(
        "t", HeldKey(space=Space.USER, owner="alice", memory_key=memory.memory_key, discriminator="favorite:color")
    )
    if live is None:
        store.apply([world.change(memory, is_new=True)], at=NOW)
        return "created"
    if memory.content.endswith(("0.", "5.")):
        over = replace(live, version=live.version + 1, state=State.SUPERSEDED, superseded_by=memory.id)
        entry = Entry(op="update", memory_id=over.id, version=over.version)
        store.apply([Change(memory=over, entry=entry), world.change(memory, is_new=True)], at=NOW)
        return "superseded_old"
    counted = replace(live, version=live.version + 1, mention_count=live.mention_count + 1)
    store.apply([world.change(counted, "merge")], at=NOW)
    return "merged"


def writes(url: str) -> int:
    return WRITES[not url.startswith("postgresql")]


def work(url: str, worker: int, results, *, careful: bool) -> None:
    store = open_store(url)
    results.put([claim(store, worker, number, careful=careful) for number in range(writes(url))])
    store.close()


def check(store, outcomes: list[str]) -> None:
    assert len(outcomes) == PROCESSES * writes(store.url)
    rows = store._db.driver.rows("SELECT state, version, mention_count FROM memories", {})
    assert sum(row[0] == "active" for row in rows) == 1
    created = outcomes.count("created") + outcomes.count("superseded_old")
    assert outcomes.count("created") == 1
    assert len(rows) == created
    # Every mention is counted: none was lost to another writer.
    assert sum(row[2] - 1 for row in rows) == outcomes.count("merged")
    assert sum(row[1] for row in rows) == len(store._db.driver.rows("SELECT 1 FROM ledger", {}))
    sequence = [row[0] for row in store._db.driver.rows("SELECT seq FROM ledger ORDER BY seq", {})]
    assert sequence == list(range(1, len(sequence) + 1))
    assert not list(store.verify("t"))
    if store.url.startswith("sqlite"):
        assert store._db.driver.rows("PRAGMA integrity_check", {}) == [("ok",)]


def test_processes_on_one_key(new_store):
    for careful in (True, False):
        store = open_store(new_store())
        spawning = multiprocessing.get_context("forkserver")
        results = spawning.Queue()
        workers = [
            spawning.Process(target=work, args=(store.url, number, results), kwargs={"careful": careful})
            for number in range(PROCESSES)
        ]
        for worker in workers:
            worker.start()
        outcomes = [outcome for _ in workers for outcome in results.get(timeout=300)]
        for worker in workers:
            worker.join()
        check(store, outcomes)
        store.close()


def test_threads_on_one_key(store_url):
    store = open_store(store_url)
    outcomes: list[str] = []

    def run(worker: int) -> None:
        outcomes.extend(claim(store, worker, number, careful=True) for number in range(writes(store_url)))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(PROCESSES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(store, outcomes)
    store.close()


def test_readers_see_only_what_was_committed_while_writers_write(store_url):
    """The sum of all importance is the same after every transaction; a reader must never see another."""
    store = open_store(store_url)
    world = World(store)
    left, right = world.tell("Left tea.", importance=50.0), world.tell("Right tea.", importance=50.0)
    stop = threading.Event()
    wrong: list[object] = []

    def read() -> None:
        while not stop.is_set():
            with store.snapshot():
                found = store.candidates(search("tea"))
                listed = store.seen(view(), Listing(filter=search("tea").filter, limit=9))
            sums = [sum(memory.importance for memory in listed), sum(item.memory.importance for item in found)]
            wrong.extend(found for found in sums if found != 100.0)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for step in range(1, 41):
        with store.transaction():
            left = world.amend(left, importance=50.0 - step)
            right = world.amend(right, importance=50.0 + step)
            store.keep(Embedded(said=right, vectors=vector(right.content)[None, :], model="bag@1"))
    stop.set()
    for reader in readers:
        reader.join()
    assert not wrong
    store.close()
