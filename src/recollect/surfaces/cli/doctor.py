"""How the doctor speaks to a person, made from its JSON, and asks before it changes anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from recollect.surfaces.cli.screen import Column
from recollect.vocabulary import DOCTOR_CHECKS

if TYPE_CHECKING:
    from recollect.surfaces.cli.screen import Screen

JSON = Any

EXAMPLES_MAX = 3

_COLUMNS = (
    Column(name="check"),
    Column(name="found", is_number=True),
    Column(name="what"),
    Column(name="such as", style="dim"),
)


def agreed(called: Callable[[Mapping[str, Any]], JSON], arguments: dict[str, Any], screen: Screen) -> bool:
    """Whether to go on: what would be changed is shown first, and asked, unless `--yes` said so already."""
    is_sure = arguments.pop("yes")
    if is_sure or not arguments["fix"]:
        return True
    if screen.form != "text":
        raise click.UsageError("--fix with --json asks nobody: give --yes as well.")
    found = called({**arguments, "fix": False})
    diagnosis(screen, found)
    return found["is_well"] or click.confirm("Put right what can be?")


def diagnosis(screen: Screen, value: JSON) -> None:
    """What is wrong, by check."""
    rows = []
    counts = value["counts"]
    for check in DOCTOR_CHECKS:
        if counts.get(check):
            mine = [one for one in value["findings"] if one["check"] == check]
            codes = Counter(one["code"] for one in mine)
            what = ", ".join(f"{code} {count}" if len(codes) > 1 else code for code, count in codes.most_common())
            is_hopeless = mine and not any(one["can_fix"] for one in mine)
            examples = " ".join(one["id"] for one in mine[:EXAMPLES_MAX])
            rows.append((check, str(counts[check]), what + (" (not by me)" if is_hopeless else ""), examples))
    if rows:
        screen.table(_COLUMNS, rows)
    total = sum(counts.values())
    if not total:
        screen.say("Nothing is wrong.", "green")
    elif value["fixed"]:
        screen.say(f"{value['fixed']} of {total} put right.", "green")
    else:
        screen.say(f"{total} found. `recollect doctor --fix` shows what it would do and asks.")
    if value["sealed"]:
        where = " ".join(one["id"] for one in value["sealed"][:EXAMPLES_MAX])
        screen.say(f"{len(value['sealed'])} breaks of the ledger are known and sealed: {where}.")
    if value["dead_letters"]:
        screen.say(f"{value['dead_letters']} jobs were given up: `recollect upkeep jobs` lists them.")
