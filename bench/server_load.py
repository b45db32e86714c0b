"""Load: many clients query and remember at once, then SIGTERM while they go on; latencies, errors, and what is stored.

    python bench/server_load.py [--clients 32] [--seconds 60] [--writes 0.2] [--forgetful]

Everything that was acknowledged must be stored; a request that was begun when SIGTERM came must be answered: what is
stored was acknowledged. `--forgetful` takes writes back behind the server's back; there the bench must find losses.
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
from typing import TYPE_CHECKING

from serving import Running, running

from wellkept.startup import open as open_memory
from wellkept.store.contract import Entry

if TYPE_CHECKING:
    from wellkept.api import Viewpoint
    from wellkept.types import Memory as Record

USERS = 20
TOPICS = ("tea", "trains", "the garden", "taxes", "the violin", "sailing", "a cook", "the bakery", "chess", "bees")
ASKED = ("which chapter was about", "what did I read about", "a novel on", "who wrote about", "have I finished")


@dataclass(frozen=True, kw_only=True)
class Told:
    """A write: who told what, and under which id it was acknowledged, if it was."""

    user: str
    text: str
    id: str | None = None


@dataclass(kw_only=True)
class Load:
    """What the clients saw."""

    queries_ms: list[float] = field(default_factory=list)
    writes_ms: list[float] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    drained: int = 0
    """Requests answered after SIGTERM."""
    turned_away: int = 0
    """Requests that the closing server did not take."""
    errors: list[str] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)


def call(connection: http.client.HTTPConnection, path: str, asked: object) -> dict[str, str]:
    """One request on a connection that stays open."""
    connection.request("POST", path, json.dumps(asked), {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer: dict[str, str] = json.loads(response.read())
    if response.status != 200:
        raise ValueError(f"{response.status} {answer}")
    return answer


def client(server: Running, load: Load, number: int, writes: float) -> None:
    """Queries and writes, one after the other, until the server takes no more."""
    chance = random.Random(number)
    connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
    count, is_served = 0, True
    while is_served:
        count += 1
        place, topic = {"user": f"user{chance.randrange(USERS)}"}, chance.choice(TOPICS)
        is_write = chance.random() < writes
        text = f"I finished chapter {count} of the novel by Client{number} about {topic}"
        question = f"{chance.choice(ASKED)} {topic} in chapter {chance.randrange(50)}?"
        was_closing, started, told_id = load.closing.is_set(), time.perf_counter(), None
        try:
            if is_write:
                told_id = call(connection, "/v1/remember", {"facts": text, "viewpoint": place})["id"]
            else:
                call(connection, "/v1/query", {"query": question, "viewpoint": place})
        except (OSError, http.client.HTTPException, ValueError) as error:
            if load.closing.is_set() and not isinstance(error, ValueError):
                load.turned_away += 1
            else:
                load.errors.append(repr(error)[:200])
            is_served = isinstance(error, ValueError)
        else:
            if load.closing.is_set():
                load.drained += 1
            if not was_closing:
                (load.writes_ms if is_write else load.queries_ms).append((time.perf_counter() - started) * 1_000)
        if is_write:
            load.told.append(Told(user=place["user"], text=text, id=told_id))
    connection.close()


def forget_some(store: Path, load: Load) -> None:
    """Take every tenth acknowledged write out of the store."""
    with open_memory(store, embedder="none") as memory:
        for told in [told for told in load.told if told.id is not None][::10]:
            memory.at(user=told.user).forget(str(told.id))
            entry = Entry(op="delete", memory_id=told.id, reason="bench")
            memory.engine.store.purge("default", str(told.id), entry, at=memory.engine.clock())


def lost(store: Path, load: Load) -> tuple[int, int]:
    """How many acknowledged writes are not stored as they were told, and how many stored ones were not acknowledged."""
    with open_memory(store, embedder="none") as memory:
        missing = 0
        for told in load.told:
            found = None if told.id is None else memory.engine.store.memory("default", told.id)
            missing += told.id is not None and (found is None or told.text.removeprefix("I ") not in found.content)
        silent = [told for told in load.told if told.id is None]
        stored = {user: contents(memory.at(user=user)) for user in {told.user for told in silent}}
        return missing, sum(told.text.removeprefix("I ") in stored[told.user] for told in silent)


def contents(viewpoint: Viewpoint) -> str:
    """All that a user's memories say."""
    found: list[Record] = []
    while page := viewpoint.list(limit=100, before=found[-1].id if found else None):
        found += page
    return "\n".join(one.content for one in found)


def quantile(values: list[float], share: float) -> float:
    return statistics.quantiles(values, n=100)[int(share * 100) - 1] if len(values) > 1 else 0.0


def loaded(clients: int, seconds: float, writes: float, *, is_forgetful: bool = False) -> tuple[Load, int, int, int]:
    """The load, what is missing, what was stored in silence, and the exit status."""
    load = Load()
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), WELLKEPT_SERVER__REQUESTS_PER_MINUTE="0") as server,
    ):
        threads = [threading.Thread(target=client, args=(server, load, number, writes)) for number in range(clients)]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        load.closing.set()
        status = server.stop()
        for thread in threads:
            thread.join()
        if is_forgetful:
            forget_some(server.store, load)
        missing, silent = lost(server.store, load)
    return load, missing, silent, status


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60, help="until SIGTERM comes")
    parser.add_argument("--writes", type=float, default=0.2, help="share of the requests")
    parser.add_argument("--forgetful", action="store_true", help="lose writes on purpose: the negative control")
    asked = parser.parse_args()
    load, missing, silent, status = loaded(asked.clients, asked.seconds, asked.writes, is_forgetful=asked.forgetful)
    total = len(load.queries_ms) + len(load.writes_ms)
    print(f"{asked.clients} clients, {asked.seconds:.0f} s: {total} requests, {total / asked.seconds:.0f}/s")
    for name, values in (("memory.query", load.queries_ms), ("remember", load.writes_ms)):
        print(f"{name:12}  p50 {quantile(values, 0.5):7.1f} ms  p95 {quantile(values, 0.95):7.1f} ms  of {len(values)}")
    print(f"errors {len(load.errors)} of {total}")
    print(f"SIGTERM: {load.drained} answered after it, {load.turned_away} turned away, exit status {status}")
    acknowledged = sum(told.id is not None for told in load.told)
    print(f"writes acknowledged {acknowledged}, lost {missing}; stored and not acknowledged {silent}")
    for error in load.errors[:5]:
        print(f"  {error}")
    return 0 if not load.errors and missing == silent == 0 and status == 0 and load.drained else 1


if __name__ == "__main__":
    sys.exit(main())
