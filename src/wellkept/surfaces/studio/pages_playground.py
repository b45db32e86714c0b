"""The Playground: talk as somebody somewhere, and see what is read, kept and replaced, and what an agent would get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from wellkept.errors import WellkeptError
from wellkept.surfaces.studio import words
from wellkept.surfaces.studio.desk import form_of, is_somebody, number_of, pairs_of, place_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from wellkept.surfaces.studio.desk import Desk

MESSAGES = 12
BUDGETS = (300, 600, 1_200, 2_400)
BUDGET = 1_200
OTHERS_MAX = 6
HELLO = "Hello"
"""What the context block is asked for before anything was said."""

Place = Mapping[str, Any]


async def playground(desk: Desk, request: Request) -> Response:
    """The chat so far, and the block that an agent would get now."""
    return await _shown(desk, request, text="", outcomes=())


async def say(desk: Desk, request: Request) -> Response:
    """Say something: it is read at once, and what came of it is shown beside it."""
    form = await form_of(request)
    text = form.get("text", "").strip()
    if not text:
        return await _shown(desk, request, text="", outcomes=())
    if form.get("mode") == "answer":
        outcomes = (await desk.run(request, "chat", {"text": text}))["outcomes"]
    else:
        asked = {"messages": [{"role": "user", "content": text}], "wait": True}
        outcomes = (await desk.run(request, "observe", asked))["outcomes"]
    told = [one for outcome in outcomes for one in (outcome, *outcome.get("others", ()))]
    return await _shown(desk, request, text=text, outcomes=[await _outcome(desk, request, one) for one in told])


async def _outcome(desk: Desk, request: Request, one: Mapping[str, Any]) -> dict[str, Any]:
    """What became of one fact: in words, with its text and the text that it replaced."""
    record = await shown_or_none(desk, request, one["id"])
    old = await shown_or_none(desk, request, one["replaced"])
    return {**one, "words": words.outcome(one), "record": record, "old": old}


async def shown_or_none(desk: Desk, request: Request, memory_id: str | None) -> Mapping[str, Any] | None:
    """A memory as the page's viewpoint sees it, if it does."""
    try:
        return None if memory_id is None else dict(await desk.run(request, "show", {"memory_id": memory_id}))
    except WellkeptError:
        return None


async def _shown(desk: Desk, request: Request, *, text: str, outcomes: Sequence[Mapping[str, Any]]) -> Response:
    query, owners = request.query_params, await desk.owners(request)
    if not is_somebody(request):
        return desk.page(request, "playground", is_begun=False, owners=owners)
    messages = [
        {**one, "parts": marked(one), "is_user": one["role"] == "user"}
        for one in await desk.run(request, "messages", {"limit": MESSAGES})
    ]
    latest = next((one for one in reversed(messages) if one["is_user"]), None)
    asked = text or (latest["content"] if latest else HELLO)
    budget = number_of(query.get("budget", ""), BUDGET)
    block = {"query": asked[:1_000], "budget_tokens": budget, "peek": True}
    other = query.get("other", "").strip()
    return desk.page(
        request,
        "playground",
        is_begun=True,
        owners=owners,
        messages=messages,
        latest=latest["id"] if latest else None,
        reading=await desk.run(request, "reading", {"message_id": latest["id"]}) if latest else None,
        outcomes=outcomes,
        asked=asked,
        block=await desk.run(request, "context", block),
        budget=budget,
        budgets=BUDGETS,
        other=other,
        other_block=await desk.run(request, "context", block, **seen_from(request, other)) if other else None,
        others=_others(request, owners),
        lens=_lens(request, asked),
    )


def seen_from(request: Request, other: str) -> dict[str, Any]:
    """The viewpoint of somebody else: there in the same group, else alone with the assistant."""
    place = place_of(request.query_params)
    user = place.get("user") or request.state.grant.settled.get("user")
    if place.get("chat_type") != "group":
        return {"user": other}
    present = [one for one in (user, *place.get("participants", ())) if one and one != other]
    return {"user": other, "chat": place["chat"], "chat_type": "group", "participants": present}


def _others(request: Request, owners: Sequence[Mapping[str, Any]]) -> list[str]:
    place = place_of(request.query_params)
    named = (*place.get("participants", ()), *(one["owner"] for one in owners if one["space"] == "user"))
    own = place.get("user") or request.state.grant.settled.get("user")
    return [one for one in dict.fromkeys(named) if one != own][:OTHERS_MAX]


def _lens(request: Request, asked: str) -> str:
    """The same question in the Privacy lens."""
    place = place_of(request.query_params)
    users = [one for one in (place.get("user"), *place.get("participants", ())) if one]
    pairs = [(name, place[name]) for name in ("chat", "chat_type") if name in place]
    return urlencode([*pairs, *pairs_of({"users": users, "q": asked[:200]})])


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


async def reading(desk: Desk, request: Request) -> Response:
    """What the reader makes of one message, as a part of a page."""
    message_id = request.query_params.get("message", "")
    found = await desk.run(request, "reading", {"message_id": message_id})
    return desk.page(request, "reading", reading=found)
