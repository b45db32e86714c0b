"""A pytest plugin that puts wellkept's saver and store where LangGraph's tests ask for those of SQLite.

    pytest -p langgraph_plugin …

Tests of the two SQLite classes themselves (their SQL, their tables) cannot pass and are not run.
"""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.store import memory as in_memory
from langgraph.store.sqlite import SqliteStore
from langgraph.store.sqlite.aio import AsyncSqliteStore

import wellkept
from wellkept.integrations.langgraph import LongTermStore, Saver


@contextmanager
def memory() -> Iterator[wellkept.Memory]:
    """A store of its own for each test, with the bundled embedder as it is shipped."""
    with (
        tempfile.TemporaryDirectory(prefix="wellkept-langgraph-") as folder,
        wellkept.open(str(Path(folder) / "memory.db"), worker="off") as opened,
    ):
        yield opened


@contextmanager
def saver(_path: str) -> Iterator[Saver]:
    with memory() as opened:
        yield Saver(opened)


@asynccontextmanager
async def async_saver(_path: str) -> AsyncIterator[Saver]:
    with memory() as opened:
        yield Saver(opened)


class Store(LongTermStore):
    def setup(self) -> None:
        """Nothing to do: `wellkept.open` has made the tables."""


class AsyncStore(LongTermStore):
    async def setup(self) -> None:
        """Nothing to do: `wellkept.open` has made the tables."""


@contextmanager
def store(_path: str, **options: Any) -> Iterator[LongTermStore]:
    with memory() as opened:
        yield Store(opened, **options)


@asynccontextmanager
async def async_store(_path: str, **options: Any) -> AsyncIterator[LongTermStore]:
    with memory() as opened:
        yield AsyncStore(opened, **options)


class InMemory(LongTermStore):
    """In place of LangGraph's store in memory, which nobody closes."""

    def __init__(self, *, index: Any = None) -> None:
        self._open = memory()
        super().__init__(self._open.__enter__(), index=index)


in_memory.InMemoryStore = InMemory  # type: ignore[misc, assignment]  # that is the point
for theirs, ours in (
    (SqliteSaver, saver),
    (AsyncSqliteSaver, async_saver),
    (SqliteStore, store),
    (AsyncSqliteStore, async_store),
):
    theirs.from_conn_string = staticmethod(ours)  # type: ignore[method-assign, assignment]  # that is the point
