"""A command that only looks, where there is no store: it is told so, and looks at an empty one that is kept nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from wellkept.surfaces.cli.options import HOW_TO_BEGIN

if TYPE_CHECKING:
    from wellkept.surfaces.cli.options import Settings
    from wellkept.surfaces.cli.screen import Screen


@contextmanager
def empty(settings: Settings, screen: Screen) -> Iterator[Settings]:
    """The same settings with an empty store."""
    screen.warn(f"There is no store at {settings.missing}. {HOW_TO_BEGIN}")
    with TemporaryDirectory() as folder:
        yield replace(settings, db=f"{folder}/memory.db")
