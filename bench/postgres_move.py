"""`wellkept db move` of a whole file to PostgreSQL, killed on its way: counts and hashes equal, the source untouched.

    python bench/postgres_move.py [--memories 100000] [--kills 3] [--source FILE]

The command is killed with SIGKILL whenever so much more has arrived, and started again until it comes to its end. Then
the rows of every table are counted on both sides by hand, and the bytes of the source are compared with those before.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import postgres_scale
from bench.postgres_server import CARELESS, Server
from wellkept.store.opening import open_driver
from wellkept.store.tables import tables

MEMORY_BYTES = 5_000
"""What one takes on the server, about: so far apart are the kills."""


def digest(path: Path) -> str:
    """Of the bytes of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def begin(source: Path, target: str) -> subprocess.Popen[str]:
    """The command, under way."""
    command = [sys.executable, "-m", "wellkept", "--db", str(source), "--json", "db", "move", target]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")


def killed(source: Path, server: Server, *, at: int) -> bool:
    """Kill the command once the target holds so many bytes; False when it was done before."""
    running = begin(source, server.url())
    while running.poll() is None:
        if int(str(server.execute("SELECT pg_database_size('postgres')")[0][0])) >= at:
            running.send_signal(signal.SIGKILL)
            running.communicate()
            print(f"killed at {at / 2**20:.0f} MB", flush=True)
            return True
        time.sleep(0.1)
    return False


def counts(url: str) -> dict[str, int]:
    """Rows of each table, counted by hand."""
    driver = open_driver(url)
    driver.create_or_check()
    try:
        return {name: driver.rows(f"SELECT COUNT(*) FROM {name}", {})[0][0] for name in tables()}  # noqa: S608 -- names of the schema
    finally:
        driver.close()


def run(source: Path, server: Server, *, memories: int, kills: int) -> bool:
    """Move, be killed, move on; whether everything is as it must be."""
    before, start = digest(source), time.perf_counter()
    empty = int(str(server.execute("SELECT pg_database_size('postgres')")[0][0]))
    step = memories * MEMORY_BYTES // (kills + 1)
    times = sum(killed(source, server, at=empty + number * step) for number in range(1, kills + 1))
    output, _ = (running := begin(source, server.url())).communicate()
    told = json.loads(output) if running.returncode == 0 else {"rows": -1, "written": -1, "tables": {}}
    here, there = counts(str(source)), counts(server.url())
    is_same = here == there == {name: proof["rows"] for name, proof in told["tables"].items()}
    is_untouched = digest(source) == before
    print(
        f"{here['memories']} memories, {told['rows']} rows in {len(told['tables'])} tables; {times} kills, "
        f"{told['written']} rows left for the last run; {time.perf_counter() - start:.0f} s"
    )
    print(f"hashes of every table equal: {running.returncode == 0}; counted by hand equal: {is_same}")
    print(f"source untouched: {is_untouched}")
    return running.returncode == 0 and is_same and is_untouched and times == kills


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--source", type=Path)
    given = parser.parse_args()
    server = Server().create(**CARELESS).start()
    try:
        print(server.versions())
        server.execute("CREATE EXTENSION vector")
        with tempfile.TemporaryDirectory() as folder:
            source = given.source or Path(folder, "memory.db")
            if given.source is None:
                postgres_scale.fill(str(source), memories=given.memories, users=max(given.memories // 1_000, 1))
            return 0 if run(source, server, memories=given.memories, kills=given.kills) else 1
    finally:
        server.remove()


if __name__ == "__main__":
    sys.exit(main())
