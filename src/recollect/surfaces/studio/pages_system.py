"""Pages about sessions, traces, consent and the health of the store."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.policies.plain import render
from recollect.surfaces.studio.desk import HEADERS

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from recollect.surfaces.studio.desk import Desk

TRACES = 200
"""As many as the command line shows."""
GROWTH = 1_000


async def sessions(desk: Desk, request: Request) -> Response:
    """What is said, promised and summarised with one user and persona."""
    user = request.query_params.get("user", "").strip() or request.state.grant.settled.get("user")
    found = await desk.run(request, "sessions", {}) if user else []
    todos = await desk.run(request, "todos", {}) if user else []
    return desk.page(request, "sessions", sessions=found, todos=todos, user=user)


async def traces(desk: Desk, request: Request) -> Response:
    """The events of a governed session, as Plain view and as JSON, and what changed between phases."""
    query = request.query_params
    session, after = query.get("session", "").strip(), query.get("after", "0")
    first, second = query.get("from_phase", "").strip(), query.get("to_phase", "").strip()
    kept: Sequence[Mapping[str, Any]] = []
    diff = None
    if session:
        number = int(after) if after.isdigit() else 0
        kept = await desk.run(request, "traces", {"session": session, "after": number, "limit": TRACES})
    if session and first and second:
        asked = {"session": session, "from_phase": first, "to_phase": second}
        diff = render(await desk.run(request, "phase_diff", asked))
    events = [
        {
            "number": one["number"],
            "type": one["event"].get("type", ""),
            "plain": render(one["event"]),
            "json": json.dumps(one["event"], indent=2, ensure_ascii=False, sort_keys=True),
        }
        for one in kept
    ]
    return desk.page(
        request,
        "traces",
        session=session,
        events=events,
        whole=render(kept) if kept else None,
        diff=diff,
        from_phase=first,
        to_phase=second,
        more=kept[-1]["number"] if len(kept) == TRACES else None,
    )


async def consent(desk: Desk, request: Request) -> Response:
    """What a profile holds, and the changes of it that wait for a yes."""
    state = request.query_params.get("state", "pending")
    waiting = await desk.run(request, "consents", {"state": state})
    profile = await desk.run(request, "profile", {})
    said = request.query_params.get("said", "")
    return desk.page(request, "consent", waiting=waiting, profile=profile, state=state, said=said)


async def health(desk: Desk, request: Request) -> Response:
    """Counts, jobs and, on request, the doctor."""
    is_operator = request.state.grant.is_operator
    stats = await desk.run(request, "stats", {}) if is_operator else None
    jobs = await desk.run(request, "jobs", {"limit": 20}) if is_operator else None
    found = await desk.run(request, "doctor", {}) if is_operator and request.query_params.get("doctor") else None
    return desk.page(request, "health", stats=stats, jobs=jobs, diagnosis=found)


async def growth(desk: Desk, request: Request) -> Response:
    """How many memories were made a day, for the picture."""
    from starlette.responses import Response

    asked: dict[str, Any] = {"op": "create", "limit": GROWTH}
    if request.state.grant.is_operator and not request.query_params.get("user"):
        asked["of"] = "*"
    events = await desk.run(request, "events", asked)
    days = Counter(event["ts"][:10] for event in events if event["status"] == "ok")
    body = json.dumps([[day, days[day]] for day in sorted(days)])
    return Response(body, media_type="application/json", headers=HEADERS)
