"""Other projects' clients, frameworks and test suites against wellkept, each in an environment of its own, with counts.

    python bench/clients.py [NAME…] [--source langgraph=FOLDER] [--folder FOLDER]

Environments are made with pip (or npm) the first time and kept in FOLDER. A suite that is not on PyPI is run from a
clone of its project: `--source langgraph=FOLDER` runs LangGraph's graph and store tests, with its own classes and ours.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from serving import Running, running

ROOT = Path(__file__).resolve().parents[1]
CLIENTS = Path(__file__).parent / "clients"
FOLDER = Path.home() / ".cache" / "wellkept-clients"
LIMIT_SECONDS = 1_800
SERVED: Mapping[str, tuple[str, ...]] = {
    "mem0_client": ("mem0ai>=2",),
    "mcp_1_client": ("mcp<2",),
    "jsonrpc_client": ("jsonrpcclient>=4", "requests"),
}
"""Clients of a server, and what they need."""
ADAPTERS: Mapping[str, tuple[str, ...]] = {
    "openai_agents_adapter": ("openai-agents",),
    "llama_index_adapter": ("llama-index-core",),
    "google_adk_adapter": ("google-adk",),
    "claude_agent_sdk_adapter": ("claude-agent-sdk", "mcp>=2.1,<3"),
    "crewai_adapter": ("crewai",),
    "strands_adapter": ("strands-agents",),
    "autogen_adapter": ("autogen-core", "autogen-agentchat", "autogen-ext"),
}
"""Adapters by the name of their checks, and what they need besides wellkept itself."""
INSPECTOR = "@modelcontextprotocol/inspector"
GRAPHS = (
    "langgraph-checkpoint-sqlite", "langgraph-checkpoint-postgres", "aiosqlite", "httpx", "psycopg[binary]",
    "psycopg-pool", "pycryptodome", "pytest", "pytest-asyncio", "pytest-mock", "pytest-timeout", "redis", "sqlite-vec",
    "syrupy",
)  # fmt: skip
SQLITES_OWN = (
    # These look into the tables and the SQL of LangGraph's SQLite store, or at how its asynchronous one queues calls.
    "test_vector_store_initialization", "test_sql_injection_vulnerability", "test_nonnull_migrations",
    "test_escape_glob_literal", "test_namespace_match_pattern", "test_list_namespaces_prefix_uses_indexable_condition",
    "test_no_running_loop",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a client or suite came to."""

    name: str
    passed: int
    total: int
    note: str = ""


def environment(name: str, needs: Sequence[str], folder: Path) -> Path:
    """The Python of an environment with what a client needs; made anew when that changes."""
    place = folder / name
    python, told = place / "bin" / "python", place / "needs.json"
    if not told.is_file() or json.loads(told.read_text(encoding="utf-8")) != list(needs):
        venv.create(place, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *needs], check=True, capture_output=True)
        told.write_text(json.dumps(list(needs)), encoding="utf-8")
    return python


def counted(name: str, said: str) -> Result:
    """From the last line of checks (`N of M: …`) or of pytest; a script that only ends well counts as one."""
    last = said.strip().splitlines()[-1] if said.strip() else ""
    if found := re.match(r"(\d+) of (\d+)(?:: )?(.*)", last):
        return Result(name=name, passed=int(found[1]), total=int(found[2]), note=found[3])
    counts = {kind: int(number) for number, kind in re.findall(r"(\d+) (passed|failed|error)", last)}
    if not counts:
        return Result(name=name, passed=1, total=1, note=last)
    failed = re.findall(r"^(?:FAILED|ERROR) \S*::(\S+)", said, flags=re.MULTILINE)
    return Result(name=name, passed=counts.get("passed", 0), total=sum(counts.values()), note=", ".join(failed))


def client(name: str, server: Running, folder: Path) -> Result:
    """A client of the server."""
    python = environment(name, SERVED[name], folder)
    variables = {"HOME": str(folder), "MEM0_TELEMETRY": "False", "WELLKEPT_DB": f"{server.store}-stdio"}
    return counted(name, _said([python, CLIENTS / f"{name}.py", server.url, sys.executable], variables))


def adapter(name: str, folder: Path) -> Result:
    """An adapter with the real framework, and its example."""
    python = environment(name, [*ADAPTERS[name], "--editable", str(ROOT)], folder)
    # Some frameworks report their use unless they are told not to.
    quiet = {"OTEL_SDK_DISABLED": "true", "CREWAI_DISABLE_TELEMETRY": "true", "ANONYMIZED_TELEMETRY": "False"}
    return counted(name, _said([python, "-W", "ignore", CLIENTS / f"{name}.py"], quiet))


def inspector(server: Running) -> Result:
    """MCP Inspector without its page: tools, a call, a resource."""
    base = ["npx", "--yes", INSPECTOR, "--cli", f"{server.url}/mcp?user=inspector", "--transport", "http", "--method"]
    call = [*base, "tools/call", "--tool-name", "remember", "--tool-arg", "facts=My favorite color is teal"]
    tools = json.loads(_said([*base, "tools/list"], {}))["tools"]
    kept = "outcome" in _said(call, {})
    shown = "teal" in _said([*base, "resources/read", "--uri", "memory://context"], {})
    names = ", ".join(one["name"] for one in tools)
    return Result(name="inspector", passed=bool(tools) + kept + shown, total=3, note=names)


def vercel(server: Running, folder: Path) -> Result:
    """The Vercel AI SDK over MCP: its example, installed with npm, against this server."""
    place = folder / "vercel_ai"
    shutil.copytree(ROOT / "examples" / "vercel_ai", place, dirs_exist_ok=True)
    if not (place / "node_modules").is_dir():
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund"]
        subprocess.run(command, cwd=place, check=True, capture_output=True)
    said = _said(["node", "index.mjs", server.url], {}, place=place)
    wanted = ("tools: remember, recall", "alice is known: true", "bob sees it: false")
    return Result(name="vercel_ai", passed=sum(one in said for one in wanted), total=len(wanted), note=said)


def langgraph(source: Path, folder: Path) -> Iterator[Result]:
    """LangGraph's graph and store tests: with its own classes, then with ours in their place."""
    about = tomllib.loads((source / "libs/langgraph/pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = [f"langgraph=={about['version']}", *GRAPHS, "--editable", str(ROOT)]
    python = environment("langgraph_suite", needs, folder)
    stores = ["test_store.py", "test_async_store.py"]
    not_sqlites_own = " and ".join(f"not {test}" for test in SQLITES_OWN)
    for title, library, files, wanted in (
        ("graphs", "langgraph", _with_saver(source / "libs/langgraph/tests"), "sqlite and not sqlite_aes"),
        ("SQLite store", "checkpoint-sqlite", stores, not_sqlites_own),
        ("store in memory", "checkpoint", stores[:1], ""),
    ):
        for whose, plugin in (("its own", []), ("wellkept", ["-p", "langgraph_plugin"])):
            with tempfile.TemporaryDirectory(prefix="wellkept-langgraph-") as place:
                # Only its tests: beside them stands the source of packages that are installed already.
                shutil.copytree(source / "libs" / library / "tests", Path(place) / "tests")
                command = [
                    python,
                    "-m",
                    "pytest",
                    "-q",
                    "-p",
                    "no:cacheprovider",
                    "--tb=line",
                    "--timeout=120",
                    *plugin,
                ]
                # Tests of graphs run under anyio; a second owner of the event loop would wait for it forever.
                command += [] if library == "langgraph" else ["-o", "asyncio_mode=auto"]
                command += ["-k", wanted, *(f"tests/{one}" for one in files)]
                variables = {"NO_DOCKER": "true", "PYTHONPATH": str(CLIENTS)}
                yield counted(f"LangGraph, {title}: {whose}", _said(command, variables, place=Path(place)))


def _with_saver(tests: Path) -> list[str]:
    """The files whose tests are run with every saver."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(tests.glob("test_*.py"))}
    return [name for name, text in texts.items() if re.search(r"\b(a?sync)_checkpointer: BaseCheckpointSaver", text)]


def _said(command: Sequence[object], variables: Mapping[str, str], *, place: Path | None = None) -> str:
    """What a process printed; failed checks are counted by whoever reads it."""
    done = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, **variables},
        cwd=place,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
    if done.returncode != 0 and not re.search(r"^\d+ of \d+|\d+ (passed|failed)", done.stdout, flags=re.MULTILINE):
        raise RuntimeError(f"{done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stdout.strip()


def results(names: Sequence[str], sources: Mapping[str, Path], folder: Path) -> Iterator[Result]:
    """One after the other; what breaks is a result, too."""
    with running() as server:
        runs: dict[str, Callable[[], Iterator[Result]]] = {}
        for name in SERVED:
            runs[name] = lambda name=name: iter([client(name, server, folder)])
        runs["inspector"] = lambda: iter([inspector(server)])
        runs["vercel_ai"] = lambda: iter([vercel(server, folder)])
        for name in ADAPTERS:
            runs[name] = lambda name=name: iter([adapter(name, folder)])
        if "langgraph" in sources:
            runs["langgraph"] = lambda: langgraph(sources["langgraph"], folder)
        for name in names or runs:
            try:
                yield from runs[name]()
            except (OSError, RuntimeError, ValueError, KeyError, subprocess.SubprocessError) as error:
                yield Result(name=name, passed=0, total=1, note=f"{type(error).__name__}: {error}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = [*SERVED, "inspector", "vercel_ai", *ADAPTERS, "langgraph"]
    parser.add_argument("names", nargs="*", choices=[*known, []], metavar="NAME", help=", ".join(known))
    parser.add_argument("--source", action="append", default=[], metavar="NAME=FOLDER", help="a clone with a suite")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    asked = parser.parse_args()
    sources = {name: Path(place).resolve() for name, _, place in (one.partition("=") for one in asked.source)}
    if "langgraph" in asked.names and "langgraph" not in sources:
        parser.error("langgraph needs --source langgraph=FOLDER, a clone of its repository.")
    table = Table("suite or client", "passed", "of", "notes")
    failed = 0
    for one in results(asked.names, sources, asked.folder):
        failed += one.passed < one.total
        print(f"{one.name}: {one.passed} of {one.total}", flush=True)
        table.add_row(one.name, str(one.passed), str(one.total), one.note[:200])
    Console().print(table)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
