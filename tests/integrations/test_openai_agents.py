"""The session for the OpenAI Agents SDK, without the SDK; `bench clients` runs it with the real one."""

from __future__ import annotations

import asyncio
import importlib.util
from types import SimpleNamespace

import pytest

from wellkept.errors import MissingExtra
from wellkept.integrations.openai_agents import Session, instructions, tools

ITEMS = [
    {"role": "user", "content": "My favorite color is teal"},
    {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": "done"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Teal is a fine color"}]},
]


def test_items_are_kept_and_learned_from(alice, bob):
    async def talk():
        session = Session(alice, "one")
        await session.add_items(ITEMS)
        assert await session.get_items() == ITEMS
        assert await session.get_items(1) == ITEMS[3:]
        assert await Session(alice, "one", settings=SimpleNamespace(limit=2)).get_items() == ITEMS[2:]
        assert await Session(bob, "one").get_items() == []
        assert await session.pop_item() == ITEMS[3]
        await session.clear_session()
        assert await session.get_items() == []

    asyncio.run(talk())
    found = {hit.text for hit in alice.recall("color", sources=["messages"])}
    assert found == {"My favorite color is teal", "Teal is a fine color"}
    assert len(bob.recall("color")) == 0


def test_instructions_know_the_user(alice, bob):
    alice.remember("My favorite color is teal")
    context = SimpleNamespace(turn_input=[*ITEMS, {"role": "user", "content": "What is my favorite color?"}])
    assert "teal" in asyncio.run(instructions(alice, "Be brief.")(context, None))
    told = asyncio.run(instructions(bob, "Be brief.")(context, None))
    assert told.startswith("Be brief.\n\n")
    assert "teal" not in told


@pytest.mark.skipif(importlib.util.find_spec("agents") is not None, reason="the SDK is installed")
def test_without_the_sdk_the_error_says_what_to_install(alice):
    with pytest.raises(MissingExtra, match=r"wellkept\[openai-agents\]"):
        tools(alice)
