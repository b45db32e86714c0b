"""The description of the API: every operation at its path, with the bounds that its parameters declare."""

from __future__ import annotations

import json
import re

import pytest
from jsonschema import Draft202012Validator

from wellkept.operations import BY_NAME, OPERATIONS
from wellkept.policies.callers import PLACE_NAMES
from wellkept.surfaces.http import schemas

DESCRIBED = schemas.openapi(OPERATIONS)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.name)
def test_an_operation_is_described_with_all_its_parameters(operation):
    for method, path in (operation.http, *operation.also):
        one = DESCRIBED["paths"][path][method.lower()]
        assert one["summary"] == operation.doc
        named = {parameter["name"] for parameter in one["parameters"]}
        body = one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        assert {parameter.name for parameter in operation.parameters} <= named | body.get("properties", {}).keys()
        assert set(re.findall(r"\{(\w+)\}", path)) <= {
            parameter["name"] for parameter in one["parameters"] if parameter["in"] == "path" and parameter["required"]
        }
        assert (method in ("GET", "DELETE")) == ("requestBody" not in one)
        if method in ("GET", "DELETE"):
            assert set(PLACE_NAMES) <= named
        assert operation.is_write == ("Idempotency-Key" in named)


def test_every_reference_leads_somewhere_and_every_schema_is_one():
    text = json.dumps(DESCRIBED)
    known = DESCRIBED["components"]["schemas"]
    assert set(re.findall(r'"#/components/schemas/(\w+)"', text)) <= known.keys()
    for schema in known.values():
        Draft202012Validator.check_schema(schema)


def test_bounds_and_names_are_those_of_the_rows():
    asked = schemas.of_parameters(BY_NAME["recall"].parameters, lambda kind: {"$ref": kind.__name__})
    assert asked["required"] == ["query"]
    assert asked["properties"]["limit"]["anyOf"] == [
        {"type": "integer", "minimum": 1, "maximum": 1_000},
        {"type": "null"},
    ]
    assert asked["properties"]["limit"]["default"] == 10
    assert asked["additionalProperties"] is False


def test_what_only_operators_may_give_is_not_offered_to_others():
    for is_operator in (True, False):
        sent, _ = schemas.of_tool(BY_NAME["recall"], is_operator=is_operator)
        assert ("left_out" in sent["properties"]) == is_operator


def test_an_operation_that_made_a_memory_says_what_can_follow():
    links = DESCRIBED["paths"]["/v1/remember"]["post"]["responses"]["200"]["links"]
    assert links["show"]["parameters"]["memory_id"] == "$response.body#/id"
    assert {"forget", "pin", "history"} <= links.keys()
