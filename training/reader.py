"""Train the reader: one encoder with small heads for single sentences and for pairs of texts.

python -m training.train reader --base WHEEL --embedder FILE --out FOLDER
"""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from training import corpus
from training.corpus import HERE, Conversation
from training.embedder import embed_all, tokenized
from training.encoder import WIDTH, Encoder, mean, padded
from training.examples import (
    RELATIONS,
    STANCES,
    TODOS,
    VERDICTS,
    Choice,
    Pair,
    Sentence,
    before,
    read_answers,
    read_candidates,
    read_facts,
    read_pairs,
    read_privacy,
    read_relations,
    read_sentences,
    read_single_answers,
    read_single_verdicts,
    read_statements,
    read_verdicts,
    slots,
)
from training.package import Said, bundled_embedder, bundled_reader, encode_pair, encode_sentence, wordpiece
from training.teacher import MPNet

HEADS: Mapping[str, tuple[str, ...]] = {
    "keep": ("no", "yes"),
    "type": corpus.TYPES,
    "holds": corpus.HOLDS,
    "about": corpus.ABOUT,
    "privacy": corpus.PRIVACY,
    "stance": STANCES,
    "todo": TODOS,
    "quiet": ("no", "yes"),
    "slot": slots(),
    "relation": RELATIONS,
    "answers": ("no", "yes"),
    "verdict": VERDICTS,
}
Say = Callable[[str], None]
SEED = 11
WARM_SHARE = 0.1
TAGS = ("outside", "begin", "inside")
"""Of each token of the sentence: whether it belongs to the value."""
WEIGHTS = {"keep": 1.0, "privacy": 1.0, "relation": 1.0, "answers": 1.0, "stance": 0.5, "todo": 0.7, "type": 0.6,
           "holds": 0.4, "about": 0.6, "slot": 0.5, "quiet": 0.2, "verdict": 0.7}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Options:
    epochs: int = 3
    batch: int = 128
    rate: float = 1e-4
    head_rate: float = 1e-3
    smooth: float = 0.05
    seed: int = 11
    choices: int = 24
    """Questions in a batch, each with its texts."""
    texts: int = 12
    """Texts of a question in a batch, drawn anew each time."""
    pointwise: float = 0.3
    """The share of the loss that asks of each text alone whether it answers."""
    taught: float = 0.5
    """The share of a target that is the teacher's word, where there is one."""
    seconds: float = 0.0
    """Ends the training after so long, the rate falling accordingly; 0: after its epochs."""
    device: str = "cuda"


class Reader(nn.Module):
    """One body; every head sees the first token's vector and the mean of all."""

    def __init__(self, body: nn.Module | None = None, width: int = WIDTH) -> None:
        super().__init__()
        self.body = body or Encoder()
        self.heads = nn.ModuleDict({f"of_{name}": nn.Linear(2 * width, len(labels)) for name, labels in HEADS.items()})
        self.tags = nn.Linear(width, len(TAGS))
        self.dropout = nn.Dropout(0.1)

    def forward(self, tokens: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.body(tokens, mask).float()
        pooled = torch.cat([hidden[:, 0], mean(hidden, mask)], dim=1)
        return self.dropout(pooled), hidden


@dataclass(kw_only=True)
class Item:
    tokens: list[int]
    labels: dict[str, int]
    tags: list[int] | None = None
    others: tuple[Item, ...] = ()
    """Of a question: one item for each text that may answer it; the question itself has no tokens then."""
    taught: dict[str, np.ndarray] | None = None
    """The teacher's probabilities for each head that has a label."""

    @property
    def length(self) -> int:
        return max((len(one.tokens) for one in self.others), default=len(self.tokens))


def sentence_item(one: Sentence) -> Item:
    tokens, places = encode_sentence(
        wordpiece(), Said(text=one.text, speaker=one.speaker, turn=one.turn, before=one.before)
    )
    labels = {name: HEADS[name].index(label) for name, label in one.labels.items()}
    tags = None
    if one.value is not None:
        start, stop = one.value
        tags = [0] * len(tokens)
        inside = [at for at, (left, right) in places.items() if left < stop and right > start]
        for number, at in enumerate(inside):
            tags[at] = 1 if number == 0 else 2
    elif one.labels.get("keep") == "no":
        tags = [0] * len(tokens)
    return Item(tokens=tokens, labels=labels, tags=tags)


def pair_item(one: Pair, head: str) -> Item:
    tokens = encode_pair(wordpiece(), one.first, one.second, is_question=head != "relation")
    return Item(tokens=tokens, labels={head: HEADS[head].index(one.label)})


def choice_item(one: Choice) -> Item:
    pairs = [Pair(first=one.question, second=text, label="yes") for text in one.right]
    pairs += [Pair(first=one.question, second=text, label="no") for text in one.wrong]
    return Item(tokens=[], labels={}, others=tuple(pair_item(pair, "answers") for pair in pairs))


class Near:
    """Similarities by the embedder, to find the pairs that are hard to tell apart."""

    def __init__(self, weights: Mapping[str, Tensor], device: str) -> None:
        self.model, self.device = Encoder().load(weights).to(device), device

    def __call__(self, texts: Sequence[str], others: Sequence[str] | None = None) -> np.ndarray:
        first = embed_all(self.model, tokenized(texts), self.device)
        second = first if others is None else embed_all(self.model, tokenized(others), self.device)
        return (first @ second.T).cpu().numpy()


def items_of(
    talks: Sequence[Conversation], haystacks: Sequence[Conversation], near: Near, *, singles: bool
) -> dict[str, list[Item]]:
    """Everything that is learned, by task."""
    chance = random.Random(SEED)
    made: dict[str, list[Item]] = defaultdict(list)
    for talk in talks:
        made["sentences"] += [sentence_item(one) for one in read_sentences(talk, chance) if one.labels]
        made["sentences"] += [sentence_item(one) for one in read_facts(talk)]
    for talk in (*talks, *haystacks):
        made["relations"] += [pair_item(one, "relation") for one in read_relations(talk, near, chance)]
        made["choices"] += [choice_item(one) for one in read_answers(talk, near, chance)]
        made["verdicts"] += [pair_item(one, "verdict") for one in read_verdicts(talk, chance)]
    if singles:
        for path in sorted(HERE.glob("privacy*.jsonl")):
            made["sentences"] += [sentence_item(one) for one in read_privacy(path)] * 3
        for path in sorted(HERE.glob("pairs*.jsonl")):
            made["relations"] += [pair_item(one, "relation") for one in read_pairs(path)] * 3
        for path in sorted(HERE.glob("answers*.jsonl")):
            made["choices"] += [choice_item(one) for one in read_single_answers(path)] * 2
        for path in sorted(HERE.glob("statements*.jsonl")):
            made["sentences"] += [sentence_item(one) for one in read_statements(path)] * 2
        for path in sorted(HERE.glob("verdicts*.jsonl")):
            made["verdicts"] += [pair_item(one, "verdict") for one in read_single_verdicts(path)]
    return made


def train(
    data: Mapping[str, Sequence[Item]],
    base: Mapping[str, Tensor],
    options: Options,
    *,
    teacher: bool = False,
    say: Say = print,
) -> Reader:
    """Train the reader, or with the same examples the larger model that teaches it."""
    # All start alike and differ in the order of their examples, so that their weights can be averaged.
    torch.manual_seed(SEED)
    model = Reader(MPNet(), MPNet.width) if teacher else Reader()
    model.body.load(base)
    model.to(options.device)
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    heads = [*model.heads.parameters(), *model.tags.parameters()]
    optimizer = torch.optim.AdamW(
        [{"params": model.body.parameters(), "lr": options.rate}, {"params": heads, "lr": options.head_rate}],
        weight_decay=0.01,
    )
    steps = options.epochs * len(batches(data, options, random.Random(options.seed)))
    weights = {task: class_weights(items, options.device) for task, items in data.items()}
    started = time.monotonic()

    def done(step: int) -> float:
        late = (time.monotonic() - started) / options.seconds if options.seconds else 0.0
        return max(step / steps, late)

    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((done(step) + 1 / steps) / WARM_SHARE, max(0.0, 1 - done(step)) / (1 - WARM_SHARE))
    )
    for epoch in range(options.epochs):
        model.train()
        total = count = 0
        for task, batch in batches(data, options, chance):
            if done(0) >= 1:
                break
            if task == "choices":
                loss = loss_of_choices(model, [_drawn(one, options.texts, chance) for one in batch], options)
            else:
                loss = loss_of(model, batch, weights[task], options)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total, count = total + loss.detach(), count + 1
        say(f"epoch {epoch + 1} loss {float(total) / max(1, count):.4f} {time.monotonic() - started:.0f} s")
    return model


def teach(teacher: Reader, data: Mapping[str, Sequence[Item]], device: str) -> None:
    """Write what the teacher says of every item beside its labels."""
    items = {id(one): one for group in data.values() for item in group for one in (item.others or (item,))}
    pupils = [one for one in items.values() if one.labels]
    found = scores(teacher, pupils, device, batch=512)
    for row, one in enumerate(pupils):
        one.taught = {name: found[name][row] for name in one.labels}


def targets(batch: Sequence[Item], name: str, options: Options) -> np.ndarray:
    """The wanted probabilities of one head: the label, smoothed, and what the teacher says."""
    count = len(HEADS[name])
    wanted = np.full((len(batch), count), options.smooth / count, dtype=np.float32)
    for row, item in enumerate(batch):
        wanted[row, item.labels[name]] += 1 - options.smooth
        if item.taught:
            wanted[row] = (1 - options.taught) * wanted[row] + options.taught * item.taught[name]
    return wanted


def soft_loss(found: Tensor, wanted: np.ndarray, weight: Tensor | None = None) -> Tensor:
    """Cross entropy against probabilities; the weights of the classes weigh the mean as they do for labels."""
    share = torch.from_numpy(wanted).to(found.device)
    share = share if weight is None else share * weight
    return -(share * found.log_softmax(1)).sum() / share.sum()


def batches(
    data: Mapping[str, Sequence[Item]], options: Options, chance: random.Random
) -> list[tuple[str, list[Item]]]:
    """Batches of one task each, tasks mixed; texts of like length go together."""
    made = []
    for task, items in data.items():
        size = options.choices if task == "choices" else options.batch
        order = list(items)
        chance.shuffle(order)
        for start in range(0, len(order), size * 20):
            part = sorted(order[start : start + size * 20], key=lambda item: item.length)
            made += [(task, part[at : at + size]) for at in range(0, len(part), size)]
    chance.shuffle(made)
    return made


def class_weights(items: Sequence[Item], device: str) -> dict[str, Tensor]:
    """Rare labels weigh more, but not as much more as they are rarer."""
    found = {}
    for name, labels in HEADS.items():
        counts = np.bincount([item.labels[name] for item in items if name in item.labels], minlength=len(labels))
        if counts.sum():
            power = 0.0 if name in ("keep", "answers", "privacy") else 0.2 if name == "relation" else 0.4
            raw = (counts.max() / np.maximum(counts, 1)) ** power
            found[name] = torch.tensor(np.minimum(raw, 8.0), dtype=torch.float32, device=device)
    return found


def loss_of(model: Reader, batch: Sequence[Item], weights: Mapping[str, Tensor], options: Options) -> Tensor:
    tokens, mask = padded([item.tokens for item in batch], options.device)
    with torch.autocast(options.device, dtype=torch.bfloat16, enabled=options.device == "cuda"):
        pooled, hidden = model(tokens, mask)
    pooled, hidden = pooled.float(), hidden.float()
    total = pooled.new_zeros(())
    for name in HEADS:
        rows = [row for row, item in enumerate(batch) if name in item.labels]
        if rows:
            found = model.heads[f"of_{name}"](pooled[rows])
            loss = soft_loss(found, targets([batch[row] for row in rows], name, options), weights[name])
            total = total + WEIGHTS[name] * loss * len(rows) / len(batch)
    tagged = [row for row, item in enumerate(batch) if item.tags is not None]
    if tagged:
        table = np.full(tuple(tokens.shape), -100)
        for row in tagged:
            table[row, : len(batch[row].tags)] = batch[row].tags
        wanted = torch.from_numpy(table).to(options.device)
        scores = model.tags(hidden)
        total = total + 0.5 * cross_entropy(scores.flatten(0, 1), wanted.flatten(), ignore_index=-100)
    return total


def _drawn(question: Item, texts: int, chance: random.Random) -> Item:
    """A question with at most two texts that answer it, and so many others that it has `texts` in all."""
    right = [one for one in question.others if one.labels["answers"] == 1]
    wrong = [one for one in question.others if one.labels["answers"] == 0]
    right = chance.sample(right, min(2, len(right)))
    return replace(question, others=(*right, *chance.sample(wrong, min(texts - len(right), len(wrong)))))


def loss_of_choices(model: Reader, batch: Sequence[Item], options: Options) -> Tensor:
    """Each question against its texts and "none of them": what is right has to be the likeliest, be it none.

    A share of the loss asks of each text by itself, so that a score means the same for every question.
    """
    items = [one for question in batch for one in question.others]
    tokens, mask = padded([item.tokens for item in items], options.device)
    with torch.autocast(options.device, dtype=torch.bfloat16, enabled=options.device == "cuda"):
        pooled, _ = model(tokens, mask)
    found = model.heads["of_answers"](pooled.float())
    odds = found[:, 1] - found[:, 0]
    wide = max(len(question.others) for question in batch)
    rows, columns, right = [], [], np.zeros((len(batch), wide + 1), dtype=bool)
    told = np.full((len(batch), wide + 1), -np.inf, dtype=np.float32)
    told[:, wide] = 0.0
    for row, question in enumerate(batch):
        for column, one in enumerate(question.others):
            rows.append(row)
            columns.append(column)
            right[row, column] = one.labels["answers"] == 1
            if one.taught:
                no, yes = np.maximum(one.taught["answers"], 1e-6)
                told[row, column] = np.log(yes / no)
    right[:, wide] = ~right.any(axis=1)
    table = torch.full((len(batch), wide + 1), -torch.inf, device=odds.device)
    table[:, wide] = 0.0
    table = table.index_put((torch.tensor(rows, device=odds.device), torch.tensor(columns, device=odds.device)), odds)
    is_right = torch.from_numpy(right).to(odds.device)
    listwise = (torch.logsumexp(table, dim=1) - torch.logsumexp(table.masked_fill(~is_right, -torch.inf), dim=1)).mean()
    if np.isfinite(told[:, :wide]).any():
        taught = torch.from_numpy(told).to(odds.device).softmax(1)
        soft = -(taught * table.log_softmax(1).clamp(min=-1e4)).sum(1).mean()
        listwise = (1 - options.taught) * listwise + options.taught * soft
    alone = soft_loss(found, targets(items, "answers", options))
    return (1 - options.pointwise) * listwise + options.pointwise * alone


class Shipped:
    """The reader and the embedder as the package carries them, to be measured as float weights are."""

    def __init__(self) -> None:
        self.reader, self.embedder = bundled_reader(), bundled_embedder()

    def near(self, texts: Sequence[str], others: Sequence[str] | None = None) -> np.ndarray:
        first = self.embedder.embed(list(texts))
        return first @ (first if others is None else self.embedder.embed(list(others))).T

    def scores(self, items: Sequence[Item]) -> dict[str, np.ndarray]:
        rows = np.stack([scores for scores, _ in self.reader.run([item.tokens for item in items])])
        found, at = {}, 0
        for name, labels in self.reader.manifest["reader"]["heads"].items():
            raised = np.exp(rows[:, at : at + len(labels)] - rows[:, at : at + len(labels)].max(1, keepdims=True))
            found[name], at = raised / raised.sum(1, keepdims=True), at + len(labels)
        return found


@torch.no_grad()
def scores(model: Reader | Shipped, items: Sequence[Item], device: str, *, batch: int = 256) -> dict[str, np.ndarray]:
    """Probabilities of every head for every item."""
    if isinstance(model, Shipped):
        return model.scores(items)
    model.eval()
    order = sorted(range(len(items)), key=lambda row: len(items[row].tokens))
    found = {name: np.zeros((len(items), len(HEADS[name])), dtype=np.float32) for name in HEADS}
    for start in range(0, len(order), batch):
        rows = order[start : start + batch]
        tokens, mask = padded([items[row].tokens for row in rows], device)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            pooled, _ = model(tokens, mask)
        for name in HEADS:
            found[name][rows] = model.heads[f"of_{name}"](pooled.float()).softmax(1).cpu().numpy()
    return found


# --- thresholds ---


def thresholds(model: Reader, talks: Sequence[Conversation], near: Near, device: str) -> dict[str, float]:
    """The probabilities from which a label counts, chosen on development conversations and statements."""
    return _sentence_thresholds(model, talks, device) | _pair_thresholds(model, talks, near, device)


def _sentence_thresholds(model: Reader, talks: Sequence[Conversation], device: str) -> dict[str, float]:
    said = [one for talk in talks for one in read_sentences(talk) if one.labels]
    found = scores(model, [sentence_item(one) for one in said], device)
    singles = [one for path in sorted(HERE.glob("privacy*.jsonl")) for one in read_privacy(path, development=True)]
    single = scores(model, [sentence_item(one) for one in singles], device)
    kept = [row for row, one in enumerate(said) if one.labels.get("keep") == "yes"]
    public = np.concatenate([found["privacy"][kept, 0], single["privacy"][:, 0]])
    wanted = [said[row].labels["privacy"] for row in kept] + [one.labels["privacy"] for one in singles]
    return {"keep": _best_keep(said, found["keep"][:, 1]), "public": _rail(public, np.array(wanted))}


def _pair_thresholds(model: Reader, talks: Sequence[Conversation], near: Near, device: str) -> dict[str, float]:
    chance = random.Random(3)
    pairs = [one for talk in talks for one in read_relations(talk, near, chance)]
    pairs += [one for path in sorted(HERE.glob("pairs*.jsonl")) for one in read_pairs(path, development=True)]
    related = scores(model, [pair_item(one, "relation") for one in pairs], device)["relation"]
    both = np.array([one.label == "both" for one in pairs])
    other = np.array([one.label != "same" for one in pairs])
    return {
        "replaces": max(0.5, round(float(np.quantile(related[both, 1], 0.98)), 3)),
        "may_replace": max(0.2, round(float(np.quantile(related[both, 1], 0.94)), 3)),
        "same": max(0.5, round(float(np.quantile(related[other, 0], 0.98)), 3)),
    }


def _best_keep(said: Sequence[Sentence], kept: np.ndarray) -> float:
    """The cutoff with the best F1 by turn among those at which four of five kept turns are worth keeping."""
    turns: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for one, probability in zip(said, kept, strict=True):
        turn = turns[one.source, one.turn_id]
        turn[0], turn[1] = max(turn[0], float(probability)), max(turn[1], float(one.labels.get("keep") == "yes"))
    values = np.array(list(turns.values()))
    best = (-1.0, 0.5)
    for cutoff in np.arange(0.2, 0.85, 0.01):
        called, gold = values[:, 0] >= cutoff, values[:, 1] > 0
        precision, recall = gold[called].mean() if called.any() else 0.0, called[gold].mean()
        score = 2 * precision * recall / max(1e-9, precision + recall) - 3 * max(0.0, 0.8 - precision)
        best = max(best, (float(score), float(round(cutoff, 2))))
    return best[1]


def _rail(public: np.ndarray, wanted: np.ndarray) -> float:
    """Where 99 % of the sensitive and 97 % of the personal statements stay back (spec: public must be earned)."""
    sensitive = np.quantile(public[wanted == "sensitive"], 0.99, method="higher")
    personal = np.quantile(public[wanted == "personal"], 0.97, method="higher")
    return round(float(max(sensitive, personal)) + 0.001, 3)


# --- measuring ---


def measured(model: Reader, talks: Sequence[Conversation], near: Near, device: str) -> dict[str, object]:
    """What the reader reaches on conversations it was not trained on."""
    return _reading(model, talks, device) | measured_pairs(model, talks, near, device)


def measured_pairs(model: Reader, talks: Sequence[Conversation], near: Near, device: str) -> dict[str, object]:
    """What it reaches on pairs: what replaces what, and what answers a question."""
    report: dict[str, object] = {**_relating(model, talks, near, device)}
    for with_context in (False, True):
        found = _replacing(model, talks, near, device, with_context=with_context)
        found |= _answering(model, talks, near, device, with_context=with_context)
        report |= {f"{'with context, ' * with_context}{name}": figure for name, figure in found.items()}
    return report


def _reading(model: Reader, talks: Sequence[Conversation], device: str) -> dict[str, object]:
    said = [one for talk in talks for one in read_sentences(talk)]
    found = scores(model, [sentence_item(one) for one in said], device)
    report: dict[str, object] = {**_keeping(talks, said, found["keep"][:, 1])}
    alone = [replace(one, before=()) for one in said]
    without = scores(model, [sentence_item(one) for one in alone], device)["keep"][:, 1]
    report |= {f"without context, {name}": figure for name, figure in _keeping(talks, said, without).items()}
    for name in ("type", "holds", "about", "privacy", "slot", "todo", "stance"):
        rows = [
            row
            for row, one in enumerate(said)
            if name in one.labels and (one.labels.get("keep") == "yes" or name in ("todo", "stance"))
        ]
        wanted = np.array([HEADS[name].index(said[row].labels[name]) for row in rows])
        best = found[name][rows].argmax(1)
        report[name] = f"accuracy {np.mean(best == wanted):.3f} macro F1 {_macro(best, wanted):.3f} of {len(rows)}"
    report |= _privacy(said, found["privacy"])
    singles = [one for path in sorted(HERE.glob("privacy*.jsonl")) for one in read_privacy(path, development=True)]
    single = scores(model, [sentence_item(one) for one in singles], device)["privacy"]
    kept = [row for row, one in enumerate(singles) if one.labels["keep"] == "yes"]
    report |= {
        f"statements, {name}": figure for name, figure in _privacy([singles[row] for row in kept], single[kept]).items()
    }
    labels = np.array([one.labels.get("todo", "none") not in ("none", "done", "dropped") for one in said])
    for cutoff in (0.5, 0.6, 0.7, 0.8, 0.9):
        called = found["todo"][:, 1:5].sum(1) >= cutoff
        report[f"todo at {cutoff}"] = (
            f"precision {labels[called].mean() if called.any() else 0:.3f} recall {called[labels].mean():.3f}"
        )
    return report


def _relating(model: Reader, talks: Sequence[Conversation], near: Near, device: str) -> dict[str, str]:
    """How pairs are told apart: those of the conversations, and the single ones."""
    chance, report = random.Random(0), {}
    groups = {"": [one for talk in talks for one in read_relations(talk, near, chance)]}
    for path in sorted(HERE.glob("pairs*.jsonl")):
        groups[f"{path.stem}, "] = list(read_pairs(path, development=True))
    for group, pairs in groups.items():
        best = scores(model, [pair_item(one, "relation") for one in pairs], device)["relation"]
        wanted = np.array([RELATIONS.index(one.label) for one in pairs])
        for cutoff in (0.3, 0.5, 0.7, 0.85):
            called = best[:, 1] >= cutoff
            report[f"{group}replaces at {cutoff}"] = (
                f"found {np.mean(called[wanted == 1]):.3f}, same called so {np.mean(called[wanted == 0]):.3f}, "
                f"both called so {np.mean(called[wanted == 2]):.3f} of "
                f"{(wanted == 1).sum()}/{(wanted == 0).sum()}/{(wanted == 2).sum()}"
            )
    return report


def _replacing(
    model: Reader,
    talks: Sequence[Conversation],
    near: Near,
    device: str,
    *,
    with_context: bool,
    compared: int = 4,
) -> dict[str, str]:
    """As a write does it: each new fact against the nearest earlier ones, and at most one of them is retired."""
    cases = [case for talk in talks for case in read_candidates(talk, near, compared, with_context=with_context)]
    pairs = [pair_item(pair, "relation") for case in cases for pair in case.pairs]
    found = scores(model, pairs, device)["relation"][:, 1]
    report, links = {}, sum(case.is_linked for case in cases)
    near_enough = sum(any(pair.label == "replaces" for pair in case.pairs) for case in cases)
    for cutoff in (0.3, 0.5, 0.7, 0.85):
        at = right = wrong = 0
        for case in cases:
            own = found[at : at + len(case.pairs)]
            at += len(case.pairs)
            if len(own) and own.max() >= cutoff:
                is_right = case.pairs[int(own.argmax())].label == "replaces"
                right, wrong = right + is_right, wrong + (not is_right)
        report[f"retired at {cutoff}"] = (
            f"right {right} of {links} ({near_enough} among the {compared} nearest), wrongly {wrong} of {len(cases)}"
        )
    return report


def _keeping(talks: Sequence[Conversation], said: Sequence[Sentence], kept: np.ndarray) -> dict[str, str]:
    """By turn, as the judge of the whole product counts."""
    turns: dict[tuple[str, str], float] = defaultdict(float)
    for one, probability in zip(said, kept, strict=True):
        turns[one.source, one.turn_id] = max(turns[one.source, one.turn_id], float(probability))
    gold = {
        (talk.path.stem, turn.id): bool(turn.facts) for talk in talks for turn in talk.turns if not turn.is_assistant
    }
    traps = {(talk.path.stem, turn.id) for talk in talks for turn in talk.turns if turn.traps and not turn.facts}
    report = {}
    for cutoff in (0.4, 0.5, 0.6, 0.7):
        called = {key for key, value in turns.items() if value >= cutoff}
        right = sum(gold[key] for key in called)
        trapped = len(traps & called)
        report[f"keep at {cutoff}"] = (
            f"precision {right / max(1, len(called)):.3f} recall {right / max(1, sum(gold.values())):.3f}, "
            f"traps {trapped} of {len(traps)}"
        )
    return report


def _privacy(said: Sequence[Sentence], found: np.ndarray) -> dict[str, str]:
    rows = [row for row, one in enumerate(said) if one.labels.get("keep") == "yes"]
    wanted = np.array([corpus.PRIVACY.index(said[row].labels["privacy"]) for row in rows])
    public = found[rows, 0]
    return {
        f"public at {cutoff}": f"sensitive {np.mean(public[wanted == 2] >= cutoff):.3f} "
        f"personal {np.mean(public[wanted == 1] >= cutoff):.3f} "
        f"called public; public held back {np.mean(public[wanted == 0] < cutoff):.3f}"
        for cutoff in (0.5, 0.7, 0.8, 0.9, 0.95, 0.97)
    }


def answered(
    model: Reader, talks: Sequence[Conversation], near: Near, device: str, *, with_context: bool
) -> list[tuple[Any, str, float]]:
    """Each question with the turn that answers it best of the eight nearest, and how sure that is."""
    cases = []
    for talk in talks:
        documents = [f"{talk.name(turn.speaker).split()[0]}: {turn.text}" for turn in talk.turns]
        ids = [turn.id for turn in talk.turns]
        near_ones = near([question.text for question in talk.questions], documents)
        for question, row in zip(talk.questions, near_ones, strict=True):
            best = np.argsort(-row)[:8]
            front = [before(talk, talk.turns[number]) if with_context else "" for number in best]
            texts = [text + documents[number] for text, number in zip(front, best, strict=True)]
            cases.append((question, [ids[number] for number in best], texts, row[best]))
    items = [
        pair_item(Pair(first=q.text, second=text, label="no"), "answers") for q, _, texts, _ in cases for text in texts
    ]
    found = scores(model, items, device)["answers"][:, 1]
    at, tops = 0, []
    for question, ids, texts, cosines in cases:
        own = found[at : at + len(texts)]
        at += len(texts)
        row = int((own + 0.3 * cosines).argmax())
        tops.append((question, ids[row], float(own[row])))
    return tops


def _answering(
    model: Reader, talks: Sequence[Conversation], near: Near, device: str, *, with_context: bool
) -> dict[str, str]:
    tops, report = answered(model, talks, near, device, with_context=with_context), {}
    asked = sum(bool(q.evidence) for q, _, _ in tops)
    for cutoff in (0.3, 0.5, 0.7, 0.85):
        right = sum(top >= cutoff and one in q.evidence for q, one, top in tops if q.evidence)
        wrong = sum(top >= cutoff and one not in q.evidence for q, one, top in tops if q.evidence)
        told = sum(top >= cutoff for q, _, top in tops if not q.evidence)
        report[f"answers at {cutoff}"] = (
            f"right {right / asked:.3f} wrong {wrong / asked:.3f} "
            f"nothing-told answered {told / max(1, len(tops) - asked):.3f}"
        )
    return report


def _macro(best: np.ndarray, wanted: np.ndarray) -> float:
    found = []
    for label in np.unique(wanted):
        hit = ((best == label) & (wanted == label)).sum()
        found.append(2 * hit / max(1, (best == label).sum() + (wanted == label).sum()))
    return float(np.mean(found))
