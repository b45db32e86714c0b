"""The Model Context Protocol: tools, resources and a prompt made from the table, over HTTP and standard input."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import unquote

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata, SessionMessage

import wellkept
from wellkept.errors import WellkeptError
from wellkept.operations import BY_NAME, OPERATIONS
from wellkept.policies.callers import PLACE_NAMES, Grant
from wellkept.surfaces.http import schemas
from wellkept.surfaces.http.gateway import Call, Service

if TYPE_CHECKING:
    from fastapi import FastAPI
    from mcp.server.context import ServerRequestContext
    from mcp.shared._stream_protocols import ReadStream, WriteStream

    from wellkept.operations.operation import Operation

    Context = ServerRequestContext[Any, Any]

TOOLS: Mapping[str, Operation] = {operation.mcp: operation for operation in OPERATIONS if operation.mcp is not None}
INSTRUCTIONS = (
    "Long-term memory of the user. Recall before answering what may depend on who the user is or what was said before; "
    "remember what the user asks you to keep, and lasting facts and preferences, in the user's own words."
)
ABOUT_ME = "What do you know about me?"
"""What the context is about when nothing is asked."""
_RESOURCES = {"context": "What an agent should know before it answers.", "people": "The people the user knows."}
_JSON = "application/json"

Asker = Callable[["Context"], tuple[Grant, Mapping[str, Any]]]
"""Who asks, and from where, by the request."""


class Mcp:
    """A service as an MCP server."""

    def __init__(self, service: Service, asker: Asker) -> None:
        self._service, self._asker = service, asker
        self.server: Server[Any] = Server(
            "wellkept",
            version=wellkept.__version__,
            instructions=INSTRUCTIONS,
            on_list_tools=self._tools,
            on_call_tool=self._call,
            on_list_resources=self._resources,
            on_list_resource_templates=self._templates,
            on_read_resource=self._read,
            on_list_prompts=self._prompts,
            on_get_prompt=self._prompt,
        )

    async def _run(self, context: Context, operation: Operation, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
        grant, place = self._asker(context)
        call = Call(operation=operation, arguments=arguments, place=place, grant=grant, surface="mcp")
        return await self._service.run(call)

    async def _told(self, context: Context, name: str, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
        """The same outside a tool, where an error is one of the protocol."""
        try:
            return await self._run(context, BY_NAME[name], arguments)
        except WellkeptError as error:
            raise _unknown(str(error), code=error.code) from None

    async def _tools(self, context: Context, _params: object) -> types.ListToolsResult:
        is_operator = self._asker(context)[0].is_operator
        return types.ListToolsResult(tools=[_tool(one, is_operator=is_operator) for one in TOOLS.values()])

    async def _call(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        operation = TOOLS.get(params.name)
        if operation is None:
            raise _unknown(f"There is no tool {params.name[:100]!r}.")
        try:
            answer = await self._run(context, operation, params.arguments or {})
        except WellkeptError as error:
            said = {"error": {"code": error.code, "message": str(error)}}
            text = types.TextContent(type="text", text=f"{error.code}: {error}")
            return types.CallToolResult(content=[text], structured_content=said, is_error=True)
        text = types.TextContent(type="text", text=json.dumps(answer, ensure_ascii=False))
        structured = answer if isinstance(answer, dict) else {"result": answer}
        return types.CallToolResult(content=[text], structured_content=structured)

    async def _resources(self, _context: Context, _params: object) -> types.ListResourcesResult:
        made = [
            types.Resource(
                name=name,
                uri=f"memory://{name}",
                description=doc,
                mime_type="text/plain" if name == "context" else _JSON,
            )
            for name, doc in _RESOURCES.items()
        ]
        return types.ListResourcesResult(resources=made)

    async def _templates(self, _context: Context, _params: object) -> types.ListResourceTemplatesResult:
        one = types.ResourceTemplate(
            name="memory", uri_template="memory://{id}", description="One memory by its id.", mime_type=_JSON
        )
        return types.ListResourceTemplatesResult(resource_templates=[one])

    async def _read(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        scheme, _, name = uri.partition("://")
        if scheme != "memory" or not name:
            raise _unknown(f"There is no resource {uri[:100]!r}.")
        if name == "context":
            block = await self._told(context, "context", {"query": ABOUT_ME})
            content = types.TextResourceContents(uri=uri, mime_type="text/plain", text=block["text"])
        else:
            asked = ("people", {}) if name == "people" else ("show", {"memory_id": unquote(name)})
            text = json.dumps(await self._told(context, *asked), ensure_ascii=False)
            content = types.TextResourceContents(uri=uri, mime_type=_JSON, text=text)
        return types.ReadResourceResult(contents=[content])

    async def _prompts(self, _context: Context, _params: object) -> types.ListPromptsResult:
        query = types.PromptArgument(name="query", description="What the answer will be about.", required=False)
        one = types.Prompt(name="context", description=BY_NAME["context"].doc, arguments=[query])
        return types.ListPromptsResult(prompts=[one])

    async def _prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != "context":
            raise _unknown(f"There is no prompt {params.name[:100]!r}.")
        query = (params.arguments or {}).get("query") or ABOUT_ME
        block = await self._told(context, "context", {"query": query})
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=block["text"]))
        return types.GetPromptResult(description=BY_NAME["context"].doc, messages=[message])


def _tool(operation: Operation, *, is_operator: bool) -> types.Tool:
    sent, answered = schemas.of_tool(operation, is_operator=is_operator)
    hints = types.ToolAnnotations(
        read_only_hint=not operation.is_write, destructive_hint=operation.name == "forget", open_world_hint=False
    )
    return types.Tool(
        name=str(operation.mcp), description=operation.doc, input_schema=sent, output_schema=answered, annotations=hints
    )


def _unknown(message: str, *, code: str = "unknown") -> Exception:
    return MCPError(-32_602, message, {"code": code})


def add_mcp(app: FastAPI, service: Service) -> Callable[[], AbstractAsyncContextManager[None]]:
    """Put `/mcp` into an application; what it gives has to run as long as the application does.

    Whoever asks is known by the key; what a key leaves open is said in the URL: `/mcp?user=alice&chat=dm`.
    """
    mcp = Mcp(service, _by_request)
    # Stateless: nothing of a caller is kept between requests, so none can be taken over.
    manager = StreamableHTTPSessionManager(mcp.server, json_response=True, stateless=True)
    app.add_route("/mcp", StreamableHTTPASGIApp(manager), methods=["GET", "POST", "DELETE"])  # type: ignore[arg-type]  # an ASGI app is one, too
    return manager.run


def _by_request(context: Context) -> tuple[Grant, Mapping[str, Any]]:
    request: Any = context.request
    query = request.query_params
    place: dict[str, Any] = {name: query[name] for name in PLACE_NAMES if name in query and name != "participants"}
    if "participants" in query:
        place["participants"] = query.getlist("participants")
    grant: Grant = request.state.grant
    return grant, place


class _Wire:
    """A client's messages and the answers to them; the server's loop takes the one for its input and its output.

    The loop gives up what it is working on once its input ends, and a client that pipes its requests in ends it at
    once. So the end is told only when no request is open.
    """

    def __init__(self, read: ReadStream[SessionMessage | Exception], write: WriteStream[SessionMessage]) -> None:
        self._read, self._write = read, write
        self._open: set[types.RequestId] = set()
        self._settled = anyio.Condition()

    def __aiter__(self) -> _Wire:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def receive(self) -> SessionMessage | Exception:
        try:
            item = await self._read.receive()
        except anyio.EndOfStream:
            async with self._settled:
                while self._open:
                    await self._settled.wait()
            raise
        if not isinstance(item, SessionMessage) or not isinstance(item.message, types.JSONRPCRequest):
            return item
        number = item.message.id
        self._open.add(number)
        # A request that the client takes back is settled without an answer.
        unanswered = ServerMessageMetadata(on_request_unanswered=partial(self._settle, number))
        return SessionMessage(item.message, unanswered)

    async def send(self, item: SessionMessage, /) -> None:
        try:
            await self._write.send(item)
        finally:
            if isinstance(item.message, (types.JSONRPCResponse, types.JSONRPCError)) and item.message.id is not None:
                await self._settle(item.message.id)

    async def _settle(self, number: types.RequestId) -> None:
        with anyio.CancelScope(shield=True):
            async with self._settled:
                self._open.discard(number)
                self._settled.notify_all()

    async def aclose(self) -> None:
        await self._read.aclose()
        await self._write.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_raised: object) -> None:
        await self.aclose()


async def over_stdio(service: Service, settled: Mapping[str, Any]) -> None:
    """Serve one client over standard input and output, as one user in one place."""
    grant = Grant(caller="stdio", settled=settled)
    mcp = Mcp(service, lambda _context: (grant, {}))
    async with stdio_server() as (read, write):
        wire = _Wire(read, write)
        await mcp.server.run(wire, wire, mcp.server.create_initialization_options())
