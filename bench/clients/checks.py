"""Checks that are counted: one failing does not stop the others, and the last line printed says how many passed."""

from __future__ import annotations

import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Checks:
    """`with checks("name"): …` for each; `checks.done()` prints `N of M` and ends the process accordingly."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._failed: list[str] = []

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        self._names.append(name)
        try:
            yield
        except Exception:
            self._failed.append(name)
            traceback.print_exc()

    def done(self) -> None:
        """Say what passed."""
        passed = [name for name in self._names if name not in self._failed]
        failed = f"; failed: {', '.join(self._failed)}" if self._failed else ""
        print(f"{len(passed)} of {len(self._names)}: {', '.join(passed)}{failed}")
        sys.exit(1 if self._failed else 0)


def example(name: str) -> str:
    """What an example of the repository prints."""
    path = Path(__file__).parents[2] / "examples" / f"{name}.py"
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2_000:])
    return done.stdout
