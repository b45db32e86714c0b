"""The Model Context Protocol: tools, resources and a prompt made from the table, and `/mcp` over streamable HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import wellkept
from wellkept.errors import MissingExtra, WellkeptError
from wellkept.operations import BY_NAME, OPERATIONS
from wellkept.policies.callers.grants import PLACE_NAMES, Grant
from wellkept.surfaces.http import schemas
from wellkept.surfaces.http.gateway import Call
from wellkept.surfaces.http.service import HINT, Service

if TYPE_CHECKING:
    import mcp_types as types
    from fastapi import FastAPI
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

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
        try:
            from mcp.server.lowlevel import Server
        except ImportError:
            raise MissingExtra(HINT) from None
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

    async def _tools(self, context: Context, _params: object) -> types.ListToolsResult:
        import mcp_types as types

        is_operator = self._asker(context)[0].is_operator
        return types.ListToolsResult(tools=[_tool(one, is_operator=is_operator) for one in TOOLS.values()])

    async def _call(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        import mcp_types as types

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
        import mcp_types as types

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
        import mcp_types as types

        one = types.ResourceTemplate(
            name="memory", uri_template="memory://{id}", description="One memory by its id.", mime_type=_JSON
        )
        return types.ListResourceTemplatesResult(resource_templates=[one])

    async def _read(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        import mcp_types as types

        uri = str(params.uri)
        scheme, _, name = uri.partition("://")
        if scheme != "memory" or not name:
            raise _unknown(f"There is no resource {uri[:100]!r}.")
        try:
            if name == "context":
                block = await self._run(context, BY_NAME["context"], {"query": ABOUT_ME})
                content = types.TextResourceContents(uri=uri, mime_type="text/plain", text=block["text"])
            else:
                is_listing = name == "people"
                operation = BY_NAME["people" if is_listing else "show"]
                answer = await self._run(context, operation, {} if is_listing else {"memory_id": unquote(name)})
                text = json.dumps(answer, ensure_ascii=False)
                content = types.TextResourceContents(uri=uri, mime_type=_JSON, text=text)
        except WellkeptError as error:
            raise _unknown(str(error), code=error.code) from None
        return types.ReadResourceResult(contents=[content])

    async def _prompts(self, _context: Context, _params: object) -> types.ListPromptsResult:
        import mcp_types as types

        query = types.PromptArgument(name="query", description="What the answer will be about.", required=False)
        one = types.Prompt(name="context", description=BY_NAME["context"].doc, arguments=[query])
        return types.ListPromptsResult(prompts=[one])

    async def _prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        import mcp_types as types

        if params.name != "context":
            raise _unknown(f"There is no prompt {params.name[:100]!r}.")
        query = (params.arguments or {}).get("query") or ABOUT_ME
        try:
            block = await self._run(context, BY_NAME["context"], {"query": query})
        except WellkeptError as error:
            raise _unknown(str(error), code=error.code) from None
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=block["text"]))
        return types.GetPromptResult(description=BY_NAME["context"].doc, messages=[message])


def _tool(operation: Operation, *, is_operator: bool) -> types.Tool:
    import mcp_types as types

    sent, answered = schemas.of_tool(operation, is_operator=is_operator)
    hints = types.ToolAnnotations(
        read_only_hint=not operation.is_write, destructive_hint=operation.name == "forget", open_world_hint=False
    )
    return types.Tool(
        name=str(operation.mcp),
        description=operation.doc,
        input_schema=sent,
        output_schema=answered,
        annotations=hints,
    )


def _unknown(message: str, *, code: str = "unknown") -> Exception:
    from mcp.shared.exceptions import MCPError

    return MCPError(-32_602, message, {"code": code})


def add_mcp(app: FastAPI, service: Service) -> Callable[[], AbstractAsyncContextManager[None]]:
    """Put `/mcp` into an application; what it gives has to run as long as the application does.

    Whoever asks is known by the key; what a key leaves open is said in the URL: `/mcp?user=alice&chat=dm`.
    """
    mcp = Mcp(service, _by_request)
    try:
        from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
    except ImportError:
        raise MissingExtra(HINT) from None
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
