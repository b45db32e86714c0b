"""Types as JSON Schema, and JSON read into types."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest

from wellkept.operations.typed_json import Form, Limits, TypedJson
from wellkept.values import frozen


class Color(StrEnum):
    TEAL = "teal"
    RED = "red"


@frozen
class Leaf:
    """A leaf.

    Never told.
    """

    color: Color
    seen: datetime | None = None


@frozen
class Branch:
    """A branch, which may hold others."""

    name: str
    leaves: tuple[Leaf, ...] = ()
    branches: tuple[Branch, ...] = ()
    secret: str = "hidden"


TYPED = TypedJson(
    forms={
        Branch: Form(left_out={"secret": "hidden"}, absent=frozenset({"branches"}), names={"name": "called"}),
        Leaf: Form(nulls_absent=True, also={"is_dry": bool}),
    },
    titles={Leaf: "Leaflet"},
)


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        (str, {"type": "string"}),
        (Any, {}),
        (date, {"type": "string", "format": "date"}),
        (Color, {"type": "string", "enum": ["teal", "red"]}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (tuple[str, ...], {"type": "array", "items": {"type": "string"}}),
        (
            tuple[str, int],
            {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "minItems": 2, "maxItems": 2},
        ),
        (Mapping[str, float], {"type": "object", "additionalProperties": {"type": "number"}}),
        (Annotated[str, Limits(length_max=3)], {"type": "string", "maxLength": 3}),
    ],
)
def test_a_plain_type(kind, schema):
    assert TYPED.whole(kind) == schema


def test_a_dataclass_is_named_once_and_may_hold_itself():
    assert TYPED.whole(tuple[Branch, ...]) == {
        "type": "array",
        "items": {"$ref": "#/$defs/Branch"},
        "$defs": {
            "Branch": {
                "type": "object",
                "description": "A branch, which may hold others.",
                "properties": {
                    "called": {"type": "string"},
                    "leaves": {"type": "array", "items": {"$ref": "#/$defs/Leaflet"}},
                    "branches": {"type": "array", "items": {"$ref": "#/$defs/Branch"}},
                },
                "required": ["called", "leaves"],
                "additionalProperties": False,
            },
            "Leaflet": {
                "type": "object",
                "description": "A leaf.",
                "properties": {
                    "color": {"type": "string", "enum": ["teal", "red"]},
                    "seen": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
                    "is_dry": {"type": "boolean"},
                },
                "required": ["color", "is_dry"],
                "additionalProperties": False,
            },
        },
    }


def test_a_type_that_json_does_not_have_is_an_error():
    with pytest.raises(TypeError, match="complex"):
        TYPED.whole(complex)


def test_json_is_read_into_the_type():
    leaf = {"color": "teal", "seen": "2026-03-02T09:00:00+00:00", "is_dry": False, "unknown": 1}
    read = TYPED.read(Branch, {"called": "oak", "leaves": [leaf, {"color": "red"}]})
    assert read == Branch(
        name="oak", leaves=(Leaf(color=Color.TEAL, seen=datetime(2026, 3, 2, 9, tzinfo=UTC)), Leaf(color=Color.RED))
    )
    assert TYPED.read(Branch | tuple[Branch, ...], [{"called": "elm", "leaves": []}]) == (Branch(name="elm"),)
    assert TYPED.read(Branch | None, None) is None
    assert TYPED.read(Mapping[str, str | tuple[str, ...]], {"a": "b", "c": ["d"]}) == {"a": "b", "c": ("d",)}
    assert TYPED.read(tuple[str, int], ["a", 1]) == ("a", 1)
    assert TYPED.read(Annotated[date, Limits()], "2026-03-02") == date(2026, 3, 2)
