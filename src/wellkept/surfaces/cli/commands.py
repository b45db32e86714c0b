"""The commands, made from the table of operations: its parameters are their options, its doc lines their help."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

import wellkept
from wellkept.operations import BY_NAME, OPERATIONS
from wellkept.operations.operation import Operation, Parameter
from wellkept.surfaces.cli import inputs, views
from wellkept.surfaces.cli.options import EPILOG, OPTIONS, Branch, Root, Settings, chosen, credential
from wellkept.surfaces.cli.screen import Screen, progress

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
    "trace": "Governed sessions: what they decided and why, and the proof that it can be replayed.",
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

# A clock and an agent are options of every command already, and a command never moves a thread's mark.
COVERED = frozenset({"now", "agent", "peek"})
BEGINS = frozenset(
    {"remember", "add", "observe", "chat", "turn", "save_checkpoint", "add_key", "make_token", "revoke_token"}
)
"""What is told to a store that is not there yet makes it; nothing else does."""
_TYPES: Mapping[str, click.ParamType[Any]] = {"integer": click.INT, "number": click.FLOAT}

STORE_COMMANDS: Mapping[str, Sequence[str]] = {
    "db": (
        "migrate", "distribute", "doctor", "export", "import", "backup", "restore", "erase", "certificate", "move",
    ),
    "config": ("show", "check"),
}  # fmt: skip
"""By their group; they work on the store itself, and on its settings."""
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
    for where, names in STORE_COMMANDS.items():
        groups[where] |= {name: _lazy("store", "command", where, name) for name in names}
    groups["trace"] |= {name: _lazy("trace", name) for name in ("record", "replay")}
    makers |= {name: partial(Branch, name, groups[name], help=GROUPS[name], short_help=GROUPS[name]) for name in GROUPS}
    makers["search"] = partial(command, BY_NAME["recall"])
    makers |= {name: _lazy("store", "command", "", name) for name in ("import", "export")}
    makers |= {name: _lazy("serve", name) for name in ("serve", "mcp", "worker")}
    makers |= {"demo": _lazy("demo", "demo"), "completion": _lazy("completion", "command", root, COMPLETING)}
    makers |= {"bench": _lazy("checkout", "bench"), "eval": _lazy("checkout", "evaluation")}
    version = click.version_option(wellkept.__version__, prog_name="wellkept", message="%(prog)s %(version)s")
    return version(Root("wellkept", makers, sections=SECTIONS, params=list(OPTIONS), help=wellkept.__doc__))


def _lazy(module: str, name: str, *arguments: object) -> Maker:
    """A command that is no operation: what only it needs is loaded when it is called."""

    def made() -> click.Command:
        command: click.Command = getattr(import_module(f"wellkept.surfaces.cli.{module}"), name)(*arguments)
        return command

    return made


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
        click.Option(["--file"], type=click.File(encoding="utf-8"), help=FILE_HELP),
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
    "observe": (f"MESSAGES: {inputs.MESSAGES_HELP}",),
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
    settings, screen = chosen()
    arguments = _arguments(operation, values)
    if settings.rpc is not None:
        answer = _answered(operation, arguments, screen, partial(_asked, operation, settings))
    else:
        with _store(operation, settings, screen) as place, place.opened() as viewpoint:
            if operation.name == "chat" and arguments["text"] is None:
                inputs.converse(viewpoint, screen)
                return
            answer = _answered(operation, arguments, screen, partial(_called, operation, viewpoint, screen))
    if answer is not _LEFT:
        _print(screen, operation, answer)
    context.exit(1 if answer is _LEFT else views.refused(screen, answer))


def _store(operation: Operation, settings: Settings, screen: Screen) -> AbstractContextManager[Settings]:
    """The settings with a store that is there, or may be made; nothing that is not there can be tended."""
    if operation.name in BEGINS or settings.missing is None:
        return nullcontext(settings)
    if operation.python.startswith("upkeep."):
        settings.check_store()
    from wellkept.surfaces.cli.mistakes import empty  # brings temporary folders

    return empty(settings, screen)


def _answered(operation: Operation, arguments: dict[str, Any], screen: Screen, called: Call) -> Any:  # noqa: ANN401 -- JSON
    """The answer of this process or of a server; the doctor asks before it changes anything."""
    if operation.name == "doctor" and not _agreed(called, arguments, screen):
        return _LEFT
    return called(arguments)


def _agreed(called: Call, arguments: dict[str, Any], screen: Screen) -> bool:
    """Whether the doctor may go on: what would be changed is shown first, and asked, unless `--yes` said so already."""
    is_sure = arguments.pop("yes")
    if is_sure or not arguments["fix"]:
        return True
    if screen.form != "text":
        raise click.UsageError("--fix with --json asks nobody: give --yes as well.")
    found = called({**arguments, "fix": False})
    views.diagnosis(screen, found, is_preview=True)
    return found["is_well"] or click.confirm("Put right what can be?")


def _called(operation: Operation, viewpoint: Viewpoint, screen: Screen, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
    total = len(arguments["messages"]) if operation.name == "observe" else None
    with progress(" ".join(operation.cli), total) as told:
        value = operation.value(viewpoint, arguments, progress=told)
        # What it caused, such as reading what was said, is part of the command.
        viewpoint.memory.upkeep.finish(progress=told)
    return views.shown(operation, value) if screen.form == "text" else operation.answer(value)


def _asked(operation: Operation, settings: Settings, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
    """The answer of a server."""
    if operation.name == "chat" and arguments["text"] is None:
        raise click.UsageError("Over --rpc, give the text of one turn.")
    names = {one.name: one.rpc or one.name for one in operation.parameters}
    given = {names[name]: _listed(value) for name, value in arguments.items() if value is not None}
    if settings.now is not None:
        if "now" not in names:
            raise click.UsageError("The clock is the server's; over --rpc only `memory search` takes --now.")
        given["now"] = settings.now.isoformat()
    # Loaded here: Python's HTTP client takes long to load, and no other command needs it.
    from wellkept.surfaces.http.rpc_client import Remote

    assert settings.rpc is not None, "called for a server only"
    return Remote(url=settings.rpc, credential=credential()).call(operation.rpc, _place(settings) | given)


def _place(settings: Settings) -> dict[str, Any]:
    """Who asks and where, as far as it was said; what was not is settled by the token, or by the server."""
    said = {{"user": "user_id", "chat": "chat_id"}.get(name, name): value for name, value in settings.place.items()}
    said |= {"participants": list(settings.participants)}
    unsaid = {"chat_type": "private", "tenant": "default"}
    return {name: value for name, value in said.items() if value not in (None, []) and value != unsaid.get(name)}


def _listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _print(screen: Screen, operation: Operation, answer: Any) -> None:  # noqa: ANN401 -- JSON
    if screen.form == "text" and operation.name in views.VIEWS:
        views.VIEWS[operation.name](screen, answer)
    elif screen.form == "text":
        Screen("plain").data(answer)
    else:
        screen.data(answer)


def _arguments(operation: Operation, values: Mapping[str, Any]) -> dict[str, Any]:
    """What click parsed, as the operation takes it."""
    arguments = dict(values)
    if operation.name == "remember":
        arguments["facts"] = inputs.facts(arguments["facts"], arguments.pop("file"))
    if operation.name == "chat":
        arguments["text"] = " ".join(arguments["text"]) if arguments["text"] else None
    if operation.name == "context":
        arguments["peek"] = True  # who looks on the command line is not the thread
    if operation.name == "observe":
        arguments["messages"] = inputs.exchange(inputs.read(arguments["messages"]))
    if operation.name == "save_checkpoint":
        arguments["data"] = inputs.json_object(inputs.read(arguments["data"]))
    for name in ("categories", "sources"):  # closed sets of names, none of which has a comma
        if name in arguments:
            arguments[name] = tuple(part for one in arguments[name] for part in one.split(",") if part)
    if "filters" in arguments:
        arguments["filters"] = dict(inputs.filter_of(one) for one in arguments["filters"]) or None
    return arguments
