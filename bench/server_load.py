"""Load: many clients query and write at once; latencies, errors, and whether all that was acknowledged is there.

    python bench/server_load.py [--clients 32] [--seconds 60] [--writes 0.2] [--stop-after SECONDS] [--forgetful]

`--stop-after` sends SIGTERM in the middle: what was acknowledged must be stored, and what was begun is finished.
`--forgetful` takes writes back behind the server's back; there the bench must find losses.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import statistics
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from serving import Running, running

from recollect.opening import open as open_memory

USERS = 20
P95_MS_MAX = 150.0
TOPICS = ("tea", "trains", "the garden", "taxes", "the violin", "sailing", "a novel", "the bakery", "chess", "bees")


@dataclass(kw_only=True)
class Load:
    """What the clients saw."""

    queries_ms: list[float] = field(default_factory=list)
    writes_ms: list[float] = field(default_factory=list)
    stored: list[tuple[str, str]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)


def call(connection: http.client.HTTPConnection, path: str, asked: object) -> dict[str, object]:
    """One request on a connection that stays open."""
    connection.request("POST", path, json.dumps(asked), {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = json.loads(response.read())
    if response.status != 200:
        raise ValueError(f"{response.status} {answer}")
    return {"result": answer}


def client(server: Running, load: Load, number: int, writes: float) -> None:
    """Queries and writes, one after the other, until the load is over."""
    chance = random.Random(number)
    connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
    told = 0
    while not load.is_over.is_set():
        user = f"user{chance.randrange(USERS)}"
        is_write = chance.random() < writes
        started = time.perf_counter()
        try:
            if is_write:
                told += 1
                text = f"Client {number} read page {told} about {chance.choice(TOPICS)}."
                answer = call(connection, "/v1/memories", {"content": text, "viewpoint": {"user": user}})["result"]
                load.stored.append((user, answer["id"]))  # type: ignore[index]  # an outcome
            else:
                call(connection, "/v1/query", {"query": chance.choice(TOPICS), "viewpoint": {"user": user}})
        except (OSError, http.client.HTTPException, ValueError) as error:
            if not load.is_over.is_set() and server.process.poll() is None:
                load.errors.append(repr(error)[:200])
            if load.is_over.is_set() or isinstance(error, (OSError, http.client.HTTPException)):
                break
        else:
            (load.writes_ms if is_write else load.queries_ms).append((time.perf_counter() - started) * 1_000)
    connection.close()


def lost(store: Path, load: Load, *, is_forgetful: bool) -> int:
    """How many acknowledged writes are not in the store."""
    with open_memory(store, embedder="none") as memory:
        if is_forgetful:
            for user, memory_id in load.stored[::10]:
                memory.at(user=user).forget(memory_id)
                memory.engine.store.purge("default", memory_id, _entry(memory_id), at=memory.engine.clock())
        return sum(memory.engine.store.memory("default", memory_id) is None for _, memory_id in load.stored)


def _entry(memory_id: str) -> object:
    from recollect.store.base import Entry

    return Entry(op="delete", memory_id=memory_id, reason="bench")


def quantile(values: list[float], share: float) -> float:
    return statistics.quantiles(values, n=100)[int(share * 100) - 1] if len(values) > 1 else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--writes", type=float, default=0.2, help="share of the requests")
    parser.add_argument("--stop-after", type=float, help="SIGTERM after so many seconds")
    parser.add_argument("--forgetful", action="store_true", help="lose writes on purpose: the negative control")
    asked = parser.parse_args()
    load = Load()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), RECOLLECT_SERVER__REQUESTS_PER_MINUTE="0") as server,
    ):
        threads = [
            threading.Thread(target=client, args=(server, load, number, asked.writes))
            for number in range(asked.clients)
        ]
        for thread in threads:
            thread.start()
        time.sleep(asked.stop_after or asked.seconds)
        if asked.stop_after is None:
            load.is_over.set()
            for thread in threads:
                thread.join()
            status = server.stop()
        else:
            load.is_over.set()  # from here on a refused connection is no error: the server is going
            status = server.stop()
            for thread in threads:
                thread.join()
        missing = lost(server.store, load, is_forgetful=asked.forgetful)
    seconds = asked.stop_after or asked.seconds
    total = len(load.queries_ms) + len(load.writes_ms)
    print(
        f"{asked.clients} clients, {seconds:.0f} s: {total} requests, {total / seconds:.0f}/s, "
        f"errors {len(load.errors)}"
    )
    for name, values in (("memory.query", load.queries_ms), ("add", load.writes_ms)):
        print(f"{name:12}  p50 {quantile(values, 0.5):7.1f} ms  p95 {quantile(values, 0.95):7.1f} ms  of {len(values)}")
    print(f"acknowledged {len(load.stored)}, lost {missing}, exit status {status}")
    for error in load.errors[:5]:
        print(f"  {error}")
    return 0 if not load.errors and missing == 0 and status == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
