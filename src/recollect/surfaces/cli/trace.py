"""`recollect trace`: record what a governed conversation decides, show it, replay it, and compare phases."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recollect.errors import InvalidInput
from recollect.surfaces.cli.screen import Column, Screen

if TYPE_CHECKING:
    from recollect.policies.traces import Event
    from recollect.surfaces.cli.options import Settings

HELP = "Governed sessions: what they decided and why, and the proof that it can be replayed."
EPILOG = "The options of `recollect --help` may stand here too."
_FILE = click.Path(dir_okay=False, allow_dash=True, path_type=str)
_SHOWN = (
    "reason", "rule", "action", "from_space", "to_space", "allowed", "memory_id", "winner_id", "loser_id", "phase_id",
    "query",
)  # fmt: skip


def _record(conversation: str, output: str | None) -> None:
    from recollect import replay

    settings, screen = _place()
    given = _read(conversation)
    with settings.opened() as viewpoint:
        recorded = replay.recording(given, replay.play(given, viewpoint.memory))
    if output is None:
        screen.data(recorded)
        return
    # One line: recordings are compared byte for byte, not read.
    Path(output).write_text(replay.canonical(recorded) + "\n", encoding="utf-8")
    events = sum(len(answer) for answer in recorded["traces"])
    _tell(screen, {"calls": len(recorded["traces"]), "events": events, "output": output}, f"{events} events recorded.")


def _show(session: str, after: int, limit: int) -> None:
    settings, screen = _place()
    with settings.opened() as viewpoint:
        kept = viewpoint.memory.governed(session=session).traces(after=after, limit=limit)
    if screen.form != "text":
        screen.data([{"number": one.number, "call": one.call, "event": dict(one.event)} for one in kept])
    elif not kept:
        screen.say("No traces of that session.")
    else:
        columns = (Column(name="#", is_number=True), Column(name="call", is_number=True), Column(name="event"))
        rows = [(str(one.number), str(one.call), _line(dict(one.event))) for one in kept]
        screen.table(columns, rows)


def _replay(files: tuple[str, ...]) -> None:
    from recollect import replay

    _, screen = _place()
    if not files:
        raise click.UsageError("Give at least one recording.")
    found: list[dict[str, Any]] = []
    for file in files:
        recorded = _read(file)
        if "traces" not in recorded:
            raise InvalidInput(f"{file} has no traces; make a recording with `recollect trace record`.")
        difference = replay.replay(recorded)
        calls = len(recorded["traces"])
        found.append({"file": file, "calls": calls, "same": difference is None})
        if difference is not None:
            found[-1] |= {"call": difference.call, "recorded": difference.recorded, "replayed": difference.replayed}
    if screen.form == "text":
        for one in found:
            screen.say(f"{one['file']}: " + (f"{one['calls']} calls, the same bytes" if one["same"] else _differs(one)))
    else:
        screen.data(found)
    click.get_current_context().exit(0 if all(one["same"] for one in found) else 1)


def _differs(one: Mapping[str, Any]) -> str:
    return f"call {one['call']} differs\n  recorded {one['recorded']}\n  replayed {one['replayed']}"


def _diff(session: str, from_phase: str, to_phase: str, space: str, project: str | None) -> None:
    settings, screen = _place()
    with settings.opened() as viewpoint:
        governed = viewpoint.memory.governed(session=session, user=settings.user, project=project)
        events = governed.diff(from_phase, to_phase, space=space)
    if screen.form != "text":
        screen.data(events)
        return
    for event in events:
        if event["type"] != "memory_phase_diff":
            continue
        for line in event["summary_lines"]:
            screen.say(line)
        for change in event["top_changes"]:
            screen.say(f"  {change['change']}: {change['dedup_key']}")


def _line(event: Event) -> str:
    said = [f"{name}={event[name]}" for name in _SHOWN if event.get(name) is not None]
    counts = [f"{name}={len(event[name])}" for name in ("recalled", "written") if isinstance(event.get(name), list)]
    return " ".join([str(event["type"]), *counts, *said])


def _place() -> tuple[Settings, Screen]:
    settings: Settings = click.get_current_context().obj
    return settings, Screen(settings.form)


def _tell(screen: Screen, data: Mapping[str, Any], sentence: str) -> None:
    if screen.form == "text":
        screen.say(sentence)
    else:
        screen.data(dict(data))


def _read(path: str) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        found = json.loads(text)
    except (UnicodeDecodeError, ValueError) as error:
        raise InvalidInput(f"{path} is not JSON: {error}.", code="invalid_conversation") from None
    if not isinstance(found, dict):
        raise InvalidInput(f"{path} is not an object.", code="invalid_conversation")
    return found


def _command(name: str, doc: str, callback: Callable[..., None], *params: click.Parameter) -> click.Command:
    return click.Command(name, params=list(params), help=doc, short_help=doc, epilog=EPILOG, callback=callback)


def record() -> click.Command:
    """`trace record`."""
    doc = 'Play a conversation ({"session": …, "calls": […]}) in governed sessions and record what they decide.'
    output = click.Option(["--output"], type=_FILE, help="Write the recording to this file instead of printing it.")
    return _command("record", doc, _record, click.Argument(["conversation"], type=_FILE), output)


def show() -> click.Command:
    """`trace show`."""
    return _command(
        "show",
        "Show the kept events of a governed session, oldest first.",
        _show,
        click.Argument(["session"]),
        click.Option(["--after"], type=click.INT, default=0, help="Only events numbered above this."),
        click.Option(["--limit"], type=click.INT, default=200, show_default=True, help="At most so many."),
    )


def replay() -> click.Command:
    """`trace replay`."""
    doc = "Play recordings on a fresh store and compare what is decided, byte for byte."
    return _command("replay", doc, _replay, click.Argument(["files"], nargs=-1, type=_FILE))


def diff() -> click.Command:
    """`trace diff`."""
    return _command(
        "diff",
        "Say what changed between two phases of a governed session.",
        _diff,
        click.Argument(["session"]),
        click.Argument(["from_phase"]),
        click.Argument(["to_phase"]),
        click.Option(["--space"], default="session", show_default=True, help="Which space of the session."),
        click.Option(["--project"], help="The project of the session, for its space."),
    )


COMMANDS: Mapping[str, Callable[[], click.Command]] = {"record": record, "show": show, "replay": replay, "diff": diff}
