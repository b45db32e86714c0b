"""`import wellkept` is light and has no effects: checked in a fresh process that watches itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "wellkept"

# Runs the code given as its argument and reports what that did to the process. It loads all it needs beforehand.
WATCH = """
import json, logging, os, sys, threading

opened, connected, read = [], [], []

def audit(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and not arguments[0].endswith((".py", ".pyc")):
        opened.append(arguments[0])
    elif event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.fork")):
        connected.append(event)

class Watched(type(os.environ)):
    def __getitem__(self, name):
        caller = sys._getframe(1)
        while caller.f_code.co_filename.startswith("<frozen"):
            caller = caller.f_back
        read.append([caller.f_code.co_filename, name])
        return super().__getitem__(name)

os.environ.__class__ = Watched
before = set(sys.modules)
sys.addaudithook(audit)
exec(sys.argv[1])
loggers = [logging.root, *logging.root.manager.loggerDict.values()]
print(json.dumps({
    "modules": sorted({name.split(".")[0] for name in set(sys.modules) - before}),
    "opened": opened,
    "connected": connected,
    "read": read,
    "threads": [thread.name for thread in threading.enumerate()],
    "handlers": [str(handler) for logger in loggers for handler in getattr(logger, "handlers", [])],
}))
"""


def effects(code: str) -> dict[str, list]:
    done = subprocess.run(
        [sys.executable, "-B", "-W", "error", "-c", WATCH, code],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PACKAGE.parent), "HOME": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def importing() -> dict[str, list]:
    return effects("import wellkept")


def third_party(modules: list[str]) -> set[str]:
    return set(modules) - sys.stdlib_module_names - {"wellkept"}


def test_import_loads_only_itself_and_the_standard_library(importing):
    assert "wellkept" in importing["modules"]
    assert not third_party(importing["modules"])


def test_import_opens_no_file(importing):
    assert not importing["opened"]


def test_import_starts_nothing(importing):
    assert importing["threads"] == ["MainThread"]
    assert not importing["connected"]


def test_import_reads_no_environment(importing):
    assert not [name for file, name in importing["read"] if Path(file).is_relative_to(PACKAGE)]


def test_import_sets_up_no_logging(importing):
    assert not importing["handlers"]


def test_the_command_line_loads_no_server_and_no_client():
    loaded = set(effects("import wellkept.surfaces.cli.main")["modules"])
    assert third_party(list(loaded)) <= {"click"}
    assert not loaded & {"asyncio", "http", "ssl"}


@pytest.mark.parametrize(
    ("missing", "command"),
    [
        ("fastapi", ["serve", "--first-key"]),
        ("jinja2", ["serve"]),
        ("uvicorn", ["serve"]),
        ("prometheus_client", ["mcp"]),
        ("mcp", ["mcp"]),
    ],
)
def test_without_the_extra_the_error_says_how_to_get_it(missing, command, tmp_path):
    code = (
        f"import sys; sys.modules[{missing!r}] = None; from wellkept.surfaces.cli.main import main; "
        f"sys.exit(main(['--json', '--db', {str(tmp_path / 'memory.db')!r}, *{command!r}]))"
    )
    variables = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "WELLKEPT_EMBEDDER__PROVIDER": "none"}
    run = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False)
    assert (run.returncode, json.loads(run.stdout)["error"]["code"]) == (1, "missing_extra"), run.stderr
    assert "pip install 'wellkept[server]'" in run.stderr
    assert not (tmp_path / "memory.db").exists(), "nothing is made before that is known, and no key"


def test_watching_finds_what_it_looks_for(tmp_path):
    (tmp_path / "note.txt").touch()
    seen = effects(
        f"import numpy, threading, logging, socket; open({str(tmp_path / 'note.txt')!r}).close(); "
        "os.environ.get('HOME'); logging.basicConfig(); socket.socket().close(); "
        "threading.Thread(target=threading.Event().wait, daemon=True).start()"
    )
    assert "numpy" in third_party(seen["modules"])
    assert str(tmp_path / "note.txt") in seen["opened"]
    assert len(seen["threads"]) > 1
    assert "socket.__new__" in seen["connected"]
    assert ["<string>", "HOME"] in seen["read"]
    assert seen["handlers"]
