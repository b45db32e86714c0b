"""Home: what was learned, replaced and refused, in sentences; what waits; and a search over everything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from wellkept.errors import WellkeptError
from wellkept.surfaces.studio import words
from wellkept.surfaces.studio.desk import is_somebody, pairs_of, place_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Desk

EVENTS = 60
"""Of a page."""
PAGE = 100
TODAY_MAX = 1_000
"""Events of today that are counted."""
OWNERS_SEARCHED = 8
"""Users and chats whose memory an operator searches at once, the busiest first."""
FOUND = 8
"""Finds shown of each."""
WEAK_MAX = 3
"""Finds shown where none is better than weak."""
JOBS = 100

Event = Mapping[str, Any]
Place = Mapping[str, Any]


async def home(desk: Desk, request: Request) -> Response:
    """What happened, newest first, in sentences; what waits for somebody; new lines come in by themselves."""
    query = request.query_params
    is_all = bool(query.get("housekeeping"))
    asked: dict[str, Any] = {"limit": EVENTS, "housekeeping": is_all} | everybody(request)
    asked |= {name: query[name] for name in ("node", "op", "before") if query.get(name)}
    events = await desk.run(request, "events", asked)
    lines = await told(desk, request, events)
    return desk.page(
        request,
        "home",
        days=by_day(lines, today=desk.now(request)),
        today=None if query.get("before") else await _today(desk, request, lines),
        waits=await waiting(desk, request),
        is_all=is_all,
        stream={name: query[name] for name in ("node", "op", "user") if query.get(name)},
        more=events[-1]["id"] if len(events) == EVENTS else None,
        before=query.get("before", ""),
        node=query.get("node", ""),
        op=query.get("op", ""),
        nodes=(("", "anywhere"), *words.NODES.items()),
        ops=(("", "anything"), *words.OPS.items()),
        owners=await desk.owners(request),
    )


def everybody(request: Request) -> dict[str, str]:
    """An operator who names no user asks about everybody."""
    is_operator = request.state.grant.is_operator
    return {"of": "*"} if is_operator and not request.query_params.get("user", "").strip() else {}


async def told(desk: Desk, request: Request, events: Sequence[Event]) -> list[dict[str, Any]]:
    """Events as sentences with the texts of their memories, as whoever they belong to may read them."""
    records: dict[str, Mapping[str, Any]] = {}
    for one in events:
        memory_id = one["memory_id"]
        if memory_id and memory_id not in records:
            found = await _record(desk, request, memory_id, place_of_event(one))
            records |= {} if found is None else {memory_id: found}
    made = {one["memory_id"] for one in events if one["op"] == "create"}
    olds: dict[str, list[str]] = {}
    for record in records.values():
        olds.setdefault(record.get("superseded_by") or "", []).append(record["content"])
    lines = []
    for line in words.folded(events):
        record = records.get(line["memory_id"] or "", {})
        if line["reason"] == "superseded" and record.get("superseded_by") in made:
            continue  # told with the memory that took its place
        own = {"record": record, "place": urlencode(pairs_of(place_of_event(line)))}
        lines.append({**line, **own, "olds": olds.get(line["memory_id"] or "-", [])})
    return lines


async def _record(desk: Desk, request: Request, memory_id: str, place: Place) -> Mapping[str, Any] | None:
    """A memory, unless it is gone or belongs to a place that is no chat and no user."""
    try:
        return dict(await desk.run(request, "show", {"memory_id": memory_id}, **place)) if place else None
    except WellkeptError:
        return None


def place_of_event(one: Event) -> dict[str, Any]:
    """The viewpoint from which the memory of an event can be read: its owner's, or of who spoke in the chat."""
    if one["space"] == "user":
        return {"user": one["owner"]}
    if one["space"] == "chat":
        return {"chat": one["owner"], "chat_type": "group"} | ({"user": one["user_id"]} if one["user_id"] else {})
    return {}


def by_day(lines: Iterable[Mapping[str, Any]], *, today: datetime) -> list[tuple[str, str, list[Mapping[str, Any]]]]:
    """Lines by the day on which they happened where the reader is: (name, date, lines)."""
    names = {today.date(): "Today", today.date() - timedelta(days=1): "Yesterday"}
    found: dict[str, list[Mapping[str, Any]]] = {}
    for line in lines:
        day = datetime.fromisoformat(line["ts"]).astimezone(today.tzinfo).date()
        found.setdefault(day.isoformat(), []).append(line)
    return [(names.get(datetime.fromisoformat(day).date(), ""), day, some) for day, some in found.items()]


async def _today(desk: Desk, request: Request, lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How much was learned, replaced and refused today, and about whom."""
    midnight = desk.now(request).replace(hour=0, minute=0, second=0, microsecond=0)
    asked: dict[str, Any] = {"limit": PAGE, "housekeeping": False} | everybody(request)
    events: list[Event] = []
    while len(events) < TODAY_MAX:
        page = await desk.run(request, "events", asked)
        fresh = [one for one in page if datetime.fromisoformat(one["ts"]) >= midnight]
        events += fresh
        if len(fresh) < PAGE:
            break
        asked["before"] = page[-1]["id"]
    kinds = [words.kind(one) for one in events]
    names = [
        (name, line)
        for line in lines
        if line["record"] and datetime.fromisoformat(line["ts"]) >= midnight and line["op"] == "create"
        for name in line["record"]["about"]
    ]
    about = dict.fromkeys(line["owner"] if name == "you" else name for name, line in names)
    return {name: kinds.count(name) for name in ("learned", "replaced", "refused")} | {"about": list(about)[:5]}


async def waiting(desk: Desk, request: Request) -> dict[str, Any]:
    """What waits: messages to be read, changes of a profile, and people who may be one."""
    is_operator = request.state.grant.is_operator
    named = request.query_params.get("user", "").strip()
    jobs = await desk.run(request, "jobs", {"limit": JOBS}) if is_operator else {"pending": []}
    reading = [one for one in jobs["pending"] if one["name"] == "extract"]
    consents = await desk.run(request, "consents", {}) if is_operator or is_somebody(request) else []
    users = [one["owner"] for one in await desk.owners(request) if one["space"] == "user"][:OWNERS_SEARCHED]
    pairs = 0
    for user in [named] if named or not is_operator else users:
        place = {"user": user} if user else place_of(request.query_params)
        pairs += len((await desk.run(request, "review_people", {}, **place))["waiting"])
    return {
        "reading": [one for one in reading if not named or one["payload"].get("user") == named],
        "dead": len(jobs.get("dead", ())),
        "consents": consents,
        "pairs": pairs,
    }


async def search(desk: Desk, request: Request) -> Response:
    """Everything that fits some words: memories, messages, people, users and chats."""
    text = request.query_params.get("q", "").strip()
    owners = await desk.owners(request)
    if not text:
        return desk.page(request, "search", q="", found=[], users=[], owners=owners)
    place = place_of(request.query_params)
    if place or not request.state.grant.is_operator:
        places: list[dict[str, Any]] = [place]
    else:
        places = [_home(one) for one in owners[:OWNERS_SEARCHED]]
    found = [await _found(desk, request, text, one) for one in places]
    users = [one for one in owners if text.casefold() in one["owner"].casefold()]
    return desk.page(request, "search", q=text, found=[one for one in found if one], users=users, owners=owners)


def _home(owner: Mapping[str, Any]) -> dict[str, Any]:
    """The viewpoint of a user alone, or of a chat."""
    return {"user": owner["owner"]} if owner["space"] == "user" else {"chat": owner["owner"], "chat_type": "group"}


async def _found(desk: Desk, request: Request, text: str, place: Place) -> dict[str, Any] | None:
    """What one viewpoint finds; None where that is nothing."""
    hits = (await desk.run(request, "recall", {"query": text, "limit": FOUND}, **place))["hits"]
    hits = [one for one in hits if one["score"] >= words.FAIR] or hits[:WEAK_MAX]
    known = await desk.run(request, "people", {"limit": 200}, **place) if place.get("user") or not place else []
    people = [
        one for one in known if any(text.casefold() in name.casefold() for name in (one["name"], *one["aliases"]))
    ]
    if not hits and not people:
        return None
    whose = place.get("user") or place.get("chat") or request.state.grant.settled.get("user") or "you"
    return {
        "whose": whose,
        "query": urlencode(pairs_of(place)),
        "memories": [one for one in hits if one["source"] == "memory"],
        "messages": [one for one in hits if one["source"] == "message"],
        "people": people[:FOUND],
    }
