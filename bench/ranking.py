"""The weights of the message ranking: fitted, cross-validated over files and conversations, and each part left out.

    wellkept bench ranking --data FOLDER [--vectors FOLDER] [--json FILE] [--ablation]

Every question gives one list of messages with their features, as the store computes them. The weights make the evidence
likely (softmax over the list), every category and every file weighing the same, and are held near round numbers that
were set by hand: a file that has no assistant cannot say what an assistant's words are worth. `--ablation` fits again
without each part. Copy the weights printed into policies/ranking/rank_messages.py.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from kept_vectors import KeptVectors
from retrieval import Clock, tell
from retrieval_data import Conversation, DataSet, Question, load
from retrieval_measures import KEPT, Ranking, by_category, measured

import wellkept
from wellkept.api import Memory
from wellkept.config import Config, MemoryTable
from wellkept.flows import views
from wellkept.policies.ranking.rank_messages import WEIGHTS, understand
from wellkept.store.contract import MessageSearch
from wellkept.surfaces.cli.screen import Column, Screen, progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

SET_BY_HAND: Mapping[str, float] = {
    "words": 2.0, "coverage": 1.5, "cosine": 2.0, "nearness": 3.5,
    "words_before": 0.5, "words_after": 0.5, "near_before": 0.3, "near_after": 0.4,
    "words_of_talk": 1.0, "near_of_talk": 0.6, "answers_words": 0.5, "answers_near": 0.4,
    "speaker": 1.2, "assistant": -1.7, "asks": -0.3, "short": 0.4, "long": -0.7,
    "dates_asked": 1.2, "counts_asked": 1.0, "names_asked": 1.2, "names": 0.3, "own": 0.5,
    "said_then": 5.5, "happened_then": 1.6, "told_after": 1.1,
}  # fmt: skip
HOLD = 0.02
"""How strongly weights are held there."""
HARD, RANDOM = 60, 60
"""Messages of a list that a fit looks at: the likeliest, and some others that stand for the rest."""
STEPS = 15
EVERYTHING = 10**6
PARTS: Mapping[str, tuple[str, ...]] = {
    "words": ("words", "coverage"),
    "vectors": ("cosine", "nearness"),
    "messages before and after": ("words_before", "words_after", "near_before", "near_after"),
    "the talk around it": ("words_of_talk", "near_of_talk"),
    "answers to a question": ("answers_words", "answers_near"),
    "who speaks": ("speaker", "assistant"),
    "length, questions": ("short", "long", "asks"),
    "what kind is asked for": ("dates_asked", "counts_asked", "names_asked"),
    "names, own words": ("names", "own"),
    "time": ("said_then", "happened_then", "told_after"),
}


@dataclass(frozen=True, kw_only=True)
class Listed:
    """A question with all messages of its conversation."""

    data: str
    conversation: str
    question: Question
    ids: tuple[str, ...]
    columns: NDArray[np.float32]
    """A row a message, a column a feature."""
    is_bare: bool

    @property
    def evidence(self) -> NDArray[np.int64]:
        return np.flatnonzero(np.isin(np.array(self.ids), sorted(self.question.evidence)))

    def ranking(self, weights: NDArray[np.float64], names: Sequence[str]) -> Ranking:
        scores = self.columns @ weights
        if self.is_bare:
            scores = scores + 1_000 * (self.columns[:, names.index("said_then")] if "said_then" in names else 0)
        best = np.argsort(-scores, kind="stable")[:KEPT]
        return Ranking(turns=tuple(self.ids[row] for row in best), sure=0.0)


def listed(data: DataSet, memory: Memory, clock: Clock) -> list[Listed]:
    """The features of every answerable question, as the store gives them."""
    found: list[Listed] = []
    with progress(f"{data.name}: features") as show:
        for conversation in data.conversations:
            clock.now = conversation.end + timedelta(seconds=1)
            place = memory.at(user=f"{data.name}/{conversation.id}")
            tell(place, conversation, learns=False)
            for question in conversation.questions:
                if question.evidence:
                    found.append(_listed(data, conversation, question, memory))
                    show(len(found))
    return found


def _listed(data: DataSet, conversation: Conversation, question: Question, memory: Memory) -> Listed:
    engine = memory.engine
    now = conversation.end + timedelta(seconds=1)
    place = memory.at(user=f"{data.name}/{conversation.id}").place
    asked = understand(question.text, engine.judge.asked_time(question.text, now=now))
    vectors = engine.vectors([question.text])
    search = MessageSearch(
        view=views.view_of(place, engine, now),
        question=asked,
        weights=dict.fromkeys(WEIGHTS, 1.0),
        vector=None if vectors is None else vectors[0],
        model=engine.model,
        limit=EVERYTHING,
    )
    candidates = engine.store.message_candidates(search)
    return Listed(
        data=data.name,
        conversation=conversation.id,
        question=question,
        ids=tuple(one.message.id or "" for one in candidates),
        columns=np.array([[one.parts[name] for name in WEIGHTS] for one in candidates], dtype=np.float32),
        is_bare=asked.is_bare,
    )


# --- fitting ---


@dataclass(frozen=True, kw_only=True)
class Lists:
    """Lists as one matrix: rows of list i begin at `starts[i]`."""

    rows: NDArray[np.float64]
    starts: NDArray[np.int64]
    owners: NDArray[np.int64]
    offsets: NDArray[np.float64]
    """What a row stands for beside itself, as a logarithm."""
    weights: NDArray[np.float64]
    evidence: NDArray[np.int64]
    shares: NDArray[np.float64]


def lists(items: Sequence[Listed]) -> Lists:
    """The lists to fit on; a question for a time alone teaches nothing about what was said."""
    chance = np.random.default_rng(0)
    used = [item for item in items if not item.is_bare]
    files = Counter(item.data for item in used)
    kinds = Counter((item.data, item.question.category) for item in used)
    categories = Counter(data for data, _ in kinds)
    rows, offsets, weights, evidence, shares, starts, owners = [], [], [], [], [], [], []
    position = 0
    for number, item in enumerate(used):
        keep, offset = _chosen(item, chance)
        weight = 1 / kinds[item.data, item.question.category] / categories[item.data] / len(files)
        own = np.flatnonzero(np.isin(keep, item.evidence))
        rows.append(item.columns[keep])
        offsets.append(offset)
        weights.append(weight)
        evidence.append(position + own)
        shares.append(np.full(len(own), weight / len(own)))
        starts.append(position)
        owners.append(np.full(len(keep), number))
        position += len(keep)
    return Lists(
        rows=np.concatenate(rows).astype(np.float64),
        starts=np.array(starts),
        owners=np.concatenate(owners),
        offsets=np.concatenate(offsets),
        weights=np.array(weights),
        evidence=np.concatenate(evidence),
        shares=np.concatenate(shares),
    )


def _chosen(item: Listed, chance: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows of a list: the likeliest, the evidence, and a draw from the rest that weighs as much as all of them."""
    names = list(WEIGHTS)
    first = item.columns[:, [names.index(name) for name in ("words", "nearness", "said_then")]].sum(axis=1)
    kept = np.union1d(np.argsort(-first, kind="stable")[:HARD], item.evidence)
    rest = np.setdiff1d(np.arange(len(first)), kept)
    drawn = chance.choice(rest, min(RANDOM, len(rest)), replace=False)
    rows = np.union1d(kept, drawn)
    offset = np.where(np.isin(rows, drawn), np.log(len(rest) / max(len(drawn), 1)) if len(drawn) else 0.0, 0.0)
    return rows, offset


def fit(data: Lists, columns: Sequence[int], near: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights that make the evidence likely and stay near those given; by Newton's method, for the loss is convex."""
    rows = data.rows[:, columns]
    weights = near.copy()
    target = data.shares @ rows[data.evidence]
    for _ in range(STEPS):
        scores = rows @ weights + data.offsets
        highest = np.maximum.reduceat(scores, data.starts)
        odds = np.exp(scores - highest[data.owners])
        chances = odds / np.add.reduceat(odds, data.starts)[data.owners]
        weighted = chances * data.weights[data.owners]
        slope = weighted @ rows - target + 2 * HOLD * (weights - near)
        means = np.add.reduceat(rows * chances[:, None], data.starts)
        bend = (rows * weighted[:, None]).T @ rows - (means * data.weights[:, None]).T @ means
        step = np.linalg.solve(bend + 2 * HOLD * np.eye(len(columns)), slope)
        weights -= step * min(1.0, 5.0 / max(float(np.abs(step).max()), 1e-9))
        if float(np.abs(step).max()) < 1e-4:
            break
    return weights


def fitted(items: Sequence[Listed], names: Sequence[str]) -> NDArray[np.float64]:
    near = np.array([SET_BY_HAND[name] for name in names])
    return fit(lists(items), [list(WEIGHTS).index(name) for name in names], near)


def quality(items: Sequence[Listed], weights: NDArray[np.float64], names: Sequence[str]) -> dict[str, float]:
    """nDCG@10 and recall@10, macro over categories."""
    columns = [list(WEIGHTS).index(name) for name in names]
    whole = np.zeros(len(WEIGHTS))
    whole[columns] = weights
    rows = []
    for item in items:
        ranking = item.ranking(whole, list(WEIGHTS))
        rows.append((item.question.category, measured(item.question, ranking, dict.fromkeys(item.ids, 1))))
    return by_category(rows)["macro"]


# --- reports ---


def cross_validated(by_file: Mapping[str, Sequence[Listed]]) -> dict[str, Any]:
    """Each file with weights fitted on all, on the other files, and on its own other conversations."""
    names = list(WEIGHTS)
    everything = [item for items in by_file.values() for item in items]
    on_all = fitted(everything, names)
    results: dict[str, Any] = {}
    for data, items in by_file.items():
        others = [item for item in everything if item.data != data]
        whole = quality(items, on_all, names)
        away = quality(items, fitted(others, names), names) if others else whole
        hand = quality(items, np.array(list(SET_BY_HAND.values())), names)
        results[data] = {
            name: {"by hand": hand[name], "fitted on all": whole[name], "fitted on the others": away[name]}
            for name in ("ndcg@10", "recall@10")
        }
    return results


def ablated(by_file: Mapping[str, Sequence[Listed]]) -> dict[str, dict[str, float]]:
    """What is lost without each part, fitted again without it."""
    everything = [item for items in by_file.values() for item in items]
    results: dict[str, dict[str, float]] = {}
    for part, left_out in {"everything": (), **PARTS}.items():
        names = [name for name in WEIGHTS if name not in left_out]
        weights = fitted(everything, names)
        results[part] = {}
        for data, items in by_file.items():
            found = quality(items, weights, names)
            results[part] |= {f"{data} {name}": found[name] for name in ("ndcg@10", "recall@10")}
    return results


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="a folder of files")
    options.add_argument("--vectors", type=Path, help="a folder in which embeddings are kept")
    options.add_argument("--json", type=Path, help="write all figures here")
    options.add_argument("--ablation", action="store_true", help="fit again without each part")
    chosen = options.parse_args()
    clock, embedder, screen = Clock(), KeptVectors(chosen.vectors), Screen("text")
    by_file: dict[str, list[Listed]] = {}
    for data in load(chosen.data):
        with tempfile.TemporaryDirectory() as folder:
            config = Config(memory=MemoryTable(auto_gc=False))
            with wellkept.open(Path(folder) / "bench.db", config=config, clock=clock, embedder=embedder) as memory:
                by_file[data.name] = listed(data, memory, clock)
        embedder.save()
    weights = fitted([item for items in by_file.values() for item in items], list(WEIGHTS))
    results: dict[str, Any] = {"weights": dict(zip(WEIGHTS, weights.round(3).tolist(), strict=True))}
    screen.pairs([(name, f"{value:6.2f}") for name, value in results["weights"].items()])
    results["cross-validation"] = cross_validated(by_file)
    _show_validation(screen, results["cross-validation"])
    if chosen.ablation:
        results["ablation"] = ablated(by_file)
        _show_ablation(screen, results["ablation"])
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def _show_validation(screen: Screen, results: Mapping[str, Any]) -> None:
    ways = ("by hand", "fitted on all", "fitted on the others")
    columns = [Column(name="file", style="cyan"), Column(name="measure")]
    columns += [Column(name=way, is_number=True) for way in (*ways, "kept")]
    rows = [
        (data, name, *(f"{found[way]:.3f}" for way in ways), f"{found[ways[2]] / found[ways[1]]:.1%}")
        for data, measures in results.items()
        for name, found in measures.items()
    ]
    screen.table(columns, rows)


def _show_ablation(screen: Screen, results: Mapping[str, Mapping[str, float]]) -> None:
    figures = list(results["everything"])
    columns = [Column(name="without", style="cyan"), *(Column(name=name, is_number=True) for name in figures)]
    screen.table(columns, [(part, *(f"{found[name]:.3f}" for name in figures)) for part, found in results.items()])


if __name__ == "__main__":
    main()
