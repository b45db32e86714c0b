"""Codes of the ledger, the rules of visibility and the traces, in words for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from wellkept.flows.answers import sentence

STRONG, FAIR = 0.6, 0.35
"""From which score on a find is called so; below it is weak."""
NODES: Mapping[str, str] = {
    "hotpath": "while talking",
    "context": "in a context",
    "episodic": "in episodes",
    "worker": "in upkeep",
    "admin": "by hand",
}
OPS: Mapping[str, str] = {
    "classify": "classified",
    "create": "learned",
    "update": "changed",
    "merge": "merged",
    "delete": "taken out",
    "link": "linked",
    "ttl": "expired",
    "restore": "restored",
    "promote": "promoted",
    "consent": "consent",
    "admin": "administration",
}
_EVENTS: Mapping[tuple[str, str], str] = {
    ("update", "superseded"): "replaced by a newer one",
    ("restore", "restored"): "brought back",
    ("update", "person_related"): "relation noted",
    ("update", "person_unrelated"): "relation removed",
    ("update", "privacy_changed"): "privacy changed",
    ("admin", "revealed"): "read by an operator",
    ("update", "edited"): "edited",
    ("update", "pinned"): "pinned",
    ("update", "unpinned"): "unpinned",
    ("delete", "forgotten"): "forgotten",
    ("delete", "user_deleted"): "deleted",
    ("admin", "phase_started"): "a phase began",
    ("admin", "job_done"): "upkeep done",
    ("admin", "extracted"): "read for facts",
    ("admin", "no_model"): "upkeep without a model",
    ("delete", "expired"): "expired",
    ("create", "same_fact"): "known already",
    ("merge", "same_fact"): "told again",
    ("create", "is_todo"): "kept as a todo",
    ("consent", "proposed"): "asked",
    ("merge", "person_split"): "people split",
    ("merge", "person_kept_apart"): "people kept apart",
    ("merge", "person_merged"): "people made one",
}
STATES: Mapping[str, str] = {
    "active": "live",
    "superseded": "replaced",
    "archived": "forgotten or expired",
    "soft_deleted": "faded, soon removed",
}
RULES: Mapping[str, str] = {
    "other_tenant": "belongs to another installation",
    "not_live": "no longer holds, or has expired",
    "kind": "not of a kind that is recalled here",
    "category": "outside what this agent may read",
    "persona": "told to another persona alone",
    "confidential": "stays in the chat where it was told",
    "first_person_override": "the person concerned said otherwise",
    "subject_absent": "the person it is about is not here",
    "sensitive_told_in_private": "sensitive, and told in private",
    "sensitive": "sensitive, and somebody else is listening",
    "personal": "personal, and neither its owner nor its subject asks",
    "third_party": "about somebody who is not here, told elsewhere",
    "other_scope": "belongs to somebody else, another chat or session",
    "not_portable": "the business of another chat",
    "not_yet_said": "had not been said by then",
    "not_heard_by_all": "somebody here did not hear it",
    "other_chat": "said in another chat",
    "other_user": "said by somebody else in private",
    "public": "public",
    "subject_present": "the person it is about is here",
    "no_subject": "about nobody in particular",
    "about_asker": "about the one who asks",
    "no_place_known": "nobody knows where it was told",
    "said_here": "said in this chat",
    "known_to_partner": "known to everybody here",
    "to_subject_or_owner": "its owner or its subject asks",
    "private_with_subject": "alone with the person it is about",
}
DOUBTS: Mapping[str, str] = {
    "new_name": "the names are alike",
    "name_learned": "they are of the same name",
    "display_name": "a user came who is called so",
}
_WHY: Mapping[str, str] = {
    "about": "about {}",
    "fills_slot": "the very thing asked for",
    "matches_query": "matches the question",
    "related": "related to another find",
    "importance": "important",
}
_TRACES: Mapping[str, tuple[str, str]] = {
    "memory_recall": ("recalled", "link"),
    "memory_write": ("written", "create"),
    "memory_denied": ("denied", "denied"),
    "memory_conflict": ("conflict settled", "update"),
    "memory_forget": ("forgotten", "delete"),
    "memory_border_check": ("border checked", "admin"),
    "memory_promoted": ("promoted", "promote"),
    "memory_promotion_denied": ("promotion denied", "denied"),
    "memory_phase_started": ("phase began", "consent"),
    "memory_deleted": ("removed", "delete"),
    "memory_phase_diff": ("phases compared", "consent"),
}
_TOLD = ("reason", "rule", "action", "from_space", "to_space", "phase_id", "phase_name", "dedup_key", "query")
CHECKS: Mapping[str, str] = {
    "embed-missing": "live memories without a vector: found by words only",
    "normalize": "texts with control characters or loose spaces",
    "provenance": "extracted memories that do not say from which words",
    "self-facts": "what somebody said of themself and is not about them",
    "subjects": "memories about people who are not there",
    "attribution": "memories said by people who are not there",
    "names": "people whose names are no names",
    "reclassify": "memories of another type than the judge reads in them",
    "quality": "small talk, placeholders and scraps",
    "duplicates": "texts that are kept twice in one place",
    "contradictions": "slots with one value that have several",
    "entities": "entity refs that are not well formed",
    "index": "memories that the word index does not have right",
    "ledger": "chains of the ledger that are broken",
    "integrity": "rows without their memory",
}


def event(one: Mapping[str, Any]) -> dict[str, Any]:
    """An event of the ledger as a page shows it: what happened, and what there is to add."""
    op, reason, status = one["op"], one["reason"] or "", one["status"]
    head, _, rest = reason.partition(":")
    look = op
    if head == "border":
        words, detail, look = "border checked", rest, "admin"
    elif op == "consent" and head in ("approved", "rejected", "expired"):
        words, detail = f"consent {head}", rest
    elif head == "superseded_old":
        words, detail = "learned", f"in place of an older one ({rest})" if rest else "in place of an older one"
    elif (op, reason) in _EVENTS:
        words, detail = _EVENTS[op, reason], ""
    elif op == "admin" and reason:
        words, detail = reason.replace("_", " "), ""
    else:
        words, detail = OPS.get(op, op), reason.replace("_", " ")
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


_OUTCOMES: Mapping[str, tuple[str, str]] = {
    "created": ("kept", "create"),
    "updated": ("kept, better worded", "update"),
    "merged": ("kept with what was known", "merge"),
    "superseded_old": ("kept", "create"),
    "duplicate": ("known already", "admin"),
    "queued_for_consent": ("waits for a yes", "consent"),
}


def outcome(one: Mapping[str, Any]) -> dict[str, str]:
    """What became of a fact, in words."""
    reason = one["reason"] or ""
    if one["outcome"] == "denied" and reason == "is_todo":
        return {"said": "kept as a todo", "look": "create", "detail": "It is a todo, not a memory."}
    if one["outcome"] == "denied":
        return {"said": "not kept", "look": "denied", "detail": sentence(reason)}
    said, look = _OUTCOMES.get(one["outcome"], (one["outcome"].replace("_", " "), "admin"))
    return {"said": said, "look": look, "detail": reason.replace("_", " ")}


_LIFE: Mapping[str, str] = {
    "ADD": "said",
    "MERGE": "said again",
    "UPDATE": "changed",
    "DELETE": "forgotten",
    "RESTORE": "brought back",
    "TTL": "expired",
    "DENIED": "refused",
}


def life(events: Sequence[Mapping[str, Any]], record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The life of a memory as steps, oldest first, from when it was said to how it is now."""
    steps: list[dict[str, Any]] = []
    for one in reversed(events):
        reason = str(one["meta"].get("reason") or "")
        known = _EVENTS.get(("update", reason)) or _EVENTS.get(("admin", reason))
        said = known or _LIFE.get(one["event"], one["event"].casefold())
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
    if name in _WHY:
        return _WHY[name].format(rest).strip()
    return f"{name.replace('_', ' ')} {rest}".strip()


def strength(score: float) -> str:
    """What a score means."""
    return "strong" if score >= STRONG else "fair" if score >= FAIR else "weak"


def rule(code: str) -> str:
    """A rule of visibility in words."""
    return RULES.get(code, code.replace("_", " "))


def trace(told: Mapping[str, Any]) -> dict[str, str]:
    """An event of a governed session in a line."""
    kind = str(told.get("type", ""))
    words, op = _TRACES.get(kind, (kind, "admin"))
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
