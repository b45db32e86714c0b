"""How well recall finds what was said: evidence of questions about conversations, beside BM25, dense and RRF.

    wellkept bench retrieval --data FOLDER_OR_FILE [--json FILE] [--plot FILE] [--vectors FOLDER]

Turns go in through `observe` as messages of sessions, with speaker, time and id, and are read for facts, as by default;
each conversation is a user of its own, and its questions are asked at the time of its last turn. `messages` is the same
store asked for messages alone: what has been learned must not make it worse. A memory stands for the turns that it
quotes; one that quotes none takes a place for nothing. `--vectors` keeps embeddings for the next run.
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
from retrieval_measures import KEPT, MEASURES, Ranking, area, by_category, is_newest_first, measured

import wellkept
from wellkept.api import Memory, Viewpoint
from wellkept.config import Config, MemoryTable
from wellkept.surfaces.cli.screen import Column, Screen, progress

OWN = "wellkept"
METHODS = (OWN, "messages", "bm25", "dense", "rrf")


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
    kept: list[tuple[str, dict[str, float]]] = field(default_factory=list)
    """The same with the default threshold."""
    quiet: list[bool] = field(default_factory=list)
    """Whether a question without an answer was answered by nothing."""

    def take_default(self, question: Question, ranking: Ranking, tokens: dict[str, int]) -> None:
        """With the threshold that a caller gets who names none."""
        if question.evidence:
            self.kept.append((question.category, measured(question, ranking, tokens)))
        else:
            self.quiet.append(not ranking.turns)

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
            "default_threshold": {
                "recall@10": by_category(self.kept)["macro"]["recall@10"],
                "nothing_for_unanswerable": sum(self.quiet) / len(self.quiet) if self.quiet else None,
            }
            if self.kept
            else None,
        }


def tell(place: Viewpoint, conversation: Conversation, *, learns: bool) -> None:
    """The conversation through the public API, session by session."""
    sessions: dict[str, list[dict[str, Any]]] = {}
    for turn in conversation.turns:
        sessions.setdefault(turn.session, []).append(turn.message())
    for messages in sessions.values():
        place.observe(messages, extract=learns, wait=learns)


def ask(place: Viewpoint, sources: Sequence[str], query: str, *, threshold: float | None = 0.0) -> Ranking:
    found = place.recall(query, limit=KEPT, threshold=threshold, sources=sources)
    turns: dict[str, None] = {}
    more: dict[str, int] = {}
    for hit in found.hits:
        ids = (hit.id,) if hit.source == "message" else hit.message_ids or (f"memory {hit.id}",)
        if hit.source == "memory":
            more[ids[0]] = more.get(ids[0], 0) + tokens_of(hit.text)
        turns |= dict.fromkeys(ids)
    return Ranking(turns=tuple(turns), sure=found.hits[0].score if found.hits else 0.0, more=more)


def tokens_of(text: str) -> int:
    return -(-len(text) // 4)


def measure(data: DataSet, memory: Memory, clock: Clock, methods: Sequence[str]) -> dict[str, Answers]:
    answers = {name: Answers() for name in methods}
    total = sum(len(one.questions) for one in data.conversations)
    done = 0
    with progress(f"{data.name}: {total} questions") as show:
        for conversation in data.conversations:
            clock.now = conversation.end + timedelta(seconds=1)
            place = memory.at(user=f"{data.name}/{conversation.id}")
            tell(place, conversation, learns=True)
            tokens = {turn.id: tokens_of(f"{turn.speaker}: {turn.text}") for turn in conversation.turns}
            asked: dict[str, Callable[[str], Ranking]] = {
                OWN: partial(ask, place, ("memories", "messages")),
                "messages": partial(ask, place, ("messages",)),
            }
            asked |= Baselines(conversation, memory.engine.embedder).methods  # type: ignore[arg-type]  # the embedder is there
            for question in conversation.questions:
                for name in methods:
                    answers[name].take(question, asked[name](question.text), tokens)
                if OWN in methods:
                    cut = ask(place, ("memories", "messages"), question.text, threshold=None)
                    answers[OWN].take_default(question, cut, tokens)
                done += 1
                show(done)
    return answers


def show(screen: Screen, data: str, summaries: dict[str, Any]) -> None:
    """One table of categories, one of the measures over all."""
    categories = list(summaries[OWN]["categories"])
    columns = [Column(name=data, style="cyan"), *(Column(name=name, is_number=True) for name in summaries)]
    rows = [(category, *(_pair(one["categories"][category]) for one in summaries.values())) for category in categories]
    screen.table(columns, rows)
    over = [(name, *(f"{one['categories']['macro'][name]:.3f}" for one in summaries.values())) for name in MEASURES]
    told = [name for name in ("newest_above_stale", "abstention_auroc") if summaries[OWN][name] is not None]
    over += [(name, *(f"{one[name]:.3f}" for one in summaries.values())) for name in told]
    screen.table([Column(name=f"{data}, macro", style="cyan"), *columns[1:]], over)
    cut = summaries[OWN]["default_threshold"]
    share = cut["recall@10"] / summaries[OWN]["categories"]["macro"]["recall@10"]
    screen.say(f"The default threshold keeps {share:.1%} of recall@10.")


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
            with wellkept.open(Path(folder) / "bench.db", config=config, clock=clock, embedder=embedder) as memory:
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
