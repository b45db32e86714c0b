"""The adapter for the Claude Agent SDK: the SDK's own suite for stores, its client on a scripted transport, and MCP."""

from __future__ import annotations

import asyncio
import tempfile
from itertools import count
from pathlib import Path

from checks import Checks, example
from claude_agent_sdk.testing import run_session_store_conformance
from mcp import Client

import wellkept
from wellkept.integrations.claude_agent_sdk import Transcripts, hooks, tools

checks = Checks()


async def main(memory: wellkept.Memory) -> None:
    alice, bob = memory.at(user="alice", chat="dm-alice"), memory.at(user="bob", chat="dm-bob")
    numbers = count()
    with checks("the SDK's own conformance suite for session stores"):
        await run_session_store_conformance(lambda: Transcripts(memory.at(user=f"tester{next(numbers)}")))
    with checks("a session is the user's own"):
        key = {"project_key": "p", "session_id": "sessions"}
        await Transcripts(alice).append(key, [{"type": "user", "uuid": "1", "message": {"content": "hi"}}])
        assert await Transcripts(alice).load(key) is not None
        assert await Transcripts(bob).load(key) is None
        assert await Transcripts(bob).list_sessions("p") == []
    with checks("hooks tell what is known and learn"):
        alice.remember("My wife Sarah likes Italian food")
        (prompted,), (stopped,) = hooks(alice)["UserPromptSubmit"][0].hooks, hooks(alice)["Stop"][0].hooks
        told = await prompted({"prompt": "Where do we eat Italian food?"}, None, {"signal": None})
        assert "Sarah" in told["hookSpecificOutput"]["additionalContext"]
        assert await stopped({"last_assistant_message": "At Luigi's"}, None, {"signal": None}) == {}
        assert alice.recall("Luigi", sources=["messages"]).hits
        (prompted,) = hooks(bob)["UserPromptSubmit"][0].hooks
        assert "Sarah" not in str(await prompted({"prompt": "Where do we eat Italian food?"}, None, {"signal": None}))
    with checks("tools over MCP, without a parameter for an identity"):
        for view, is_known in ((alice, True), (bob, False)):
            async with Client(tools(view)["instance"]) as session:
                names = {
                    name for tool in (await session.list_tools()).tools for name in tool.input_schema["properties"]
                }
                assert names == {"fact", "query", "memory_id"}
                found = await session.call_tool("recall", {"query": "Italian food"})
                assert ("Sarah" in str(found)) is is_known
                odd = await session.call_tool("recall", {"query": "Italian food", "user": "alice"})
                assert is_known or "Sarah" not in str(odd)


with wellkept.open(str(Path(tempfile.mkdtemp()) / "memory.db")) as opened:
    asyncio.run(main(opened))
with checks("its example runs"):
    assert "Your favorite color is teal." in example("claude_agent")
checks.done()
