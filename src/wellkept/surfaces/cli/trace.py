"""`wellkept trace record` and `replay`: what a governed conversation decides, as a file that can be proven again."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from wellkept.errors import InvalidInput
from wellkept.surfaces.cli.options import chosen, plain_command

SHOWN_BEFORE, SHOWN_AFTER = 60, 140
"""Characters around the place where a replay differs; --json has all of both."""
_REPLAYED_ALONE = "not replay on a fresh store; for that, take another session or another --db."
_FILE = click.Path(dir_okay=False, path_type=str)
_GIVEN = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=str)


def _record(conversation: str, output: str | None) -> None:
    from wellkept import replay

    settings, screen = chosen()
    given = _read(conversation, replay.playable)
    with settings.opened() as viewpoint:
        begun = [name for name in replay.sessions(given) if viewpoint.traces(name, limit=1)]
        recorded = replay.recording(given, replay.play(given, viewpoint.memory))
    for name in begun:
        screen.warn(f"The session {name!r} had begun before, so this goes on from there and will {_REPLAYED_ALONE}")
    if output is None:
        screen.data(recorded)
        return
    # One line: recordings are compared byte for byte, not read.
    Path(output).write_text(replay.canonical(recorded) + "\n", encoding="utf-8")
    told = [event for answer in recorded["traces"] for event in answer]
    refused = [(n, one["error"]) for n, answer in enumerate(recorded["traces"], 1) for one in answer if "error" in one]
    events = len(told) - len(refused)
    sentences = [f"{_counted(events, 'event')} recorded.", *(f"Call {n} was refused: {code}." for n, code in refused)]
    data = {"calls": len(recorded["traces"]), "events": events, "refused": len(refused), "output": output}
    screen.tell(data, "\n".join(sentences))


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _replay(files: tuple[str, ...]) -> None:
    from wellkept import replay

    _, screen = chosen()
    if not files:
        raise click.UsageError("Give at least one recording.")
    found: list[dict[str, Any]] = []
    for file in files:
        recorded = _read(file, partial(replay.checked, is_recorded=True))
        difference = replay.replay(recorded)
        calls = len(recorded["traces"])
        found.append({"file": file, "calls": calls, "same": difference is None})
        if difference is not None:
            found[-1] |= {"call": difference.call, "recorded": difference.recorded, "replayed": difference.replayed}
    if screen.form == "text":
        for one in found:
            same = f"{_counted(one['calls'], 'call')}, the same bytes"
            screen.say(f"{one['file']}: {same if one['same'] else _differs(one)}")
    else:
        screen.data(found)
    click.get_current_context().exit(0 if all(one["same"] for one in found) else 1)


def _differs(one: Mapping[str, Any]) -> str:
    recorded, replayed = str(one["recorded"]), str(one["replayed"])
    pairs = enumerate(zip(recorded, replayed, strict=False))
    at = next((at for at, (a, b) in pairs if a != b), min(len(recorded), len(replayed)))
    return f"call {one['call']} differs\n  recorded {_around(recorded, at)}\n  replayed {_around(replayed, at)}"


def _around(text: str, at: int) -> str:
    """What stands about a place of a long text."""
    start, end = max(at - SHOWN_BEFORE, 0), at + SHOWN_AFTER
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def _read(path: str, checked: Callable[[object], dict[str, Any]]) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        return checked(json.loads(text))
    except UnicodeDecodeError:
        raise InvalidInput(f"{path}: The file is not valid UTF-8.", code="invalid_conversation") from None
    except ValueError as error:
        what = error if isinstance(error, InvalidInput) else f"Not JSON: {error}."
        raise InvalidInput(f"{path}: {what}", code="invalid_conversation") from None


def record() -> click.Command:
    doc = 'Play a conversation ({"session": …, "calls": […]}) in governed sessions and record what they decide.'
    output = click.Option(["--output"], type=_FILE, help="Write the recording to this file instead of printing it.")
    return plain_command("record", doc, _record, click.Argument(["conversation"], type=_GIVEN), output)


def replay() -> click.Command:
    doc = "Play recordings on a fresh store and compare what is decided, byte for byte."
    return plain_command("replay", doc, _replay, click.Argument(["files"], nargs=-1, type=_GIVEN))
