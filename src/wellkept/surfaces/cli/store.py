"""Commands on the store as a whole: `db`, `config`, and `import` and `export` for what other products keep."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

import click

from wellkept import config, flows, replay
from wellkept.errors import InvalidInput, NotEmpty
from wellkept.exchange import exports, imports
from wellkept.exchange.sources import SOURCES
from wellkept.store import opening
from wellkept.store.opening import move
from wellkept.surfaces.cli import views
from wellkept.surfaces.cli.options import chosen, plain_command
from wellkept.surfaces.cli.screen import columns, progress
from wellkept.types import as_json

if TYPE_CHECKING:
    from wellkept.exchange.imports import Imported
    from wellkept.flows.upkeep.transfer import Transferred

Callback = TypeVar("Callback", bound=Callable[..., None])
Written = TypeVar("Written")
_FILE = click.Path(dir_okay=False, path_type=Path)
_GIVEN = click.Path(exists=True, dir_okay=False, path_type=Path)
_GIVEN_OR_DASH = click.Path(exists=True, dir_okay=False, allow_dash=True)
_NEW_FILE = click.Argument(["file"], type=_FILE, required=False)
_YES = click.Option(["--yes"], is_flag=True, help="Do not ask.")
_COMMANDS: dict[tuple[str, str], click.Command] = {}


def command(group: str, name: str) -> click.Command:
    """One command of a group."""
    return _COMMANDS[group, name]


def _command(group: str, name: str, doc: str, *parameters: click.Parameter) -> Callable[[Callback], Callback]:
    def made(callback: Callback) -> Callback:
        _COMMANDS[group, name] = plain_command(name, doc, callback, *parameters)
        return callback

    return made


def _write(file: Path | None, write: Callable[[IO[str]], Written]) -> Written | None:
    """What writing into a new file gives; nothing of what goes to standard output."""
    if file is None:
        write(sys.stdout)
        return None
    with file.open("x", encoding="utf-8", newline="\n") as written:
        return write(written)


def _check_new(file: Path | None) -> None:
    if file is not None and file.exists():
        raise NotEmpty(f"There is a file at {file} already; nothing was written.")


@_command("db", "migrate", "Bring the database to this release's schema.")
def _migrate() -> None:
    settings, screen = chosen()
    steps = opening.migrate(settings.address)
    screen.tell({"steps": steps}, f"{steps} steps taken." if steps else "The schema is that of this release.")


@_command(
    "db",
    "distribute",
    "Spread the tables over the workers of a Citus cluster, by tenant; again, it changes nothing.",
    click.Option(["--shards"], type=click.IntRange(min=1), metavar="N", help="How many; 32 unless told."),
)
def _distribute(shards: int | None) -> None:
    settings, screen = chosen()
    found = opening.distribute(settings.address, shards)
    sentence = f"{len(found.distributed)} tables by tenant in {found.shards} shards on {len(found.workers)} workers."
    screen.tell(as_json(found), f"{sentence} No statement needs more than one shard but those that list tenants.")


@_command("db", "doctor", "Tell how the database is laid out, and what is wrong with that.")
def _doctor() -> None:
    settings, screen = chosen()
    settings.check_store()
    found = opening.describe(settings.address)
    if screen.form != "text":
        screen.data(as_json(found))
    else:
        screen.say(f"{found.engine}, schema {found.schema} of {found.schema_wanted}.")
        for line in found.lines:
            screen.say(line)
        for fault in found.faults:
            screen.say(fault, "red")
    click.get_current_context().exit(1 if found.faults else 0)


@_command(
    "db",
    "export",
    "Write everything of the tenant, or what belongs to a user, as lines of JSON.",
    _NEW_FILE,
    click.Option(["--of"], metavar="USER_ID", help="Only what belongs to this user."),
    click.Option(["--all-tenants"], is_flag=True, help="Every tenant of the store."),
)
def _export(file: Path | None, of: str | None, *, all_tenants: bool) -> None:
    settings, screen = chosen()
    settings.check_store()
    _check_new(file)
    with settings.opened(is_copying=True) as viewpoint, progress("Export") as told:
        memory = viewpoint.memory
        tenants = memory.engine.store.tenants() if all_tenants else (settings.tenant,)
        done = _write(file, partial(memory.upkeep.export, user=of, tenants=tenants, progress=told))
    if done is not None:
        screen.tell(_told(done), f"Exported {_counted(done)} to {file}.")


@_command(
    "db",
    "import",
    "Take in an export, all or nothing.",
    click.Argument(["file"], type=_GIVEN),
    click.Option(["--merge"], is_flag=True, help="Into a store that holds something already."),
)
def _import(file: Path, *, merge: bool) -> None:
    settings, screen = chosen()
    with file.open("rb") as given_bytes:
        lines = sum(1 for _ in given_bytes)
    with (
        _unless_it_fails(settings.missing),
        file.open(encoding="utf-8", newline="\n") as given,
        settings.opened(is_copying=True) as viewpoint,
        progress("Import", lines) as told,
    ):
        done = viewpoint.memory.upkeep.import_(given, merge=merge, progress=told)
    screen.tell(_told(done), f"Imported {_counted(done)}.")


@contextmanager
def _unless_it_fails(made: Path | None) -> Iterator[None]:
    """A file that there was not before is kept only when the work is done."""
    files = () if made is None else (made, *(made.with_name(made.name + end) for end in ("-wal", "-shm")))
    with ExitStack() as undo:
        for path in files:
            undo.callback(path.unlink, missing_ok=True)
        yield
        undo.pop_all()


def _told(done: Transferred) -> dict[str, Any]:
    return {"counts": dict(done.counts), "outcomes": dict(done.outcomes)}


def _counted(done: Transferred) -> str:
    if done.outcomes:
        return ", ".join(f"{number} {name}" for name, number in sorted(done.outcomes.items()) if number)
    return f"{done.counts.get('memory', 0)} memories in {sum(done.counts.values())} lines"


@_command(
    "db", "backup", "Copy the whole store into a new file while it is used.", click.Argument(["file"], type=_FILE)
)
def _backup(file: Path) -> None:
    settings, screen = chosen()
    settings.check_store()
    with settings.opened(is_copying=True) as viewpoint:
        size = viewpoint.memory.upkeep.backup(file)
    screen.tell({"file": str(file), "bytes": size}, f"Wrote {size:,} bytes to {file}.")


@_command(
    "db",
    "restore",
    "Put a backup in the place of everything that is stored.",
    click.Argument(["file"], type=_GIVEN),
    _YES,
)
def _restore(file: Path, *, yes: bool) -> None:
    settings, screen = chosen()
    _agreed(yes, f"Put {file} in the place of everything that is stored?")
    kept = opening.restore(settings.address, file)
    aside = f" What could not be read is kept as {kept}; delete it when nothing in it is wanted." if kept else ""
    told = {"restored": str(file), "kept": None if kept is None else str(kept)}
    screen.tell(told, f"Restored {file}.{aside}")


def _agreed(yes: bool, question: str) -> None:  # noqa: FBT001 -- as click parsed it
    """What cannot be undone is asked for once more, unless --yes says so already."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInput("This cannot be undone: say --yes.", code="not_confirmed")
    click.confirm(question, abort=True, err=True)


@_command(
    "db",
    "erase",
    "Remove everything that a user owns or stated, and prove it.",
    click.Argument(["user_id"]),
    click.Option(["--mentions"], is_flag=True, help="Also what others said of them."),
    _YES,
)
def _erase(user_id: str, *, mentions: bool, yes: bool) -> None:
    settings, screen = chosen()
    settings.check_store()
    _agreed(yes, f"Remove everything that {user_id} owns or stated, for good?")
    with settings.opened(is_copying=True) as viewpoint, progress("Erase") as told:
        done = viewpoint.memory.upkeep.erase(user_id, mentions=mentions, tenant=settings.tenant, progress=told)
    if screen.form != "text":
        screen.data(as_json(done))
    else:
        views.erased(screen, as_json(done))
    click.get_current_context().exit(0 if done.status == "complete" else 1)


@_command(
    "db",
    "certificate",
    "Check the JSON of an erasure: whether it is as it was given, and on record.",
    click.Argument(["file"], type=_GIVEN),
)
def _certificate(file: Path) -> None:
    settings, screen = chosen()
    settings.check_store()
    try:
        given = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise InvalidInput(f"{file} is not the JSON of a certificate.", code="invalid_certificate")
    with settings.opened(is_copying=True) as viewpoint:
        is_genuine = flows.erase.is_genuine(given, viewpoint.memory.engine)
    screen.tell({"is_genuine": is_genuine}, "The certificate is genuine." if is_genuine else "It is not genuine.")
    click.get_current_context().exit(0 if is_genuine else 1)


@_command(
    "db",
    "move",
    "Copy everything into another, empty store and compare the two; after an interruption it goes on.",
    click.Argument(["target"], metavar="URL"),
)
def _move(target: str) -> None:
    settings, screen = chosen()
    settings.check_store()
    with progress("Move") as told:
        done = move(settings.address, target, tell=told)
    proof = {name: {"rows": rows, "sha256": digest} for name, (rows, digest) in done.tables.items()}
    sentence = f"{done.rows} rows in {len(proof)} tables, {done.written} written now; both stores hold the same."
    screen.tell({"rows": done.rows, "written": done.written, "tables": proof}, sentence)


# --- Settings.


@_command("config", "show", "Print every setting, its value and where it comes from.")
def _show() -> None:
    settings, screen = chosen()
    rows = list(config.load(settings.config).rows())
    if screen.form != "text":
        screen.data([{"key": key, "value": as_json(value), "origin": origin} for key, value, origin in rows])
        return
    shown = [(key, _shown(value), origin) for key, value, origin in rows]
    screen.table(columns("key[cyan], value[bold], origin[dim]"), shown)


def _shown(value: object) -> str:
    if value is None:
        return "(unset)"
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, (tuple, frozenset)) else str(value)


@_command("config", "check", "Say whether the configuration can be read; name the first key or value that cannot.")
def _check() -> None:
    settings, screen = chosen()
    changed = sum(origin != "default" for _, _, origin in config.load(settings.config).rows())
    said = f"The configuration is valid; {changed} settings are given, the others have their defaults."
    screen.tell({"ok": True, "changed": changed}, said)


# --- What other products keep, and a user's memories as a file.

IMPORT_HELP = (
    "Take in what another product has exported: "
    + ", ".join(SOURCES)
    + ".\n\nMessages keep their time and their speaker; facts are learned from them afterwards, by "
    "`wellkept upkeep run` or a running server. An import that was interrupted goes on where it stopped, and nothing "
    "is stored twice."
)


@_command(
    "",
    "import",
    IMPORT_HELP,
    click.Argument(["source"], metavar="SOURCE", type=click.Choice(list(SOURCES))),
    click.Argument(["file"], type=click.Path(exists=True, path_type=Path)),
    click.Option(["--dry-run"], is_flag=True, help="Only count what is there."),
    click.Option(["--extract/--no-extract"], default=True, help="Learn from the messages, or only record them."),
    click.Option(["--keep-users"], is_flag=True, help="Give records to the users that the export names."),
)
def _take_in(source: str, file: Path, *, dry_run: bool, extract: bool, keep_users: bool) -> None:
    settings, screen = chosen()
    with settings.opened(is_finishing=False) as viewpoint, progress(f"Import {source}") as told:
        request = imports.ImportRequest(
            source=source, path=file, place=viewpoint.place, extract=extract, keep_users=keep_users, is_dry=dry_run
        )
        done = imports.run(request, viewpoint.memory, told)
    if screen.form == "text":
        for line in _sentences(done, is_dry=dry_run, extract=extract):
            screen.say(line)
        for fault in done.first_faults:
            where = f"{fault.file}, line {fault.line}" if fault.line else fault.file
            screen.warn(f"Left out: {where}: {fault.reason}.")
    else:
        screen.data(as_json(done))
    click.get_current_context().exit(1 if done.faults else 0)


def _sentences(done: Imported, *, is_dry: bool, extract: bool) -> Iterator[str]:
    found = f"{done.messages:,} messages and {done.memories:,} memories in {done.conversations:,} conversations"
    if is_dry:
        yield f"Found {found}; nothing was stored."
        return
    how = " (resumed)" if done.is_resumed else ""
    yield f"Imported {found}{how}: {done.new_messages:,} messages and {done.new_memories:,} memories are new."
    if done.new_messages and extract:
        yield "Facts are learned from the messages by `wellkept upkeep run`, or by a running server."


@_command(
    "",
    "export",
    "Write your memories to a file: JSON lines, which can be imported again, or Markdown to read.",
    click.Argument(["form"], metavar="FORMAT", type=click.Choice(exports.FORMATS)),
    _NEW_FILE,
)
def _write_out(form: str, file: Path | None) -> None:
    settings, screen = chosen()
    settings.check_store()
    _check_new(file)
    wanted = cast("exports.Format", form)
    with settings.opened() as viewpoint, progress("Export") as told:
        count = _write(file, lambda written: exports.run(viewpoint, written, wanted, told))
    if count is not None:
        screen.tell({"memories": count, "file": str(file)}, f"Wrote {count:,} memories to {file}.")


# --- Governed conversations: what they decide, as a file that can be proven again.

SHOWN_BEFORE, SHOWN_AFTER = 60, 140
"""Characters around the place where a replay differs; --json has all of both."""
_REPLAYED_ALONE = "not replay on a fresh store; for that, take another session or another --db."


@_command(
    "trace",
    "record",
    'Play a conversation ({"session": …, "calls": […]}) in governed sessions and record what they decide.',
    click.Argument(["conversation"], type=_GIVEN_OR_DASH),
    click.Option(
        ["--output"], type=click.Path(dir_okay=False), help="Write the recording to this file instead of printing it."
    ),
)
def _record(conversation: str, output: str | None) -> None:
    settings, screen = chosen()
    given = _read(conversation, replay.playable)
    with settings.opened() as viewpoint:
        begun = [name for name in replay.sessions(given) if viewpoint.traces(name, limit=1)]
        recorded = replay.recording(given, replay.play(given, viewpoint.memory))
    for name in begun:
        screen.warn(f"The session {name!r} had begun before, so this goes on from there and will {_REPLAYED_ALONE}")
    if output is None:
        screen.data(recorded)
        return
    # One line: recordings are compared byte for byte, not read.
    Path(output).write_text(replay.canonical(recorded) + "\n", encoding="utf-8")
    told = [event for answer in recorded["traces"] for event in answer]
    refused = [(n, one["error"]) for n, answer in enumerate(recorded["traces"], 1) for one in answer if "error" in one]
    events = len(told) - len(refused)
    sentences = [f"{_plural(events, 'event')} recorded.", *(f"Call {n} was refused: {code}." for n, code in refused)]
    data = {"calls": len(recorded["traces"]), "events": events, "refused": len(refused), "output": output}
    screen.tell(data, "\n".join(sentences))


@_command(
    "trace",
    "replay",
    "Play recordings on a fresh store and compare what is decided, byte for byte.",
    click.Argument(["files"], nargs=-1, type=_GIVEN_OR_DASH),
)
def _replay(files: tuple[str, ...]) -> None:
    _, screen = chosen()
    if not files:
        raise click.UsageError("Give at least one recording.")
    found: list[dict[str, Any]] = []
    for file in files:
        recorded = _read(file, partial(replay.checked, is_recorded=True))
        difference = replay.replay(recorded)
        calls = len(recorded["traces"])
        found.append({"file": file, "calls": calls, "same": difference is None})
        if difference is not None:
            found[-1] |= {"call": difference.call, "recorded": difference.recorded, "replayed": difference.replayed}
    if screen.form == "text":
        for one in found:
            same = f"{_plural(one['calls'], 'call')}, the same bytes"
            screen.say(f"{one['file']}: {same if one['same'] else _differs(one)}")
    else:
        screen.data(found)
    click.get_current_context().exit(0 if all(one["same"] for one in found) else 1)


def _plural(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _differs(one: Mapping[str, Any]) -> str:
    recorded, replayed = str(one["recorded"]), str(one["replayed"])
    pairs = enumerate(zip(recorded, replayed, strict=False))
    at = next((at for at, (a, b) in pairs if a != b), min(len(recorded), len(replayed)))
    return f"call {one['call']} differs\n  recorded {_around(recorded, at)}\n  replayed {_around(replayed, at)}"


def _around(text: str, at: int) -> str:
    """What stands about a place of a long text."""
    start, end = max(at - SHOWN_BEFORE, 0), at + SHOWN_AFTER
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def _read(path: str, checked: Callable[[object], dict[str, Any]]) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        return checked(json.loads(text))
    except UnicodeDecodeError:
        raise InvalidInput(f"{path}: The file is not valid UTF-8.", code="invalid_conversation") from None
    except ValueError as error:
        what = error if isinstance(error, InvalidInput) else f"Not JSON: {error}."
        raise InvalidInput(f"{path}: {what}", code="invalid_conversation") from None
