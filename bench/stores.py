"""Places for the stores of harnesses and tests: files in a folder, or databases of a real PostgreSQL."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Protocol

from bench.postgres_server import CARELESS, Server
from wellkept.store.opening import open_store

KINDS = ("sqlite", "postgres")
_NUMBERS = count(1)


class Places(Protocol):
    """Gives addresses of stores that nobody else uses."""

    def new(self) -> str:
        """Of an empty one."""

    def copy(self, url: str) -> str:
        """Of one that holds what another holds, which nobody has open."""


class Files:
    """Files in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def new(self) -> str:
        """See `Places`."""
        path = self._folder / f"memory{next(_NUMBERS)}.db"
        path.write_bytes(_empty())
        return str(path)

    def copy(self, url: str) -> str:
        """See `Places`."""
        return str(shutil.copy(url, self.new()))


@cache
def _empty() -> bytes:
    """A store without a row, which the others are copies of: to make one takes longer than most tests of it."""
    with tempfile.TemporaryDirectory(prefix="wellkept-") as folder:
        path = Path(folder) / "memory.db"
        open_store(path).close()
        return path.read_bytes()


class Databases:
    """Databases of one server, owned by a role that is no superuser."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._made: list[str] = []

    @staticmethod
    def prepare(server: Server) -> None:
        """Make the role `app` and `memory`, a store without a row that the others are copies of."""
        server.execute("CREATE ROLE app LOGIN")
        server.execute("CREATE DATABASE memory OWNER app")
        server.execute("CREATE EXTENSION vector", "memory")
        open_store(server.url("memory", "app")).close()

    def new(self, template: str = "memory") -> str:
        """See `Places`. From `template1` it makes databases without a schema."""
        self._made.append(f"t{os.getpid()}_{next(_NUMBERS)}")
        self._server.execute(f"CREATE DATABASE {self._made[-1]} TEMPLATE {template} OWNER app")
        return self._server.url(self._made[-1], "app")

    def copy(self, url: str) -> str:
        """See `Places`."""
        from psycopg.conninfo import conninfo_to_dict  # benches of the embedded store run without it

        return self.new(str(conninfo_to_dict(url)["dbname"]))

    def remove(self) -> None:
        """Drop all of them."""
        while self._made:
            self._server.execute(f"DROP DATABASE {self._made.pop()} WITH (FORCE)")


@contextmanager
def places(kind: str) -> Iterator[Places]:
    """A folder or a server for the time of a harness, where nothing waits for the disk."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory(prefix="wellkept-") as folder:
            yield Files(Path(folder))
        return
    server = Server().create(**CARELESS).start()
    try:
        print(server.versions())
        Databases.prepare(server)
        yield Databases(server)
    finally:
        server.remove()
