"""The HTTP surface: every operation under its method and path, made from the table; health, figures, stream, docs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Match

from wellkept.errors import InvalidInput, WellkeptError
from wellkept.flows.read.events import Tail
from wellkept.operations import OPERATIONS
from wellkept.policies.callers import PLACE_NAMES
from wellkept.store.contract import AnyKey
from wellkept.surfaces.http import schemas, wire
from wellkept.surfaces.http.gateway import Call, Service
from wellkept.surfaces.http.guard import LOCAL_HOSTS, Guard, Rates
from wellkept.surfaces.http.mem0 import add_mem0
from wellkept.surfaces.http.rpc import add_rpc
from wellkept.surfaces.mcp import add_mcp
from wellkept.surfaces.studio import add_studio
from wellkept.types import as_json

if TYPE_CHECKING:
    from starlette.requests import Request

    from wellkept.api import Memory
    from wellkept.operations.operation import Operation, Parameter

BODY_METHODS = frozenset({"POST", "PATCH", "PUT"})
LOOK_EVERY_S = 0.25
BEAT_EVERY = 60
"""Looks without an event after which a comment keeps the connection alive."""
STREAMS_MAX = 64
API_DOCS = Path(__file__).parents[1] / "api_docs"
"""Swagger UI, with nothing loaded from elsewhere."""
API_DOCS_HEADERS = {
    # Swagger UI's style sheet has its pictures in it.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
}
_TRUTHS = {"true": True, "1": True, "false": False, "0": False}


def application(memory: Memory, *, hosts: Iterable[str] = ()) -> Guard:
    """Everything that `wellkept serve` serves, behind its guard. `hosts`: names of the address it listens on."""
    return guarded(Service(memory), hosts=hosts)


def guarded(service: Service, *, hosts: Iterable[str] = ()) -> Guard:
    """The application of a service, behind its guard."""
    app = made(service)
    settings = service.settings
    return Guard(
        app=app,
        credentials=service.credentials,
        limits=settings,
        hosts=LOCAL_HOSTS | {name.lower() for name in (*hosts, *settings.allowed_hosts)},
        rates=Rates(per_minute=settings.requests_per_minute),
        open_paths=app.state.open_paths,
        in_thread=service.in_thread,
    )


def made(service: Service) -> FastAPI:
    """The application without its guard: never serve it alone."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with running():
            yield

    app = FastAPI(title="wellkept", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    running = add_mcp(app, service)
    app.state.service = service
    app.state.open_paths = {"/healthz", "/readyz"}
    # Paths without parameters first: `/v1/people/review` is no person.
    routes = [(path, method, one) for one in OPERATIONS for method, path in (one.http, *one.also)]
    for path, method, operation in sorted(routes, key=lambda route: (route[0].count("{"), route[0])):
        app.add_route(path, _Endpoint(service, operation, path).answered, methods=[method])
    _add_own_routes(app, service)
    add_rpc(app, service)
    add_mem0(app, service)
    _add_stream(app, service)
    _add_api_docs(app)
    _add_errors(app)
    add_studio(app)
    return app


class _Endpoint:
    """An operation at its path."""

    def __init__(self, service: Service, operation: Operation, path: str) -> None:
        self._service, self._operation = service, operation
        self._in_path = schemas.in_path(path)

    async def answered(self, request: Request) -> Response:
        try:
            return await self._answer(request)
        except WellkeptError as error:
            return wire.refusal(error)

    async def _answer(self, request: Request) -> Response:
        operation = self._operation
        arguments, place = await self._asked(request)
        arguments |= {name: wire.named(request, name) for name in self._in_path}
        if operation.if_match is not None and request.headers.get("if-match", "*").strip() != "*":
            mark = request.headers["if-match"].strip().strip('"')
            is_version = mark.isascii() and mark.isdigit() and len(mark) < 10  # noqa: PLR2004 -- versions are small
            arguments[operation.if_match] = int(mark) if is_version else -1  # no version: matches nothing
        call = Call(
            operation=operation,
            arguments=arguments,
            place=place,
            grant=request.state.grant,
            surface="http",
            key=request.headers.get("idempotency-key"),
        )
        answer = await self._service.run(call)
        headers = self._headers(answer, arguments, request)
        if "ETag" in headers and request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return wire.json_answer(answer, headers=headers)

    async def _asked(self, request: Request) -> tuple[dict[str, Any], Mapping[str, Any]]:
        """Arguments and viewpoint: from the body, or from the query."""
        named = {one.name: one for one in self._operation.parameters if one.name not in self._in_path}
        if request.method not in BODY_METHODS:
            return _from_query(request.query_params.multi_items(), named)
        if request.query_params:
            raise InvalidInput("Parameters of this method go in the body.", code="invalid_parameter")
        given = await wire.body_object(request, self._service.settings.depth_max)
        place = given.pop("viewpoint", None)
        place = {} if place is None else place
        if not isinstance(place, dict):
            raise InvalidInput("viewpoint must be an object.", code="invalid_viewpoint")
        twice = set(given) & set(self._in_path)
        if twice:
            raise InvalidInput(f"{min(twice)} is given in the path already.", code="invalid_parameter")
        return given, place

    def _headers(self, answer: Any, arguments: Mapping[str, Any], request: Request) -> dict[str, str]:  # noqa: ANN401 -- JSON
        operation = self._operation
        if operation.etag is not None and isinstance(answer, dict) and answer.get(operation.etag) is not None:
            return {"ETag": f'"{answer[operation.etag]}"'}
        if operation.cursor is None or not isinstance(answer, list) or not answer:
            return {}
        limit = arguments.get("limit") or next(one.default for one in operation.parameters if one.name == "limit")
        if len(answer) < limit:
            return {}
        last = answer[-1]["id"]
        others = [(name, value) for name, value in request.query_params.multi_items() if name != operation.cursor]
        query = urlencode([*others, (operation.cursor, last)])
        return {"Link": f'<{request.url.path}?{query}>; rel="next"', "Next-Cursor": last}


def _from_query(
    items: Iterable[tuple[str, str]], named: Mapping[str, Parameter]
) -> tuple[dict[str, Any], dict[str, Any]]:
    arguments: dict[str, Any] = {}
    place: dict[str, Any] = {}
    for name, text in items:
        kind = named[name].kind if name in named else "texts" if name == "participants" else "text"
        target = place if name in PLACE_NAMES and name not in named else arguments
        if kind in ("texts", "pair"):
            target.setdefault(name, []).append(text)
        elif name in target:
            raise InvalidInput(f"{name} is given twice.", code="invalid_parameter")
        else:
            target[name] = _value(text, kind)
    return arguments, place


def _value(text: str, kind: str) -> Any:  # noqa: ANN401 -- of the parameter's own kind
    """A text of a query as its parameter takes it; what cannot be read stays a text, which the operation refuses."""
    if kind == "flag":
        return _TRUTHS.get(text.lower(), text)
    if kind == "object":
        with suppress(InvalidInput):
            return wire.parsed(text.encode("utf-8", "surrogatepass"), depth_max=8)
    with suppress(ValueError):
        if kind == "integer" and len(text) < 20 and text.isascii():  # noqa: PLR2004 -- 64 bits
            return int(text)
        if kind == "number" and text.isascii():
            return float(text)
    return text


def _add_own_routes(app: FastAPI, service: Service) -> None:
    """What is no operation: health and figures."""

    async def healthz(_request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def readyz(_request: Request) -> Response:
        if service.closing.is_set():
            return wire.problem("closing", "The server is closing.", 503)
        try:
            await service.in_thread(service.memory.engine.store.has, AnyKey())
        except WellkeptError as error:
            return wire.refusal(error)
        return JSONResponse({"status": "ready"})

    async def metrics(request: Request) -> Response:
        if not request.state.grant.is_operator:
            return wire.problem("admin_only", "Metrics are for operators.", 403)
        text = await service.in_thread(service.metrics.text)
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    for path, endpoint in {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}.items():
        app.add_route(path, endpoint, methods=["GET"])


def _add_stream(app: FastAPI, service: Service) -> None:
    """`GET /v1/stream`: the ledger as it grows, as server-sent events."""
    running = asyncio.Semaphore(STREAMS_MAX)

    async def stream(request: Request) -> Response:
        try:
            wanted, tail = await service.in_thread(_opened, service, request)
        except WellkeptError as error:
            return wire.refusal(error)
        if running.locked():
            return wire.problem("rate_limited", f"At most {STREAMS_MAX} streams at once.", 429)
        return StreamingResponse(_events(service, tail, wanted, running), media_type="text/event-stream")

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


async def _events(
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


def _add_api_docs(app: FastAPI) -> None:
    """The description at `/openapi.json` and a page of it at `/docs`, whose files open without a key."""
    described = json.dumps(schemas.openapi(OPERATIONS)).encode()
    file, names = wire.files_of(API_DOCS)

    async def openapi(_request: Request) -> Response:
        return Response(described, media_type="application/json")

    async def page(_request: Request) -> Response:
        return FileResponse(API_DOCS / "docs.html", media_type="text/html; charset=utf-8", headers=API_DOCS_HEADERS)

    for path, endpoint in {"/openapi.json": openapi, "/docs": page, "/docs/{name}": file}.items():
        app.add_route(path, endpoint, methods=["GET"])
    app.state.open_paths |= {f"/docs/{name}" for name in names}


def _add_errors(app: FastAPI) -> None:
    def allowed(request: Request) -> str:
        """The methods at the first path that fits, which is the one that is described for it."""
        fitting = [route for route in app.router.routes if route.matches(request.scope)[0] is not Match.NONE]
        path = getattr(fitting[0], "path", None) if fitting else None
        found = (getattr(route, "methods", None) or () for route in fitting if getattr(route, "path", None) == path)
        return ", ".join(sorted({method for methods in found for method in methods}))

    async def answered(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        if status == 405:  # noqa: PLR2004 -- HTTP's own
            return wire.problem("unknown_method", "No such method here.", 405, headers={"Allow": allowed(request)})
        if status == 404:  # noqa: PLR2004 -- HTTP's own
            return wire.problem("unknown_path", "There is nothing here; see /openapi.json.", 404)
        return wire.problem("failed", "The request cannot be answered.", status)

    app.add_exception_handler(HTTPException, answered)
    app.add_exception_handler(Exception, answered)
