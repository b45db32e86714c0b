"""`wellkept config`: every setting with its value and origin, or the first thing that is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept import config
from wellkept.surfaces.cli.screen import Column
from wellkept.types import as_json

if TYPE_CHECKING:
    from wellkept.surfaces.cli.options import Settings
    from wellkept.surfaces.cli.screen import Screen


def show(settings: Settings, screen: Screen) -> int:
    """Print every setting, its value and where it comes from."""
    rows = list(config.load(settings.config).rows())
    if screen.form != "text":
        screen.data([{"key": key, "value": as_json(value), "origin": origin} for key, value, origin in rows])
        return 0
    columns = (Column(name="key", style="cyan"), Column(name="value", style="bold"), Column(name="origin", style="dim"))
    screen.table(columns, [(key, _shown(value), origin) for key, value, origin in rows])
    return 0


def check(settings: Settings, screen: Screen) -> int:
    """Say whether the configuration can be read; name the first key or value that cannot."""
    changed = sum(origin != "default" for _, _, origin in config.load(settings.config).rows())
    if screen.form != "text":
        screen.data({"ok": True, "changed": changed})
    else:
        screen.say(f"The configuration is valid; {changed} settings are given, the others have their defaults.")
    return 0


def _shown(value: object) -> str:
    if value is None:
        return "(unset)"
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, (tuple, frozenset)) else str(value)
