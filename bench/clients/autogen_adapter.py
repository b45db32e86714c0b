"""The adapter for AutoGen with the real framework and its replaying model: `python autogen_adapter.py`."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from autogen_agentchat.agents import AssistantAgent
from autogen_core.memory import Memory, MemoryContent, MemoryMimeType
from autogen_core.model_context import BufferedChatCompletionContext
from autogen_core.models import UserMessage
from autogen_ext.models.replay import ReplayChatCompletionClient
from checks import Checks, example

import wellkept
from wellkept.errors import InvalidInput
from wellkept.integrations.autogen import UserMemory

checks = Checks()


def text(content: str, **metadata: str) -> MemoryContent:
    return MemoryContent(content=content, mime_type=MemoryMimeType.TEXT, metadata=metadata)


async def main(memory: wellkept.Memory) -> None:
    alice, bob = memory.at(user="alice", chat="dm-alice"), memory.at(user="bob", chat="dm-bob")
    kept = UserMemory(alice)
    with checks("is AutoGen's Memory"):
        assert isinstance(kept, Memory)
    with checks("adds and finds, with metadata"):
        await kept.add(text("My wife Sarah likes Italian food", source="form"))
        (found, *_) = (await kept.query("Italian food")).results
        assert "Sarah" in str(found.content), found
        assert found.metadata["source"] == "form"
        assert (await kept.query(text("Italian food"), limit=1)).results
    with checks("refuses what it cannot keep"):
        for content in (MemoryContent(content=b"x", mime_type=MemoryMimeType.BINARY), text("")):
            try:
                await kept.add(content)
            except InvalidInput:
                continue
            raise AssertionError("it was not refused")
        try:
            await kept.query("x", user="bob")
        except InvalidInput as error:
            code = error.code
        assert code == "unsupported_option"
    with checks("an agent is told, and its user's words are learned from once"):
        model = ReplayChatCompletionClient(["Luigi's."])
        agent = AssistantAgent("assistant", model_client=model, memory=[kept])
        await agent.run(task="We moved to Berlin. Where do we eat Italian food?")
        assert "Sarah" in str(model.create_calls[0]["messages"])
        context = BufferedChatCompletionContext(5, [UserMessage(content="We keep two goats", source="user")])
        for _ in range(2):
            await kept.update_context(context)
        goats = [hit.text for hit in alice.recall("goats", sources=["messages"])]
        assert goats == ["We keep two goats"], goats
    with checks("another user's memory knows nothing of it"):
        assert "Sarah" not in str(await UserMemory(bob).query("Italian food"))
        await UserMemory(bob).clear()
        assert "Sarah" in str(await kept.query("Italian food"))
    with checks("clear forgets what was added"):
        await kept.clear()
        assert "Sarah" not in str([hit.text for hit in alice.recall("Italian food", sources=["memories"])])
        await kept.close()


with wellkept.open(str(Path(tempfile.mkdtemp()) / "memory.db")) as opened:
    asyncio.run(main(opened))
with checks("its example runs"):
    assert "It is teal. (told about teal: True)" in example("autogen_agent")
checks.done()
