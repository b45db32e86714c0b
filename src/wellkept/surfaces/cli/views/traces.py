"""How the events of governed sessions look to a person, made from the JSON of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wellkept.surfaces.cli.screen import Column

if TYPE_CHECKING:
    from wellkept.surfaces.cli.screen import Screen

JSON = Any
SHOWN = 200
"""Events that are shown unless a number is given."""

_COLUMNS = (Column(name="#", is_number=True), Column(name="call", is_number=True), Column(name="event"))
_SHOWN = (
    "reason", "rule", "action", "from_space", "to_space", "allowed", "memory_id", "winner_id", "loser_id", "phase_id",
    "query",
)  # fmt: skip


def traces(screen: Screen, value: JSON) -> None:
    """One event a line."""
    if not value:
        screen.say("No traces of that session.")
        return
    screen.table(_COLUMNS, [(str(one["number"]), str(one["call"]), _line(one["event"])) for one in value])
    if len(value) == SHOWN:
        screen.say(f"There may be more: --after {value[-1]['number']}")


def phase_diff(screen: Screen, value: JSON) -> None:
    """How many changed, and the foremost changes; or why the two may not be compared."""
    for event in value:
        if event["type"] == "memory_border_check" and not event["allowed"]:
            screen.say(f"Refused: {event['reason']}")
        if event["type"] == "memory_phase_diff":
            for line in event["summary_lines"]:
                screen.say(line)
            for change in event["top_changes"]:
                screen.say(f"  {change['change']}: {change['dedup_key']}")


def _line(event: JSON) -> str:
    said = [f"{name}={event[name]}" for name in _SHOWN if event.get(name) is not None]
    counts = [f"{name}={len(event[name])}" for name in ("recalled", "written") if isinstance(event.get(name), list)]
    return " ".join([str(event["type"]), *counts, *said])


TRACE_VIEWS: Mapping[str, Callable[[Screen, JSON], None]] = {"traces": traces, "phase_diff": phase_diff}
