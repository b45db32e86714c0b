"""The asyncio surface: the same methods, awaited, beside each other."""

from __future__ import annotations

import asyncio
import inspect

import pytest

from wellkept import aio
from wellkept.api import Viewpoint
from wellkept.errors import MemoryNotFound


def test_everything_a_viewpoint_does_can_be_awaited(store_path, clock):
    async def main():
        async with await aio.open(store_path, clock=clock, embedder="none") as memory:
            alice = memory.at(user="alice")
            for name, _ in inspect.getmembers(Viewpoint, inspect.isfunction):
                if not name.startswith("_"):
                    assert inspect.iscoroutinefunction(getattr(alice, name)), name
                    assert getattr(alice, name).__doc__ == inspect.getdoc(getattr(Viewpoint, name))
            stored = await alice.remember("My favorite color is teal")
            assert stored.outcome == "created"
            assert [hit.id for hit in await alice.recall("favorite color")] == [stored.id]
            assert (await memory.upkeep.gc()) == {}
            with pytest.raises(MemoryNotFound):
                await alice.show("m_none")
            return alice.place.user

    assert asyncio.run(main()) == "alice"


def test_many_at_once(store_path, clock):
    async def main():
        async with await aio.open(store_path, clock=clock, embedder="none") as memory:
            users = [memory.at(user=f"user{number}") for number in range(8)]
            await asyncio.gather(*(user.remember("I like tea") for user in users))
            found = await asyncio.gather(*(user.list() for user in users))
            return [len(one) for one in found]

    assert asyncio.run(main()) == [1] * 8
