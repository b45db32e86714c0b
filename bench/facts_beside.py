"""Whether a fact that answers stands above the noise of a conversation: told facts asked for, beside a long chat.

    wellkept bench facts-beside --data FILE [--half test] [--json FILE] [--vectors FOLDER]

The facts and questions are those of `wellkept eval answers`; the noise is the first conversation of the file. The
facts are told by themselves (`remember`), or as messages of the chat that are read for facts like the rest of it. It
shows how often a hit with the value that answers is the first, among three and among ten; beside memories alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kept_vectors import KeptVectors
from retrieval import Clock, tell
from retrieval_data import Conversation, load

import wellkept
from evals.answers.run import HALVES, Half, Kind, facts, questions
from wellkept.api import Memory, Viewpoint
from wellkept.config import Config, MemoryTable
from wellkept.surfaces.cli.screen import Column, Screen, progress

CUTS = (1, 3, 10)
KINDS: tuple[Kind, ...] = ("answerable", "paraphrase")
WAYS = ("told by themselves", "said in the chat")
SOURCES = {"both": ("memories", "messages"), "memories alone": ("memories",)}
DAY_MAX_BATCH = 40
"""Facts said in one day: fewer than a day may leave."""


def filled(memory: Memory, noise: Conversation, half: Half, way: str, clock: Clock) -> Viewpoint:
    """A user with the conversation behind them, and the facts."""
    clock.now = noise.end + timedelta(seconds=1)
    place = memory.at(user=way, chat="dm")
    tell(place, noise, learns=way == WAYS[1])
    told = [text for text, _ in facts(half)]
    if way == WAYS[0]:
        for text in told:
            place.remember(text)
    else:
        for start in range(0, len(told), DAY_MAX_BATCH):
            clock.now += timedelta(days=1)
            place.observe([{"content": text} for text in told[start : start + DAY_MAX_BATCH]], wait=True)
    return place


def asked(place: Viewpoint, half: Half, kind: Kind, sources: Sequence[str]) -> dict[str, float]:
    places = []
    for question, value in questions(half, kind):
        hits = place.recall(question, limit=max(CUTS), sources=sources).hits
        texts = [f"{hit.text} {hit.quote or ''}".casefold() for hit in hits]
        places.append(next((number for number, text in enumerate(texts) if value.casefold() in text), len(texts) + 99))
    return {f"first {cut}": sum(place < cut for place in places) / len(places) for cut in CUTS}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, required=True, help="a file of conversations")
    options.add_argument("--half", choices=HALVES, default="test")
    options.add_argument("--json", type=Path, help="write all figures here")
    options.add_argument("--vectors", type=Path, help="a folder in which embeddings are kept")
    chosen = options.parse_args()
    noise, embedder = load(chosen.data)[0].conversations[0], KeptVectors(chosen.vectors)
    results: dict[str, dict[str, float]] = {}
    with progress("questions") as show, tempfile.TemporaryDirectory() as folder:
        for way in WAYS:
            clock, config = Clock(), Config(memory=MemoryTable(auto_gc=False))
            path = Path(folder) / f"{way}.db"
            with wellkept.open(path, config=config, clock=clock, embedder=embedder) as memory:
                place = filled(memory, noise, chosen.half, way, clock)
                for kind in KINDS:
                    for name, sources in SOURCES.items():
                        results[f"{way}, {kind}, {name}"] = asked(place, chosen.half, kind, sources)
                        show(len(results))
    embedder.save()
    columns = [Column(name=f"{noise.id}, {chosen.half} half", style="cyan")]
    columns += [Column(name=f"first {cut}", is_number=True) for cut in CUTS]
    Screen("text").table(columns, [(name, *(f"{one:.2f}" for one in row.values())) for name, row in results.items()])
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
