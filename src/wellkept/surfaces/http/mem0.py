"""The routes that mem0's client calls, so that its programs run against this server by changing the host.

Names are translated here, and nothing else happens: each route calls operations of the table.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput, WellkeptError
from wellkept.operations import BY_NAME
from wellkept.surfaces.http import paths, problems
from wellkept.surfaces.http.bodies import parsed
from wellkept.surfaces.http.gateway import Call
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.policies.callers.grants import Grant
    from wellkept.surfaces.http.service import Service

JSON = Any
PAGE = 100
ENTITIES = ("user_id", "agent_id", "app_id", "run_id")
"""In the order in which one of them is the owner; the others of a call narrow nothing but `run_id`."""
EVENTS: Mapping[str, str] = {
    "created": "ADD",
    "superseded_old": "UPDATE",
    "updated": "UPDATE",
    "merged": "UPDATE",
    "duplicate": "NONE",
}


class Mem0:
    """The routes over a service."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def _run(self, name: str, arguments: JSON, place: Mapping[str, JSON], grant: Grant) -> JSON:
        call = Call(operation=BY_NAME[name], arguments=arguments, place=place, grant=grant, surface="mem0")
        return await self._service.run(call)

    async def ping(self, _request: Request, _body: JSON) -> JSON:
        """Whether the key is right."""
        return {"status": "ok", "org_id": "wellkept", "project_id": "default", "user_email": None}

    async def add(self, request: Request, body: JSON) -> JSON:
        """Messages into memory: read for facts, or as they are with `infer: false`."""
        grant, place = request.state.grant, _place(body)
        messages = body.get("messages")
        if not isinstance(messages, list):
            raise InvalidInput("messages must be a list.", code="invalid_parameter")
        if body.get("infer") is False:
            texts = [one.get("content") for one in messages if isinstance(one, dict) and one.get("role") != "system"]
            more = {"expires": body["expiration_date"]} if body.get("expiration_date") else {}
            outcomes = [await self._run("add", {"content": text, **more}, place, grant) for text in texts]
        else:
            told = [
                {name: one[name] for name in ("role", "content") if name in one}
                for one in messages
                if isinstance(one, dict)
            ]
            answer = await self._run("observe", {"messages": told, "wait": True}, place, grant)
            outcomes = answer["outcomes"]
        flat = [one for outcome in outcomes for one in (outcome, *outcome.get("others", ()))]
        return {"results": [await self._told(one, place, grant) for one in flat if one["id"] is not None]}

    async def _told(self, outcome: JSON, place: Mapping[str, JSON], grant: Grant) -> JSON:
        shown = await self._run("show", {"memory_id": outcome["id"]}, place, grant)
        return _memory(shown) | {"event": EVENTS.get(outcome["outcome"], "NONE")}

    async def search(self, request: Request, body: JSON) -> JSON:
        """By meaning, words and people."""
        asked = {
            "query": body.get("query"),
            "limit": body.get("top_k") or body.get("limit") or 10,
            "sources": ["memories"],
        }
        asked |= {name: body[name] for name in ("threshold",) if body.get(name) is not None}
        place = _place(body)
        asked["filters"] = _filters(body, place)
        found = await self._run("recall", asked, place, request.state.grant)
        hits = [hit for hit in found["hits"] if hit["source"] == "memory"]
        shown = [await self._run("show", {"memory_id": hit["id"]}, place, request.state.grant) for hit in hits]
        return {"results": [_memory(one) | {"score": hit["score"]} for one, hit in zip(shown, hits, strict=True)]}

    async def get_all(self, request: Request, body: JSON) -> JSON:
        """A page of memories, newest first."""
        page, size = _whole(request, "page", 1), min(_whole(request, "page_size", PAGE), PAGE)
        place = _place(body)
        found = [one async for one in self._all(place, request.state.grant, filters=_filters(body, place))]
        start = (page - 1) * size
        path = request.url.path
        return {
            "count": len(found),
            "next": f"{path}?page={page + 1}&page_size={size}" if len(found) > start + size else None,
            "previous": f"{path}?page={page - 1}&page_size={size}" if page > 1 else None,
            "results": [_memory(one) for one in found[start : start + size]],
        }

    async def _all(self, place: Mapping[str, JSON], grant: Grant, *, filters: JSON = None) -> JSON:
        before = None
        while True:
            asked = {"limit": 1_000, "before": before, "filters": filters}
            page = await self._run("list", asked, place, grant)
            for one in page:
                yield one
            if len(page) < 1_000:  # noqa: PLR2004 -- the most that a list gives
                return
            before = page[-1]["id"]

    async def get(self, request: Request, _body: JSON) -> JSON:
        """One memory."""
        return _memory(await self._one("show", request))

    async def update(self, request: Request, body: JSON) -> JSON:
        """Another text."""
        text = body.get("text") or body.get("data")
        await self._one("edit", request, {"content": text})
        return _memory(await self._one("show", request))

    async def delete(self, request: Request, _body: JSON) -> JSON:
        """Out of recall."""
        await self._one("forget", request)
        return {"message": "Memory deleted successfully!"}

    async def history(self, request: Request, _body: JSON) -> JSON:
        """What was done to a memory, oldest first, with the texts before and after."""
        told = await self._one("history", request)
        texts = {f"{one['memory_id']}@{one['version']}": one["content"] for one in told["versions"]}
        return [
            {
                "id": one["id"],
                "memory_id": one["memory_id"],
                "old_memory": texts.get(one["old_ref"]),
                "new_memory": texts.get(one["new_ref"]),
                "event": one["event"],
                "created_at": one["ts"],
                "updated_at": one["ts"],
            }
            for one in reversed(told["events"])
        ]

    async def _one(self, name: str, request: Request, arguments: JSON = None) -> JSON:
        """An operation on one memory. mem0 names no user with an id: the owner is looked up; the grant decides."""
        memory_id, grant = paths.named(request, "memory_id"), request.state.grant
        return await self._run(
            name, {"memory_id": memory_id, **(arguments or {})}, await self._owner(memory_id, grant), grant
        )

    async def _owner(self, memory_id: str, grant: Grant) -> dict[str, str]:
        if "user" in grant.settled:
            return {}
        store = self._service.memory.engine.store
        tenant = grant.settled.get("tenant", "default")
        found = await self._service.in_thread(store.memory, tenant, memory_id)
        return {"user": found.owner} if found is not None and found.space is Space.USER else {}

    async def delete_all(self, request: Request, _body: JSON) -> JSON:
        """Everything of one owner out of recall; whose must be said, as a slip in a name may not empty a store."""
        place = _place(dict(request.query_params))
        if not place and "user" not in request.state.grant.settled:
            raise InvalidInput(f"Say whose memories: one of {', '.join(ENTITIES)}.", code="invalid_parameter")
        return await self._forget_all(place, request.state.grant)

    async def _forget_all(self, place: Mapping[str, JSON], grant: Grant) -> JSON:
        for one in [one async for one in self._all(place, grant)]:
            await self._run("forget", {"memory_id": one["id"]}, place, grant)
        return {"message": "Memories deleted successfully!"}

    async def entities(self, request: Request, _body: JSON) -> JSON:
        """The owners of memories that the caller may name."""
        grant = request.state.grant
        store, tenant = self._service.memory.engine.store, grant.settled.get("tenant", "default")
        chains = await self._service.in_thread(store.chains, tenant)
        owners = sorted(one.owner for one in chains if one.space is Space.USER)
        seen = [one for one in owners if grant.settled.get("user", one) == one]
        return {
            "count": len(seen),
            "results": [{"id": one, "type": _kind(one)[0], "name": _kind(one)[1]} for one in seen],
        }

    async def delete_entity(self, request: Request, _body: JSON) -> JSON:
        """Everything of one owner out of recall."""
        kind, name = paths.named(request, "kind"), paths.named(request, "name")
        return await self._forget_all(_place({f"{kind}_id": name}), request.state.grant)

    async def batch_update(self, request: Request, body: JSON) -> JSON:
        """Other texts for several."""
        for one in _batch(body):
            await self._each("edit", one, request.state.grant, {"content": one.get("text")})
        return {"message": f"Successfully updated {len(_batch(body))} memories"}

    async def batch_delete(self, request: Request, body: JSON) -> JSON:
        """Several out of recall."""
        for one in _batch(body):
            await self._each("forget", one, request.state.grant, {})
        return {"message": f"Successfully deleted {len(_batch(body))} memories"}

    async def _each(self, name: str, one: JSON, grant: Grant, arguments: JSON) -> JSON:
        memory_id = str(one.get("memory_id"))
        return await self._run(name, {"memory_id": memory_id, **arguments}, await self._owner(memory_id, grant), grant)


def _place(body: Mapping[str, JSON]) -> dict[str, JSON]:
    """Whose memories: ids stand beside the other parameters or in `filters`, there also within AND."""
    given = {name: body[name] for name in ENTITIES if body.get(name) is not None}
    given |= {name: value for name, value in _flat(body.get("filters")).items() if name in ENTITIES}
    for name, value in given.items():
        if not isinstance(value, str) or value == "*":
            raise InvalidInput(f"{name} must name one {name.removesuffix('_id')}.", code="invalid_parameter")
    owner = next((name for name in ENTITIES if name in given), None)
    place: dict[str, JSON] = {} if owner is None else {"user": _owner_id(owner, given[owner])}
    return place | ({"run": given["run_id"]} if "run_id" in given and owner != "run_id" else {})


def _owner_id(kind: str, name: str) -> str:
    """Agents, apps and runs that have memories of their own are users here, by a name that no user has by chance."""
    return name if kind == "user_id" else f"mem0:{kind.removesuffix('_id')}:{name}"


def _kind(owner: str) -> tuple[str, str]:
    prefix, _, rest = owner.partition(":")
    kind, has_name, name = rest.partition(":")
    return (kind, name) if prefix == "mem0" and has_name else ("user", owner)


def _flat(filters: JSON) -> dict[str, JSON]:
    if filters is None:
        return {}
    if not isinstance(filters, dict) or "OR" in filters or "NOT" in filters:
        raise InvalidInput("filters are an object of names and values, or AND of such.", code="invalid_filter")
    found = {name: value for name, value in filters.items() if name != "AND"}
    for part in filters.get("AND") or ():
        found |= _flat(part)
    return found


def _filters(body: Mapping[str, JSON], place: Mapping[str, JSON]) -> JSON:
    """What narrows: categories and the run."""
    wanted = {name: value for name, value in _flat(body.get("filters")).items() if name not in ENTITIES}
    categories = body.get("categories") or wanted.pop("categories", None)
    if isinstance(categories, dict):
        categories = categories.get("in") or categories.get("contains")
    if wanted:
        raise InvalidInput(f"Unknown filter {min(wanted)!r}.", code="invalid_filter")
    found = {"category": categories, "run_id": place.get("run")}
    return {name: value for name, value in found.items() if value} or None


def _memory(one: JSON) -> JSON:
    kind, name = _kind(one["owner"])
    owner = {"user_id": None, "agent_id": None, "app_id": None} | {f"{kind}_id": name}
    return {
        "id": one["id"],
        "memory": one["content"],
        **owner,
        "run_id": owner.get("run_id") or one["run_id"],
        "metadata": one["meta"] or None,
        "categories": [one["category"]],
        "expiration_date": one["expires_at"],
        "created_at": one["created_at"],
        "updated_at": one["updated_at"],
    }


def _whole(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) < 1_000_000):  # noqa: PLR2004 -- more pages than anybody has
        raise InvalidInput(f"{name} must be a number above 0.", code="invalid_parameter")
    return int(text[:9])


def _batch(body: JSON) -> list[dict[str, JSON]]:
    given = body.get("memories")
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given) or len(given) > 1_000:  # noqa: PLR2004 -- as mem0
        raise InvalidInput("memories must be a list of at most 1,000.", code="invalid_parameter")
    return given


def add_mem0(app: FastAPI, service: Service) -> None:
    """Put the routes into an application: those of the present client, and those of the ones before it."""
    mem0 = Mem0(service)
    for method, path, handler in (
        ("GET", "/v1/ping/", mem0.ping),
        ("POST", "/v3/memories/add/", mem0.add),
        ("POST", "/v1/memories/", mem0.add),
        ("POST", "/v3/memories/search/", mem0.search),
        ("POST", "/v2/memories/search/", mem0.search),
        ("POST", "/v1/memories/search/", mem0.search),
        ("POST", "/v3/memories/", mem0.get_all),
        ("POST", "/v2/memories/", mem0.get_all),
        ("DELETE", "/v1/memories/", mem0.delete_all),
        ("GET", "/v1/memories/{memory_id}/", mem0.get),
        ("PUT", "/v1/memories/{memory_id}/", mem0.update),
        ("DELETE", "/v1/memories/{memory_id}/", mem0.delete),
        ("GET", "/v1/memories/{memory_id}/history/", mem0.history),
        ("GET", "/v1/entities/", mem0.entities),
        ("DELETE", "/v2/entities/{kind}/{name}/", mem0.delete_entity),
        ("PUT", "/v1/batch/", mem0.batch_update),
        ("DELETE", "/v1/batch/", mem0.batch_delete),
    ):
        app.add_route(path, _endpoint(handler, service), methods=[method])


def _endpoint(
    handler: Callable[[Request, JSON], Awaitable[JSON]], service: Service
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        from starlette.responses import Response

        try:
            body = await request.body()
            given = parsed(body, depth_max=service.settings.depth_max) if body.strip() else {}
            if not isinstance(given, dict):
                raise InvalidInput("The body must be a JSON object.", code="bad_json")
            answer = await handler(request, given)
        except WellkeptError as error:
            return problems.answer(error)
        return Response(json.dumps(answer, ensure_ascii=False).encode(), media_type="application/json")

    return endpoint
