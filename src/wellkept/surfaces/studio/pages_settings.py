"""Keys, settings and copies: who may call the server, how it is configured, and everything of it as a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wellkept.errors import NotAllowed
from wellkept.surfaces.studio.desk import HEADERS, form_of
from wellkept.types import as_json

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Desk


async def settings(desk: Desk, request: Request) -> Response:
    """Keys and settings, for operators."""
    return await _shown(desk, request)


async def _shown(desk: Desk, request: Request, **more: object) -> Response:
    if not request.state.grant.is_operator:
        return desk.page(request, "settings", keys=[], tables={})
    tables: dict[str, list[Any]] = {}
    for one in desk.service.memory.config.settings():
        tables.setdefault(one.key.partition(".")[0], []).append({**as_json(one), "words": _words(one.value)})
    keys = await desk.run(request, "keys", {})
    return desk.page(request, "settings", keys=keys, tables=tables, owners=await desk.owners(request), **more)


def _words(value: object) -> str:
    """A value of a setting for people."""
    if value is None or value in ((), frozenset()):
        return "not set"
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, (tuple, frozenset)) else str(value)


async def add_key(desk: Desk, request: Request) -> Response:
    """Make a key and show it, this once."""
    form = await form_of(request)
    scope = form.get("scope", "operator")
    whom = form.get("whom", "").strip()
    scopes = [f"{scope}:{whom}"] if scope in ("user", "agent") else [scope]
    made = await desk.run(request, "add_key", {"name": form.get("name", "").strip() or "unnamed", "scope": scopes})
    return await _shown(desk, request, made=made)


async def export(desk: Desk, request: Request) -> Response:
    """Everything that belongs to a user, as lines of JSON."""
    from starlette.responses import Response

    if not request.state.grant.is_operator:
        raise NotAllowed("Only an operator may export a whole user.", code="admin_only")
    user = request.query_params.get("of", "").strip()
    lines = await desk.run(request, "export_user", {"user_id": user})
    body = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    named = {"Content-Disposition": 'attachment; filename="export.jsonl"'}
    answer = body.encode("utf-8", "backslashreplace")
    return Response(answer, media_type="application/x-ndjson", headers={**HEADERS, **named})
