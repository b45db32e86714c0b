"""The page of governed sessions: their events, their phases, and what changed between two of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wellkept.policies.governance.plain import render
from wellkept.surfaces.studio import words
from wellkept.surfaces.studio.desk import form_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Desk

TRACES = 200
"""As many as the command line shows."""
NUMBER_MAX = 10

Events = Sequence[Mapping[str, Any]]


async def traces(desk: Desk, request: Request) -> Response:
    """The governed sessions, or the events of one, as Plain view and as JSON."""
    session = request.query_params.get("session", "")
    if not session:
        is_operator = request.state.grant.is_operator
        found = await desk.run(request, "governed_sessions", {}) if is_operator else []
        return desk.page(request, "traces", session="", sessions=found)
    return await _shown(desk, request, session)


async def plain(desk: Desk, request: Request) -> Response:
    """One event in Plain view and JSON, or all of a page in the bytes of the command line."""
    query = request.query_params
    session, number, after = (query.get(name, "") for name in ("session", "number", "after"))
    if _number(number):
        asked = {"session": session, "after": _number(number) - 1, "limit": 1}
        kept = await desk.run(request, "traces", asked)
        event = kept[0]["event"] if kept else {}
        whole = json.dumps(event, indent=2, ensure_ascii=False, sort_keys=True)
        return desk.page(request, "trace", session=session, number=number, plain=render(event), json=whole)
    kept = await desk.run(request, "traces", {"session": session, "after": _number(after), "limit": TRACES})
    return desk.page(request, "trace", session=session, plain=render(kept) if kept else "")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < NUMBER_MAX else 0


async def start(desk: Desk, request: Request) -> Response:
    """Begin a phase, then show what changed since the one before."""
    form = await form_of(request)
    session = form.get("session", "")
    asked = {name: form[name].strip() for name in ("name", "reason") if form.get(name, "").strip()}
    events = await desk.run(request, "start_phase", {"session": session, **asked})
    begun = next((one for one in events if one["type"] == "memory_phase_started"), None)
    if begun is None:
        refused = next((one["reason"] for one in events if one.get("allowed") is False), "")
        return await _shown(desk, request, session, said=f"No phase was begun: {refused.replace('_', ' ')}.")
    known = [one["phase_id"] for one in await desk.run(request, "phases", {"session": session})]
    pair = tuple(known[-2:]) if len(known) > 1 else None
    return await _shown(desk, request, session, pair=pair, said=f"{begun['phase_id']} has begun.")


async def compare(desk: Desk, request: Request) -> Response:
    """What changed between two phases. A comparison is an event of the session too, so it takes a form."""
    form = await form_of(request)
    pair = (form.get("from_phase", ""), form.get("to_phase", ""))
    return await _shown(desk, request, form.get("session", ""), pair=pair)


async def _shown(
    desk: Desk, request: Request, session: str, *, pair: tuple[str, ...] | None = None, said: str = ""
) -> Response:
    number = _number(request.query_params.get("after", ""))
    told: Events = []
    if pair is not None:
        asked = {"session": session, "from_phase": pair[0], "to_phase": pair[1]}
        told = await desk.run(request, "phase_diff", asked)
    kept: Events = await desk.run(request, "traces", {"session": session, "after": number, "limit": TRACES})
    return desk.page(
        request,
        "traces",
        session=session,
        said=said,
        events=[_event(one) for one in kept],
        after=number,
        phases=await desk.run(request, "phases", {"session": session}),
        diff=_diff(told, words.texts([one["event"] for one in kept])),
        from_phase=pair[0] if pair else "",
        to_phase=pair[1] if pair else "",
        more=kept[-1]["number"] if len(kept) == TRACES else None,
    )


def _event(one: Mapping[str, Any]) -> dict[str, Any]:
    return {"number": one["number"], **words.trace(one["event"])}


def _diff(told: Events, texts: Mapping[str, str]) -> dict[str, Any] | None:
    found = next((one for one in told if one["type"] == "memory_phase_diff"), None)
    if found is None:
        return None
    changes = [
        {**one, "op": one["change"], "old": texts.get(one.get("from_id", "")), "new": texts.get(one.get("to_id", ""))}
        for one in found["top_changes"]
    ]
    return {**found, "changes": changes, "plain": render(list(told))}
