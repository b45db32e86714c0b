"""The client against a real server: the verbs of a viewpoint, their answers and their errors."""

from __future__ import annotations

import inspect
import re
import threading
import typing
from datetime import UTC, datetime

import pytest

from tests.surfaces import conftest as surfaces
from wellkept import client as client_module
from wellkept import errors
from wellkept.api import Viewpoint
from wellkept.client import Client, RemoteViewpoint
from wellkept.operations import BY_NAME, OPERATIONS
from wellkept.operations.shapes import ANSWERS
from wellkept.startup import open as open_memory
from wellkept.types import Memory

cli, serve, settings = surfaces.cli, surfaces.serve, surfaces.settings
VERBS = {one.python: one for one in OPERATIONS if "." not in one.python}


@pytest.fixture
def memory(serve):
    _, (url,) = serve()
    with Client(url) as found:
        yield found


@pytest.fixture
def alice(memory):
    return memory.at(user="alice", chat="dm-alice")


def test_verbs_are_those_of_a_viewpoint():
    own = {name for name in vars(RemoteViewpoint) if not name.startswith("_")}
    assert own == set(VERBS)
    for name in own - {"why"}:  # a viewpoint also explains a whole recall; over HTTP, `recall` is asked for it
        here, there = getattr(RemoteViewpoint, name), getattr(Viewpoint, name)
        assert inspect.signature(here).parameters == inspect.signature(there).parameters, name
        told, answer = here.__annotations__["return"], ANSWERS[VERBS[name].name]
        # A verb that names no answer has that of the method, as it is written there.
        assert told in (answer, re.sub(r"[\w.]+\.(\w+)", r"\1", _written(answer))), name


def _written(kind):
    return kind.__name__ if inspect.isclass(kind) and not typing.get_args(kind) else str(kind)


def test_a_memory_lives_over_http(alice):
    stored = alice.remember("My wife Sarah likes Italian food")
    assert stored.outcome == "created"
    found = alice.recall("what does my wife like?", about="my wife", as_of=datetime(2031, 1, 1, tzinfo=UTC))
    assert [hit.id for hit in found] == [stored.id]
    (record,) = alice.list(filters={"pinned": False}, include_expired=True)
    assert isinstance(record, Memory)
    assert (record.about, record.owner_user_id) == (("Sarah",), "alice")
    batch = alice.remember(["I like tea", {"content": "I play chess"}])
    assert [one.outcome for one in batch] == ["created", "created"]
    assert "Italian" in str(alice.context("dinner with my wife"))
    assert [one.name for one in alice.people()] == ["Sarah"]
    assert alice.forget(stored.id).reason == "user_deleted"
    assert alice.restore(stored.id).reason == "restored"
    assert [one.event for one in alice.history(stored.id).events][:2] == ["RESTORE", "DELETE"]
    said = [{"role": "user", "content": "I live in Tacna now.", "at": datetime(2031, 1, 1, tzinfo=UTC), "id": "a/b"}]
    assert alice.observe(said, wait=True).messages == ("a/b",)
    assert alice.observe(said, wait=True).messages == ()


def test_a_turn_a_todo_and_a_checkpoint(alice):
    turn = alice.turn("I have to water the plants tomorrow")
    assert alice.finish_turn(turn.session.id, "I will remind you.") is not None
    (todo,) = alice.todos()
    assert todo.due_at > todo.created_at
    assert alice.complete_todo(todo.id).status == "COMPLETED"
    saved = alice.save_checkpoint("a thread/with a slash", {"step": 1})
    assert alice.checkpoint("a thread/with a slash").data == {"step": 1}
    with pytest.raises(errors.CheckpointConflict):
        alice.save_checkpoint("a thread/with a slash", {"step": 2}, version=saved.version + 5)


def test_operators_call_every_operation(memory, alice):
    alice.remember("I like tea")
    assert memory.call("gc").archived == 0
    assert memory.call("stats", viewpoint={"user": "alice"}).states["active"] == 1
    assert [one.op for one in memory.call("events", viewpoint={"user": "alice"}, limit=1)] != []


WRONG = [
    ("forget", {"memory_id": "m_none"}),
    ("person", {"reference": "Nobody"}),
    ("session", {"session_id": "s_none"}),
    ("complete_todo", {"todo_id": "t_none"}),
    ("approve", {"proposal_id": "c_none"}),
    ("checkpoint", {"thread_id": "none"}),
    ("recall", {"query": " "}),
    ("recall", {"query": "tea", "limit": 0}),
    ("recall", {"query": "tea", "filters": {"colour": "blue"}}),
    ("list", {"as_of": "when pigs fly"}),
    ("forget", {"memory_id": 5}),
    ("start_phase", {"session": "none"}),
]


def test_an_error_is_the_exception_of_the_embedded_memory(alice, tmp_path):
    with open_memory(tmp_path / "embedded.db", embedder="none", worker="off") as embedded:
        here = embedded.at(user="alice", chat="dm-alice")
        for name, arguments in WRONG:
            with pytest.raises(errors.WellkeptError) as there:
                BY_NAME[name].run(here, arguments)
            with pytest.raises(errors.WellkeptError) as told:
                getattr(alice, name)(**arguments)
            assert type(told.value) is type(there.value)
            assert (told.value.code, str(told.value)) == (there.value.code, str(there.value))
            assert vars(told.value).items() >= vars(there.value).items()


def test_what_a_key_may_not_is_not_allowed(serve, cli):
    key = cli("--json", "keys", "add", "a bot", "--scope", "user:alice").json["key"]
    _, (url,) = serve()
    with Client(url, key=key) as found:
        assert found.at(chat="dm").remember("I like tea").outcome == "created"
        with pytest.raises(errors.IdentityMismatch):
            found.at(user="bob").list()
        with pytest.raises(errors.NotAllowed, match="operator"):
            found.call("gc")
    with Client(url) as stranger, pytest.raises(errors.Unauthorized):
        stranger.at(user="alice").list()


def test_over_a_unix_socket(serve, tmp_path):
    _, addresses = serve("--unix", str(tmp_path / "socket"))
    with Client(f"unix:{tmp_path / 'socket'}") as found:
        assert found.at(user="alice").remember("I like tea").outcome == "created"
    assert len(addresses) == 2


def test_connections_are_kept_and_shared_by_threads(alice, monkeypatch):
    opened = []
    monkeypatch.setattr(client_module, "connection", lambda url: opened.append(url) or connection(url))
    for _ in range(5):
        alice.list()
    assert len(opened) == 1
    threads = [threading.Thread(target=lambda: [alice.list() for _ in range(5)]) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(opened) <= 5
    monkeypatch.setattr(client_module, "IDLE_SECONDS", 0.0)
    before = len(opened)
    alice.list()
    assert len(opened) == before + 1


def connection(url):
    from wellkept.surfaces.http.rpc_client import connection as real

    return real(url)


def test_nobody_there():
    with pytest.raises(errors.WellkeptError) as told, Client("http://127.0.0.1:9") as found:
        found.at(user="alice").list()
    assert told.value.code == "unreachable"
    with pytest.raises(errors.InvalidInput), Client("gopher://x") as found:
        found.at(user="alice").list()
