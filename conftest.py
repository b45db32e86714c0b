"""A real PostgreSQL for every test that asks for one: started once in a run, whatever the number of processes."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from bench.postgres_server import CARELESS, Server
from recollect.store.opening import open_store

_NUMBERS = count(1)


def _server_folder(config: pytest.Config) -> Path:
    """Where the server of this run lives; a short path, for it holds a socket."""
    run = getattr(config, "workerinput", {}).get("testrunuid") or f"{os.getpid()}"
    return Path(f"/tmp/rc-pg-{run[:12]}")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node) -> None:
    node.workerinput["testrunuid"] = f"{os.getpid()}"


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> Server:
    """The one server of the run, started by whoever needs it first; `memory` in it is a store without a row."""
    server = Server(_server_folder(request.config))
    with Path(f"{server.folder}.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not server.data.exists():
            server.create(**CARELESS).start()
            server.execute("CREATE ROLE app LOGIN")
            server.execute("CREATE DATABASE memory OWNER app")
            server.execute("CREATE EXTENSION vector", "memory")
            open_store(server.url("memory", "app")).close()
    return server


@pytest.fixture
def new_database(postgres: Server) -> Iterator[Callable[..., str]]:
    """Makes empty stores of the test's own and gives their addresses; no superuser owns them.

    From `template1` it makes databases without a schema.
    """
    made: list[str] = []

    def make(template: str = "memory") -> str:
        made.append(f"t{os.getpid()}_{next(_NUMBERS)}")
        postgres.execute(f"CREATE DATABASE {made[-1]} TEMPLATE {template} OWNER app")
        return postgres.url(made[-1], "app")

    yield make
    for name in made:
        postgres.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgres"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Gives the address of an empty store, another one each time; the test runs on every database."""
    if request.param == "postgres":
        return request.getfixturevalue("new_database")
    return lambda: str(tmp_path / f"memory{next(_NUMBERS)}.db")


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
