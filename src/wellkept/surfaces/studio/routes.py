"""The routes of the Studio: each page by its path, each action by its form."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wellkept.errors import WellkeptError
from wellkept.surfaces.http import wire
from wellkept.surfaces.http.guard import COOKIE, SIGN_IN
from wellkept.surfaces.studio import (
    actions,
    pages_health,
    pages_home,
    pages_memories,
    pages_people,
    pages_playground,
    pages_settings,
    pages_talks,
    pages_traces,
)
from wellkept.surfaces.studio.desk import FOLDER, THEME, THEMES, Desk, back_of, form_of

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

Page = Callable[[Desk, "Request"], Awaitable["Response"]]

PAGES: dict[str, Page] = {
    "/": pages_home.home,
    "/search": pages_home.search,
    "/playground": pages_playground.playground,
    "/playground/reading": pages_playground.reading,
    "/memories": pages_memories.memories,
    "/memories/{memory_id}": pages_memories.memory,
    "/people": pages_people.people,
    "/people/graph.json": pages_people.graph,
    "/people/compare": pages_people.compare,
    "/people/{reference}": pages_people.person,
    "/lens": pages_people.lens,
    "/sessions": pages_talks.sessions,
    "/traces": pages_traces.traces,
    "/traces/plain": pages_traces.plain,
    "/conversations": pages_talks.conversations,
    "/questions": pages_talks.questions,
    "/settings": pages_settings.settings,
    "/settings/export": pages_settings.export,
    "/health": pages_health.health,
    "/health/growth.json": pages_health.growth,
    "/health/latency.json": pages_health.latency,
}
STATIC = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
MACHINES = ("/v1/", "/rpc", "/mcp", "/memory/", "/metrics", "/studio/")
"""Paths of programs."""
KEY_DAYS = 30
THEME_DAYS = 365


def add_routes(app: FastAPI, desk: Desk) -> None:
    """Put the Studio into an application."""
    for path, page in PAGES.items():
        app.add_route(path, _answering(desk, page), methods=["GET"])
    for path, action in actions.ACTIONS.items():
        app.add_route(path, _answering(desk, action), methods=["POST"])
    app.add_route("/studio/{name}", _static, methods=["GET"])
    app.add_route(SIGN_IN, _answering(desk, _asked_key), methods=["GET"])
    app.add_route(SIGN_IN, _signed_in, methods=["POST"])
    app.add_route("/sign-out", _signed_out, methods=["POST"])
    app.add_route("/theme", _themed, methods=["POST"])
    _add_errors(app, desk)
    names = {path.name for path in FOLDER.iterdir() if path.suffix in STATIC}
    app.state.open_paths |= {SIGN_IN, "/theme", *(f"/studio/{name}" for name in names)}


def _add_errors(app: FastAPI, desk: Desk) -> None:
    """Who asks for a page that is not there gets one that says so; programs are answered as before."""
    from starlette.exceptions import HTTPException

    said = app.exception_handlers[HTTPException]

    async def answered(request: Request, error: Exception) -> Response:
        is_page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(MACHINES)
        status = getattr(error, "status_code", 500)
        if not is_page or status != HTTPStatus.NOT_FOUND:
            return await said(request, error)  # type: ignore[misc,no-any-return]  # ours is a coroutine
        message = "There is no page here. The menu has all of them."
        page = desk.page(request, "wrong", title="No such page", code="unknown_path", message=message)
        page.status_code = status
        return page

    app.add_exception_handler(HTTPException, answered)


def _answering(desk: Desk, page: Page) -> Callable[[Request], Awaitable[Response]]:
    """What goes wrong is said on a page of its own, with the code that every surface has."""

    async def answer(request: Request) -> Response:
        try:
            return await page(desk, request)
        except WellkeptError as error:
            said = desk.page(request, "wrong", code=error.code, message=str(error))
            said.status_code = wire.status_of(error)
            return said

    return answer


async def _asked_key(desk: Desk, request: Request) -> Response:
    return desk.page(request, "sign_in")


async def _signed_in(request: Request) -> Response:
    """The key goes into a cookie that no script can read; a wrong one is refused by the next page."""
    from starlette.responses import RedirectResponse

    key = (await form_of(request)).get("key", "").strip()
    answer = RedirectResponse("/", status_code=303)
    is_secure = urlsplit(str(request.url)).scheme == "https"
    answer.set_cookie(COOKIE, key, max_age=KEY_DAYS * 86_400, httponly=True, samesite="strict", secure=is_secure)
    return answer


async def _signed_out(_request: Request) -> Response:
    from starlette.responses import RedirectResponse

    answer = RedirectResponse(SIGN_IN, status_code=303)
    answer.delete_cookie(COOKIE)
    return answer


async def _themed(request: Request) -> Response:
    """Light, dark, or what the reader's system has; a browser keeps it for a year."""
    from starlette.responses import RedirectResponse

    form = await form_of(request)
    answer = RedirectResponse(back_of(form.get("back", "/")), status_code=303)
    if form.get("theme") in THEMES:
        answer.set_cookie(THEME, form["theme"], max_age=THEME_DAYS * 86_400, httponly=True, samesite="strict")
    else:
        answer.delete_cookie(THEME)
    return answer


async def _static(request: Request) -> Response:
    from starlette.responses import FileResponse

    path = FOLDER / request.path_params["name"]
    if path.parent != FOLDER or path.suffix not in STATIC or not path.is_file():
        return wire.problem("unknown_path", "There is no such file.", 404)
    return FileResponse(path, media_type=STATIC[path.suffix], headers={"Cache-Control": "public, max-age=3600"})
