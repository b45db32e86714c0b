"""What the codes of an answer mean in plain words, read from `words.toml`: for the command line and the Studio."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from wellkept.flows.answers import sentence

STRONG, FAIR = 0.6, 0.35
"""From which score on a hit is called so; below it is weak."""
_TOLD = ("reason", "rule", "action", "from_space", "to_space", "phase_id", "phase_name", "dedup_key", "query")


@cache
def tables() -> Mapping[str, Mapping[str, Any]]:
    """Words by the name of their table and by their codes."""
    return tomllib.loads((resources.files("wellkept.surfaces") / "words.toml").read_text(encoding="utf-8"))


def event(one: Mapping[str, Any]) -> dict[str, Any]:
    """An event of the ledger as a page shows it: what happened, and what there is to add."""
    op, reason, status = one["op"], one["reason"] or "", one["status"]
    head, _, rest = reason.partition(":")
    look = op
    if head == "border":
        words, detail, look = "policy checked", rest, "admin"
    elif op == "consent" and head in ("approved", "rejected", "expired"):
        words, detail = f"consent {head}", rest
    elif head == "superseded_old":
        words, detail = "learned", f"in place of an older one ({rest})" if rest else "in place of an older one"
    elif f"{op} {reason}" in tables()["events"]:
        words, detail = tables()["events"][f"{op} {reason}"], ""
    elif op == "admin" and reason:
        words, detail = reason.replace("_", " "), ""
    else:
        words, detail = tables()["ops"].get(op, op), reason.replace("_", " ")
    if status == "denied" and reason != "is_todo":
        words, detail, look = "not kept", sentence(reason), "denied"
    elif status in ("skipped", "error"):
        words = f"{words}, {'failed' if status == 'error' else 'skipped'}"
    return {**one, "words": words, "detail": detail, "look": look, "count": 1}


def kind(one: Mapping[str, Any]) -> str | None:
    """What an event counts as on the first page: learned, replaced or refused; anything else as nothing."""
    if one["status"] == "denied":
        return None if one["reason"] == "is_todo" else "refused"
    if one["status"] != "ok" or not one["memory_id"]:
        return None
    if one["reason"] == "superseded":
        return "replaced"
    return "learned" if one["op"] == "create" else None


def outcome(one: Mapping[str, Any]) -> dict[str, str]:
    """What became of a fact, in words."""
    reason = one["reason"] or ""
    if one["outcome"] == "denied" and reason == "is_todo":
        return {"said": "kept as a todo", "look": "create", "detail": "It is a todo, not a memory."}
    if one["outcome"] == "denied":
        return {"said": "not kept", "look": "denied", "detail": sentence(reason)}
    said, look = tables()["outcomes"].get(one["outcome"], (one["outcome"].replace("_", " "), "admin"))
    return {"said": said, "look": look, "detail": reason.replace("_", " ")}


def life(events: Sequence[Mapping[str, Any]], record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The life of a memory as steps, oldest first, from when it was said to how it is now."""
    steps: list[dict[str, Any]] = []
    for one in reversed(events):
        reason = str(one["meta"].get("reason") or "")
        known = tables()["events"].get(f"update {reason}") or tables()["events"].get(f"admin {reason}")
        said = known or tables()["life"].get(one["event"], one["event"].casefold())
        if steps and steps[-1]["said"] == said:
            steps[-1] |= {"at": one["ts"], "count": steps[-1]["count"] + 1}
        elif one["event"] != "LINK":
            steps.append({"said": said, "look": one["event"].casefold(), "at": one["ts"], "count": 1})
    now = {"active": "known now", "superseded": "no longer told"}.get(record["state"], "out of recall")
    return [*steps, {"said": now, "look": record["state"], "at": None, "count": 1}]


def folded(events: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Events in words; the same thing several times in a row, about no memory, is one line."""
    found: list[dict[str, Any]] = []
    names = ("op", "status", "reason", "user_id", "space", "owner", "node")
    for one in events:
        last = found[-1] if found else None
        if last and not one["memory_id"] and not last["memory_id"] and all(one[name] == last[name] for name in names):
            last["count"] += 1
            continue
        found.append(event(one))
    return found


def why(code: str) -> str:
    """A reason of a recall in words."""
    name, _, rest = code.partition(":")
    known = tables()["why"].get(name)
    return (f"{name.replace('_', ' ')} {rest}" if known is None else known.format(rest)).strip()


def strength(score: float) -> str:
    """What a score means."""
    return "strong" if score >= STRONG else "fair" if score >= FAIR else "weak"


def rule(code: str) -> str:
    """A rule of visibility in words."""
    return str(tables()["rules"].get(code, code.replace("_", " ")))


def trace(told: Mapping[str, Any]) -> dict[str, str]:
    """An event of a governed session in a line."""
    kind = str(told.get("type", ""))
    words, op = tables()["traces"].get(kind, (kind, "admin"))
    items = [item["text"] for name in ("written", "recalled") for item in _items(told.get(name))]
    parts = [f"{name.replace('_', ' ')}: {told[name]}" for name in _TOLD if told.get(name)]
    return {"type": kind, "words": words, "op": op, "detail": "; ".join(items) or ", ".join(parts)}


def texts(events: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Id → text of the items that the events of a session show."""
    names = ("written", "recalled")
    return {item["id"]: str(item["text"]) for one in events for name in names for item in _items(one.get(name))}


def _items(value: object) -> Iterator[Mapping[str, Any]]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict) and {"id", "text"} <= item.keys():
            yield item
