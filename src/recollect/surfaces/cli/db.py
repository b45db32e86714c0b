"""`recollect db`: the database behind the memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import click

from recollect.surfaces.cli.options import Settings
from recollect.surfaces.cli.screen import Screen

HELP = "The database behind the memory: bring it up to this release."
EPILOG = "The options of `recollect --help` may stand here too."


def _migrate() -> None:
    from recollect.opening import default_path
    from recollect.store.opening import migrate

    settings: Settings = click.get_current_context().obj
    screen = Screen(settings.form)
    steps = migrate(settings.db or default_path())
    if screen.form == "text":
        screen.say(f"{steps} steps taken." if steps else "The schema is that of this release.")
    else:
        screen.data({"steps": steps})


def _command(name: str, doc: str, callback: Callable[..., None]) -> click.Command:
    return click.Command(name, help=doc, short_help=doc, epilog=EPILOG, callback=callback)


COMMANDS: Mapping[str, Callable[[], click.Command]] = {
    "migrate": partial(
        _command, "migrate", "Take the steps from the schema that is there to that of this release.", _migrate
    ),
}
