"""What may not be there on another system: Unix sockets, POSIX modules, forks."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "wellkept"
POSIX_MODULES = {"fcntl", "grp", "pwd", "resource", "termios", "tty", "pty"}
POSIX_NAMES = {
    "fork",
    "geteuid",
    "getuid",
    "killpg",
    "setsid",
    "fchmod",
    "mkfifo",
    "register_at_fork",
    "SIGKILL",
    "SIGHUP",
}
# Removes what Windows lacks before anything of ours is imported, then runs the command line.
WITHOUT = """
import asyncio, os, socket, sys
for module, name in ((socket, "AF_UNIX"), (os, "fork"), (os, "register_at_fork"), (os, "geteuid")):
    if hasattr(module, name):
        delattr(module, name)

def socketpair(*_):
    # As Windows makes a pair: over its own address.
    with socket.create_server(("127.0.0.1", 0)) as waiting:
        one = socket.create_connection(waiting.getsockname())
        return one, waiting.accept()[0]

socket.socketpair = socketpair
from wellkept.surfaces.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def calls(tree):
    """Dotted names that are used, and the lines of `hasattr` checks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield node.value.id, node.attr, node.lineno


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_module_needs_posix(path):
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    imported = {
        name.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    } | {(node.module or "").split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not imported & POSIX_MODULES
    for owner, name, _ in calls(tree):
        if (owner, name) == ("socket", "AF_UNIX") or (owner in {"os", "signal"} and name in POSIX_NAMES):
            assert f'hasattr({owner}, "{name}")' in source, f"{owner}.{name} without asking whether it is there"


def without_posix(tmp_path, *words, **options):
    environment = {**os.environ, "WELLKEPT_DB": str(tmp_path / "memory.db"), "WELLKEPT_EMBEDDER__PROVIDER": "none"}
    return subprocess.Popen(
        [sys.executable, "-c", WITHOUT, *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_server_serves_where_there_are_no_unix_sockets(tmp_path):
    server = without_posix(tmp_path, "--json", "serve", "--port", "0")
    try:
        address = json.loads(server.stdout.readline())["listening"]
        with httpx.Client(base_url=address, timeout=90, transport=httpx.HTTPTransport(retries=20)) as http:
            assert http.get("/readyz").json() == {"status": "ready"}
            asked = {"facts": "I like green tea", "viewpoint": {"user": "alice"}}
            assert http.post("/v1/remember", json=asked).json()["outcome"] == "created"
    finally:
        server.kill()
        server.communicate()


@pytest.mark.parametrize(
    "words", [("serve", "--port", "0", "--unix", "door.sock"), ("--rpc", "unix:/x", "memory", "list")]
)
def test_who_asks_for_a_unix_socket_there_is_told(tmp_path, words):
    done = without_posix(tmp_path, "--json", *words)
    out, err = done.communicate(timeout=60)
    assert done.returncode in (1, 2)
    assert "no Unix sockets" in json.loads(out)["error"]["message"]
    assert "Traceback" not in err
