"""Pages about what was decided and what is remembered."""

from __future__ import annotations

import difflib
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from wellkept.surfaces.http.paths import named
from wellkept.surfaces.studio import words
from wellkept.surfaces.studio.desk import is_somebody

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Desk

PAGE = 50
EVENTS = 100


async def timeline(desk: Desk, request: Request) -> Response:
    """What was decided and done, newest first; new events come in by themselves."""
    query = request.query_params
    asked: dict[str, Any] = {"limit": EVENTS}
    asked |= {name: query[name] for name in ("node", "op", "before") if query.get(name)}
    if request.state.grant.is_operator and not query.get("user", "").strip():
        asked["of"] = "*"
    events = await desk.run(request, "events", asked)
    return desk.page(
        request,
        "timeline",
        events=words.folded(events),
        stream={name: query[name] for name in ("node", "op", "user") if query.get(name)},
        more=events[-1]["id"] if len(events) == EVENTS else None,
        before=query.get("before", ""),
        node=query.get("node", ""),
        op=query.get("op", ""),
        nodes=(("", "anywhere"), *words.NODES.items()),
        ops=(("", "anything"), *words.OPS.items()),
        owners=await desk.owners(request),
    )


async def memories(desk: Desk, request: Request) -> Response:
    """A search as any viewpoint, with scores and reasons; without a question, what there is."""
    query = request.query_params
    text, as_of, before = (query.get(name, "").strip() for name in ("q", "as_of", "before"))
    owners = await desk.owners(request)
    if text:
        asked: dict[str, Any] = {"query": text, "limit": PAGE, "why": True}
        found = await desk.run(request, "recall", asked | ({"as_of": as_of} if as_of else {}))
        return desk.page(request, "memories", q=text, as_of=as_of, found=found, rows=None, more=None, owners=owners)
    listed = {"limit": PAGE} | ({"before": before} if before else {}) | ({"as_of": as_of} if as_of else {})
    rows = await desk.run(request, "list", listed) if is_somebody(request) else []
    more = rows[-1]["id"] if len(rows) == PAGE else None
    return desk.page(request, "memories", q="", as_of=as_of, found=None, rows=rows, more=more, owners=owners)


async def memory(desk: Desk, request: Request) -> Response:
    """One memory: its record, every text it had with what changed, and what can be done."""
    asked = {"memory_id": named(request, "memory_id")}
    told = await desk.run(request, "history", asked)
    why = await desk.run(request, "why", asked)
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
