"""MCP over standard input and output, for one client: whatever was read is answered before the end is taken for one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import anyio
import mcp_types as types
from mcp.server.stdio import stdio_server
from mcp.shared.message import ServerMessageMetadata, SessionMessage

from wellkept.policies.callers.grants import Grant
from wellkept.surfaces.mcp.server import Mcp

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream

    from wellkept.surfaces.http.service import Service


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
        """The next message of the client."""
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
        """A message to the client."""
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
        """Nobody reads or writes any more."""
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
