"""The routes of the Studio: each page by its path, each action by its form."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wellkept.errors import WellkeptError
from wellkept.surfaces.http import problems
from wellkept.surfaces.http.guard import COOKIE, SIGN_IN
from wellkept.surfaces.studio import actions, pages, pages_health, pages_people, pages_talks, pages_traces
from wellkept.surfaces.studio.desk import FOLDER, Desk, form_of

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

Page = Callable[[Desk, "Request"], Awaitable["Response"]]

PAGES: dict[str, Page] = {
    "/": pages.timeline,
    "/memories": pages.memories,
    "/memories/{memory_id}": pages.memory,
    "/people": pages_people.people,
    "/people/graph.json": pages_people.graph,
    "/people/{reference}": pages_people.person,
    "/lens": pages_people.lens,
    "/sessions": pages_talks.sessions,
    "/traces": pages_traces.traces,
    "/traces/plain": pages_traces.plain,
    "/consent": pages_talks.consent,
    "/health": pages_health.health,
    "/health/growth.json": pages_health.growth,
    "/health/latency.json": pages_health.latency,
}
STATIC = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
KEY_DAYS = 30


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
    names = {path.name for path in FOLDER.iterdir() if path.suffix in STATIC}
    app.state.open_paths |= {SIGN_IN, *(f"/studio/{name}" for name in names)}


def _answering(desk: Desk, page: Page) -> Callable[[Request], Awaitable[Response]]:
    """What goes wrong is said on a page of its own, with the code that every surface has."""

    async def answer(request: Request) -> Response:
        try:
            return await page(desk, request)
        except WellkeptError as error:
            said = desk.page(request, "wrong", code=error.code, message=str(error))
            said.status_code = problems.status_of(error)
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


async def _static(request: Request) -> Response:
    from starlette.responses import FileResponse

    path = FOLDER / request.path_params["name"]
    if path.parent != FOLDER or path.suffix not in STATIC or not path.is_file():
        return problems.problem("unknown_path", "There is no such file.", 404)
    return FileResponse(path, media_type=STATIC[path.suffix], headers={"Cache-Control": "public, max-age=3600"})
