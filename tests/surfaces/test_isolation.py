"""Nobody reaches what is another's by naming it: every operation, every name in a request, keys of every scope."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any
from urllib.parse import quote

import pytest

from tests.surfaces.served import client, opened
from wellkept.errors import WellkeptError
from wellkept.operations import OPERATIONS
from wellkept.policies import callers
from wellkept.policies.callers import PLACE_NAMES
from wellkept.store.contract import Latest, Proposal
from wellkept.surfaces.http.gateway import Call, Gateway
from wellkept.vocabulary import Kind, Space

MARK = "Zanzibar"
"""Stands in everything that is Alice's, and in nothing that Bob says."""
WORDS = "the hotel, the port, the stamps, the ferry, the offsite and the dive"
"""Of everything that is Alice's, so that a search finds it."""
PLACES: Mapping[str, tuple[Any, ...]] = {
    "tenant": ("default",),
    "user": ("alice",),
    "chat": ("dm-alice", "team", "room"),
    "chat_type": (),
    "participants": (["alice"], ["@ally"]),
    "persona": ("coach",),
    "agent": ("planner",),
    "thread": ("thread-alice",),
    "session": ("gov1",),
    "project": ("projB",),
    "run": ("run-alice",),
    "username": ("ally",),
    "display_name": ("Alice",),
}
"""What of Alice's each part of a viewpoint can name."""
FILTERS = (
    {"user_id": "alice"}, {"agent_id": "planner"}, {"run_id": "run-alice"}, {"actor_id": "alice"},
    {"learned_in": "team"}, {"learned_in": "dm-alice"},
)  # fmt: skip
PLAIN = frozenset(
    {
        "alias", "as_of", "categories", "category", "checks", "content", "data", "expires", "facts", "from_phase",
        "messages", "name", "names", "node", "now", "op", "procedure", "query", "reason", "relation", "returns",
        "scope", "sensitivity", "source", "sources", "space", "state", "status", "strategy", "text", "to_phase", "type",
        "user_text",
    }
)  # fmt: skip
"""Parameters that name nothing which belongs to somebody."""
VALUES: Mapping[str, Any] = {
    "texts": ["x"], "pair": ["x", "y"], "facts": "I like tea a lot", "integer": 1, "number": 1.5, "flag": True,
    "messages": [{"role": "user", "content": "I like tea a lot"}], "object": {}, "steps": "x",
}  # fmt: skip


class World:
    """Alice with one of everything, and Bob with nothing."""

    def __init__(self, path: Any) -> None:
        self.memory = memory = opened(path)
        self.alice = memory.at(user="alice", username="ally", display_name="Alice", run="run-alice")
        self.alice.remember(f"I moved to {MARK} last year")
        self.alice.remember(f"I collect stamps of {MARK}")
        here = memory.at(user="alice", thread="thread-alice", persona="coach", chat="dm-alice")
        here.remember(f"I will dive in {MARK} with my sister Tess")
        here.add(f"Book the ferry to {MARK}", shared=True)
        self.team = memory.at(user="alice", participants=["carol"], chat="team", chat_type="group")
        self.team.add(f"The offsite is in {MARK}", shared=True)
        heard = self.team.observe([{"role": "user", "content": f"We all fly to {MARK} in May"}])
        memory.at(chat="room", chat_type="group").add(f"The room of {MARK}, which nobody is known to be in")
        governed = memory.governed(session="gov1", user="alice", project="projB")
        governed.record(user=f"I prefer the hotel in {MARK}")
        governed.record(user=f"Remember this for our project: we decided to use the port of {MARK}")
        turned = self.alice.turn(f"Remind me to call the hotel in {MARK} tomorrow")
        turned.finish(f"I will remind you of {MARK}.")
        self.alice.save_checkpoint("cp-alice", {"at": MARK})
        asked = Proposal(
            id="c_alice", tenant="default", user_id="alice", field="preferred_name", new=MARK, at=memory.engine.clock()
        )
        memory.engine.store.keep(asked)
        self.session = turned.session.id
        self.messages = (*heard.ids, *(one.id for one in self.alice.messages()))
        self.todos = [one.id for one in self.alice.todos(status="ALL")]
        self.person = memory.engine.store.person("default", user="alice").id
        spaces = (
            (Space.USER, "alice"), (Space.CHAT, "dm-alice"), (Space.CHAT, "team"), (Space.SESSION, "gov1"),
            (Space.PROJECT, "projB"), (Space.CHAT, "room"),
        )  # fmt: skip
        kinds = (Kind.SEMANTIC, Kind.PROFILE, Kind.EPISODIC)
        wanted = [Latest(scope=("default", *place), kinds=kinds, limit=1) for place in spaces]
        self.ids = [memory.engine.store.memories(one)[0].id for one in wanted]
        self.events = [one.id for one in memory.events.list(of="alice")][:1]
        memory.at(user="bob").remember("I like tea")

    def named(self) -> dict[str, tuple[Any, ...]]:
        """What of Alice's each parameter can name."""
        whom = ("alice", "@ally", "Alice", self.person)
        return {
            "memory_id": tuple(self.ids),
            "before": (self.ids[0], *self.events, *self.messages[:1]),
            "session_id": (self.session, "gov1"),
            "in_session": (self.session,),
            "message_id": self.messages,
            "to": whom,
            "session": ("gov1",),
            "project": ("projB",),
            "thread_id": ("cp-alice", "thread-alice"),
            "todo_id": tuple(self.todos),
            "proposal_id": ("c_alice",),
            "reference": whom,
            "primary": whom,
            "secondary": whom,
            "same": (["bob", self.person],),
            "different": (["bob", self.person],),
            "about": tuple([one] for one in whom),
            "filters": FILTERS,
            "agent": ("planner",),
            "of": ("alice", "*"),
            "user_id": ("alice",),
            "key_id": ("k_none",),
            "token_id": ("t_none",),
        }

    def held(self) -> str:
        """Everything of Alice's as it stands."""
        store, alice = self.memory.engine.store, self.alice
        memories = [store.memory("default", one) for one in self.ids]
        people = [store.attendance("default", ["dm-alice", "team", "room"]), store.person("default", user="alice")]
        listed = [one for one in alice.list(limit=100) if one.owner == "alice"]  # others may speak of her
        own = [
            listed,
            alice.todos(status="ALL"),
            alice.checkpoints(),
            alice.sessions(),
            alice.profile(),
            alice.consents(),
        ]
        return repr([[(one.content, one.state, one.version, one.pinned) for one in memories], people, own])


@pytest.fixture
def world(tmp_path):
    found = World(tmp_path / "memory.db")
    with found.memory:
        yield found


def places() -> Iterator[dict[str, Any]]:
    """Each part of a viewpoint alone, a chat also as a group and among its people."""
    yield {}
    for name, values in PLACES.items():
        yield from ({name: value} for value in values)
    for chat in PLACES["chat"]:
        yield {"chat": chat, "chat_type": "group"}
        yield {"chat": chat, "chat_type": "group", "participants": ["alice"]}
    yield {"session": "gov1", "project": "projB", "chat": "dm-alice", "persona": "coach", "thread": "thread-alice"}


def arguments(operation: Any, named: Mapping[str, tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """What must be given, then with each parameter that names something."""
    required = [one for one in operation.parameters if one.is_required or (one.is_argument and one.kind == "text")]
    naming = [one.name for one in required if one.name in named]
    base = {one.name: VALUES.get(one.kind, WORDS) for one in required if one.name not in named}
    for values in product(*(named[name] for name in naming)):
        whole = base | dict(zip(naming, values, strict=True))
        yield whole
        others = [one.name for one in operation.parameters if one.name in named and one.name not in naming]
        yield from (whole | {name: value} for name in others for value in named[name])


def reached(world: World, key: str, claimed: Mapping[str, Any], tenant: str = "default") -> list[str]:
    """Where a key was told or could change something of Alice's."""
    gateway = Gateway(world.memory)
    grant = callers.of_scopes(key.split(), tenant=tenant, caller="sweep")
    named, found, held = world.named(), [], world.held()
    for operation in OPERATIONS:
        for place, given in product(places(), arguments(operation, named)):
            call = Call(operation=operation, arguments=given, place=place | claimed, grant=grant, surface="sweep")
            try:
                told = json.dumps(gateway.run(call))
            except WellkeptError as error:
                told = str(error)
            if MARK in told:
                found.append(f"{operation.name} {given} at {place | claimed} told {told[:300]}")
        if (now := world.held()) != held:
            found.append(f"{operation.name} changed something of Alice's")
            held = now
    return found


def test_every_name_of_a_request_is_in_the_sweep(world):
    assert set(PLACES) == set(PLACE_NAMES)
    kinds = ("text", "texts", "pair", "object")
    parameters = {one.name for operation in OPERATIONS for one in operation.parameters if one.kind in kinds}
    assert parameters - PLAIN - set(world.named()) == set(), "say in PLAIN or World.named what a new parameter names"


BOUND = (("user:bob", {}), ("agent:supervisor", {"user": "bob"}), ("user:bob agent:planner", {}))
"""Keys that work for Bob, and what they claim."""


@pytest.mark.parametrize(("key", "claimed"), BOUND)
def test_nothing_of_another_user_is_reached_by_naming_it(world, key, claimed):
    assert reached(world, key, claimed) == []


@pytest.mark.parametrize("key", ["tenant", "user:alice", "agent:planner"])
def test_no_key_of_another_tenant_reaches_anything(world, key):
    """Not even one of a user or agent of the same name."""
    assert reached(world, key, {} if key == "user:alice" else {"user": "alice"}, tenant="zenith") == []


@pytest.mark.parametrize(("key", "claimed"), [*BOUND, ("tenant", {"user": "bob"})])
def test_what_is_for_operators_is_refused_to_every_other_key(world, key, claimed):
    gateway, grant = Gateway(world.memory), callers.of_scopes(key.split(), tenant="default", caller="sweep")
    operators = [one for one in OPERATIONS if one.is_admin]
    assert operators
    for operation in operators:
        for given in arguments(operation, world.named()):
            call = Call(operation=operation, arguments=given, place=claimed, grant=grant, surface="sweep")
            with pytest.raises(WellkeptError) as refused:
                gateway.run(call)
            assert refused.value.code == "admin_only"


def test_the_sweep_finds_a_gateway_that_binds_nothing(world, monkeypatch):
    monkeypatch.setattr("wellkept.surfaces.http.gateway.bound_place", lambda place, _vouched: place)
    monkeypatch.setattr("wellkept.surfaces.http.gateway.refusal", lambda _place, _vouched: None)
    found = "\n".join(reached(world, "user:bob", {}))
    named = ("gov1", "projB", "dm-alice", "team", "room")
    for part in ("list ", "recall ", "history ", "edit changed", "forget changed", *(f"'{one}'" for one in named)):
        assert part in found


@pytest.mark.parametrize("key", ["operator", "tenant", "user:alice", "agent:supervisor"])
def test_what_is_swept_for_is_there_for_whom_it_is(world, key):
    gateway, grant = Gateway(world.memory), callers.of_scopes([key], tenant="default", caller="sweep")
    listed = next(one for one in OPERATIONS if one.name == "list")
    for name in ("session", "project", "chat"):
        place = {"user": "alice", name: PLACES[name][0]}
        call = Call(operation=listed, arguments={"limit": 100}, place=place, grant=grant, surface="sweep")
        assert {name, "user"} <= {one["space"] for one in gateway.run(call)}, name


@pytest.fixture
def bob(world):
    return client(world.memory, key=world.memory.keys.add("bob", scope=["user:bob"]).key)


@pytest.mark.parametrize("place", [{"session": "gov1"}, {"project": "projB"}])
def test_a_session_or_project_of_another_is_empty_on_every_surface(world, bob, place):
    never = dict.fromkeys(place, "never-was")
    for where in (place, never):
        assert MARK not in bob.get("/v1/memories", params=where).text
        assert MARK not in str(bob.post("/v1/recall", json={"query": WORDS, "viewpoint": where}).json()["hits"])
        listed = bob.post("/rpc", json={"jsonrpc": "2.0", "id": 1, "method": "memory.list", "params": where}).json()
        assert [one["content"] for one in listed["result"]] == ["The user likes tea"]
        assert MARK not in bob.get("/memories", params=where | {"q": WORDS}).text
    asked = {"query": WORDS, "filters": {"AND": [{"user_id": "bob"}, {"run_id": "run-alice"}]}}
    assert bob.post("/v3/memories/search/", json=asked).json()["results"] == []
    called = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    asked = called | {"params": {"name": "recall", "arguments": {"query": WORDS}}}
    with bob:
        told = bob.post("/mcp", params=place, json=asked, headers={"Accept": "application/json, text/event-stream"})
    assert (told.status_code, MARK in told.text) == (200, False)


@pytest.mark.parametrize(("place", "number"), [({"session": "gov1"}, 3), ({"project": "projB"}, 4)])
def test_a_memory_of_another_is_as_one_that_never_was(world, bob, place, number):
    one, never = (f"/v1/memories/{memory_id}" for memory_id in (world.ids[number], "m_neverneverneverne"))
    for method, path in (("GET", ""), ("GET", "/history"), ("GET", "/why"), ("DELETE", ""), ("DELETE", "/pin")):
        answer = bob.request(method, one + path, params=place)
        assert (answer.status_code, answer.content) == (404, bob.request(method, never + path, params=place).content)
    body = {"content": "Mine", "viewpoint": place}
    answer = bob.patch(one, json=body)
    assert (answer.status_code, answer.content) == (404, bob.patch(never, json=body).content)


def test_what_a_user_names_first_is_the_users_own(world, bob):
    """Naming what another has opened, or will open, is no error and no way in: it is another session."""
    for session in ("gov1", "new"):
        place = {"session": session}
        said = {"facts": f"I like the {session} chess club", "viewpoint": place}
        assert bob.post("/v1/remember", json=said).json()["outcome"] == "created"
    assert world.memory.engine.store.opened("default", "bob", [(Space.SESSION, "gov1")]) == frozenset()
    assert world.memory.engine.store.opened("default", "alice", [(Space.SESSION, "gov1")])


GROUPED = {"chat": "team", "chat_type": "group"}
VIEWPOINTS = ({}, {"session": "gov1"}, {"project": "projB"}, {"chat": "dm-alice"}, GROUPED)
UNSWEPT = {"/v1/stream", "/mcp", "/studio/{name}", "/sign-in", "/sign-out"}
"""A stream does not end, and MCP is called by name: both have tests of their own. The rest shows nothing of anybody."""
PATHS = {
    "kind": ("user", "agent", "run"),
    "name": ("alice", "planner", "run-alice"),
    "answer": ("same", "different"),
    "rest": ("x",),
}
SAID = {"content": "Mine", "text": "Mine", "q": WORDS}
"""What the Studio and mem0 are given."""


def routes(app: Any, named: Mapping[str, tuple[Any, ...]]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every method and path of the server with Alice's names in it, and what else must be given there."""
    wanted = {route: one for one in OPERATIONS for route in (one.http, *one.also)}
    for route in app.app.router.routes:
        if route.path in UNSWEPT:
            continue
        template = re.sub(r"{(\w+):path}", r"{\1}", route.path)
        names = re.findall(r"{(\w+)}", template)
        for method, values in product(
            sorted(route.methods - {"HEAD"}), product(*((named | PATHS)[one] for one in names))
        ):
            operation = wanted.get((method, route.path))
            given = SAID if operation is None else next(arguments(operation, named))
            path = template.format(**dict(zip(names, (quote(str(one), safe="") for one in values), strict=True)))
            yield method, path, {name: value for name, value in given.items() if name not in names}


def served(world: World, bob: Any) -> list[str]:
    """Paths by which a key was told or could change something of Alice's."""
    found, held = [], world.held()
    for (method, path, given), place in product(routes(bob.app, world.named()), VIEWPOINTS):
        if method in ("GET", "DELETE"):
            told = bob.request(method, path, params=place | given)
        else:
            where = {} if path.startswith("/v1") else place
            told = bob.request(method, path, params=where, json=given | {"viewpoint": place})
        # 501: a route of mem0's platform that is not there.
        if MARK in told.text or (told.status_code >= 500 and told.status_code != 501):
            found.append(f"{method} {path} at {place}: {told.status_code} {told.text[:200]}")
    return found if world.held() == held else [*found, "something of Alice's was changed"]


def test_no_path_of_the_server_shows_or_changes_what_is_anothers(world, bob):
    assert served(world, bob) == []


def test_the_sweep_over_paths_finds_a_gateway_that_binds_nothing(world, bob, monkeypatch):
    monkeypatch.setattr("wellkept.surfaces.http.gateway.bound_place", lambda place, _vouched: place)
    monkeypatch.setattr("wellkept.surfaces.http.gateway.refusal", lambda _place, _vouched: None)
    found = "\n".join(served(world, bob))
    for part in ("GET /v1/memories at", "GET /memories at", "POST /v1/recall at", "was changed"):
        assert part in found


@pytest.fixture
def carol(world):
    return client(world.memory, key=world.memory.keys.add("carol", scope=["user:carol"]).key)


GROUP = {"chat": "dm-carol", "chat_type": "group"}


def test_a_chat_is_not_taken_by_naming_it_first(world, bob, carol):
    place = {"chat": "dm-carol"}
    for who, facts in ((bob, "I like chess"), (carol, f"I booked a dive in {MARK}")):
        for shared in (False, True):
            said = {"facts": facts, "shared": shared, "viewpoint": place}
            assert who.post("/v1/remember", json=said).json()["outcome"] == "created"
    assert MARK in carol.get("/v1/memories", params=place).text
    for where in (place, GROUP, place | {"participants": "carol"}, {"chat": "own:carol/dm-carol"}):
        assert MARK not in bob.get("/v1/memories", params=where).text
    attending = world.memory.engine.store.attendance("default", ["dm-carol", "own:bob/dm-carol", "own:carol/dm-carol"])
    assert {chat: len(people) for chat, people in attending.items()} == {"own:bob/dm-carol": 1, "own:carol/dm-carol": 1}


def test_a_refusal_does_not_say_whether_a_chat_exists(world, bob):
    for more in ({"chat_type": "group"}, {"participants": "alice"}, {"chat_type": "group", "participants": "alice"}):
        answers = [bob.get("/v1/memories", params={"chat": chat, **more}) for chat in ("team", "room", "never-was")]
        assert {answer.json()["code"] for answer in answers} == {"not_participant"}
        assert len({answer.content for answer in answers}) == 1


def test_whoever_vouches_lets_users_into_a_chat(world, bob, carol):
    assert bob.get("/v1/memories", params=GROUP).json()["code"] == "not_participant"
    tenant = client(world.memory, key=world.memory.keys.add("app", scope=["tenant"]).key)
    place = {"user": "carol", "participants": ["bob"], **GROUP}
    tenant.post("/v1/remember", json={"facts": "Our standup is at nine", "shared": True, "viewpoint": place})
    for who in (bob, carol):
        assert "standup" in who.get("/v1/memories", params=GROUP).text
        assert who.get("/v1/memories", params=GROUP | {"participants": "alice"}).json()["code"] == "not_participant"
    said = {"facts": "I bring the cake on Friday", "shared": True, "viewpoint": GROUP | {"participants": ["carol"]}}
    assert bob.post("/v1/remember", json=said).json()["outcome"] == "created"
    assert "cake" in carol.get("/v1/memories", params=GROUP).text


def test_nobody_takes_the_name_of_another(world, bob):
    for place in ({"username": "ally"}, {"display_name": "Alice"}):
        answer = bob.post("/v1/remember", json={"facts": "I like tea", "viewpoint": place})
        assert answer.json()["code"] == "identity_mismatch"
    world.memory.at(user="bob", chat="team", chat_type="group").remember("I joined the team", shared=True)
    for speaker, chat in product(("alice", "@ally", world.person, "Alice"), ("team", "dm")):
        place = {"chat": chat, "chat_type": "group" if chat == "team" else "private"}
        messages = [{"role": "user", "speaker": speaker, "content": "I quit my job and moved to Berlin"}]
        answer = bob.post("/v1/observe", json={"messages": messages, "wait": True, "viewpoint": place})
        assert answer.json()["code"] == "identity_mismatch"
    own = [{"role": "user", "speaker": "bob", "content": "I moved to Berlin"}]
    assert bob.post("/v1/observe", json={"messages": own, "viewpoint": {"chat": "dm"}}).status_code == 200


def test_nobody_gets_into_a_chat_by_becoming_somebody(world, bob):
    """The person of a user is the user's, even if somebody else spoke of her first."""
    bob.post("/v1/remember", json={"facts": "@dana likes tea"})
    dana = world.memory.at(user="dana", username="dana", chat="dm-dana")
    dana.add(f"The villa in {MARK}", shared=True)
    own = world.memory.engine.store.person("default", user="bob").id
    for pair in ((own, "@dana"), ("@dana", own)):
        answer = bob.post("/v1/people/merge", json=dict(zip(("primary", "secondary"), pair, strict=True)))
        assert answer.json()["code"] == "not_vouched"
    assert bob.post(f"/v1/people/{own}/aliases", json={"alias": "@erin"}).json()["code"] == "not_vouched"
    assert MARK not in bob.get("/v1/memories", params={"chat": "dm-dana"}).text


@pytest.mark.parametrize("place", [{}, {"session": "gov1"}, {"project": "projB"}, {"chat": "team"}])
def test_a_key_of_an_agent_does_nothing_without_a_user(world, place):
    """What is done without a user is the system's own work."""
    gateway, grant = Gateway(world.memory), callers.of_scopes(["agent:planner"], tenant="default", caller="sweep")
    for operation in OPERATIONS:
        for given in arguments(operation, world.named()):
            if "user_id" in given.get("filters", {}):
                continue  # a user is named, as a viewpoint would name one
            call = Call(operation=operation, arguments=given, place=place, grant=grant, surface="sweep")
            with pytest.raises(WellkeptError) as refused:
                gateway.run(call)
            assert refused.value.code == "no_owner"
