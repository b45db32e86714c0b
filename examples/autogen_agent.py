"""An AutoGen agent that knows its user in the next conversation. Runs offline: the replies are scripted.

pip install 'wellkept[autogen]' autogen-agentchat autogen-ext
python examples/autogen_agent.py
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.replay import ReplayChatCompletionClient

import wellkept
from wellkept.integrations.autogen import UserMemory


async def main() -> None:
    path = Path(tempfile.mkdtemp()) / "memory.db"
    with wellkept.open(str(path)) as memory:
        # Who is speaking is the application's to know, never the model's.
        alice = memory.at(user="alice", chat="dm-alice")
        for day, words in (("monday", "My favorite color is teal."), ("tuesday", "What is my favorite color?")):
            model = ReplayChatCompletionClient(["I will keep that in mind." if day == "monday" else "It is teal."])
            agent = AssistantAgent("assistant", model_client=model, memory=[UserMemory(alice)])
            result = await agent.run(task=words)
            is_told = "teal" in str(model.create_calls[-1]["messages"][:-1] if day == "monday" else model.create_calls)
            print(f"{day}: {words} -> {result.messages[-1].content} (told about teal: {is_told})")


if __name__ == "__main__":
    asyncio.run(main())
