"""How the doctor speaks to a person, and asks before it changes anything."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from recollect.surfaces.cli.screen import Column
from recollect.vocabulary import DOCTOR_CHECKS

if TYPE_CHECKING:
    from recollect.app import Viewpoint
    from recollect.flows.doctor import Diagnosis
    from recollect.operation import Operation
    from recollect.surfaces.cli.screen import Screen

EXAMPLES_MAX = 3

_COLUMNS = (
    Column(name="check"),
    Column(name="found", is_number=True),
    Column(name="what"),
    Column(name="such as", style="dim"),
)


def agreed(operation: Operation, viewpoint: Viewpoint, arguments: dict[str, Any], screen: Screen) -> bool:
    """Whether to go on: what would be changed is shown first, and asked, unless `--yes` said so already."""
    is_sure = arguments.pop("yes")
    if is_sure or not arguments["fix"]:
        return True
    if screen.form != "text":
        raise click.UsageError("--fix with --json asks nobody: give --yes as well.")
    found = operation.value(viewpoint, {**arguments, "fix": False})
    diagnosis(screen, found)
    return found.is_well or click.confirm("Put right what can be?")


def diagnosis(screen: Screen, found: Diagnosis) -> None:
    """What is wrong, by check."""
    rows = []
    for check in DOCTOR_CHECKS:
        if found.counts.get(check):
            mine = [one for one in found.findings if one.check == check]
            codes = Counter(one.code for one in mine)
            what = ", ".join(f"{code} {count}" if len(codes) > 1 else code for code, count in codes.most_common())
            is_hopeless = mine and not any(one.can_fix for one in mine)
            examples = " ".join(one.id for one in mine[:EXAMPLES_MAX])
            rows.append((check, str(found.counts[check]), what + (" (not by me)" if is_hopeless else ""), examples))
    if rows:
        screen.table(_COLUMNS, rows)
    total = sum(found.counts.values())
    if not total:
        screen.say("Nothing is wrong.", "green")
    elif found.fixed:
        screen.say(f"{found.fixed} of {total} put right.", "green")
    else:
        screen.say(f"{total} found. `recollect doctor --fix` shows what it would do and asks.")
    if found.dead_letters:
        screen.say(f"{found.dead_letters} jobs were given up: `recollect upkeep jobs` lists them.")
