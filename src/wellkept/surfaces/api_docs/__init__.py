"""The API's description at `/openapi.json` and as a page at `/docs`, with nothing loaded from elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from wellkept.operations import OPERATIONS
from wellkept.surfaces.http import schemas

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response

FOLDER = Path(__file__).parent
MEDIA = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8"}
HEADERS = {
    # Swagger UI's style sheet has its pictures in it.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Frame-Options": "DENY",
}


def add_api_docs(app: FastAPI) -> None:
    """Put the description and its page into an application. Its files open without a key, as those of the Studio do."""
    from starlette.responses import FileResponse
    from starlette.responses import Response as Answer

    described = json.dumps(schemas.openapi(OPERATIONS)).encode()

    async def openapi(_request: Request) -> Response:
        return Answer(described, media_type="application/json")

    async def page(_request: Request) -> Response:
        return FileResponse(FOLDER / "docs.html", media_type=MEDIA[".html"], headers=HEADERS)

    def served(path: Path) -> None:
        async def file(_request: Request) -> Response:
            headers = {"Cache-Control": "public, max-age=3600"}
            return FileResponse(path, media_type=MEDIA[path.suffix], headers=headers)

        app.add_route(f"/docs/{path.name}", file, methods=["GET"])
        app.state.open_paths.add(f"/docs/{path.name}")

    app.add_route("/openapi.json", openapi, methods=["GET"])
    app.add_route("/docs", page, methods=["GET"])
    for path in FOLDER.iterdir():
        if path.suffix in (".js", ".css"):
            served(path)
