"""A Strands agent that knows its user in the next session. Runs offline: the model is scripted.

pip install 'wellkept[strands]'
python examples/strands_agent.py
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from strands import Agent
from strands.memory import InvocationTrigger, MemoryManager
from strands.models import Model
from strands.session.repository_session_manager import RepositorySessionManager

import wellkept
from wellkept.integrations.strands import Sessions, UserStore


class Scripted(Model):
    """In place of a model: says what it was told about the user."""

    def update_config(self, **config: Any) -> None:
        """Nothing to set."""

    def get_config(self) -> dict[str, Any]:
        return {}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *_: Any, **__: Any) -> AsyncIterator[dict[str, Any]]:
        text = "I will keep that in mind."
        if "?" in str(messages[-1]):
            text = "Your favorite color is teal." if "teal" in str(messages) else "I do not know."
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockStart": {"start": {}}}
        yield {"contentBlockDelta": {"delta": {"text": text}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


async def main() -> None:
    path = Path(tempfile.mkdtemp()) / "memory.db"
    with wellkept.open(str(path)) as memory:
        # Who is speaking is the application's to know, never the model's.
        alice = memory.at(user="alice", chat="dm-alice")
        for day, words in (("monday", "My favorite color is teal."), ("tuesday", "What is my favorite color?")):
            # Learned from after every turn, instead of every fifth.
            manager = MemoryManager([UserStore(alice, extraction={"trigger": InvocationTrigger()})])
            session = RepositorySessionManager(day, session_repository=Sessions(alice))
            agent = Agent(model=Scripted(), memory_manager=manager, session_manager=session, callback_handler=None)
            reply = await agent.invoke_async(words)
            await manager.flush()
            print(f"{day}: {words} -> {reply}", end="")


if __name__ == "__main__":
    asyncio.run(main())
