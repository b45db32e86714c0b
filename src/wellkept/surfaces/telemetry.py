"""OpenTelemetry, switched on by its own variables: where none is set, nothing is loaded and nothing leaves."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wellkept.errors import ConfigError, MissingExtra, WellkeptError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

    from wellkept.operations.operation import Operation
    from wellkept.types import Viewpoint

SERVICE = "wellkept"
EXPORTERS = ("otlp", "console", "none")
PROTOCOLS = ("http/protobuf", "")
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
HINT = "OpenTelemetry needs `pip install 'wellkept[otel]'`, or OTEL_SDK_DISABLED=true."


NAMES: Mapping[str, str] = {
    "remember": "upsert_memory",
    "observe": "upsert_memory",
    "add": "create_memory",
    "recall": "search_memory",
    "query": "search_memory",
    "context": "search_memory",
    "edit": "update_memory",
    "pin": "update_memory",
    "unpin": "update_memory",
    "restore": "update_memory",
    "forget": "delete_memory",
    "forget_person": "delete_memory",
    "erase_user": "delete_memory",
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
