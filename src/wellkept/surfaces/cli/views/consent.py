"""How a profile, and the questions about it, look to a person, made from the JSON of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wellkept.surfaces.cli.screen import Column, local_text

if TYPE_CHECKING:
    from wellkept.surfaces.cli.screen import Screen

JSON = Any

_COLUMNS = (
    Column(name="ID", style="cyan"),
    Column(name="field"),
    Column(name="so far"),
    Column(name="state"),
    Column(name="since", style="dim"),
    Column(name="new", style="bold"),
)


def profile(screen: Screen, value: JSON) -> None:
    """Name and value a line."""
    if not value:
        screen.say("Nothing is noted. `wellkept remember` or a yes to a question notes it.")
    screen.pairs([(name, one if isinstance(one, str) else "; ".join(one)) for name, one in value.items()])


def proposals(screen: Screen, value: JSON) -> None:
    """What waits, in a table."""
    if not value:
        screen.say("No questions.")
        return
    # Whole ids: `consent approve` takes no beginnings, for a yes must not reach the wrong question.
    names = ("id", "field", "old", "state")
    rows = [(*(one[name] or "" for name in names), local_text(one["at"]), one["new"]) for one in value]
    screen.table(_COLUMNS, rows)


def answered(screen: Screen, value: JSON) -> None:
    """What became of a question."""
    if value["state"] == "approved":
        screen.say(f"Noted: {value['field']} is {value['new']}.", "green")
    else:
        old = value.get("old")
        screen.say(f"Left as it was: {value['field']}{f' is {old}' if old else ''}.")


CONSENT_VIEWS: Mapping[str, Callable[[Screen, JSON], None]] = {
    "profile": profile,
    "consents": proposals,
    "approve": answered,
    "reject": answered,
}
