"""Claude through its Agent SDK, with hooks that know the user. Runs offline: a transport answers as the CLI would.

pip install 'wellkept[claude-agent-sdk]'
python examples/claude_agent.py
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, ClaudeSDKClient, Transport

import wellkept
from wellkept.integrations.claude_agent_sdk import hooks, tools


class Scripted(Transport):
    """In place of the command line: asks the hooks, then says what they told about the user."""

    def __init__(self) -> None:
        self._out: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._hooks: dict[str, Any] = {}
        self._prompt = ""

    async def connect(self) -> None:
        """Nothing to start."""

    def is_ready(self) -> bool:
        return True

    async def end_input(self) -> None:
        """Nothing to end."""

    async def close(self) -> None:
        await self._out.put(None)

    async def write(self, data: str) -> None:
        given = json.loads(data)
        if given["type"] == "control_request":
            self._hooks = given["request"].get("hooks") or self._hooks
            answer = {"subtype": "success", "request_id": given["request_id"], "response": {"commands": []}}
            await self._out.put({"type": "control_response", "response": answer})
        elif given["type"] == "user":
            self._prompt = given["message"]["content"]
            await self._ask("UserPromptSubmit", prompt=self._prompt)
        elif given["type"] == "control_response" and given["response"]["request_id"] == "UserPromptSubmit":
            told = json.dumps(given["response"])
            text = "I will keep that in mind."
            if "?" in self._prompt:
                text = "Your favorite color is teal." if "teal" in told else "I do not know."
            message = {"role": "assistant", "model": "scripted", "content": [{"type": "text", "text": text}]}
            await self._out.put(
                {"type": "assistant", "message": message, "parent_tool_use_id": None, "session_id": "s"}
            )
            await self._ask("Stop", stop_hook_active=False, last_assistant_message=text)
        elif given["type"] == "control_response":
            done = {"subtype": "success", "is_error": False, "session_id": "s", "num_turns": 1}
            await self._out.put({"type": "result", "duration_ms": 1, "duration_api_ms": 1, **done})

    async def _ask(self, event: str, **given: Any) -> None:
        callback = self._hooks[event][0]["hookCallbackIds"][0]
        asked = {"subtype": "hook_callback", "callback_id": callback, "input": {"hook_event_name": event, **given}}
        await self._out.put({"type": "control_request", "request_id": event, "request": {**asked, "tool_use_id": None}})

    async def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        while (message := await self._out.get()) is not None:
            yield message


async def main() -> None:
    path = Path(tempfile.mkdtemp()) / "memory.db"
    with wellkept.open(str(path)) as memory:
        # Who is speaking is the application's to know, never the model's.
        alice = memory.at(user="alice", chat="dm-alice")
        options = ClaudeAgentOptions(hooks=hooks(alice), mcp_servers={"wellkept": tools(alice)})
        for words in ("My favorite color is teal.", "What is my favorite color?"):
            async with ClaudeSDKClient(options, transport=Scripted()) as client:
                await client.query(words)
                async for message in client.receive_response():
                    if isinstance(message, AssistantMessage):
                        print(f"{words} -> {message.content[0].text}")


if __name__ == "__main__":
    asyncio.run(main())
