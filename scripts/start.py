"""Install wellkept into .venv, show the demo, then remember and recall something on a throwaway store."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from environment import BIN, prepare, run, say, variables

FIRST_STEPS = (
    ("remember", "My wife Sarah likes Italian food"),
    ("chat", "Remember my favorite color is blue"),
    ("memory", "list"),
    ("chat", "What does my wife like?"),
    ("chat", "What's my favorite color?"),
    ("chat", "Where did I go to school?"),
)

GOODBYE = """
That store is gone now. To keep one:

  source .venv/bin/activate
  wellkept remember "My wife Sarah likes Italian food"
  wellkept chat "What does my wife like?"
  wellkept --help"""


def main() -> int:
    prepare()
    if status := _shown("demo"):
        return status
    say("\nNow by hand, on an empty store, each command a process of its own:")
    with tempfile.TemporaryDirectory(prefix="wellkept-") as folder:
        for arguments in FIRST_STEPS:
            if status := _shown(*arguments, WELLKEPT_DB=str(Path(folder) / "memory.db")):
                return status
    say(GOODBYE)
    return 0


def _shown(*arguments: str, **settings: str) -> int:
    command = ("wellkept", *arguments)
    shown = " ".join(f'"{word}"' if " " in word else word for word in command)
    say(f"\n$ {shown}")
    status = run(str(BIN / command[0]), *arguments, env=variables(**settings))
    if status:
        say(f"`{shown}` failed with exit status {status}.")
    return status


if __name__ == "__main__":
    sys.exit(main())
