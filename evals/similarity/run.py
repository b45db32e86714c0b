"""How well calibrated similarities keep labelled pairs apart: fits on the train half, counts by band on both.

python evals/similarity/run.py                                      the bundled embedder
python evals/similarity/run.py --url http://localhost:11434/v1 --model nomic-embed-text
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from wellkept.models import Calibration, Label, confusion, fit
from wellkept.models.bundled import CALIBRATION, MiniLM
from wellkept.models.openai import OpenAIEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wellkept.models import Embedder

HERE = Path(__file__).parent
HALVES = ("train", "test")
TARGETS = {
    "related or not, called same": 0,
    "judged at all": 1.0,
    "judged from 0.60": 0.94,
    "unrelated from 0.60": 0,
    "unrelated below 0.30": 0.75,
    "related from 0.30": 0.85,
}
BANDS = ("< 0.30", "0.30-0.60", "0.60-0.85", ">= 0.85")


def measured(half: str, embedder: Embedder) -> tuple[NDArray[np.float32], list[Label]]:
    """The cosine and the label of every pair of one half."""
    lines = (HERE / f"pairs-{half}.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    left, right = (embedder.embed([pair[side] for pair in pairs]) for side in ("a", "b"))
    return (left * right).sum(axis=1), [pair["label"] for pair in pairs]


def table(half: str, embedder: Embedder, calibration: Calibration) -> str:
    cosines, labels = measured(half, embedder)
    rows = [f"{half + ' half':22}" + "".join(f"{band:>11}" for band in BANDS)]
    for label, counts in confusion(calibration(cosines), labels).items():
        rows.append(f"{label:22}" + "".join(f"{count:11}" for count in counts))
    return "\n".join(rows)


def key_figures(half: str) -> dict[str, float]:
    """For the table of all sets: what the bands promise. A pair to be judged says the same, or contradicts."""
    cosines, labels = measured(half, MiniLM())
    bands = confusion(CALIBRATION(cosines), labels)
    judged = [sum(pair) for pair in zip(bands["same"], bands["related_contradiction"], strict=True)]
    related, unrelated = bands["related"], bands["unrelated"]
    return {
        "related or not, called same": related[3] + unrelated[3],
        "judged at all": sum(judged[1:]) / sum(judged),
        "judged from 0.60": sum(judged[2:]) / sum(judged),
        "unrelated from 0.60": sum(unrelated[2:]),
        "unrelated below 0.30": unrelated[0] / sum(unrelated),
        "related from 0.30": sum(related[1:]) / sum(related),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--url", help="an OpenAI-compatible endpoint instead of the bundled embedder")
    parser.add_argument("--model", help="the model to ask for there")
    arguments = parser.parse_args()
    remote = arguments.url is not None
    embedder: Embedder = OpenAIEmbedder(url=arguments.url, model=arguments.model) if remote else MiniLM()
    fitted = fit(*measured("train", embedder))
    used = fitted if remote else CALIBRATION
    print(f"{embedder.model_id}, knots (cosine, similarity) fitted on the train half:\n{fitted.knots}")
    if used != fitted:
        print(f"in use:\n{used.knots}")
    for half in ("train", "test"):
        print("\n" + table(half, embedder, used))


if __name__ == "__main__":
    main()
