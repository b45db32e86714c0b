"""Install what the tests need into .venv, run every gate, then the tests; arguments go to pytest.

Without arguments the whole suite runs and the branch coverage has to reach COVERAGE_MIN. The last line printed is
pytest's closing line, and the exit status is 0 only when every gate and every test passed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from environment import BIN, prepare, run, say

COVERAGE_MIN = 90

GATES = (
    ("lint", ("ruff", "check", ".")),
    ("format", ("ruff", "format", "--check", ".")),
    ("types", ("mypy",)),
    ("layers", ("lint-imports",)),
)


def main(arguments: list[str]) -> int:
    prepare(extras=True, group="test")
    _browser()
    failed = [name for name, command in GATES if _gate(name, command)]
    if failed:
        # Said before the tests, because their closing line is the last one.
        say(f"\nGATES FAILED: {', '.join(failed)}")
    say("\n--- tests")
    coverage = ["--cov", "--cov-report=term", f"--cov-fail-under={COVERAGE_MIN}"]
    return _tool("pytest", "-n", "2", *(arguments or coverage)) or int(bool(failed))


def _browser() -> None:
    """The Studio is tried in a real browser: Debian's chromium, installed here where that is allowed."""
    if any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
        return
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        say("There is no chromium here: the tests of the Studio will fail. `apt-get install chromium` brings it.")
        return
    say("Installing chromium for the tests of the Studio ...")
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (("apt-get", "update", "-q"), ("apt-get", "install", "-y", "-q", "chromium")):
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        if done.returncode:
            say(done.stdout[-2_000:] + done.stderr[-2_000:])


def _gate(name: str, command: tuple[str, ...]) -> int:
    say(f"\n--- {name}")
    return _tool(*command)


def _tool(name: str, *arguments: str) -> int:
    return run(str(BIN / name), *arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
