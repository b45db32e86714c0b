"""Examples whose framework is installed here run as they stand; `bench clients` runs the others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = {
    "anthropic_memory": "I know that you are a vegetarian",
    "pydantic_ai_agent": "tuesday: What is my favorite color? -> Your favorite color is teal.",
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs_offline(name):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, ROOT / "examples" / f"{name}.py"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert EXAMPLES[name] in done.stdout
