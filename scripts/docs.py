"""Run the commands that the documentation shows and put their real output in place.

A block is run when the line above its fence says so: `<!-- run -->` above a console session (each `$ …` line is run,
what follows it is its output) or `<!-- generated: COMMAND -->` above a block that is the whole output of COMMAND. All
blocks of one document share one empty store, one user and one fixed clock.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts import seeds

ROOT = Path(__file__).resolve().parent.parent
NOW = "2026-03-02T09:00:00+00:00"
USER = "alice"
GENERATED = "generated: "

NOTE = re.compile(r"^<!-- (.+) -->$")
FENCE = re.compile(r"^(`{3,})(\w*)[^`]*$")
# Durations, the second decimal of a score and the marker of a context block differ from run to run.
VARYING = re.compile(r"\d+(?:\.\d+)? ?(?:ms|s)\b|\d+\.\d{2,}|(?<=<<<memory )\w+|(?<=<<<end )\w+")


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block; `start` and `end` are the lines of its body, `note` is the comment above the fence."""

    language: str
    note: str
    start: int
    end: int
    body: tuple[str, ...]


def documents() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def blocks(text: str) -> Iterator[Block]:
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if fence := FENCE.match(lines[at]):
            start = at + 1
            end = start
            while end < len(lines) and lines[end] != fence[1]:
                end += 1
            note = NOTE.match(lines[at - 1]) if at else None
            yield Block(
                language=fence[2],
                note=note[1] if note else "",
                start=start,
                end=end,
                body=tuple(lines[start:end]),
            )
            at = end
        at += 1


def render(text: str, run: Callable[[str], str]) -> str:
    """The document with every shown output made real; an output that differs only in timings and scores is kept."""
    lines = text.split("\n")
    # Run in the order of the page; write from its end, so that the line numbers before stay right.
    for shown, real in reversed([(block, _real(block, run)) for block in blocks(text)]):
        if steady(real) != steady(shown.body):
            lines[shown.start : shown.end] = real
    return "\n".join(lines)


def steady(lines: Iterable[str]) -> list[str]:
    """The lines without what differs from run to run."""
    return [re.sub(r"\s+", " ", VARYING.sub("#", line)).rstrip() for line in lines]


def shell(folder: Path) -> Callable[[str], str]:
    """A runner of command lines in `folder`: what a command prints on either stream, without trailing blanks."""
    path = os.pathsep.join([str(Path(sys.executable).parent), str(ROOT / ".venv" / "bin"), os.environ.get("PATH", "")])
    variables = {
        "COLUMNS": "100",
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "PATH": path,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        "WELLKEPT_DB": str(folder / "memory.db"),
        "WELLKEPT_USER": USER,
        "TZ": "UTC",
    }
    clock = f'wellkept() {{ command wellkept --now {NOW} "$@"; }}\n'

    def run(command: str) -> str:
        done = subprocess.run(
            ["bash", "-c", clock + command],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        if done.returncode > 1:  # 1 is a refusal, which may well be what the document shows
            raise RuntimeError(f"`{command}` ended with exit status {done.returncode}:\n{done.stdout}")
        return "\n".join(line.rstrip() for line in done.stdout.rstrip().split("\n"))

    return run


def _real(block: Block, run: Callable[[str], str]) -> list[str]:
    if block.note.startswith(GENERATED):
        return run(block.note.removeprefix(GENERATED)).split("\n")
    if block.note != "run":
        return list(block.body)
    return [line for command in _commands(block) for line in (*command, *_output("\n".join(command), run))]


def _commands(block: Block) -> Iterator[list[str]]:
    """The command lines of a session, a command that goes on after a backslash as one."""
    command: list[str] = []
    for line in block.body:
        if command or line.startswith("$ "):
            command.append(line)
            if not line.endswith("\\"):
                yield command
                command = []


def _output(command: str, run: Callable[[str], str]) -> list[str]:
    printed = run(command.removeprefix("$ "))
    return printed.split("\n") if printed else []


def main() -> None:
    seeds.main()
    for document in documents():
        before = document.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory(prefix="wellkept-docs-") as folder:
            after = render(before, shell(Path(folder)))
        if after != before:
            document.write_text(after, encoding="utf-8")
            print("\n".join(difflib.unified_diff(before.split("\n"), after.split("\n"), str(document), lineterm="")))


if __name__ == "__main__":
    main()
