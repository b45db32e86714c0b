"""The table of operations as JSON Schema and OpenAPI: what may be sent is written once, in the table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import wellkept
from wellkept.operations.operation import ITEMS_MAX, KINDS, Operation, Parameter
from wellkept.policies.callers.grants import PLACE_NAMES

Schema = dict[str, Any]

_ID: Schema = {"type": "string", "minLength": 1, "maxLength": 512}
_OF_PLACE: Mapping[str, Schema] = {
    "chat_type": {"type": "string", "enum": ["private", "group"]},
    "participants": {"type": "array", "items": _ID},
}
PROBLEM: Schema = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("type", "title", "detail", "code")}
    | {"status": {"type": "integer"}},
    "required": ["type", "title", "status", "detail", "code"],
}
EXAMPLES: Mapping[str, Any] = {
    "facts": "My wife Sarah likes Italian food",
    "content": "The wifi of the cabin is called Marmot.",
    "query": "what does my wife like?",
    "text": "What does my wife like?",
    "messages": [{"role": "user", "content": "I moved to Berlin"}],
    "name": "a bot",
    "scope": ["user:alice"],
}
"""By the name of a parameter: what a reader can try."""
LINKING = frozenset({"remember", "add"})
"""Operations whose answer has the `id` of a memory, for those that take one in their path."""
_IN_PATH = re.compile(r"\{(\w+)\}")


_VIEWPOINT: Schema = {"anyOf": [{"$ref": "#/components/schemas/Viewpoint"}, {"type": "null"}]}


def in_path(path: str) -> tuple[str, ...]:
    """The parameters that stand in a path."""
    return tuple(_IN_PATH.findall(path))


def of_kind(parameter: Parameter) -> Schema:
    """What a value of a parameter looks like."""
    schema, most = dict(KINDS[parameter.kind][1]), parameter.length_max
    if most is not None and schema.get("type") == "string":
        return schema | {"maxLength": most}
    if most is not None and schema.get("type") == "array":
        return schema | {"maxItems": ITEMS_MAX, "items": {"type": "string", "maxLength": most}}
    return schema


def of_parameter(parameter: Parameter) -> Schema:
    """What may be given for a parameter. Null is the same as leaving it out, where that is allowed."""
    schema = of_kind(parameter)
    if not parameter.is_required:
        schema = {"anyOf": [schema, {"type": "null"}]}
        if parameter.default is not None:
            schema["default"] = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
    known = f" One of: {', '.join(parameter.choices)}." if parameter.choices else ""
    return schema | {"description": parameter.doc + known}


def of_parameters(parameters: Iterable[Parameter]) -> Schema:
    """An object with these parameters and no others."""
    given = tuple(parameters)
    return {
        "type": "object",
        "properties": {one.name: of_parameter(one) for one in given},
        "required": [one.name for one in given if one.is_required],
        "additionalProperties": False,
    }


def viewpoint() -> Schema:
    """Who speaks or asks, and where."""
    named = {name: _OF_PLACE.get(name, _ID) for name in PLACE_NAMES}
    return {
        "type": "object",
        "properties": {name: {"anyOf": [schema, {"type": "null"}]} for name, schema in named.items()},
        "additionalProperties": False,
        "description": "Who speaks or asks, and where. A key or token may settle some of it.",
    }


def of_operation(operation: Operation, method: str, path: str) -> Schema:
    """An operation as OpenAPI says it."""
    named = {one.name: one for one in operation.parameters}
    fixed = [{**_parameter(named[name], "path"), "required": True} for name in in_path(path)]
    free = [one for name, one in named.items() if name not in in_path(path)]
    described: Schema = {
        "operationId": operation.name,
        "summary": operation.doc,
        "tags": [path.split("/")[2 if path.startswith("/v1/") else 1]],
        "responses": _responses(operation),
    }
    if method in ("GET", "DELETE"):
        asked = [_parameter(one, "query") for one in free]
        taken = {one.name for one in operation.parameters}
        asked += [_of_place(name) for name in PLACE_NAMES if name not in taken]
        described["parameters"] = [*fixed, *asked]
    else:
        body = of_parameters(free)
        body["properties"] = body["properties"] | {"viewpoint": _VIEWPOINT}
        described["parameters"] = fixed
        content: Schema = {"schema": body}
        if body["required"] and set(body["required"]) <= set(EXAMPLES):
            content["example"] = {name: EXAMPLES[name] for name in body["required"]} | {"viewpoint": {"user": "alice"}}
        described["requestBody"] = {"content": {"application/json": content}, "required": bool(body["required"])}
    described["parameters"] += _headers(operation)
    return described


def _parameter(parameter: Parameter, place: str) -> Schema:
    schema = of_kind(parameter)
    if parameter.kind in ("object", "facts", "expiry", "messages", "steps"):
        schema = {"type": "string"}
    if place == "path":
        schema = schema | {"minLength": 1}
    doc = parameter.doc + (" As JSON." if parameter.kind == "object" else "")
    doc += " Percent-encoded; a slash is %2F." if place == "path" else ""
    return {
        "name": parameter.name,
        "in": place,
        "required": parameter.is_required,
        "schema": schema,
        "description": doc,
    }


def _of_place(name: str) -> Schema:
    return {"name": name, "in": "query", "required": False, "schema": _OF_PLACE.get(name, _ID)}


def _headers(operation: Operation) -> list[Schema]:
    text = {"type": "string"}
    found = []
    if operation.is_write:
        doc = "A name of your own for this write: sent again, it gives the same answer and changes nothing."
        found.append({"name": "Idempotency-Key", "in": "header", "required": False, "schema": text, "description": doc})
    if operation.if_match is not None:
        doc = "The ETag that was read: refused when the thing has changed since."
        found.append({"name": "If-Match", "in": "header", "required": False, "schema": text, "description": doc})
    return found


def _responses(operation: Operation) -> Schema:
    problem = {
        "description": "What is wrong, with a stable code and what to do.",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    headers = {"Link": "The next page.", "Next-Cursor": "The cursor of the next page."} if operation.cursor else {}
    headers |= {"ETag": "The version."} if operation.etag else {}
    done: Schema = {"description": operation.doc, "content": {"application/json": {"schema": {}}}}
    if operation.cursor:
        done["content"] = {"application/json": {"schema": {"type": "array", "items": {"type": "object"}}}}
    if headers:
        done["headers"] = {name: {"schema": {"type": "string"}, "description": doc} for name, doc in headers.items()}
    return {"200": done, "4XX": problem, "503": problem}


def openapi(operations: Iterable[Operation]) -> Schema:
    """The whole surface."""
    paths: dict[str, Schema] = {}
    for operation in operations:
        for number, (method, path) in enumerate((operation.http, *operation.also)):
            described = of_operation(operation, method, path)
            if number:
                described["operationId"] = f"{operation.name}_{number}"
            paths.setdefault(path, {})[method.lower()] = described
    _link(paths)
    return {
        "openapi": "3.1.0",
        "info": {"title": "wellkept", "version": wellkept.__version__, "description": wellkept.__doc__},
        "paths": paths,
        "components": {
            "schemas": {"Viewpoint": viewpoint(), "Problem": PROBLEM},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"key": []}],
    }


def _link(paths: Mapping[str, Schema]) -> None:
    """Say which operations can follow one that made a memory."""
    flat = [described for methods in paths.values() for described in methods.values()]
    following = {
        described["operationId"]: [
            one["name"] for one in described["parameters"] if one["name"] in ("memory_id", "user")
        ]
        for described in flat
        if any(one["name"] == "memory_id" for one in described["parameters"])
    }
    said = {"memory_id": "$response.body#/id", "user": "$request.body#/viewpoint/user"}
    for described in flat:
        if described["operationId"] in LINKING:
            described["responses"]["200"]["links"] = {
                name: {"operationId": name, "parameters": {one: said[one] for one in names}}
                for name, names in following.items()
            }
