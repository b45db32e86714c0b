"""Anthropic's memory tool, beside Anthropic's own on files: the same commands get the same answers."""

from __future__ import annotations

import asyncio
import json
import re

import anthropic
import httpx2
import pytest
from anthropic.lib.tools import ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool

from wellkept.integrations.anthropic_memory import KNOWN, AsyncMemoryTool, MemoryTool

COMMANDS = [
    {"command": "create", "path": "/memories/notes.txt", "file_text": "one\ntwo\nthree\nfour\n"},
    {"command": "create", "path": "/memories/notes.txt", "file_text": "again"},
    {"command": "create", "path": "/memories/a/b/c.txt", "file_text": "deep"},
    {"command": "create", "path": "/memories/.hidden", "file_text": "x"},
    {"command": "view", "path": "/memories/notes.txt"},
    {"command": "view", "path": "/memories/notes.txt", "view_range": [2, 3]},
    {"command": "view", "path": "/memories/notes.txt", "view_range": [2, -1]},
    {"command": "view", "path": "/memories/notes.txt", "view_range": [-5, 1]},
    {"command": "view", "path": "/memories/a"},
    {"command": "view", "path": "/memories/none"},
    {"command": "view", "path": "/etc/passwd"},
    {"command": "view", "path": "/memories/../etc/passwd"},
    {"command": "str_replace", "path": "/memories/notes.txt", "old_str": "three", "new_str": "3\n3b"},
    {"command": "str_replace", "path": "/memories/notes.txt", "old_str": "none", "new_str": "x"},
    {"command": "str_replace", "path": "/memories/notes.txt", "old_str": "o", "new_str": "x"},
    {"command": "str_replace", "path": "/memories/none", "old_str": "o", "new_str": "x"},
    {"command": "str_replace", "path": "/memories/a", "old_str": "o", "new_str": "x"},
    {"command": "insert", "path": "/memories/notes.txt", "insert_line": 0, "insert_text": "zero\n"},
    {"command": "insert", "path": "/memories/notes.txt", "insert_line": 6, "insert_text": "last"},
    {"command": "insert", "path": "/memories/notes.txt", "insert_line": 99, "insert_text": "x"},
    {"command": "insert", "path": "/memories/none", "insert_line": 0, "insert_text": "x"},
    {"command": "insert", "path": "/memories/a/b", "insert_line": 0, "insert_text": "x"},
    {"command": "view", "path": "/memories/notes.txt"},
    {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/z"},
    {"command": "rename", "old_path": "/memories/none", "new_path": "/memories/y"},
    {"command": "rename", "old_path": "/memories/z", "new_path": "/memories/notes.txt"},
    {"command": "rename", "old_path": "/memories", "new_path": "/memories/y"},
    {"command": "view", "path": "/memories/z/b/c.txt"},
    {"command": "delete", "path": "/memories/z/b"},
    {"command": "delete", "path": "/memories/z/b"},
    {"command": "delete", "path": "/memories"},
    {"command": "view", "path": "/memories/notes.txt/below"},
]


def answer(tool, command):
    try:
        said = tool.call(command)
    except ToolError as error:
        said = f"error: {error}"
    return re.sub(r"^[\d.]+[BKMG]\t", "SIZE\t", said, flags=re.MULTILINE)


def test_answers_are_those_of_anthropics_own_tool(alice, tmp_path):
    ours, theirs = MemoryTool(alice), BetaLocalFilesystemMemoryTool(str(tmp_path))
    for command in COMMANDS:
        assert answer(ours, command) == answer(theirs, command), command
    assert ours.to_dict() == theirs.to_dict()
    assert ours.clear_all_memory() == theirs.clear_all_memory()
    assert answer(ours, COMMANDS[4]) == answer(theirs, COMMANDS[4])


def test_the_listing_shows_files_and_what_is_known(alice, bob):
    alice.remember("My favorite color is teal")
    tool = MemoryTool(alice)
    tool.call({"command": "create", "path": "/memories/plan.md", "file_text": "x" * 2048})
    tool.call({"command": "create", "path": "/memories/a/b/c.txt", "file_text": "deep"})
    shown = [line.split("\t")[-1] for line in tool.call({"command": "view", "path": "/memories"}).splitlines()[1:]]
    assert shown == ["/memories", "/memories/a/", "/memories/a/b/", KNOWN, "/memories/plan.md"]
    assert "\n2K\t/memories/plan.md" in tool.call({"command": "view", "path": "/memories"})
    assert "teal" in tool.call({"command": "view", "path": KNOWN})
    assert "teal" not in MemoryTool(bob).call({"command": "view", "path": KNOWN})
    for command in (
        {"command": "str_replace", "path": KNOWN, "old_str": "teal", "new_str": "red"},
        {"command": "insert", "path": KNOWN, "insert_line": 0, "insert_text": "x"},
        {"command": "delete", "path": KNOWN},
        {"command": "rename", "old_path": KNOWN, "new_path": "/memories/x"},
        {"command": "rename", "old_path": "/memories/plan.md", "new_path": "/memories/x/../about_the_user.md"},
    ):
        assert "cannot be changed" in answer(tool, command)
    assert "already exists" in answer(tool, {"command": "create", "path": KNOWN, "file_text": "x"})


def test_files_are_the_users_own_and_lose_their_secrets(alice, bob):
    key = "sk-proj-" + "Ab3dEf6hIj9" * 5
    command = {"command": "create", "path": "/memories/key.txt", "file_text": f"the key is {key}"}
    MemoryTool(alice).call(command)
    assert key not in MemoryTool(alice).call({"command": "view", "path": "/memories/key.txt"})
    assert "does not exist" in answer(MemoryTool(bob), {"command": "view", "path": "/memories/key.txt"})


@pytest.mark.parametrize("path", ["/memories/a\x01b", "/memories/a\nb", "/memories/" + "x" * 600, "/memoriesx/a"])
def test_odd_paths_are_refused(alice, path):
    assert answer(MemoryTool(alice), {"command": "create", "path": path, "file_text": "x"}).startswith("error: ")


def test_a_file_is_no_directory(alice):
    tool = MemoryTool(alice)
    tool.call({"command": "create", "path": "/memories/a", "file_text": "x"})
    assert "not a directory" in answer(tool, {"command": "create", "path": "/memories/a/b/c", "file_text": "x"})


def replies(*contents):
    """A transport that answers as the API would, with these contents, one a request."""
    left, asked = list(contents), []

    def handle(request):
        asked.append(json.loads(request.content))
        reason = "tool_use" if left[0]["type"] == "tool_use" else "end_turn"
        body = {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": [left.pop(0)]}
        usage = {"input_tokens": 1, "output_tokens": 1}
        return httpx2.Response(200, json={**body, "stop_reason": reason, "stop_sequence": None, "usage": usage})

    return httpx2.MockTransport(handle), asked


USES = {
    "type": "tool_use",
    "id": "t1",
    "name": "memory",
    "input": {"command": "create", "path": "/memories/food.md", "file_text": "likes pasta"},
}
QUESTION = {"model": "claude", "max_tokens": 9, "messages": [{"role": "user", "content": "I like pasta"}]}


def test_anthropics_runner_calls_it(alice):
    transport, asked = replies(USES, {"type": "text", "text": "Noted."})
    with anthropic.Anthropic(api_key="x", http_client=httpx2.Client(transport=transport)) as client:
        last = client.beta.messages.tool_runner(tools=[MemoryTool(alice)], **QUESTION).until_done()
    assert last.content[0].text == "Noted."
    assert "File created successfully" in json.dumps(asked[1]["messages"][-1])
    assert "likes pasta" in MemoryTool(alice).call({"command": "view", "path": "/memories/food.md"})


def test_anthropics_asynchronous_runner_calls_it(alice):
    async def talk():
        transport, _ = replies(USES, {"type": "text", "text": "Noted."})
        tool = AsyncMemoryTool(alice)
        async with anthropic.AsyncAnthropic(api_key="x", http_client=httpx2.AsyncClient(transport=transport)) as client:
            await client.beta.messages.tool_runner(tools=[tool], **QUESTION).until_done()
        for command in COMMANDS:
            try:
                await tool.call(command)
            except ToolError:
                continue
        assert "likes pasta" in await tool.call({"command": "view", "path": "/memories/food.md"})
        assert await tool.clear_all_memory() == "All memory cleared"

    asyncio.run(talk())
