"""How checkpoints look to a person, made from the JSON of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wellkept.surfaces.cli.screen import Column, local_text

if TYPE_CHECKING:
    from wellkept.surfaces.cli.screen import Screen

JSON = Any

_COLUMNS = (
    Column(name="thread", style="cyan"),
    Column(name="version", is_number=True),
    Column(name="begun", style="dim"),
    Column(name="saved", style="dim"),
)


def checkpoints(screen: Screen, value: JSON) -> None:
    """Threads in a table."""
    if not value:
        screen.say("No checkpoints.")
        return
    times = ("created_at", "updated_at")
    rows = [(one["thread_id"], str(one["version"]), *(local_text(one[name]) for name in times)) for one in value]
    screen.table(_COLUMNS, rows)


def checkpoint(screen: Screen, value: JSON) -> None:
    """Its head, then the state as JSON."""
    checkpoints(screen, [value])
    screen.data(value["data"])


def saved(screen: Screen, value: JSON) -> None:
    """The version to save over next."""
    screen.say(f"Saved {value['thread_id']}, version {value['version']}.", "green")


def deleted(screen: Screen, value: JSON) -> None:
    """What is gone."""
    screen.say(f"Deleted {value['thread_id']}, version {value['version']}.")


CHECKPOINT_VIEWS: Mapping[str, Callable[[Screen, JSON], None]] = {
    "checkpoints": checkpoints,
    "checkpoint": checkpoint,
    "save_checkpoint": saved,
    "delete_checkpoint": deleted,
}
