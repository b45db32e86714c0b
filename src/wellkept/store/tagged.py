"""Values as JSON and back: what JSON has no word for gets a tag from a closed list. Nothing else is made of data."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from wellkept.errors import InvalidInput
from wellkept.store.encoding import from_json
from wellkept.values import frozen

TAG = "$type"
VALUE = "value"
DEPTH_MAX = 200


@frozen
class Kind:
    """One type that may be stored: how it becomes plain data, and how it is made of it again."""

    type: type
    plain: Callable[[Any], Any]
    made: Callable[[Any], Any]
    holds_subclasses: bool = False


def _text_plain(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")


def _text_made(text: str) -> str:
    return base64.b64decode(text, validate=True).decode("utf-8", "surrogatepass")


KINDS: Mapping[str, Kind] = {
    "datetime": Kind(type=datetime, plain=datetime.isoformat, made=datetime.fromisoformat),
    "date": Kind(type=date, plain=date.isoformat, made=date.fromisoformat),
    "time": Kind(type=time, plain=time.isoformat, made=time.fromisoformat),
    "timedelta": Kind(
        type=timedelta,
        plain=lambda value: [value.days, value.seconds, value.microseconds],
        made=lambda value: timedelta(days=value[0], seconds=value[1], microseconds=value[2]),
    ),
    "uuid": Kind(type=UUID, plain=str, made=UUID),
    "decimal": Kind(type=Decimal, plain=str, made=Decimal),
    "bytes": Kind(
        type=bytes,
        plain=lambda value: base64.b64encode(value).decode("ascii"),
        made=lambda value: base64.b64decode(value, validate=True),
    ),
    "tuple": Kind(type=tuple, plain=list, made=tuple),
    "set": Kind(type=set, plain=lambda value: sorted(value, key=repr), made=set),
    "frozenset": Kind(type=frozenset, plain=lambda value: sorted(value, key=repr), made=frozenset),
}
_NUMBER = re.compile(r"-?\d+\.\d+")


@frozen
class Codec:
    """JSON with tags from these kinds; a type or tag that is not among them is an error."""

    kinds: Mapping[str, Kind] = field(default_factory=lambda: KINDS)

    def dumps(self, value: object) -> str:
        """The value as JSON text."""
        return json.dumps(self._plain(value, 0), ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    def loads(self, text: str) -> Any:  # noqa: ANN401 -- whatever was stored
        """The value again."""
        return self._made(from_json(text))

    def _plain(self, value: Any, depth: int) -> Any:  # noqa: ANN401 -- walks any value
        if depth > DEPTH_MAX:
            raise InvalidInput(f"A value is nested deeper than {DEPTH_MAX}.", code="not_json")
        kind = type(value)
        if value is None or kind in (bool, int):
            return value
        if kind is str:
            is_odd = "\0" in value or any("\ud800" <= sign <= "\udfff" for sign in value)
            return {TAG: "text", VALUE: _text_plain(value)} if is_odd else value
        if kind is float:
            # A database that knows JSON writes numbers anew: 1e22 would come back as a whole number.
            said = repr(value)
            return value if _NUMBER.fullmatch(said) and said != "-0.0" else {TAG: "float", VALUE: said}
        if kind is list:
            return [self._plain(item, depth + 1) for item in value]
        if kind is dict:
            return self._plain_mapping(value, depth)
        for name, known in self.kinds.items():
            if kind is known.type or (known.holds_subclasses and isinstance(value, known.type)):
                return {TAG: name, VALUE: self._plain(known.plain(value), depth + 1)}
        raise InvalidInput(f"A value of type {kind.__name__} cannot be stored as JSON.", code="not_json")

    def _plain_mapping(self, value: dict[Any, Any], depth: int) -> Any:  # noqa: ANN401 -- whatever a graph holds
        if TAG not in value and all(type(key) is str and "\0" not in key for key in value):
            return {key: self._plain(item, depth + 1) for key, item in value.items()}
        pairs = [[self._plain(key, depth + 1), self._plain(item, depth + 1)] for key, item in value.items()]
        return {TAG: "dict", VALUE: pairs}

    def _made(self, value: Any) -> Any:  # noqa: ANN401 -- walks any value
        if isinstance(value, list):
            return [self._made(item) for item in value]
        if not isinstance(value, dict):
            return value
        if TAG not in value:
            return {key: self._made(item) for key, item in value.items()}
        name, stored = value[TAG], value.get(VALUE)
        if value.keys() != {TAG, VALUE} or not isinstance(name, str):
            raise InvalidInput("A tagged value is malformed.", code="unknown_tag")
        try:
            return self._tagged(name, stored)
        except (ValueError, TypeError, KeyError, ArithmeticError) as error:
            if isinstance(error, InvalidInput):
                raise
            raise InvalidInput(f"A value tagged {name!r} is malformed.", code="unknown_tag") from error

    def _tagged(self, name: str, stored: Any) -> Any:  # noqa: ANN401 -- whatever a graph holds
        if name == "text":
            return _text_made(stored)
        if name == "float":
            return float(str(stored))
        if name == "dict":
            return {self._made(key): self._made(item) for key, item in stored}
        if name not in self.kinds:
            raise InvalidInput(f"The tag {name!r} is not known; nothing was made of it.", code="unknown_tag")
        return self.kinds[name].made(self._made(stored))


PLAIN = Codec()
