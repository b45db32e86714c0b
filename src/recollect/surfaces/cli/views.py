"""How an answer looks to a person, made from its JSON: the same whether it comes from this process or a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from recollect.surfaces.cli.screen import Column, local

if TYPE_CHECKING:
    from recollect.surfaces.cli.screen import Screen

_KEY = (
    Column(name="ID", style="cyan"),
    Column(name="name", style="bold"),
    Column(name="scopes"),
    Column(name="created", style="dim"),
    Column(name="revoked", style="red"),
)
_EVENT = (
    Column(name="time", style="dim"),
    Column(name="by"),
    Column(name="node"),
    Column(name="op", style="bold"),
    Column(name="status"),
    Column(name="memory", style="cyan"),
    Column(name="reason"),
)


def _time(text: str | None) -> str:
    return "" if text is None else local(datetime.fromisoformat(text))


def new_key(screen: Screen, value: Any) -> None:  # noqa: ANN401 -- JSON
    """The key, alone on its line so that it can be copied."""
    screen.say(value["key"], "bold")
    screen.warn(f"Key {value['id']} ({', '.join(value['scopes'])}). Keep it now: it is not shown again.")


def keys(screen: Screen, value: Any) -> None:  # noqa: ANN401 -- JSON
    """Keys in a table."""
    if not value:
        screen.say("No keys.")
        return
    rows = [
        (one["id"], one["name"], ", ".join(one["scopes"]), _time(one["created_at"]), _time(one["revoked_at"]))
        for one in value
    ]
    screen.table(_KEY, rows)


def revoked(screen: Screen, value: Any) -> None:  # noqa: ANN401 -- JSON
    """A key that is over."""
    screen.say(f"Key {value['id']} ({value['name']}) opens nothing any more.")


def events(screen: Screen, value: Any) -> None:  # noqa: ANN401 -- JSON
    """Events in a table."""
    if not value:
        screen.say("No events.")
        return
    names = ("user_id", "node", "op", "status", "memory_id", "reason")
    screen.table(_EVENT, [(_time(one["ts"]), *(str(one[name] or "") for name in names)) for one in value])


VIEWS: Mapping[str, Callable[[Screen, Any], None]] = {
    "add_key": new_key,
    "keys": keys,
    "revoke_key": revoked,
    "events": events,
}
