"""Streams that are closed, full or not text: said in a sentence, never with a traceback."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

WELLKEPT = f"{shlex.quote(sys.executable)} -m wellkept"


@pytest.fixture
def shell(settings):
    """Run a line of a shell in which `wellkept` is this one."""

    def call(line: str) -> subprocess.CompletedProcess[str]:
        command = f'wellkept() {{ {WELLKEPT} "$@"; }}; {line}'
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)

    return call


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("wellkept memory list >&-", 0, "There is no store"),
        ("wellkept config check >&- 2>&-", 0, ""),
        ("wellkept chat <&-", 0, ""),
        ("wellkept remember - <&-", 1, "There is nothing to remember in that text."),
        ("wellkept --json config check >/dev/full", 1, "No space left on device"),
        ("wellkept --json memory show m_none >/dev/full", 1, "No such memory."),
        ("wellkept memory show m_none 2>/dev/full", 1, ""),
        ("printf '\\xff\\xfe' | PYTHONUTF8=1 wellkept remember -", 1, "The file is not valid UTF-8."),
    ],
)
def test_no_traceback(shell, line, status, said):
    done = shell(line)
    assert (done.returncode, "Traceback" in done.stderr, "Exception" in done.stderr) == (status, False, False)
    assert said in done.stderr


def test_a_text_comes_from_a_pipe(shell):
    assert "goldfish is called Sol" in shell("echo 'My goldfish is called Sol' | wellkept remember -").stdout
