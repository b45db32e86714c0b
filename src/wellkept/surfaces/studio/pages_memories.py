"""Pages about what is remembered: a list to filter and act on, a search, and one memory with its life."""

from __future__ import annotations

import difflib
import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from wellkept.errors import InvalidInput, WellkeptError
from wellkept.surfaces.http.wire import named
from wellkept.surfaces.studio import words
from wellkept.surfaces.studio.desk import HEADERS, fields_of, form_of, is_somebody, pairs_of, place_of, redirected
from wellkept.vocabulary import MemoryType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Desk

PAGE = 50


SORTS = (("", "newest first"), ("oldest", "oldest first"))
PRIVACY = (("", "any"), ("public", "public"), ("personal", "personal"), ("sensitive", "sensitive"))
TYPES = (("", "any"), *((item.value, item.value) for item in MemoryType))
STATES = (
    ("active", "live"),
    ("superseded", "replaced"),
    ("archived", "forgotten or expired"),
    ("soft_deleted", "faded"),
)
MANY_MAX = 200
"""Memories that one form may change."""


async def memories(desk: Desk, request: Request) -> Response:
    """A search as any viewpoint, with scores and reasons; without a question, what there is, filtered and sorted."""
    return await _listed(desk, request)


async def _listed(desk: Desk, request: Request, **more: object) -> Response:
    query = request.query_params
    text, as_of, before = (query.get(name, "").strip() for name in ("q", "as_of", "before"))
    found, rows = None, []
    if text:
        asked: dict[str, Any] = {"query": text, "limit": PAGE, "why": True, "sources": ["memories"]}
        found = await desk.run(request, "recall", asked | _narrowed(query) | ({"as_of": as_of} if as_of else {}))
    elif is_somebody(request):
        listed = {"limit": PAGE} | _narrowed(query) | _ordered(query) | ({"before": before} if before else {})
        rows = await desk.run(request, "list", listed | ({"as_of": as_of} if as_of else {}))
    chosen = {
        name: query.get(name, "") for name in ("type", "about", "in", "state", "privacy", "since", "until", "sort")
    }
    kept = {name: value for name, value in chosen.items() if value}
    known = {
        "q": text,
        "as_of": as_of,
        "found": found,
        "rows": rows,
        "more": rows[-1]["id"] if len(rows) == PAGE else None,
        "chosen": chosen,
        "chosen_query": urlencode([*pairs_of(place_of(query)), *kept.items()]),
        "is_narrowed": bool(kept or as_of),
        "sorts": SORTS,
        "privacies": PRIVACY,
        "types": TYPES,
        "states": STATES,
        "is_adding": bool(query.get("add")),
        "owners": await desk.owners(request),
    }
    return desk.page(request, "memories", **{**known, **more})


def _narrowed(query: Mapping[str, str]) -> dict[str, Any]:
    """What the filters of the page ask for."""
    named = {"type": "type", "learned_in": "in", "sensitivity": "privacy", "updated_after": "since"}
    filters: dict[str, Any] = {key: query[name].strip() for key, name in named.items() if query.get(name, "").strip()}
    if query.get("until", "").strip():
        filters["updated_before"] = f"{query['until'].strip()[:10]}T23:59:59"
    about = query.get("about", "").strip()
    return ({"filters": filters} if filters else {}) | ({"about": [about]} if about else {})


def _ordered(query: Mapping[str, str]) -> dict[str, Any]:
    state = query.get("state", "").strip()
    order = {"oldest_first": True} if query.get("sort") == "oldest" else {}
    return order | ({"state": state} if state and state != "active" else {})


async def add(desk: Desk, request: Request) -> Response:
    """Write a memory by hand: first what it would do, then it is done."""
    form = await form_of(request)
    text, place = form.get("text", "").strip(), place_of(form)
    if form.get("verb") == "save":
        done = await desk.run(request, "remember", {"facts": text}, **place)
        told = words.outcome(done)
        said = f"{told['said'].capitalize()}." if done["outcome"] != "denied" else f"Not kept: {told['detail']}"
        return redirected("/memories", place, said)
    found = await desk.run(request, "preview", {"text": text}, **place)
    preview = [{**one, "words": words.outcome(one)} for one in found]
    return await _listed(desk, request, is_adding=True, text=text, preview=preview)


async def many(desk: Desk, request: Request) -> Response:
    """Do one thing to several memories; each is an operation of its own, and what is refused stops no other."""
    fields = await fields_of(request)
    form, ids = dict(fields), [value for name, value in fields if name == "ids"][:MANY_MAX]
    verb, place = form.get("verb", ""), place_of(form)
    if verb == "export":
        return await _exported(desk, request, ids, place)
    operation, arguments = _VERBS.get(verb, ("", {}))
    if verb == "privacy":
        operation, arguments = "edit", {"sensitivity": form.get("sensitivity", "personal")}
    if not operation:
        raise InvalidInput("Choose what to do with the selected memories.", code="invalid_parameter")
    done, refused = 0, ""
    for one in ids:
        try:
            await desk.run(request, operation, {"memory_id": one, **arguments}, **place)
            done += 1
        except WellkeptError as error:
            refused = str(error)
    said = f"{done} of {len(ids)} {DONE_MANY.get(verb, 'changed')}." if ids else "Select some memories first."
    return redirected(form.get("back") or "/memories", place, f"{said} {refused}".strip())


_VERBS: dict[str, tuple[str, dict[str, Any]]] = {
    "forget": ("forget", {}),
    "restore": ("restore", {}),
    "pin": ("pin", {}),
    "unpin": ("unpin", {}),
}
DONE_MANY = {"forget": "forgotten", "restore": "brought back", "pin": "pinned", "unpin": "unpinned"}


async def _exported(desk: Desk, request: Request, ids: Sequence[str], place: Mapping[str, Any]) -> Response:
    """The selected memories as lines of JSON."""
    from starlette.responses import Response

    records = [await desk.run(request, "show", {"memory_id": one}, **place) for one in ids]
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records)
    named = {"Content-Disposition": 'attachment; filename="memories.jsonl"'}
    body = lines.encode("utf-8", "backslashreplace")
    return Response(body, media_type="application/x-ndjson", headers={**HEADERS, **named})


async def memory(desk: Desk, request: Request) -> Response:
    """One memory: its record, every text it had with what changed, and what can be done."""
    asked = {"memory_id": named(request, "memory_id")}
    return await _one(desk, request, asked)


async def rewrite(desk: Desk, request: Request) -> Response:
    """Another text: first what would change, then it is changed."""
    form = await form_of(request)
    asked, place = {"memory_id": named(request, "memory_id")}, place_of(form)
    if form.get("verb") == "preview":
        return await _one(desk, request, asked, draft=form.get("content", ""), place=place)
    await desk.run(request, "edit", asked | {"content": form.get("content", "")}, **place)
    return redirected(form.get("back", "/"), place, "Changed; the old text is kept.")


async def _one(
    desk: Desk, request: Request, asked: Mapping[str, Any], *, draft: str = "", place: Mapping[str, Any] | None = None
) -> Response:
    where = place if place is not None else place_of(request.query_params)
    told = await desk.run(request, "history", asked, **where)
    why = await desk.run(request, "why", asked, **where)
    record, versions = told["memory"], told["versions"]
    changes = [
        {"version": new["version"], "at": new["at"], "parts": difference(old["content"], new["content"])}
        for old, new in pairwise(versions)
    ]
    return desk.page(
        request,
        "memory",
        record=record,
        fields=[(name, value) for name, value in record.items() if value not in (None, [], {}, "")],
        reasons=_reasons(why),
        why=why,
        life=words.life(told["events"], record),
        draft=draft,
        draft_parts=difference(record["content"], draft) if draft else [],
        place=where,
        place_query=urlencode(pairs_of(where)),
        privacies=PRIVACY[1:],
        events=told["events"],
        changes=list(reversed(changes)),
        undo=versions[-2]["content"] if len(versions) > 1 else None,
    )


def _reasons(why: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Where a memory comes from and why it is shown, in words."""
    told = [
        ("Shown because", words.rule(why["rule"])),
        ("Said by", why.get("said_by")),
        ("About", ", ".join(why["about"])),
        ("Said at", str(why["said_at"])[:16].replace("T", " ")),
        ("In", why.get("learned_in")),
        ("Taken as", why["trust"]),
        ("Authority", f"{why['authority']}, {why['authority_reason']}".replace("_", " ").strip(", ")),
        ("Importance", f"{why['importance_effective']:.2f}"),
        ("Told", f"{why['mention_count']} time{'' if why['mention_count'] == 1 else 's'}"),
        ("Recalled", f"{why['access_count']} time{'' if why['access_count'] == 1 else 's'}"),
        ("Until", str(why.get("ends_at") or "")[:10]),
        ("Archived because", (why.get("archive_reason") or "").replace("_", " ")),
        ("In place of", ", ".join(why["supersedes"])),
        ("Replaced by", why.get("superseded_by")),
    ]
    return [(name, value) for name, value in told if value]


def difference(old: str, new: str) -> list[tuple[str, str]]:
    """Words that stayed, went and came: ("same" | "gone" | "new", text).

    >>> difference("lives in Lima", "lives in Rome")
    [('same', 'lives in '), ('gone', 'Lima'), ('new', 'Rome')]
    """
    before, after = (re.findall(r"\S+\s*", text) for text in (old, new))
    parts: list[tuple[str, str]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(("same", "".join(before[a:b])))
            continue
        parts += [("gone", "".join(before[a:b]))] if a < b else []
        parts += [("new", "".join(after[c:d]))] if c < d else []
    return parts
