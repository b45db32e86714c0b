"""A rolling upgrade under load: servers of the release before and of this one side by side on a migrated schema.

    python bench/postgres_upgrade.py --before COMMIT [--seconds 5]

Writers of the code at COMMIT begin on its own schema. Then this release migrates the database, its writers join, and the
old ones end. Whoever is told `store_busy` tries again, as clients do. Nothing that was acknowledged may be lost.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.postgres_server import Server
from wellkept.store.opening import migrate, open_store

ROOT = Path(__file__).resolve().parents[1]
WRITERS = 3
# Runs on either release, so it uses what both have.
WRITER = """
import json, sys, time
import wellkept
from wellkept.config import Config, MemoryTable
from wellkept.errors import StoreBusy, WellkeptError
from wellkept.judges.english import RulesJudge
url, name, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
config = Config(memory=MemoryTable(auto_gc=False))
told = {"acknowledged": [], "busy": 0, "failed": [], "read": 0}
with wellkept.open(url, config=config, judge=RulesJudge(), embedder="none", worker="off") as memory:
    print("ready", flush=True)
    at, end, count = memory.at(user=name), time.monotonic() + seconds, 0
    while time.monotonic() < end:
        count += 1
        try:
            told["acknowledged"].append(at.remember(f"My favorite number is {count}").id)
            told["read"] += len(at.recall("What is my favorite number?").hits) > 0
        except StoreBusy:
            told["busy"] += 1
        except WellkeptError as error:
            told["failed"].append(f"{error.code}: {error}")
print(json.dumps(told))
"""


def start(code: Path, url: str, name: str, seconds: float) -> subprocess.Popen[str]:
    """A writer of the release whose source is there; it has opened the store."""
    environment = os.environ | {"PYTHONPATH": str(code)}
    begun = subprocess.Popen(
        [sys.executable, "-c", WRITER, url, name, str(seconds)], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert begun.stdout is not None
    assert begun.stdout.readline() == "ready\n"
    return begun


def ended(writer: subprocess.Popen[str]) -> dict[str, Any]:
    """What a writer was told."""
    out, _ = writer.communicate(timeout=300)
    found: dict[str, Any] = json.loads(out)
    return found


def source(commit: str, folder: Path) -> Path:
    """The code of a commit."""
    packed = subprocess.run(["git", "archive", commit, "src"], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True, metavar="COMMIT")
    parser.add_argument("--seconds", type=float, default=5)
    given = parser.parse_args()
    server = Server().create().start()
    with tempfile.TemporaryDirectory(prefix="wellkept-") as folder:
        try:
            print(server.versions())
            server.execute("CREATE EXTENSION vector")
            old, url = source(given.before, Path(folder)), server.url()
            before = [start(old, url, f"old{number}", 3 * given.seconds) for number in range(WRITERS)]
            time.sleep(given.seconds / 2)
            begun = time.monotonic()
            steps = migrate(url)
            print(f"{steps} steps of migration under {WRITERS} writers in {time.monotonic() - begun:.1f} s")
            after = [start(ROOT / "src", url, f"new{number}", 3 * given.seconds) for number in range(WRITERS)]
            return look(url, {"before": [ended(one) for one in before], "after": [ended(one) for one in after]})
        finally:
            server.remove()


def look(url: str, told: dict[str, list[dict[str, Any]]]) -> int:
    """Print and judge."""
    store = open_store(url)
    rows = store._db.driver.rows  # type: ignore[attr-defined]  # noqa: SLF001 -- the tables themselves
    there = {row[0] for row in rows("SELECT id FROM memories", {})}
    broken = list(store.verify("default"))
    store.close()
    lost, failed = 0, []
    for release, writers in told.items():
        acknowledged = [one for writer in writers for one in writer["acknowledged"]]
        lost += len(set(acknowledged) - there)
        failed += [error for writer in writers for error in writer["failed"]]
        busy, read = (sum(writer[name] for writer in writers) for name in ("busy", "read"))
        print(f"release {release}: {len(acknowledged)} writes, {read} recalls that found it, {busy} tried again")
    print(f"failed: {failed or 'none'}; lost: {lost}; broken chains: {len(broken)}")
    return int(
        bool(failed or lost or broken or not all(writer["acknowledged"] for one in told.values() for writer in one))
    )


if __name__ == "__main__":
    sys.exit(main())
