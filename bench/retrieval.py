"""How well recall finds what was said: evidence of questions about conversations, beside BM25, dense and RRF.

    recollect bench retrieval --data FOLDER_OR_FILE [--json FILE] [--plot FILE] [--vectors FOLDER]

Turns go in through `observe` as messages of sessions, with speaker, time and id; each conversation is a user of its
own, and its questions are asked at the time of its last turn. `--vectors` keeps embeddings for the next run.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from figures import bars
from kept_vectors import KeptVectors
from retrieval_baselines import Baselines
from retrieval_data import Conversation, DataSet, Question, load
from retrieval_measures import KEPT, Ranking, area, by_category, is_newest_first, measured

import recollect
from recollect.app import Memory, Viewpoint
from recollect.config import Config, MemoryTable
from recollect.surfaces.cli.screen import Column, Screen, progress

OWN = "recollect"
METHODS = (OWN, "bm25", "dense", "rrf")
SHOWN = ("ndcg@10", "recall@5", "recall@10", "recall@20", "all@10", "within 1000 tokens")


class Clock:
    """Stands where it is put."""

    def __init__(self) -> None:
        self.now = datetime.now().astimezone()

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Answers:
    """What one method found."""

    rows: list[tuple[str, dict[str, float]]] = field(default_factory=list)
    newest: list[bool] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    unsure: list[float] = field(default_factory=list)

    def take(self, question: Question, ranking: Ranking, tokens: dict[str, int]) -> None:
        if not question.evidence:
            self.unsure.append(ranking.sure)
            return
        self.sure.append(ranking.sure)
        self.rows.append((question.category, measured(question, ranking, tokens)))
        if question.old and question.new and question.old != question.new:
            self.newest.append(is_newest_first(question, ranking))

    def summary(self) -> dict[str, Any]:
        return {
            "categories": by_category(self.rows),
            "questions": len(self.rows),
            "newest_above_stale": sum(self.newest) / len(self.newest) if self.newest else None,
            "newest_asked": len(self.newest),
            "abstention_auroc": area(self.sure, self.unsure) if self.unsure else None,
            "unanswerable": len(self.unsure),
        }


def tell(place: Viewpoint, conversation: Conversation) -> None:
    """The conversation through the public API, session by session."""
    sessions: dict[str, list[dict[str, Any]]] = {}
    for turn in conversation.turns:
        sessions.setdefault(turn.session, []).append(turn.message())
    for messages in sessions.values():
        place.observe(messages, extract=False)


def ask(place: Viewpoint, query: str) -> Ranking:
    found = place.recall(query, limit=KEPT, threshold=0)
    ids = [name for hit in found.hits for name in ((hit.id,) if hit.source == "message" else hit.message_ids)]
    return Ranking(turns=tuple(dict.fromkeys(ids)), sure=found.hits[0].score if found.hits else 0.0)


def measure(data: DataSet, memory: Memory, clock: Clock, methods: Sequence[str]) -> dict[str, Answers]:
    answers = {name: Answers() for name in methods}
    total = sum(len(one.questions) for one in data.conversations)
    done = 0
    with progress(f"{data.name}: {total} questions") as show:
        for conversation in data.conversations:
            clock.now = conversation.end + timedelta(seconds=1)
            place = memory.at(user=f"{data.name}/{conversation.id}")
            tell(place, conversation)
            tokens = {turn.id: -(-len(f"{turn.speaker}: {turn.text}") // 4) for turn in conversation.turns}
            asked: dict[str, Callable[[str], Ranking]] = {OWN: partial(ask, place)}
            asked |= Baselines(conversation, memory.engine.embedder).methods  # type: ignore[arg-type]
            for question in conversation.questions:
                for name in methods:
                    answers[name].take(question, asked[name](question.text), tokens)
                done += 1
                show(done)
    return answers


def show(screen: Screen, data: str, summaries: dict[str, Any]) -> None:
    """One table of categories, one of the measures over all."""
    categories = list(summaries[OWN]["categories"])
    columns = [Column(name=data, style="cyan"), *(Column(name=name, is_number=True) for name in summaries)]
    rows = [(category, *(_pair(one["categories"][category]) for one in summaries.values())) for category in categories]
    screen.table(columns, rows)
    over = [(name, *(f"{one['categories']['macro'][name]:.3f}" for one in summaries.values())) for name in SHOWN]
    told = [name for name in ("newest_above_stale", "abstention_auroc") if summaries[OWN][name] is not None]
    over += [(name, *(f"{one[name]:.3f}" for one in summaries.values())) for name in told]
    screen.table([Column(name=f"{data}, macro", style="cyan"), *columns[1:]], over)


def _pair(figures: dict[str, float]) -> str:
    return f"{figures['ndcg@10']:.3f} / {figures['recall@10']:.3f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="a file, or a folder of files")
    options.add_argument("--json", type=Path, help="write all figures here")
    options.add_argument("--plot", type=Path, help="write a bar chart (SVG) here")
    options.add_argument("--vectors", type=Path, help="a folder in which embeddings are kept")
    options.add_argument("--only", choices=METHODS, nargs="+", default=METHODS)
    chosen = options.parse_args()
    screen, clock, embedder = Screen("text"), Clock(), KeptVectors(chosen.vectors)
    results: dict[str, Any] = {}
    for data in load(chosen.data):
        with tempfile.TemporaryDirectory() as folder:
            config = Config(memory=MemoryTable(auto_gc=False))
            with recollect.open(Path(folder) / "bench.db", config=config, clock=clock, embedder=embedder) as memory:
                answers = measure(data, memory, clock, chosen.only)
        embedder.save()
        results[data.name] = {name: one.summary() for name, one in answers.items()}
        show(screen, data.name, results[data.name])
    screen.say("nDCG@10 / recall@10 of each category; `macro` weighs every category alike.")
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if chosen.plot is not None:
        groups = {
            name: {method: one["categories"]["macro"]["ndcg@10"] for method, one in found.items()}
            for name, found in results.items()
        }
        chosen.plot.write_text(bars("nDCG@10, macro over categories", groups), encoding="utf-8")


if __name__ == "__main__":
    main()
