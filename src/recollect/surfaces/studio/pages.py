"""Pages about memories and people."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from recollect.surfaces.studio.desk import HEADERS, shown

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from recollect.surfaces.studio.desk import Desk

PAGE = 25
EVENTS = 50
GRAPH_MAX = 200
LENS_MAX = 50

JSON = Any


async def timeline(desk: Desk, request: Request) -> Response:
    """What was decided and done, newest first; new events come in by themselves."""
    query = request.query_params
    is_operator = request.state.grant.is_operator
    asked: dict[str, Any] = {"limit": EVENTS}
    asked |= {name: query[name] for name in ("node", "op", "before") if query.get(name)}
    user = query.get("user", "").strip()
    if is_operator and not user:
        asked["of"] = "*"
    events = await desk.run(request, "events", asked)
    stream = {name: query[name] for name in ("node", "op", "user") if query.get(name)}
    more = events[-1]["id"] if len(events) == EVENTS else None
    return desk.page(
        request, "timeline", events=events, stream=stream, more=more, node=query.get("node", ""), op=query.get("op", "")
    )


async def memories(desk: Desk, request: Request) -> Response:
    """A search as any viewpoint, with scores and reasons; without a question, what there is."""
    query = request.query_params
    text, as_of, before = (query.get(name, "").strip() for name in ("q", "as_of", "before"))
    if text:
        asked: dict[str, Any] = {"query": text, "limit": PAGE, "why": True, "sources": ["memories"]}
        found = await desk.run(request, "recall", asked | ({"as_of": as_of} if as_of else {}))
        return desk.page(request, "memories", q=text, as_of=as_of, found=found, rows=None, more=None)
    listed = {"limit": PAGE} | ({"before": before} if before else {})
    rows = await desk.run(request, "list", listed) if _is_somebody(request) else []
    more = rows[-1]["id"] if len(rows) == PAGE else None
    return desk.page(request, "memories", q="", as_of=as_of, found=None, rows=rows, more=more)


def _is_somebody(request: Request) -> bool:
    query, settled = request.query_params, request.state.grant.settled
    return bool(query.get("user", "").strip() or query.get("chat", "").strip() or settled.get("user"))


async def memory(desk: Desk, request: Request) -> Response:
    """One memory: its record, every text it had with what changed, and what can be done."""
    asked = {"memory_id": request.path_params["memory_id"]}
    told = await desk.run(request, "history", asked)
    why = await desk.run(request, "why", asked)
    record = told["memory"]
    versions = told["versions"]
    changes = [
        {"version": new["version"], "at": new["at"], "parts": difference(old["content"], new["content"])}
        for old, new in pairwise(versions)
    ]
    undo = versions[-2]["content"] if len(versions) > 1 else None
    fields = [(name, value) for name, value in record.items() if value not in (None, [], {}, "")]
    return desk.page(
        request,
        "memory",
        record=record,
        fields=fields,
        events=told["events"],
        changes=list(reversed(changes)),
        undo=undo,
        why=why,
        said=request.query_params.get("said", ""),
    )


def difference(old: str, new: str) -> list[tuple[str, str]]:
    """Words that stayed, went and came: ("same" | "gone" | "new", text).

    >>> difference("lives in Lima", "lives in Rome")
    [('same', 'lives in '), ('gone', 'Lima'), ('new', 'Rome')]
    """
    before, after = (re.findall(r"\S+\s*", text) for text in (old, new))
    parts: list[tuple[str, str]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(("same", "".join(before[a:b])))
            continue
        parts += [("gone", "".join(before[a:b]))] if a < b else []
        parts += [("new", "".join(after[c:d]))] if c < d else []
    return parts


async def people(desk: Desk, request: Request) -> Response:
    """Who is known to whom, with what may be done about it."""
    known = await desk.run(request, "people", {"limit": GRAPH_MAX}) if _is_somebody(request) else []
    reviews = await desk.run(request, "review_people", {}) if request.query_params.get("user") else {}
    return desk.page(request, "people", people=known, reviews=reviews, said=request.query_params.get("said", ""))


async def graph(desk: Desk, request: Request) -> Response:
    """The same as nodes and edges, for the picture."""
    from starlette.responses import Response

    known = await desk.run(request, "people", {"limit": GRAPH_MAX}) if _is_somebody(request) else []
    return Response(json.dumps(elements(known)), media_type="application/json", headers=HEADERS)


def elements(known: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """People as a graph draws them, each tied to the asker by what they are to them."""
    nodes = [{"data": {"id": person["id"], "label": shown(person.get("name") or "?", 40)}} for person in known]
    edges = [
        {"data": {"id": f"{person['id']}-you", "source": person["id"], "target": "you", "label": shown(relation, 40)}}
        for person in known
        if (relation := person.get("relation"))
    ]
    return [{"data": {"id": "you", "label": "you", "kind": "you"}}, *nodes, *edges] if known else []


async def lens(desk: Desk, request: Request) -> Response:
    """A chat and its people: what each of them would see, and for operators the rule for what each would not."""
    query = request.query_params
    users = [part.strip() for part in query.get("users", "").split(",") if part.strip()]
    text, chat = query.get("q", "").strip(), query.get("chat", "").strip()
    views = [await _view(desk, request, user, users) for user in users[:LENS_MAX]]
    return desk.page(request, "lens", views=views, users=", ".join(users), q=text, chat=chat)


async def _view(desk: Desk, request: Request, user: str, users: Sequence[str]) -> dict[str, Any]:
    query = request.query_params
    chat, kind = query.get("chat", "").strip(), query.get("chat_type", "group")
    place: dict[str, Any] = {"user": user, "participants": [one for one in users if one != user]}
    place |= {"chat": chat, "chat_type": kind} if chat else {}
    text = query.get("q", "").strip()
    if not text:
        rows = await desk.run(request, "list", {"limit": LENS_MAX}, **place)
        return {"user": user, "rows": rows, "left_out": []}
    asked = {"query": text, "limit": LENS_MAX, "threshold": 0.0, "sources": ["memories"]}
    if request.state.grant.is_operator:
        asked |= {"why": True, "left_out": True}
    found = await desk.run(request, "recall", asked, **place)
    return {"user": user, "rows": found["hits"], "left_out": (found.get("why") or {}).get("left_out") or []}
