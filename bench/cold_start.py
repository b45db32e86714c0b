"""How long a first command takes, beside what no program with this model can do without, measured in the same run.

Run it as `python bench/cold_start.py [--runs 7] [--memories 1000]`. Besides the time on the clock it prints the
processor time, which other work on the machine changes less.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import wellkept

REFERENCE = """
import numpy, onnxruntime
from importlib.resources import files
model = files("wellkept.models") / "data" / "minilm-l6-v2-int8.onnx"
onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
"""
IMPORT_MAX_S = 0.15
SEARCH_MAX_S = 0.6
RATIO_MAX = 1.5

USER = "bench"
PEER = "reference: numpy + onnxruntime + model"
CASES = {
    "python": ["-c", "pass"],
    "import wellkept": ["-c", "import wellkept"],
    "import wellkept, open used": ["-c", "import wellkept; wellkept.open"],
    "wellkept --version": ["-m", "wellkept", "--version"],
    "wellkept memory list": ["-m", "wellkept", "memory", "list"],
    "wellkept memory search": ["-m", "wellkept", "memory", "search", "where is the blue bicycle?"],
    PEER: ["-c", REFERENCE],
}


@dataclass(frozen=True, kw_only=True)
class Run:
    """Seconds of one process: on the clock, and of the processor."""

    clock: float
    processor: float


def main() -> int:
    parser = argparse.ArgumentParser(description="Cold start of the command line.")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--memories", type=int, default=1_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wellkept-bench-") as folder:
        # Compiled modules as after an installation, wherever the sources are and whatever the caller has set.
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "WELLKEPT"))}
        environment = kept | {
            "HOME": folder,
            "PYTHONPYCACHEPREFIX": str(Path(folder) / "compiled"),
            "WELLKEPT_DB": str(Path(folder) / "memory.db"),
            "WELLKEPT_USER": USER,
        }
        fill(Path(folder) / "memory.db", arguments.memories)
        runs = measure(environment, arguments.runs)
    return report(runs, arguments.memories)


def fill(path: Path, memories: int) -> None:
    """A store with something to search in."""
    things = ("bicycle", "kettle", "lamp", "ladder", "piano", "suitcase", "tent", "violin", "wheelbarrow", "umbrella")
    colours = ("blue", "red", "green", "black", "white", "yellow", "brown")
    with wellkept.open(path, embedder="none") as memory:
        viewpoint = memory.at(user=USER)
        for number in range(memories):
            thing, colour = things[number % len(things)], colours[number % len(colours)]
            viewpoint.add(f"The {colour} {thing} number {number} stands in room {number // 7}")
    with wellkept.open(path) as memory:
        memory.upkeep.embed()


def measure(environment: dict[str, str], runs: int) -> dict[str, list[Run]]:
    """Every run; the cases take turns, so that a busy moment hits all of them alike."""
    measured: dict[str, list[Run]] = {name: [] for name in CASES}
    for number in range(runs + 1):
        for name, words in CASES.items():
            run = once([sys.executable, *words], environment)
            if number:  # the first round only warms the file cache and compiles
                measured[name].append(run)
    return measured


def once(command: list[str], environment: dict[str, str]) -> Run:
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(clock=time.perf_counter() - started, processor=used)


def report(measured: dict[str, list[Run]], memories: int) -> int:
    clock = {name: median(run.clock for run in runs) for name, runs in measured.items()}
    processor = {name: median(run.processor for run in runs) for name, runs in measured.items()}
    print(f"{memories} memories, {len(measured['python'])} runs each, medians in seconds\n")
    print(f"{'':40} {'clock':>7} {'ratio':>7} {'processor':>11} {'ratio':>7}")
    for name in measured:
        ratios = clock[name] / clock[PEER], processor[name] / processor[PEER]
        print(f"{name:40} {clock[name]:7.3f} {ratios[0]:7.2f} {processor[name]:11.3f} {ratios[1]:7.2f}")
    own = min(run.clock for run in measured["import wellkept"]) - min(run.clock for run in measured["python"])
    search, ratio = clock["wellkept memory search"], clock["wellkept memory search"] / clock[PEER]
    print(f"\nimport wellkept by itself: {own:.3f} s, at most {IMPORT_MAX_S}")
    print(f"memory search: {search:.3f} s, at most {SEARCH_MAX_S}; or {ratio:.2f} x the reference, at most {RATIO_MAX}")
    is_good = own <= IMPORT_MAX_S and (search <= SEARCH_MAX_S or ratio <= RATIO_MAX)
    print("within the limits" if is_good else "OVER THE LIMITS")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
