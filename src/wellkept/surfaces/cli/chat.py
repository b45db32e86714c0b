"""A conversation at the terminal, until an empty line or the end of input."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING

from wellkept.operations import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellkept.api import Viewpoint
    from wellkept.surfaces.cli.screen import Screen


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
