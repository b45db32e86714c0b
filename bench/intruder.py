"""Random attacks on somebody else's memory over a real server: nothing of Alice's is told, and nothing is changed.

    python bench/intruder.py [--requests 10000] [--seed 1] [--unbound]

Bob's key, Carol's key (she shares one chat with Alice), the tenant key of another tenant and a context token of Bob's
send operations, JSON-RPC, MCP, the routes of mem0 and the pages and forms of the Studio, with Alice's ids and names in
every place that may name something, in odd spellings, twice, and with ids that earlier answers gave away. Everything
private of Alice's has a word that nobody sends; everything that intruders say has another, which Alice must never be
shown. In their chat Carol is shown what is public of Alice, and may change what was said there and what she herself is
called: that is no fault.
`--unbound` serves with keys that are not bound to their user: there it must find faults.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from serving import Running, running

from wellkept.config import Config
from wellkept.flows.serving import api_keys
from wellkept.flows.serving.api_keys import TokenKey
from wellkept.operations import OPERATIONS
from wellkept.operations.operation import Operation
from wellkept.startup import open as open_memory

MARK, SHARED, INTRUDED = "Zanzibar", "Lisbon", "quokka"
"""In what is Alice's alone; in what she said to Carol; in what intruders say."""
TOKEN_KEY = "hmac:" + "5e" * 32
WORDS = "hotel port stamps ferry offsite dive"
HELD_EVERY = 200
POOL_MAX = 400
MEM0 = (
    ("POST", "/v3/memories/search/"), ("POST", "/v2/memories/"), ("DELETE", "/v1/memories/"), ("PUT", "/v1/batch/"),
    ("GET", "/v1/memories/{id}/"), ("PUT", "/v1/memories/{id}/"), ("DELETE", "/v1/memories/{id}/"),
    ("GET", "/v1/memories/{id}/history/"), ("GET", "/v1/entities/"), ("DELETE", "/v2/entities/user/{id}/"),
    ("DELETE", "/v1/batch/"), ("POST", "/v1/feedback/"), ("POST", "/v1/exports/"), ("POST", "/v1/exports/get/"),
    ("POST", "/v3/memories/add/"),
)  # fmt: skip
STUDIO = (
    ("GET", "/"), ("GET", "/search"), ("GET", "/playground/reading"), ("GET", "/memories"), ("GET", "/memories/{id}"),
    ("GET", "/people"), ("GET", "/people/graph.json"), ("GET", "/people/compare"), ("GET", "/people/{id}"),
    ("GET", "/lens"), ("GET", "/sessions"), ("GET", "/traces"), ("GET", "/traces/plain"), ("GET", "/conversations"),
    ("GET", "/questions"), ("GET", "/settings"), ("GET", "/settings/export"), ("GET", "/health"),
    ("POST", "/playground"), ("POST", "/memories"), ("POST", "/memories/many"), ("POST", "/memories/{id}/edit"),
    ("POST", "/memories/{id}/privacy"), ("POST", "/memories/{id}/delete"), ("POST", "/lens/reveal"),
    ("POST", "/settings/keys"), ("POST", "/people/merge"),
    ("POST", "/people/review/same"), ("POST", "/people/{id}/alias"), ("POST", "/people/{id}/forget"),
    ("POST", "/people/{id}/rename"), ("POST", "/sessions/todos/{id}/complete"), ("POST", "/traces/start"),
)  # fmt: skip
PLACES = {
    "chat": ("dm-alice", "team"), "session": ("gov1",), "project": ("projB",), "chat_type": ("private", "group"),
    "participants": (["alice"], ["carol"]), "persona": ("coach",), "agent": ("planner",), "thread": ("thread-alice",),
    "run": ("run-alice",), "user": ("bob", "alice"), "tenant": ("default",), "username": ("ally",),
    "display_name": ("Alice",),
}  # fmt: skip
"""What of Alice's each part of a viewpoint can name. The last four are settled for most keys, and are drawn seldom."""
UNBOUND = """
import sys
from wellkept.surfaces.http import gateway
gateway.bound_place = lambda place, vouched: place
gateway.refusal = lambda place, vouched: None
from wellkept.surfaces.cli.main import main
sys.exit(main())
"""


def furnish(path: Path) -> tuple[dict[str, str], list[str]]:
    """A store with Alice's world; what each intruder shows, Alice's own key as `alice`; and what of hers has a name."""
    with open_memory(path, embedder="none", config=Config()) as memory:
        alice = memory.at(user="alice", username="ally", display_name="Alice", run="run-alice")
        alice.remember(f"I moved to {MARK} last year")
        here = memory.at(user="alice", thread="thread-alice", persona="coach", chat="dm-alice")
        here.remember(f"I will dive in {MARK} with my sister Tess")
        here.add(f"Book the ferry to {MARK}", shared=True)
        team = memory.at(user="alice", participants=["carol"], chat="team", chat_type="group")
        team.add(f"The offsite is in {SHARED}", shared=True)
        governed = memory.governed(session="gov1", user="alice", project="projB")
        governed.record(user=f"I prefer the hotel in {MARK}")
        governed.record(user=f"Remember this for our project: we decided to use the port of {MARK}")
        turned = alice.turn(f"Remind me to call the hotel in {MARK} tomorrow")
        turned.finish(f"I will remind you of {MARK}.")
        alice.save_checkpoint("cp-alice", {"at": MARK})
        memory.at(user="bob").remember(f"I like the {INTRUDED}")
        person = memory.engine.store.person("default", user="alice")
        names = [
            *("alice", "ally", "@ally", "Alice", "carol", "dm-alice", "team", "gov1", "projB", "run-alice", "coach"),
            *("thread-alice", "cp-alice", "default", "group", "private", "operator", "tenant", "*", "own:alice/s1"),
            *(one.id for one in alice.list(limit=100)),
            *(one.id for one in here.list(limit=100)),
            *(one.id for one in memory.at(user="alice", session="gov1", project="projB").list(limit=100)),
            *(one.id for one in alice.todos(status="ALL")),
            *(one.id for one in alice.messages()),
            turned.session.id,
            *([person.id] if person else []),
        ]
        keys = {who: memory.keys.add(who, scope=[f"user:{who}"]).key for who in ("alice", "bob", "carol")}
        keys["zenith"] = memory.keys.add("zenith", scope=["tenant"], tenant="zenith").key
    until = datetime.now(UTC) + timedelta(hours=1)
    keys["token"] = api_keys.make({"user": "bob", "chat": "dm-bob"}, TokenKey(TOKEN_KEY), expires=until)
    return keys, list(dict.fromkeys(names))


class Intruder:
    """Draws requests. `pool` is what it knows to name: ids of answers are added."""

    def __init__(self, seed: int, pool: Sequence[str]) -> None:
        self.chance, self.pool = random.Random(seed), list(pool)

    def name(self) -> str:
        """Something that may be another's, sometimes in another spelling."""
        one, draw = self.chance.choice(self.pool), self.chance.random()
        odd = (one.upper(), one + " ", "\uff41" + one[1:], one + "\u200b", one + "\x00", f"../{one}", one + "%",
               f"own:bob/../{one}", f"own:{one}/", quote(one), f"{one}' OR 1=1 --")  # fmt: skip
        return one if draw < 0.8 else self.chance.choice(odd)

    def value(self) -> object:
        one, other = self.name(), self.name()
        either = {"OR": [{"user_id": other}, {"run_id": "*"}]}
        kinds = (one, other, [one, other], {"user_id": one}, either, f"I like the {INTRUDED}", None, 1, True)
        return self.chance.choice(kinds)

    def place(self) -> dict[str, Any]:
        known = list(PLACES) if self.chance.random() < 0.1 else list(PLACES)[:-4]
        named = self.chance.sample(known, self.chance.choice([0, 1, 1, 1, 2, 4]))
        return {one: self.chance.choice(PLACES[one]) if self.chance.random() < 0.7 else self.value() for one in named}

    def arguments(self, operation: Operation) -> dict[str, Any]:
        one, other = self.name(), self.name()
        said = {"role": "user", "content": f"I saw a {INTRUDED}", "speaker": self.chance.choice([None, other])}
        usual = {
            "text": one, "texts": [one], "pair": [one, other], "integer": 50, "number": 1.5, "object": self.value(),
            "facts": f"{one} likes the {INTRUDED}", "flag": self.chance.random() < 0.5, "messages": [said],
        }  # fmt: skip
        spoken = {"query": WORDS, "content": f"The {INTRUDED} of {self.name()}", "user_text": f"{WORDS} {INTRUDED}"}
        given = [one for one in operation.parameters if one.is_required or self.chance.random() < 0.4]
        return {one.name: spoken.get(one.name, usual.get(one.kind, self.value())) for one in given}

    def request(self) -> tuple[str, str, bytes, dict[str, str]]:
        """Method, path, body and headers."""
        makers = (self._operation, self._operation, self._rpc, self._mcp, self._mem0, self._studio)
        method, path, body, headers = self.chance.choice(makers)()
        more = ({}, {}, {"X-User-Id": "alice"}, {"X-API-Key": "rk_x_y"}, {"Idempotency-Key": "alice-1"})
        return method, path, body, headers | self.chance.choice(more)

    def _path(self, template: str) -> str:
        return re.sub(r"\{\w+(:path)?\}", lambda _: quote(self.name(), safe=""), template)

    def _query(self, given: Mapping[str, Any]) -> str:
        pairs = [(name, value) for name, value in given.items() if value is not None]
        if self.chance.random() < 0.2:
            pairs += [("user", "bob"), ("user", "alice")]
        flat = [(name, json.dumps(value) if isinstance(value, dict) else value) for name, value in pairs]
        return urlencode(flat, doseq=True, errors="replace")

    def _operation(self) -> tuple[str, str, bytes, dict[str, str]]:
        operation = self.chance.choice(OPERATIONS)
        method, path = operation.http
        given, place = self.arguments(operation), self.place()
        if method in ("GET", "DELETE"):
            return method, f"{self._path(path)}?{self._query(place | given)}", b"", {}
        body = json.dumps(given | {"viewpoint": place})
        if self.chance.random() < 0.1:  # a name that stands twice
            body = body[:-1] + ', "viewpoint": {"user": "alice"}}'
        return method, self._path(path), body.encode(), {"Content-Type": "application/json"}

    def _rpc(self) -> tuple[str, str, bytes, dict[str, str]]:
        operation = self.chance.choice(OPERATIONS)
        place = {"user_id" if one == "user" else one: value for one, value in self.place().items()}
        call = {"jsonrpc": "2.0", "id": 1, "method": operation.rpc, "params": self.arguments(operation) | place}
        return "POST", "/rpc", json.dumps(call).encode(), {"Content-Type": "application/json"}

    def _mcp(self) -> tuple[str, str, bytes, dict[str, str]]:
        operation = self.chance.choice(OPERATIONS)
        asked: dict[str, Any] = {"name": operation.name, "arguments": self.arguments(operation) | self.place()}
        method = "tools/call"
        if self.chance.random() < 0.2:
            method, asked = "resources/read", {"uri": f"memory://{self.name()}"}
        call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": asked}
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        return "POST", f"/mcp?{self._query(self.place())}", json.dumps(call).encode(), headers

    def _mem0(self) -> tuple[str, str, bytes, dict[str, str]]:
        method, path = self.chance.choice(MEM0)
        names = {one: self.value() for one in ("user_id", "agent_id", "run_id", "app_id") if self.chance.random() < 0.3}
        filters = self.chance.choice([{}, names, {"AND": [names, {"user_id": "bob"}]}, {"NOT": [{"user_id": "bob"}]}])
        given = names | {"query": WORDS, "filters": filters, "text": f"The {INTRUDED}", "memory_id": self.name()}
        given |= {"memories": [{"memory_id": self.name(), "text": f"The {INTRUDED}"}], "schema": {"properties": {}}}
        query = self._query(names) if method in ("GET", "DELETE") else ""
        body = json.dumps(given | {"messages": [{"role": "user", "content": f"I saw a {INTRUDED}"}]})
        return method, f"{self._path(path)}?{query}", body.encode(), {"Content-Type": "application/json"}

    def _studio(self) -> tuple[str, str, bytes, dict[str, str]]:
        method, path = self.chance.choice(STUDIO)
        address = f"{self._path(path)}?{self._query(self.place() | {'q': WORDS, 'of': self.name()})}"
        if method == "GET":
            return method, address, b"", {"Accept": "text/html"}
        names = ("primary", "secondary", "alias", "content", "name", "relation", "to", "scope", "ids", "back", "text",
                 "memory_id", "session", "same", "one", "other", "user")  # fmt: skip
        form = {one: self.name() for one in names if self.chance.random() < 0.6}
        return method, address, urlencode(form).encode(), {"Content-Type": "application/x-www-form-urlencoded"}


def asked(server: Running, key: str, request: tuple[str, str, bytes, dict[str, str]]) -> tuple[int, str]:
    """Status and answer; of the headers only those that say where else to look."""
    method, path, body, headers = request
    connection = HTTPConnection(server.host, server.port, timeout=60)
    try:
        connection.request(method, path, body, {"Authorization": f"Bearer {key}", **headers})
        answer = connection.getresponse()
        said = " ".join(answer.getheader(one, "") for one in ("Location", "Link", "ETag"))
        return answer.status, f"{said} {answer.read().decode('utf-8', 'replace')}"
    finally:
        connection.close()


def held(server: Running, key: str) -> Iterator[str]:
    """What Alice is shown: words, states and versions. What is learned meanwhile of her own words may be added."""
    for path in ("/v1/memories?limit=100", "/v1/memories?limit=100&chat=dm-alice&thread=thread-alice&persona=coach",
                 "/v1/memories?session=gov1&project=projB", "/v1/todos", "/v1/checkpoints/cp-alice", "/v1/profile",
                 "/v1/messages", "/v1/people"):  # fmt: skip
        status, answer = asked(server, key, ("GET", path, b"", {}))
        # Carol may read what was said to her.
        answer = re.sub(r'"(access_count|last_accessed_at)": ?[^,]+,', "", answer)
        yield from (f"{path} {status} {one}" for one in re.findall(r'"id": ?"[^{}]+', answer) or [answer])


def attack(requests: int, seed: int, *, is_unbound: bool = False) -> tuple[list[str], Counter[str]]:
    """What was reached, and how the requests were answered."""
    found: list[str] = []
    answers: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="wellkept-bench-") as folder:
        keys, names = furnish(Path(folder) / "memory.db")
        settings = {
            "WELLKEPT_SERVER__TOKEN_KEY": TOKEN_KEY,
            "WELLKEPT_SERVER__REQUESTS_PER_MINUTE": "0",
            "WELLKEPT_EMBEDDER__PROVIDER": "none",
        }
        with running(Path(folder), program=UNBOUND if is_unbound else None, **settings) as server:
            said = json.dumps({"facts": f"I know every {WORDS} of {MARK}"}).encode()
            asked(server, keys["alice"], ("POST", "/v1/remember", said, {"Idempotency-Key": "alice-1"}))
            intruder, before = Intruder(seed, names), set(held(server, keys["alice"]))
            for number in range(requests):
                who = intruder.chance.choice(["bob", "bob", "carol", "zenith", "token"])
                request = intruder.request()
                status, answer = asked(server, keys[who], request)
                answers[str(status)] += 1
                forbidden = (MARK, SHARED) if who != "carol" else () if "team" in str(request) else (MARK,)
                if any(one in answer for one in forbidden) or (status >= 500 and status not in (501, 503)):
                    found.append(f"{who} {request[:3]}: {status} {answer[:300]}")
                fresh = set(re.findall(r"\b[a-z]+_[0-9a-zA-Z]{12,}\b", answer)) - set(intruder.pool)
                intruder.pool += sorted(fresh)[: max(0, POOL_MAX - len(intruder.pool))]
                if number % HELD_EVERY == HELD_EVERY - 1:
                    now = set(held(server, keys["alice"]))
                    gone = {one for one in before - now if SHARED not in one and '"carol"' not in one}
                    changed = gone | {one for one in now - before if INTRUDED in one}
                    found += [f"by request {number + 1} Alice is shown something else: {one}" for one in changed]
                    before = now
    return found, answers


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unbound", action="store_true", help="the negative control")
    given = parser.parse_args()
    found, answers = attack(given.requests, given.seed, is_unbound=given.unbound)
    for one in found[:20]:
        print(one)
    print(", ".join(f"{status}: {count}" for status, count in sorted(answers.items())))
    print(f"{given.requests} requests; faults: {len(found)}")
    return int(bool(found) != given.unbound)


if __name__ == "__main__":
    sys.exit(main())
