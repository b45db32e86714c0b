"""Consolidation on a labelled store: how many true duplicates are joined, and whether anything is joined wrongly.

Run it as `wellkept bench consolidation [--facts 2000] [--copies 600] [--seed 1]`. Half of the copies say a fact
again in other words, half differ in one thing that matters: a number, a name, a day, a negation. The store is filled
while there is no embedder, so that nothing is joined at once; the vectors come afterwards, as they do after an outage.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import wellkept
from wellkept.config import Config
from wellkept.flows.upkeep import consolidate as flow
from wellkept.flows.upkeep.schedule import Sweep
from wellkept.judges.english import RulesJudge
from wellkept.store.contract import Unexpired
from wellkept.vocabulary import Space

MERGED_MIN = {"rules": 0.60, "scripted": 0.95}
A_USER = 50

PEOPLE = (
    "Chidi", "Ingrid", "Mateus", "Yuki", "Farida", "Oluwaseun", "Siobhan", "Ravi", "Katarzyna", "Tane", "Leila",
    "Bjorn", "Xiomara", "Dmitri", "Amina", "Hiroshi", "Noor", "Santiago", "Anneliese", "Kwame",
)  # fmt: skip
WORDS = {
    "food": ("peanuts", "shellfish", "gluten", "kiwi", "sesame", "celery", "mustard", "soy"),
    "org": ("Nokia", "Maersk", "Tata", "Embraer", "Ubisoft", "Siemens", "Safaricom", "Vestas"),
    "pet": ("parrot", "tortoise", "ferret", "rabbit", "hamster", "gecko"),
    "name": ("Kiwi", "Mango", "Bruno", "Luna", "Pepper", "Sushi", "Odin", "Paprika"),
    "day": ("Monday", "Tuesday", "Wednesday", "Thursday", "Saturday", "Sunday"),
    "instrument": ("cello", "oud", "accordion", "flute", "banjo", "harp", "trombone"),
    "colour": ("green", "yellow", "purple", "white", "brown", "orange"),
    "thing": ("bicycle", "tent", "kettle", "typewriter", "canoe", "telescope", "sofa"),
    "city": ("Porto", "Lagos", "Osaka", "Lima", "Tampere", "Izmir", "Kigali", "Bergen"),
    "animal": ("spiders", "snakes", "wasps", "bats", "geese", "moths"),
    "count": ("12", "15", "18", "21", "24", "30", "36"),
    "field": ("botany", "law", "acoustics", "geology", "statistics", "theology"),
    "object": ("stamps", "maps", "coins", "postcards", "clocks", "radios"),
    "dish": ("pierogi", "jollof rice", "ramen", "moussaka", "ceviche", "biryani"),
}
# A fact, the same in other words, and what must stay apart from it.
FAMILIES = (
    ("{p} is allergic to {food}", "{p} has an allergy to {food}", "{p} is allergic to {food2}"),
    ("{p} works for {org}", "{p} is employed at {org}", "{p} used to work for {org}"),
    ("{p} has a {pet} named {name}", "{p}'s {pet} is called {name}", "{p} has a {pet} named {name2}"),
    (
        "{p} plays the {instrument} on {day}s",
        "On {day}s {p} plays the {instrument}",
        "{p} plays the {instrument} on {day2}s",
    ),
    ("{p} bought a {colour} {thing}", "{p} purchased a {colour} {thing}", "{p} bought a {colour2} {thing}"),
    ("{p} is afraid of {animal}", "{p} fears {animal}", "{p} is not afraid of {animal}"),
    (
        "{p} runs {count} kilometres every week",
        "Every week {p} runs {count} kilometres",
        "{p} runs {count2} kilometres every week",
    ),
    ("{p} studied {field} in {city}", "In {city} {p} studied {field}", "{p} studied {field} in {city2}"),
    ("{p} collects old {object}", "{p} is collecting old {object}", "{p} collects new {object}"),
    ("{p} cooks {dish} for the family", "{p} prepares {dish} for the family", "{p} cooks {dish2} for the family"),
    ("{p} lent the {thing} to {q}", "The {thing} was lent to {q} by {p}", "{q} lent the {thing} to {p}"),
    ("{p} waters the plants on {day}s", "{p} waters the plants every {day}", "{p} waters the plants on {day2}s"),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Line:
    """One text of the store: whose it is, and which fact it says."""

    user: str
    text: str
    fact: int


class Scripted(RulesJudge):
    """A judge that knows the labels, as a model that is always right would answer."""

    def __init__(self, facts: dict[tuple[str, str], int]) -> None:
        super().__init__()
        self._facts = facts

    def compare(self, new, old):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201 -- as in Judge
        same = self._facts.get((old.owner, new.content)) == self._facts.get((old.owner, old.content))
        return "same" if same else "different"


def lines(facts: int, copies: int, chance: random.Random) -> list[Line]:
    """Facts of several users, then copies and near copies of some, in a random order."""
    made: list[Line] = []
    takes: list[tuple[str, str, str, int]] = []
    seen: set[tuple[str, str]] = set()
    while len(made) < facts:
        user = f"user{len(made) // A_USER}"
        fact, again, other = (
            text.format(**fillers) for fillers in [_fillers(chance)] for text in chance.choice(FAMILIES)
        )
        if (user, fact) in seen or (user, other) in seen:
            continue
        seen |= {(user, fact), (user, other)}
        takes.append((user, again, other, len(made)))
        made.append(Line(user=user, text=fact, fact=len(made)))
    number = len(made)
    for place, (user, again, other, fact) in enumerate(chance.sample(takes, copies)):
        is_same = place % 2 == 0
        made.append(Line(user=user, text=again if is_same else other, fact=fact if is_same else number))
        number += not is_same
    return made


def _fillers(chance: random.Random) -> dict[str, str]:
    first, second = chance.sample(PEOPLE, 2)
    found = {"p": first, "q": second}
    for name, words in WORDS.items():
        found[name], found[f"{name}2"] = chance.sample(words, 2)
    return found


@dataclass(frozen=True, kw_only=True)
class Result:
    """What one judge made of the store."""

    judge: str
    duplicates: int
    merged: int
    wrong: int
    superseded: int
    report: flow.Consolidated
    again: flow.Consolidated
    """A second run, an hour later."""


def measure(told: list[Line], name: str, folder: Path) -> Result:
    """Fill, embed, consolidate twice, and look who went where."""
    now = datetime(2026, 3, 2, 9, tzinfo=UTC)
    moments = iter([now + timedelta(seconds=second) for second in range(len(told) * 40)])
    labels = {(line.user, line.text): line.fact for line in told}
    judge = Scripted(labels) if name == "scripted" else None
    path = folder / f"{name}.db"
    with wellkept.open(path, config=Config(), clock=lambda: next(moments), embedder="none", worker="off") as memory:
        for line in told:
            memory.at(user=line.user).add(line.text)
    later = now + timedelta(hours=8)
    with wellkept.open(path, config=Config(), clock=lambda: later, judge=judge, worker="off") as memory:
        memory.upkeep.embed()
        # What fills one slot was joined when it was told; what is left is consolidation's.
        alive = Counter(
            labels[user, one.content] for user in {line.user for line in told} for one in _living(memory, user)
        )
        report = memory.upkeep.consolidate()
        again = flow.consolidate(Sweep("default", memory.engine))
        rows = [row for line in {one.user for one in told} for row in _rows(memory, line)]
    gone = [(old, new) for old, new, reason in rows if reason == "merged"]
    wrong = sum(labels.get(old) != labels.get(new) for old, new in gone)
    duplicates = sum(count - 1 for count in alive.values())
    return Result(
        judge=name, duplicates=duplicates, merged=len(gone) - wrong, wrong=wrong,
        superseded=report.superseded, report=report, again=again,
    )  # fmt: skip


def _living(memory: wellkept.Memory, user: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 -- memories, or rows of them
    return memory.engine.store.memories(
        Unexpired(scope=("default", Space.USER, user), now=memory.engine.clock(), more_than=0)
    )


def _rows(memory: wellkept.Memory, user: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 -- memories, or rows of them
    """(text that went, text it went into, why) of one user's memories."""
    store = memory.engine.store
    for row in store.chain("default", Space.USER, user, until=10**9):
        into = row.entry.payload.get("into")
        if row.entry.op == "merge" and row.entry.reason == "merged" and into:
            first = {one: store.versions("default", one)[0].content for one in (row.entry.memory_id, into)}
            yield (user, first[row.entry.memory_id]), (user, first[into]), "merged"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--facts", type=int, default=2_000)
    parser.add_argument("--copies", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    told = lines(arguments.facts, arguments.copies, random.Random(arguments.seed))
    print(f"{arguments.facts} facts of {arguments.facts // A_USER} users, {arguments.copies} copies and near copies\n")
    print("judge      duplicates   joined   share  wrong  retired  pairs  again  tokens")
    is_good = True
    with tempfile.TemporaryDirectory(prefix="wellkept-bench-") as folder:
        for name, least in MERGED_MIN.items():
            result = measure(told, name, Path(folder))
            share = result.merged / max(result.duplicates, 1)
            print(
                f"{name:10} {result.duplicates:10} {result.merged:8} {share:7.3f} {result.wrong:6} "
                f"{result.superseded:8} {result.report.pairs:6} {result.again.pairs:6} {result.report.tokens:7}"
            )
            is_good = is_good and share >= least and result.wrong == 0
    print("\nwithin the limits" if is_good else "\nOUTSIDE THE LIMITS")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
