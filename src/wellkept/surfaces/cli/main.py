"""The `wellkept` command: parses, calls, prints, and turns every expected error into a sentence and an exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from wellkept.errors import InvalidInput, WellkeptError
from wellkept.surfaces.cli.commands import root
from wellkept.surfaces.cli.screen import Screen, abandon

FAILED = 1
USAGE = 2
INTERRUPTED = 130
WRONG_USAGE = frozenset(
    """
    empty_name empty_query invalid_agent invalid_budget invalid_category invalid_chat_type invalid_cursor
    invalid_expiry invalid_fact invalid_filter invalid_id invalid_input invalid_lifetime invalid_limit
    invalid_name invalid_pair invalid_parameter invalid_phase_name invalid_phase_reason invalid_return
    invalid_scope invalid_sensitivity invalid_source invalid_sources invalid_space invalid_status
    invalid_strategy invalid_text invalid_threshold invalid_time invalid_type invalid_url invalid_viewpoint
    no_chat no_owner not_confirmed not_over_rpc query_too_long unknown_check unknown_job unknown_name
    """.split()
)
"""Codes of mistakes of whoever typed the command, of a server too: exit status 2. All others: 1."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status: 0 done, 1 refused or failed, 2 wrong usage."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    _prepare_streams()
    before_texts = given[: given.index("--")] if "--" in given else given
    screen = Screen("json" if "--json" in before_texts else "text")
    try:
        if any("\ud800" <= letter <= "\udfff" for argument in given for letter in argument):
            raise InvalidInput("An argument is not valid UTF-8.", code="invalid_text")
        return root().main(given, prog_name="wellkept", standalone_mode=False) or 0
    except click.UsageError as error:
        hint = f"\n{error.ctx.get_usage()}" if error.ctx is not None and screen.form == "text" else ""
        return _failed(screen, "usage", error.format_message() + hint, USAGE)
    except click.ClickException as error:
        return _failed(screen, "usage", error.format_message(), USAGE)
    except WellkeptError as error:
        return _failed(screen, error.code, str(error), USAGE if error.code in WRONG_USAGE else FAILED)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _failed(screen, "os_error", f"{where}{error.strerror or error}", FAILED)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED


def _prepare_streams() -> None:
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller (`>&-`): nothing is read or shown there
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 -- open as long as the process
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show a letter gets its escape, never a failure.
            stream.reconfigure(errors="backslashreplace")


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
