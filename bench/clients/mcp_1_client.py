"""A client of the 1.x MCP library, over stdio and streamable HTTP: `python mcp_1_client.py URL PYTHON`."""

from __future__ import annotations

import asyncio
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client


async def talk(read: object, write: object) -> list[str]:
    async with ClientSession(read, write) as session:
        await session.initialize()
        tools = [one.name for one in (await session.list_tools()).tools]
        await session.call_tool("remember", {"facts": "My favorite color is teal"})
        found = await session.call_tool("recall", {"query": "favorite color"})
        assert "teal" in found.content[0].text, found
        assert (await session.call_tool("forget", {"memory_id": "m_none"})).isError
        assert "teal" in (await session.read_resource("memory://context")).contents[0].text
        assert "teal" in (await session.get_prompt("context", {"query": "color"})).messages[0].content.text
        assert (await session.list_resource_templates()).resourceTemplates
        return tools


async def main(url: str, python: str) -> None:
    server = StdioServerParameters(command=python, args=["-m", "wellkept", "mcp"], env=dict(os.environ))
    async with stdio_client(server) as (read, write):
        tools = await talk(read, write)
    async with streamablehttp_client(f"{url}/mcp?user=mcp1") as (read, write, _):
        assert await talk(read, write) == tools
    print(", ".join(tools))


asyncio.run(main(*sys.argv[1:]))
