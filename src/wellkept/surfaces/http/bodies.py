"""Reading JSON from strangers: strictly, within limits, with an error that says what is wrong."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from wellkept.errors import InvalidInput, TooLarge


def parsed(body: bytes, *, depth_max: int) -> Any:  # noqa: ANN401 -- JSON is what it gives
    """The value of a JSON text. Refuses what other readers would understand otherwise: repeated names, NaN."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidInput("The body is not valid UTF-8.", code="bad_json") from None
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)
    except RecursionError:
        raise TooLarge(f"JSON may be {depth_max} levels deep.", code="too_deep") from None
    except InvalidInput:
        raise
    except ValueError:
        raise InvalidInput("The body is not valid JSON.", code="bad_json") from None
    _check(value, depth_max)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise InvalidInput("A name stands twice in one object.", code="bad_json")
    return found


def _constant(_name: str) -> NoReturn:
    raise InvalidInput("NaN and Infinity are not JSON.", code="bad_json")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise InvalidInput("A number is too large.", code="bad_json")
    return value


def _check(value: object, depth_max: int) -> None:
    level = [value]
    for _ in range(depth_max + 1):
        following: list[object] = []
        for item in level:
            if isinstance(item, dict):
                following += [*item, *item.values()]
            elif isinstance(item, list):
                following += item
            elif isinstance(item, str) and not is_text(item):
                raise InvalidInput("A text has half of a surrogate pair in it.", code="invalid_text")
        if not following:
            return
        level = following
    raise TooLarge(f"JSON may be {depth_max} levels deep.", code="too_deep")


def is_text(value: str) -> bool:
    """Whether a text can be written as UTF-8."""
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
