"""The global options: where the memory is, who speaks and where, and how the answer is printed."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click

from wellkept import config as configuration
from wellkept.api import Viewpoint
from wellkept.errors import InvalidInput
from wellkept.operations import OPERATIONS
from wellkept.startup import default_path
from wellkept.startup import open as open_memory
from wellkept.surfaces import words
from wellkept.surfaces.cli.screen import Form, Screen, abandon
from wellkept.times import moment
from wellkept.values import frozen

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from wellkept.vocabulary import ChatType

BROKEN_PIPE = 141
"""Exit status of a command whose reader went away, as shells report it."""
SIMILAR = 3
"""Commands that are suggested in place of an unknown one, at most."""
EPILOG = "The options of `wellkept --help` may be given here too."
HOW_TO_BEGIN = "Name another path with --db or WELLKEPT_DB; `wellkept remember …` makes a store here."


@frozen
class Settings:
    """The global options of one command."""

    db: str | None = None
    config: str | None = None
    rpc: str | None = None
    """The server to ask instead of a store."""
    tenant: str = "default"
    user: str | None = None
    chat: str | None = None
    chat_type: ChatType = "private"
    participants: tuple[str, ...] = ()
    persona: str | None = None
    agent: str | None = None
    thread: str | None = None
    now: datetime | None = None
    form: Form = "text"

    @property
    def clock(self) -> Callable[[], datetime] | None:
        """The time that was given, for ever."""
        now = self.now
        return None if now is None else lambda: now

    @property
    def place(self) -> dict[str, Any]:
        """Who asks and where; who else is there may be said by name, and is looked up."""
        names = ("tenant", "user", "chat", "chat_type", "persona", "agent", "thread")
        return {name: getattr(self, name) for name in names}

    @property
    def missing(self) -> Path | None:
        """The file that should be the store, when there is none."""
        from wellkept.store.opening import missing_file

        return None if self.rpc is not None else missing_file(self.address)

    @property
    def address(self) -> str:
        """The store that was named, else that of the user."""
        return str(default_path()) if self.db is None else self.db

    def check_store(self) -> None:
        """An error when the store that was named is not there: nothing can be taken from it."""
        if self.missing is not None:
            raise InvalidInput(f"There is no store at {self.missing}. {HOW_TO_BEGIN}", code="no_store")

    @contextmanager
    def opened(self, *, is_copying: bool = False, is_finishing: bool = True) -> Iterator[Viewpoint]:
        """The memory as this user sees it, closed in the end; the jobs of the command are done by then.

        Who copies a store does not begin by tending it; who brings thousands of messages does not wait for their jobs.
        """
        if self.rpc is not None:
            raise InvalidInput("This command works on a store: leave --rpc out.", code="not_over_rpc")
        config = configuration.load(self.config)
        if is_copying:
            config = replace(config, memory=replace(config.memory, auto_gc=False))
        with open_memory(self.db, config=config, clock=self.clock, worker="off") as memory:
            memory.upkeep.finish()
            here = memory.at(**self.place)
            yield here.among(self.participants) if self.participants else here
            if is_finishing:
                memory.upkeep.finish()


def chosen() -> tuple[Settings, Screen]:
    """The options of the command that is running, and where it prints."""
    settings: Settings = click.get_current_context().obj
    return settings, Screen(settings.form)


def plain_command(
    name: str,
    doc: str,
    callback: Callable[..., Any],
    *parameters: click.Parameter,
    **more: Any,  # noqa: ANN401 -- click's own
) -> click.Command:
    """A command that is no operation. The first line of its help is the short one."""
    short = more.pop("short_help", doc.partition("\n")[0])
    epilog = more.pop("epilog", EPILOG)
    return click.Command(
        name, params=list(parameters), help=doc, short_help=short, epilog=epilog, callback=callback, **more
    )


OPTIONS: tuple[click.Option, ...] = (
    click.Option(["--db"], envvar="WELLKEPT_DB", help="File or URL of the memory.", show_envvar=True),
    click.Option(["--config"], envvar="WELLKEPT_CONFIG", help="Configuration file.", show_envvar=True),
    click.Option(
        ["--rpc"],
        envvar="WELLKEPT_RPC",
        metavar="URL",
        help="Ask this server (http://…, unix:PATH); WELLKEPT_CONTEXT_TOKEN or WELLKEPT_API_KEY says who asks.",
        show_envvar=True,
    ),
    click.Option(["--tenant"], default="default", help="Customer of this installation."),
    click.Option(
        ["--user"], envvar="WELLKEPT_USER", help="Who speaks or asks (default: login name).", show_envvar=True
    ),
    click.Option(["--chat"], envvar="WELLKEPT_CHAT", help="Where: the id of the chat.", show_envvar=True),
    click.Option(
        ["--chat-type"],
        envvar="WELLKEPT_CHAT_TYPE",
        type=click.Choice(["private", "group"]),
        default="private",
        help="Alone with the assistant, or among others.",
        show_envvar=True,
    ),
    click.Option(
        ["--with", "participants"],
        multiple=True,
        metavar="PERSON",
        help="Who else is there, by user id or name; repeatable.",
    ),
    click.Option(["--persona"], help="The character the assistant plays."),
    click.Option(["--agent"], help="The program that asks."),
    click.Option(["--thread"], help="The thread of work it belongs to."),
    click.Option(["--now"], metavar="ISO", help="Use this as the current time."),
    click.Option(["--json", "is_json"], is_flag=True, help="Print JSON."),
    click.Option(["--plain", "is_plain"], is_flag=True, help="Print the Plain view: one key and value a line."),
)


def settings(values: Mapping[str, Any]) -> Settings:
    """The options as they were parsed, checked."""
    given = dict(values)
    is_json, is_plain = given.pop("is_json"), given.pop("is_plain")
    if is_json and is_plain:
        raise click.UsageError("Choose --json or --plain, not both.")
    now = given.pop("now")
    return Settings(
        **given | {"user": _default_user(given["rpc"]) if given["user"] is None else given["user"]},
        now=None if now is None else moment(now, name="now"),
        form="json" if is_json else "plain" if is_plain else "text",
    )


def credential() -> str | None:
    """What a server is shown: a context token, else an API key."""
    return os.environ.get("WELLKEPT_CONTEXT_TOKEN") or os.environ.get("WELLKEPT_API_KEY") or None


def _default_user(rpc: str | None) -> str | None:
    """A token or key says who asks; without one it is who is logged in."""
    if rpc is not None and credential() is not None:
        return None
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "user"


class Branch(click.Group):
    """Commands by their words, each made when it is called."""

    def __init__(self, name: str, makers: Mapping[str, Callable[[], click.Command]], **attributes: Any) -> None:  # noqa: ANN401 -- click's own
        super().__init__(name, no_args_is_help=True, **attributes)
        self._makers = makers

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- click's signature
        return list(self._makers)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- click's signature
        maker = self._makers.get(cmd_name)
        return None if maker is None else maker()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self._makers and not args[0].startswith("-") and not ctx.resilient_parsing:
            meant = _similar(args[0].casefold(), ctx)
            hint = f" Did you mean {' or '.join(f'`{one}`' for one in meant)}?" if meant else ""
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)


def _similar(word: str, ctx: click.Context) -> list[str]:
    """Commands that a word may be meant for, each with its group, the likeliest first."""
    root, here = ctx.find_root(), ctx.command_path
    groups = {root.command_path: root.command}
    if isinstance(root.command, click.Group):
        found = ((name, root.command.get_command(root, name)) for name in root.command.list_commands(root))
        groups |= {f"{root.command_path} {name}": one for name, one in found if one is not None}
    others = {path: one.list_commands(ctx) for path, one in groups.items() if isinstance(one, click.Group)}
    own = others.pop(here)
    synonyms = (line.split() for line in words.tables()["commands"]["synonyms"])
    meant = list(dict.fromkeys((word, *(one for group in synonyms if word in group for one in group))))
    likely = [f"{here} {name}" for name in meant if name in own]
    if not likely:
        by_python = {one.python: " ".join(("wellkept", *one.cli)) for one in OPERATIONS if one.python != one.cli[-1]}
        known = by_python | {name: f"{here} {name}" for name in own}
        likely = [known[name] for name in ([word] if word in by_python else get_close_matches(word, known, n=SIMILAR))]
    likely += [f"{group} {word}" for group, names in others.items() if word in names]
    if not likely:
        likely = [f"{group} {name}" for name in meant for group, names in others.items() if name in names]
    return list(dict.fromkeys(likely))[:SIMILAR]


class Root(Branch):
    """The command itself. Its options may stand anywhere before a `--`."""

    def __init__(
        self,
        name: str,
        makers: Mapping[str, Callable[[], click.Command]],
        *,
        sections: Mapping[str, Sequence[str]],
        **attributes: Any,  # noqa: ANN401 -- click's own
    ) -> None:
        super().__init__(name, makers, **attributes)
        self._sections = sections

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What can be done comes before how."""
        self.format_commands(ctx, formatter)
        click.Command.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands by what they are for, those of every day first."""
        found = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        shown = {name: one for name, one in found.items() if one is not None and not one.hidden}
        named = {name for names in self._sections.values() for name in names}
        width = formatter.width - max(map(len, shown)) - 6
        for title, names in {**self._sections, "Others": [name for name in shown if name not in named]}.items():
            rows = [(name, shown[name].get_short_help_str(width)) for name in names if name in shown]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, hoisted(args, ctx))

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 -- click's signature
        ctx.obj = settings({name: ctx.params[name] for name in ctx.params if name != "version"})
        try:
            super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            abandon()
            ctx.exit(BROKEN_PIPE)


def hoisted(args: Sequence[str], ctx: click.Context) -> list[str]:
    """The arguments with the global options in front of the command's words, each with its value.

    What follows the name of a bench are options of that bench.
    """
    by_name = {name: option for option in OPTIONS for name in option.opts}
    front: list[str] = []
    rest: list[str] = []
    waiting = iter(args)
    for word in waiting:
        is_of_bench = rest[:1] == ["bench"] and len(rest) > 1
        if word == "--" or is_of_bench:
            rest += [word, *waiting]
            break
        name, has_value, _ = word.partition("=")
        option = by_name.get(name)
        (rest if option is None else front).append(word)
        if option is not None and not option.is_flag and not has_value:
            value = next(waiting, None)
            if value is None:
                raise click.BadOptionUsage(name, f"Option {name!r} requires an argument.", ctx)
            front.append(value)
    return front + rest
