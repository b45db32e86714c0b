"""Streams that are closed, full or not text: said in a sentence, never with a traceback."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

RECOLLECT = f"{shlex.quote(sys.executable)} -m recollect"


@pytest.fixture
def shell(settings):
    """Run a line of a shell in which `recollect` is this one."""

    def call(line: str) -> subprocess.CompletedProcess[str]:
        command = f'recollect() {{ {RECOLLECT} "$@"; }}; {line}'
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)

    return call


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("recollect memory list >&-", 0, "There is no store"),
        ("recollect config check >&- 2>&-", 0, ""),
        ("recollect chat <&-", 0, ""),
        ("recollect remember - <&-", 1, "There is nothing to remember in that text."),
        ("recollect --json config check >/dev/full", 1, "No space left on device"),
        ("recollect --json memory show m_none >/dev/full", 1, "No such memory."),
        ("recollect memory show m_none 2>/dev/full", 1, ""),
        ("printf '\\xff\\xfe' | PYTHONUTF8=1 recollect remember -", 1, "The file is not valid UTF-8."),
    ],
)
def test_no_traceback(shell, line, status, said):
    done = shell(line)
    assert (done.returncode, "Traceback" in done.stderr, "Exception" in done.stderr) == (status, False, False)
    assert said in done.stderr


def test_a_text_comes_from_a_pipe(shell):
    assert "goldfish is called Sol" in shell("echo 'My goldfish is called Sol' | recollect remember -").stdout
