"""The Studio: pages that show what is remembered, why, and who would see it.

A page needs a key like everything else (`guard.COOKIE` holds a browser's); only the page to sign in and the static
files open without one. Pages call the same operations as anybody, and every page sets a Content-Security-Policy that
lets a browser load nothing but the Studio's own files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.surfaces.studio.desk import Desk
from wellkept.surfaces.studio.routes import add_routes

if TYPE_CHECKING:
    from fastapi import FastAPI


def add_studio(app: FastAPI) -> None:
    """Put the pages into an application."""
    add_routes(app, Desk(app.state.service))
