"""Turns the templates and ordinary sentences of one half into labelled cases, the same ones on every run.

``train.jsonl`` and ``test.jsonl`` hold ordinary sentences, and templates in which ``[[name]]`` stands for a made value.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evals.secrets.disguises import DISGUISES
from evals.secrets.values import ANSWERS, WEAK
from evals.secrets.vendors import MAKERS

HERE = Path(__file__).resolve().parent
HALVES = ("train", "test")
PLAIN_COPIES = 4
SLOT = re.compile(r"\[\[(\w+)\]\]")
# A secret is only cut in two where half of it would not be enough.
SPLIT_VALUE_MIN = 12


@dataclass(frozen=True, kw_only=True)
class Case:
    """One message to judge; ``previous`` is what was said before it, ``values`` are the secrets in it."""

    label: str
    group: str
    text: str
    disguise: str = ""
    values: tuple[str, ...] = ()
    previous: tuple[str, ...] = ()


def rows(half: str) -> list[dict[str, str]]:
    lines = (HERE / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def frozen_hash() -> str:
    """SHA-256 over all that the test half is made of."""
    digest = hashlib.sha256()
    for name in ("make.py", "values.py", "vendors.py", "disguises.py", "test.jsonl"):
        digest.update((HERE / name).read_bytes())
    return digest.hexdigest()


def fill(template: str, half: str, rng: random.Random) -> tuple[str, tuple[str, ...]]:
    values: list[str] = []

    def value(slot: re.Match[str]) -> str:
        name = slot.group(1)
        if name == "weak":
            made = rng.choice(WEAK[half].split())
        elif name == "answer":
            made = rng.choice(ANSWERS[half].split(";"))
        else:
            made = MAKERS[name](rng)
        values.append(made)
        return made

    return SLOT.sub(value, template), tuple(values)


def split_cases(group: str, text: str, values: tuple[str, ...]) -> Iterator[Case]:
    """The message cut at the border of its first value, and cut in the middle of a long one."""
    start = text.index(values[0])
    end = start + len(values[0])
    border = start or end
    before, after = text[:border].strip(), text[border:].strip()
    if len(re.findall(r"\w", before)) > 2 and len(re.findall(r"\w", after)) > 2:
        yield Case(label="secret", group=group, text=after, disguise="split at the value", previous=(before,))
    if len(values[0]) >= SPLIT_VALUE_MIN:
        middle = (start + end) // 2
        before, after = text[:middle].strip(), text[middle:].strip()
        yield Case(label="secret", group=group, text=after, disguise="split in the value", previous=(before,))


def secret_cases(row: dict[str, str], half: str) -> Iterator[Case]:
    group, template = row["class"], row["text"]
    for copy in range(PLAIN_COPIES):
        rng = random.Random(f"{half}|{group}|{template}|{copy}")
        text, values = fill(template, half, rng)
        yield Case(label="secret", group=group, text=text, values=values)
    for name, disguise in DISGUISES.items():
        rng = random.Random(f"{half}|{group}|{template}|{name}")
        text, values = fill(template, half, rng)
        hidden = disguise(text, values, rng)
        if hidden != text:
            yield Case(label="secret", group=group, text=hidden, disguise=name)
    text, values = fill(template, half, random.Random(f"{half}|{group}|{template}|split"))
    yield from split_cases(group, text, values)


def cases(half: str) -> Iterator[Case]:
    """All cases of a half: plain secrets, disguised ones, and ordinary sentences with the two before them."""
    said: list[str] = []
    for row in rows(half):
        if row["label"] == "secret":
            yield from secret_cases(row, half)
        else:
            yield Case(label="ordinary", group=row["topic"], text=row["text"], previous=tuple(said[-2:]))
            said.append(row["text"])
