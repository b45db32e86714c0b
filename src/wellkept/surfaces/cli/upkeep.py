"""`wellkept worker`, and how the answers of upkeep look to a person, made from their JSON."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from wellkept.surfaces.cli.screen import Column, Screen, local_text
from wellkept.types import as_json

if TYPE_CHECKING:
    from wellkept.surfaces.cli.options import Settings

JSON = Any

EPILOG = "The options of `wellkept --help` may stand here too."
WORKER = "Run jobs of every tenant as they come due and on schedule, until Ctrl-C; any number of workers share them."


def worker() -> click.Command:
    """The command that runs jobs for a fleet."""
    return click.Command(
        "worker",
        params=[click.Option(["--once"], is_flag=True, help="End when nothing is due.")],
        help=WORKER,
        short_help="Run jobs as they come due and on schedule.",
        epilog=EPILOG,
        callback=_worker,
    )


def _worker(*, once: bool) -> None:
    from wellkept.surfaces import logs, telemetry  # no other command needs them

    settings: Settings = click.get_current_context().obj
    screen = Screen(settings.form)
    with settings.opened() as viewpoint:
        runner = viewpoint.memory.upkeep.runner
        if once:
            rounds(screen, as_json(runner.run_due()))
            return
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: runner.cease())
        screen.warn("Working. Ctrl-C ends after the job that is running.")
        with logs.configured(viewpoint.memory.config.server), telemetry.exporting(os.environ):
            runner.work(lambda done: rounds(screen, as_json([done])))


def rounds(screen: Screen, value: JSON) -> None:
    """What each job did, one a line."""
    if screen.form != "text":
        for one in value:
            screen.data({name: one[name] for name in ("job", "status", "counts", "error")}, is_one_of_many=True)
        return
    for one in value:
        told = ", ".join(f"{number} {name}" for name, number in one["counts"].items() if number)
        screen.say(f"{one['job']}: {one['error'] or told or 'nothing to do'} ({one['status']})")


def queue(screen: Screen, value: JSON) -> None:
    """What waits, runs or was given up."""
    rows = [
        (
            job["name"],
            "running" if job["lease"] else job["state"],
            str(job["attempts"]),
            local_text(job["due_at"]),
            job["error"] or "",
        )
        for job in (*value["pending"], *value["dead"])
    ]
    if not rows:
        screen.say("No jobs wait, and none was given up.")
        return
    columns = (
        Column(name="job", style="cyan"),
        Column(name="state"),
        Column(name="attempts", is_number=True),
        Column(name="due"),
        Column(name="error", style="red"),
    )
    screen.table(columns, rows)


def retried(screen: Screen, value: JSON) -> None:
    """How many jobs get another chance."""
    screen.say(f"{value['retried']} jobs are queued again.")


def removed(screen: Screen, value: JSON) -> None:
    """How much is gone for good."""
    screen.say(f"Removed {value['purged']} for good.")


def lines(screen: Screen, value: JSON) -> None:
    """An export, a line each."""
    for line in value:
        screen.data(line, is_one_of_many=True)


def document(screen: Screen, value: JSON) -> None:
    """What is held about a user."""
    screen.say(value["text"].rstrip("\n"))


def erased(screen: Screen, value: JSON) -> None:
    """What a certificate says."""
    counts = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in value["counts"].items())
    screen.say(f"Erased {counts or 'nothing'}.")
    looked = f"{value['sentences']} sentences in {value['bytes']:,} bytes of {value['files']} files"
    screen.say(f"Looked for {looked}: {value['found']} found.")
    screen.say(f"Not covered: {', '.join(value['not_covered'])}.")
    screen.say(f"Certificate {value['hash']}: {value['status']}.")
    if value["status"] == "incomplete":
        screen.say("A job tries again in a minute; the same command does so now, and looks for the same sentences.")


UPKEEP_VIEWS: Mapping[str, Callable[[Screen, JSON], None]] = {
    "run_upkeep": rounds,
    "jobs": queue,
    "retry_jobs": retried,
    "compact": removed,
    "export_user": lines,
    "erase_user": erased,
    "bundle_user": document,
}
