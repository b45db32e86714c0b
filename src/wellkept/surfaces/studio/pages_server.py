"""Pages for those who run the server: its health, its keys and settings, and everything of a user as a file."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from wellkept.errors import NotAllowed
from wellkept.flows.answers import sentence
from wellkept.surfaces import words
from wellkept.surfaces.http.wire import json_answer
from wellkept.surfaces.studio.desk import HEADERS, json_lines
from wellkept.types import as_json

if TYPE_CHECKING:
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Visit

JOBS = 50
DECISIONS = 300
"""The latest, of which is counted what was kept and refused."""


async def health(visit: Visit) -> Response:
    """Counts, figures and jobs, for operators; growth, for everybody their own."""
    if not visit.is_operator:
        return visit.page("health", stats=None)
    recent = visit.service.metrics.recent
    whole = recent.whole()
    latest = await visit.run("events", {"of": "*", "limit": DECISIONS, "housekeeping": False})
    kinds = Counter(filter(None, map(words.kind, latest)))
    return visit.page(
        "health",
        stats=await visit.run("stats", {}),
        jobs=_jobs(await visit.run("jobs", {"limit": JOBS})),
        jobs_max=JOBS,
        decisions={name: kinds[name] for name in ("learned", "replaced", "refused")},
        reasons=Counter(sentence(one["reason"]) for one in latest if words.kind(one) == "refused").most_common(5),
        states=words.tables()["states"],
        calls=None if whole is None else {"p95": whole.p95, "count": whole.count, "rows": recent.by_operation()},
        diagnosis=await visit.run("doctor", {}) if visit.query.get("doctor") else None,
        checks=words.tables()["checks"],
    )


def _jobs(found: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Jobs with what they are about in a line: the names in their payload, or nothing."""
    return {
        state: [
            {**job, "about": ", ".join(f"{name} {value}" for name, value in job["payload"].items())} for job in jobs
        ]
        for state, jobs in found.items()
    }


async def growth(visit: Visit) -> Response:
    """How many memories were made a day, for the picture."""
    is_everybody = visit.is_operator and not visit.query.get("user")
    days = await visit.run("growth", {"of": "*"} if is_everybody else {})
    return json_answer(list(days.items()), headers=HEADERS)


async def latency(visit: Visit) -> Response:
    """How long calls took of late, for the picture: seconds since 1970, median and p95 in milliseconds."""
    if not visit.is_operator:
        raise NotAllowed("Only an operator may see how long calls take.", code="admin_only")
    points = [[one.at.timestamp(), one.median, one.p95] for one in visit.service.metrics.recent.over_time()]
    return json_answer(points, headers=HEADERS)


async def settings(visit: Visit) -> Response:
    return await _settings(visit)


async def _settings(visit: Visit, **more: object) -> Response:
    if not visit.is_operator:
        return visit.page("settings", keys=[], tables={})
    tables: dict[str, list[Any]] = {}
    for one in visit.service.memory.config.settings():
        tables.setdefault(one.key.partition(".")[0], []).append({**as_json(one), "words": _words(one.value)})
    keys = await visit.run("keys", {})
    return visit.page("settings", keys=keys, tables=tables, owners=await visit.owners(), **more)


def _words(value: object) -> str:
    """A value of a setting for people."""
    if value is None or value in ((), frozenset()):
        return "not set"
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, (tuple, frozenset)) else str(value)


async def add_key(visit: Visit) -> Response:
    """Make a key and show it, this once."""
    form = await visit.form()
    scope = form.get("scope", "operator")
    whom = form.get("whom", "").strip()
    scopes = [f"{scope}:{whom}"] if scope in ("user", "agent") else [scope]
    made = await visit.run("add_key", {"name": form.get("name", "").strip() or "unnamed", "scope": scopes})
    return await _settings(visit, made=made)


async def export(visit: Visit) -> Response:
    """Everything that belongs to a user, as lines of JSON."""
    if not visit.is_operator:
        raise NotAllowed("Only an operator may export a whole user.", code="admin_only")
    user = visit.text("of")
    lines = await visit.run("export_user", {"user_id": user})
    return json_lines("export.jsonl", lines)
