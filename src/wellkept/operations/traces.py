"""The operations on governed sessions. Their traces show what was said in them: they are for operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wellkept.operations.operation import Operation, Parameter
from wellkept.types import as_json

if TYPE_CHECKING:
    from wellkept.policies.governance.phases import Phase
    from wellkept.store.contract import Trace

SESSION = Parameter(name="session", doc="Id of the governed session.", is_required=True)


def _kept(found: Sequence[Trace]) -> list[dict[str, Any]]:
    return [{"number": one.number, "call": one.call, "event": dict(one.event)} for one in found]


def _phases(found: Sequence[Phase]) -> list[dict[str, Any]]:
    return [one.as_json() for one in found]


TRACES: tuple[Operation, ...] = (
    Operation(
        name="governed_sessions",
        python="governed_sessions",
        cli=("trace", "list"),
        rpc="trace.list",
        http=("GET", "/v1/traces"),
        doc="List the governed sessions, the one of the latest decision first.",
        parameters=(Parameter(name="limit", kind="integer", doc="At most so many.", default=50),),
        answer=as_json,
        is_admin=True,
    ),
    Operation(
        name="phases",
        python="phases",
        cli=("trace", "phases"),
        rpc="trace.phases",
        http=("GET", "/v1/traces/{session}/phases"),
        doc="List the phases of a governed session, oldest first.",
        parameters=(SESSION,),
        answer=_phases,
        is_admin=True,
    ),
    Operation(
        name="start_phase",
        python="start_phase",
        cli=("trace", "start"),
        rpc="trace.start_phase",
        http=("POST", "/v1/traces/{session}/phases"),
        doc="Begin the next phase of a governed session, by the policy it lives by.",
        parameters=(
            SESSION,
            Parameter(name="name", doc="What to call it."),
            Parameter(name="reason", doc="A code that says why.", default="manual"),
        ),
        answer=list,
        is_admin=True,
    ),
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
