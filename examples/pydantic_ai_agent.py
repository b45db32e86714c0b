"""A Pydantic AI agent that knows its user in the next conversation. Runs offline: the model is a function.

pip install 'wellkept[pydantic-ai]'
python examples/pydantic_ai_agent.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

import wellkept
from wellkept.integrations.pydantic_ai import MessageHistory, toolset


def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """In place of a model: says what it was told about the user."""
    if "?" not in str(messages[-1]):
        return ModelResponse(parts=[TextPart("I will keep that in mind.")])
    is_known = "teal" in (info.instructions or "")
    return ModelResponse(parts=[TextPart("Your favorite color is teal." if is_known else "I do not know.")])


def main() -> None:
    path = Path(tempfile.mkdtemp()) / "memory.db"
    with wellkept.open(str(path)) as memory:
        # Who is speaking is the application's to know, never the model's.
        alice = memory.at(user="alice", chat="dm-alice")
        agent = Agent(FunctionModel(scripted), instructions="Answer in one sentence.", toolsets=[toolset(alice)])
        for day, words in (("monday", "My favorite color is teal."), ("tuesday", "What is my favorite color?")):
            history = MessageHistory(alice, day)
            result = agent.run_sync(words, message_history=history.load())
            history.add(result.new_messages())
            print(f"{day}: {words} -> {result.output} ({len(history.load())} messages kept)")


if __name__ == "__main__":
    main()
