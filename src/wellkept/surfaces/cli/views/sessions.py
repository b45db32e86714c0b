"""How turns, sessions and todos look to a person, made from the JSON of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wellkept.surfaces.cli.screen import Column, local_text, shortened

if TYPE_CHECKING:
    from wellkept.surfaces.cli.screen import Screen

JSON = Any

_SESSIONS = (
    Column(name="ID", style="cyan"),
    Column(name="session", is_number=True),
    Column(name="turns", is_number=True),
    Column(name="from", style="dim"),
    Column(name="to", style="dim"),
)
_TODOS = (
    Column(name="ID", style="cyan"),
    Column(name="kind"),
    Column(name="status"),
    Column(name="due", style="dim"),
    Column(name="text", style="bold"),
)


def turn(screen: Screen, value: JSON) -> None:
    """The block, then where the turn belongs."""
    screen.say(value["context"]["text"])
    screen.pairs([("session", value["session"]["id"]), ("turn", str(value["session"]["turn_count"]))])


def finished(screen: Screen, value: JSON) -> None:
    """The id of the reply."""
    screen.say(f"Noted as {value}." if value is not None else "Nothing to note.")


def sessions(screen: Screen, value: JSON) -> None:
    """Sessions in a table."""
    if not value:
        screen.say("No sessions yet.")
        return
    rows = [
        (
            one["id"],
            str(one["number"]),
            str(one["turn_count"]),
            local_text(one["started_at"]),
            local_text(one["ended_at"]),
        )
        for one in value
    ]
    screen.table(_SESSIONS, rows)


def session(screen: Screen, value: JSON) -> None:
    """What it was about, then what was said."""
    sessions(screen, [value["session"]])
    summary = value.get("summary")
    if summary is not None:
        screen.say(summary["one_liner"], "bold")
        names = {"mattered": "what_mattered", "open": "open_loops", "promised": "commitments", "people": "people"}
        parts = [(name, summary[key]) for name, key in names.items()] + [("tone", [summary["tone"]])]
        screen.pairs([(name, "; ".join(items)) for name, items in parts if any(items)], indent=2)
    for message in value["messages"]:
        screen.say(f"{message['speaker'] or message['role']}: {message['content']}")


def todos(screen: Screen, value: JSON) -> None:
    """Todos in a table."""
    if not value:
        screen.say("Nothing to do.")
        return
    ids = shortened([one["id"] for one in value])
    screen.table(
        _TODOS,
        [(ids[one["id"]], one["kind"], one["status"], local_text(one["due_at"]), one["text"]) for one in value],
    )


def ended(screen: Screen, value: JSON) -> None:
    """What became of it."""
    screen.say(f"{value['status'].capitalize()}: {value['text']}", "green")


SESSION_VIEWS: Mapping[str, Callable[[Screen, JSON], None]] = {
    "turn": turn,
    "finish_turn": finished,
    "sessions": sessions,
    "session": session,
    "todos": todos,
    "complete_todo": ended,
    "dismiss_todo": ended,
}
