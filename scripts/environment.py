"""The clone's own virtual environment: made once, filled again only when its recipe changes."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
PYTHON_MIN = (3, 11)

# A caller's settings for another Python must not reach ours.
FOREIGN = ("PYTHONHOME", "PYTHONPATH", "PIP_PREFIX", "PIP_TARGET", "PIP_USER", "VIRTUAL_ENV")

NO_PIP = """\
This Python can make virtual environments only without pip: its `ensurepip` module is missing.
Install it, then run this command again:
  Debian, Ubuntu    apt-get install python3-venv
  elsewhere         a complete Python {version} or newer, with pip"""


def say(text: str) -> None:
    print(text, flush=True)


def prepare(*, extras: bool = False, group: str = "") -> None:
    """Fill .venv with the project, editable, and on request with the extra `all` and a dependency group."""
    if sys.version_info < PYTHON_MIN:
        wanted = ".".join(map(str, PYTHON_MIN))
        sys.exit(f"wellkept needs Python {wanted} or newer; this is {sys.version.split()[0]}.")
    if not _runs():
        say(f"Making a virtual environment in {VENV.name}/ ...")
        _make()
    stamp = VENV / f"installed-{group or 'base'}.txt"
    recipe = _recipe(extras=extras, group=group)
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == recipe:
        return
    started = time.monotonic()
    say("Installing wellkept and what it needs (a minute or two the first time) ...")
    _install(extras=extras, group=group)
    stamp.write_text(recipe, encoding="utf-8")
    say(f"Installed in {time.monotonic() - started:.0f} s.")


def variables(**extra: str) -> dict[str, str]:
    """Environment variables for a command that is to run inside .venv."""
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return kept | {"VIRTUAL_ENV": str(VENV), "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', os.defpath)}"} | extra


def run(*command: str, env: dict[str, str] | None = None) -> int:
    """Run a command in the clone, without standard input, and give its exit status."""
    done = subprocess.run(command, cwd=ROOT, env=env or variables(), stdin=subprocess.DEVNULL, check=False)
    return done.returncode


def _runs() -> bool:
    """Whether .venv is whole: its Python starts, is new enough and has pip."""
    if not PYTHON.is_file():
        return False
    probe = f"import sys, pip; sys.exit(sys.version_info < {PYTHON_MIN})"
    done = subprocess.run([PYTHON, "-c", probe], env=variables(), capture_output=True, check=False)
    return done.returncode == 0


def _make() -> None:
    shutil.rmtree(VENV, ignore_errors=True)
    if importlib.util.find_spec("ensurepip"):
        commands = [["-m", "venv", str(VENV)]]
    elif importlib.util.find_spec("pip"):
        # Debian keeps ensurepip in a package of its own; a pip that is already there can do the same work.
        commands = [
            ["-m", "venv", "--without-pip", str(VENV)],
            ["-m", "pip", "--python", str(PYTHON), "install", "pip"],
        ]
    else:
        sys.exit(NO_PIP.format(version=".".join(map(str, PYTHON_MIN))))
    for command in commands:
        done = subprocess.run([sys.executable, *command], stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            sys.exit(f"`python {' '.join(command)}` failed; its message is above.")


def _install(*, extras: bool, group: str) -> None:
    """Install in one resolution; show the name of each package as pip turns to it, and everything if it fails."""
    quiet = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
    wanted = ["--editable", _target(extras=extras), *_group(group)]
    with subprocess.Popen(
        [PYTHON, "-m", "pip", "install", *quiet, *wanted],
        cwd=ROOT,
        env=variables(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as pip:
        lines = []
        for line in pip.stdout or ():
            lines.append(line)
            if line.startswith("Collecting "):
                say(f"  {line.split()[1]}")
    if pip.returncode:
        say("".join(lines))
        sys.exit("The installation failed; pip's messages are above.")
    # Compiled here once: where Python may not write bytecode, every start would compile all of it again.
    run(str(PYTHON), "-m", "compileall", "-q", str(ROOT / "src"))


def _target(*, extras: bool) -> str:
    return f"{ROOT}[all]" if extras else str(ROOT)


def _group(name: str) -> list[str]:
    """The requirements of a dependency group, read here because `pip install --group` needs pip 25.1."""
    return [str(requirement) for requirement in _table("dependency-groups")[name]] if name else []


def _table(name: str) -> dict[str, dict[str, list[str]]]:
    import tomllib  # Python 3.11: an older one must get as far as the sentence that says so

    found: dict[str, dict[str, list[str]]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[name]
    return found


def _recipe(*, extras: bool, group: str) -> str:
    """What the content of .venv depends on: moving the clone or editing pyproject.toml installs anew."""
    project = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    made_by = (VENV / "pyvenv.cfg").read_text(encoding="utf-8")
    return f"root {ROOT}\nextras {extras}\ngroup {group}\npyproject {project}\n{made_by}"
