"""The storage for CrewAI with the real framework, beside its own LanceDB storage: `python crewai_adapter.py`."""

from __future__ import annotations

import asyncio
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from checks import Checks, example
from crewai.memory.storage.backend import EmbeddingDimensionMismatchError, StorageBackend
from crewai.memory.storage.lancedb_storage import LanceDBStorage
from crewai.memory.types import MemoryRecord
from crewai.memory.unified_memory import Memory

import wellkept
from wellkept.integrations.crewai import Storage, embedder

checks = Checks()


def record(number: int, scope: str, *categories: str) -> MemoryRecord:
    vector = [0.1] * 8
    vector[number] = 1.0
    at = datetime(2026, 3, 1 + number)  # noqa: DTZ001 -- as CrewAI writes them
    return MemoryRecord(
        id=f"r{number}",
        content=f"text {number}",
        scope=scope,
        categories=list(categories),
        metadata={"n": number},
        created_at=at,
        last_accessed=at,
        embedding=vector,
    )


def ids(found: Any) -> list[str]:
    return [(one[0] if isinstance(one, tuple) else one).id for one in found]


def story(storage: Any) -> list[object]:
    """The same calls on any storage; what they gave."""
    told: list[object] = []
    storage.save([record(0, "/a/x", "red"), record(1, "/a/y", "red", "blue"), record(2, "/b"), record(3, "/c")])
    asked = record(1, "/").embedding
    told += [ids(storage.search(asked, limit=1)), ids(storage.search(asked, scope_prefix="/b"))]
    told.append(ids(storage.search(asked, categories=["blue"], limit=9)))
    told.append(ids(storage.search(asked, metadata_filter={"n": 0}, limit=9)))
    told += [ids(storage.list_records()), ids(storage.list_records("/a")), ids(storage.list_records(limit=1, offset=1))]
    told += [storage.count(), storage.count("/a"), storage.list_categories(), storage.list_categories("/a")]
    told += [
        storage.list_scopes(),
        storage.list_scopes("/a"),
        storage.get_scope_info("/a"),
        storage.get_scope_info("/z"),
    ]
    told += [storage.get_record("r2").model_dump(), storage.get_record("none")]
    storage.update(record(2, "/b", "green"))
    told.append(storage.get_record("r2").model_dump())
    told.append(storage.delete(categories=["blue"]))
    told.append(storage.delete(record_ids=["r0"]))
    told.append(storage.delete(older_than=datetime(2026, 3, 4)))  # noqa: DTZ001 -- the same
    told.append(storage.count())
    storage.reset()
    told.append(storage.count())
    return told


def main(memory: wellkept.Memory) -> None:
    alice, bob = memory.at(user="alice", chat="crew"), memory.at(user="bob", chat="crew")
    storage = Storage(alice)
    with checks("is CrewAI's StorageBackend"):
        assert isinstance(storage, StorageBackend)
    with checks("answers as CrewAI's own LanceDB storage"):
        ours, theirs = story(storage), story(LanceDBStorage(path=tempfile.mkdtemp()))
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert one == other, (number, one, other)
    with checks("asynchronous calls, access times and vectors of another length"):

        async def calls() -> None:
            await storage.asave([record(4, "/a")])
            assert ids(await storage.asearch(record(4, "/").embedding, limit=1)) == ["r4"]
            storage.touch_records(["r4", "none"])
            assert storage.get_record("r4").last_accessed > record(4, "/").last_accessed
            try:
                await storage.asearch([1.0])
            except EmbeddingDimensionMismatchError:
                assert await storage.adelete(record_ids=["r4"]) == 1
            else:
                raise AssertionError("it was compared")

        asyncio.run(calls())
    with checks("CrewAI's memory remembers and recalls through it"):
        crew = Memory(storage=storage, embedder=embedder(alice))
        crew.remember("The customer prefers teal", scope="/logo", categories=["wish"], importance=0.7)
        (found,) = crew.recall("Which color is liked?", depth="shallow", limit=1)
        assert found.record.content == "The customer prefers teal"
    with checks("another user's storage has nothing of it"):
        assert Storage(bob).count() == 0
        Storage(bob).reset()
        assert storage.count() == 1
        assert Memory(storage=Storage(bob), embedder=embedder(bob)).recall("color", depth="shallow") == []
    with checks("erasing the user erases it"):
        memory.upkeep.erase("alice")
        assert storage.count() == 0


with wellkept.open(str(Path(tempfile.mkdtemp()) / "memory.db")) as opened:
    opened.at(user="alice").remember("I work with crews")
    main(opened)
with checks("its example runs"):
    assert "The customer prefers teal for the logo" in example("crewai_memory")
checks.done()
