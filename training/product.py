"""The product as a whole on labelled conversations: what it keeps, how private, what it finds, what it answers.

`python -m training.product development|test|strangers [--answers] [--every N]` tells each conversation turn by turn to
an empty store of the installed package, then asks its questions. Everything is judged by turns, so that wording does
not matter. `--fit` prints the weights by which `policies/ranking/rank.py` chooses an answer; only development
conversations are fitted to.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

import wellkept
from training import corpus
from training.corpus import LINKS, Conversation, Question
from wellkept.models.bundled import Reader
from wellkept.policies.ranking.rank import SHARE_MIN

FOUND_MAX = 10
READ_MAX = 8
ANSWER_SHARE = 0.5
"""The share of the words of the expected answer that a right one has."""


@dataclass
class Clock:
    now: datetime = datetime(2023, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Figures:
    """What was counted, and nDCG@10 and recall@10 of each question by category."""

    counts: Counter[str] = field(default_factory=Counter)
    found: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    candidates: list[tuple[list[float], list[bool]]] = field(default_factory=list)
    """Of each question, what the reader gives the hits of a recall, and which of them are evidence."""


class Told:
    """A store that was told one conversation."""

    def __init__(self, talk: Conversation, folder: Path) -> None:
        self.talk, self.clock = talk, Clock()
        self.memory = wellkept.open(folder / "memory.db", clock=self.clock, worker="off")
        for turns in _sessions(talk):
            start = datetime.strptime(turns[0].at, "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
            for number, turn in enumerate(turns):
                self.clock.now = start + timedelta(minutes=number)
                speaker = "assistant" if turn.is_assistant else talk.name(turn.speaker)
                said = {"id": turn.id, "content": turn.text, "speaker": speaker, "session": f"s{turn.session}"}
                said |= {"role": "assistant" if turn.is_assistant else "user", "at": self.clock.now.isoformat()}
                self.of(self.user if turn.is_assistant else turn.speaker).observe([said])
            self.clock.now += timedelta(minutes=10)
            self.memory.upkeep.finish()
        self.clock.now += timedelta(days=3)

    @property
    def user(self) -> str:
        """Who asks: the first person of the conversation."""
        return next(iter(self.talk.people))

    def of(self, person: str) -> wellkept.Viewpoint:
        """The viewpoint of somebody in the conversation."""
        name = self.talk.name(person)
        if self.talk.kind == "assistant":
            return self.memory.at(user=person, chat="dm", display_name=name)
        others = [other for other in self.talk.people if other != person]
        return self.memory.at(user=person, chat="c", chat_type="group", participants=others, display_name=name)


def _sessions(talk: Conversation) -> Iterator[list[corpus.Turn]]:
    for number in dict.fromkeys(turn.session for turn in talk.turns):
        yield [turn for turn in talk.turns if turn.session == number]


def kept_of(told: Told) -> dict[str, list[Any]]:
    """By turn, what was kept of it, replaced or not."""
    kept: dict[str, dict[str, Any]] = defaultdict(dict)
    for person in told.talk.people:
        for state in (None, "superseded"):
            for memory in told.of(person).list(limit=500, **({"state": state} if state else {})):
                kept[memory.source_message_id][memory.id] = memory
    return {turn: list(memories.values()) for turn, memories in kept.items()}


def count_replaced(told: Told, figures: Figures) -> None:
    """Changes that retired what they change, and memories that were retired without a change."""
    kept, counts, changed = kept_of(told), figures.counts, set()
    for turn in told.talk.turns:
        links = [fact.links[name] for fact in turn.facts for name in LINKS if name in fact.links]
        changed |= {link.partition(".")[0] for link in links}
        for link in {fact.links[name] for fact in turn.facts for name in ("replaces", "ends") if name in fact.links}:
            old = kept.get(link.partition(".")[0], [])
            counts["changes"] += 1
            counts["changes, both kept"] += bool(old and kept.get(turn.id))
            counts["changes that retired"] += any(memory.state == "superseded" for memory in old)
    for turn_id, memories in kept.items():
        is_wrong = turn_id not in changed and any(memory.state == "superseded" for memory in memories)
        counts["retired wrongly"] += is_wrong


def count_kept(told: Told, figures: Figures) -> None:
    """Turns with something to keep against turns from which something was kept, and how private that is."""
    kept, counts = kept_of(told), figures.counts
    for turn in told.talk.turns:
        if turn.is_assistant:
            continue
        got = kept.get(turn.id, [])
        counts["gold"] += bool(turn.facts)
        counts["kept"] += bool(got)
        counts["both"] += bool(turn.facts and got)
        is_trap = bool(turn.traps) and not turn.facts
        counts["traps"] += is_trap
        counts["trapped"] += is_trap and bool(got)
        if got and turn.facts and all(fact.privacy != "public" for fact in turn.facts):
            counts["private"] += 1
            counts["private as public"] += any(memory.sensitivity == "public" for memory in got)


def count_found(told: Told, question: Question, figures: Figures) -> None:
    """Messages that a recall finds against those that answer."""
    ids = [hit.id for hit in told.of(told.user).recall(question.text, limit=10, sources=("messages",), threshold=0)]
    right = set(question.evidence)
    if not right:
        return
    gain = sum(1 / math.log2(rank + 2) for rank, one in enumerate(ids) if one in right)
    best = sum(1 / math.log2(rank + 2) for rank in range(min(FOUND_MAX, len(right))))
    figures.found[question.category].append((gain / best, len(right & set(ids)) / len(right)))
    if question.stale and right & set(ids):
        figures.counts["changed"] += 1
        figures.counts["newest first"] += _first(ids, right) < _first(ids, set(question.stale))


def _first(ids: Sequence[str], wanted: set[str]) -> int:
    return next((rank for rank, one in enumerate(ids) if one in wanted), len(ids))


def count_answers(told: Told, question: Question, figures: Figures) -> None:
    """Whether `chat` answers, and with the words that are expected."""
    text = told.of(told.user).chat(question.text).text
    is_silent = "don't know" in text
    if question.category == "none":
        figures.counts["nothing told"] += 1
        figures.counts["nothing told, answered"] += not is_silent
        return
    wanted = [word for word in _words(question.answer) if len(word) > 2 or word.isdigit()]
    wanted = wanted or _words(question.answer)[:1]
    is_right = len([w for w in wanted if w in _words(text)]) >= max(1, math.ceil(ANSWER_SHARE * len(wanted)))
    figures.counts["asked"] += 1
    figures.counts["right"] += is_right and not is_silent
    figures.counts["wrong"] += not is_right and not is_silent


def _words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in text.lower()).split()


def collect(told: Told, question: Question, figures: Figures, reader: Reader) -> None:
    """What `chat` would choose from, for fitting."""
    hits = [
        hit
        for hit in told.of(told.user).recall(question.text, limit=READ_MAX, threshold=0)
        if hit.memory is not None or hit.message.role == "user"
    ]
    texts = [f"{hit.stated_by or 'user'}: {hit.memory.quote or hit.text if hit.memory else hit.text}" for hit in hits]
    shares = [found["answers"]["yes"] for found in reader.answers([(question.text, text) for text in texts])]
    sources = [{hit.memory.source_message_id if hit.memory else hit.id, *hit.message_ids} for hit in hits]
    figures.candidates.append((shares, [bool(one & set(question.evidence)) for one in sources]))


def fit(candidates: Sequence[tuple[list[float], list[bool]]]) -> list[float]:
    """Logistic regression by Newton's method: base, weight of the reader's log odds, weight of the log place."""
    rows, labels = [], []
    for shares, is_right in candidates:
        for place, (share, label) in enumerate(zip(shares, is_right, strict=True)):
            bounded = min(max(share, SHARE_MIN), 1 - SHARE_MIN)
            rows.append((1.0, math.log(bounded / (1 - bounded)), math.log(place + 1)))
            labels.append(float(label))
    values, wanted, weights = np.array(rows), np.array(labels), np.zeros(3)
    for _ in range(25):
        likely = 1 / (1 + np.exp(-values @ weights))
        slope = values.T @ (wanted - likely)
        curve = (values * (likely * (1 - likely))[:, None]).T @ values + 1e-6 * np.eye(3)
        weights += np.linalg.solve(curve, slope)
    return [round(float(weight), 3) for weight in weights]


def report(figures: Figures) -> Iterator[str]:
    """The figures, a line each."""
    counts = figures.counts
    precision, recall = counts["both"] / max(1, counts["kept"]), counts["both"] / max(1, counts["gold"])
    yield f"turns kept: precision {precision:.3f}, recall {recall:.3f}"
    yield f"traps fallen into {counts['trapped']} of {counts['traps']}"
    yield (
        f"changes that retired what they change {counts['changes that retired']} of {counts['changes']} "
        f"({counts['changes, both kept']} with both kept), retired without a change {counts['retired wrongly']}"
    )
    yield f"private turns taken for public {counts['private as public']} of {counts['private']}"
    for category, values in sorted(figures.found.items()):
        gain, share = (sum(value[at] for value in values) / len(values) for at in (0, 1))
        yield f"found, {category}: {len(values)} questions, nDCG@10 {gain:.3f}, recall@10 {share:.3f}"
    every = [value for values in figures.found.values() for value in values]
    gain, share = (sum(value[at] for value in every) / max(1, len(every)) for at in (0, 1))
    yield f"found: nDCG@10 {gain:.3f}, recall@10 {share:.3f}"
    yield f"newest first {counts['newest first']} of {counts['changed']}"
    if counts["asked"]:
        right, wrong = counts["right"] / counts["asked"], counts["wrong"] / counts["asked"]
        yield f"answered right {right:.3f}, wrong {wrong:.3f}"
        yield f"nothing told, answered {counts['nothing told, answered']} of {counts['nothing told']}"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("development", "test", "strangers"))
    parser.add_argument("--answers", action="store_true", help="ask `chat` as well")
    parser.add_argument("--fit", action="store_true", help="fit the choice of answers")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth conversation")
    options = parser.parse_args(arguments)
    if options.fit and options.part != "development":
        parser.error("Only development conversations are fitted to.")
    if options.part == "development":
        talks = corpus.split(corpus.load(corpus.TRAIN))[1]
    else:
        talks = corpus.load(corpus.TEST if options.part == "test" else corpus.STRANGERS)
    figures, reader = Figures(), Reader()
    for talk in talks[:: options.every]:
        with tempfile.TemporaryDirectory() as folder:
            told = Told(talk, Path(folder))
            count_kept(told, figures)
            count_replaced(told, figures)
            for question in talk.questions:
                count_found(told, question, figures)
                if options.fit:
                    collect(told, question, figures, reader)
                if options.answers:
                    count_answers(told, question, figures)
            told.memory.close()
        print(f"{talk.path.stem}: {len(talk.questions)} questions", file=sys.stderr)
    print(*report(figures), sep="\n")
    if options.fit:
        print("base, reader, rank:", *fit(figures.candidates))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
