"""Spans of OpenTelemetry: one a call, with codes and without text; nothing when it is not there."""

from __future__ import annotations

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.surfaces.served import client, opened


@pytest.fixture(scope="module")
def exporter():
    """What the host application would set up; once a process, as OpenTelemetry has it."""
    found = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(found))
    trace.set_tracer_provider(provider)
    yield found
    provider.shutdown()


def test_each_call_has_a_span_with_codes_and_without_text(exporter, store_path, clock):
    with opened(store_path, clock) as memory:
        http = client(memory)
        http.post("/v1/remember", json={"facts": "My favorite color is teal", "viewpoint": {"user": "alice"}})
        http.post("/v1/recall", json={"query": " ", "viewpoint": {"user": "alice"}})
    spans = [one for one in exporter.get_finished_spans() if one.instrumentation_scope.name == "wellkept"]
    assert [one.name for one in spans] == ["upsert_memory", "search_memory"]
    stored, failed = (dict(one.attributes) for one in spans)
    assert stored["wellkept.surface"] == "http"
    assert stored["wellkept.is_write"] is True
    assert failed["error.type"] == "empty_query"
    told = repr([(one.attributes, one.events, one.status.description) for one in spans])
    assert "teal" not in told
    assert "alice" not in told
