"""The rules of CI hold: a skip is a failure there, and only there. And nothing but SQLite opens a database."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")
SKIPS = {
    "test_marked.py": "import pytest\n@pytest.mark.skip(reason='no server 1')\ndef test_it(): ...\n",
    "test_inside.py": "import pytest\ndef test_it(): pytest.skip('no server 2')\n",
    "test_module.py": "import pytest\npytest.skip('no server 3', allow_module_level=True)\n",
    "test_package.py": "import pytest\npytest.importorskip('no_such_package', reason='no server 4')\n",
}
EXPECTED_FAILURE = "import pytest\n@pytest.mark.xfail(reason='known')\ndef test_it(): assert False\n"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    shutil.copy(CONFTEST, tmp_path)
    for name, source in {**SKIPS, "test_known.py": EXPECTED_FAILURE}.items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    return tmp_path


def run(suite: Path, **variables: str) -> tuple[int, str]:
    options = ["-q", "-p", "no:cacheprovider", "--continue-on-collection-errors", "-c", os.devnull, "--rootdir", suite]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, suite],
        env={"PATH": os.environ["PATH"]} | variables,
        cwd=suite,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def test_every_kind_of_skip_fails_in_ci(suite):
    status, printed = run(suite, CI="true")
    assert status != 0
    assert "1 failed, 1 xfailed, 3 errors" in printed
    for number in range(1, len(SKIPS) + 1):
        assert f"no server {number}" in printed


def test_skips_pass_elsewhere(suite):
    status, printed = run(suite)
    assert status == 0
    assert "4 skipped, 1 xfailed" in printed


INTRUDING = """
import contextlib, os, shutil, sqlite3
from pathlib import Path
import apsw, pytest

@pytest.fixture
def path(tmp_path):
    path = tmp_path / "memory.db"
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.execute("CREATE TABLE t (x)")
    yield path
    connection.close()

WAYS = {
    "read_bytes": Path.read_bytes,
    "wal": lambda path: path.with_name("memory.db-wal").read_bytes(),
    "shm": lambda path: os.close(os.open(f"{path}-shm", os.O_RDONLY)),
    "copy": lambda path: shutil.copy(path, f"{path}.copy"),
    "append": lambda path: path.open("ab").close(),
    "detour": lambda path: (path.parent / ".." / path.parent.name / path.name).read_bytes(),
    "sqlite3": lambda path: sqlite3.connect(path).close(),
}

@pytest.mark.parametrize("way", WAYS)
def test_open(path, way):
    WAYS[way](path)

def test_caught(path):
    with contextlib.suppress(AssertionError):
        path.read_bytes()

def test_stat(path):
    assert path.stat().st_size

def test_another_file_of_the_name(path):
    other = path.parent / "other" / path.name
    other.parent.mkdir()
    other.write_bytes(b"x")

def test_closed(tmp_path):
    connection = apsw.Connection(str(tmp_path / "memory.db"))
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    assert (tmp_path / "memory.db").read_bytes()
"""


def test_whoever_opens_a_database_that_sqlite_has_open_fails(tmp_path):
    shutil.copy(CONFTEST, tmp_path)
    (tmp_path / "test_intruding.py").write_text(INTRUDING, encoding="utf-8")
    status, printed = run(tmp_path)
    assert status != 0
    # Each way fails where it opens and once more at the end; so does, at the end alone, the one that is caught.
    assert "7 failed, 4 passed, 8 errors" in printed


def test_clock_moves_only_when_told(clock):
    before = clock()
    assert clock() == before
    clock.advance(days=13, hours=1)
    assert (clock() - before).total_seconds() == (13 * 24 + 1) * 3600
    assert clock().tzinfo is not None


def test_what_is_not_counted_is_there():
    source = ast.parse(CONFTEST.read_text(encoding="utf-8"))
    (named,) = [
        one.value for one in source.body if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "UNCOUNTED"
    ]
    assert [one for one in ast.literal_eval(named) if not (CONFTEST.parent / one).exists()] == []
