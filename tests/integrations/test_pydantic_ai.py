"""Pydantic AI's real agent with its offline models: tools, instructions and history."""

from __future__ import annotations

import asyncio
import json

from pydantic_ai import (
    Agent,
    BinaryContent,
    ModelMessagesTypeAdapter,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
)
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel

from wellkept.integrations.pydantic_ai import MessageHistory, toolset


def run(agent, *arguments, **options):
    return asyncio.run(agent.run(*arguments, **options))


def scripted(*parts, asked=None):
    """A model that gives these parts, one a call, and keeps what it was asked."""
    left = list(parts)

    def answer(messages, info):
        if asked is not None:
            asked.append((info.instructions, messages, info.function_tools))
        return ModelResponse(parts=[left.pop(0)])

    return FunctionModel(answer)


def test_tools_work_for_the_user_they_are_bound_to(alice, bob):
    model = scripted(ToolCallPart("remember", {"fact": "My favorite color is teal"}), TextPart("Noted."))
    result = run(Agent(model, toolsets=[toolset(alice)]), "Remember my favorite color: teal")
    assert result.output == "Noted."
    (kept,) = [part.content for one in result.all_messages() for part in one.parts if part.part_kind == "tool-return"]
    assert json.loads(kept)["outcome"] == "created"
    for view, is_known in ((alice, True), (bob, False)):
        asked = []
        model = scripted(ToolCallPart("recall", {"query": "favorite color"}), TextPart("Done."), asked=asked)
        answer = run(Agent(model, toolsets=[toolset(view)]), "What is my favorite color?")
        assert ("teal" in asked[0][0]) is is_known
        assert ("teal" in str(answer.all_messages()[2])) is is_known


def test_a_model_cannot_name_somebody_else(alice, bob):
    alice.remember("My favorite color is teal")
    asked = []
    call = ToolCallPart("recall", {"query": "favorite color", "user": "alice", "user_id": "alice"})
    model = scripted(call, TextPart("Done."), asked=asked)
    run(Agent(model, toolsets=[toolset(bob)]), "Hello")
    names = {name for tool in asked[0][2] for name in tool.parameters_json_schema["properties"]}
    assert names == {"fact", "query", "memory_id"}
    assert "teal" not in str(asked)


def _plain(messages):
    found = json.loads(ModelMessagesTypeAdapter.dump_json(messages))
    return [{name: value for name, value in one.items() if name != "instructions"} for one in found]


def test_history_comes_back_as_it_was(alice, bob):
    history = MessageHistory(alice, "one")
    assert history.load() == []
    model = scripted(ThinkingPart("hm"), TextPart("A fine color."), TextPart("Teal."))
    agent = Agent(model, toolsets=[toolset(alice)])
    first = run(agent, ["My favorite color is teal", BinaryContent(b"\x00\xff", media_type="image/png")])
    history.add(first.new_messages())
    assert _plain(history.load()) == _plain(first.new_messages())
    assert "<<<memory" in str(first.new_messages())
    assert "<<<memory" not in str(history.load())
    second = run(agent, "Which color?", message_history=history.load())
    asyncio.run(history.aadd(second.new_messages()))
    assert _plain(asyncio.run(MessageHistory(alice, "one").aload())) == _plain(second.all_messages())
    assert MessageHistory(bob, "one").load() == []
    found = {hit.text for hit in alice.recall("color", sources=["messages"])}
    assert {"My favorite color is teal", "A fine color."} <= found
    history.clear()
    assert history.load() == []


def test_every_tool_can_be_called(alice):
    result = run(Agent(TestModel(), toolsets=[toolset(alice)]), "Hello")
    called = {part.tool_name for one in result.all_messages() for part in one.parts if part.part_kind == "tool-call"}
    assert called == {"remember", "recall", "forget"}
