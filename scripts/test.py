"""Install what the tests need into .venv, run every gate, then the tests; arguments go to pytest.

Without arguments the whole suite runs and the branch coverage has to reach COVERAGE_MIN. The last line printed is
pytest's closing line, and the exit status is 0 only when every gate and every test passed.
"""

from __future__ import annotations

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
    failed = [name for name, command in GATES if _gate(name, command)]
    if failed:
        # Said before the tests, because their closing line is the last one.
        say(f"\nGATES FAILED: {', '.join(failed)}")
    say("\n--- tests")
    coverage = ["--cov", "--cov-report=term", f"--cov-fail-under={COVERAGE_MIN}"]
    return _tool("pytest", "-n", "2", *(arguments or coverage)) or int(bool(failed))


def _gate(name: str, command: tuple[str, ...]) -> int:
    say(f"\n--- {name}")
    return _tool(*command)


def _tool(name: str, *arguments: str) -> int:
    return run(str(BIN / name), *arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
