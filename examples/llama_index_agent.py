"""LlamaIndex's memory with a block that knows the user in the next conversation. Runs offline: the model echoes.

pip install 'wellkept[llama-index]'
python examples/llama_index_agent.py
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from llama_index.core.llms import ChatMessage, MockLLM
from llama_index.core.memory import Memory

import wellkept
from wellkept.integrations.llama_index import MemoryBlock


async def main() -> None:
    path = Path(tempfile.mkdtemp()) / "memory.db"
    with wellkept.open(str(path)) as memory:
        # Who is speaking is the application's to know, never the model's.
        alice = memory.at(user="alice", chat="dm-alice")
        block = MemoryBlock(alice)
        await block.aput([ChatMessage(role="user", content="My favorite color is teal.")])
        tuesday = Memory.from_defaults(session_id="tuesday", memory_blocks=[block])
        await tuesday.aput(ChatMessage(role="user", content="What is my favorite color?"))
        # This model gives back what it is asked: the question, and above it what the memory knows.
        reply = await MockLLM().achat(await tuesday.aget())
        print(reply.message.content)


if __name__ == "__main__":
    asyncio.run(main())
