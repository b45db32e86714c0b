"""JSON-RPC 2.0: every operation under its name, over `POST /rpc` and the Unix socket; the door of the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from wellkept.errors import InvalidInput, TooLarge, WellkeptError
from wellkept.operations import OPERATIONS
from wellkept.policies.callers import PLACE_NAMES
from wellkept.surfaces.http.gateway import Call
from wellkept.surfaces.http.wire import json_answer, parsed

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request

    from wellkept.operations.operation import Operation
    from wellkept.policies.callers import Grant
    from wellkept.surfaces.http.gateway import Service

PARSE_ERROR = -32_700
INVALID_REQUEST = -32_600
METHOD_NOT_FOUND = -32_601
INVALID_PARAMS = -32_602
FAILED = -32_000
"""An operation that was refused or failed; `data.code` is the stable code."""
BATCH_MAX = 50

PLACES: Mapping[str, str] = {"user_id": "user", "chat_id": "chat", **{name: name for name in PLACE_NAMES}}
"""Names of the viewpoint among the parameters of a call."""
METHODS: Mapping[str, Operation] = {operation.rpc: operation for operation in OPERATIONS}

JSON = Any


def _nothing() -> None:
    """Counted already."""


class _Fault(Exception):
    """A request that is none."""

    def __init__(self, number: int, message: str, code: str) -> None:
        super().__init__(message)
        self.number, self.code = number, code


class Rpc:
    """JSON-RPC over a service."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def answer(self, body: bytes, grant: Grant, take: Callable[[], None]) -> JSON | None:
        """The response to a body: an object, a list, or nothing when all it had were notifications.

        `take` counts one more request of the caller: the first of a batch was counted as the body came.
        """
        try:
            asked = parsed(body, depth_max=self._service.settings.depth_max)
        except (InvalidInput, TooLarge) as error:
            return _error(None, PARSE_ERROR, str(error), error.code)
        if not isinstance(asked, list):
            return await self._one(asked, grant, _nothing)
        if not 0 < len(asked) <= BATCH_MAX:
            return _error(None, INVALID_REQUEST, f"A batch has 1 to {BATCH_MAX} requests.", "invalid_batch")
        answers = [await self._one(one, grant, take if number else _nothing) for number, one in enumerate(asked)]
        return [one for one in answers if one is not None] or None

    async def _one(self, asked: JSON, grant: Grant, take: Callable[[], None]) -> JSON | None:
        number = asked.get("id") if isinstance(asked, dict) else None
        is_named = isinstance(number, (str, int, float)) and not isinstance(number, bool)
        try:
            call = _call(asked, grant)
            take()
            result = await self._service.run(call)
        except _Fault as fault:
            # What is no request at all is answered even without an id: its sender has to learn of it.
            is_silent = fault.number != INVALID_REQUEST and "id" not in asked
            return None if is_silent else _error(number if is_named else None, fault.number, str(fault), fault.code)
        except WellkeptError as error:
            kind = INVALID_PARAMS if error.code == "invalid_parameter" else FAILED
            return _error(number, kind, str(error), error.code) if "id" in asked else None
        return {"jsonrpc": "2.0", "id": number, "result": result} if "id" in asked else None


def _call(asked: JSON, grant: Grant) -> Call:
    if not isinstance(asked, dict) or asked.get("jsonrpc") != "2.0" or not isinstance(asked.get("method"), str):
        raise _Fault(INVALID_REQUEST, 'A request is {"jsonrpc": "2.0", "method": …, "params": …}.', "invalid_request")
    number = asked.get("id")
    if isinstance(number, (bool, dict, list)) or set(asked) - {"jsonrpc", "id", "method", "params"}:
        raise _Fault(INVALID_REQUEST, "An id is a text or a number, and there are no other fields.", "invalid_request")
    operation = METHODS.get(asked["method"])
    if operation is None:
        raise _Fault(METHOD_NOT_FOUND, f"There is no method {asked['method'][:100]!r}.", "unknown_method")
    arguments, place = _split(asked.get("params", {}), operation)
    return Call(operation=operation, arguments=arguments, place=place, grant=grant, surface="rpc")


def _split(given: JSON, operation: Operation) -> tuple[dict[str, JSON], dict[str, JSON]]:
    """Parameters of the operation, and those that say who asks and where."""
    if isinstance(given, list):
        if len(given) > len(operation.parameters):
            raise _Fault(INVALID_PARAMS, f"At most {len(operation.parameters)} parameters.", "invalid_parameter")
        return {one.name: value for one, value in zip(operation.parameters, given, strict=False)}, {}
    if not isinstance(given, dict):
        raise _Fault(INVALID_PARAMS, "params must be an object or a list.", "invalid_parameter")
    names: dict[str, str] = {one.rpc or one.name: one.name for one in operation.parameters}
    names |= {one.name: one.name for one in operation.parameters}
    arguments: dict[str, JSON] = {}
    place: dict[str, JSON] = {}
    for name, value in given.items():
        is_of_place = name not in names and name in PLACES
        target = place if is_of_place else arguments
        known = PLACES[name] if is_of_place else str(names.get(name, name))
        if known in target:
            raise _Fault(INVALID_PARAMS, f"{known} is given twice, by two names.", "invalid_parameter")
        target[known] = value
    return arguments, place


def _error(number: JSON, kind: int, message: str, code: str) -> JSON:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": kind, "message": message, "data": {"code": code}}}


def add_rpc(app: FastAPI, service: Service) -> None:
    rpc = Rpc(service)

    async def endpoint(request: Request) -> Response:
        answer = await rpc.answer(await request.body(), request.state.grant, request.state.take)
        if answer is None:
            return Response(status_code=204)
        return json_answer(answer)

    app.add_route("/rpc", endpoint, methods=["POST"])
