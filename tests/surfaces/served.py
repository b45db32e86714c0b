"""A server under test, in this process: a client for each way of calling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.testclient import TestClient

from wellkept.api import Memory
from wellkept.config import Config, ServerTable
from wellkept.startup import open as open_memory
from wellkept.surfaces.http.application import application

LOOPBACK = ("127.0.0.1", 50_000)


def opened(path: Any, clock: Any = None, **settings: Any) -> Memory:
    """A memory without an embedder, with these settings of the server."""
    return open_memory(path, clock=clock, embedder="none", config=Config(server=ServerTable(**settings)))


def client(memory: Memory, *, key: str | None = None, peer: tuple[str, int] = LOOPBACK, host: str = "localhost") -> Any:
    """A client of a fresh server of this memory."""
    headers: Mapping[str, str] = {} if key is None else {"Authorization": f"Bearer {key}"}
    return TestClient(application(memory), base_url=f"http://{host}", headers=dict(headers), client=peer)
