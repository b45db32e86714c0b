"""Many processes on one key: one live memory, an unbroken chain, an outcome for every caller."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import wellkept
from wellkept.config import Config, MemoryTable

PROCESSES = 8
WRITES = 15
QUIET = Config(memory=MemoryTable(auto_gc=False))


def write(path: str, number: int) -> list[tuple[str, str | None, str | None]]:
    with wellkept.open(path, config=QUIET, embedder="none") as memory:
        ana = memory.at(user="ana")
        outcomes = [ana.remember(f"My favorite number is {number * WRITES + n}") for n in range(WRITES)]
    return [(outcome.outcome, outcome.id, outcome.replaced) for outcome in outcomes]


def test_exactly_one_of_many_writers_on_one_key_lives(store_url):
    wellkept.open(store_url, config=QUIET, embedder="none").close()
    # Each writer is a process of its own; what they all import is imported once.
    starting = multiprocessing.get_context("forkserver")
    starting.set_forkserver_preload([__name__])
    with starting.Pool(PROCESSES) as pool:
        written = pool.starmap(write, [(store_url, number) for number in range(PROCESSES)])
    outcomes = [outcome for batch in written for outcome in batch]
    assert len(outcomes) == PROCESSES * WRITES
    assert all(kind in ("created", "superseded_old", "denied") for kind, _, _ in outcomes)
    assert len({memory_id for _, memory_id, _ in outcomes}) == PROCESSES * WRITES

    with wellkept.open(store_url, config=QUIET, embedder="none") as memory:
        ana = memory.at(user="ana")
        (live,) = ana.list()
        store = memory.engine.store
        assert list(store.verify("default")) == []
        # From the one that lives back to the first: every stored memory is in one chain or lost to one of it.
        successors = {memory_id: store.memory("default", memory_id).superseded_by for _, memory_id, _ in outcomes}
        assert [memory_id for memory_id, successor in successors.items() if successor is None] == [live.id]
        for link, following in successors.items():
            seen = {link}
            while following is not None:
                assert following not in seen
                seen.add(following)
                following = successors[following]  # noqa: PLW2901 -- walks the chain


def test_threads_share_one_memory(store_url):
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    with wellkept.open(store_url, config=QUIET, embedder="none", clock=lambda: moment) as memory:

        def tell(n: int) -> str:
            return memory.at(user=f"user{n % 4}").remember(f"My favorite number is {n}").outcome

        with ThreadPoolExecutor(8) as pool:
            outcomes = list(pool.map(tell, range(80)))
        assert len(outcomes) == 80
        assert all(len(memory.at(user=f"user{n}").list()) == 1 for n in range(4))
