"""Pages about people: who is known to whom, and what each would be told."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from wellkept.surfaces.http.paths import named
from wellkept.surfaces.studio import words
from wellkept.surfaces.studio.desk import HEADERS, is_somebody, listed, pairs_of, shown, spelled

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Desk

GRAPH_MAX = 200
LENS_MAX = 200
COLUMNS_MAX = 20


async def people(desk: Desk, request: Request) -> Response:
    """Who is known to whom, with what may be done about it."""
    known = await desk.run(request, "people", {"limit": GRAPH_MAX}) if is_somebody(request) else []
    reviews = await desk.run(request, "review_people", {}) if is_somebody(request) else {"waiting": []}
    waiting = [{**one, "words": words.DOUBTS.get(one["reason"], one["reason"])} for one in reviews["waiting"]]
    return desk.page(request, "people", people=known, waiting=waiting, owners=await desk.owners(request))


async def person(desk: Desk, request: Request) -> Response:
    """One person: what may be told of them, their names, and who was made one with them."""
    asked = {"reference": named(request, "reference"), "limit": GRAPH_MAX}
    return desk.page(request, "person", person=await desk.run(request, "person", asked))


async def graph(desk: Desk, request: Request) -> Response:
    """The people as nodes and edges, for the picture."""
    from starlette.responses import Response

    known = await desk.run(request, "people", {"limit": GRAPH_MAX}) if is_somebody(request) else []
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
    users = list(dict.fromkeys(listed(query.get("users", ""))))[:COLUMNS_MAX]
    text, chat, alone = (query.get(name, "").strip() for name in ("q", "chat", "alone"))
    views = [await _view(desk, request, _among(request, user, users)) for user in users]
    if alone:
        views = [*[await _view(desk, request, {"user": user}) for user in users], *views]
    return desk.page(
        request,
        "lens",
        views=views,
        users=spelled(users),
        q=text,
        chat=chat,
        alone=alone,
        owners=await desk.owners(request),
    )


def _among(request: Request, user: str, users: Sequence[str]) -> dict[str, Any]:
    """The viewpoint of one of those who are there."""
    query = request.query_params
    chat, kind = query.get("chat", "").strip(), query.get("chat_type", "group")
    place: dict[str, Any] = {"user": user, "participants": [one for one in users if one != user]}
    return place | ({"chat": chat, "chat_type": kind} if chat else {})


async def _view(desk: Desk, request: Request, place: Mapping[str, Any]) -> dict[str, Any]:
    text = request.query_params.get("q", "").strip()
    view = {"user": place["user"], "query": urlencode(pairs_of(place)), "is_alone": len(place) == 1, "left_out": []}
    if not text:
        return view | {"rows": await desk.run(request, "list", {"limit": LENS_MAX}, **place)}
    asked: dict[str, Any] = {"query": text, "limit": LENS_MAX, "sources": ["memories"]}
    if request.state.grant.is_operator:
        asked |= {"why": True, "left_out": True}
    found = await desk.run(request, "recall", asked, **place)
    hidden = (found.get("why") or {}).get("left_out") or []
    return view | {"rows": found["hits"], "left_out": [_hidden(one) for one in hidden]}


def _hidden(one: Mapping[str, Any]) -> dict[str, Any]:
    """A memory that was left out: the rule in words, and the viewpoint from which it can be read."""
    homes = {"user": {"user": one["owner"]}, "chat": {"chat": one["owner"], "chat_type": "group"}}
    home = homes.get(one["space"])
    return {**one, "words": words.rule(one["rule"]), "query": None if home is None else urlencode(home)}
