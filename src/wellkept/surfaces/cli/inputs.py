"""What commands read from files, from standard input and from a person at a terminal."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from wellkept.errors import InvalidInput
from wellkept.operations import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellkept.api import Viewpoint
    from wellkept.surfaces.cli.screen import Screen

MESSAGES_HELP = (
    'A file, or - for standard input: a JSON list, a JSON object a line ({"role": …, "content": …}), or plain lines, '
    'each a message such as "Alice: hi".'
)
_NAMED = re.compile(r"(?P<name>[^\s:][^:\n]{0,39}?)\s?[:：]\s+(?P<said>\S.*)")
_ROLES = {"assistant": "assistant", "ai": "assistant", "bot": "assistant", "system": "system", "tool": "tool"}
_SPEAKERLESS = {*_ROLES, "user", "human", "me", "you"}


def facts(texts: Sequence[str], file: Any) -> object:  # noqa: ANN401 -- click opens it lazily
    """The facts of a command: texts, standard input, or the lines of a file."""
    if file is None:
        if not texts:
            raise click.UsageError("Give a text to remember, - for standard input, or --file.")
        if tuple(texts) == ("-",):
            return read(click.File(encoding="utf-8").convert("-", None, None)).strip()
        if not any(" " in text.strip() for text in texts):
            return " ".join(texts)  # one sentence whose quotes were left out
        return texts[0] if len(texts) == 1 else list(texts)
    lines = [line for line in read(file).split("\n") if line.strip()]
    return [*texts, *(_fact(line) for line in lines)]


def read(file: Any) -> str:  # noqa: ANN401 -- click opens it lazily
    try:
        return str(file.read())
    except UnicodeDecodeError:
        raise InvalidInput("The file is not valid UTF-8.", code="damaged_file") from None


def _fact(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None  # reported as a bad fact of the batch, the others are stored


def json_object(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput("The file is not valid JSON.", code="damaged_file") from None


def filter_of(text: str) -> tuple[str, object]:
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


def converse(viewpoint: Viewpoint, screen: Screen) -> None:
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
