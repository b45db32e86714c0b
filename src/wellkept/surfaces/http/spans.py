"""OpenTelemetry spans of memory operations, where OpenTelemetry is set up; else nothing at all."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wellkept.errors import WellkeptError

if TYPE_CHECKING:
    from wellkept.operations.operation import Operation
    from wellkept.types import Viewpoint

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
