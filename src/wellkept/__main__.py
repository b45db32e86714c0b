"""The `wellkept` command, also `python -m wellkept`: starts what takes long, then reads the command line."""

from __future__ import annotations

import gc
import sys
import threading
from contextlib import suppress

# Commands that look for or take in text: their model is read by one thread while another reads the program.
NEED_MODEL = {"add", "chat", "context", "remember", "search"}
# A start makes many objects that stay: looking for garbage among them is a tenth of a short command. What runs for
# long keeps to Python's own measure.
GARBAGE_AFTER = 1_000_000
RUNS_LONG = {"bench", "eval", "mcp", "serve", "worker"}


def main() -> int:
    """Run the command of this process; its exit status."""
    if RUNS_LONG.isdisjoint(sys.argv):
        gc.set_threshold(GARBAGE_AFTER)
    if not NEED_MODEL.isdisjoint(sys.argv) and "--help" not in sys.argv:
        threading.Thread(target=_load_model, name="wellkept-model").start()
    from wellkept.surfaces.cli.main import main as run

    return run()


def _load_model() -> None:
    from wellkept.errors import EmbedderUnavailable
    from wellkept.models.bundled import MiniLM

    # Whoever needs the model tries again and says what is wrong.
    with suppress(EmbedderUnavailable):
        MiniLM().load()


if __name__ == "__main__":
    sys.exit(main())
