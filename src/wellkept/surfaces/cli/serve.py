"""`wellkept serve`, `mcp` and `worker`: processes that run until they are stopped."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wellkept.errors import InvalidInput
from wellkept.startup import open as open_memory
from wellkept.store.contract import AnyKey
from wellkept.surfaces.cli import views
from wellkept.surfaces.cli.options import chosen, plain_command
from wellkept.types import as_json

if TYPE_CHECKING:
    from wellkept.api import Memory
    from wellkept.surfaces.cli.screen import Screen

ON_SCREEN = "-"


def _serve(host: str, port: int, unix: Path | None, first_key: str | None) -> None:
    from wellkept.surfaces.http.serve import Listening, serve

    settings, screen = chosen()

    def told(address: str) -> None:
        if screen.form == "text":
            screen.say(f"Listening on {address}")
        else:
            screen.data({"listening": address}, is_one_of_many=True)

    with open_memory(settings.db, config=settings.config, clock=settings.clock) as memory:
        if first_key is not None:
            make_first_key(memory, first_key, screen)
        serve(memory, Listening(host=host, port=port, unix=unix), told=told)


def make_first_key(memory: Memory, target: str, screen: Screen) -> None:
    """A key for the operator of a store that never had one, told once: on the screen, or in a file of one's own."""
    if target == ON_SCREEN:
        made = memory.keys.add_first()
        if made is not None and screen.form == "text":
            screen.say(f"First key: {made.key}")
            screen.warn("Keep it now: it is not shown again.")
        elif made is not None:
            screen.data({"first_key": made.key}, is_one_of_many=True)
        return
    if memory.engine.store.has(AnyKey()):
        return
    path = Path(target)
    try:
        # Before the key is made: a key that could not be written would be lost.
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise InvalidInput(
            f"{path} is there already, and the store has no key yet: is it the key of another store? Move it away.",
            code="file_exists",
        ) from None
    is_written = False
    try:
        made = memory.keys.add_first()
        if made is not None:
            os.write(file, f"{made.key}\n".encode())
            is_written = True
    finally:
        os.close(file)
        if not is_written:
            with suppress(OSError):
                path.unlink()
    if is_written:
        screen.warn(f"The first key is in {path}.")


def _mcp() -> None:
    from wellkept.surfaces.http.serve import serve_stdio

    settings, _ = chosen()
    place = settings.place | {"participants": list(settings.participants)}
    with open_memory(settings.db, config=settings.config, clock=settings.clock) as memory:
        serve_stdio(memory, place)


def _worker(*, once: bool) -> None:
    from wellkept.surfaces import telemetry  # no other command needs it

    settings, screen = chosen()
    with settings.opened() as viewpoint:
        runner = viewpoint.memory.upkeep.runner
        if once:
            views.rounds(screen, as_json(runner.run_due()))
            return
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: runner.cease())
        screen.warn("Working. Ctrl-C ends after the job that is running.")
        with telemetry.logging_configured(viewpoint.memory.config.server), telemetry.exporting(os.environ):
            runner.work(lambda done: views.rounds(screen, as_json([done])))


def serve() -> click.Command:
    return plain_command(
        "serve",
        "Serve HTTP, JSON-RPC, MCP and the Studio; SIGTERM ends it when what was begun is done.",
        _serve,
        click.Option(
            ["--host"], default="127.0.0.1", show_default=True, help="Address; others than this machine need a key."
        ),
        click.Option(
            ["--port"], type=click.IntRange(0, 65_535), default=8765, show_default=True, help="0: any that is free."
        ),
        click.Option(["--unix"], type=click.Path(path_type=Path), help="Also listen on this Unix socket."),
        click.Option(
            ["--first-key"],
            is_flag=False,
            flag_value=ON_SCREEN,
            metavar="[FILE]",
            help="Make an operator's key when there never was one, and print it once, or write it to FILE.",
        ),
    )


def mcp() -> click.Command:
    doc = "Serve the Model Context Protocol over standard input and output, as the user and chat of the options."
    return plain_command("mcp", doc, _mcp)


def worker() -> click.Command:
    return plain_command(
        "worker",
        "Run jobs of every tenant as they come due and on schedule, until Ctrl-C; any number of workers share them.",
        _worker,
        click.Option(["--once"], is_flag=True, help="End when nothing is due."),
        short_help="Run jobs as they come due and on schedule.",
    )
