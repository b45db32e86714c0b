"""Train the embedder: a bi-encoder that finds the turns and memories which answer a question about a conversation.

python -m training.train embedder --base WHEEL --out FOLDER
"""

from __future__ import annotations

import itertools
import json
import math
import multiprocessing
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import normalize

from training.corpus import Conversation, Turn
from training.encoder import LENGTH_MAX, Encoder, mean
from training.package import terms, wordpiece

CONTEXT_CHARACTERS = 200
FACT_LINKS = ("repeats",)
MANY = 4_000
LONG_TURNS = 150
LENGTHS = (32, 72)


@dataclass(frozen=True, kw_only=True)
class Options:
    epochs: int = 8
    batch: int = 384
    negatives: int = 6
    rate: float = 1e-4
    scale: float = 20.0
    null: float = 0.35
    """The cosine that stands for "nothing answers this"."""
    null_weight: float = 0.5
    context: float = 0.0
    """How many turns have the end of the turn before in front of them."""
    haystack: int = 5
    """Conversations whose turns are searched together for hard negatives."""
    mine_from: int = 50
    seed: int = 7
    device: str = "cuda"


@dataclass(kw_only=True)
class Haystack:
    """Documents that are searched together."""

    texts: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class Query:
    """A question with the documents that answer it, numbers into a list of documents; none for `nothing answers`."""

    text: str
    positives: tuple[int, ...]
    pool: tuple[int, ...]
    """Documents among which hard negatives are looked for."""
    negatives: tuple[int, ...] = ()
    """Hard negatives that are given."""


def document(talk: Conversation, number: int, *, context: bool, chance: random.Random | None = None) -> str:
    """A turn as the store embeds it: its speaker, what was said, and on request the end of what was said before."""
    turn = talk.turns[number]
    text = f"{speaker(talk, turn, chance)}: {turn.text}"
    if not context or number == 0 or talk.turns[number - 1].session != turn.session:
        return text
    return f"{talk.turns[number - 1].text[-CONTEXT_CHARACTERS:]}\n{text}"


def speaker(talk: Conversation, turn: Turn, chance: random.Random | None) -> str:
    name = talk.name(turn.speaker)
    return name.split()[0] if chance is not None and chance.random() < 0.7 else name


class Data:
    """Documents and queries of the corpus."""

    def __init__(self, talks: Sequence[Conversation], options: Options) -> None:
        self.documents: list[str] = []
        self.queries: list[Query] = []
        chance = random.Random(options.seed)
        pools = [self._talk(talk, options, chance) for talk in talks]
        self._join(pools, options, chance)

    def add(self, text: str) -> int:
        self.documents.append(text)
        return len(self.documents) - 1

    def _talk(self, talk: Conversation, options: Options, chance: random.Random) -> tuple[list[Query], list[int]]:
        """The queries of one conversation, and the documents they search."""
        rows = {
            turn.id: self.add(document(talk, number, context=chance.random() < options.context, chance=chance))
            for number, turn in enumerate(talk.turns)
        }
        facts = {turn.id: [self.add(fact.text) for fact in turn.facts] for turn in talk.turns}
        pool = [*rows.values(), *(row for own in facts.values() for row in own)]
        queries = []
        for question in talk.questions:
            turns = tuple(rows[one] for one in question.evidence)
            told = tuple(self._best_fact(question.text, question.answer, facts[one]) for one in question.evidence)
            positives = (*turns, *(row for row in told if row is not None))
            stale = tuple(rows[one] for one in question.stale if one in rows)
            queries.append(Query(text=question.text, positives=positives, pool=(), negatives=stale))
        if len(talk.turns) >= LONG_TURNS:
            # Long talks with formal questions are few, and most like a year of real talk.
            queries *= 2
        queries += self._retellings(talk, rows, facts)
        return queries, pool

    def _best_fact(self, question: str, answer: str, rows: Sequence[int]) -> int | None:
        """The fact of a turn that the question asks for: the one that shares most words with it and its answer."""
        if not rows:
            return None
        wanted = set(terms(f"{question} {answer}"))
        return max(rows, key=lambda row: len(wanted & set(terms(self.documents[row]))))

    def _retellings(self, talk: Conversation, rows: dict[str, int], facts: dict[str, list[int]]) -> list[Query]:
        """The same said in other words: a fact and its turn, a fact and what it repeats."""
        found = []
        for turn in talk.turns:
            for fact, row in zip(turn.facts, facts[turn.id], strict=True):
                found.append(Query(text=fact.text, positives=(rows[turn.id], row), pool=()))
                for link in FACT_LINKS:
                    earlier = fact.links.get(link)
                    told = talk.fact(earlier) if earlier else None
                    if told is not None:
                        found.append(Query(text=fact.text, positives=(self.add(told.text), row), pool=()))
        return found

    def _join(self, pools: list[tuple[list[Query], list[int]]], options: Options, chance: random.Random) -> None:
        """Conversations in heaps of a few: their turns are each other's negatives."""
        order = list(range(len(pools)))
        chance.shuffle(order)
        for start in range(0, len(order), options.haystack):
            heap = [pools[number] for number in order[start : start + options.haystack]]
            pool = tuple(row for _, rows in heap for row in rows)
            for queries, _ in heap:
                for query in queries:
                    query.pool = pool
                    self.queries.append(query)

    def add_single(self, path: Path) -> None:
        """Questions with sentences that answer them, and near ones that do not."""
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for line in lines:
            positives = tuple(map(self.add, line["yes"]))
            negatives = tuple(map(self.add, line["no"]))
            self.queries.append(Query(text=line["q"], positives=positives, pool=(), negatives=negatives))

    def add_pairs(self, path: Path) -> None:
        """Sentences that say the same."""
        for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if line["rel"] == "same":
                row = self.add(line["old"])
                self.queries.append(Query(text=line["new"], positives=(row,), pool=()))


class Trainer:
    """Trains one model; documents and queries are tokenized once."""

    def __init__(self, data: Data, base: dict[str, Tensor], options: Options) -> None:
        self.data, self.options = data, options
        self.model = Encoder().load(base).to(options.device)
        self.documents = Bank(tokenized(data.documents), options.device)
        self.queries = Bank(tokenized([query.text for query in data.queries]), options.device)
        self.chance = random.Random(options.seed)
        torch.manual_seed(options.seed)

    def train(self, *, say: Callable[[str], None] = print) -> Encoder:
        options, data = self.options, self.data
        steps = options.epochs * math.ceil(len(data.queries) / options.batch)
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=options.rate, weight_decay=0.01)
        warm = max(1, steps // 10)
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer, lambda step: min((step + 1) / warm, max(0.0, (steps - step) / max(1, steps - warm)))
        )
        started = time.monotonic()
        for epoch in range(options.epochs):
            # Half way the model finds other near documents than at the start.
            if epoch in (0, options.epochs // 3, 2 * options.epochs // 3):
                mined = self.mined()
            self.model.train()
            order = list(range(len(data.queries)))
            self.chance.shuffle(order)
            total = torch.zeros((), device=options.device)
            for start in range(0, len(order), options.batch):
                loss = self.loss(order[start : start + options.batch], mined)
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                total += loss.detach()
            mean_loss = float(total) / math.ceil(len(order) / options.batch)
            say(f"epoch {epoch + 1} loss {mean_loss:.4f} {time.monotonic() - started:.0f} s")
        return self.model

    def loss(self, rows: Sequence[int], mined: Sequence[Sequence[int]]) -> Tensor:
        """Each query against every document of the batch; what answers it too is no negative."""
        options, data = self.options, self.data
        chosen: dict[int, None] = {}
        for row in rows:
            query = data.queries[row]
            if query.positives:
                chosen[self.chance.choice(query.positives)] = None
            hard = [*query.negatives, *mined[row]]
            for one in self.chance.sample(hard, min(options.negatives, len(hard))):
                chosen[one] = None
        documents = list(chosen)
        index = {document: column for column, document in enumerate(documents)}
        queries = self.queries.embed(self.model, rows)
        vectors = self.documents.embed(self.model, documents)
        scores = options.scale * queries @ vectors.T
        nothing = torch.full((len(rows), 1), options.scale * options.null, device=scores.device)
        scores = torch.cat([scores.float(), nothing], dim=1)
        right_ones = np.zeros(scores.shape, dtype=bool)
        shares = np.ones(len(rows), dtype=np.float32)
        for number, row in enumerate(rows):
            columns = [index[one] for one in data.queries[row].positives if one in index]
            right_ones[number, columns or [-1]] = True
            shares[number] = 1.0 if columns else options.null_weight
        is_right, weights = (torch.from_numpy(one).to(scores.device) for one in (right_ones, shares))
        right = torch.logsumexp(scores.masked_fill(~is_right, -torch.inf), dim=1)
        return ((torch.logsumexp(scores, dim=1) - right) * weights).sum() / weights.sum()

    def mined(self) -> list[list[int]]:
        """For every query the nearest documents of its heap that do not answer it."""
        options = self.options
        documents, queries = self.documents.embed_all(self.model), self.queries.embed_all(self.model)
        found: list[list[int]] = [[] for _ in self.data.queries]
        heaps: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for row, query in enumerate(self.data.queries):
            if query.pool:
                heaps[query.pool].append(row)
        for pool, rows in heaps.items():
            near = queries[rows] @ documents[list(pool)].T
            best = near.topk(min(options.mine_from, len(pool)), dim=1).indices.cpu().numpy()
            for row, columns in zip(rows, best, strict=True):
                answers = {self.data.documents[one] for one in self.data.queries[row].positives}
                found[row] = [pool[column] for column in columns if self.data.documents[pool[column]] not in answers]
        return found


def cut(text: str) -> list[int]:
    tokens = wordpiece().encode(text)
    return tokens if len(tokens) <= LENGTH_MAX else [*tokens[: LENGTH_MAX - 1], tokens[-1]]


def tokenized(texts: Sequence[str]) -> list[list[int]]:
    """Token ids of each text, by all processors where there is much to do."""
    if len(texts) < MANY:
        return [cut(text) for text in texts]
    wordpiece()
    with multiprocessing.get_context("fork").Pool() as pool:
        return pool.map(cut, texts, chunksize=500)


class Bank:
    """Token ids of many texts on the device. Texts of like length are run together, so that little is padding."""

    def __init__(self, sequences: Sequence[Sequence[int]], device: str) -> None:
        self.device = device
        self.lengths = np.array([len(sequence) for sequence in sequences])
        table = np.zeros((len(sequences), self.lengths.max(initial=1)), dtype=np.int32)
        for row, sequence in enumerate(sequences):
            table[row, : len(sequence)] = sequence
        self.tokens = torch.from_numpy(table).to(device)

    def embed(self, model: Encoder, rows: Sequence[int]) -> Tensor:
        rows = np.asarray(rows)
        order = np.argsort(self.lengths[rows], kind="stable")
        found = [self._run(model, rows[part]) for part in self._parts(self.lengths[rows[order]], order)]
        back = np.empty(len(rows), dtype=np.int64)
        back[order] = np.arange(len(rows))
        return torch.cat(found)[torch.from_numpy(back).to(self.device)]

    @torch.no_grad()
    def embed_all(self, model: Encoder, *, batch: int = 4096) -> Tensor:
        model.eval()
        rows = np.arange(len(self.lengths))
        return torch.cat([self.embed(model, rows[at : at + batch]) for at in range(0, len(rows), batch)])

    @staticmethod
    def _parts(lengths: np.ndarray, order: np.ndarray) -> list[np.ndarray]:
        """The rows in order of length, in three parts: starting a run takes longer than some padding."""
        cuts = [0, *np.searchsorted(lengths, LENGTHS, side="right").tolist(), len(order)]
        return [order[start:stop] for start, stop in itertools.pairwise(cuts) if start < stop]

    def _run(self, model: Encoder, rows: np.ndarray) -> Tensor:
        lengths = torch.from_numpy(self.lengths[rows]).to(self.device)
        longest = int(self.lengths[rows].max())
        tokens = self.tokens[torch.from_numpy(rows).to(self.device), :longest].long()
        mask = (torch.arange(longest, device=self.device)[None] < lengths[:, None]).long()
        with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda"):
            hidden = model(tokens, mask)
        return normalize(mean(hidden.float(), mask), dim=1)


def embed_all(model: Encoder, sequences: Sequence[Sequence[int]], device: str) -> Tensor:
    return Bank(sequences, device).embed_all(model)


# --- measuring ---


@dataclass(frozen=True, kw_only=True, eq=False)
class Case:
    """A conversation to search, in the form of the benchmark files."""

    texts: list[str]
    ids: list[str]
    questions: list[tuple[str, str, frozenset[str]]]
    """Text, category, evidence."""


def cases_of(talks: Sequence[Conversation], *, context: bool) -> list[Case]:
    return [
        Case(
            texts=[document(talk, number, context=context) for number in range(len(talk.turns))],
            ids=[turn.id for turn in talk.turns],
            questions=[(one.text, one.category, frozenset(one.evidence)) for one in talk.questions if one.evidence],
        )
        for talk in talks
    ]


def benchmark(path: Path, *, context: bool) -> list[Case]:
    cases = []
    for talk in json.loads(path.read_text(encoding="utf-8"))["conversations"]:
        texts, turns = [], talk["turns"]
        for number, turn in enumerate(turns):
            text = f"{turn['speaker']}: {turn['text']}"
            if context and number and turns[number - 1]["session"] == turn["session"]:
                text = f"{turns[number - 1]['text'][-CONTEXT_CHARACTERS:]}\n{text}"
            texts.append(text)
        questions = [(one["text"], str(one["category"]), frozenset(one["evidence"])) for one in talk["questions"]]
        ids = [turn["id"] for turn in turns]
        cases.append(Case(texts=texts, ids=ids, questions=[one for one in questions if one[2]]))
    return cases


def measured(
    model: Encoder, cases: Sequence[Case], device: str, *, mixes: Sequence[float] = (1.0, 0.8, 0.65, 0.5)
) -> dict[str, str]:
    """Macro nDCG@10 / recall@10 over categories, for vectors alone and mixed with words."""
    by_mix: dict[float, dict[str, list[tuple[float, float]]]] = {mix: defaultdict(list) for mix in mixes}
    for case in cases:
        vectors = embed_all(model, tokens_of(case), device)
        queries = embed_all(model, [cut(text) for text, _, _ in case.questions], device)
        middle = vectors.mean(0)
        near = (normalize(queries - middle, dim=1) @ normalize(vectors - middle, dim=1).T).cpu().numpy()
        words = bm25(case)
        for number, (_, category, evidence) in enumerate(case.questions):
            for mix in mixes:
                scores = mix * _scaled(near[number]) + (1 - mix) * _scaled(words[number])
                best = [case.ids[row] for row in np.argsort(-scores, kind="stable")[:10]]
                by_mix[mix][category].append(_figures(best, evidence))
    return {
        f"{mix:.2f}": "/".join(
            f"{np.mean([np.mean([one[at] for one in rows]) for rows in found.values()]):.3f}" for at in (0, 1)
        )
        for mix, found in by_mix.items()
    }


@cache
def tokens_of(case: Case) -> list[list[int]]:
    return [cut(text) for text in case.texts]


def _scaled(values: np.ndarray) -> np.ndarray:
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


def _figures(best: Sequence[str], evidence: frozenset[str]) -> tuple[float, float]:
    gain = sum(1 / math.log2(rank + 2) for rank, one in enumerate(best) if one in evidence)
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(10, len(evidence))))
    return gain / ideal, len(evidence & set(best)) / len(evidence)


@cache
def bm25(case: Case) -> np.ndarray:
    counts = [Counter(terms(text)) for text in case.texts]
    lengths = np.array([sum(one.values()) for one in counts], dtype=np.float64)
    average = lengths.mean() or 1.0
    holders: dict[str, list[int]] = defaultdict(list)
    for row, one in enumerate(counts):
        for term in one:
            holders[term].append(row)
    scores = np.zeros((len(case.questions), len(case.texts)))
    for number, (text, _, _) in enumerate(case.questions):
        for term in set(terms(text)):
            rows = holders.get(term)
            if rows:
                weight = math.log(1 + (len(counts) - len(rows) + 0.5) / (len(rows) + 0.5))
                found = np.array([counts[row][term] for row in rows], dtype=np.float64)
                scores[number, rows] += weight * found * 2.2 / (found + 1.2 * (0.25 + 0.75 * lengths[rows] / average))
    return scores
