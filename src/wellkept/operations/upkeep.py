"""The operations of those who run the store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wellkept.flows import answers
from wellkept.operations.operation import Operation, Parameter
from wellkept.vocabulary import DOCTOR_CHECKS

if TYPE_CHECKING:
    from wellkept.api import Viewpoint


def _stats(viewpoint: Viewpoint, _given: Mapping[str, Any]) -> dict[str, Mapping[str, int]]:
    return {"visible": viewpoint.stats(), "states": viewpoint.memory.upkeep.stats(tenant=viewpoint.place.tenant)}


USER = Parameter(name="user_id", doc="Id of the user.", is_required=True)

UPKEEP: tuple[Operation, ...] = (
    Operation(
        name="run_upkeep",
        python="upkeep.run",
        cli=("upkeep", "run"),
        rpc="upkeep.run",
        http=("POST", "/v1/upkeep/run"),
        doc="Run jobs now, all or these: what is queued, and a round through the whole store.",
        parameters=(Parameter(name="names", kind="texts", doc="Names of jobs, such as gc.", is_argument=True),),
        answer=answers.plain_json,
        is_admin=True,
    ),
    Operation(
        name="jobs",
        python="upkeep.jobs",
        cli=("upkeep", "jobs"),
        rpc="upkeep.jobs",
        http=("GET", "/v1/upkeep/jobs"),
        doc="List the jobs that wait or run, and those that were given up.",
        parameters=(Parameter(name="limit", kind="integer", doc="At most so many of each.", default=100),),
        answer=answers.plain_json,
        is_admin=True,
    ),
    Operation(
        name="retry_jobs",
        python="upkeep.retry",
        cli=("upkeep", "retry"),
        rpc="upkeep.retry",
        http=("POST", "/v1/upkeep/retry"),
        doc="Queue the jobs again that were given up.",
        answer=lambda value: {"retried": value},
        is_admin=True,
    ),
    Operation(
        name="doctor",
        python="upkeep.doctor",
        cli=("doctor",),
        rpc="upkeep.doctor",
        http=("POST", "/v1/upkeep/doctor"),
        doc="Look for what is wrong in the store, and with fix put it right.",
        parameters=(
            Parameter(
                name="checks",
                is_argument=True,
                kind="texts",
                doc="Which checks (default: all).",
                default=(),
                choices=(*DOCTOR_CHECKS, "all"),
            ),
            Parameter(name="fix", kind="flag", doc="Put right what can be.", default=False),
        ),
        answer=answers.diagnosis,
        is_admin=True,
    ),
    Operation(
        name="gc",
        python="upkeep.gc",
        cli=("memory", "gc"),
        rpc="memory.gc",
        http=("POST", "/v1/upkeep/gc"),
        doc="Archive what is superseded, expired or past its lifetime.",
        answer=answers.archived,
        is_admin=True,
    ),
    Operation(
        name="compact",
        python="upkeep.compact",
        cli=("memory", "compact"),
        rpc="memory.compact",
        http=("POST", "/v1/upkeep/compact"),
        doc="Remove what was archived long ago, for good.",
        parameters=(Parameter(name="after_days", kind="number", doc="Archived for so long (default: 90)."),),
        answer=lambda value: value,
        is_admin=True,
    ),
    Operation(
        name="export_user",
        python="upkeep.export_user",
        cli=("db", "export"),
        rpc="db.export",
        http=("GET", "/v1/users/{user_id}/export"),
        doc="Write everything of the tenant, or what belongs to a user, as lines of JSON.",
        parameters=(USER,),
        answer=answers.plain_json,
        is_admin=True,
    ),
    Operation(
        name="erase_user",
        python="upkeep.erase",
        cli=("db", "erase"),
        rpc="db.erase",
        http=("DELETE", "/v1/users/{user_id}"),
        doc="Remove everything that a user owns or stated, and prove it.",
        parameters=(
            USER,
            Parameter(name="mentions", kind="flag", doc="Also what others said of them.", default=False),
        ),
        answer=answers.plain_json,
        is_admin=True,
    ),
    Operation(
        name="rebuild_index",
        python="upkeep.rebuild",
        cli=("memory", "rebuild-index"),
        rpc="memory.rebuild_index",
        http=("POST", "/v1/upkeep/rebuild-index"),
        doc="Make the word index anew, and vectors where they are missing.",
        answer=lambda value: value,
        is_admin=True,
    ),
    Operation(
        name="stats",
        python="stats",
        cli=("memory", "stats"),
        rpc="memory.stats",
        http=("GET", "/v1/stats"),
        doc="Count memories: by type as you see them, by state in the whole store.",
        answer=answers.plain_json,
        call=_stats,
        is_admin=True,
    ),
)
