"""The page of the store's health: counts, growth, latency, jobs, and on request the doctor."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from wellkept.errors import NotAllowed
from wellkept.flows.answers import sentence
from wellkept.surfaces.studio import words
from wellkept.surfaces.studio.desk import HEADERS

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Desk

JOBS = 50
DECISIONS = 300
"""The latest, of which is counted what was kept and refused."""


async def health(desk: Desk, request: Request) -> Response:
    """Counts, figures and jobs, for operators; growth, for everybody their own."""
    if not request.state.grant.is_operator:
        return desk.page(request, "health", stats=None)
    recent = desk.service.metrics.recent
    whole = recent.whole()
    latest = await desk.run(request, "events", {"of": "*", "limit": DECISIONS, "housekeeping": False})
    kinds = Counter(filter(None, map(words.kind, latest)))
    return desk.page(
        request,
        "health",
        stats=await desk.run(request, "stats", {}),
        jobs=_jobs(await desk.run(request, "jobs", {"limit": JOBS})),
        jobs_max=JOBS,
        decisions={name: kinds[name] for name in ("learned", "replaced", "refused")},
        reasons=Counter(sentence(one["reason"]) for one in latest if words.kind(one) == "refused").most_common(5),
        states=words.STATES,
        calls=None if whole is None else {"p95": whole.p95, "count": whole.count, "rows": recent.by_operation()},
        diagnosis=await desk.run(request, "doctor", {}) if request.query_params.get("doctor") else None,
        checks=words.CHECKS,
    )


def _jobs(found: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Jobs with what they are about in a line: the names in their payload, or nothing."""
    return {
        state: [
            {**job, "about": ", ".join(f"{name} {value}" for name, value in job["payload"].items())} for job in jobs
        ]
        for state, jobs in found.items()
    }


async def growth(desk: Desk, request: Request) -> Response:
    """How many memories were made a day, for the picture."""
    from starlette.responses import Response

    is_everybody = request.state.grant.is_operator and not request.query_params.get("user")
    days = await desk.run(request, "growth", {"of": "*"} if is_everybody else {})
    return Response(json.dumps(list(days.items())), media_type="application/json", headers=HEADERS)


async def latency(desk: Desk, request: Request) -> Response:
    """How long calls took of late, for the picture: seconds since 1970, median and p95 in milliseconds."""
    from starlette.responses import Response

    if not request.state.grant.is_operator:
        raise NotAllowed("Only an operator may see how long calls take.", code="admin_only")
    points = [[one.at.timestamp(), one.median, one.p95] for one in desk.service.metrics.recent.over_time()]
    return Response(json.dumps(points), media_type="application/json", headers=HEADERS)
