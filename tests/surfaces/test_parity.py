"""Every operation on every surface: the same names, the same defaults, the same error codes."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path

import anyio
import pytest
from mcp.client import Client

from tests.surfaces.served import client, opened
from wellkept.operations import BY_NAME, OPERATIONS
from wellkept.policies.callers import PLACE_NAMES, Grant
from wellkept.surfaces.cli.commands import root
from wellkept.surfaces.http import schemas
from wellkept.surfaces.http.gateway import Service
from wellkept.surfaces.http.rpc import METHODS
from wellkept.surfaces.mcp import TOOLS, Mcp

ROOT = Path(__file__).parents[2]
DESCRIBED = schemas.openapi(OPERATIONS)

WRONG = [
    ("forget", {"memory_id": "m_none"}, "not_found"),
    ("recall", {"query": " "}, "empty_query"),
    ("recall", {"query": "tea", "filters": {"colour": "blue"}}, "invalid_filter"),
    ("recall", {"query": "tea", "limit": 0}, "invalid_limit"),
    ("recall", {"query": "tea", "strategy": "luck"}, "invalid_strategy"),
    ("recall", {"query": "tea", "as_of": "when pigs fly"}, "invalid_time"),
    ("history", {"memory_id": ""}, "not_found"),
    ("query", {"query": "tea", "categories": ["tasks"], "agent": "nobody"}, None),
]


def named(operation):
    """Parameters as OpenAPI describes them: name → its schema."""
    method, path = operation.http
    described = DESCRIBED["paths"][path][method.lower()]
    found = {one["name"]: one.get("schema", {}) for one in described["parameters"] if one["in"] in ("path", "query")}
    if "requestBody" in described:
        found |= described["requestBody"]["content"]["application/json"]["schema"]["properties"]
    return found


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_operation_is_everywhere_with_the_same_parameters(operation):
    names = {one.name for one in operation.parameters}
    assert names == set(named(operation)) - {"viewpoint", *(set(PLACE_NAMES) - names)}
    for one in operation.parameters:
        default = list(one.default) if isinstance(one.default, tuple) else one.default
        if operation.http[0] not in ("GET", "DELETE") and one.name not in schemas.in_path(operation.http[1]):
            assert named(operation)[one.name].get("default") == (None if one.is_required else default), one.name
    assert METHODS[operation.rpc] is operation
    assert (operation.mcp in TOOLS) == (operation.mcp is not None)
    context = root().make_context("wellkept", ["--help"], resilient_parsing=True)
    command = root()
    for word in operation.cli:
        command = command.get_command(context, word)
        assert command is not None, operation.cli


def test_every_operation_is_documented():
    table = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8").partition("## Names on the other surfaces")[2]
    for operation in OPERATIONS:
        row = next(line.split() for line in table.split("\n") if line.split()[:1] == [operation.name])
        assert {operation.python, operation.rpc, *operation.http} <= set(row)


def as_words(operation, arguments):
    """A call as it is typed."""
    words = list(operation.cli)
    for one in operation.parameters:
        value = arguments.get(one.name)
        if value is None:
            continue
        if one.kind == "object":
            words += [part for key, item in value.items() for part in ("--filter", f"{key}={item}")]
        elif one.is_required:
            words.append(value)
        else:
            words += [
                part
                for item in (value if isinstance(value, list) else [value])
                for part in (f"--{one.name.replace('_', '-')}", str(item))
            ]
    return words


@pytest.mark.parametrize("wrong", WRONG)
def test_an_error_has_the_same_code_everywhere(store_path, clock, cli, wrong):
    name, arguments, expected = wrong
    operation = BY_NAME[name]
    with opened(store_path, clock) as memory:
        memory.at(user="alice").remember("I like tea")
        http = client(memory)
        method, path = operation.http
        inside = schemas.in_path(path)
        url = path.format(**{key: arguments[key] or "%20" for key in inside})
        rest = {key: value for key, value in arguments.items() if key not in inside}
        if method in ("GET", "DELETE"):
            answer = http.request(method, url, params={**rest, "user": "alice"}).json()
        else:
            answer = http.request(method, url, json={**rest, "viewpoint": {"user": "alice"}}).json()
        asked = {"jsonrpc": "2.0", "id": 1, "method": operation.rpc, "params": {**arguments, "user_id": "alice"}}
        over_rpc = http.post("/rpc", json=asked).json()["error"]["data"]["code"]
        with pytest.raises(Exception) as caught:  # noqa: PT011 -- which one is what is compared
            operation.run(memory.at(user="alice"), arguments)
        grant = Grant(caller="test", settled={"user": "alice"})
        server = Mcp(Service(memory), lambda _context: (grant, {})).server

        async def over_mcp():
            async with Client(server) as agent:
                return (await agent.call_tool(str(operation.mcp), arguments)).structured_content["error"]["code"]

        codes = {answer["code"], over_rpc, caught.value.code, anyio.run(over_mcp)}
    typed = cli("--db", str(store_path), "--json", *as_words(operation, arguments))
    assert typed.status in (1, 2)
    codes.add(typed.json["error"]["code"])
    assert len(codes) == 1, codes
    assert expected in (None, *codes)


STDIO = {"command": str, "args": list, "env": dict}
REMOTE = {"url": str, "headers": dict}
SHAPES = {
    # Client: its file, the name under which it keeps servers, and what one may have there.
    "Claude Desktop": ("claude_desktop_config.json", "mcpServers", STDIO),
    "Cursor": (".cursor/mcp.json", "mcpServers", STDIO | REMOTE),
    "VS Code": (".vscode/mcp.json", "servers", STDIO | REMOTE | {"type": str}),
    "Codex": ("~/.codex/config.toml", "mcp_servers", STDIO),
}


def block_of(name):
    """The text that introduces the block of a client, its language and the block."""
    page = (ROOT / "README.md").read_text(encoding="utf-8").partition("### MCP clients")[2].partition("\n## ")[0]
    found = re.search(rf"^({name}[^\n]*):\n\n```(\w+)\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    assert found is not None, name
    return found.groups()


@pytest.mark.parametrize("name", SHAPES)
def test_the_block_of_an_mcp_client_has_the_shape_that_it_reads(name, cli):
    file, key, fields = SHAPES[name]
    said, language, block = block_of(name)
    assert f"(`{file}`)" in said
    settings = json.loads(block) if language == "json" else tomllib.loads(block)
    assert list(settings) == [key]
    ((called, server),) = settings[key].items()
    assert called == "wellkept"
    for field, value in server.items():
        assert isinstance(value, fields[field]), field
    if name == "VS Code":
        assert server["type"] == ("stdio" if "command" in server else "http")
    if "url" in server:
        assert server["url"] == "http://127.0.0.1:8765/mcp"
        assert server["headers"] == {"Authorization": "Bearer rk_…"}
        assert cli("keys", "add", "cursor", "--scope", "user:alice").out.startswith("rk_")
        return
    assert server["command"] == "wellkept"
    assert all(isinstance(value, str) for value in [*server["args"], *server.get("env", {}).values()])
    assert set(server.get("env", {})) <= {"WELLKEPT_USER", "WELLKEPT_DB"}
    assert cli(*server["args"], "--help").out.startswith("Usage: wellkept mcp")


def test_the_line_for_claude_code_is_one_that_it_takes(cli):
    """`claude mcp add [options] <name> -- <command> [args]`: what follows --env up to the next option are variables."""
    _, _, block = block_of("Claude Code")
    words = shlex.split(block.removeprefix("$ "))
    end = words.index("--")
    assert words[:3] == ["claude", "mcp", "add"]
    assert words[3:end] == ["--env", "WELLKEPT_USER=alice", "--transport", "stdio", "wellkept"]
    assert words[end + 1] == "wellkept"
    assert cli(*words[end + 2 :], "--help").out.startswith("Usage: wellkept mcp")
