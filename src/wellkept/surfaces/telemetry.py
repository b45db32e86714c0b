"""OpenTelemetry, switched on by its own variables: where none is set, nothing is loaded and nothing leaves."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wellkept.errors import ConfigError, MissingExtra

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

SERVICE = "wellkept"
EXPORTERS = ("otlp", "console", "none")
PROTOCOLS = ("http/protobuf", "")
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
HINT = "OpenTelemetry needs `pip install 'wellkept[otel]'`, or OTEL_SDK_DISABLED=true."


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
