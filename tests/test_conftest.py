"""The rules of CI hold: a skip is a failure there, and only there."""

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


def test_clock_moves_only_when_told(clock):
    before = clock()
    assert clock() == before
    clock.advance(days=13, hours=1)
    assert (clock() - before).total_seconds() == (13 * 24 + 1) * 3600
    assert clock().tzinfo is not None


def test_what_is_not_counted_is_there():
    source = ast.parse(CONFTEST.read_text(encoding="utf-8"))
    (named,) = [one.value for one in source.body if isinstance(one, ast.Assign) and one.targets[0].id == "UNCOUNTED"]
    assert [one for one in ast.literal_eval(named) if not (CONFTEST.parent / one).exists()] == []
