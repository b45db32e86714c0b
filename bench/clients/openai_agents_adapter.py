"""The adapter for the OpenAI Agents SDK with the real SDK and a scripted model: `python openai_agents_adapter.py`."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from agents import Agent, FunctionTool, Model, ModelResponse, RunConfig, Runner, SessionSettings, Usage
from agents.memory import Session as SessionProtocol
from agents.tool_context import ToolContext
from checks import Checks, example
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

import wellkept
from wellkept.integrations.openai_agents import Session, instructions, tools

OFFLINE = RunConfig(tracing_disabled=True)
checks = Checks()


class Scripted(Model):
    """Gives these outputs, one a call, and keeps what it was asked."""

    def __init__(self, *outputs: Any) -> None:
        self.outputs = list(outputs)
        self.asked: list[tuple[str | None, Any]] = []

    async def get_response(self, system_instructions: str | None, input: Any, *_: Any, **__: Any) -> ModelResponse:
        self.asked.append((system_instructions, input))
        return ModelResponse(output=[self.outputs.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def says(text: str) -> ResponseOutputMessage:
    part = ResponseOutputText(annotations=[], text=text, type="output_text")
    return ResponseOutputMessage(id="m", content=[part], role="assistant", status="completed", type="message")


def calls(name: str, number: int, **arguments: str) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        arguments=json.dumps(arguments), call_id=f"c{number}", name=name, type="function_call"
    )


async def called(tool: FunctionTool, **arguments: str) -> str:
    given = json.dumps(arguments)
    context = ToolContext(context=None, tool_name=tool.name, tool_call_id="c", tool_arguments=given)
    return str(await tool.on_invoke_tool(context, given))


async def main(memory: wellkept.Memory) -> None:
    alice, bob = memory.at(user="alice", chat="dm-alice"), memory.at(user="bob", chat="dm-bob")
    session = Session(alice, "one")
    with checks("is the SDK's Session"):
        assert isinstance(session, SessionProtocol)
    with checks("items come back as they were, in order"):
        items = [{"role": "user", "content": f"number {n}"} for n in range(5)]
        await session.add_items(items)
        assert await session.get_items() == items
        assert await session.get_items(2) == items[3:]
        assert await Session(alice, "one", settings=SessionSettings(limit=1)).get_items() == items[4:]
    with checks("pop and clear"):
        assert await session.pop_item() == items[4]
        assert await session.get_items() == items[:4]
        await session.clear_session()
        assert await session.get_items() == []
        assert await session.pop_item() is None
    with checks("a run with tools is kept whole and goes on in the next run"):
        model = Scripted(calls("remember", 1, fact="My wife Sarah likes Italian food"), says("Noted."), says("Sarah."))
        agent = Agent(name="A", instructions=instructions(alice, "Be brief."), tools=tools(alice), model=model)
        first = await Runner.run(
            agent, "Remember: my wife Sarah likes Italian food", session=session, run_config=OFFLINE
        )
        assert first.final_output == "Noted."
        kinds = [item.get("type") or item.get("role") for item in await session.get_items()]
        assert kinds == ["user", "function_call", "function_call_output", "message"], kinds
        await Runner.run(agent, "Who likes Italian food?", session=Session(alice, "one"), run_config=OFFLINE)
        told, history = model.asked[-1]
        assert "Sarah" in str(told), told
        assert len(history) == 5, history
    with checks("another user sees neither items nor memories"):
        assert await Session(bob, "one").get_items() == []
        model = Scripted(calls("recall", 2, query="Italian food"), says("No."))
        agent = Agent(name="A", instructions=instructions(bob, "Be brief."), tools=tools(bob), model=model)
        await Runner.run(agent, "Who likes Italian food?", run_config=OFFLINE)
        assert "Sarah" not in str(model.asked), model.asked
    with checks("tools take no identity"):
        recall = next(tool for tool in tools(bob) if tool.name == "recall")
        assert set(recall.params_json_schema["properties"]) == {"query"}
        assert "Sarah" not in await called(recall, query="Italian food", user="alice", user_id="alice")
        recall = next(tool for tool in tools(alice) if tool.name == "recall")
        assert "Sarah" in await called(recall, query="Italian food", user="bob")
    with checks("a refusal is told to the model"):
        forget = next(tool for tool in tools(alice) if tool.name == "forget")
        assert "not_found" in await called(forget, memory_id="m_none")


with wellkept.open(str(Path(tempfile.mkdtemp()) / "memory.db")) as opened:
    asyncio.run(main(opened))
with checks("its example runs"):
    assert "favorite color is teal" in example("openai_agents")
checks.done()
