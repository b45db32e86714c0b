"""Hostile requests against a real server: no 5xx, no growth by over 64 MiB, and it must still serve afterwards.

    python bench/hostile.py [--requests 10000] [--seed 1] [--broken]

Deep JSON, huge and slow bodies, bad UTF-8, repeated names, NaN, ids of a megabyte, broken headers, paths and queries,
over every operation, JSON-RPC, MCP and the routes of mem0. `--broken` serves with a reader that trusts its callers;
there it must fail.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import socket
import string
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from serving import Running, running

from wellkept.operations import OPERATIONS

GROWTH_MIB_MAX = 64
WORKERS = 8
TIMEOUT_SECONDS = 30
SLOW_SECONDS = 1.0
OTHERS = [
    ("POST", "/rpc"), ("POST", "/mcp"), ("GET", "/mcp"), ("GET", "/v1/stream?op=%00"), ("POST", "/v3/memories/add/"),
    ("POST", "/v3/memories/search/"), ("PUT", "/v1/memories/m_x/"), ("PUT", "/v1/batch/"), ("GET", "/metrics"),
    ("OPTIONS", "/v1/memories"), ("TRACE", "/"), ("PATCH", "/healthz"),
]  # fmt: skip
TARGETS = [*(one.http for one in OPERATIONS if one.name != "add_key"), *OTHERS]
METHODS = [one.rpc for one in OPERATIONS if one.name != "add_key"]


@dataclass(frozen=True, kw_only=True)
class Report:
    """What became of the requests."""

    answers: Counter[str]
    grown_mib: float
    is_serving: bool
    seconds: float

    @property
    def failed(self) -> int:
        return sum(count for status, count in self.answers.items() if status.startswith("5") and status != "503")

    @property
    def is_good(self) -> bool:
        return self.failed == 0 and self.grown_mib <= GROWTH_MIB_MAX and self.is_serving


def text(chance: random.Random) -> str:
    """A text that somebody with bad intentions would send."""
    kinds: list[Callable[[], str]] = [
        lambda: "x" * chance.choice([0, 1, 513, 70_000, 1_000_000]),
        lambda: "\x00" + chance.choice(string.printable),
        lambda: "🙂" * chance.randrange(1, 400),
        lambda: "\u202e\u200b\ufeff" * 3,
        lambda: "'; DROP TABLE memories; --",
        lambda: "<script>alert(1)</script>",
        lambda: "../" * 20 + "etc/passwd",
        lambda: "%00%ff%0d%0a",
        lambda: "remember this",
        lambda: str(chance.uniform(-1e308, 1e308)),
    ]
    return chance.choice(kinds)()


def value(chance: random.Random, depth: int = 0) -> object:
    """Some JSON value."""
    simple: list[object] = [None, True, 0, -1, 2**63, 1e308, text(chance)]
    if depth > 3 or chance.random() < 0.6:
        return chance.choice(simple)
    if chance.random() < 0.5:
        return [value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {text(chance)[:50]: value(chance, depth + 1) for _ in range(chance.randrange(4))}


def arguments(chance: random.Random, path: str) -> object:
    """Something like the arguments of an operation: names that exist, values that should not."""
    rows = [one for one in OPERATIONS if one.http[1] == path] or [chance.choice(OPERATIONS)]
    known = {one.name: value(chance) for one in rows[0].parameters if chance.random() < 0.8}
    place = {"user": text(chance), "chat": text(chance)} if chance.random() < 0.7 else value(chance)
    return {**known, "viewpoint": place} | ({text(chance)[:20]: 1} if chance.random() < 0.2 else {})


def body(chance: random.Random, path: str) -> bytes:
    """A body: wrong on some level, from the bytes to the values."""
    kinds: list[Callable[[], bytes]] = [
        lambda: b"[" * chance.choice([40, 5_000, 400_000]),
        lambda: b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
        lambda: b"\xff\xfe" + bytes(chance.randrange(256) for _ in range(200)),
        lambda: b'{"query": NaN, "limit": Infinity}',
        lambda: b'{"query": "a", "query": "b"}',
        lambda: b'{"facts": 1e9999}',
        lambda: b'{"facts": ' + b"9" * 100_000 + b"}",
        lambda: b'{"facts": "\\ud800"}',
        lambda: b"",
        lambda: b"x" * 3_000_000,
        lambda: json.dumps([rpc(chance) for _ in range(chance.randrange(60))]).encode(),
        lambda: json.dumps(rpc(chance)).encode(),
        lambda: json.dumps(value(chance)).encode(),
        *([lambda: json.dumps(arguments(chance, path)).encode()] * 8),
    ]
    return chance.choice(kinds)()


def rpc(chance: random.Random) -> object:
    """Something like a call of JSON-RPC."""
    asked = {"jsonrpc": "2.0", "id": value(chance), "method": chance.choice(METHODS), "params": arguments(chance, "")}
    if chance.random() < 0.3:
        asked[chance.choice(list(asked))] = value(chance)
    return asked


def request(chance: random.Random) -> bytes:
    """One request as bytes."""
    method, path = chance.choice(TARGETS)
    content = body(chance, path)
    names = ["m_x", "%00", "a" * 3_000, "..%2f..", "%F0%9F%99%82", "*"]
    path = re.sub(r"\{\w+\}", lambda _: chance.choice(names), path)
    if method in ("GET", "DELETE"):
        path += chance.choice(
            ["", "?user=a", "?limit=-1&user=a", "?limit=99999999999999999999", "?user=%ff&x=1", "?" + "a=1&" * 500]
        )
    length = chance.choice([str(len(content))] * 12 + ["-1", "99999999999", "abc", "1"])
    host = chance.choice(["localhost"] * 12 + ["evil.example", "", "localhost:99999", "[::1"])
    extra = chance.choice(["", "", "", "Idempotency-Key: \x01\r\n", 'If-Match: W/"x"\r\n', "Origin: null\r\n",
                           "Authorization: Bearer " + "a.b.c" * 50 + "\r\n", 'Cookie: wellkept_key="\x7f\r\n',
                           "X-Long: " + "y" * 60_000 + "\r\n"])  # fmt: skip
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: {host}",
        f"Content-Length: {length}",
        "Content-Type: application/json",
    ]
    head = "\r\n".join([*lines, f"{extra}Connection: close", "", ""])
    return head.encode("latin-1", "replace") + content


def send(server: Running, seed: int) -> str:
    """Send one request; the status, or why there is none."""
    chance = random.Random(seed)
    sent = request(chance)
    is_slow = chance.random() < 0.005
    try:
        with socket.create_connection((server.host, server.port), timeout=TIMEOUT_SECONDS) as connection:
            connection.sendall(sent[: len(sent) // 2] if is_slow else sent)
            if is_slow:
                time.sleep(SLOW_SECONDS)
            answer = connection.recv(64)
    except TimeoutError:
        return "timeout"
    except OSError:
        return "closed"
    return answer.split(b" ")[1].decode("latin-1") if answer.count(b" ") > 1 else "closed"


BROKEN = """
import json, sys
from wellkept.surfaces.http import wire
wire.parsed = lambda body, depth_max: json.loads(body)
from wellkept.surfaces.cli.main import main
sys.exit(main())
"""


def storm(requests: int, seed: int, *, is_broken: bool = False) -> Report:
    """So many requests from several connections at once."""
    limits = {
        "WELLKEPT_SERVER__BODY_SECONDS_MAX": "2",
        "WELLKEPT_SERVER__REQUESTS_PER_MINUTE": "0",
        "WELLKEPT_EMBEDDER__PROVIDER": "none",
    }
    with running(program=BROKEN if is_broken else None, **limits) as server, ThreadPoolExecutor(WORKERS) as pool:
        # What is loaded once, and the caches that fill, are no growth. The reader, some 75 MiB, loads at the first fact
        # that is kept, and hardly any of these requests gets so far.
        _serves(server)
        list(pool.map(lambda number: send(server, -number), range(min(500, requests))))
        before, started = server.rss_mib, time.monotonic()
        answers = Counter(pool.map(lambda number: send(server, seed * 1_000_000 + number), range(requests)))
        grown, seconds = server.rss_mib - before, time.monotonic() - started
        return Report(answers=answers, grown_mib=grown, is_serving=_serves(server), seconds=seconds)


def _serves(server: Running) -> bool:
    asked = b'{"facts": "My favorite color is teal", "viewpoint": {"user": "alice"}}'
    head = f"POST /v1/remember HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(asked)}\r\nConnection: close\r\n\r\n"
    with socket.create_connection((server.host, server.port), timeout=TIMEOUT_SECONDS) as connection:
        connection.sendall(head.encode() + asked)
        return connection.recv(64).startswith(b"HTTP/1.1 200")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broken", action="store_true", help="the negative control")
    asked = parser.parse_args()
    report = storm(asked.requests, asked.seed, is_broken=asked.broken)
    told = ", ".join(f"{status} {count}" for status, count in sorted(report.answers.items()))
    print(f"{asked.requests} requests in {report.seconds:.0f} s: {told}")
    print(
        f"5xx {report.failed}, grown {report.grown_mib:.1f} MiB (at most {GROWTH_MIB_MAX}), serving {report.is_serving}"
    )
    return 0 if report.is_good else 1


if __name__ == "__main__":
    sys.exit(main())
