"""The commands, made from the table of operations: its parameters are their options, its doc lines their help."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import (
    CompletionItem,
    ShellComplete,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

import wellkept
from wellkept.errors import InvalidInput
from wellkept.operations import BY_NAME, OPERATIONS
from wellkept.operations.operation import Operation, Parameter
from wellkept.surfaces.cli import views
from wellkept.surfaces.cli.options import (
    HOW_TO_BEGIN,
    OPTIONS,
    Branch,
    Root,
    Settings,
    chosen,
    credential,
    plain_command,
)
from wellkept.surfaces.cli.screen import Screen, progress

if TYPE_CHECKING:
    from wellkept.api import Viewpoint

GROUPS: Mapping[str, str] = {
    "memory": "Look at memories and change them.",
    "people": "The people you know.",
    "turn": "One message of a user and the reply, as a program takes them in.",
    "todo": "Todos: mark them as done, or drop them.",
    "consent": "Your profile, and the changes to it that wait for your consent.",
    "checkpoint": "Checkpoints: the latest state of your supervisors, by thread.",
    "upkeep": "Background jobs: run them by hand, and see those that wait.",
    "keys": "Keys of the programs that call the server.",
    "token": "Context tokens: for whom a sandboxed program acts, and where.",
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
    "Import and export": ("import", "export", "db"),
    "Agents and governance": ("mcp", "checkpoint", "trace", "token"),
    "Activity": ("events", "stats", "growth", "owners"),
    "Administration": ("worker", "upkeep", "keys", "config"),
    "Help and measurement": ("demo", "completion", "reading", "bench", "eval"),
}  # fmt: skip
"""The commands as their help shows them; one that is not named here comes last."""
FILE_HELP = 'A batch, one a line: a JSON text, or {"content": …, "about": […], "expires_in_days": …, "shared": …}.'

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
    "trace": ("record", "replay"),
    "": ("import", "export"),
}  # fmt: skip
"""By their group; they work on the store itself, on its settings and on files."""
Maker = Callable[[], click.Command]
Call = Callable[[Mapping[str, Any]], Any]
_LEFT = object()
"""Instead of an answer: nobody wanted it."""
_NAMED = re.compile(r"(?P<name>[^\s:][^:\n]{0,39}?)\s?[:：]\s+(?P<said>\S.*)")
_ROLES = {"assistant": "assistant", "ai": "assistant", "bot": "assistant", "system": "system", "tool": "tool"}
_SPEAKERLESS = {*_ROLES, "user", "human", "me", "you"}


def root() -> Root:
    """The whole command."""
    makers: dict[str, Maker] = {}
    groups: dict[str, dict[str, Maker]] = {name: {} for name in GROUPS}
    for operation in OPERATIONS:
        *group, name = operation.cli
        (groups[group[0]] if group else makers)[name] = partial(command, operation)
    for where, names in STORE_COMMANDS.items():
        groups.get(where, makers).update({name: _lazy("store", "command", where, name) for name in names})

    makers |= {name: partial(Branch, name, groups[name], help=GROUPS[name], short_help=GROUPS[name]) for name in GROUPS}
    makers["search"] = partial(command, BY_NAME["recall"])

    makers |= {name: _lazy("serve", name) for name in ("serve", "mcp", "worker")}
    makers |= {"demo": _lazy("demo", "demo"), "completion": _completion}
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
    doc = f"{operation.doc}\n\n{_FILES.get(operation.name, '')}".strip()
    return plain_command(operation.cli[-1], doc, partial(_run, operation), *made)


def _parameters(parameter: Parameter) -> list[click.Parameter]:
    """A required text is an argument, everything else an option."""
    if parameter.is_required:
        return [click.Argument([parameter.name])]
    if parameter.is_argument:
        return [click.Argument([parameter.name], nargs=-1 if parameter.kind == "texts" else 1, required=False)]
    if parameter.kind == "object":
        return [click.Option(["--filter", parameter.name], multiple=True, metavar="NAME=VALUE", help=parameter.doc)]
    name, choices = parameter.name.replace("_", "-"), parameter.choices
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
            help=f"{parameter.doc} One of: {', '.join(choices)}." if choices else parameter.doc,
            shell_complete=(lambda _ctx, _one, begun: [one for one in choices if one.startswith(begun)])
            if choices
            else None,
        )
    ]


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


_FILES: Mapping[str, str] = {
    "remember": "FACTS: A text, each in quotation marks; - reads one from standard input.",
    "observe": (
        "MESSAGES: A file, or - for standard input: a JSON list, a JSON object a line "
        '({"role": …, "content": …}), or plain lines, each a message such as "Alice: hi".'
    ),
    "save_checkpoint": "DATA: A file, or - for standard input: a JSON object.",
}
"""The contents of the file that a command takes."""
_SPECIAL: Mapping[tuple[str, str], Callable[[Parameter], list[click.Parameter]]] = {
    ("doctor", "fix"): lambda one: [
        *_parameters(one),
        click.Option(["--yes"], is_flag=True, help="Do not ask before."),
    ],
    ("remember", "facts"): lambda one: [
        click.Argument([one.name], nargs=-1, required=False),
        click.Option(["--file"], type=click.File(encoding="utf-8"), help=FILE_HELP),
    ],
    ("remember", "procedure"): lambda one: [click.Option([f"--{one.name}"], is_flag=True, default=False, help=one.doc)],
    ("chat", "text"): lambda one: [click.Argument([one.name], nargs=-1, required=False)],
    ("observe", "messages"): lambda one: [click.Argument([one.name], type=_File(encoding="utf-8"))],
    ("save_checkpoint", "data"): lambda one: [click.Argument([one.name], type=_File(encoding="utf-8"))],
}
"""Parameters that are typed in another way than their kind says."""


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
                _converse(viewpoint, screen)
                return
            answer = _answered(operation, arguments, screen, partial(_called, operation, viewpoint, screen))
    if answer is _LEFT:
        context.exit(1)
    if screen.form == "text" and operation.name in views.VIEWS:
        views.VIEWS[operation.name](screen, answer)
    else:
        Screen("plain" if screen.form == "text" else screen.form).data(answer)
    context.exit(views.refused(screen, answer))


@contextmanager
def _store(operation: Operation, settings: Settings, screen: Screen) -> Iterator[Settings]:
    """The settings with a store that is there or may be made; a command that only looks gets an empty one."""
    if operation.name in BEGINS or settings.missing is None:
        yield settings
        return
    if operation.python.startswith("upkeep."):
        settings.check_store()
    screen.warn(f"There is no store at {settings.missing}. {HOW_TO_BEGIN}")
    with TemporaryDirectory() as folder:
        yield replace(settings, db=f"{folder}/memory.db")


def _answered(operation: Operation, arguments: dict[str, Any], screen: Screen, called: Call) -> Any:  # noqa: ANN401 -- JSON
    """The answer of this process or of a server.

    The doctor shows what it would change and asks before it does, unless `--yes` was given.
    """
    is_sure = arguments.pop("yes", True)
    if operation.name == "doctor" and arguments["fix"] and not is_sure:
        if screen.form != "text":
            raise click.UsageError("--fix with --json asks nobody: give --yes as well.")
        found = called({**arguments, "fix": False})
        views.diagnosis(screen, found, is_preview=True)
        if not found["is_well"] and not click.confirm("Repair what can be repaired?"):
            return _LEFT
    return called(arguments)


def _called(operation: Operation, viewpoint: Viewpoint, screen: Screen, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
    total = len(arguments["messages"]) if operation.name == "observe" else None
    with progress(" ".join(operation.cli), total) as told:
        value = operation.value(viewpoint, arguments, progress=told)
        # What it caused, such as reading what was said, is part of the command.
        viewpoint.memory.upkeep.finish(progress=told)
    return views.shown(operation, value) if screen.form == "text" else operation.answer(value)


def _asked(operation: Operation, settings: Settings, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
    """The answer of a server. What the options leave open of the viewpoint is settled by the token or by the server."""
    if operation.name == "chat" and arguments["text"] is None:
        raise click.UsageError("Over --rpc, give the text of one turn.")
    names = {one.name: one.rpc or one.name for one in operation.parameters}
    given = {
        names[name]: list(value) if isinstance(value, tuple) else value
        for name, value in arguments.items()
        if value is not None
    }
    if settings.now is not None:
        if "now" not in names:
            raise click.UsageError("The clock is the server's; over --rpc only `memory search` takes --now.")
        given["now"] = settings.now.isoformat()
    said = {{"user": "user_id", "chat": "chat_id"}.get(name, name): value for name, value in settings.place.items()}
    said |= {"participants": list(settings.participants)}
    unsaid = {"chat_type": "private", "tenant": "default"}
    place = {name: value for name, value in said.items() if value not in (None, []) and value != unsaid.get(name)}
    # Loaded here: Python's HTTP client takes long to load, and no other command needs it.
    from wellkept.surfaces.http.rpc_client import Remote

    assert settings.rpc is not None, "called for a server only"
    return Remote(url=settings.rpc, credential=credential()).call(operation.rpc, place | given)


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
        text = _read(arguments["data"])
        try:
            arguments["data"] = json.loads(text)
        except (ValueError, RecursionError):
            raise InvalidInput("The file is not valid JSON.", code="damaged_file") from None
    for name in ("categories", "sources"):  # closed sets of names, none of which has a comma
        if name in arguments:
            arguments[name] = tuple(part for one in arguments[name] for part in one.split(",") if part)
    if "filters" in arguments:
        arguments["filters"] = dict(_filter(one) for one in arguments["filters"]) or None
    return arguments


# --- What commands read from files, from standard input and from a person at a terminal.


def _facts(texts: Sequence[str], file: Any) -> object:  # noqa: ANN401 -- click opens it lazily
    """The facts of a command: texts, standard input, or the lines of a file."""
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


def _filter(text: str) -> tuple[str, object]:
    """A filter as it is typed: NAME=VALUE."""
    name, is_pair, value = text.partition("=")
    if not is_pair:
        raise InvalidInput(f"A filter is NAME=VALUE, not {text!r}.", code="invalid_filter")
    if name in {"type", "category"}:
        return name, value.split(",")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def exchange(text: str) -> list[Any]:
    """The messages of a text, as `observe` takes them. What is no JSON is taken as lines that were spoken."""
    stripped = text.strip()
    if stripped.startswith("["):
        try:
            found = json.loads(stripped)
        except ValueError:
            found = None
        if isinstance(found, list):
            return found
    lines = [line for line in text.splitlines() if line.strip()]
    return [
        _line_object(number, line) if line.lstrip().startswith("{") else _spoken(line)
        for number, line in enumerate(lines)
    ]


def _line_object(number: int, line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        raise InvalidInput(f"Line {number + 1} is not valid JSON.", code="damaged_file") from None


def _spoken(line: str) -> dict[str, str]:
    named = _NAMED.fullmatch(line.strip())
    if named is None:
        return {"role": "user", "content": line.strip()}
    name = named["name"]
    role = _ROLES.get(name.casefold(), "user")
    speaker = {} if name.casefold() in _SPEAKERLESS else {"speaker": name}
    return {"role": role, "content": named["said"]} | speaker


def _converse(viewpoint: Viewpoint, screen: Screen) -> None:
    """Answer line after line. Nothing that is typed is kept in a history file."""
    chat = BY_NAME["chat"]
    if sys.stdin.isatty() and screen.form == "text":
        screen.say("Tell me something, or ask. An empty line ends.", "dim")
    for text in _lines(screen):
        reply = chat.value(viewpoint, {"text": text})
        if screen.form == "text":
            screen.say(reply.text)
        else:
            screen.data(chat.answer(reply), is_one_of_many=True)


def _lines(screen: Screen) -> Iterator[str]:
    if sys.stdin.isatty():
        if importlib.util.find_spec("readline") is not None:
            importlib.import_module("readline")  # its import is what gives `input` line editing
        while True:
            try:
                text = input("> ")
            except EOFError:
                screen.say()
                return
            if not text.strip():
                return
            yield text
    for line in sys.stdin:
        if not line.strip():
            return
        yield line.rstrip("\n")


# --- Completion in a shell.

SHELLS = ("bash", "zsh", "fish", "powershell")


@add_completion_class
class PowerShell(ShellComplete):
    """What PowerShell asks and is told: the line so far and the word at its end; a completion a line, with its help."""

    name = "powershell"
    source_template = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $env:COMP_WORDS = $commandAst.ToString()
    $env:COMP_WORD = $wordToComplete
    $env:%(complete_var)s = "powershell_complete"
    %(prog_name)s | ForEach-Object {
        $value, $help = $_.Split("`t", 2)
        if (-not $help) { $help = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, "ParameterValue", $help)
    }
    Remove-Item Env:COMP_WORDS, Env:COMP_WORD, Env:%(complete_var)s
}
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The whole words so far, and the one that is being typed."""
        words, begun = split_arg_string(os.environ["COMP_WORDS"])[1:], os.environ["COMP_WORD"]
        return words[:-1] if begun and words[-1:] == [begun] else words, begun

    def format_completion(self, item: CompletionItem) -> str:
        """The word and what it does."""
        return f"{item.value}\t{item.help or ''}"


def _completion() -> click.Command:
    """The command that prints the script of a shell, which sets the variable to ask what could come next."""

    def callback(shell: str) -> None:
        kind: Any = get_completion_class(shell)
        click.echo(kind(root(), {}, "wellkept", "_WELLKEPT_COMPLETE").source())

    text = 'Print the completion script of a shell: eval "$(wellkept completion bash)".'
    more = "For PowerShell, in your $PROFILE: wellkept completion powershell | Out-String | Invoke-Expression"
    shells = click.Argument(["shell"], type=click.Choice(SHELLS))
    return plain_command("completion", f"{text}\n\n{more}", callback, shells, epilog=None)
