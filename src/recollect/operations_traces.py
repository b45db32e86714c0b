"""The operations on governed sessions. Their traces show what was said in them: they are for operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from recollect.operation import Operation, Parameter

if TYPE_CHECKING:
    from recollect.store.base_governed import Trace

SESSION = Parameter(name="session", doc="Id of the governed session.", is_required=True)


def _kept(found: Sequence[Trace]) -> list[dict[str, Any]]:
    return [{"number": one.number, "call": one.call, "event": dict(one.event)} for one in found]


TRACES: tuple[Operation, ...] = (
    Operation(
        name="traces",
        python="traces",
        cli=("trace", "show"),
        rpc="trace.show",
        http=("GET", "/v1/traces/{session}"),
        doc="Show the kept events of a governed session, oldest first.",
        parameters=(
            SESSION,
            Parameter(name="after", kind="integer", doc="Only events numbered above this.", default=0),
            Parameter(name="limit", kind="integer", doc="At most so many.", default=200),
        ),
        answer=_kept,
        is_admin=True,
    ),
    Operation(
        name="phase_diff",
        python="phase_diff",
        cli=("trace", "diff"),
        rpc="trace.diff",
        http=("POST", "/v1/traces/{session}/diff"),
        doc="Say what changed between two phases of a governed session.",
        parameters=(
            SESSION,
            Parameter(name="from_phase", doc="The earlier phase, such as phase-1.", is_required=True),
            Parameter(name="to_phase", doc="The later one.", is_required=True),
            Parameter(
                name="space",
                doc="Which space of the session.",
                default="session",
                choices=("session", "user", "project", "system"),
            ),
            Parameter(name="project", doc="The project of the session, for its space."),
        ),
        answer=list,
        is_admin=True,
    ),
)
