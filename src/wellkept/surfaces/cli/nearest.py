"""Which command somebody may have meant: another spelling, another word for it, or its place in another group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

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
