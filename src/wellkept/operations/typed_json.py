"""Types as JSON: the JSON Schema of a type, and JSON read back into it."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Literal, Union

from wellkept.values import frozen

JSON = Any
Schema = dict[str, Any]

_PLAIN: Mapping[Any, Schema] = {
    Any: {},
    object: {},
    None: {"type": "null"},
    type(None): {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    datetime: {"type": "string", "format": "date-time"},
    date: {"type": "string", "format": "date"},
}
_ROWS = (tuple, list, Sequence, frozenset)
_NAMES = {"Mapping": Mapping, "Sequence": Sequence, "Any": Any, "datetime": datetime, "date": date}
"""Names of the standard library that a module may import for the type checker alone."""


@frozen
class Limits:
    """What a type of Python cannot say of its values."""

    length_max: int | None = None
    items_max: int | None = None
    above: float | None = None
    most: float | None = None

    def schema(self) -> Schema:
        """The same as JSON Schema."""
        said = {
            "maxLength": self.length_max,
            "maxItems": self.items_max,
            "exclusiveMinimum": self.above,
            "maximum": self.most,
        }
        return {name: value for name, value in said.items() if value is not None}


@frozen
class Form:
    """How the JSON of a dataclass differs from its fields."""

    left_out: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Fields that JSON does not have, with what reading gives them."""
    absent: frozenset[str] = frozenset()
    """Names that JSON has only where there is something to say."""
    nulls_absent: bool = False
    """Whether a field that is None may be missing."""
    also: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Names that JSON has besides, with their types: what a property of the class works out."""
    names: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Fields that JSON calls by another name."""
    doc: str | None = None
    """What its JSON is, where that is not what the class says of itself."""


@frozen
class TypedJson:
    """Types as JSON, with the forms of those dataclasses that are not written field by field."""

    forms: Mapping[type, Form] = dataclasses.field(default_factory=dict)
    titles: Mapping[type, str] = dataclasses.field(default_factory=dict)
    """Names of classes whose own name is taken by another one."""
    names: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Names in the types of fields that their modules import for the type checker alone."""

    def title(self, kind: type) -> str:
        """The name of a dataclass among the schemas."""
        return self.titles.get(kind, kind.__name__)

    def schema(self, kind: Any, refer: Callable[[type], Schema]) -> Schema:  # noqa: ANN401 -- any type
        """The JSON Schema of a type; `refer` says how a dataclass is named there.

        `Annotated[str, Limits(length_max=512)]` adds what a type of Python cannot say.
        """
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        if isinstance(kind, type) and dataclasses.is_dataclass(kind):
            return refer(kind)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return {"type": "string", "enum": [one.value for one in kind]}
        origin, inner = typing.get_origin(kind), typing.get_args(kind)
        if origin is Annotated:
            limits: Limits = inner[1]
            return self.schema(inner[0], refer) | limits.schema()
        if origin is Literal:
            return {"type": "string", "enum": list(inner)}
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.schema(one, refer) for one in inner]}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.schema(inner[1], refer)}
        if origin in _ROWS:
            return self._row(inner, refer)
        raise TypeError(f"{kind!r} has no JSON Schema here")

    def _row(self, inner: tuple[Any, ...], refer: Callable[[type], Schema]) -> Schema:
        if len(inner) == 1 or inner[1:] == (...,):
            return {"type": "array", "items": self.schema(inner[0], refer)}
        parts = [self.schema(one, refer) for one in inner]
        return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}

    def described(self, kind: type, refer: Callable[[type], Schema]) -> Schema:
        """The JSON Schema of a dataclass: its names and no others."""
        form, hints = self._form(kind), self._hints(kind)
        shown = {name: hint for name, hint in hints.items() if name not in form.left_out}
        absent = form.absent | {name for name, hint in shown.items() if form.nulls_absent and _takes_none(hint)}
        named = {form.names.get(name, name): self.schema(hint, refer) for name, hint in shown.items()}
        named |= {name: self.schema(hint, refer) for name, hint in form.also.items()}
        return {
            "type": "object",
            "description": inspect.cleandoc(form.doc or kind.__doc__ or "").split("\n\n")[0].replace("\n", " "),
            "properties": named,
            "required": [name for name in named if name not in absent],
            "additionalProperties": False,
        }

    def whole(self, kind: Any) -> Schema:  # noqa: ANN401 -- any type
        """The JSON Schema of a type in one piece, with its dataclasses under `$defs`."""
        found: dict[str, Schema] = {}
        schema = self.schema(kind, self.collected(found, "#/$defs/"))
        return schema | ({"$defs": found} if found else {})

    def collected(self, found: dict[str, Schema], prefix: str) -> Callable[[type], Schema]:
        """A way to refer to dataclasses that collects their schemas, each once."""

        def refer(kind: type) -> Schema:
            title = self.title(kind)
            if title not in found:
                found[title] = {}  # a class may hold itself
                found[title] = self.described(kind, refer)
            return {"$ref": f"{prefix}{title}"}

        return refer

    def read(self, kind: Any, value: JSON) -> Any:  # noqa: ANN401 -- of the type that is asked for
        """JSON as a value of the type. Names that the type does not know are passed over."""
        if kind in (datetime, date):
            return kind.fromisoformat(value)
        if kind in _PLAIN:
            return value
        if isinstance(kind, type) and dataclasses.is_dataclass(kind):
            return self._object(kind, value)
        if isinstance(kind, type):
            return kind(value)
        origin, inner = typing.get_origin(kind), typing.get_args(kind)
        if origin is Annotated:
            return self.read(inner[0], value)
        if origin in (Union, types.UnionType):
            return self.read(_fitting(inner, value), value)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {name: self.read(inner[1], item) for name, item in value.items()}
        if origin in _ROWS:
            kinds = inner if len(inner) == len(value) and ... not in inner else inner[:1] * len(value)
            return tuple(self.read(one, item) for one, item in zip(kinds, value, strict=True))
        return value

    def _object(self, kind: type, value: JSON) -> Any:  # noqa: ANN401 -- of the type that is asked for
        form, hints = self._form(kind), self._hints(kind)
        named = {name: form.names.get(name, name) for name in hints if name not in form.left_out}
        given = {name: self.read(hints[name], value[said]) for name, said in named.items() if said in value}
        missing = {name: None for name in named if name not in given and _takes_none(hints[name])}
        return kind(**{**form.left_out, **missing, **given})

    def _form(self, kind: type) -> Form:
        return next((self.forms[base] for base in kind.__mro__ if base in self.forms), Form())

    def _hints(self, kind: type) -> dict[str, Any]:
        """The types of the fields of a dataclass, in their order."""
        hints = typing.get_type_hints(kind, localns={**_NAMES, **self.names}, include_extras=True)
        return {one.name: hints[one.name] for one in dataclasses.fields(kind)}


def _takes_none(hint: Any) -> bool:  # noqa: ANN401 -- any type
    return typing.get_origin(hint) in (Union, types.UnionType) and type(None) in typing.get_args(hint)


def _fitting(kinds: tuple[Any, ...], value: JSON) -> Any:  # noqa: ANN401 -- any type
    """Which of the types of a union a value has: nothing, a list, an object or plain."""

    def fits(kind: Any) -> bool:  # noqa: ANN401 -- any type
        origin = typing.get_origin(kind)
        if value is None:
            return kind is type(None)
        if isinstance(value, list):
            return origin in _ROWS
        if isinstance(value, dict):
            return dataclasses.is_dataclass(kind) or (isinstance(origin, type) and issubclass(origin, Mapping))
        return kind is not type(None) and origin not in _ROWS and not dataclasses.is_dataclass(kind)

    return next((kind for kind in kinds if fits(kind)), Any)
