"""What the bundled embedder costs on this machine: loading, one text, many texts, memory.

    python bench/embedder.py

Loading is timed in fresh processes. The least of several runs stands beside the median, because other work on the
machine only ever adds time.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from wellkept.models.bundled import MiniLM

COLD = """
import json, time
start = time.perf_counter()
import numpy
numpy_at = time.perf_counter()
import onnxruntime
onnxruntime_at = time.perf_counter()
from wellkept.models.bundled import MiniLM
embedder = MiniLM()
embedder.embed(["Alice is allergic to peanuts"])
first_at = time.perf_counter()
memory = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmRSS")]
print(json.dumps([numpy_at - start, onnxruntime_at - numpy_at, first_at - onnxruntime_at, int(*memory or [0]) / 1024]))
"""
PAIRS = Path(__file__).resolve().parent.parent / "evals" / "similarity" / "pairs-train.jsonl"
SHORT = "Alice is allergic to peanuts"
USUAL = "On Tuesday Alice told her sister that she had moved to Lisbon for a new job at a bank"
LONG = " ".join([USUAL] * 12)


def seconds(work: Callable[[], object], times: int, *, clock: Callable[[], float] = time.perf_counter) -> list[float]:
    taken = []
    for _ in range(times):
        start = clock()
        work()
        taken.append(clock() - start)
    return taken


def line(what: str, values: list[float], unit: str = "ms", scale: float = 1000) -> None:
    print(f"{what:44}{min(values) * scale:9.2f}{statistics.median(values) * scale:9.2f} {unit}")


def main() -> None:
    print(f"{'':44}{'least':>9}{'median':>9}")
    runs = [
        json.loads(subprocess.run([sys.executable, "-c", COLD], capture_output=True, check=True).stdout)
        for _ in range(11)
    ]
    for place, what in enumerate(("import numpy", "import onnxruntime", "load the model, embed one text")):
        line(what, [run[place] for run in runs])
    line("memory of the process after that", [run[3] for run in runs], "MiB", 1)
    embedder = MiniLM()
    line("check all hashes", seconds(embedder.verify, 5))
    for text, times in ((SHORT, 200), (USUAL, 200), (LONG, 20)):
        count = len(embedder._load().tokenizer.encode(text))  # noqa: SLF001 -- tokens are nobody else's business
        line(f"one text, {count} tokens", seconds(partial(embedder.embed, [text]), times))
    sentences = [json.loads(row)[side] for row in PAIRS.read_text(encoding="utf-8").splitlines() for side in ("a", "b")]
    for threads in (1, 2):
        batch = MiniLM(threads=threads)
        batch.embed(sentences[:1])
        what = f"{len(sentences)} sentences, threads={threads}, each"
        work = partial(batch.embed, sentences)
        line(what, [taken / len(sentences) for taken in seconds(work, 5)])
        line("  processor time", [taken / len(sentences) for taken in seconds(work, 5, clock=time.process_time)])


if __name__ == "__main__":
    main()
