"""How state, summaries and phases look to a person, made from the JSON of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wellkept.surfaces.cli.screen import Column, local_text

if TYPE_CHECKING:
    from wellkept.surfaces.cli.screen import Screen

JSON = Any

_SESSIONS = (
    Column(name="session", style="cyan"),
    Column(name="events", is_number=True),
    Column(name="phases", is_number=True),
    Column(name="last", style="dim"),
)
_PHASES = (
    Column(name="phase", style="cyan"),
    Column(name="name"),
    Column(name="tick", is_number=True),
    Column(name="reason"),
)


def state(screen: Screen, value: JSON) -> None:
    """What lasts, a line each."""
    screen.pairs([(name, str(one)) for name, one in value.items() if one not in ("", None, {})])


def summaries(screen: Screen, value: JSON) -> None:
    """Each version under its number."""
    if not value:
        screen.say("No summary yet.")
    for one in value:
        screen.say(f"version {one['version']}, {local_text(one['at'])}, after {one['message_count']} messages", "dim")
        screen.say(one["content"])


def spines(screen: Screen, value: JSON) -> None:
    """Each version with its sections."""
    if not value:
        screen.say("No long-term summary yet.")
    for one in value:
        screen.say(f"version {one['version']}, {local_text(one['at'])}, after {one['total']} messages", "dim")
        for section, lines in one["content"].items():
            screen.say(section, "bold")
            for line in lines:
                screen.say(f"  {line['text']}")


def governed_sessions(screen: Screen, value: JSON) -> None:
    """Sessions in a table."""
    if not value:
        screen.say("No governed session yet.")
        return
    rows = [(one["session"], str(one["events"]), str(one["phases"]), local_text(one["last_at"])) for one in value]
    screen.table(_SESSIONS, rows)


def phases(screen: Screen, value: JSON) -> None:
    """Phases in a table."""
    if not value:
        screen.say("No phase has begun.")
        return
    rows = [
        (one["phase_id"], one["phase_name"] or "", str(one["phase_started_at"]), one["phase_reason"]) for one in value
    ]
    screen.table(_PHASES, rows)


def started(screen: Screen, value: JSON) -> None:
    """The phase that began, or why none did."""
    for event in value:
        if event["type"] == "memory_phase_started":
            screen.say(f"{event['phase_id']} has begun.", "green")
        elif event.get("allowed") is False:
            screen.say(f"No phase was begun: {event['reason']}.", "red")


TALK_VIEWS: Mapping[str, Callable[[Screen, JSON], None]] = {
    "state": state,
    "summaries": summaries,
    "spines": spines,
    "governed_sessions": governed_sessions,
    "phases": phases,
    "start_phase": started,
}
