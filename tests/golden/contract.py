"""Event types, required keys and codes as the specification has them, read from its text; nothing of the product."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

TEXT = (Path(__file__).parent / "contract.md").read_text(encoding="utf-8")
Code = tuple[str, ...]

_ROW = re.compile(r"^\| `(?P<type>memory_\w+)` \| (?P<keys>.+) \|$", re.MULTILINE)
_QUOTED = re.compile(r"`([^`]+)`")
_ITEM = re.compile(r"`(\w+)`: (`[^`]+`)")
_SPACES = r"(?:session|user|project|system)"


def section(title: str) -> str:
    """The text below one heading, on one line."""
    return " ".join(TEXT.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0].split())


def names(quoted: str) -> list[str]:
    """The names of `a, b` or a, b."""
    return [name.strip() for name in quoted.strip("`").split(",")]


def required() -> dict[str, frozenset[str]]:
    """Event type → the keys that it always has."""
    found = {}
    for row in _ROW.finditer(TEXT):
        keys = re.sub(r"`\w+` \(opt\.\)|\(\+ `\w+`\)|= `\w+`", "", row["keys"])
        found[row["type"]] = frozenset(name for quoted in _QUOTED.findall(keys) for name in names(quoted))
    return found


@cache
def codes() -> frozenset[Code]:
    """Every code of the specification, with the type of the event that carries it."""
    rows = {row["type"]: row["keys"] for row in _ROW.finditer(TEXT)}
    gate = [
        code
        for code in _QUOTED.findall(section("The write gate"))
        if re.fullmatch(r"(?:privacy|write|policy)_\w+", code)
    ]
    borders = section("Borders")
    actions = re.search(r"`action` ([\w |]+)", borders)[1].split("|")  # type: ignore[index]  # a contract without it fails here
    reasons = names(re.search(r"`reason` \((`[^`]+`)\)", borders)[1])  # type: ignore[index]  # a contract without it fails here
    told = section("Promotion")
    refusals = names(re.search(r"in this order: (`[^`]+`)", told)[1])  # type: ignore[index]  # a contract without it fails here
    phases = _QUOTED.findall(section("Phases"))
    counted = re.findall(r"(\w+)_count\b", rows["memory_phase_diff"])
    listed = {
        (kind, code)
        for kind, keys in rows.items()
        for said in re.findall(r"`(?:\w+, )*(?:rule|reason)` (?:\(([\w, ]+)\)|= `(\w+)`)", keys)
        for code in names("".join(said))
    }
    return frozenset(
        {
            *listed,
            *(("memory_denied", code) for code in gate),
            *(("memory_border_check", "action", action.strip()) for action in actions),
            *(("memory_border_check", "reason", reason) for reason in reasons),
            *(("memory_promoted", *way) for way in _ways(told)),
            *(("memory_promotion_denied", code) for code in refusals),
            *(("memory_phase_started", code) for code in phases),
            *(("memory_phase_diff", change) for change in counted),
            ("memory_recall", "current phase"),
            ("memory_recall", "cross-phase"),
            *(("item", field, code) for field, known in _item_fields().items() for code in known.values()),
        }
    )


def _ways(told: str) -> set[Code]:
    """(from, to, authority) of every promotion."""
    found = set()
    for way in re.finditer(rf"({_SPACES})→({_SPACES}) (.*?)(?=;|\.)", told):
        found |= {(way[1], way[2], authority) for authority in re.findall(r"\w+_(?:asserted|verified)", way[3])}
    return found


def codes_of(event: Mapping[str, Any]) -> set[Code]:
    """The codes that an event and its items carry."""
    items = [*event.get("recalled", ()), *event.get("written", ()), *filter(None, [event.get("attempted")])]
    return {*_own_codes(event), *(code for item in items for code in _item_codes(item["meta"]))}


@cache
def _item_fields() -> dict[str, dict[str, str]]:
    """Field of an item → what its codes begin with, up to a `<`, → the code."""
    fields: dict[str, dict[str, str]] = {}
    for field, listed in _ITEM.findall(section("Items")):
        fields[field] = {code.split("<", 1)[0]: code for code in names(listed)}
    return fields


def _item_codes(meta: Mapping[str, Any]) -> set[Code]:
    """What stands behind the last colon may be any of its kind: `event:fact` is an `event:<type>`."""
    found = set()
    for field, known in _item_fields().items():
        for said in [meta[field]] if isinstance(meta.get(field), str) else meta.get(field, ()):
            code = known.get(said) or known.get(said[: said.rfind(":") + 1])
            found |= {("item", field, code)} if code else set()
    return found


def _own_codes(event: Mapping[str, Any]) -> set[Code]:
    kind = event.get("type", "")
    match kind:
        case "memory_border_check":
            return {(kind, "action", event["action"]), (kind, "reason", event["reason"])}
        case "memory_promoted":
            return {(kind, event["from_space"], event["to_space"], event["authority_used"])}
        case "memory_conflict":
            return {(kind, event["rule"])}
        case "memory_phase_diff":
            return {(kind, change["change"]) for change in event["top_changes"]}
        case "memory_recall":
            phases = {one["meta"]["phase_id"] for one in event["recalled"] if "phase_id" in one["meta"]}
            return {(kind, "cross-phase" if len(phases) > 1 else "current phase")} if phases else set()
        case "":
            return set()
    return {(kind, event["reason"])}


def missing(events: Iterable[Mapping[str, Any]]) -> set[Code]:
    """The codes of the specification that none of these events carries."""
    return set(codes()).difference(*(codes_of(event) for event in events))
