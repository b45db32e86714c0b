"""`wellkept serve`: HTTP, JSON-RPC, MCP and the Studio on one address."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wellkept.errors import InvalidInput
from wellkept.opening import open as open_memory
from wellkept.surfaces.cli.screen import Screen

if TYPE_CHECKING:
    from wellkept.api import Memory
    from wellkept.surfaces.cli.options import Settings

ON_SCREEN = "-"
EPILOG = "The options of `wellkept --help` may stand here too."


def _serve(host: str, port: int, unix: Path | None, first_key: str | None) -> None:
    from wellkept.surfaces.http.serve import Listening, serve

    settings: Settings = click.get_current_context().obj
    screen = Screen(settings.form)

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
    if memory.engine.store.has_keys():
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


def mcp(settings: Settings, _screen: Screen) -> int:
    """Serve the Model Context Protocol over standard input and output, as the user and chat of the options."""
    from wellkept.surfaces.http.serve import serve_stdio

    place = {
        "tenant": settings.tenant,
        "user": settings.user,
        "chat": settings.chat,
        "chat_type": settings.chat_type,
        "participants": list(settings.participants),
        "persona": settings.persona,
        "agent": settings.agent,
        "thread": settings.thread,
    }
    with open_memory(settings.db, config=settings.config, clock=settings.clock) as memory:
        serve_stdio(memory, place)
    return 0


def command() -> click.Command:
    """`serve`."""
    doc = "Serve HTTP, JSON-RPC, MCP and the Studio; SIGTERM ends it when what was begun is done."
    options: list[click.Parameter] = [
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
    ]
    return click.Command("serve", params=options, help=doc, short_help=doc, epilog=EPILOG, callback=_serve)
