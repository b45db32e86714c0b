"""The `wellkept` command: parses, calls, prints, and turns every expected error into a sentence and an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from wellkept.errors import WellkeptError
from wellkept.surfaces.cli import options
from wellkept.surfaces.cli.commands import COMPLETING, root
from wellkept.surfaces.cli.screen import Screen, abandon

FAILED = 1
USAGE = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status: 0 done, 1 refused or failed, 2 wrong usage."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _open_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a letter gets its escape, never a failure.
            stream.reconfigure(errors="backslashreplace")
    before_texts = given[: given.index("--")] if "--" in given else given
    screen = Screen("json" if "--json" in before_texts else "text")
    if COMPLETING in os.environ:
        from wellkept.surfaces.cli import completion  # noqa: F401 -- makes its shells known to click
    try:
        options.checked_words(given)
        return root().main(given, prog_name="wellkept", standalone_mode=False) or 0
    except click.UsageError as error:
        hint = f"\n{error.ctx.get_usage()}" if error.ctx is not None and screen.form == "text" else ""
        return _failed(screen, "usage", error.format_message() + hint, USAGE)
    except click.ClickException as error:
        return _failed(screen, "usage", error.format_message(), USAGE)
    except WellkeptError as error:
        from wellkept.surfaces.cli.mistakes import WRONG_USAGE  # a mistake may take its time, a start may not

        return _failed(screen, error.code, str(error), USAGE if error.code in WRONG_USAGE else FAILED)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _failed(screen, "os_error", f"{where}{error.strerror or error}", FAILED)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED


def _open_closed() -> None:
    """A caller may have closed a stream (`>&-`): nothing is read there, and nobody reads what is written."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 -- open as long as the process


def _failed(screen: Screen, code: str, message: str, status: int) -> int:
    try:
        if screen.form == "json":
            screen.data({"error": {"code": code, "message": message}})
        sys.stdout.flush()
    except OSError:
        abandon()
    with suppress(OSError):
        screen.warn(message)
    return status


if __name__ == "__main__":
    sys.exit(main())
