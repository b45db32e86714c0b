"""Filters as callers write them: names to values, every key known, every value checked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from wellkept.errors import InvalidInput
from wellkept.store.contract import Filter
from wellkept.vocabulary import MemoryType, Sensitivity
from wellkept.when import moment

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXTS = ("user_id", "agent_id", "run_id", "actor_id", "entity", "learned_in")
_ROLES = ("user", "assistant", "tool", "system")
_SENSITIVITIES = tuple(item.value for item in Sensitivity)
_NUMBERS = ("importance_min", "importance_max")
_TIMES = ("updated_after", "updated_before")
KEYS = (*_TEXTS, "role", "pinned", *_NUMBERS, *_TIMES, "category", "type", "sensitivity")


def parse(filters: Mapping[str, Any] | None) -> Filter:
    """A filter; null values mean none. An unknown key or a value of the wrong type is an error that names it."""
    chosen: dict[str, Any] = {}
    for key, value in (filters or {}).items():
        if key not in KEYS:
            raise InvalidInput(f"Unknown filter {key!r}. Known: {', '.join(sorted(KEYS))}.", code="invalid_filter")
        if value is not None:
            chosen |= _one(key, value)
    return Filter(**chosen)


def is_storable(text: str) -> bool:
    """Whether a database can hold it: no NUL, and no half of a surrogate pair."""
    return "\x00" not in text and (text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text))


def _one(key: str, value: object) -> dict[str, object]:
    if key in _TEXTS and isinstance(value, str) and is_storable(value):
        return {key: value}
    if key == "pinned" and isinstance(value, bool):
        return {key: value}
    if (key == "role" and value in _ROLES) or (key == "sensitivity" and value in _SENSITIVITIES):
        return {key: value}
    if key in _NUMBERS and _is_number(value):
        return {key: float(value)}  # type: ignore[arg-type]  # a number, as just checked
    if key in _TIMES and (isinstance(value, str) or hasattr(value, "tzinfo")):
        return {key: moment(value, name=key)}  # type: ignore[arg-type]  # text or datetime, as just checked
    if key in ("category", "type"):
        return _names(key, value)
    raise InvalidInput(f"Filter {key!r} does not take {value!r:.200}.", code="invalid_filter")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _names(key: str, value: object) -> dict[str, object]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) and is_storable(name) for name in names):
        raise InvalidInput(f"Filter {key!r} takes a name or a list of names.", code="invalid_filter")
    if key == "category":
        return {"categories": frozenset(names)}
    return {"types": frozenset(memory_type(name) for name in names)}


def memory_type(name: str) -> MemoryType:
    """A type by its name; `procedure` means `procedural`. Another name is an error that lists the valid ones."""
    wanted = "procedural" if name == "procedure" else name
    try:
        return MemoryType(wanted)
    except ValueError:
        valid = ", ".join(item.value for item in MemoryType)
        raise InvalidInput(f"Unknown type {name!r}. Valid: {valid}.", code="invalid_type") from None
