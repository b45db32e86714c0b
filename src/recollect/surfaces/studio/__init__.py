"""The web page of the server: its routes are added here, on the application that the guard protects.

A page needs a key like everything else (`guard.COOKIE` holds a browser's); paths that must open without one, such as a
page to sign in, are added to `app.state.open_paths`. Pages call the same HTTP operations as anybody, and set a
Content-Security-Policy of their own in place of the guard's, which allows nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import recollect

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request
    from starlette.responses import Response


def add_studio(app: FastAPI) -> None:
    """Put the pages into an application."""
    from starlette.responses import PlainTextResponse

    async def home(_request: Request) -> Response:
        return PlainTextResponse(f"recollect {recollect.__version__}\nOperations: /v1/openapi.json\n")

    app.add_route("/", home, methods=["GET"])
