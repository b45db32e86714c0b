"""What is said to somebody who is mistaken: the command that was meant, wrong usage, and a store that is not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from wellkept.surfaces.cli.options import HOW_TO_BEGIN

if TYPE_CHECKING:
    from wellkept.surfaces.cli.options import Settings
    from wellkept.surfaces.cli.screen import Screen

WRONG_USAGE = frozenset(
    """
    empty_name empty_query invalid_agent invalid_budget invalid_category invalid_chat_type invalid_cursor
    invalid_expiry invalid_fact invalid_filter invalid_id invalid_input invalid_lifetime invalid_limit
    invalid_name invalid_pair invalid_parameter invalid_phase_name invalid_phase_reason invalid_return
    invalid_scope invalid_sensitivity invalid_source invalid_sources invalid_space invalid_status
    invalid_strategy invalid_text invalid_threshold invalid_time invalid_type invalid_url invalid_viewpoint
    no_chat no_owner not_confirmed not_over_rpc query_too_long unknown_check unknown_job unknown_name
    """.split()
)
"""Mistakes of whoever typed the command: exit status 2; by code, as a server's errors have no class. All others: 1."""
_ALIKE = (
    ("delete", "forget", "remove", "rm", "del", "drop", "erase", "purge", "trash"),
    ("restore", "undelete", "recover", "unforget", "undo"),
    ("search", "find", "recall", "grep", "lookup", "ask", "query"),
    ("show", "get", "view", "cat", "open", "inspect"),
    ("list", "ls", "all"),
    ("edit", "update", "change", "set", "correct"),
    ("remember", "add", "store", "save", "learn", "put", "new", "create"),
    ("history", "log", "versions", "changes"),
    ("gc", "clean", "cleanup", "collect"),
    ("compact", "vacuum", "shrink"),
    ("people", "person", "persons", "contacts"),
    ("rename", "name"),
    ("merge", "join"),
    ("export", "dump", "download"),
    ("import", "load", "upload"),
    ("backup", "snapshot", "copy"),
    ("doctor", "check", "verify", "repair", "fix", "fsck", "diagnose"),
    ("approve", "yes", "accept", "confirm"),
    ("reject", "no", "deny", "decline"),
    ("todos", "tasks", "reminders"),
    ("done", "complete", "finish", "close"),
    ("dismiss", "cancel", "skip", "drop"),
    ("revoke", "remove", "delete"),
    ("upkeep", "jobs", "maintenance"),
    ("serve", "server", "http", "studio"),
    ("stats", "status", "counts", "metrics"),
)
"""Words that people use for one another; where there is a command, it is the first of those that are commands."""
SUGGESTED_MAX = 3


def nearest(word: str, here: str, commands: Mapping[str, Sequence[str]], named: Mapping[str, str]) -> list[str]:
    """Whole commands, the likeliest first.

    `commands` has the words of each group, `here` is where it was asked, and `named` has what is called so in Python.
    """
    said = word.casefold()
    meant = _by_meaning(said)
    own = commands[here]
    found = [f"{here} {name}" for name in meant if name in own]
    if not found:
        known = {**named, **{name: f"{here} {name}" for name in own}}
        found = [known[name] for name in ([said] if said in named else get_close_matches(said, known, n=SUGGESTED_MAX))]
    others = {group: names for group, names in commands.items() if group != here}
    found += [f"{group} {said}" for group, names in others.items() if said in names]
    if not found:
        found = [f"{group} {name}" for name in meant for group, names in others.items() if name in names]
    return list(dict.fromkeys(found))[:SUGGESTED_MAX]


def _by_meaning(said: str) -> list[str]:
    """Words of the same meaning in the order of the table, the commonest first."""
    return list(dict.fromkeys((said, *(word for alike in _ALIKE if said in alike for word in alike))))


@contextmanager
def empty(settings: Settings, screen: Screen) -> Iterator[Settings]:
    """For a command that only looks: it is told that there is no store, and looks at an empty one, kept nowhere."""
    screen.warn(f"There is no store at {settings.missing}. {HOW_TO_BEGIN}")
    with TemporaryDirectory() as folder:
        yield replace(settings, db=f"{folder}/memory.db")
