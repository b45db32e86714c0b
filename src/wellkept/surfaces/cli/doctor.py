"""How the doctor speaks to a person, made from its JSON, and asks before it changes anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from wellkept.surfaces.cli.screen import Column
from wellkept.vocabulary import DOCTOR_CHECKS

if TYPE_CHECKING:
    from wellkept.surfaces.cli.screen import Screen

JSON = Any

EXAMPLES_MAX = 3

REMEDIES: Mapping[str, str] = {
    "embed-missing": "make the vectors",
    "normalize": "write the text clean",
    "provenance": "archive",
    "self-facts": "make the speaker the subject",
    "subjects": "drop who is not there",
    "attribution": "name the writer, or nobody",
    "names": "write the name clean",
    "reclassify": "give it its type",
    "quality": "archive",
    "duplicates": "archive the lesser one",
    "contradictions": "let the stronger stand",
    "entities": "write the refs clean",
    "index": "make the word index anew",
    "ledger": "seal: known from now on",
    "integrity": "remove orphans, archive lost texts, make indexes anew",
}
"""What `--fix` does about the findings of a check."""
HOPELESS: Mapping[str, str] = {
    "embed-missing": "not by me: the embedder gave no answer",
    "integrity": "not by me: restore a backup",
}
"""What is said where it can do nothing."""

_COLUMNS = (
    Column(name="check"),
    Column(name="found", is_number=True),
    Column(name="what"),
    Column(name="such as", style="dim"),
    Column(name="--fix"),
)


def agreed(called: Callable[[Mapping[str, Any]], JSON], arguments: dict[str, Any], screen: Screen) -> bool:
    """Whether to go on: what would be changed is shown first, and asked, unless `--yes` said so already."""
    is_sure = arguments.pop("yes")
    if is_sure or not arguments["fix"]:
        return True
    if screen.form != "text":
        raise click.UsageError("--fix with --json asks nobody: give --yes as well.")
    found = called({**arguments, "fix": False})
    diagnosis(screen, found, is_preview=True)
    return found["is_well"] or click.confirm("Put right what can be?")


def diagnosis(screen: Screen, value: JSON, *, is_preview: bool = False) -> None:
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
            remedy = HOPELESS.get(check, "not by me") if is_hopeless else REMEDIES[check]
            rows.append((check, str(counts[check]), what, examples, remedy))
    if rows:
        screen.table(_COLUMNS, rows)
    total = sum(counts.values())
    if not total:
        screen.say("Nothing is wrong.", "green")
    elif value["fixed"]:
        screen.say(f"{value['fixed']} of {total} put right.", "green")
    else:
        screen.say(
            f"{total} found." if is_preview else f"{total} found. `wellkept doctor --fix` asks, and puts it right."
        )
    if value["sealed"]:
        where = " ".join(one["id"] for one in value["sealed"][:EXAMPLES_MAX])
        screen.say(f"Known and sealed breaks of the ledger: {len(value['sealed'])} ({where}).")
    if value["dead_letters"]:
        screen.say(f"{value['dead_letters']} jobs were given up: `wellkept upkeep jobs` lists them.")
