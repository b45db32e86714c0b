"""Commands over `--rpc`: the same commands, asked of a server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from wellkept.surfaces.cli.options import credential

if TYPE_CHECKING:
    from wellkept.operations.operation import Operation
    from wellkept.surfaces.cli.options import Settings

_PLACE = ("chat", "persona", "agent", "thread")


def called(settings: Settings, operation: Operation, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
    """The answer of the server."""
    if operation.name == "chat" and arguments["text"] is None:
        raise click.UsageError("Over --rpc, give the text of one turn.")
    names = {one.name: one.rpc or one.name for one in operation.parameters}
    given = {names[name]: _listed(value) for name, value in arguments.items() if value is not None}
    if settings.now is not None:
        if "now" not in names:
            raise click.UsageError("The clock is the server's; over --rpc only `memory search` takes --now.")
        given["now"] = settings.now.isoformat()
    # Loaded here: Python's HTTP client takes long to load, and no other command needs it.
    from wellkept.surfaces.http.rpc_client import Remote

    assert settings.rpc is not None, "called for a server only"
    return Remote(url=settings.rpc, credential=credential()).call(operation.rpc, place(settings) | given)


def place(settings: Settings) -> dict[str, Any]:
    """Who asks and where, as far as it was said; what was not is settled by the token, or by the server."""
    said: dict[str, Any] = {name: getattr(settings, name) for name in _PLACE}
    said |= {"user_id": settings.user, "chat_id": said.pop("chat"), "participants": list(settings.participants) or None}
    said |= {"chat_type": settings.chat_type if settings.chat_type != "private" else None}
    said |= {"tenant": settings.tenant if settings.tenant != "default" else None}
    return {name: value for name, value in said.items() if value is not None}


def _listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
