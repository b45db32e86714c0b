"""The Studio: pages that show what is remembered, why, and who would see it; each by its path, each action by its form.

A page needs a key like everything else (`guard.COOKIE` holds a browser's); only the page to sign in and the static
files open without one. Pages call the same operations as anybody, and every page sets a Content-Security-Policy that
lets a browser load nothing but the Studio's own files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from wellkept.errors import NotAllowed, WellkeptError
from wellkept.flows.answers import sentence
from wellkept.surfaces import words
from wellkept.surfaces.http import wire
from wellkept.surfaces.http.guard import COOKIE, SIGN_IN
from wellkept.surfaces.http.wire import json_answer
from wellkept.surfaces.studio import pages_conversations, pages_memories, pages_people
from wellkept.surfaces.studio.desk import (
    FOLDER,
    HEADERS,
    THEME,
    THEMES,
    Desk,
    Visit,
    back_of,
    json_lines,
    place_of,
    redirected,
)
from wellkept.types import as_json

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request

Page = Callable[[Visit], Awaitable[Response]]

MACHINES = ("/v1/", "/rpc", "/mcp", "/memory/", "/metrics", "/studio/")
"""Paths of programs."""
KEY_DAYS = 30
THEME_DAYS = 365
JOBS = 50
DECISIONS = 300
"""The latest, of which is counted what was kept and refused."""


# --- Pages for those who run the server: its health, its keys and settings, and everything of a user as a file.


async def health(visit: Visit) -> Response:
    """Counts, figures and jobs, for operators; growth, for everybody their own."""
    if not visit.is_operator:
        return visit.page("health", stats=None)
    recent = visit.service.metrics.recent
    whole = recent.whole()
    latest = await visit.run("events", {"of": "*", "limit": DECISIONS, "housekeeping": False})
    jobs = await visit.run("jobs", {"limit": JOBS})
    for job in (*jobs["pending"], *jobs["dead"]):
        job["about"] = ", ".join(f"{name} {value}" for name, value in job["payload"].items())
    kinds = Counter(filter(None, map(words.kind, latest)))
    return visit.page(
        "health",
        stats=await visit.run("stats", {}),
        jobs=jobs,
        jobs_max=JOBS,
        decisions={name: kinds[name] for name in ("learned", "replaced", "refused")},
        reasons=Counter(sentence(one["reason"]) for one in latest if words.kind(one) == "refused").most_common(5),
        states=words.tables()["states"],
        calls=None if whole is None else {"p95": whole.p95, "count": whole.count, "rows": recent.by_operation()},
        diagnosis=await visit.run("doctor", {}) if visit.query.get("doctor") else None,
        checks=words.tables()["checks"],
    )


async def growth(visit: Visit) -> Response:
    """How many memories were made a day, for the picture."""
    is_everybody = visit.is_operator and not visit.query.get("user")
    days = await visit.run("growth", {"of": "*"} if is_everybody else {})
    return json_answer(list(days.items()), headers=HEADERS)


async def latency(visit: Visit) -> Response:
    """How long calls took of late, for the picture: seconds since 1970, median and p95 in milliseconds."""
    if not visit.is_operator:
        raise NotAllowed("Only an operator may see how long calls take.", code="admin_only")
    points = [[one.at.timestamp(), one.median, one.p95] for one in visit.service.metrics.recent.over_time()]
    return json_answer(points, headers=HEADERS)


async def settings(visit: Visit, **more: object) -> Response:
    if not visit.is_operator:
        return visit.page("settings", keys=[], tables={})
    tables: dict[str, list[Any]] = {}
    for one in visit.service.memory.config.settings():
        tables.setdefault(one.key.partition(".")[0], []).append({**as_json(one), "words": _words(one.value)})
    keys = await visit.run("keys", {})
    return visit.page("settings", keys=keys, tables=tables, owners=await visit.owners(), **more)


def _words(value: object) -> str:
    """A value of a setting for people."""
    if value is None or value in ((), frozenset()):
        return "not set"
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, (tuple, frozenset)) else str(value)


async def add_key(visit: Visit) -> Response:
    """Make a key and show it, this once."""
    form = await visit.form()
    scope = form.get("scope", "operator")
    whom = form.get("whom", "").strip()
    scopes = [f"{scope}:{whom}"] if scope in ("user", "agent") else [scope]
    made = await visit.run("add_key", {"name": form.get("name", "").strip() or "unnamed", "scope": scopes})
    return await settings(visit, made=made)


async def export(visit: Visit) -> Response:
    """Everything that belongs to a user, as lines of JSON."""
    if not visit.is_operator:
        raise NotAllowed("Only an operator may export a whole user.", code="admin_only")
    return json_lines("export.jsonl", await visit.run("export_user", {"user_id": visit.text("of")}))


# --- Signing in, and the colours.


async def sign_in(visit: Visit) -> Response:
    return visit.page("sign_in")


async def take_key(visit: Visit) -> Response:
    """The key goes into a cookie that no script can read; a wrong one is refused by the next page."""
    key = (await visit.form()).get("key", "").strip()
    answer = RedirectResponse("/", status_code=303)
    answer.set_cookie(COOKIE, key, max_age=KEY_DAYS * 86_400, httponly=True, samesite="strict", secure=visit.is_secure)
    return answer


async def sign_out(_visit: Visit) -> Response:
    answer = RedirectResponse(SIGN_IN, status_code=303)
    answer.delete_cookie(COOKIE)
    return answer


async def choose_theme(visit: Visit) -> Response:
    """Light, dark, or what the reader's system has; a browser keeps it for a year."""
    form = await visit.form()
    answer = RedirectResponse(back_of(form.get("back", "/")), status_code=303)
    if form.get("theme") in THEMES:
        answer.set_cookie(THEME, form["theme"], max_age=THEME_DAYS * 86_400, httponly=True, samesite="strict")
    else:
        answer.delete_cookie(THEME)
    return answer


# --- What a form does.


def _action(operation: str, said: str, *names: str) -> Page:
    """An operation with what stands in the path and these fields of the form; then back, with what was done."""

    async def act(visit: Visit) -> Response:
        form = await visit.form()
        arguments = visit.in_path() | {name: form[name] for name in names if form.get(name, "").strip()}
        await visit.run(operation, arguments, **place_of(form))
        return redirected(form.get("back") or "/", place_of(form), said)

    return act


async def _review(visit: Visit) -> Response:
    """Two people are the same person, or they are two."""
    form = await visit.form()
    arguments = {visit.named("answer"): [form.get("one", ""), form.get("other", "")]}
    await visit.run("review_people", arguments, **place_of(form))
    return redirected(form.get("back") or "/", place_of(form), "Noted; it is not asked again.")


async def _forgotten(visit: Visit) -> Response:
    """Everything about a person leaves recall; with a tick the person is removed, too."""
    form = await visit.form()
    arguments = visit.in_path() | {"delete_record": form.get("delete_record") == "1"}
    told = await visit.run("forget_person", arguments, **place_of(form))
    said = f"{told['archived']} memories about {told['name']} are out of recall; each can be brought back."
    return redirected("/people", place_of(form), said)


# --- Every page and every form.

PAGES: dict[str, Page] = {
    "/": pages_memories.home,
    "/search": pages_memories.search,
    "/playground": pages_conversations.playground,
    "/playground/reading": pages_conversations.reading,
    "/memories": pages_memories.memories,
    "/memories/{memory_id}": pages_memories.memory,
    "/people": pages_people.people,
    "/people/graph.json": pages_people.graph,
    "/people/compare": pages_people.compare,
    "/people/{reference}": pages_people.person,
    "/lens": pages_people.lens,
    "/sessions": pages_conversations.sessions,
    "/traces": pages_conversations.traces,
    "/traces/plain": pages_conversations.plain_trace,
    "/conversations": pages_conversations.conversations,
    "/questions": pages_people.questions,
    "/settings": settings,
    "/settings/export": export,
    "/health": health,
    "/health/growth.json": growth,
    "/health/latency.json": latency,
    SIGN_IN: sign_in,
}
ACTIONS: dict[str, Page] = {
    "/playground": pages_conversations.say,
    "/memories": pages_memories.add,
    "/memories/many": pages_memories.many,
    "/memories/{memory_id}/edit": pages_memories.rewrite,
    "/memories/{memory_id}/privacy": _action("edit", "Its privacy is changed.", "sensitivity"),
    "/memories/{memory_id}/pin": _action("pin", "Pinned."),
    "/memories/{memory_id}/unpin": _action("unpin", "No longer pinned."),
    "/memories/{memory_id}/delete": _action("forget", "Taken out of recall; it can be restored."),
    "/memories/{memory_id}/restore": _action("restore", "Brought back."),
    "/lens/reveal": pages_people.reveal,
    "/settings/keys": add_key,
    "/settings/keys/{key_id}/revoke": _action("revoke_key", "The key no longer works."),
    "/people/merge": _action(
        "merge_people", "Merged. The page of the one who stayed can undo it.", "primary", "secondary"
    ),
    "/people/review/{answer}": _review,
    "/people/{reference}/split": _action("split_person", "The merge is undone: they are two again."),
    "/people/{reference}/alias": _action("alias_person", "The name is known now.", "alias"),
    "/people/{reference}/relate": _action("relate_person", "The relations are up to date.", "relation", "to"),
    "/people/{reference}/forget": _forgotten,
    "/people/{reference}/rename": _action("rename_person", "Renamed; the earlier name stays as an alias.", "name"),
    "/sessions/todos/{todo_id}/complete": _action("complete_todo", "Done."),
    "/sessions/todos/{todo_id}/dismiss": _action("dismiss_todo", "Given up."),
    "/traces/start": pages_conversations.start_phase,
    "/traces/compare": pages_conversations.compare_phases,
    "/questions/{proposal_id}/approve": _action("approve", "Noted in the profile."),
    "/questions/{proposal_id}/reject": _action("reject", "The profile stays as it is."),
    "/health/retry": _action("retry_jobs", "They are queued again."),
    SIGN_IN: take_key,
    "/sign-out": sign_out,
    "/theme": choose_theme,
}


def add_studio(app: FastAPI) -> None:
    """Put the pages into an application."""
    desk = Desk(app.state.service)
    file, names = wire.files_of(FOLDER)
    for path, page in PAGES.items():
        app.add_route(path, _answering(desk, page), methods=["GET"])
    for path, action in ACTIONS.items():
        app.add_route(path, _answering(desk, action), methods=["POST"])
    app.add_route("/studio/{name}", file, methods=["GET"])
    _add_errors(app, desk)
    app.state.open_paths |= {SIGN_IN, "/theme", *(f"/studio/{name}" for name in names)}


def _add_errors(app: FastAPI, desk: Desk) -> None:
    """Who asks for a page that is not there gets one that says so; programs are answered as before."""
    said = app.exception_handlers[HTTPException]

    async def answered(request: Request, error: Exception) -> Response:
        is_page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(MACHINES)
        status = getattr(error, "status_code", 500)
        if not is_page or status != HTTPStatus.NOT_FOUND:
            return await said(request, error)  # type: ignore[misc,no-any-return]  # ours is a coroutine
        message = "There is no page here. The menu has all of them."
        page = Visit(desk, request).page("wrong", title="No such page", code="unknown_path", message=message)
        page.status_code = status
        return page

    app.add_exception_handler(HTTPException, answered)


def _answering(desk: Desk, page: Page) -> Callable[[Request], Awaitable[Response]]:
    """What goes wrong is said on a page of its own, with the code that every surface has."""

    async def answer(request: Request) -> Response:
        visit = Visit(desk, request)
        try:
            return await page(visit)
        except WellkeptError as error:
            said = visit.page("wrong", code=error.code, message=str(error))
            said.status_code = wire.status_of(error)
            return said

    return answer
