"""The table of operations as JSON Schema and OpenAPI, made from its rows and from the types of its answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import wellkept
from wellkept.flows.serving.once import KEY_LENGTH_MAX
from wellkept.operations import shapes
from wellkept.operations.operation import ITEMS_MAX, KINDS, Operation, Parameter
from wellkept.policies.callers import PLACE_NAMES
from wellkept.values import frozen

Schema = dict[str, Any]
Refer = Callable[[type], Schema]
"""How the schema of a dataclass is named, and where it is put."""

_ID: Schema = {"type": "string", "maxLength": 512, "pattern": r"^[^\u0000]*[^\s\u0000][^\u0000]*$"}
_OF_PLACE: Mapping[str, Schema] = {
    "chat_type": {"type": "string", "enum": ["private", "group"]},
    "participants": {"type": "array", "items": _ID},
}


@frozen
class Problem:
    """What is wrong, with a stable code and what to do."""

    type: str
    title: str
    status: int
    detail: str
    code: str


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


def of_kind(parameter: Parameter, refer: Refer) -> Schema:
    """What a value of a parameter looks like."""
    if parameter.name in shapes.SENT:
        return shapes.TYPED.schema(shapes.SENT[parameter.name], refer)
    schema = dict(KINDS[parameter.kind][1])
    if schema.get("type") == "array":
        return schema | {"maxItems": ITEMS_MAX, "items": schema["items"] | _limits(parameter, "string")}
    return schema | _limits(parameter, schema.get("type"))


def _limits(parameter: Parameter, kind: str | None) -> Schema:
    if kind == "string" and parameter.choices:
        return {"enum": list(parameter.choices)}
    said: Schema = {"maxLength": parameter.length_max, "pattern": parameter.pattern} if kind == "string" else {}
    if kind in ("integer", "number"):
        said = {"minimum": parameter.least, "exclusiveMinimum": parameter.above, "maximum": parameter.most}
    return {name: most for name, most in said.items() if most is not None}


def of_parameter(parameter: Parameter, refer: Refer) -> Schema:
    """What may be given for a parameter. Null is the same as leaving it out, where that is allowed."""
    schema = of_kind(parameter, refer)
    if not parameter.is_required:
        schema = {"anyOf": [*schema.get("anyOf", [schema]), {"type": "null"}]}
        if parameter.default is not None:
            schema["default"] = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
    return schema | {"description": parameter.doc}


def of_parameters(parameters: Iterable[Parameter], refer: Refer) -> Schema:
    """An object with these parameters and no others."""
    given = tuple(parameters)
    return {
        "type": "object",
        "properties": {one.name: of_parameter(one, refer) for one in given},
        "required": [one.name for one in given if one.is_required],
        "additionalProperties": False,
    }


def of_tool(operation: Operation, *, is_operator: bool) -> tuple[Schema, Schema]:
    """What a tool takes, and what its structured content is: an object, with what is none under `result`."""
    taken: dict[str, Schema] = {}
    offered = (one for one in operation.parameters if is_operator or not one.is_admin)
    sent = of_parameters(offered, shapes.TYPED.collected(taken, "#/$defs/"))
    given: dict[str, Schema] = {}
    refer = shapes.TYPED.collected(given, "#/$defs/")
    answer = shapes.TYPED.schema(shapes.ANSWERS[operation.name], refer)
    wrapped = {"type": "object", "required": ["result"], "additionalProperties": False}
    parts = [
        one if "$ref" in one else wrapped | {"properties": {"result": one}} for one in answer.get("anyOf", [answer])
    ]
    schema = parts[0] if len(parts) == 1 else {"anyOf": parts}
    sent |= {"$defs": taken} if taken else {}
    return sent, {"type": "object"} | schema | ({"$defs": given} if given else {})


def viewpoint() -> Schema:
    """Who speaks or asks, and where."""
    named = {name: _OF_PLACE.get(name, _ID) for name in PLACE_NAMES}
    return {
        "type": "object",
        "properties": {name: {"anyOf": [schema, {"type": "null"}]} for name, schema in named.items()},
        "additionalProperties": False,
        "description": "Who speaks or asks, and where. A key or token may settle some of it.",
    }


def of_operation(operation: Operation, method: str, path: str, refer: Refer) -> Schema:
    """An operation as OpenAPI says it."""
    named = {one.name: one for one in operation.parameters}
    fixed = [{**_parameter(named[name], "path", refer), "required": True} for name in in_path(path)]
    free = [one for name, one in named.items() if name not in in_path(path)]
    described: Schema = {
        "operationId": operation.name,
        "summary": operation.doc,
        "tags": [path.split("/")[2 if path.startswith("/v1/") else 1]],
        "responses": _responses(operation, refer),
    }
    if method in ("GET", "DELETE"):
        asked = [_parameter(one, "query", refer) for one in free]
        taken = {one.name for one in operation.parameters}
        asked += [
            {"name": name, "in": "query", "required": False, "schema": _OF_PLACE.get(name, _ID)}
            for name in PLACE_NAMES
            if name not in taken
        ]
        described["parameters"] = [*fixed, *asked]
    else:
        body = of_parameters(free, refer)
        body["properties"] = body["properties"] | {"viewpoint": _VIEWPOINT}
        described["parameters"] = fixed
        content: Schema = {"schema": body}
        if body["required"] and set(body["required"]) <= set(EXAMPLES):
            content["example"] = {name: EXAMPLES[name] for name in body["required"]} | {"viewpoint": {"user": "alice"}}
        described["requestBody"] = {"content": {"application/json": content}, "required": bool(body["required"])}
    described["parameters"] += _headers(operation)
    return described


def _parameter(parameter: Parameter, place: str, refer: Refer) -> Schema:
    schema = of_kind(parameter, refer)
    if place == "path":
        schema = schema | {"minLength": 1}
    doc = parameter.doc + (" As JSON." if parameter.kind == "object" else "")
    doc += " Percent-encoded; a slash is %2F." if place == "path" else ""
    said = {"content": {"application/json": {"schema": schema}}} if parameter.kind == "object" else {"schema": schema}
    return {"name": parameter.name, "in": place, "required": parameter.is_required, "description": doc} | said


def _headers(operation: Operation) -> list[Schema]:
    text = {"type": "string"}
    key = text | {"maxLength": KEY_LENGTH_MAX, "pattern": "^[!-~]([ -~]*[!-~])?$"}
    found = []
    if operation.is_write:
        doc = "A name of your own for this write: sent again, it gives the same answer and changes nothing."
        found.append({"name": "Idempotency-Key", "in": "header", "required": False, "schema": key, "description": doc})
    if operation.if_match is not None:
        doc = "The ETag that was read: refused when the thing has changed since."
        found.append({"name": "If-Match", "in": "header", "required": False, "schema": text, "description": doc})
    return found


def _responses(operation: Operation, refer: Refer) -> Schema:
    problem = {
        "description": "What is wrong, with a stable code and what to do.",
        "content": {"application/problem+json": {"schema": refer(Problem)}},
    }
    headers = {"Link": "The next page.", "Next-Cursor": "The cursor of the next page."} if operation.cursor else {}
    headers |= {"ETag": "The version."} if operation.etag else {}
    answer = shapes.TYPED.schema(shapes.ANSWERS[operation.name], refer)
    done: Schema = {"description": operation.doc, "content": {"application/json": {"schema": answer}}}
    if headers:
        done["headers"] = {name: {"schema": {"type": "string"}, "description": doc} for name, doc in headers.items()}
    return {"200": done, "4XX": problem, "503": problem}


def openapi(operations: Iterable[Operation]) -> Schema:
    """The whole surface."""
    paths: dict[str, Schema] = {}
    components: dict[str, Schema] = {"Viewpoint": viewpoint()}
    refer = shapes.TYPED.collected(components, "#/components/schemas/")
    for operation in operations:
        for number, (method, path) in enumerate((operation.http, *operation.also)):
            described = of_operation(operation, method, path, refer)
            if number:
                described["operationId"] = f"{operation.name}_{number}"
            paths.setdefault(path, {})[method.lower()] = described
    _link(paths)
    return {
        "openapi": "3.1.0",
        "info": {"title": "wellkept", "version": wellkept.__version__, "description": wellkept.__doc__},
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
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
