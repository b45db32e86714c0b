"""`wellkept bench` and `wellkept eval`: the measurements of the repository, when the package runs from a clone."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

import wellkept
from wellkept.errors import InvalidInput, NoCheckout, WellkeptError
from wellkept.surfaces.cli.options import chosen, plain_command
from wellkept.surfaces.cli.screen import Column, Screen, columns, progress

MISSED = "missed"
EPILOG = "Comes with a clone of the repository, not with an installed package."


def bench() -> click.Command:
    return plain_command(
        "bench",
        "Run a bench with its own options; without a name, list what there is.",
        _bench,
        click.Argument(["name"], required=False),
        click.Argument(["arguments"], nargs=-1, type=click.UNPROCESSED),
        epilog=EPILOG,
        hidden=not has_folder("bench"),
        # What stands after the name is the bench's own, its --help too.
        context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    )


def evaluation() -> click.Command:
    doc = "Measure the labelled sets, all or one, and show their key figures beside the targets."
    name = click.Argument(["name"], required=False)
    return plain_command("eval", doc, _eval, name, epilog=EPILOG, hidden=not has_folder("evals"))


def folder(name: str) -> Path:
    """A folder of the clone that this package runs from."""
    if not has_folder(name):
        raise NoCheckout(name)
    return _root() / name


def has_folder(name: str) -> bool:
    """Whether this package runs from a clone that has it."""
    return (_root() / "pyproject.toml").is_file() and (_root() / name).is_dir()


def _root() -> Path:
    return Path(wellkept.__file__).resolve().parents[2]


def benches(place: Path) -> dict[str, Path]:
    """Name → file of every module that can be run; the others serve them."""
    files = sorted(place.glob("*.py"))
    return {path.stem.replace("_", "-"): path for path in files if "__main__" in path.read_text(encoding="utf-8")}


def first_line(path: Path) -> str:
    """What a module says of itself, without importing it."""
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return told.partition("\n")[0]


def _bench(name: str | None, arguments: Sequence[str]) -> None:
    context = click.get_current_context()
    _, screen = chosen()
    found = benches(folder("bench"))
    if name is None:
        rows = [(one, first_line(path)) for one, path in found.items()]
        if screen.form == "text":
            screen.table(columns("bench[cyan], measures"), rows)
        else:
            screen.data([{"name": one, "doc": doc} for one, doc in rows])
        return
    _check(name, found)
    command = [sys.executable, str(found[name]), *arguments]
    if screen.form == "text":
        context.exit(subprocess.run(command, env=_environment(), check=False).returncode)  # noqa: S603 -- a file of the clone
    done = subprocess.run(command, env=_environment(), check=False, stdout=subprocess.PIPE, encoding="utf-8")  # noqa: S603 -- the same
    screen.data({"name": name, "status": done.returncode, "output": done.stdout})
    context.exit(done.returncode)


def _eval(name: str | None) -> None:
    context = click.get_current_context()
    _, screen = chosen()
    place = folder("evals")
    sets = {path.parent.name: path for path in sorted(place.glob("*/run.py"))}
    if name is not None:
        _check(name, sets)
    wanted = list(sets) if name is None else [name]
    rows: list[dict[str, Any]] = []
    with progress("Measure the labelled sets", len(wanted)) as tell:
        for number, found in enumerate(_measured(place.parent, wanted), start=1):
            rows += found
            tell(number)
    if {row["set"] for row in rows} != set(wanted):
        raise WellkeptError("The measurement broke off; its own error stands above.", code="eval_failed")
    if screen.form == "text":
        _table(screen, rows)
    else:
        screen.data(rows)
    context.exit(0 if all(row["is_reached"] for row in rows) else 1)


def _measured(root: Path, names: Sequence[str]) -> Iterator[list[dict[str, Any]]]:
    """The figures of each set as it is measured, in a process of its own: nothing of it stays in this one."""
    command = [sys.executable, "-m", "evals.table", "--json", *names]
    with subprocess.Popen(command, cwd=root, env=_environment(), stdout=subprocess.PIPE, encoding="utf-8") as running:  # noqa: S603 -- a module of the clone
        for line in running.stdout or ():
            yield json.loads(line)


def _table(screen: Screen, rows: Sequence[Mapping[str, Any]]) -> None:
    heads = (*columns("set[cyan], half, figure"), Column(name="value", is_number=True, style="bold"))
    cells = [
        (*(row[name] for name in ("set", "half", "figure")), f"{row['value']:.3f}", row["wanted"], _mark(row))
        for row in rows
    ]
    screen.table((*heads, *columns("target, [red]")), cells)


def _mark(row: Mapping[str, Any]) -> str:
    return "" if row["is_reached"] else MISSED


def _check(name: str, found: Mapping[str, Path]) -> None:
    if name not in found:
        raise InvalidInput(f"There is no {name!r}. There are: {', '.join(found)}.", code="unknown_name")


def _environment() -> dict[str, str]:
    """Without the caller's own settings, which would change what is measured; benches import each other."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WELLKEPT_")}
    paths = (str(folder("bench").parent), kept.get("PYTHONPATH", ""))
    return kept | {"PYTHONPATH": os.pathsep.join(path for path in paths if path)}
