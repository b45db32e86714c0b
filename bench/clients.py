"""Real clients of other projects against a real server: mem0, MCP 1.x, a JSON-RPC library, MCP Inspector's own command.

    python bench/clients.py [NAME…] [--folder FOLDER]

Each runs in an environment of its own, made with pip (or npx) the first time and kept in FOLDER.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import venv
from collections.abc import Callable, Mapping
from pathlib import Path

from serving import Running, running

CLIENTS = Path(__file__).parent / "clients"
FOLDER = Path.home() / ".cache" / "wellkept-clients"
NEEDS: Mapping[str, tuple[str, ...]] = {
    "mem0_client": ("mem0ai>=2",),
    "mcp_1_client": ("mcp<2",),
    "jsonrpc_client": ("jsonrpcclient>=4", "requests"),
}
INSPECTOR = "@modelcontextprotocol/inspector"


def environment(name: str, folder: Path) -> Path:
    """The Python of an environment with what a client needs."""
    place = folder / name
    python = place / "bin" / "python"
    if not python.is_file():
        venv.create(place, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *NEEDS[name]], check=True)
    return python


def script(name: str) -> Callable[[Running, Path], str]:
    """A client that is a script."""

    def run(server: Running, folder: Path) -> str:
        command = [environment(name, folder), CLIENTS / f"{name}.py", server.url, sys.executable]
        variables = {
            **os.environ,
            "HOME": str(folder),
            "MEM0_TELEMETRY": "False",
            "WELLKEPT_DB": f"{server.store}-stdio",
        }
        return _said(command, variables)

    return run


def inspector(server: Running, _folder: Path) -> str:
    """MCP Inspector without its page: tools, a call, a resource."""
    base = ["npx", "--yes", INSPECTOR, "--cli", f"{server.url}/mcp?user=inspector", "--transport", "http", "--method"]
    call = [*base, "tools/call", "--tool-name", "remember", "--tool-arg", "facts=My favorite color is teal"]
    tools = json.loads(_said([*base, "tools/list"], dict(os.environ)))["tools"]
    assert "outcome" in _said(call, dict(os.environ))
    shown = _said([*base, "resources/read", "--uri", "memory://context"], dict(os.environ))
    assert "teal" in shown, shown
    return ", ".join(one["name"] for one in tools)


def _said(command: list[object], variables: Mapping[str, str]) -> str:
    done = subprocess.run(
        [str(word) for word in command], env=dict(variables), capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"{command[1]}: {done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stdout.strip()


ALL: Mapping[str, Callable[[Running, Path], str]] = {**{name: script(name) for name in NEEDS}, "inspector": inspector}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*ALL, []], metavar="NAME", help=", ".join(ALL))
    parser.add_argument("--folder", type=Path, default=FOLDER)
    asked = parser.parse_args()
    failed = 0
    with running() as server:
        for name in asked.names or ALL:
            try:
                print(f"{name}: {ALL[name](server, asked.folder)}", flush=True)
            except (OSError, RuntimeError, AssertionError, ValueError, subprocess.SubprocessError) as error:
                failed += 1
                print(f"{name}: FAILED: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
