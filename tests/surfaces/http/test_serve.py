"""A real server: where it listens, the sandbox at its socket, the stream, and its end."""

from __future__ import annotations

import json
import signal
import stat
import threading
import time

import httpx
import pytest

from tests.surfaces.conftest import Done
from wellkept.surfaces.cli.main import main

SECRET = "hmac:a secret of the sandbox"
PATIENCE_S = 90
"""A first request loads the model, and machines may be busy."""


def test_a_sandbox_with_a_token_and_the_socket_works_within_its_identity(serve, process, tmp_path):
    path = tmp_path / "door.sock"
    serve("--unix", str(path), WELLKEPT_SERVER__TOKEN_KEY=SECRET)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    made = process("token", "make", "--user", "alice", "--chat", "dm", WELLKEPT_SERVER__TOKEN_KEY=SECRET)
    token = made.out.strip()
    assert "user alice, chat dm" in made.err
    inside = {
        "WELLKEPT_RPC": f"unix:{path}",
        "WELLKEPT_CONTEXT_TOKEN": token,
        "WELLKEPT_USER": "",
        "WELLKEPT_DB": "/nowhere/x",
    }

    def run(*words, **variables):
        return process("--json", *words, **{**inside, **variables})

    added = run("memory", "add", "I like green tea", "--type", "preference").json
    assert added["outcome"] == "created"
    assert [hit["id"] for hit in run("memory", "search", "tea").json["hits"]] == [added["id"]]
    assert [one["content"] for one in run("memory", "list").json] == ["I like green tea"]
    text = process("memory", "list", **inside)
    assert "I like green tea" in text.out
    assert added["id"][:10] in text.out
    assert run("memory", "delete", added["id"]).json["reason"] == "user_deleted"

    def code(*words, **variables):
        done = run(*words, **variables)
        assert done.status == 1, done
        return done.json["error"]["code"]

    assert code("--user", "bob", "memory", "list") == "identity_mismatch"
    assert code("--chat", "team", "--chat-type", "group", "memory", "list") == "identity_mismatch"
    assert code("memory", "gc") == "admin_only"
    assert code("keys", "add", "mine", "--scope", "operator") == "admin_only"
    assert code("memory", "list", WELLKEPT_CONTEXT_TOKEN="") == "no_key"
    assert code("memory", "list", WELLKEPT_CONTEXT_TOKEN=token + "x") == "invalid_token"
    assert code("trace", "show", "s") == "admin_only"
    assert code("token", "make") == "admin_only"
    assert code("memory", "list", WELLKEPT_RPC=f"unix:{tmp_path}/none") == "unreachable"


@pytest.fixture
def here(settings, capsys):
    """Call the command in this process, by the real clock: `here("memory", "list")`."""

    def call(*words):
        capsys.readouterr()
        status = main(list(words))
        printed = capsys.readouterr()
        return Done(status=status, out=printed.out, err=printed.err)

    return call


def test_without_a_token_key_the_environment_says_who_asks(serve, here, monkeypatch):
    _, (address,) = serve()
    monkeypatch.setenv("WELLKEPT_RPC", address)
    monkeypatch.setenv("WELLKEPT_DB", "/nowhere/x")
    assert here("remember", "My favorite color is teal").out.startswith("Remembered m_")
    assert "favorite color is teal" in here("memory", "search", "favorite color").out
    assert here("--json", "--user", "bob", "memory", "list").json == []
    refused = here("remember", "my password is hunter2!")
    assert (refused.status, bool(refused.err)) == (1, True)


PAGES = [
    ("consent", "list"),
    ("consent", "profile"),
    ("sessions",),
    ("todos",),
    ("doctor",),
    ("doctor", "--fix", "--yes"),
    ("upkeep", "jobs"),
    ("upkeep", "retry"),
    ("memory", "compact"),
    ("trace", "show", "none"),
    ("people", "list"),
    ("memory", "stats"),
]


def test_a_page_looks_the_same_from_a_server(serve, here):
    _, (address,) = serve()
    taken = here("--rpc", address, "turn", "take", "I will call Kenji tomorrow, and my name is Maren").out
    assert taken.startswith("<<<memory ")
    session_id = taken.rpartition("session  ")[2].split()[0]
    for words in [*PAGES, ("session", session_id)]:
        local, remote = here(*words), here("--rpc", address, *words)
        assert (remote.out, remote.err, remote.status) == (local.out, local.err, local.status), words
        assert local.out.strip(), words


def test_it_refuses_to_listen_where_anybody_could_read(settings, process):
    done = process("--json", "serve", "--host", "192.0.2.1", "--port", "0", WELLKEPT_EMBEDDER__PROVIDER="none")
    assert (done.status, done.json["error"]["code"]) == (1, "no_key")
    assert "wellkept keys add" in done.err


def test_a_port_that_is_taken_is_said(serve, process):
    _, (address,) = serve()
    done = process("--json", "serve", "--port", address.rpartition(":")[2])
    assert (done.status, done.json["error"]["code"]) == (1, "cannot_listen")


def test_the_stream_tells_what_is_written_and_ends_with_the_server(serve):
    server, (address,) = serve()
    heard = []

    def listen():
        with httpx.stream("GET", f"{address}/v1/stream?op=create", timeout=PATIENCE_S) as stream:
            heard.extend(line for line in stream.iter_lines() if line.startswith(("data:", ":")))

    thread = threading.Thread(target=listen)
    thread.start()
    while not heard:
        time.sleep(0.02)
    for user in ("alice", "bob"):
        body = {"facts": "I like tea", "viewpoint": {"user": user}}
        assert httpx.post(f"{address}/v1/remember", json=body, timeout=PATIENCE_S).json()["outcome"] == "created"
    while len(heard) < 3:
        time.sleep(0.02)
    server.send_signal(signal.SIGTERM)
    thread.join(PATIENCE_S)
    assert server.wait(PATIENCE_S) == 0
    assert {json.loads(line[5:])["owner"] for line in heard if line.startswith("data:")} == {"alice", "bob"}


def test_what_was_acknowledged_before_the_end_is_there(serve, process):
    """SIGTERM in the middle of writes: each was answered and is stored, or was not answered."""
    server, (address,) = serve()
    stored = []

    def write(name):
        with httpx.Client(base_url=address, timeout=PATIENCE_S) as http:
            for number in range(1_000):
                try:
                    body = {"content": f"Note {number} of {name}.", "viewpoint": {"user": name}}
                    stored.append((name, http.post("/v1/memories", json=body).raise_for_status().json()["id"]))
                except httpx.HTTPError:
                    return

    threads = [threading.Thread(target=write, args=(f"user{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    while len(stored) < 20:
        time.sleep(0.01)
    server.send_signal(signal.SIGTERM)
    for thread in threads:
        thread.join()
    assert server.wait(PATIENCE_S) == 0
    for name in {name for name, _ in stored}:
        listed = process("--json", "--user", name, "memory", "list", "--limit", "1000").json
        assert {one for user, one in stored if user == name} <= {one["id"] for one in listed}
