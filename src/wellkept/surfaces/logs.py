"""Logs of a server or worker: one line an event, as text or JSON, with the request's id and without anybody's words."""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any, TextIO

from wellkept.surfaces.http.wire import App, Message, Receive, Scope, Send, routed
from wellkept.values import frozen

if TYPE_CHECKING:
    from wellkept.config import ServerTable

LOGGERS = ("wellkept", "uvicorn")
HEADER = b"x-request-id"
ID_BYTES = 8
_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_DETAILS = "details"
"""Under this name a record carries its fields."""

request_id: ContextVar[str | None] = ContextVar("wellkept_request_id", default=None)
"""Of the request that is being answered, on its threads too."""

_access = logging.getLogger("wellkept.access")


@contextmanager
def configured(settings: ServerTable, stream: TextIO | None = None) -> Iterator[None]:
    """Write the logs of this process to standard error, as the settings say, until the end."""
    handler: logging.Handler = logging.NullHandler() if settings.log == "off" else logging.StreamHandler(stream)
    handler.setFormatter(JsonLines() if settings.log == "json" else TextLines())
    found = [logging.getLogger(name) for name in LOGGERS]
    before = [(one, one.level, one.propagate) for one in found]
    for one in found:
        one.addHandler(handler)
        one.setLevel(settings.log_level.upper())
        one.propagate = False
    try:
        yield
    finally:
        for one, level, propagate in before:
            one.removeHandler(handler)
            one.setLevel(level)
            one.propagate = propagate


class JsonLines(logging.Formatter):
    """An object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record without what an exception says: that may be somebody's words."""
        return json.dumps(_fields(record), ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """The same fields in the order in which they are read."""
        fields = _fields(record)
        time, level, _, message = (fields.pop(name) for name in ("time", "level", "logger", "message"))
        more = "".join(f" {name}={value}" for name, value in fields.items())
        # One event is one line, whatever is in it.
        return f"{time} {level:7} {message}{more}".replace("\r", "\\r").replace("\n", "\\n")


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": record.getMessage(),
    }
    told = request_id.get()
    if told is not None:
        fields["request_id"] = told
    fields |= getattr(record, _DETAILS, {})
    if record.exc_info and record.exc_info[0] is not None:
        kind, _, trace = record.exc_info
        fields["exception"] = f"{kind.__module__}.{kind.__qualname__}"
        fields["at"] = [f"{one.filename}:{one.lineno} {one.name}" for one in traceback.extract_tb(trace)]
    return fields


@frozen
class AccessLog:
    """An ASGI application around another: every request has an id, and a line when it is answered.

    A line has the path of the route, not of the request, so that no id and no query of a caller stands in it.
    """

    app: App
    chance: Callable[[int], str]
    """Gives so many random bytes in hexadecimal."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = perf_counter(), 0
        own = self._id(scope)
        mark = request_id.set(own)

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {**message, "headers": [*message.get("headers", ()), (HEADER, own.encode())]}
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            self._tell(scope, status, perf_counter() - started)
            request_id.reset(mark)

    def _id(self, scope: Scope) -> str:
        """What a proxy in front calls the request, when that is a plain name."""
        given = next((value.decode("latin-1") for name, value in scope["headers"] if name.lower() == HEADER), "")
        return given if _GIVEN_ID.fullmatch(given) else self.chance(ID_BYTES)

    @staticmethod
    def _tell(scope: Scope, status: int, seconds: float) -> None:
        level = logging.WARNING if status >= 500 or not status else logging.INFO  # noqa: PLR2004 -- HTTP's own
        if not _access.isEnabledFor(level):
            return
        grant = scope.get("state", {}).get("grant")
        details = {
            "method": scope["method"],
            "path": route(scope),
            "status": status,
            "ms": round(seconds * 1_000, 1),
            # A token's caller has the user in it; a key's is the id of the key.
            "caller": "" if grant is None else grant.caller.partition(":")[0],
        }
        _access.log(level, "request", extra={_DETAILS: details})


def route(scope: Scope) -> str:
    """The path with the names of its parameters; `?` for what leads nowhere.

    >>> route({"path": "/v1/users/ann/export", "path_params": {"user_id": "ann"}, "endpoint": print})
    '/v1/users/{user_id}/export'
    """
    if "endpoint" not in scope:
        return "?"
    names = {str(value): name for name, value in scope.get("path_params", {}).items()}
    parts = (f"{{{names[part]}}}" if part in names else part for part in routed(scope).split("/"))
    return "/".join(parts)
