"""Pages about conversations: what was said and learned, sessions with summaries and todos, and open questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from wellkept.errors import WellkeptError
from wellkept.surfaces.studio.desk import is_somebody, place_of
from wellkept.surfaces.studio.pages_memories import difference
from wellkept.surfaces.studio.pages_people import reviews
from wellkept.surfaces.studio.pages_playground import marked

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Desk

VERSIONS = 20
"""Versions of a summary that are shown."""
TODOS = 200
CONVERSATIONS = 60
MESSAGES = 60
USERS = 8
"""Whose questions about people an operator is shown at once."""

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


async def conversations(desk: Desk, request: Request) -> Response:
    """Where something was said, and what was said there on one day, with what was learned from it."""
    query = request.query_params
    owners = await desk.owners(request)
    if not is_somebody(request) and not request.state.grant.is_operator:
        return desk.page(request, "conversations", found=[], messages=None, owners=owners)
    found = [
        {**one, "query": _address(one), "is_shown": _is_shown(one, query)}
        for one in await desk.run(request, "conversations", {"limit": CONVERSATIONS})
    ]
    messages = None
    if is_somebody(request) and (query.get("day") or query.get("in")):
        messages = [{**one, "parts": marked(one)} for one in await _said(desk, request)]
    return desk.page(
        request,
        "conversations",
        found=found,
        messages=messages,
        earlier=_earlier(query, messages) if messages and len(messages) == MESSAGES else None,
        learned=[kept for one in messages or () for kept in one["learned"]],
        owners=owners,
    )


def _address(one: Mapping[str, Any]) -> str:
    """The page that shows a conversation, as one of those who may read it."""
    place = {name: one[name] for name in ("user", "chat", "persona") if one[name]}
    if one["chat_type"] == "group":
        place["chat_type"] = "group"
    session = {"session": one["session"]} if one["session"] else {}
    return urlencode({**place, **session, "day": one["day"]})


def _is_shown(one: Mapping[str, Any], query: Mapping[str, str]) -> bool:
    named = (one["day"], one["chat"] or "", one["session"] or "", one["persona"] or "")
    return named == tuple(query.get(name, "") for name in ("day", "chat", "session", "persona"))


def _earlier(query: Mapping[str, str], messages: Sequence[Mapping[str, Any]]) -> str:
    """The same conversation before the first message that is shown."""
    return urlencode({**query, "before": messages[0]["id"]})


async def _said(desk: Desk, request: Request) -> list[dict[str, Any]]:
    """What was said in a chat: on a day, or of late."""
    query = request.query_params
    asked: dict[str, Any] = {"limit": MESSAGES}
    day = query.get("day", "").strip()
    if day:
        asked |= {"since": f"{day[:10]}T00:00:00+00:00", "until": f"{day[:10]}T23:59:59.999999+00:00"}
    if query.get("before", "").strip():
        asked["before"] = query["before"].strip()
    if query.get("session"):
        asked["in_session"] = query["session"]
    place = place_of(query)
    if query.get("in", "").strip():
        place["chat"] = query["in"].strip()
    return list(await desk.run(request, "messages", asked, **place))


async def questions(desk: Desk, request: Request) -> Response:
    """What waits for a yes or a no: changes of a profile, and people who may be one."""
    query = request.query_params
    state = query.get("state", "pending")
    user = query.get("user", "").strip() or request.state.grant.settled.get("user")
    owners = await desk.owners(request)
    users = [user] if user else [one["owner"] for one in owners if one["space"] == "user"][:USERS]
    later = query.get("later", "")
    waiting = [await _question(desk, request, one) for one in await desk.run(request, "consents", {"state": state})]
    pairs = []
    for one in users if state == "pending" else []:
        place = {"user": one}
        pairs += [{**pair, "user": one} for pair in await reviews(desk, request, **place)]
    return desk.page(
        request,
        "questions",
        waiting=sorted(waiting, key=lambda one: one["id"] == later),
        later=later,
        pairs=pairs,
        profile=await desk.run(request, "profile", {}) if user else {},
        state=state,
        owners=owners,
    )


async def _question(desk: Desk, request: Request, one: Mapping[str, Any]) -> dict[str, Any]:
    """A change of a profile with the sentence it comes from."""
    try:
        asked = {"memory_id": one.get("evidence") or ""}
        record = await desk.run(request, "show", asked, user=one["user_id"])
    except WellkeptError:
        record = None
    return {**one, "record": record, "place": urlencode({"user": one["user_id"]})}
