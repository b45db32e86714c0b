"""A real PostgreSQL for every test that asks for one: started once in a run, whatever the number of processes."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.postgres_server import CARELESS, Server
from bench.stores import KINDS, Databases, Files, Places

# Adapters import their framework, which need not be here; tests/integrations tries each.
collect_ignore_glob = ["src/wellkept/integrations/*"]
IN_MEMORY = Path("/dev/shm")
DISK = Path("/tmp") if os.name == "posix" else Path(tempfile.gettempdir())
ROOM_MIN = 2 * 1024**3
"""Bytes that have to be free there: databases, their log, and what else the machine keeps in it."""


def _server_folder(config: pytest.Config) -> Path:
    """Where the server of this run lives; a short path, for it holds a socket.

    Every test has databases of its own, of hundreds of files each: on a disk most of the work is making those.
    """
    run = getattr(config, "workerinput", {}).get("testrunuid") or f"{os.getpid()}"
    name = f"rc-pg-{run[:12]}"
    made = next((place / name for place in (IN_MEMORY, DISK) if (place / name).exists()), None)
    has_room = IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free >= ROOM_MIN
    return made or (IN_MEMORY if has_room else DISK) / name


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:
    node.workerinput["testrunuid"] = f"{os.getpid()}"


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> Server:
    """The one server of the run, started by whoever needs it first; `memory` in it is a store without a row."""
    import fcntl  # not on every system, and only this fixture needs it

    server = Server(_server_folder(request.config))
    with Path(f"{server.folder}.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not server.data.exists():
            Databases.prepare(server.create(**CARELESS).start())
    return server


@pytest.fixture
def databases(postgres: Server) -> Iterator[Databases]:
    """Databases of the test's own; no superuser owns them."""
    made = Databases(postgres)
    yield made
    made.remove()


@pytest.fixture
def new_database(databases: Databases) -> Callable[..., str]:
    """Makes empty stores and gives their addresses. From `template1` it makes databases without a schema."""
    return databases.new


@pytest.fixture(params=KINDS)
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Places:
    """Where the test may make stores; it runs on every database."""
    return request.getfixturevalue("databases") if request.param == "postgres" else Files(tmp_path)


@pytest.fixture
def new_store(places: Places) -> Callable[[], str]:
    """Gives the address of an empty store, another one each time."""
    return places.new


@pytest.fixture
def store_url(new_store: Callable[[], str]) -> str:
    """One of them."""
    return new_store()


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    server = Server(_server_folder(config))
    if server.data.exists():
        terminalreporter.write_line(f"ran on a real {server.versions()}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """The process that reports the run removes the server."""
    if not hasattr(config, "workerinput"):
        server = Server(_server_folder(config))
        if server.data.exists():
            server.remove()
        Path(f"{server.folder}.lock").unlink(missing_ok=True)
