"""The commands, made from the table of operations: its parameters are their options, its doc lines their help."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

import click

import wellkept
from wellkept.errors import InvalidInput
from wellkept.operations import BY_NAME, OPERATIONS
from wellkept.operations.operation import Operation, Parameter
from wellkept.surfaces.cli import checkout, doctor, serve, settings, trace, upkeep
from wellkept.surfaces.cli.chat import converse
from wellkept.surfaces.cli.observe import MESSAGES_HELP, exchange
from wellkept.surfaces.cli.options import OPTIONS, Branch, Root, Settings
from wellkept.surfaces.cli.screen import Screen, progress
from wellkept.surfaces.cli.views import VIEWS, refused, shown

if TYPE_CHECKING:
    from wellkept.api import Viewpoint

GROUPS: Mapping[str, str] = {
    "memory": "Look at memories and change them.",
    "people": "The people you know.",
    "turn": "One message of a user and the reply, as a program takes them in.",
    "todo": "What you mean to do: done, or no longer wanted.",
    "consent": "Your profile, and the changes of it that wait for your yes.",
    "checkpoint": "The latest state of your supervisors, by thread.",
    "upkeep": "Work outside the hot path: jobs by hand, and those that wait.",
    "keys": "Keys of the programs that call the server.",
    "token": "Context tokens of sandboxes: for whom a program works, and where.",
    "trace": trace.HELP,
    "db": "The store as a whole: copies of it, and what must leave it.",
    "config": "The configuration: every value, and where it comes from.",
}
SECTIONS: Mapping[str, Sequence[str]] = {
    "Every day": (
        "remember", "search", "chat", "context", "observe", "memory", "people", "todos", "serve", "doctor",
    ),
    "Conversations": (
        "conversations", "messages", "sessions", "session", "turn", "state", "summaries", "spines", "todo", "consent",
    ),
    "Coming and going": ("import", "export", "db"),
    "Agents and governance": ("mcp", "checkpoint", "trace", "token"),
    "What was done": ("events", "stats", "growth", "owners"),
    "Running it": ("worker", "upkeep", "keys", "config"),
    "Help and measurement": ("demo", "completion", "reading", "bench", "eval"),
}  # fmt: skip
"""The commands as their help shows them; one that is not named here comes last."""
FILE_HELP = 'A batch, one a line: a JSON text, or {"content": …, "about": […], "expires_in_days": …, "shared": …}.'
COMPLETING = "_WELLKEPT_COMPLETE"
"""Set by a shell that asks what could come next."""
EPILOG = "The options of `wellkept --help` may stand here too."

# A clock and an agent are options of every command already, and a command never moves a thread's mark.
COVERED = frozenset({"now", "agent", "peek"})
BEGINS = frozenset(
    {"remember", "add", "observe", "chat", "turn", "save_checkpoint", "add_key", "make_token", "revoke_token"}
)
"""What is told to a store that is not there yet makes it; nothing else does."""
_TYPES: Mapping[str, click.ParamType[Any]] = {"integer": click.INT, "number": click.FLOAT}

DB_COMMANDS = (
    "migrate", "distribute", "doctor", "export", "import", "backup", "restore", "erase", "certificate", "move",
)  # fmt: skip
Maker = Callable[[], click.Command]
Call = Callable[[Mapping[str, Any]], Any]
_LEFT = object()
"""Instead of an answer: nobody wanted it."""


def root() -> Root:
    """The whole command."""
    makers: dict[str, Maker] = {}
    groups: dict[str, dict[str, Maker]] = {name: {} for name in GROUPS}
    for operation in OPERATIONS:
        *group, name = operation.cli
        (groups[group[0]] if group else makers)[name] = partial(command, operation)
    for function in (settings.show, settings.check):
        groups["config"][function.__name__] = partial(_plain, function)
    groups["trace"] |= trace.COMMANDS
    groups["db"] |= {name: partial(_db, name) for name in DB_COMMANDS}
    makers |= {name: partial(Branch, name, groups[name], help=GROUPS[name], short_help=GROUPS[name]) for name in GROUPS}
    makers["demo"] = _demo
    makers["search"] = partial(command, BY_NAME["recall"])
    makers |= {"import": _import, "export": _export}
    makers |= {"serve": serve.command, "mcp": partial(_plain, serve.mcp)}
    makers |= {"worker": upkeep.worker, "bench": checkout.bench, "eval": checkout.evaluation, "completion": _completion}
    version = click.version_option(wellkept.__version__, prog_name="wellkept", message="%(prog)s %(version)s")
    return version(Root("wellkept", makers, sections=SECTIONS, params=list(OPTIONS), help=wellkept.__doc__))


def _demo() -> click.Command:
    """The tour; it loads what only it needs."""
    from wellkept.surfaces.cli.demo import demo

    return _plain(demo)


def _import() -> click.Command:
    from wellkept.surfaces.cli.exchange import import_command

    return import_command()


def _export() -> click.Command:
    from wellkept.surfaces.cli.exchange import export_command

    return export_command()


def _db(name: str) -> click.Command:
    """A command that works on the store itself; it loads what only it needs."""
    from wellkept.surfaces.cli import db

    return db.command(name)


def command(operation: Operation) -> click.Command:
    """The command of an operation."""
    made = [
        parameter
        for one in operation.parameters
        if one.name not in COVERED
        for parameter in _SPECIAL.get((operation.name, one.name), _parameters)(one)
    ]
    doc = "\n\n".join((operation.doc, *_FILES.get(operation.name, ())))
    return click.Command(
        operation.cli[-1],
        params=made,
        help=doc,
        short_help=operation.doc,
        epilog=EPILOG,
        callback=partial(_run, operation),
    )


def _parameters(parameter: Parameter) -> list[click.Parameter]:
    """A required text is an argument, everything else an option."""
    if parameter.is_required:
        return [click.Argument([parameter.name])]
    if parameter.is_argument:
        return [click.Argument([parameter.name], nargs=-1 if parameter.kind == "texts" else 1, required=False)]
    if parameter.kind == "object":
        return [click.Option(["--filter", parameter.name], multiple=True, metavar="NAME=VALUE", help=parameter.doc)]
    name = parameter.name.replace("_", "-")
    help_text = f"{parameter.doc} One of: {', '.join(parameter.choices)}." if parameter.choices else parameter.doc
    return [
        click.Option(
            [f"--{name}/--no-{name}" if parameter.default is True else f"--{name}", parameter.name],
            type=_TYPES.get(parameter.kind),
            is_flag=parameter.kind == "flag",
            multiple=parameter.kind == "texts",
            nargs=2 if parameter.kind == "pair" else 1,
            metavar="PERSON PERSON" if parameter.kind == "pair" else None,
            default=None if parameter.kind == "pair" else parameter.default,
            show_default=parameter.kind != "flag" and parameter.default not in (None, ()),
            help=help_text,
            shell_complete=partial(_completed, parameter.choices) if parameter.choices else None,
        )
    ]


def _completed(choices: Sequence[str], _ctx: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    return [choice for choice in choices if choice.startswith(begun)]


def _texts_or_file(_parameter: Parameter) -> list[click.Parameter]:
    return [
        click.Argument(["facts"], nargs=-1, required=False),
        click.Option(
            ["--file"],
            type=click.File(encoding="utf-8"),
            help=FILE_HELP,
        ),
    ]


def _steps(parameter: Parameter) -> list[click.Parameter]:
    return [click.Option([f"--{parameter.name}"], is_flag=True, default=False, help=parameter.doc)]


def _exchange(parameter: Parameter) -> list[click.Parameter]:
    return [click.Argument([parameter.name], type=_File(encoding="utf-8"), metavar=parameter.name.upper())]


def _words(parameter: Parameter) -> list[click.Parameter]:
    return [click.Argument([parameter.name], nargs=-1, required=False)]


def _fix(parameter: Parameter) -> list[click.Parameter]:
    return [*_parameters(parameter), click.Option(["--yes"], is_flag=True, help="Do not ask before.")]


class _File(click.File):
    """A file; who gives a text in its place is told where texts go."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 -- click's signature
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            if not isinstance(value, str) or os.path.lexists(value):
                raise
            hint = "This takes a file, or - for standard input."
            raise click.BadParameter(f"{error.message}. {hint}", ctx, param) from None


_FILES: Mapping[str, tuple[str, ...]] = {
    "remember": ("FACTS: A text, each in quotation marks; - reads one from standard input.",),
    "observe": (f"MESSAGES: {MESSAGES_HELP}",),
    "save_checkpoint": ("DATA: A file, or - for standard input: a JSON object.",),
}
"""What stands in the file that a command takes."""
_SPECIAL: Mapping[tuple[str, str], Callable[[Parameter], list[click.Parameter]]] = {
    ("doctor", "fix"): _fix,
    ("remember", "facts"): _texts_or_file,
    ("remember", "procedure"): _steps,
    ("chat", "text"): _words,
    ("observe", "messages"): _exchange,
    ("save_checkpoint", "data"): _exchange,
}


def _run(operation: Operation, **values: Any) -> None:  # noqa: ANN401 -- as click parsed them
    """Call the operation and print its answer."""
    context = click.get_current_context()
    chosen: Settings = context.obj
    screen = Screen(chosen.form)
    arguments = _arguments(operation, values)
    if chosen.rpc is not None:
        from wellkept.surfaces.cli import remote  # brings a client for HTTP

        answer = _answered(operation, arguments, screen, partial(remote.called, chosen, operation))
    else:
        with _store(operation, chosen, screen) as place, place.opened() as viewpoint:
            if operation.name == "chat" and arguments["text"] is None:
                converse(viewpoint, screen)
                return
            answer = _answered(operation, arguments, screen, partial(_called, operation, viewpoint, screen))
    if answer is not _LEFT:
        _print(screen, operation, answer)
    context.exit(1 if answer is _LEFT else refused(screen, answer))


def _store(operation: Operation, chosen: Settings, screen: Screen) -> AbstractContextManager[Settings]:
    """The settings with a store that is there, or may be made; nothing that is not there can be tended."""
    if operation.name in BEGINS or chosen.missing is None:
        return nullcontext(chosen)
    if operation.python.startswith("upkeep."):
        chosen.check_store()
    from wellkept.surfaces.cli.missing import empty  # brings temporary folders

    return empty(chosen, screen)


def _answered(operation: Operation, arguments: dict[str, Any], screen: Screen, called: Call) -> Any:  # noqa: ANN401 -- JSON
    """The answer of this process or of a server; the doctor asks before it changes anything."""
    if operation.name == "doctor" and not doctor.agreed(called, arguments, screen):
        return _LEFT
    return called(arguments)


def _called(operation: Operation, viewpoint: Viewpoint, screen: Screen, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
    total = len(arguments["messages"]) if operation.name == "observe" else None
    with progress(" ".join(operation.cli), total) as told:
        value = operation.value(viewpoint, arguments, progress=told)
        # What it caused, such as reading what was said, is part of the command.
        viewpoint.memory.upkeep.finish(progress=told)
    return shown(operation, value) if screen.form == "text" else operation.answer(value)


def _print(screen: Screen, operation: Operation, answer: Any) -> None:  # noqa: ANN401 -- JSON
    if screen.form == "text" and operation.name in VIEWS:
        VIEWS[operation.name](screen, answer)
    elif screen.form == "text":
        Screen("plain").data(answer)
    else:
        screen.data(answer)


def _arguments(operation: Operation, values: Mapping[str, Any]) -> dict[str, Any]:
    """What click parsed, as the operation takes it."""
    arguments = dict(values)
    if operation.name == "remember":
        arguments["facts"] = _facts(arguments["facts"], arguments.pop("file"))
    if operation.name == "chat":
        arguments["text"] = " ".join(arguments["text"]) if arguments["text"] else None
    if operation.name == "context":
        arguments["peek"] = True  # who looks on the command line is not the thread
    if operation.name == "observe":
        arguments["messages"] = exchange(_read(arguments["messages"]))
    if operation.name == "save_checkpoint":
        arguments["data"] = _object(_read(arguments["data"]))
    for name in ("categories", "sources"):  # closed sets of names, none of which has a comma
        if name in arguments:
            arguments[name] = tuple(part for one in arguments[name] for part in one.split(",") if part)
    if "filters" in arguments:
        arguments["filters"] = dict(_filter(one) for one in arguments["filters"]) or None
    return arguments


def _facts(texts: Sequence[str], file: Any) -> object:  # noqa: ANN401 -- click opens it lazily
    if file is None:
        if not texts:
            raise click.UsageError("Give a text to remember, - for standard input, or --file.")
        if tuple(texts) == ("-",):
            return _read(click.File(encoding="utf-8").convert("-", None, None)).strip()
        if not any(" " in text.strip() for text in texts):
            return " ".join(texts)  # one sentence whose quotes were left out
        return texts[0] if len(texts) == 1 else list(texts)
    lines = [line for line in _read(file).split("\n") if line.strip()]
    return [*texts, *(_fact(line) for line in lines)]


def _read(file: Any) -> str:  # noqa: ANN401 -- click opens it lazily
    try:
        return str(file.read())
    except UnicodeDecodeError:
        raise InvalidInput("The file is not valid UTF-8.", code="damaged_file") from None


def _fact(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None  # reported as a bad fact of the batch, the others are stored


def _object(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput("The file is not valid JSON.", code="damaged_file") from None


def _filter(text: str) -> tuple[str, object]:
    name, is_pair, value = text.partition("=")
    if not is_pair:
        raise InvalidInput(f"A filter is NAME=VALUE, not {text!r}.", code="invalid_filter")
    if name in {"type", "category"}:
        return name, value.split(",")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _plain(function: Callable[[Settings, Screen], int]) -> click.Command:
    """A command that is no operation: it gets the settings and gives an exit status."""

    def callback() -> None:
        context = click.get_current_context()
        context.exit(function(context.obj, Screen(context.obj.form)))

    doc = function.__doc__
    return click.Command(function.__name__, help=doc, short_help=doc, callback=callback, epilog=EPILOG)


def _completion() -> click.Command:
    """The script of a shell; it loads what only it needs."""
    from wellkept.surfaces.cli import completion

    return completion.command(root, COMPLETING)
