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
from pathlib import Path

from recollect.models.minilm import MiniLM

COLD = """
import json, time
start = time.perf_counter()
import numpy
numpy_at = time.perf_counter()
import onnxruntime
onnxruntime_at = time.perf_counter()
from recollect.models.minilm import MiniLM
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


def seconds(work: Callable[[], object], times: int) -> list[float]:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return taken


def line(what: str, values: list[float], unit: str = "ms", scale: float = 1000) -> None:
    print(f"{what:44}{min(values) * scale:9.1f}{statistics.median(values) * scale:9.1f} {unit}")


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
    for what, text in (("one text,", SHORT), ("one text,", USUAL), ("one text,", LONG)):
        count = len(embedder._load().tokenizer.encode(text))  # noqa: SLF001 - tokens are nobody else's business
        line(f"{what} {count} tokens", seconds(lambda text=text: embedder.embed([text]), 60))
    sentences = [json.loads(row)[side] for row in PAIRS.read_text(encoding="utf-8").splitlines() for side in ("a", "b")]
    for threads in (1, 2):
        batch = MiniLM(threads=threads)
        batch.embed(sentences[:1])
        rates = [len(sentences) / taken for taken in seconds(lambda batch=batch: batch.embed(sentences), 5)]
        what = f"{len(sentences)} short sentences, threads={threads}"
        print(f"{what:44}{max(rates):9.0f}{statistics.median(rates):9.0f} a second")


if __name__ == "__main__":
    main()
