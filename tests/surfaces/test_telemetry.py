"""OpenTelemetry by its own variables: to a collector that is really there, or not at all."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.surfaces.served import client, opened
from wellkept.errors import ConfigError
from wellkept.surfaces import telemetry


@pytest.fixture
def collector():
    """A collector of spans; its address and what it was sent."""
    taken = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self):
            taken.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Collector)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", taken
    server.shutdown()
    thread.join()
    server.server_close()


def asked(serve, **variables):
    """A server that was asked once, and has ended."""
    process, (address,) = serve(**variables)
    body = {"query": "what color is teal?", "viewpoint": {"user": "alice"}}
    httpx.post(f"{address}/v1/recall", json=body, timeout=90).raise_for_status()
    process.terminate()
    return process.communicate(timeout=60)[1]


def test_spans_reach_the_collector_that_the_variable_names(serve, collector):
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    address, taken = collector
    asked(
        serve,
        OTEL_EXPORTER_OTLP_ENDPOINT=address,
        OTEL_SERVICE_NAME="memory-of-acme",
        OTEL_EXPORTER_OTLP_COMPRESSION="none",
    )
    assert {path for path, _ in taken} == {"/v1/traces"}
    sent = b"".join(body for _, body in taken)
    assert b"search_memory" in sent
    assert b"memory-of-acme" in sent
    assert b"teal" not in sent
    assert b"alice" not in sent


def test_spans_are_shown_on_the_console(serve):
    err = asked(serve, OTEL_TRACES_EXPORTER="console")
    assert '"gen_ai.operation.name": "search_memory"' in err
    assert '"service.name": "wellkept"' in err


def test_nothing_leaves_when_it_is_disabled(serve, collector):
    address, taken = collector
    asked(serve, OTEL_EXPORTER_OTLP_ENDPOINT=address, OTEL_SDK_DISABLED="true")
    assert taken == []


@pytest.mark.parametrize(
    ("variables", "exporter"),
    [
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c"}, None),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c"}, "otlp"),
        ({"OTEL_SERVICE_NAME": "x"}, None),
    ],
)
def test_which_variables_switch_it_on(variables, exporter):
    assert telemetry.wanted(variables) == exporter


def test_what_is_not_offered_is_said():
    with pytest.raises(ConfigError, match="zipkin"):
        telemetry.wanted({"OTEL_TRACES_EXPORTER": "zipkin"})
    with (
        pytest.raises(ConfigError, match="grpc"),
        telemetry.exporting({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}),
    ):
        pass


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
