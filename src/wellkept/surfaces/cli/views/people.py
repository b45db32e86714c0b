"""How people look to a person, made from the JSON of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wellkept.surfaces.cli.screen import Column, shortened

if TYPE_CHECKING:
    from wellkept.surfaces.cli.screen import Screen

JSON = Any

DOUBTS: Mapping[str, str] = {
    "new_name": "the names are alike",
    "name_learned": "of the same name",
    "display_name": "a user came who is called so",
}


def people(screen: Screen, value: JSON) -> None:
    """People in a table."""
    if not value:
        screen.say("Nobody yet.")
        return
    ids = shortened([one["id"] for one in value])
    columns = (Column(name="ID", style="cyan"), *(Column(name=name) for name in ("name", "relation", "also called")))
    rows = [(ids[one["id"]], one["name"], one["relation"] or "", ", ".join(one["aliases"])) for one in value]
    screen.table(columns, rows)


def acquaintance(screen: Screen, value: JSON) -> None:
    """One person without memories."""
    screen.say(value["name"], "bold")
    pairs = [("id", value["id"]), ("relation", value["relation"] or ""), ("also called", ", ".join(value["aliases"]))]
    screen.pairs([(name, text) for name, text in pairs if text], indent=2)


def merged(screen: Screen, value: JSON) -> None:
    """Who stayed, and how to take it back."""
    acquaintance(screen, value)
    screen.say(f"`wellkept people split {value['merged']}` takes it back.", "dim")


def reviewed(screen: Screen, value: JSON) -> None:
    """What was answered, then the pairs that wait."""
    if value["same"] is not None:
        merged(screen, value["same"])
    if value["different"]:
        screen.say(f"{' and '.join(_called(one) for one in value['different'])} are two people.")
    waiting = value["waiting"]
    if not waiting:
        screen.say("No questions are waiting.")
        return
    ids = shortened([doubt[side]["id"] for doubt in waiting for side in ("one", "other")])
    columns = (
        *(Column(name=name, style="cyan" if name == "ID" else "") for name in ("ID", "may be", "ID", "same as")),
        Column(name="because"),
    )
    rows = [
        (
            *(text for side in ("one", "other") for text in (ids[doubt[side]["id"]], _called(doubt[side]))),
            DOUBTS.get(doubt["reason"], doubt["reason"]),
        )
        for doubt in waiting
    ]
    screen.table(columns, rows)
    screen.say("Answer with --same ID ID or --different ID ID.", "dim")


def _called(one: JSON) -> str:
    relation, name = one["relation"], str(one["name"])
    return f"{name} ({relation})" if relation and relation not in name else name


def forgotten(screen: Screen, value: JSON) -> None:
    """How much is gone, and what stays."""
    name = value["name"]
    if value["archived"]:
        screen.say(f"Archived {value['archived']} about {name}; `wellkept memory restore` brings one back.", "green")
    else:
        screen.say(f"Nothing about {name} was left to forget.")
    if value["kept"]:
        screen.say(f"{value['kept']} more are not yours to change.")
    if value["is_record_deleted"]:
        screen.say(f"The record of {name} is removed.")


PEOPLE_VIEWS: Mapping[str, Callable[[Screen, JSON], None]] = {
    "people": people,
    "split_person": people,
    "alias_person": acquaintance,
    "rename_person": acquaintance,
    "relate_person": acquaintance,
    "merge_people": merged,
    "review_people": reviewed,
    "forget_person": forgotten,
}
