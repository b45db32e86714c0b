"""The routes that mem0's client calls, so that its programs run against this server by changing the host.

Names are translated here: each route calls operations of the table. What mem0 keeps beside a memory and wellkept has no
word for (metadata, feedback) is an item of the owner's own, erased with them. What cannot be done is refused.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_OID, uuid5

from wellkept.errors import InvalidInput, MemoryNotFound, WellkeptError
from wellkept.flows.sessions.checkpoints import masked
from wellkept.operations import BY_NAME
from wellkept.policies.secrets.detector import mask
from wellkept.store.contract import Item
from wellkept.surfaces.http import wire
from wellkept.surfaces.http.gateway import Call
from wellkept.vocabulary import Space

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.policies.callers import Grant
    from wellkept.surfaces.http.gateway import Service

JSON = Any
ENTITIES = ("user_id", "agent_id", "app_id", "run_id")
"""In the order in which one of them is the owner."""
TIMES = ("created_at", "updated_at")
FIELDS = (*ENTITIES, *TIMES, "categories", "metadata", "memory_ids", "keywords")
COMBINED = ("AND", "OR", "NOT")
ANY = "*"
PLACES_MAX = 20
"""Owners that one filter may name."""
PAGE = 100
LOOKED_AT = 100
"""Memories that a search ranks before its filters are applied."""
METADATA_MAX = 10_000
"""Characters of a memory's metadata as JSON."""
EVENTS: Mapping[str, str] = {
    "created": "ADD",
    "superseded_old": "UPDATE",
    "updated": "UPDATE",
    "merged": "UPDATE",
    "duplicate": "NONE",
}
FEEDBACK = (None, "POSITIVE", "NEGATIVE", "VERY_NEGATIVE")
IGNORED = (
    "version",
    "output_format",
    "org_id",
    "project_id",
    "async_mode",
    "source",
    "rerank",
    "latest_only",
    "api_version",
)
"""Options that change nothing here: answers have one form, are ranked, and leave out what was replaced."""
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "add": ("messages", "metadata", "infer", "expiration_date", "timestamp", "filters"),
    "search": ("query", "top_k", "limit", "threshold", "filters", "categories", "metadata", "fields"),
    "get_all": ("filters", "categories", "metadata", "fields", "page", "page_size"),
    "update": ("text", "data", "metadata"),
    "feedback": ("memory_id", "feedback", "feedback_reason"),
    "export": ("schema", "filters", "memory_export_id"),
}


UNSUPPORTED = (
    "/v1/summary/",
    "/v2/entities/{kind}/{name}/profile/",
    "/v2/profiles/{rest:path}",
    "/api/v1/orgs/{rest:path}",
    "/api/v1/webhooks/{rest:path}",
)
"""Of mem0's platform: summaries and profiles that a model writes, organisations, and webhooks in its own form."""


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

    # --- writing

    async def add(self, request: Request, body: JSON) -> JSON:
        """Messages into memory: read for facts, or as they are with `infer: false`."""
        _check_options("add", body)
        grant, given = request.state.grant, _entities(body)
        place = _place(given)
        messages = body.get("messages")
        if not isinstance(messages, list):
            raise InvalidInput("messages must be a list.", code="invalid_parameter")
        kept = {"metadata": _metadata(body.get("metadata")), "entities": given}
        if body.get("infer") is False:
            outcomes = await self._as_given(messages, body, place, grant)
        else:
            outcomes = await self._inferred(messages, body, place, grant)
        flat = [one for outcome in outcomes for one in (outcome, *outcome.get("others", ()))]
        results = []
        for outcome in flat:
            if outcome["id"] is not None:
                shown = await self._run("show", {"memory_id": outcome["id"]}, place, grant)
                await self._keep(shown, kept, grant)
                results.append(await self._told(shown, grant) | {"event": EVENTS.get(outcome["outcome"], "NONE")})
        return {"results": results}

    async def _as_given(
        self, messages: Sequence[JSON], body: JSON, place: Mapping[str, JSON], grant: Grant
    ) -> list[JSON]:
        if body.get("timestamp") is not None:
            raise InvalidInput("timestamp is for messages that are read: leave out infer.", code="unsupported_option")
        texts = [one.get("content") for one in messages if isinstance(one, dict) and one.get("role") != "system"]
        more = {"expires": body["expiration_date"]} if body.get("expiration_date") else {}
        return [await self._run("add", {"content": text, **more}, place, grant) for text in texts]

    async def _inferred(
        self, messages: Sequence[JSON], body: JSON, place: Mapping[str, JSON], grant: Grant
    ) -> list[JSON]:
        at = {} if body.get("timestamp") is None else {"at": _iso(body["timestamp"])}
        told = [
            {name: one[name] for name in ("role", "content") if name in one} | at
            for one in messages
            if isinstance(one, dict)
        ]
        if body.get("expiration_date"):
            # Only what the user says outright can be given an end.
            days = self._days_until(body["expiration_date"])
            said = [one.get("content") for one in told if one.get("role", "user") == "user"]
            facts = [{"content": text, "expires_in_days": days} for text in said]
            outcomes: list[JSON] = await self._run("remember", {"facts": facts}, place, grant)
            return outcomes
        answer = await self._run("observe", {"messages": told, "wait": True}, place, grant)
        found: list[JSON] = answer["outcomes"]
        return found

    def _days_until(self, date: JSON) -> float:
        end = datetime.fromisoformat(_iso(date))
        days = (end - self._service.memory.engine.clock()).total_seconds() / 86_400
        if days <= 0:
            raise InvalidInput("expiration_date must be ahead.", code="invalid_parameter")
        return days

    async def update(self, request: Request, body: JSON) -> JSON:
        """Another text, other metadata."""
        _check_options("update", body)
        shown = await self._live(wire.named(request, "memory_id"), request.state.grant)
        text = body.get("text") or body.get("data")
        if text is None and body.get("metadata") is None:
            raise InvalidInput("update takes text or metadata.", code="invalid_parameter")
        if text is not None:
            await self._one("edit", request, {"content": text})
        if body.get("metadata") is not None:
            await self._keep(shown, {"metadata": _metadata(body["metadata"])}, request.state.grant)
        return await self.get(request, body)

    async def feedback(self, request: Request, body: JSON) -> JSON:
        """What the user thinks of a memory: kept with it and exported, it changes no rank."""
        _check_options("feedback", body)
        if body.get("feedback") not in FEEDBACK:
            raise InvalidInput("feedback must be POSITIVE, NEGATIVE, VERY_NEGATIVE or null.", code="invalid_parameter")
        shown = await self._live(str(body.get("memory_id")), request.state.grant)
        reason = body.get("feedback_reason")
        said = {"feedback": body.get("feedback"), "feedback_reason": None if reason is None else mask(str(reason))}
        await self._keep(shown, {"feedback": said}, request.state.grant)
        return {"message": "Feedback is kept.", "memory_id": shown["id"], **said}

    # --- reading

    async def search(self, request: Request, body: JSON) -> JSON:
        """By meaning, words and people."""
        _check_options("search", body)
        filters = _filters(body)
        most = body.get("top_k") or body.get("limit") or 10
        asked = {"query": body.get("query"), "limit": most, "sources": ["memories"]}
        asked |= {name: body[name] for name in ("threshold",) if body.get(name) is not None}
        if not _names_only_owners(filters):
            asked["limit"] = LOOKED_AT
        hits: dict[str, JSON] = {}
        for given in owners(filters):
            place = _place(given)
            found = await self._run("recall", asked, place, request.state.grant)
            for hit in found["hits"]:
                shown = await self._run("show", {"memory_id": hit["id"]}, place, request.state.grant)
                told = await self._told(shown, request.state.grant) | {"score": hit["score"]}
                if passes(told, filters):
                    hits[hit["id"]] = told
        best = sorted(hits.values(), key=lambda one: -one["score"])
        return {"results": [_fields(one, body) for one in best[:most]]}

    async def get_all(self, request: Request, body: JSON) -> JSON:
        """A page of memories, newest first."""
        _check_options("get_all", body)
        page, size = _whole(request, "page", 1), min(_whole(request, "page_size", PAGE), PAGE)
        found = await self._filtered(_filters(body), request.state.grant)
        start = (page - 1) * size
        path = request.url.path
        return {
            "count": len(found),
            "next": f"{path}?page={page + 1}&page_size={size}" if len(found) > start + size else None,
            "previous": f"{path}?page={page - 1}&page_size={size}" if page > 1 else None,
            "results": [_fields(one, body) for one in found[start : start + size]],
        }

    async def _filtered(self, filters: JSON, grant: Grant) -> list[JSON]:
        found: dict[str, JSON] = {}
        for given in owners(filters):
            more: dict[str, dict[str, JSON]] = {}
            async for one in self._all(_place(given), grant):
                if one["owner"] not in more:
                    more[one["owner"]] = await self._kept_of(one["owner"], grant)
                told = _memory(one, more[one["owner"]].get(one["id"], {}))
                if passes(told, filters):
                    found[one["id"]] = told
        return sorted(found.values(), key=lambda one: one["created_at"], reverse=True)

    async def _all(self, place: Mapping[str, JSON], grant: Grant) -> AsyncIterator[JSON]:
        before = None
        while True:
            page = await self._run("list", {"limit": 1_000, "before": before}, place, grant)
            for one in page:
                yield one
            if len(page) < 1_000:  # noqa: PLR2004 -- the most that a list gives
                return
            before = page[-1]["id"]

    async def get(self, request: Request, _body: JSON) -> JSON:
        """One memory; one that was deleted is not found."""
        grant = request.state.grant
        return await self._told(await self._live(wire.named(request, "memory_id"), grant), grant)

    async def _live(self, memory_id: str, grant: Grant) -> JSON:
        shown = await self._run("show", {"memory_id": memory_id}, await self._owner(memory_id, grant), grant)
        if shown["state"] != "active":
            raise MemoryNotFound(memory_id)
        return shown

    async def export(self, request: Request, body: JSON) -> JSON:
        """Make an export: its id is made of the request, its content of the memories when it is fetched."""
        _check_options("export", body)
        shape = _shape(body.get("schema"))
        filters = _filters(body)
        await self._check_owners(filters, request.state.grant)
        asked = {"filters": filters, "shape": shape}
        name = str(uuid5(NAMESPACE_OID, json.dumps(asked, sort_keys=True)))
        owner = _export_owner(filters, request.state.grant)
        await self._put(owner, f"export {name}", asked, request.state.grant)
        return {"id": name, "message": "The export can be fetched."}

    async def get_export(self, request: Request, body: JSON) -> JSON:
        """The memories of an export, by its id or by filters, each with the fields its schema names."""
        _check_options("export", body)
        grant, filters, shape = request.state.grant, _filters(body), None
        await self._check_owners(filters, grant)
        name = body.get("memory_export_id")
        if name is not None:
            owner = _export_owner(filters, grant)
            asked = (await self._kept_of(owner, grant)).get(f"export {name}")
            if asked is None:
                raise InvalidInput("No such export of this owner; name the owner in filters.", code="unknown_export")
            filters, shape = asked["filters"], asked["shape"]
        found = await self._filtered(filters, grant)
        return {"memories": [{one: told.get(one) for one in shape} if shape else told for told in found]}

    async def _check_owners(self, filters: JSON, grant: Grant) -> None:
        """Whether the caller may ask for these owners at all."""
        for given in owners(filters):
            await self._run("list", {"limit": 1}, _place(given), grant)

    async def unsupported(self, request: Request, _body: JSON) -> JSON:
        """What mem0's platform has and this server does not."""
        raise InvalidInput(f"{request.url.path} is not part of this server.", code="unsupported")

    # --- what mem0 keeps beside a memory

    async def _told(self, shown: JSON, grant: Grant) -> JSON:
        kept = await self._kept_of(shown["owner"], grant, key=shown["id"])
        return _memory(shown, kept.get(shown["id"], {}))

    async def _keep(self, shown: JSON, more: Mapping[str, JSON], grant: Grant) -> None:
        before = (await self._kept_of(shown["owner"], grant, key=shown["id"])).get(shown["id"], {})
        changed = before | {name: value for name, value in more.items() if value}
        if changed != before:
            await self._put(shown["owner"], shown["id"], changed, grant)

    async def _put(self, owner: str, key: str, value: JSON, grant: Grant) -> None:
        engine = self._service.memory.engine
        now, tenant = engine.clock(), grant.settled.get("tenant", "default")
        text = json.dumps(value, ensure_ascii=False)
        item = Item(tenant=tenant, namespace=("mem0", owner), key=key, value=text, created_at=now, updated_at=now)
        await self._service.in_thread(engine.store.keep, item)

    async def _kept_of(self, owner: str, grant: Grant, *, key: str | None = None) -> dict[str, JSON]:
        """Of an owner whose memory the caller was just shown: by the memory's id, or all of them."""
        store, tenant = self._service.memory.engine.store, grant.settled.get("tenant", "default")
        items = await self._service.in_thread(partial(store.items, tenant, ("mem0", owner), key=key))
        return {item.key: json.loads(item.value) for item in items}

    # --- one memory by its id

    async def delete(self, request: Request, _body: JSON) -> JSON:
        """Out of recall; a second time it is not found."""
        await self._live(wire.named(request, "memory_id"), request.state.grant)
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
        memory_id, grant = wire.named(request, "memory_id"), request.state.grant
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

    # --- everything of an owner

    async def delete_all(self, request: Request, _body: JSON) -> JSON:
        """Everything of one owner out of recall; whose must be said, as a slip in a name may not empty a store."""
        place = _place(_entities(dict(request.query_params)))
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
        kind, name = wire.named(request, "kind"), wire.named(request, "name")
        return await self._forget_all(_place(_entities({f"{kind}_id": name})), request.state.grant)

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


def _entities(body: Mapping[str, JSON]) -> dict[str, str]:
    """Whose memories: ids stand beside the other parameters or in `filters`."""
    given = {name: body[name] for name in ENTITIES if body.get(name) is not None}
    for name, value in given.items():
        if not isinstance(value, str) or not value or value == ANY:
            raise InvalidInput(f"{name} must name one {name.removesuffix('_id')}.", code="invalid_parameter")
    check_filters(body.get("filters"))
    found = owners(body.get("filters"))
    if len(found) > 1:
        raise InvalidInput("Name one owner.", code="invalid_parameter")
    return found[0] | given


def _place(given: Mapping[str, str]) -> dict[str, JSON]:
    owner = next((name for name in ENTITIES if name in given), None)
    place: dict[str, JSON] = {} if owner is None else {"user": _owner_id(owner, given[owner])}
    return place | ({"run": given["run_id"]} if "run_id" in given and owner != "run_id" else {})


def _export_owner(filters: JSON, grant: Grant) -> str:
    found = [_place(given).get("user") for given in owners(filters)]
    owner = grant.settled.get("user") or (found[0] if found else None)
    if owner is None:
        raise InvalidInput(f"Say whose memories: one of {', '.join(ENTITIES)}.", code="invalid_parameter")
    return str(owner)


def _owner_id(kind: str, name: str) -> str:
    """Agents, apps and runs that have memories of their own are users here, by a name that no user has by chance."""
    return name if kind == "user_id" else f"mem0:{kind.removesuffix('_id')}:{name}"


def _kind(owner: str) -> tuple[str, str]:
    prefix, _, rest = owner.partition(":")
    kind, has_name, name = rest.partition(":")
    return (kind, name) if prefix == "mem0" and has_name else ("user", owner)


def _filters(body: Mapping[str, JSON]) -> dict[str, JSON]:
    """One filter of everything that narrows: `filters`, and what stands beside it."""
    check_filters(body.get("filters"))
    beside = {name: body[name] for name in (*ENTITIES, "categories", "metadata") if body.get(name) is not None}
    check_filters(beside)
    parts = [part for part in (body.get("filters"), beside) if part]
    return parts[0] if len(parts) == 1 else {"AND": parts} if parts else {}


def _names_only_owners(filters: Mapping[str, JSON]) -> bool:
    """Whether the viewpoint alone is the filter, so that the best few are enough."""
    return filters.keys() <= {"user_id"} and isinstance(filters.get("user_id", ""), str)


def _check_options(route: str, body: Mapping[str, JSON]) -> None:
    known = {*OPTIONS[route], *ENTITIES, *IGNORED}
    odd = sorted(name for name, value in body.items() if name not in known and value not in (None, False, [], {}))
    if odd:
        raise InvalidInput(f"{odd[0][:100]!r} cannot be done here; leave it out.", code="unsupported_option")


def _metadata(value: JSON) -> JSON:
    if value is None:
        return None
    if not isinstance(value, dict) or len(json.dumps(value)) > METADATA_MAX:
        raise InvalidInput(f"metadata is an object of at most {METADATA_MAX:,} characters.", code="invalid_parameter")
    return masked(value)


def _iso(value: JSON) -> str:
    """A date, or seconds since 1970, as ISO text with its zone."""
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, tz=UTC).isoformat()
        at = datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        raise InvalidInput(f"{str(value)[:100]!r} is no date: write YYYY-MM-DD.", code="invalid_parameter") from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).isoformat()


def _shape(schema: JSON) -> list[str]:
    """The fields that a JSON schema names; one that only a language model could fill is refused."""
    try:
        given = json.loads(schema) if isinstance(schema, str) else schema
        names = [*given["properties"]]
        if len(names) == 1 and given["properties"][names[0]].get("type") == "array":
            names = [*given["properties"][names[0]]["items"]["properties"]]
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InvalidInput("schema must be a JSON schema of an object.", code="invalid_schema") from None
    if unknown := [name for name in names if name not in SHOWN]:
        said = f"{unknown[0][:100]!r} is no field of a memory. There are: {', '.join(SHOWN)}."
        raise InvalidInput(said, code="unsupported_schema")
    return names


def _fields(told: JSON, body: Mapping[str, JSON]) -> JSON:
    wanted = body.get("fields")
    return told if not wanted else {name: value for name, value in told.items() if name in {*wanted, "id"}}


SHOWN = (
    "id", "memory", *ENTITIES, "metadata", "categories", "expiration_date", "feedback", "feedback_reason", "created_at",
    "updated_at",
)  # fmt: skip


def _memory(one: JSON, kept: Mapping[str, JSON]) -> JSON:
    kind, name = _kind(one["owner"])
    owner = dict.fromkeys(ENTITIES) | {"run_id": one["run_id"]} | (kept.get("entities") or {}) | {f"{kind}_id": name}
    feedback = kept.get("feedback") or {}
    told = {
        "id": one["id"],
        "memory": one["content"],
        **owner,
        "metadata": {**one["meta"], **(kept.get("metadata") or {})} or None,
        "categories": [one["category"]],
        "expiration_date": one["expires_at"],
        "feedback": feedback.get("feedback"),
        "feedback_reason": feedback.get("feedback_reason"),
        "created_at": one["created_at"],
        "updated_at": one["updated_at"],
    }
    return {name: told[name] for name in SHOWN}


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
        ("POST", "/v1/feedback/", mem0.feedback),
        ("POST", "/v1/exports/", mem0.export),
        ("POST", "/v1/exports/get/", mem0.get_export),
        *(
            (method, path, mem0.unsupported)
            for path in UNSUPPORTED
            for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        ),
    ):
        app.add_route(path, _endpoint(handler, service), methods=[method])


def _endpoint(
    handler: Callable[[Request, JSON], Awaitable[JSON]], service: Service
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            return wire.json_answer(await handler(request, await wire.body_object(request, service.settings.depth_max)))
        except WellkeptError as error:
            return wire.refusal(error)

    return endpoint


# --- Filters: whose memories they name, and whether a memory passes them. An unknown part is refused.


def check_filters(filters: JSON) -> None:
    """Refuse what is not a filter, before anything is looked up."""
    if filters is None:
        return
    if not isinstance(filters, dict):
        raise _wrong("filters are an object of names and values, AND, OR or NOT.")
    for name, value in filters.items():
        if name in COMBINED:
            for part in _parts(name, value):
                check_filters(part)
        elif name == "metadata":
            if not isinstance(value, dict):
                raise _wrong("metadata is an object of names and values.")
            for wanted in value.values():
                _check_operators(name, wanted)
        elif name in FIELDS:
            _check_operators(name, value)
        else:
            raise _wrong(f"Unknown filter {name[:100]!r}. Known: {', '.join(FIELDS)}; others stand under metadata.")


def owners(filters: JSON) -> list[dict[str, str]]:
    """Each combination of entities that the filter lets through: {} names none."""
    if not filters:
        return [{}]
    found: list[dict[str, str]] = [{}]
    for name, value in filters.items():
        if name == "OR":
            options = [one for part in _parts(name, value) for one in owners(part)]
        elif name == "AND":
            options = [{}]
            for part in _parts(name, value):
                options = _joined(options, owners(part))
        elif name in ENTITIES:
            options = [{name: one} for one in _named(name, value)] or [{}]
        else:
            continue
        found = _joined(found, options)
    return found


def passes(memory: Mapping[str, JSON], filters: JSON) -> bool:
    """Whether a memory, as mem0 shows it, is what the filter asks for."""
    return all(_passes_one(memory, name, value) for name, value in (filters or {}).items())


def _passes_one(memory: Mapping[str, JSON], name: str, value: JSON) -> bool:
    if name == "AND":
        return all(passes(memory, part) for part in _parts(name, value))
    if name == "OR":
        return any(passes(memory, part) for part in _parts(name, value))
    if name == "NOT":
        return not any(passes(memory, part) for part in _parts(name, value))
    if name == "metadata":
        known = memory.get("metadata") or {}
        return all(_compares(known.get(key), wanted) for key, wanted in value.items())
    if name == "memory_ids":
        return _compares(memory["id"], value)
    if name == "keywords":
        return _compares(memory["memory"], value if isinstance(value, dict) else {"icontains": value})
    if name in TIMES:
        return _compares(_moment(memory[name]), _times(value))
    return _compares(memory.get(name), value)


def _eq(found: JSON, wanted: JSON) -> bool:
    return wanted in found if isinstance(found, list) and not isinstance(wanted, list) else bool(found == wanted)


def _ordered(compare: Callable[[JSON, JSON], bool]) -> Callable[[JSON, JSON], bool]:
    def apply(found: JSON, wanted: JSON) -> bool:
        try:
            return found is not None and compare(found, wanted)
        except TypeError:
            return False

    return apply


_OPERATORS: Mapping[str, Callable[[JSON, JSON], bool]] = {
    "eq": _eq,
    "ne": lambda found, wanted: not _eq(found, wanted),
    "in": lambda found, wanted: any(_eq(found, one) for one in wanted),
    "nin": lambda found, wanted: not any(_eq(found, one) for one in wanted),
    "contains": lambda found, wanted: _holds(found, wanted, lambda text: text),
    "icontains": lambda found, wanted: _holds(found, wanted, str.casefold),
    "gt": _ordered(lambda found, wanted: found > wanted),
    "gte": _ordered(lambda found, wanted: found >= wanted),
    "lt": _ordered(lambda found, wanted: found < wanted),
    "lte": _ordered(lambda found, wanted: found <= wanted),
}


def _holds(found: JSON, wanted: JSON, form: Callable[[str], str]) -> bool:
    if isinstance(found, list):
        return form(str(wanted)) in [form(str(one)) for one in found]
    return found is not None and form(str(wanted)) in form(str(found))


def _compares(found: JSON, wanted: JSON) -> bool:
    if wanted == ANY:
        return found not in (None, [], "")
    if isinstance(wanted, dict):
        return all(_OPERATORS[name](found, value) for name, value in wanted.items())
    if isinstance(wanted, list):
        return any(_eq(found, one) for one in wanted)
    return _eq(found, wanted)


def _check_operators(name: str, value: JSON) -> None:
    if isinstance(value, dict):
        if not value or not value.keys() <= _OPERATORS.keys():
            raise _wrong(f"{name} compares with {', '.join(_OPERATORS)}.")
        if any(not isinstance(value[one], list) for one in ("in", "nin") if one in value):
            raise _wrong(f"{name}: in takes a list.")
    if name in TIMES:
        _times(value)
    if name in ENTITIES:
        _named(name, value)


def _named(name: str, value: JSON) -> list[str]:
    """The entities that a condition lets through by name; those it rules out name none."""
    named = value
    if isinstance(value, dict):
        named = value.get("in", [value["eq"]] if "eq" in value else [])
    found = named if isinstance(named, list) else [named]
    if not all(isinstance(one, str) and one and one != ANY for one in found):
        raise _wrong(f"{name} must name one {name.removesuffix('_id')}.")
    return found


def _times(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {
            name: [_moment(one) for one in at] if isinstance(at, list) else _moment(at) for name, at in value.items()
        }
    return _moment(value)


def _moment(value: JSON) -> datetime:
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, tz=UTC)
        at = datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        raise _wrong(f"{str(value)[:100]!r} is no date: write YYYY-MM-DD or an ISO time.") from None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _parts(name: str, value: JSON) -> list[JSON]:
    parts = [value] if name == "NOT" and isinstance(value, dict) else value
    if not isinstance(parts, list) or not all(isinstance(one, dict) for one in parts):
        raise _wrong(f"{name} takes a list of filters.")
    return parts


def _joined(left: list[dict[str, str]], right: list[dict[str, str]]) -> list[dict[str, str]]:
    found = [one | other for one in left for other in right]
    if len(found) > PLACES_MAX:
        raise _wrong(f"A filter may name at most {PLACES_MAX} owners.")
    return found


def _wrong(message: str) -> InvalidInput:
    return InvalidInput(message, code="invalid_filter")
