"""`wellkept serve`: HTTP, JSON-RPC, MCP and the Studio on one address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from wellkept.opening import open as open_memory
from wellkept.surfaces.cli.screen import Screen

if TYPE_CHECKING:
    from wellkept.surfaces.cli.options import Settings

EPILOG = "The options of `wellkept --help` may stand here too."


def _serve(host: str, port: int, unix: Path | None) -> None:
    from wellkept.surfaces.http.serve import Listening, serve

    settings: Settings = click.get_current_context().obj
    screen = Screen(settings.form)

    def told(address: str) -> None:
        if screen.form == "text":
            screen.say(f"Listening on {address}")
        else:
            screen.data({"listening": address}, is_one_of_many=True)

    with open_memory(settings.db, config=settings.config, clock=settings.clock) as memory:
        serve(memory, Listening(host=host, port=port, unix=unix), told=told)


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
    ]
    return click.Command("serve", params=options, help=doc, short_help=doc, epilog=EPILOG, callback=_serve)
