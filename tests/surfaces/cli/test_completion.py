"""Completion: a script for every shell, and what PowerShell asks and is told."""

from __future__ import annotations

import pytest

from wellkept.surfaces.cli.commands import SHELLS


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script(cli, shell):
    done = cli("completion", shell)
    assert (done.status, "_WELLKEPT_COMPLETE" in done.out) == (0, True)


@pytest.mark.parametrize(
    ("line", "word", "found"),
    [
        ("wellkept rem", "rem", "remember"),
        ("wellkept ", "", "search"),
        ("wellkept memory ", "", "delete"),
        ("wellkept memory se", "se", "search"),
        ("wellkept remember --ab", "--ab", "--about"),
    ],
)
def test_powershell_is_told_what_could_come_next(process, line, word, found):
    done = process(_WELLKEPT_COMPLETE="powershell_complete", COMP_WORDS=line, COMP_WORD=word)
    told = dict(one.split("\t", 1) for one in done.out.splitlines())
    assert told[found], "with what it does"
    assert all(one.startswith(word) for one in told)
