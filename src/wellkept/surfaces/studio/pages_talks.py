"""Pages about conversations: sessions with their turns, summaries and todos, and the questions of consent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from wellkept.surfaces.studio.pages import difference

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Desk

VERSIONS = 20
"""Versions of a summary that are shown."""
TODOS = 200

Parts = list[tuple[str, str]]


async def sessions(desk: Desk, request: Request) -> Response:
    """What is said, promised and summarised with one user and persona."""
    query = request.query_params
    user = query.get("user", "").strip() or request.state.grant.settled.get("user")
    owners = await desk.owners(request)
    if not user:
        return desk.page(request, "sessions", user=None, owners=owners)
    found = await desk.run(request, "sessions", {"limit": 50})
    chosen = query.get("session", "").strip() or (found[0]["id"] if found else "")
    now = desk.service.memory.engine.clock().isoformat()
    todos = await desk.run(request, "todos", {"status": "ALL", "limit": TODOS})
    return desk.page(
        request,
        "sessions",
        user=user,
        owners=owners,
        sessions=found,
        shown_session=await desk.run(request, "session", {"session_id": chosen}) if chosen else None,
        state=await desk.run(request, "state", {}),
        todos=[{**one, "is_overdue": _is_overdue(one, now)} for one in sorted(todos, key=_by_state)],
        summaries=versions(await desk.run(request, "summaries", {})),
        spines=spines(await desk.run(request, "spines", {"limit": VERSIONS})),
    )


def _by_state(todo: Mapping[str, Any]) -> bool:
    return bool(todo["status"] != "PENDING")


def _is_overdue(todo: Mapping[str, Any], now: str) -> bool:
    """Times as JSON has them are all in UTC, so they compare as texts."""
    return todo["status"] == "PENDING" and bool(todo["due_at"]) and todo["due_at"] < now


def versions(kept: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Versions of a text, newest first, each with what changed since the one before."""
    whole = [{"content": ""}, *kept][-VERSIONS - 1 :]
    found = [{**new, "parts": difference(old["content"], new["content"])} for old, new in pairwise(whole)]
    if found and len(kept) == len(found):
        found[0]["parts"] = [("same", found[0]["content"])]
    return found[::-1]


def spines(kept: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Versions of the long-term summary, newest first, each line marked by what became of it."""
    found = []
    for at, new in enumerate(kept):
        old = kept[at + 1]["content"] if at + 1 < len(kept) else None
        names = [*new["content"], *(name for name in old or {} if name not in new["content"])]
        lines = [
            (name, _lines(new["content"].get(name, ()), None if old is None else old.get(name, ()))) for name in names
        ]
        found.append({**new, "sections": [(name, marked) for name, marked in lines if marked]})
    return found


def _lines(new: Sequence[Mapping[str, Any]], old: Sequence[Mapping[str, Any]] | None) -> Parts:
    after = [line["text"] for line in new]
    if old is None:
        return [("same", text) for text in after]
    before = [line["text"] for line in old]
    gone = [("gone", text) for text in before if text not in after]
    return [*gone, *(("same" if text in before else "new", text) for text in after)]


async def consent(desk: Desk, request: Request) -> Response:
    """What a profile holds, and the changes of it that wait for a yes."""
    state = request.query_params.get("state", "pending")
    return desk.page(
        request,
        "consent",
        waiting=await desk.run(request, "consents", {"state": state}),
        profile=await desk.run(request, "profile", {}),
        state=state,
        owners=await desk.owners(request),
    )
