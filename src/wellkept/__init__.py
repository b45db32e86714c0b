"""Long-term memory for AI agents and the people they talk to."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wellkept.api import Memory, Viewpoint
    from wellkept.errors import WellkeptError
    from wellkept.startup import open  # noqa: A004 -- `wellkept.open` is the name of the contract
    from wellkept.types import Hit, Outcome, Recall

__version__ = "0.1.0"

__all__ = ["Hit", "Memory", "Outcome", "Recall", "Viewpoint", "WellkeptError", "__version__", "open"]

_HOMES = {
    "Memory": "api",
    "Viewpoint": "api",
    "WellkeptError": "errors",
    "open": "startup",
    "Hit": "types",
    "Outcome": "types",
    "Recall": "types",
}


def __getattr__(name: str) -> object:
    """The public names load when they are first used, so that importing the package costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'wellkept' has no attribute {name!r}")
    value = getattr(import_module(f"wellkept.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
