"""Pages about conversations: the Playground, what was said and learned, sessions with summaries, and governed ones."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from wellkept.surfaces import words
from wellkept.surfaces.plain import render
from wellkept.surfaces.studio.desk import number_of, pairs_of
from wellkept.surfaces.studio.pages_memories import by_day, difference

if TYPE_CHECKING:
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Visit

PLAYGROUND_MESSAGES = 12
BUDGETS = (300, 600, 1_200, 2_400)
BUDGET = 1_200
OTHERS_MAX = 6
HELLO = "Hello"
"""What the context block is asked for before anything was said."""
VERSIONS = 20
"""Versions of a summary that are shown."""
TODOS = 200
CONVERSATIONS = 60
MESSAGES = 60

TRACES = 200
"""As many as the command line shows."""

Events = Sequence[Mapping[str, Any]]


# --- The Playground: talk as somebody somewhere, and see what is read, kept and replaced.


async def playground(visit: Visit) -> Response:
    """The chat so far, and the block that an agent would get now."""
    return await _playground(visit, text="", outcomes=())


async def say(visit: Visit) -> Response:
    """Say something: it is read at once, and what came of it is shown beside it."""
    form = await visit.form()
    text = form.get("text", "").strip()
    if not text:
        return await _playground(visit, text="", outcomes=())
    if form.get("mode") == "answer":
        outcomes = (await visit.run("chat", {"text": text}))["outcomes"]
    else:
        asked = {"messages": [{"role": "user", "content": text}], "wait": True}
        outcomes = (await visit.run("observe", asked))["outcomes"]
    shown = []
    for one in (one for outcome in outcomes for one in (outcome, *outcome.get("others", ()))):
        known = {"record": await visit.memory(one["id"]), "old": await visit.memory(one["replaced"])}
        shown.append({**one, "words": words.outcome(one), **known})
    return await _playground(visit, text=text, outcomes=shown)


async def _playground(visit: Visit, *, text: str, outcomes: Sequence[Mapping[str, Any]]) -> Response:
    query, owners, place = visit.query, await visit.owners(), visit.place
    if not visit.is_somebody:
        return visit.page("playground", is_begun=False, owners=owners)
    messages = [
        {**one, "parts": marked(one), "is_user": one["role"] == "user"}
        for one in await visit.run("messages", {"limit": PLAYGROUND_MESSAGES})
    ]
    own = [one for one in messages if one["is_user"] and one["speaker"] in (visit.user, None)]
    latest = own[-1] if own else None
    asked = text or (latest["content"] if latest else HELLO)
    budget = number_of(query.get("budget", ""), BUDGET)
    block = {"query": asked[:1_000], "budget_tokens": budget, "peek": True}
    other, present = visit.text("other"), place.get("participants", ())
    named = (*present, *(one["owner"] for one in owners if one["space"] == "user"))
    # The same question in the Privacy lens.
    asking = list(dict.fromkeys(one for one in (visit.user, *present, other) if one))
    lens = [(name, place[name]) for name in ("chat", "chat_type") if place.get("chat_type") == "group"]
    return visit.page(
        "playground",
        is_begun=True,
        owners=owners,
        messages=messages,
        latest=latest["id"] if latest else None,
        reading=await visit.run("reading", {"message_id": latest["id"]}) if latest else None,
        outcomes=outcomes,
        asked=asked,
        block=await visit.run("context", block),
        budget=budget,
        budgets=BUDGETS,
        other=other,
        other_block=await visit.run("context", block, **seen_from(visit, other)) if other else None,
        others=[one for one in dict.fromkeys(named) if one != visit.user][:OTHERS_MAX],
        lens=urlencode([*lens, *pairs_of({"users": asking, "q": asked[:200]})]),
    )


def seen_from(visit: Visit, other: str) -> dict[str, Any]:
    """The viewpoint of somebody else: there in the same group, else alone with the assistant."""
    place = visit.place
    if place.get("chat_type") != "group":
        return {"user": other}
    present = [one for one in (visit.user, *place.get("participants", ())) if one and one != other]
    return {"user": other, "chat": place["chat"], "chat_type": "group", "participants": present}


def marked(message: Mapping[str, Any]) -> list[tuple[str, str | None]]:
    """A message in pieces: the words that a memory rests on have its id.

    >>> marked({"content": "I sail. Hi!", "learned": [{"memory_id": "m_1", "start": 0, "stop": 7}]})
    [('I sail.', 'm_1'), (' Hi!', None)]
    """
    text, at = str(message["content"]), 0
    parts: list[tuple[str, str | None]] = []
    for one in sorted(message["learned"], key=lambda one: (one["start"], one["stop"])):
        start, stop = one["start"], one["stop"] or len(text)
        if start < at:
            continue
        parts += [(text[at:start], None)] if at < start else []
        parts.append((text[start:stop], one["memory_id"]))
        at = stop
    return [*parts, (text[at:], None)] if at < len(text) or not parts else parts


async def reading(visit: Visit) -> Response:
    return visit.page("reading", reading=await visit.run("reading", {"message_id": visit.query.get("message", "")}))


# --- Sessions and conversations.


async def sessions(visit: Visit) -> Response:
    """What is said, promised and summarised with one user and persona."""
    user, owners = visit.user, await visit.owners()
    if not user:
        return visit.page("sessions", user=None, owners=owners)
    found = await visit.run("sessions", {"limit": 50})
    chosen = visit.text("session") or (found[0]["id"] if found else "")
    # Times as JSON has them are all in UTC, so they compare as texts.
    now = visit.service.memory.engine.clock().isoformat()
    todos = await visit.run("todos", {"status": "ALL", "limit": TODOS})
    for one in todos:
        one["is_overdue"] = one["status"] == "PENDING" and bool(one["due_at"]) and one["due_at"] < now
    return visit.page(
        "sessions",
        user=user,
        owners=owners,
        sessions=found,
        shown_session=await visit.run("session", {"session_id": chosen}) if chosen else None,
        state=await visit.run("state", {}),
        todos=sorted(todos, key=lambda one: one["status"] != "PENDING"),
        summaries=versions(await visit.run("summaries", {})),
        spines=spines(await visit.run("spines", {"limit": VERSIONS})),
    )


def versions(kept: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Versions of a text, newest first, each with what changed since the one before."""
    whole = [{"content": ""}, *kept][-VERSIONS - 1 :]
    found = [{**new, "parts": difference(old["content"], new["content"])} for old, new in pairwise(whole)]
    if found and len(kept) == len(found):
        found[0]["parts"] = [("same", found[0]["content"])]
    return found[::-1]


def spines(kept: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Versions of the long-term summary, newest first, each line marked by what became of it."""
    found = []
    for at, new in enumerate(kept):
        # The first version has nothing to be compared with: none of its lines is new.
        old = kept[at + 1]["content"] if at + 1 < len(kept) else new["content"]
        sections = []
        for name in dict.fromkeys((*new["content"], *old)):
            after = [line["text"] for line in new["content"].get(name, ())]
            before = [line["text"] for line in old.get(name, ())]
            gone = [("gone", text) for text in before if text not in after]
            sections.append((name, [*gone, *(("same" if text in before else "new", text) for text in after)]))
        found.append({**new, "sections": [(name, lines) for name, lines in sections if lines]})
    return found


async def conversations(visit: Visit) -> Response:
    """Where something was said, and what was said there on one day, with what was learned from it."""
    query, owners = visit.query, await visit.owners()
    if not visit.is_somebody and not visit.is_operator:
        return visit.page("conversations", found=[], messages=None, owners=owners)
    found, shown = [], tuple(query.get(name, "") for name in ("day", "chat", "session", "persona"))
    for one in await visit.run("conversations", {"limit": CONVERSATIONS}):
        # The page that shows it, as one of those who may read it.
        place = {name: one[name] for name in ("user", "chat", "persona", "session") if one[name]}
        place |= {"chat_type": "group"} if one["chat_type"] == "group" else {}
        is_shown = (one["day"], one["chat"] or "", one["session"] or "", one["persona"] or "") == shown
        found.append({**one, "query": urlencode({**place, "day": one["day"]}), "is_shown": is_shown})
    messages = None
    if visit.is_somebody and (query.get("day") or query.get("in")):
        messages = [{**one, "parts": marked(one)} for one in await _said(visit)]
    return visit.page(
        "conversations",
        found=found,
        days=by_day(found, today=visit.now(), key="last_at"),
        messages=messages,
        earlier=urlencode({**query, "before": messages[0]["id"]}) if messages and len(messages) == MESSAGES else None,
        learned=[kept for one in messages or () for kept in one["learned"]],
        owners=owners,
    )


async def _said(visit: Visit) -> list[dict[str, Any]]:
    """What was said in a chat: on a day, or of late."""
    day, before, session = visit.text("day")[:10], visit.text("before"), visit.query.get("session")
    asked: dict[str, Any] = {"limit": MESSAGES}
    asked |= {"since": f"{day}T00:00:00+00:00", "until": f"{day}T23:59:59.999999+00:00"} if day else {}
    asked |= {"before": before} if before else {}
    asked |= {"in_session": session} if session else {}
    place = visit.place | ({"chat": visit.text("in")} if visit.text("in") else {})
    return list(await visit.run("messages", asked, **place))


# --- Governed sessions: their events, their phases, and what changed between two of them.


async def traces(visit: Visit) -> Response:
    """The governed sessions, or the events of one, as Plain view and as JSON."""
    session = visit.query.get("session", "")
    if session:
        return await _session_traces(visit, session)
    found = await visit.run("governed_sessions", {}) if visit.is_operator else []
    return visit.page("traces", session="", sessions=found)


async def plain_trace(visit: Visit) -> Response:
    """One event in Plain view and JSON, or all of a page in the bytes of the command line."""
    query = visit.query
    session, number, after = (query.get(name, "") for name in ("session", "number", "after"))
    if number_of(number, 0):
        asked = {"session": session, "after": number_of(number, 0) - 1, "limit": 1}
        kept = await visit.run("traces", asked)
        event = kept[0]["event"] if kept else {}
        whole = json.dumps(event, indent=2, ensure_ascii=False, sort_keys=True)
        return visit.page("trace", session=session, number=number, plain=render(event), json=whole)
    kept = await visit.run("traces", {"session": session, "after": number_of(after, 0), "limit": TRACES})
    return visit.page("trace", session=session, plain=render(kept) if kept else "")


async def start_phase(visit: Visit) -> Response:
    """Begin a phase, then show what changed since the one before."""
    form = await visit.form()
    session = form.get("session", "")
    asked = {name: form[name].strip() for name in ("name", "reason") if form.get(name, "").strip()}
    events = await visit.run("start_phase", {"session": session, **asked})
    begun = next((one for one in events if one["type"] == "memory_phase_started"), None)
    if begun is None:
        refused = next((one["reason"] for one in events if one.get("allowed") is False), "")
        return await _session_traces(visit, session, said=f"No phase was begun: {refused.replace('_', ' ')}.")
    known = [one["phase_id"] for one in await visit.run("phases", {"session": session})]
    pair = tuple(known[-2:]) if len(known) > 1 else None
    return await _session_traces(visit, session, pair=pair, said=f"{begun['phase_id']} has begun.")


async def compare_phases(visit: Visit) -> Response:
    """What changed between two phases. A comparison is an event of the session too, so it takes a form."""
    form = await visit.form()
    pair = (form.get("from_phase", ""), form.get("to_phase", ""))
    return await _session_traces(visit, form.get("session", ""), pair=pair)


async def _session_traces(
    visit: Visit, session: str, *, pair: tuple[str, ...] | None = None, said: str = ""
) -> Response:
    number = number_of(visit.query.get("after", ""), 0)
    told: Events = []
    if pair is not None:
        asked = {"session": session, "from_phase": pair[0], "to_phase": pair[1]}
        told = await visit.run("phase_diff", asked)
    kept: Events = await visit.run("traces", {"session": session, "after": number, "limit": TRACES})
    return visit.page(
        "traces",
        session=session,
        said=said,
        events=[{"number": one["number"], **words.trace(one["event"])} for one in kept],
        after=number,
        phases=await visit.run("phases", {"session": session}),
        diff=_diff(told, words.texts([one["event"] for one in kept])),
        from_phase=pair[0] if pair else "",
        to_phase=pair[1] if pair else "",
        more=kept[-1]["number"] if len(kept) == TRACES else None,
    )


def _diff(told: Events, texts: Mapping[str, str]) -> dict[str, Any] | None:
    found = next((one for one in told if one["type"] == "memory_phase_diff"), None)
    if found is None:
        return None
    changes = [
        {**one, "op": one["change"], "old": texts.get(one.get("from_id", "")), "new": texts.get(one.get("to_id", ""))}
        for one in found["top_changes"]
    ]
    return {**found, "changes": changes, "plain": render(list(told))}
