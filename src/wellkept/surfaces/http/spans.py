"""OpenTelemetry spans of memory operations, when the host application has set OpenTelemetry up; else nothing at all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wellkept.errors import WellkeptError

if TYPE_CHECKING:
    from wellkept.operations.operation import Operation
    from wellkept.types import Viewpoint


@contextmanager
def span(operation: Operation, place: Viewpoint, *, surface: str) -> Iterator[None]:
    """A span around one call. It carries names and codes, never text, and ids of nobody."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        yield
        return
    attributes = {
        "gen_ai.operation.name": operation.rpc,
        "wellkept.operations.operation": operation.name,
        "wellkept.surface": surface,
        "wellkept.is_write": operation.is_write,
        "wellkept.chat_type": place.chat_type,
    }
    tracer = trace.get_tracer("wellkept")
    with tracer.start_as_current_span(operation.rpc, attributes=attributes, record_exception=False) as current:
        try:
            yield
        except WellkeptError as error:
            current.set_attribute("error.type", error.code)
            raise
