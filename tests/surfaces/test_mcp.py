"""MCP with the real client: tools, resources and the prompt, in process, over stdio and HTTP, old and new protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import anyio
import httpx2
import jsonschema
import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tests.surfaces.served import opened
from wellkept.operations import OPERATIONS
from wellkept.policies.callers import Grant
from wellkept.surfaces.http.gateway import Service
from wellkept.surfaces.mcp import TOOLS, Mcp

CONTRACT = {"remember", "recall", "query", "forget", "restore", "history", "people"}


@pytest.fixture
def memory(store_path, clock):
    with opened(store_path, clock) as memory:
        yield memory


def talk(server, conversation, mode="auto"):
    """Run a conversation with a server, whatever it is reached by."""

    async def run():
        async with Client(server, mode=mode) as client:
            return await conversation(client)

    return anyio.run(run)


def asked_as(memory, **settled):
    grant = Grant(caller="test", settled={"user": "alice", **settled})
    return Mcp(Service(memory), lambda _context: (grant, {})).server


async def whole_round(client):
    """What an agent does in a session."""
    stored = await client.call_tool("remember", {"facts": "My favorite color is teal"})
    found = await client.call_tool("recall", {"query": "favorite color"})
    (hit,) = found.structured_content["hits"]
    assert stored.structured_content["id"] == hit["id"]
    assert json.loads(found.content[0].text) == found.structured_content
    shown = await client.read_resource(f"memory://{hit['id']}")
    assert json.loads(shown.contents[0].text)["id"] == hit["id"]
    block = await client.read_resource("memory://context")
    assert "teal" in block.contents[0].text
    prompt = await client.get_prompt("context", {"query": "favorite color"})
    assert "teal" in prompt.messages[0].content.text
    people = await client.call_tool("people", {})
    assert people.structured_content["result"] == json.loads(
        (await client.read_resource("memory://people")).contents[0].text
    )
    await client.call_tool("forget", {"memory_id": hit["id"]})
    assert (await client.call_tool("recall", {"query": "favorite color"})).structured_content["hits"] == []
    await client.call_tool("restore", {"memory_id": hit["id"]})
    told = await client.call_tool("history", {"memory_id": hit["id"]})
    assert [one["event"] for one in told.structured_content["events"]][:2] == ["RESTORE", "DELETE"]
    return True


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_session_of_an_agent(memory, mode):
    assert talk(asked_as(memory), whole_round, mode)


def test_tools_are_those_of_the_table(memory):
    async def listed(client):
        return (await client.list_tools()).tools

    tools = {one.name: one for one in talk(asked_as(memory), listed)}
    rows = {one.mcp: one for one in OPERATIONS if one.mcp is not None}
    assert tools.keys() == rows.keys() >= CONTRACT
    for name, operation in rows.items():
        assert tools[name].description == operation.doc
        offered = tools[name].input_schema["properties"]
        assert list(offered) == [one.name for one in operation.parameters if not one.is_admin]
        assert tools[name].annotations.read_only_hint is not operation.is_write
        assert tools[name].output_schema["type"] == "object"


@pytest.mark.parametrize("facts", ["My favorite color is teal", ["I like tea", "I play chess"]])
def test_structured_content_is_what_the_tool_declares(memory, facts):
    async def called(client):
        tools = {one.name: one for one in (await client.list_tools()).tools}
        stored = await client.call_tool("remember", {"facts": facts})
        memory_id = stored.structured_content.get("result", [stored.structured_content])[0]["id"]
        answers = {"remember": stored, "people": await client.call_tool("people", {})}
        answers |= {name: await client.call_tool(name, {"query": "color and tea"}) for name in ("recall", "query")}
        for name in ("history", "pin", "forget", "restore"):
            answers[name] = await client.call_tool(name, {"memory_id": memory_id})
        for name, answer in answers.items():
            jsonschema.Draft202012Validator(tools[name].output_schema).validate(answer.structured_content)
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(answer.structured_content | {"surprise": 1}, tools[name].output_schema)
        return set(answers)

    assert talk(asked_as(memory), called) == TOOLS.keys()


def test_errors_have_the_codes_of_every_surface(memory):
    async def wrong(client):
        codes = []
        for name, arguments in (
            ("recall", {}),
            ("recall", {"query": "x", "left_out": True}),
            ("forget", {"memory_id": "m_none"}),
            ("recall", {"query": "x", "colour": 1}),
        ):
            answer = await client.call_tool(name, arguments)
            assert answer.is_error
            codes.append(answer.structured_content["error"]["code"])
        for missing in (
            client.call_tool("gc", {}),
            client.get_prompt("other"),
            client.read_resource("memory://m_none"),
        ):
            with pytest.raises(MCPError):
                await missing
        return codes

    assert talk(asked_as(memory), wrong) == ["invalid_parameter", "admin_only", "not_found", "invalid_parameter"]


def test_over_stdio(settings):
    variables = {**os.environ, "WELLKEPT_EMBEDDER__PROVIDER": "none"}
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "wellkept", "mcp"], env=variables)
    assert talk(stdio_client(parameters), whole_round)


def test_whatever_was_piped_in_is_answered_before_the_end(process):
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "pipe", "version": "1"}}
    recall = {"name": "recall", "arguments": {"query": "tea"}}
    asked = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "remember", "arguments": {"facts": "I like green tea"}}},
        *({"id": number, "method": "tools/call", "params": recall} for number in (3, 4)),
        {"method": "notifications/cancelled", "params": {"requestId": 4}},
        {"id": 5, "method": "no/such"},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in asked)
    done = process("mcp", stdin=lines, WELLKEPT_EMBEDDER__PROVIDER="none")
    answers = {one["id"]: one for one in map(json.loads, done.out.splitlines())}
    assert (done.status, done.err) == (0, "")
    assert {1, 2, 3, 5} <= set(answers)
    assert answers[2]["result"]["structuredContent"]["outcome"] == "created"
    assert not answers[3]["result"]["isError"]


def test_a_client_that_goes_away_ends_the_service(settings):
    reading, writing = os.pipe()
    os.close(reading)
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "pipe", "version": "1"}}
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode()
    command = [sys.executable, "-m", "wellkept", "mcp"]
    done = subprocess.run(command, input=asked, stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_over_http_the_key_says_who_asks(serve, process):
    key = process("--json", "keys", "add", "agent", "--scope", "user:alice").json["key"]
    _, (address,) = serve()

    def over_http(query, conversation, mode="auto"):
        async def run():
            async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}) as http:
                transport = streamable_http_client(f"{address}/mcp{query}", http_client=http)
                async with Client(transport, mode=mode) as client:
                    return await conversation(client)

        return anyio.run(run)

    assert over_http("", whole_round)
    assert over_http("?user=alice", whole_round, "legacy")

    async def claims(client):
        return (await client.call_tool("people", {})).structured_content["error"]["code"]

    assert over_http("?user=bob", claims) == "identity_mismatch"
    assert httpx2.post(f"{address}/mcp", json={}).json()["code"] == "no_key"
