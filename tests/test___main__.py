"""The entry of the command line: what it starts before it reads the command."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from wellkept.__main__ import NEED_MODEL
from wellkept.surfaces.cli.commands import root

# Runs the command in a process where reading the model says which thread does it.
WATCHED = """
import sys, threading
from wellkept.models.bundled import Bundled
read = Bundled._session
def told(self):
    print("read by", threading.current_thread().name, file=sys.stderr)
    return read(self)
Bundled._session = told
from wellkept.__main__ import main
sys.exit(main())
"""


def names(command: click.Command) -> set[str]:
    if not isinstance(command, click.Group):
        return {command.name or ""}
    context = click.Context(command)
    parts = (command.get_command(context, name) for name in command.list_commands(context))
    return set().union(*(names(part) for part in parts if part is not None))


def test_what_needs_the_model_are_commands() -> None:
    assert names(root()) >= NEED_MODEL


@pytest.mark.parametrize(
    ("words", "readers"),
    [(("memory", "search", "tea"), ["read by wellkept-model"]), (("memory", "list"), []), (("search", "--help"), [])],
)
def test_the_model_is_read_once_beside_the_program(tmp_path, words: tuple[str, ...], readers: list[str]) -> None:
    command = [sys.executable, "-c", WATCHED, "--db", str(tmp_path / "memory.db"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert [line for line in done.stderr.splitlines() if line.startswith("read by")] == readers
