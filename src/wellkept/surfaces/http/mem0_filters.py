"""mem0's filters: whose memories they name, and whether a memory passes them. Pure; an unknown part is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from wellkept.errors import InvalidInput

JSON = Any
ENTITIES = ("user_id", "agent_id", "app_id", "run_id")
"""In the order in which one of them is the owner."""
TIMES = ("created_at", "updated_at")
FIELDS = (*ENTITIES, *TIMES, "categories", "metadata", "memory_ids", "keywords")
COMBINED = ("AND", "OR", "NOT")
ANY = "*"
PLACES_MAX = 20
"""Owners that one filter may name."""


def check(filters: JSON) -> None:
    """Refuse what is not a filter, before anything is looked up."""
    if filters is None:
        return
    if not isinstance(filters, dict):
        raise _wrong("filters are an object of names and values, AND, OR or NOT.")
    for name, value in filters.items():
        if name in COMBINED:
            for part in _parts(name, value):
                check(part)
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
