"""`wellkept import` and `wellkept export`: what other products keep, and a user's memories as a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from wellkept.errors import NotEmpty
from wellkept.exchange import exporting, importing
from wellkept.exchange.sources import SOURCES
from wellkept.surfaces.cli.screen import Screen, progress
from wellkept.types import as_json

if TYPE_CHECKING:
    from wellkept.exchange.importing import Imported
    from wellkept.surfaces.cli.options import Settings

EPILOG = "The options of `wellkept --help` may stand here too."
IMPORT_HELP = (
    "Take in what another product has exported: "
    + ", ".join(SOURCES)
    + ".\n\nMessages keep their time and their speaker; facts are learned from them afterwards, by "
    "`wellkept upkeep run` or a running server. An import that was interrupted goes on where it stopped, and nothing "
    "is stored twice."
)
EXPORT_HELP = "Write your memories to a file: JSON lines, which can be imported again, or Markdown to read."


@contextmanager
def _measured(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar with percent and the time that is left, on a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _place() -> tuple[Settings, Screen]:
    settings: Settings = click.get_current_context().obj
    return settings, Screen(settings.form)


def _import(source: str, file: Path, *, dry_run: bool, extract: bool, keep_users: bool) -> None:
    settings, screen = _place()
    with settings.opened(is_finishing=False) as viewpoint, _measured(f"Import {source}") as told:
        request = importing.ImportRequest(
            source=source, path=file, place=viewpoint.place, extract=extract, keep_users=keep_users, is_dry=dry_run
        )
        done = importing.run(request, viewpoint.memory, told)
    if screen.form == "text":
        for line in _sentences(done, is_dry=dry_run, extract=extract):
            screen.say(line)
        for fault in done.first_faults:
            where = f"{fault.file}, line {fault.line}" if fault.line else fault.file
            screen.warn(f"Left out: {where}: {fault.reason}.")
    else:
        screen.data(as_json(done))
    click.get_current_context().exit(1 if done.faults else 0)


def _sentences(done: Imported, *, is_dry: bool, extract: bool) -> Iterator[str]:
    found = f"{done.messages:,} messages and {done.memories:,} memories in {done.conversations:,} conversations"
    if is_dry:
        yield f"Found {found}; nothing was stored."
        return
    how = " (resumed)" if done.is_resumed else ""
    yield f"Imported {found}{how}: {done.new_messages:,} messages and {done.new_memories:,} memories are new."
    if done.new_messages and extract:
        yield "Facts are learned from the messages by `wellkept upkeep run`, or by a running server."


def _export(form: str, file: Path | None) -> None:
    settings, screen = _place()
    settings.check_store()
    if file is not None and file.exists():
        raise NotEmpty(f"There is a file at {file} already; nothing was written.")
    wanted = cast("exporting.Format", form)
    with settings.opened() as viewpoint, progress("Export") as told:
        if file is None:
            exporting.run(viewpoint, sys.stdout, wanted, told)
            return
        with file.open("x", encoding="utf-8", newline="\n") as written:
            count = exporting.run(viewpoint, written, wanted, told)
    if screen.form == "text":
        screen.say(f"Wrote {count:,} memories to {file}.")
    else:
        screen.data({"memories": count, "file": str(file)})


def import_command() -> click.Command:
    """`wellkept import`."""
    parameters: list[click.Parameter] = [
        click.Argument(["source"], metavar="SOURCE", type=click.Choice(list(SOURCES))),
        click.Argument(["file"], type=click.Path(exists=True, path_type=Path)),
        click.Option(["--dry-run"], is_flag=True, help="Only count what is there."),
        click.Option(["--extract/--no-extract"], default=True, help="Learn from the messages, or only record them."),
        click.Option(["--keep-users"], is_flag=True, help="Give records to the users that the export names."),
    ]
    return _command("import", parameters, IMPORT_HELP, _import)


def export_command() -> click.Command:
    """`wellkept export`."""
    parameters: list[click.Parameter] = [
        click.Argument(["form"], metavar="FORMAT", type=click.Choice(exporting.FORMATS)),
        click.Argument(["file"], type=click.Path(dir_okay=False, path_type=Path), required=False),
    ]
    return _command("export", parameters, EXPORT_HELP, _export)


def _command(name: str, parameters: list[click.Parameter], text: str, callback: Callable[..., Any]) -> click.Command:
    short = text.partition("\n")[0]
    return click.Command(name, params=parameters, help=text, short_help=short, epilog=EPILOG, callback=callback)
