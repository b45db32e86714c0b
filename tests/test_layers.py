"""The parts of the package import downwards only, and what belongs to one part stays in it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "wellkept"

# What only one part of the package may know: the imported package, and the folder it belongs to.
HOMES = {
    "apsw": "store",
    "psycopg": "store",
    "sqlite3": "store",
    "onnxruntime": "models",
    "rich": "surfaces",
    "click": "surfaces",
}


def lint(folder: Path, package: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()", "--no-cache"],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(package.parent), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def imported(path: Path) -> set[str]:
    """The top names of everything a module imports, inside functions too."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def test_imports_point_down():
    done = lint(ROOT, PACKAGE)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("module", "source", "contract"),
    [
        ("policies/rank.py", "from wellkept import store", "Imports point down"),
        ("flows/recall.py", "def f():\n    import wellkept.surfaces.cli", "Imports point down"),
        ("models/bundled.py", "from wellkept.judges import english", "Imports point down"),
        ("new_part.py", "", "not listed as layers"),
        ("policies/rank.py", "def f():\n    import numpy", "Policies are pure"),
        ("policies/rank.py", "import time", "Policies are pure"),
    ],
)
def test_contracts_find_what_they_look_for(tmp_path, module, source, contract):
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    parts = {name.strip(" ()") for layer in tools["contracts"][0]["layers"] for name in layer.split("|")}
    for part in {*parts - {"__main__"}, "surfaces/cli"}:
        (tmp_path / "wellkept" / part).mkdir(parents=True, exist_ok=True)
        (tmp_path / "wellkept" / part / "__init__.py").touch()
    (tmp_path / "wellkept" / "__init__.py").touch()
    (tmp_path / "wellkept" / "models" / "x.py").touch()
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    (tmp_path / "wellkept" / module).write_text(source, encoding="utf-8")
    done = lint(tmp_path, tmp_path / "wellkept")
    assert done.returncode == 1
    assert contract in done.stdout.partition("Broken contracts")[2]


def test_what_belongs_to_one_part_stays_in_it():
    strays = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in PACKAGE.rglob("*.py")
        for name in sorted(imported(path) & set(HOMES))
        if path.relative_to(PACKAGE).parts[0] != HOMES[name]
    ]
    assert not strays


# Extras of adapters: nobody uses all of these frameworks at once, and some need versions that others refuse.
FRAMEWORKS = {
    "anthropic", "autogen", "claude-agent-sdk", "crewai", "google-adk", "llama-index", "openai-agents", "pydantic-ai",
    "strands",
}  # fmt: skip


def test_the_extra_all_brings_every_other_extra():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    everything = ",".join(sorted(set(extras) - {"all", *FRAMEWORKS}))
    assert extras["all"] == [f"wellkept[{everything}]"]
