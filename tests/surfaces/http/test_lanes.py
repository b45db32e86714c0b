"""Long writes of one key keep nobody waiting: reads have their own threads, and each caller a share of the others."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, as_completed

import pytest

from tests.surfaces.served import client
from wellkept.config import Config, ServerTable
from wellkept.judges.english import RulesJudge
from wellkept.startup import open as open_memory

PATIENCE_SECONDS = 30
"""How long a test that has failed already waits; one that passes never does."""


class Slow(RulesJudge):
    """Reads nothing until it is let go."""

    def __init__(self) -> None:
        self.began = threading.Semaphore(0)
        self.may_end = threading.Event()

    def extract(self, reading):
        if reading.user == "busy":
            self.began.release()
            assert self.may_end.wait(PATIENCE_SECONDS)
        return super().extract(reading)


@pytest.fixture
def judge():
    judge = Slow()
    yield judge
    judge.may_end.set()


@pytest.fixture
def served(tmp_path, judge):
    """A server with two threads for writes, of which one caller gets one, and one more may wait."""
    settings = ServerTable(threads=2, writes_per_caller=1, waiting_per_caller=1)
    config = Config(server=settings)
    with open_memory(tmp_path / "memory.db", embedder="none", judge=judge, config=config, worker="off") as memory:
        keys = {name: memory.keys.add(name, scope=[f"user:{name}"]).key for name in ("busy", "other")}
        with client(memory) as http, ThreadPoolExecutor(8) as pool:
            try:
                yield Served(http, keys, pool)
            finally:
                judge.may_end.set()


class Served:
    def __init__(self, http, keys, pool):
        self._http, self._keys, self._pool = http, keys, pool

    def ask(self, user, path, **body):
        headers = {"Authorization": f"Bearer {self._keys[user]}"}
        return self._http.post(path, json=body, headers=headers)

    def remember_later(self, user, fact):
        return self._pool.submit(self.ask, user, "/v1/remember", facts=fact)

    def recall(self, user):
        return self.ask(user, "/v1/recall", query="tea")

    def healthy(self):
        return self._http.get("/readyz")


def test_long_writes_of_one_key_are_turned_away_and_nobody_else_waits(served, judge):
    first = served.remember_later("busy", "I like green tea")
    assert judge.began.acquire(timeout=PATIENCE_SECONDS)
    more = [served.remember_later("busy", f"I like tea number {number}") for number in range(3)]
    # One of the three waits for its turn; the others are answered while the first still works.
    done = as_completed(more, timeout=PATIENCE_SECONDS)
    refused = [next(done).result(), next(done).result()]
    assert {answer.status_code for answer in refused} == {429}
    assert {answer.json()["code"] for answer in refused} == {"too_many_writes"}
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in refused)
    # Meanwhile everybody is read to, the busy caller too, and another key still writes.
    assert served.recall("other").status_code == 200
    assert served.recall("busy").status_code == 200
    assert served.healthy().status_code == 200
    assert served.ask("other", "/v1/remember", facts="I like black tea").status_code == 200
    assert not first.done()
    judge.may_end.set()
    assert {one.result().status_code for one in (first, *more)} == {200, 429}
    assert served.ask("busy", "/v1/remember", facts="I like white tea").status_code == 200


def test_reads_go_on_when_every_thread_for_writes_is_taken(tmp_path, judge):
    config = Config(server=ServerTable(threads=1, writes_per_caller=1))
    with (
        open_memory(tmp_path / "memory.db", embedder="none", judge=judge, config=config, worker="off") as memory,
        client(memory) as http,
        ThreadPoolExecutor(1) as pool,
    ):
        body = {"facts": "I like green tea", "viewpoint": {"user": "busy"}}
        writing = pool.submit(http.post, "/v1/remember", json=body)
        assert judge.began.acquire(timeout=PATIENCE_SECONDS)
        found = http.post("/v1/recall", json={"query": "tea", "viewpoint": {"user": "other"}})
        assert found.status_code == 200
        assert not writing.done()
        judge.may_end.set()
        assert writing.result().status_code == 200
