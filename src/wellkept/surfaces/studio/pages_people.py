"""Pages about people: who is known to whom, what each would be told, and what waits for a yes or a no."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from wellkept.surfaces import words
from wellkept.surfaces.http.wire import json_answer
from wellkept.surfaces.studio.desk import HEADERS, back_of, home_of, listed, pairs_of, place_of, shown, spelled

if TYPE_CHECKING:
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Visit

GRAPH_MAX = 200
LENS_MAX = 120
"""Memories shown in all columns together."""
COLUMN_MIN = 10
DIFFERENCES_MAX = 30
NEAREST = 5
"""Memories shown to each where none is close enough to the question."""
NEW_GROUP = "a new group"
"""Where people are together when no chat is named."""
EVIDENCE = 20
COLUMNS_MAX = 20
USERS = 8
"""Whose questions about people an operator is shown at once."""


async def people(visit: Visit) -> Response:
    """Who is known to whom, as a graph to explore and a list."""
    known = await visit.run("people", {"limit": GRAPH_MAX}) if visit.is_somebody else []
    waiting = await reviews(visit) if visit.is_somebody else []
    return visit.page("people", people=known, waiting=waiting, owners=await visit.owners())


async def reviews(visit: Visit, **place: Any) -> list[dict[str, Any]]:  # noqa: ANN401 -- parts of a viewpoint
    """Pairs that may be one person, and why it is asked."""
    found = await visit.run("review_people", {}, **place)
    return [{**one, "words": words.tables()["doubts"].get(one["reason"], one["reason"])} for one in found["waiting"]]


async def person(visit: Visit) -> Response:
    """One person: what may be told of them, their names and relations, and who was made one with them."""
    found = await visit.run("person", {"reference": visit.named("reference"), "limit": GRAPH_MAX})
    known = [one for one in await visit.run("people", {"limit": GRAPH_MAX}) if one["id"] != found["id"]]
    names = {one["id"]: one["name"] for one in known}
    ties = [{**one, "name": names.get(one["to"], "somebody")} for one in found["relations"]]
    return visit.page("person", person=found, others=known, ties=ties)


async def compare(visit: Visit) -> Response:
    """Two people side by side, with what is known of each: are they one?"""
    both = [
        await visit.run("person", {"reference": visit.query.get(name, ""), "limit": EVIDENCE})
        for name in ("one", "other")
    ]
    return visit.page("compare", both=both)


async def graph(visit: Visit) -> Response:
    """The people as nodes and edges, for the picture; around one of them, who is spoken of together with them."""
    around = visit.query.get("around", "")
    known = await visit.run("people", {"limit": GRAPH_MAX}) if visit.is_somebody else []
    found = elements(known)
    if around:
        person = await visit.run("person", {"reference": around, "limit": GRAPH_MAX})
        found = beside(person, {one["id"] for one in known})
    return json_answer(found, headers=HEADERS)


def elements(known: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """People as a graph draws them, each tied to the asker and to others by what they are to them."""
    ids = {person["id"] for person in known}
    nodes = [{"data": {"id": person["id"], "label": shown(person.get("name") or "?", 40)}} for person in known]
    own = [_edge(person["id"], "you", person["relation"]) for person in known if person.get("relation")]
    others = [
        _edge(person["id"], tie["to"], tie["relation"])
        for person in known
        for tie in person.get("relations", ())
        if tie["to"] in ids
    ]
    return [{"data": {"id": "you", "label": "you", "kind": "you"}}, *nodes, *own, *others] if known else []


def beside(person: Mapping[str, Any], known: set[str]) -> list[dict[str, Any]]:
    """Edges from a person to those whom the same memories are about."""
    counts = Counter(
        other for memory in person["memories"] for other in memory["subject_person_ids"] if other != person["id"]
    )
    return [
        _edge(person["id"], other, f"together in {count}", kind="beside")
        for other, count in counts.items()
        if other in known
    ]


def _edge(source: str, target: str, label: str, **more: str) -> dict[str, Any]:
    said = shown(label, 40)
    return {"data": {"id": f"{source}-{target}-{said}", "source": source, "target": target, "label": said, **more}}


async def lens(visit: Visit) -> Response:
    """A chat and its people: what each of them would see, and for operators the rule for what each would not."""
    users = list(dict.fromkeys(listed(visit.query.get("users", ""))))[:COLUMNS_MAX]
    text, chat = visit.text("q"), visit.text("chat")
    is_group = bool(chat) or len(users) > 1
    alone = visit.query.get("alone", "1") == "1" or not is_group
    kind = visit.query.get("chat_type", "group")
    there = {"chat": chat or NEW_GROUP, "chat_type": kind} if chat or kind == "group" else {}
    places: list[dict[str, Any]] = [{"user": user} for user in users if alone]
    if is_group:
        places += [{"user": user, "participants": [one for one in users if one != user]} | there for user in users]
    limit = max(COLUMN_MIN, LENS_MAX // max(1, len(places)))
    views = [await _view(visit, place, limit) for place in places]
    is_far = bool(text) and not any(view["rows"] for view in views)
    if is_far:
        views = [await _view(visit, place, NEAREST, threshold=0) for place in places]
    return visit.page(
        "lens",
        is_far=is_far,
        views=views,
        differences=differences(views),
        users=spelled(users),
        q=text,
        chat=chat,
        alone=alone,
        owners=await visit.owners(),
    )


async def _view(visit: Visit, place: Mapping[str, Any], limit: int, **more: float) -> dict[str, Any]:
    text = visit.text("q")
    is_alone = len(place) == 1
    among = f"in {visit.text('chat')}" if visit.text("chat") else f"with {', '.join(place.get('participants', ()))}"
    where = "alone with the assistant" if is_alone else among
    view = {"user": place["user"], "where": where, "name": f"{place['user']} {where}", "is_alone": is_alone}
    view |= {"query": urlencode(pairs_of(place)), "left_out": [], "rules": {}, "limit": limit}
    if not text:
        return view | {"rows": await visit.run("list", {"limit": limit}, **place)}
    asked: dict[str, Any] = {"query": text, "limit": limit, "sources": ["memories"], **more}
    if visit.is_operator:
        asked |= {"why": True, "left_out": True}
    found = await visit.run("recall", asked, **place)
    why = found.get("why") or {}
    rules = {one["id"]: words.rule(one["rule"]) for one in why.get("hits", ())}
    hidden = []
    for one in why.get("left_out") or ():
        home = home_of(one)  # the viewpoint from which it can be read
        hidden.append({**one, "words": words.rule(one["rule"]), "query": urlencode(home) if home else None})
    return view | {"rows": found["hits"], "left_out": hidden, "rules": rules}


def differences(views: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What some of the audiences are told and others are not, each with the rule in words."""
    texts: dict[str, tuple[str, str]] = {}
    for view in views:
        for row in view["rows"]:
            texts.setdefault(row["id"], (row.get("text") or row["content"], view["query"]))
    found = []
    for memory_id, (text, query) in texts.items():
        cells = []
        for view in views:
            is_told = any(row["id"] == memory_id for row in view["rows"])
            hidden = next((one["words"] for one in view["left_out"] if one["id"] == memory_id), None)
            why = view["rules"].get(memory_id, "") if is_told else hidden or "out of reach for this audience"
            cells.append({"is_told": is_told, "why": why})
        if not all(cell["is_told"] for cell in cells):
            found.append({"id": memory_id, "text": text, "query": query, "cells": cells})
    return found[:DIFFERENCES_MAX]


async def reveal(visit: Visit) -> Response:
    """The text of a memory that the lens left out, for an operator; that it was read is on the ledger."""
    form = await visit.form()
    record = await visit.run("reveal", {"memory_id": form.get("memory", "")}, **place_of(form))
    return visit.page("reveal", record=record, back=back_of(form.get("back", "/lens")))


async def questions(visit: Visit) -> Response:
    """What waits for a yes or a no: changes of a profile, and people who may be one."""
    state, later = visit.query.get("state", "pending"), visit.query.get("later", "")
    user, owners = visit.user, await visit.owners()
    users = [user] if user else [one["owner"] for one in owners if one["space"] == "user"][:USERS]
    waiting, pairs = [], []
    for one in await visit.run("consents", {"state": state}):
        place = {"user": one["user_id"]}
        record = await visit.memory(one.get("evidence"), **place)  # the sentence that the change comes from
        waiting.append({**one, "record": record, "place": urlencode(place)})
    for name in users if state == "pending" else []:
        pairs += [{**pair, "user": name} for pair in await reviews(visit, user=name)]
    return visit.page(
        "questions",
        waiting=sorted(waiting, key=lambda one: one["id"] == later),
        later=later,
        pairs=pairs,
        profile=await visit.run("profile", {}) if user else {},
        state=state,
        owners=owners,
    )
