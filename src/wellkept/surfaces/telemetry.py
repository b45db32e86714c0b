"""What a server or worker tells about itself: logs without anybody's words, and OpenTelemetry where it is asked for."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any, TextIO

from wellkept.errors import ConfigError, MissingExtra, WellkeptError
from wellkept.surfaces.http.wire import App, Message, Receive, Scope, Send, routed
from wellkept.values import frozen

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

    from wellkept.config import ServerTable
    from wellkept.operations.operation import Operation
    from wellkept.types import Viewpoint

# --- Logs: one line an event, as text or JSON, with the request's id.

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
def logging_configured(settings: ServerTable, stream: TextIO | None = None) -> Iterator[None]:
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
    """Gives this many random bytes in hexadecimal."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = perf_counter(), 0
        # What a proxy in front calls the request, when that is a plain name.
        given = next((value.decode("latin-1") for name, value in scope["headers"] if name.lower() == HEADER), "")
        own = given if _GIVEN_ID.fullmatch(given) else self.chance(ID_BYTES)
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


# --- OpenTelemetry, switched on by its own variables: where none is set, nothing is loaded and nothing leaves.

SERVICE = "wellkept"
EXPORTERS = ("otlp", "console", "none")
PROTOCOLS = ("http/protobuf", "")
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
HINT = "OpenTelemetry needs `pip install 'wellkept[otel]'`, or OTEL_SDK_DISABLED=true."
NAMES: Mapping[str, str] = {
    **dict.fromkeys(("remember", "observe"), "upsert_memory"),
    "add": "create_memory",
    **dict.fromkeys(("recall", "query", "context"), "search_memory"),
    **dict.fromkeys(("edit", "pin", "unpin", "restore"), "update_memory"),
    **dict.fromkeys(("forget", "forget_person", "erase_user"), "delete_memory"),
}
"""Operations by their names in OpenTelemetry's conventions for generative AI; what is not there has none."""


def wanted(environment: Mapping[str, str]) -> str | None:
    """The exporter that the variables ask for; None when they ask for nothing.

    >>> wanted({}), wanted({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"})
    (None, 'otlp')
    """
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    named = environment.get("OTEL_TRACES_EXPORTER", "")
    if not named:
        return "otlp" if any(environment.get(name) for name in _ENDPOINTS) else None
    if named not in EXPORTERS:
        raise ConfigError(f"OTEL_TRACES_EXPORTER is {named!r}; here it can be {', '.join(EXPORTERS)}.")
    return None if named == "none" else named


@contextmanager
def exporting(environment: Mapping[str, str]) -> Iterator[None]:
    """Send spans where the variables say, and what is left at the end."""
    exporter = wanted(environment)
    if exporter is None:
        yield
        return
    try:
        from opentelemetry import trace
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise MissingExtra(HINT) from None
    # Names, attributes and the sampler of OTEL_… come before ours.
    resource = Resource.create({} if "OTEL_SERVICE_NAME" in environment else {"service.name": SERVICE})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(_exporter(exporter, environment)))
    trace.set_tracer_provider(provider)
    try:
        yield
    finally:
        provider.shutdown()


def _exporter(name: str, environment: Mapping[str, str]) -> SpanExporter:
    if name == "console":
        from opentelemetry.sdk.trace.export import ConsoleSpanExporter

        return ConsoleSpanExporter(out=sys.stderr)
    protocol = environment.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or environment.get("OTEL_EXPORTER_OTLP_PROTOCOL")
    if (protocol or "") not in PROTOCOLS:
        raise ConfigError(f"OTEL_EXPORTER_OTLP_PROTOCOL is {protocol!r}; here it can be http/protobuf.")
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError:
        raise MissingExtra(HINT) from None
    exporter: SpanExporter = OTLPSpanExporter()
    return exporter


@contextmanager
def span(operation: Operation, place: Viewpoint, *, surface: str) -> Iterator[None]:
    """A span around one call. It carries names and codes, never text, and ids of nobody."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        yield
        return
    attributes = {
        "wellkept.operation": operation.name,
        "wellkept.surface": surface,
        "wellkept.is_write": operation.is_write,
        "wellkept.chat_type": place.chat_type,
    }
    known = NAMES.get(operation.name)
    if known is not None:
        attributes["gen_ai.operation.name"] = known
    tracer = trace.get_tracer("wellkept")
    with tracer.start_as_current_span(
        known or operation.rpc, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield
        except WellkeptError as error:
            current.set_attribute("error.type", error.code)
            # Without a description: what an error says may be somebody's words.
            current.set_status(trace.StatusCode.ERROR)
            raise
