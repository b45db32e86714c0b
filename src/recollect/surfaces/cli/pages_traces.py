"""How the events of governed sessions look to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.surfaces.cli.screen import Column

if TYPE_CHECKING:
    from recollect.policies.traces import Event
    from recollect.store.base_governed import Trace
    from recollect.surfaces.cli.screen import Screen

_COLUMNS = (Column(name="#", is_number=True), Column(name="call", is_number=True), Column(name="event"))
_SHOWN = (
    "reason", "rule", "action", "from_space", "to_space", "allowed", "memory_id", "winner_id", "loser_id", "phase_id",
    "query",
)  # fmt: skip


def traces(screen: Screen, found: Sequence[Trace]) -> None:
    """One event a line."""
    if not found:
        screen.say("No traces of that session.")
        return
    screen.table(_COLUMNS, [(str(one.number), str(one.call), _line(one.event)) for one in found])


def phase_diff(screen: Screen, events: Sequence[Event]) -> None:
    """How many changed, and the foremost changes."""
    for event in events:
        if event["type"] == "memory_phase_diff":
            for line in event["summary_lines"]:
                screen.say(line)
            for change in event["top_changes"]:
                screen.say(f"  {change['change']}: {change['dedup_key']}")


def _line(event: Mapping[str, Any]) -> str:
    said = [f"{name}={event[name]}" for name in _SHOWN if event.get(name) is not None]
    counts = [f"{name}={len(event[name])}" for name in ("recalled", "written") if isinstance(event.get(name), list)]
    return " ".join([str(event["type"]), *counts, *said])


TRACE_PAGES: Mapping[str, Callable[[Screen, Any], None]] = {"traces": traces, "phase_diff": phase_diff}
