"""`wellkept db`: the store as a whole: migrate, distribute, export, import, backup, restore, move."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wellkept import flows
from wellkept.errors import InvalidInput, NotEmpty
from wellkept.surfaces.cli import upkeep
from wellkept.surfaces.cli.screen import Screen, progress
from wellkept.types import as_json

if TYPE_CHECKING:
    from wellkept.flows.upkeep.transfer import Transferred
    from wellkept.surfaces.cli.options import Settings

EPILOG = "The options of `wellkept --help` may stand here too."
_FILE = click.Path(dir_okay=False, path_type=Path)
_GIVEN = click.Path(exists=True, dir_okay=False, path_type=Path)


def _place() -> tuple[Settings, Screen]:
    settings: Settings = click.get_current_context().obj
    return settings, Screen(settings.form)


def _tell(screen: Screen, told: Mapping[str, Any], sentence: str) -> None:
    if screen.form == "text":
        screen.say(sentence)
    else:
        screen.data(dict(told))


def _migrate() -> None:
    from wellkept.store.opening import migrate

    settings, screen = _place()
    steps = migrate(settings.address)
    _tell(screen, {"steps": steps}, f"{steps} steps taken." if steps else "The schema is that of this release.")


def _distribute(shards: int | None) -> None:
    from wellkept.store.opening import distribute

    settings, screen = _place()
    found = distribute(settings.address, shards)
    sentence = f"{len(found.distributed)} tables by tenant in {found.shards} shards on {len(found.workers)} workers."
    _tell(screen, as_json(found), f"{sentence} No statement needs more than one shard but those that list tenants.")


def _doctor() -> None:
    from wellkept.store.opening import describe

    settings, screen = _place()
    settings.check_store()
    found = describe(settings.address)
    if screen.form != "text":
        screen.data(as_json(found))
    else:
        screen.say(f"{found.engine}, schema {found.schema} of {found.schema_wanted}.")
        for line in found.lines:
            screen.say(line)
        for fault in found.faults:
            screen.say(fault, "red")
    click.get_current_context().exit(1 if found.faults else 0)


def _export(file: Path | None, of: str | None, *, all_tenants: bool) -> None:
    settings, screen = _place()
    settings.check_store()
    if file is not None and file.exists():
        raise NotEmpty(f"There is a file at {file} already; nothing was written.")
    with settings.opened(is_copying=True) as viewpoint, progress("Export") as told:
        memory = viewpoint.memory
        tenants = memory.engine.store.tenants() if all_tenants else (settings.tenant,)
        if file is None:
            memory.upkeep.export(sys.stdout, user=of, tenants=tenants, progress=told)
            return
        with file.open("x", encoding="utf-8", newline="\n") as written:
            done = memory.upkeep.export(written, user=of, tenants=tenants, progress=told)
    _tell(screen, _told(done), f"Exported {_counted(done)} to {file}.")


def _lines(file: Path) -> int:
    with file.open("rb") as given:
        return sum(1 for _ in given)


def _import(file: Path, *, merge: bool) -> None:
    settings, screen = _place()
    with (
        _unless_it_fails(settings.missing),
        file.open(encoding="utf-8", newline="\n") as given,
        settings.opened(is_copying=True) as viewpoint,
        progress("Import", _lines(file)) as told,
    ):
        done = viewpoint.memory.upkeep.import_(given, merge=merge, progress=told)
    _tell(screen, _told(done), f"Imported {_counted(done)}.")


@contextmanager
def _unless_it_fails(made: Path | None) -> Iterator[None]:
    """A file that there was not before is kept only when the work is done."""
    is_done = False
    try:
        yield
        is_done = True
    finally:
        files = (
            () if made is None or is_done else (made, *(made.with_name(made.name + end) for end in ("-wal", "-shm")))
        )
        for path in files:
            path.unlink(missing_ok=True)


def _told(done: Transferred) -> dict[str, Any]:
    return {"counts": dict(done.counts), "outcomes": dict(done.outcomes)}


def _counted(done: Transferred) -> str:
    if done.outcomes:
        return ", ".join(f"{number} {name}" for name, number in sorted(done.outcomes.items()) if number)
    return f"{done.counts.get('memory', 0)} memories in {sum(done.counts.values())} lines"


def _backup(file: Path) -> None:
    settings, screen = _place()
    settings.check_store()
    with settings.opened(is_copying=True) as viewpoint:
        size = viewpoint.memory.upkeep.backup(file)
    _tell(screen, {"file": str(file), "bytes": size}, f"Wrote {size:,} bytes to {file}.")


def _restore(file: Path, *, yes: bool) -> None:
    from wellkept.store.opening import restore

    settings, screen = _place()
    _agreed(yes, f"Put {file} in the place of everything that is stored?")
    kept = restore(settings.address, file)
    aside = f" What could not be read is kept as {kept}; delete it when nothing in it is wanted." if kept else ""
    told = {"restored": str(file), "kept": None if kept is None else str(kept)}
    _tell(screen, told, f"Restored {file}.{aside}")


def _agreed(yes: bool, question: str) -> None:  # noqa: FBT001 -- as click parsed it
    """What cannot be undone is asked for once more, unless --yes says so already."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInput("This cannot be undone: say --yes.", code="not_confirmed")
    click.confirm(question, abort=True, err=True)


def _erase(user_id: str, *, mentions: bool, yes: bool) -> None:
    settings, screen = _place()
    settings.check_store()
    _agreed(yes, f"Remove everything that {user_id} owns or stated, for good?")
    with settings.opened(is_copying=True) as viewpoint, progress("Erase") as told:
        done = viewpoint.memory.upkeep.erase(user_id, mentions=mentions, tenant=settings.tenant, progress=told)
    if screen.form != "text":
        screen.data(as_json(done))
    else:
        upkeep.erased(screen, as_json(done))
    click.get_current_context().exit(0 if done.status == "complete" else 1)


def _certificate(file: Path) -> None:
    settings, screen = _place()
    settings.check_store()
    try:
        given = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise InvalidInput(f"{file} is not the JSON of a certificate.", code="invalid_certificate")
    with settings.opened(is_copying=True) as viewpoint:
        is_genuine = flows.erase.is_genuine(given, viewpoint.memory.engine)
    _tell(screen, {"is_genuine": is_genuine}, "The certificate is genuine." if is_genuine else "It is not genuine.")
    click.get_current_context().exit(0 if is_genuine else 1)


def _move(target: str) -> None:
    from wellkept.store.relocation import move

    settings, screen = _place()
    settings.check_store()
    with progress("Move") as told:
        done = move(settings.address, target, tell=told)
    proof = {name: {"rows": rows, "sha256": digest} for name, (rows, digest) in done.tables.items()}
    sentence = f"{done.rows} rows in {len(proof)} tables, {done.written} written now; both stores hold the same."
    _tell(screen, {"rows": done.rows, "written": done.written, "tables": proof}, sentence)


_YES = click.Option(["--yes"], is_flag=True, help="Do not ask.")
COMMANDS: Mapping[str, tuple[Callable[..., None], str, tuple[click.Parameter, ...]]] = {
    "migrate": (_migrate, "Bring the database to this release's schema.", ()),
    "distribute": (
        _distribute,
        "Spread the tables over the workers of a Citus cluster, by tenant; again, it changes nothing.",
        (click.Option(["--shards"], type=click.IntRange(min=1), metavar="N", help="How many; 32 unless told."),),
    ),
    "doctor": (_doctor, "Tell how the database is laid out, and what is wrong with that.", ()),
    "export": (
        _export,
        "Write everything of the tenant, or what belongs to a user, as lines of JSON.",
        (
            click.Argument(["file"], type=_FILE, required=False),
            click.Option(["--of"], metavar="USER_ID", help="Only what belongs to this user."),
            click.Option(["--all-tenants"], is_flag=True, help="Every tenant of the store."),
        ),
    ),
    "import": (
        _import,
        "Take in an export, all or nothing.",
        (
            click.Argument(["file"], type=_GIVEN),
            click.Option(["--merge"], is_flag=True, help="Into a store that holds something already."),
        ),
    ),
    "backup": (
        _backup,
        "Copy the whole store into a new file while it is used.",
        (click.Argument(["file"], type=_FILE),),
    ),
    "restore": (
        _restore,
        "Put a backup in the place of everything that is stored.",
        (click.Argument(["file"], type=_GIVEN), _YES),
    ),
    "erase": (
        _erase,
        "Remove everything that a user owns or stated, and prove it.",
        (
            click.Argument(["user_id"]),
            click.Option(["--mentions"], is_flag=True, help="Also what others said of them."),
            _YES,
        ),
    ),
    "certificate": (
        _certificate,
        "Check the JSON of an erasure: whether it is as it was given, and on record.",
        (click.Argument(["file"], type=_GIVEN),),
    ),
    "move": (
        _move,
        "Copy everything into another, empty store and compare the two; after an interruption it goes on.",
        (click.Argument(["target"], metavar="URL"),),
    ),
}


def command(name: str) -> click.Command:
    """One command of the group."""
    callback, text, parameters = COMMANDS[name]
    return click.Command(name, params=list(parameters), help=text, short_help=text, epilog=EPILOG, callback=callback)
