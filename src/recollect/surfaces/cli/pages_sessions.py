"""How turns, sessions and todos look to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recollect.surfaces.cli.screen import Column, local, shortened

if TYPE_CHECKING:
    from recollect.flows.conversation import SessionShown
    from recollect.policies.sessions import Session
    from recollect.policies.todos import Todo
    from recollect.surfaces.cli.screen import Screen
    from recollect.turns import Turn

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


def turn(screen: Screen, value: Turn) -> None:
    """The block, then where the turn belongs."""
    screen.say(str(value.context))
    screen.pairs([("session", value.session.id), ("turn", str(value.session.turn_count))])


def finished(screen: Screen, value: str | None) -> None:
    """The id of the reply."""
    screen.say(f"Noted as {value}." if value is not None else "Nothing to note.")


def sessions(screen: Screen, value: Sequence[Session]) -> None:
    """Sessions in a table."""
    if not value:
        screen.say("No sessions yet.")
        return
    rows = [
        (
            one.id,
            str(one.number),
            str(one.turn_count),
            local(one.started_at),
            local(one.ended_at) if one.ended_at else "",
        )
        for one in value
    ]
    screen.table(_SESSIONS, rows)


def session(screen: Screen, value: SessionShown) -> None:
    """What it was about, then what was said."""
    sessions(screen, [value.session])
    summary = value.summary
    if summary is not None:
        screen.say(summary.one_liner, "bold")
        parts = [("mattered", summary.what_mattered), ("open", summary.open_loops), ("promised", summary.commitments)]
        parts += [("people", summary.people), ("tone", (summary.tone,))]
        screen.pairs([(name, "; ".join(items)) for name, items in parts if any(items)], indent=2)
    for message in value.messages:
        screen.say(f"{message.speaker or message.role}: {message.content}")


def todos(screen: Screen, value: Sequence[Todo]) -> None:
    """Todos in a table."""
    if not value:
        screen.say("Nothing to do.")
        return
    ids = shortened([one.id for one in value])
    rows = [
        (ids[one.id], one.kind.value, one.status.value, local(one.due_at) if one.due_at else "", one.text)
        for one in value
    ]
    screen.table(_TODOS, rows)


def ended(screen: Screen, value: Todo) -> None:
    """What became of it."""
    screen.say(f"{value.status.value.capitalize()}: {value.text}", "green")


SESSION_PAGES: Mapping[str, Callable[[Screen, Any], None]] = {
    "turn": turn,
    "finish_turn": finished,
    "sessions": sessions,
    "session": session,
    "todos": todos,
    "complete_todo": ended,
    "dismiss_todo": ended,
}
