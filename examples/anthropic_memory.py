"""Claude's memory tool on wellkept. Runs offline: in place of the API, a transport answers as it would.

pip install 'wellkept[anthropic]'
python examples/anthropic_memory.py
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import httpx2
from anthropic import Anthropic

import wellkept
from wellkept.integrations.anthropic_memory import MemoryTool

CALLS = (
    {"command": "view", "path": "/memories/about_the_user.md"},
    {"command": "create", "path": "/memories/plans.md", "file_text": "Dinner on Friday: book a vegetarian place.\n"},
    {"command": "view", "path": "/memories"},
)


class Scripted:
    """In place of Claude: calls the tool three times, then answers; prints both sides."""

    def __init__(self) -> None:
        self._turns = 0

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        last = json.loads(request.content)["messages"][-1]["content"]
        print(last if isinstance(last, str) else last[0]["content"])
        content = {"type": "text", "text": "Noted, and I know that you are a vegetarian."}
        if is_call := self._turns < len(CALLS):
            content = {"type": "tool_use", "id": f"t{self._turns}", "name": "memory", "input": CALLS[self._turns]}
            print(f"-> {content['input']}")
        self._turns += 1
        reply = {"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": [content]}
        stop = {"stop_reason": "tool_use" if is_call else "end_turn", "stop_sequence": None}
        return httpx2.Response(200, json=reply | stop | {"usage": {"input_tokens": 1, "output_tokens": 1}})


def main() -> None:
    path = Path(tempfile.mkdtemp()) / "memory.db"
    offline = httpx2.Client(transport=httpx2.MockTransport(Scripted()))
    with wellkept.open(str(path)) as memory, Anthropic(api_key="none", http_client=offline) as client:
        # Whose files these are is the application's to know, never the model's.
        alice = memory.at(user="alice", chat="dm-alice")
        alice.remember("I am a vegetarian")
        runner = client.beta.messages.tool_runner(
            model="claude-sonnet-5-5",
            max_tokens=500,
            tools=[MemoryTool(alice)],
            messages=[{"role": "user", "content": "Plan dinner for Friday."}],
        )
        print(f"-> {runner.until_done().content[0].text}")


if __name__ == "__main__":
    main()
