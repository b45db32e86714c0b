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
WHOSE = f"Say whose memories: one of {', '.join(ENTITIES)}."
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
    "version", "output_format", "org_id", "project_id", "async_mode", "source", "rerank", "latest_only", "api_version",
)  # fmt: skip
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


class Mem0Request:
    """One request of mem0's client, and the operations that answer it."""

    def __init__(self, service: Service, request: Request, body: JSON) -> None:
        self._service, self._request, self.body = service, request, body
        self.grant: Grant = request.state.grant
        self._tenant = self.grant.settled.get("tenant", "default")
        self._store = service.memory.engine.store

    async def run(self, name: str, arguments: JSON, place: Mapping[str, JSON]) -> JSON:
        call = Call(operation=BY_NAME[name], arguments=arguments, place=place, grant=self.grant, surface="mem0")
        return await self._service.run(call)

    def named(self, name: str) -> str:
        return wire.named(self._request, name)

    def check_options(self, route: str) -> None:
        known = {*OPTIONS[route], *ENTITIES, *IGNORED}
        odd = sorted(one for one, value in self.body.items() if one not in known and value not in (None, False, [], {}))
        if odd:
            raise InvalidInput(f"{odd[0][:100]!r} is not supported here; leave it out.", code="unsupported_option")

    async def ping(self) -> JSON:
        return {"status": "ok", "org_id": "wellkept", "project_id": "default", "user_email": None}

    async def unsupported(self) -> JSON:
        raise InvalidInput(f"{self._request.url.path} is not part of this server.", code="unsupported")

    # --- Writing.

    async def add(self) -> JSON:
        """Messages into memory: read for facts, or as they are with `infer: false`."""
        self.check_options("add")
        body, given = self.body, _entities(self.body)
        place = _place(given)
        messages = body.get("messages")
        if not isinstance(messages, list):
            raise _odd("messages must be a list.")
        kept = {"metadata": _metadata(body.get("metadata")), "entities": given}
        found = self._as_given if body.get("infer") is False else self._inferred
        results = []
        for outcome in await found([one for one in messages if isinstance(one, dict)], place):
            for one in (outcome, *outcome.get("others", ())):
                if one["id"] is not None:
                    shown = await self.run("show", {"memory_id": one["id"]}, place)
                    await self._keep(shown, kept)
                    results.append(await self._told(shown) | {"event": EVENTS.get(one["outcome"], "NONE")})
        return {"results": results}

    async def _as_given(self, messages: Sequence[JSON], place: Mapping[str, JSON]) -> list[JSON]:
        if self.body.get("timestamp") is not None:
            raise InvalidInput("timestamp is for messages that are read: leave out infer.", code="unsupported_option")
        texts = [one.get("content") for one in messages if one.get("role") != "system"]
        more = {"expires": self.body["expiration_date"]} if self.body.get("expiration_date") else {}
        return [await self.run("add", {"content": text, **more}, place) for text in texts]

    async def _inferred(self, messages: Sequence[JSON], place: Mapping[str, JSON]) -> list[JSON]:
        body = self.body
        at = {} if body.get("timestamp") is None else {"at": _moment(body["timestamp"], _odd).isoformat()}
        told = [{name: one[name] for name in ("role", "content") if name in one} | at for one in messages]
        outcomes: list[JSON]
        if body.get("expiration_date"):
            # Only what the user says outright can be given an end.
            end = _moment(body["expiration_date"], _odd)
            days = (end - self._service.memory.engine.clock()).total_seconds() / 86_400
            if days <= 0:
                raise _odd("expiration_date must be in the future.")
            said = [one.get("content") for one in told if one.get("role", "user") == "user"]
            facts = [{"content": text, "expires_in_days": days} for text in said]
            outcomes = await self.run("remember", {"facts": facts}, place)
        else:
            outcomes = (await self.run("observe", {"messages": told, "wait": True}, place))["outcomes"]
        return outcomes

    async def update(self) -> JSON:
        self.check_options("update")
        memory_id, metadata = self.named("memory_id"), self.body.get("metadata")
        shown = await self._live(memory_id)
        text = self.body.get("text") or self.body.get("data")
        if text is None and metadata is None:
            raise _odd("update takes text or metadata.")
        if text is not None:
            await self._one("edit", memory_id, content=text)
        if metadata is not None:
            await self._keep(shown, {"metadata": _metadata(metadata)})
        return await self.get()

    async def feedback(self) -> JSON:
        """What the user thinks of a memory: kept with it and exported, it changes no rank."""
        self.check_options("feedback")
        given, reason = self.body.get("feedback"), self.body.get("feedback_reason")
        if given not in FEEDBACK:
            raise _odd("feedback must be POSITIVE, NEGATIVE, VERY_NEGATIVE or null.")
        shown = await self._live(str(self.body.get("memory_id")))
        said = {"feedback": given, "feedback_reason": None if reason is None else mask(str(reason))}
        await self._keep(shown, {"feedback": said})
        return {"message": "Feedback is kept.", "memory_id": shown["id"], **said}

    # --- Reading.

    async def search(self) -> JSON:
        self.check_options("search")
        body, filters = self.body, _filters(self.body)
        most = body.get("top_k") or body.get("limit") or 10
        # Where the viewpoint alone is the filter, the best few are enough.
        is_of_one = filters.keys() <= {"user_id"} and isinstance(filters.get("user_id", ""), str)
        limit = most if is_of_one else LOOKED_AT
        asked = {"query": body.get("query"), "limit": limit, "sources": ["memories"]}
        asked |= {"threshold": body["threshold"]} if body.get("threshold") is not None else {}
        hits: dict[str, JSON] = {}
        for place in map(_place, owners(filters)):
            for hit in (await self.run("recall", asked, place))["hits"]:
                shown = await self.run("show", {"memory_id": hit["id"]}, place)
                told = await self._told(shown) | {"score": hit["score"]}
                if passes(told, filters):
                    hits[hit["id"]] = told
        best = sorted(hits.values(), key=lambda one: -one["score"])
        return {"results": [self._fields(one) for one in best[:most]]}

    async def get_all(self) -> JSON:
        self.check_options("get_all")
        page, size = self._whole("page", 1), min(self._whole("page_size", PAGE), PAGE)
        found = await self._filtered(_filters(self.body))
        start, path = (page - 1) * size, self._request.url.path
        return {
            "count": len(found),
            "next": f"{path}?page={page + 1}&page_size={size}" if len(found) > start + size else None,
            "previous": f"{path}?page={page - 1}&page_size={size}" if page > 1 else None,
            "results": [self._fields(one) for one in found[start : start + size]],
        }

    def _whole(self, name: str, default: int) -> int:
        text = self._request.query_params.get(name, str(default))
        if not (text.isascii() and text.isdigit() and 0 < int(text[:9]) < 1_000_000):  # noqa: PLR2004 -- more pages than anybody has
            raise _odd(f"{name} must be a number above 0.")
        return int(text[:9])

    def _fields(self, told: JSON) -> JSON:
        wanted = self.body.get("fields")
        return told if not wanted else {name: value for name, value in told.items() if name in {*wanted, "id"}}

    async def _filtered(self, filters: JSON) -> list[JSON]:
        found: dict[str, JSON] = {}
        for place in map(_place, owners(filters)):
            more: dict[str, dict[str, JSON]] = {}
            async for one in self._all(place):
                if one["owner"] not in more:
                    more[one["owner"]] = await self._kept_of(one["owner"])
                told = _memory(one, more[one["owner"]].get(one["id"], {}))
                if passes(told, filters):
                    found[one["id"]] = told
        return sorted(found.values(), key=lambda one: one["created_at"], reverse=True)

    async def _all(self, place: Mapping[str, JSON]) -> AsyncIterator[JSON]:
        before = None
        while True:
            page = await self.run("list", {"limit": 1_000, "before": before}, place)
            for one in page:
                yield one
            if len(page) < 1_000:  # noqa: PLR2004 -- the most that a list gives
                return
            before = page[-1]["id"]

    async def get(self) -> JSON:
        """One memory; one that was deleted is not found."""
        return await self._told(await self._live(self.named("memory_id")))

    async def _live(self, memory_id: str) -> JSON:
        shown = await self._one("show", memory_id)
        if shown["state"] != "active":
            raise MemoryNotFound(memory_id)
        return shown

    async def history(self) -> JSON:
        """What was done to a memory, oldest first, with the texts before and after."""
        told = await self._one("history", self.named("memory_id"))
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

    async def export(self) -> JSON:
        """Make an export: its id is made of the request, its content of the memories when it is fetched."""
        self.check_options("export")
        asked: JSON = {"shape": _shape(self.body.get("schema")), "filters": _filters(self.body)}
        owner = await self._export_owner(asked["filters"])
        if owner is None:
            raise _odd(WHOSE)
        name = str(uuid5(NAMESPACE_OID, json.dumps(asked, sort_keys=True)))
        await self._put(owner, f"export {name}", asked)
        return {"id": name, "message": "The export can be fetched."}

    async def get_export(self) -> JSON:
        """The memories of an export, by its id or by filters, each with the fields its schema names."""
        self.check_options("export")
        filters, shape, name = _filters(self.body), None, self.body.get("memory_export_id")
        owner = await self._export_owner(filters)
        if name is not None:
            if owner is None:
                raise _odd(WHOSE)
            asked = (await self._kept_of(owner)).get(f"export {name}")
            if asked is None:
                raise InvalidInput("No such export of this owner; name the owner in filters.", code="unknown_export")
            filters, shape = asked["filters"], asked["shape"]
        found = await self._filtered(filters)
        return {"memories": [{one: told.get(one) for one in shape} if shape else told for told in found]}

    async def _export_owner(self, filters: JSON) -> str | None:
        """Whose export it is, once it is sure that the caller may ask for all the owners that are named."""
        places = [_place(given) for given in owners(filters)]
        for place in places:
            await self.run("list", {"limit": 1}, place)
        return self.grant.settled.get("user") or next((place.get("user") for place in places), None)

    # --- What mem0 keeps beside a memory.

    async def _told(self, shown: JSON) -> JSON:
        kept = await self._kept_of(shown["owner"], key=shown["id"])
        return _memory(shown, kept.get(shown["id"], {}))

    async def _keep(self, shown: JSON, more: Mapping[str, JSON]) -> None:
        before = (await self._kept_of(shown["owner"], key=shown["id"])).get(shown["id"], {})
        changed = before | {name: value for name, value in more.items() if value}
        if changed != before:
            await self._put(shown["owner"], shown["id"], changed)

    async def _put(self, owner: str, key: str, value: JSON) -> None:
        now, text = self._service.memory.engine.clock(), json.dumps(value, ensure_ascii=False)
        place = {"tenant": self._tenant, "namespace": ("mem0", owner)}
        await self._service.in_thread(
            self._store.keep, Item(**place, key=key, value=text, created_at=now, updated_at=now)
        )

    async def _kept_of(self, owner: str, *, key: str | None = None) -> dict[str, JSON]:
        """Of an owner whose memory the caller was just shown: by the memory's id, or all of them."""
        items = await self._service.in_thread(partial(self._store.items, self._tenant, ("mem0", owner), key=key))
        return {item.key: json.loads(item.value) for item in items}

    # --- One memory by its id. mem0 names no user with it: the owner is looked up; the grant decides.

    async def _one(self, name: str, memory_id: str, **arguments: JSON) -> JSON:
        place = {}
        if "user" not in self.grant.settled:
            found = await self._service.in_thread(self._store.memory, self._tenant, memory_id)
            place = {"user": found.owner} if found is not None and found.space is Space.USER else {}
        return await self.run(name, {"memory_id": memory_id, **arguments}, place)

    async def delete(self) -> JSON:
        """Out of recall; a second time it is not found."""
        memory_id = self.named("memory_id")
        await self._live(memory_id)
        await self._one("forget", memory_id)
        return {"message": "Memory deleted successfully!"}

    async def batch(self) -> JSON:
        """Edit (PUT) or forget (DELETE) several memories."""
        given, is_edit = self.body.get("memories"), self._request.method == "PUT"
        if not isinstance(given, list) or not all(isinstance(one, dict) for one in given) or len(given) > 1_000:  # noqa: PLR2004 -- as mem0
            raise _odd("memories must be a list of at most 1,000.")
        for one in given:
            text = {"content": one.get("text")} if is_edit else {}
            await self._one("edit" if is_edit else "forget", str(one.get("memory_id")), **text)
        return {"message": f"Successfully {'updated' if is_edit else 'deleted'} {len(given)} memories"}

    # --- Everything of an owner.

    async def delete_all(self) -> JSON:
        """Everything of one owner out of recall; whose must be said, as a slip in a name may not empty a store."""
        place = _place(_entities(dict(self._request.query_params)))
        if not place and "user" not in self.grant.settled:
            raise _odd(WHOSE)
        return await self._forget_all(place)

    async def delete_entity(self) -> JSON:
        return await self._forget_all(_place(_entities({f"{self.named('kind')}_id": self.named("name")})))

    async def _forget_all(self, place: Mapping[str, JSON]) -> JSON:
        for one in [one async for one in self._all(place)]:
            await self.run("forget", {"memory_id": one["id"]}, place)
        return {"message": "Memories deleted successfully!"}

    async def entities(self) -> JSON:
        """The owners of memories that the caller may name."""
        chains = await self._service.in_thread(lambda: tuple(self._store.scopes(self._tenant)))
        named = sorted(one.owner for one in chains if one.space is Space.USER)
        seen = [one for one in named if self.grant.settled.get("user", one) == one]
        results = [{"id": one, "type": _kind(one)[0], "name": _kind(one)[1]} for one in seen]
        return {"count": len(seen), "results": results}


def _entities(body: Mapping[str, JSON]) -> dict[str, str]:
    """Whose memories: ids stand beside the other parameters or in `filters`."""
    given = {name: body[name] for name in ENTITIES if body.get(name) is not None}
    for name, value in given.items():
        if not isinstance(value, str) or not value or value == ANY:
            raise _odd(f"{name} must name one {name.removesuffix('_id')}.")
    check_filters(body.get("filters"))
    found = owners(body.get("filters"))
    if len(found) > 1:
        raise _odd("Name one owner.")
    return found[0] | given


def _place(given: Mapping[str, str]) -> dict[str, JSON]:
    """Agents, apps and runs that have memories of their own are users here, by a name that no user has by chance."""
    kind = next((name for name in ENTITIES if name in given), "")
    own = given.get(kind) if kind == "user_id" else f"mem0:{kind.removesuffix('_id')}:{given.get(kind)}"
    place: dict[str, JSON] = {"user": own} if kind else {}
    return place | ({"run": given["run_id"]} if "run_id" in given and kind != "run_id" else {})


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


def _metadata(value: JSON) -> JSON:
    if value is None:
        return None
    if not isinstance(value, dict) or len(json.dumps(value)) > METADATA_MAX:
        raise _odd(f"metadata is an object of at most {METADATA_MAX:,} characters.")
    return masked(value)


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
        said = f"{unknown[0][:100]!r} is not a field of a memory. There are: {', '.join(SHOWN)}."
        raise InvalidInput(said, code="unsupported_schema")
    return names


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


ROUTES: Mapping[str, Callable[[Mem0Request], Awaitable[JSON]]] = {
    "GET /v1/ping/": Mem0Request.ping,
    "POST /v3/memories/add/": Mem0Request.add,
    "POST /v1/memories/": Mem0Request.add,
    "POST /v3/memories/search/": Mem0Request.search,
    "POST /v2/memories/search/": Mem0Request.search,
    "POST /v1/memories/search/": Mem0Request.search,
    "POST /v3/memories/": Mem0Request.get_all,
    "POST /v2/memories/": Mem0Request.get_all,
    "DELETE /v1/memories/": Mem0Request.delete_all,
    "GET /v1/memories/{memory_id}/": Mem0Request.get,
    "PUT /v1/memories/{memory_id}/": Mem0Request.update,
    "DELETE /v1/memories/{memory_id}/": Mem0Request.delete,
    "GET /v1/memories/{memory_id}/history/": Mem0Request.history,
    "GET /v1/entities/": Mem0Request.entities,
    "DELETE /v2/entities/{kind}/{name}/": Mem0Request.delete_entity,
    "PUT /v1/batch/": Mem0Request.batch,
    "DELETE /v1/batch/": Mem0Request.batch,
    "POST /v1/feedback/": Mem0Request.feedback,
    "POST /v1/exports/": Mem0Request.export,
    "POST /v1/exports/get/": Mem0Request.get_export,
}
"""Of the present client, and of the ones before it."""


def add_mem0(app: FastAPI, service: Service) -> None:
    for address, answer in ROUTES.items():
        method, _, path = address.partition(" ")
        app.add_route(path, _endpoint(answer, service), methods=[method])
    for path in UNSUPPORTED:
        endpoint = _endpoint(Mem0Request.unsupported, service)
        app.add_route(path, endpoint, methods=["GET", "POST", "PUT", "PATCH", "DELETE"])


def _endpoint(
    answer: Callable[[Mem0Request], Awaitable[JSON]], service: Service
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            body = await wire.body_object(request, service.settings.depth_max)
            return wire.json_answer(await answer(Mem0Request(service, request, body)))
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


def _wrong(message: str) -> InvalidInput:
    return InvalidInput(message, code="invalid_filter")


def _odd(message: str) -> InvalidInput:
    return InvalidInput(message, code="invalid_parameter")


def _moment(value: JSON, wrong: Callable[[str], InvalidInput] = _wrong) -> datetime:
    """A date, or seconds since 1970, with its zone."""
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, tz=UTC)
        at = datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        raise wrong(f"{str(value)[:100]!r} is not a date: write YYYY-MM-DD or an ISO time.") from None
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
