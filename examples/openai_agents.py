"""An agent of the OpenAI Agents SDK that knows its user in the next conversation. Runs offline: the model is scripted.

pip install 'wellkept[openai-agents]'
python examples/openai_agents.py
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

import wellkept
from wellkept.integrations.openai_agents import Session, instructions, tools


class Scripted(Model):
    """In place of a model: says what it was told about the user."""

    async def get_response(self, system_instructions: str | None, input: Any, *_: Any, **__: Any) -> ModelResponse:
        is_question, is_known = "?" in str(input[-1]), "teal" in (system_instructions or "")
        text = "I will keep that in mind."
        if is_question:
            text = "Your favorite color is teal." if is_known else "I do not know."
        part = ResponseOutputText(annotations=[], text=text, type="output_text")
        message = ResponseOutputMessage(id="1", content=[part], role="assistant", status="completed", type="message")
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


async def main() -> None:
    path = Path(tempfile.mkdtemp()) / "memory.db"
    with wellkept.open(str(path)) as memory:
        # Who is speaking is the application's to know, never the model's.
        alice = memory.at(user="alice", chat="dm-alice")
        agent = Agent(
            name="Assistant",
            instructions=instructions(alice, "Answer in one sentence."),
            tools=tools(alice),
            model=Scripted(),
        )
        offline = RunConfig(tracing_disabled=True)
        for day, words in (("monday", "My favorite color is teal."), ("tuesday", "What is my favorite color?")):
            session = Session(alice, day)
            result = await Runner.run(agent, words, session=session, run_config=offline)
            print(f"{day}: {words} -> {result.final_output} ({len(await session.get_items())} items kept)")


if __name__ == "__main__":
    asyncio.run(main())
