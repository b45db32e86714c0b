"""`GET /v1/stream`: the ledger as it grows, as server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput, WellkeptError
from wellkept.flows.read.events import Tail
from wellkept.policies.callers.grants import PLACE_NAMES
from wellkept.surfaces.http import problems
from wellkept.types import as_json

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.http.service import Service

LOOK_EVERY_S = 0.25
BEAT_EVERY = 60
"""Looks without an event after which a comment keeps the connection alive."""
STREAMS_MAX = 64


def add_stream(app: FastAPI, service: Service) -> None:
    """Put the stream into an application."""
    from starlette.responses import StreamingResponse

    running = asyncio.Semaphore(STREAMS_MAX)

    async def stream(request: Request) -> Response:
        try:
            wanted, tail = await service.in_thread(_opened, service, request)
        except WellkeptError as error:
            return problems.answer(error)
        if running.locked():
            return problems.problem("rate_limited", f"At most {STREAMS_MAX} streams at once.", 429)
        return StreamingResponse(_told(service, tail, wanted, running), media_type="text/event-stream")

    app.add_route("/v1/stream", stream, methods=["GET"])


def _opened(service: Service, request: Request) -> tuple[dict[str, str], Tail]:
    """Everybody's events for an operator who names no user, else the user's own."""
    grant, query = request.state.grant, dict(request.query_params)
    wanted: dict[str, str] = {name: query.pop(name) for name in ("node", "op") if name in query}
    unknown = sorted(set(query) - set(PLACE_NAMES))
    if unknown:
        raise InvalidInput(f"Unknown parameter {unknown[0]!r}.", code="invalid_parameter")
    place = service.gateway.viewpoint(grant, query).place
    if place.user is None and not grant.is_operator:
        raise InvalidInput("Whose events? Name a user.", code="no_owner")
    return wanted, Tail(place.tenant, service.memory.engine, owner=place.user)


async def _told(
    service: Service, tail: Tail, wanted: dict[str, str], running: asyncio.Semaphore
) -> AsyncIterator[bytes]:
    silent = 0
    async with running:
        yield b": wellkept\n\n"
        while not service.closing.is_set():
            found: list[dict[str, Any]] = [as_json(one) for one in await service.in_thread(tail.look)]
            told = [one for one in found if all(one[name] == value for name, value in wanted.items())]
            for one in told:
                yield f"id: {one['id']}\nevent: ledger\ndata: {json.dumps(one)}\n\n".encode()
            silent = 0 if told else silent + 1
            if silent >= BEAT_EVERY:
                silent = 0
                yield b": still here\n\n"
            await asyncio.sleep(LOOK_EVERY_S)
