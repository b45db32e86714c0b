"""The programs in `examples/` run as they stand, offline, with the reader and the embedder that are shipped."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SAID = {
    "assistant": ["I'll remember that.", "You are allergic to peanuts."],
    "group_bot": [
        "Cy (group): @bot what do you know about Bo?",
        "  bot: Bo plays the cello.",
        "Cy (group): @bot does Bo have a diagnosis?",
        "  bot: I don't know.",
        "Bo (private): @bot what was I diagnosed with?",
        "  bot: You were diagnosed with diabetes.",
    ],
    "supervisor": [
        "plan → execute",
        "-- restart --",
        "  executor was told: Book the 8:39 train from Lisbon to Porto",
        "execute → done",
        "executor sees: Book the 8:39 train from Lisbon to Porto",
        "stylist sees: The user prefers window seats",
    ],
    "governed": [
        "memory_promoted promotion_request",
        "memory_denied write_policy_minimal",
        "memory_denied privacy_deny_sensitive",
        "kinds of events are the same again: True",
    ],
    "langgraph_app": [
        "friday: What should I avoid eating?",
        "  You are allergic to peanuts.",
        "monday's thread has 2 messages; what Alice said there was known on friday",
    ],
}
"""Lines that each prints, in this order."""
TYPED = {"assistant": "I'm allergic to peanuts\nWhat should I avoid eating?\n\n"}


def test_every_example_is_run():
    assert {path.stem for path in EXAMPLES.glob("*.py")} >= set(SAID)


@pytest.mark.parametrize("name", SAID)
def test_an_example_runs_as_it_stands(name, tmp_path):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("WELLKEPT_")}
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py")],
        input=TYPED.get(name, ""),
        cwd=tmp_path,
        env={**environment, "HOME": str(tmp_path), "PYTHONPATH": str(EXAMPLES.parent / "src"), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed = iter(done.stdout.splitlines())
    for line in SAID[name]:
        assert line in printed, f"{line!r} is missing, or out of order:\n{done.stdout}"


def test_the_assistant_has_forty_lines():
    source = (EXAMPLES / "assistant.py").read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(source)).count("40") == 1
    assert len(source.splitlines()) <= 40
