"""How keys and events look to a person, made from the JSON of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wellkept.surfaces.cli.screen import Column, local_text

if TYPE_CHECKING:
    from wellkept.surfaces.cli.screen import Screen

_KEY = (
    Column(name="ID", style="cyan"),
    Column(name="name", style="bold"),
    Column(name="scopes"),
    Column(name="created", style="dim"),
    Column(name="ends"),
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
        (
            one["id"],
            one["name"],
            ", ".join(one["scopes"]),
            local_text(one["created_at"]),
            local_text(one["expires_at"]),
            local_text(one["revoked_at"]),
        )
        for one in value
    ]
    screen.table(_KEY, rows)


def revoked(screen: Screen, value: Any) -> None:  # noqa: ANN401 -- JSON
    """A key that is over."""
    screen.say(f"Key {value['id']} ({value['name']}) opens nothing any more.")


def new_token(screen: Screen, value: Any) -> None:  # noqa: ANN401 -- JSON
    """The token, alone on its line so that it can be copied."""
    screen.say(value["token"])
    said = ", ".join(f"{name} {one}" for name, one in value["viewpoint"].items() if name != "tenant")
    until = local_text(value["expires_at"])
    screen.warn(f"Token {value['id']} ({said}) until {until}. Show it as WELLKEPT_CONTEXT_TOKEN.")


def revoked_token(screen: Screen, value: Any) -> None:  # noqa: ANN401 -- JSON
    """A token that is over."""
    screen.say(f"Token {value['name']} opens nothing any more.")


def events(screen: Screen, value: Any) -> None:  # noqa: ANN401 -- JSON
    """Events in a table."""
    if not value:
        screen.say("No events.")
        return
    names = ("user_id", "node", "op", "status", "memory_id", "reason")
    screen.table(_EVENT, [(local_text(one["ts"]), *(str(one[name] or "") for name in names)) for one in value])


def growth(screen: Screen, value: Any) -> None:  # noqa: ANN401 -- JSON
    """A day a line."""
    if not value:
        screen.say("No memories yet.")
        return
    columns = (Column(name="day", style="dim"), Column(name="memories made", is_number=True))
    screen.table(columns, [(day, str(count)) for day, count in value.items()])


def activity(screen: Screen, value: Any) -> None:  # noqa: ANN401 -- JSON
    """A day, a place and a kind a line."""
    if not value:
        screen.say("Nothing was done in that time.")
        return
    columns = (Column(name="day", style="dim"), Column(name="node"), Column(name="op", style="bold"))
    rows = [(one["day"], one["node"], one["op"], str(one["times"])) for one in value]
    screen.table((*columns, Column(name="times", is_number=True)), rows)


def owners(screen: Screen, value: Any) -> None:  # noqa: ANN401 -- JSON
    """Users and chats in a table."""
    if not value:
        screen.say("Nobody yet.")
        return
    columns = (Column(name="space"), Column(name="owner", style="cyan"), Column(name="decisions", is_number=True))
    screen.table(columns, [(one["space"], one["owner"], str(one["length"])) for one in value])


SERVER_VIEWS: Mapping[str, Callable[[Screen, Any], None]] = {
    "add_key": new_key,
    "rotate_key": new_key,
    "keys": keys,
    "revoke_key": revoked,
    "make_token": new_token,
    "revoke_token": revoked_token,
    "events": events,
    "growth": growth,
    "activity": activity,
    "owners": owners,
}
