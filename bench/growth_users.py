"""Growth with other people: one user's recall while the store fills with others, and one chat of many against few.

`python bench/growth_users.py`. Vectors are seeded and synthetic, rows are loaded in bulk through the store; what is
timed is `recall` as a program calls it, its query embedding included (a table look-up here).
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from worlds import START, question

import wellkept
from wellkept.api import Memory as App
from wellkept.api import Viewpoint
from wellkept.config import Config, MemoryTable
from wellkept.policies.words import term_counts
from wellkept.store.contract import Attendance, Change, Entry, Store, UserLink
from wellkept.types import Memory, Person
from wellkept.vocabulary import Sensitivity, Space, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIMENSIONS = 384
OWN = 5_000
OTHERS_EACH = 100
TRAVELLING = 1_000
"""Of the rows that a chat sees, how many the members keep about themselves and others may hear."""
BATCH = 2_000
WORDS = tuple(f"word{number}" for number in range(4_000))
RATIO_MAX = 1.2
WARM_UP = 10


class SeededVectors:
    """An embedder that costs nothing: any text has a direction drawn from its own hash."""

    model_id = "bench-seeded"
    weights_hash = "1" * 64
    dimensions = DIMENSIONS

    def pieces(self, text: str) -> list[str]:
        return [text]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return unit(np.random.default_rng([len(text) + sum(map(ord, text)) for text in texts]), len(texts))

    def calibrate(self, cosine: float) -> float:
        return min(max(cosine, 0.0), 1.0)


def unit(chance: np.random.Generator, rows: int) -> NDArray[np.float32]:
    vectors = chance.standard_normal((rows, DIMENSIONS), dtype=np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


MODEL = f"{SeededVectors.model_id}@{SeededVectors.weights_hash[:8]}"


@dataclass(frozen=True, kw_only=True)
class Load:
    """Memories of one scope, to be written in bulk."""

    space: Space
    owner: str
    count: int
    speaker: str
    learned_in: str
    seed: int
    is_open: bool = False


# Why a memory of somebody else about somebody present is not shown, in turn.
HIDDEN: tuple[Mapping[str, Any], ...] = (
    {"sensitivity": Sensitivity.PERSONAL},
    {"sensitivity": Sensitivity.SENSITIVE},
    {"confidential": True},
    {"portable": False},
    {"persona_id": "coach"},
    {"state": State.SUPERSEDED},
)


def fill(store: Store, load: Load) -> None:
    """Sentences of the same words for everybody; all about their speaker, and hidden from others unless open."""
    chance, numbers = random.Random(load.seed), np.random.default_rng(load.seed)
    for start in range(0, load.count, BATCH):
        count = min(BATCH, load.count - start)
        vectors = unit(numbers, count)
        changes = []
        for row in range(count):
            content = f"{' '.join(chance.choices(WORDS, k=9))} live work color {start + row}"
            memory = Memory(
                id=store.next_id("default", load.space, load.owner, "semantic"),
                tenant="default",
                content=content,
                space=load.space,
                owner=load.owner,
                subject_person_ids=(f"p_{load.speaker}",) if load.space is Space.USER else (),
                stated_by=f"p_{load.speaker}",
                learned_in=load.learned_in,
                learned_in_type="group" if load.space is Space.CHAT else "private",
                memory_key="profile|person|self|fact",
                discriminator=f"{load.seed}-{start + row}",
                created_at=START,
                observed_at=START,
                updated_at=START,
            )
            if not load.is_open:
                memory = replace(memory, **HIDDEN[(start + row) % len(HIDDEN)])
            entry = Entry(op="create", memory_id=memory.id, version=1, category=memory.category)
            changes.append(
                Change(
                    memory=memory,
                    entry=entry,
                    is_new=True,
                    terms=term_counts(content),
                    vectors=vectors[row : row + 1],
                    model=MODEL,
                )
            )
        store.apply(changes, at=START)


def join(store: Store, user: str, chats: dict[str, str]) -> None:
    store.keep(Person(id=f"p_{user}", tenant="default", name=user.title(), created_by=user, created_at=START))
    store.keep(UserLink(tenant="default", user=user, person_id=f"p_{user}", username=user))
    for chat, kind in chats.items():
        store.keep(Attendance(tenant="default", chat=chat, chat_type=kind, person_ids=(f"p_{user}",), at=START))  # type: ignore[arg-type]  # private or group


def opened(path: Path) -> App:
    config = Config(memory=MemoryTable(auto_gc=False))
    embedder: Any = SeededVectors()
    return wellkept.open(path, config=config, clock=lambda: START, embedder=embedder)


def interleaved(places: Sequence[Viewpoint], queries: int) -> list[list[float]]:
    """Milliseconds of recalls at each place, query by query in turn, so that a busy machine is busy for all alike."""
    chance = random.Random(5)
    asked = [_asked(number, chance) for number in range(queries + WARM_UP)]
    times: list[list[float]] = [[] for _ in places]
    for text in asked:
        for place, taken in zip(places, times, strict=True):
            began = time.perf_counter()
            place.recall(text)
            taken.append((time.perf_counter() - began) * 1_000)
    return [taken[WARM_UP:] for taken in times]


def _asked(number: int, chance: random.Random) -> str:
    """A question of all kinds; every third one names a member of the chat."""
    words = " ".join(chance.choices(WORDS, k=3))
    if number % 3:
        return f"{question(chance)} {words}"
    return f"{chance.choice(('Where does {} live?', 'What do you know about {}?', '{} likes')).format('User2')} {words}"


def among(path: Path, others: int) -> App:
    """One user with many memories, among others who share no chat with them."""
    app = opened(path)
    store = app.engine.store
    with store.transaction():
        join(store, "ada", {"dm-ada": "private"})
        fill(store, replace(private("ada", OWN, seed=1), is_open=True))
    for number in range(others):
        name = f"user{number}"
        with store.transaction():
            join(store, name, {f"dm-{name}": "private"})
            fill(store, private(name, OTHERS_EACH, seed=100 + number))
    return app


def crowd(path: Path, members: int, own: int) -> App:
    """A group with memories of its own, whose members each keep private ones, and a few that may be told."""
    app = opened(path)
    store = app.engine.store
    names = [f"user{number}" for number in range(members)]
    with store.transaction():
        for name in names:
            join(store, name, {f"dm-{name}": "private", "hall": "group"})
        hall = Load(
            space=Space.CHAT,
            owner="hall",
            count=OWN - TRAVELLING,
            speaker="user0",
            learned_in="hall",
            seed=2,
            is_open=True,
        )
        fill(store, hall)
    shares = [len(range(number, TRAVELLING, members - 1)) for number in range(members - 1)]
    for number, (name, share) in enumerate(zip(names[1:], shares, strict=True)):
        with store.transaction():
            fill(store, private(name, own, seed=9_000 + number))
            fill(store, replace(private(name, share, seed=20_000 + number), is_open=True))
    return app


def private(name: str, count: int, *, seed: int) -> Load:
    return Load(space=Space.USER, owner=name, count=count, speaker=name, learned_in=f"dm-{name}", seed=seed)


def hall(app: App, members: int) -> Viewpoint:
    others = [f"user{number}" for number in range(1, members)]
    return app.at(user="user0", chat="hall", chat_type="group", participants=others)


def percentiles(times: Sequence[float]) -> tuple[float, float]:
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


def growth(folder: Path, sizes: Sequence[int], queries: int) -> float:
    """Prints p50 and p95 for each number of others; the ratio of p50 between the last and the first."""
    apps = [among(folder / f"among{size}.db", size) for size in sizes]
    figures = [
        percentiles(times) for times in interleaved([app.at(user="ada", chat="dm-ada") for app in apps], queries)
    ]
    for app in apps:
        app.close()
    print(f"one user with {OWN} memories, others with {OTHERS_EACH} each; recall, ms")
    for size, (p50, p95) in zip(sizes, figures, strict=True):
        print(f"  {size:>5} others: p50 {p50:.2f}, p95 {p95:.2f}")
    ratio = figures[-1][0] / figures[0][0]
    print(f"  p50 from {sizes[0]} to {sizes[-1]} others: × {ratio:.2f} (at most {RATIO_MAX})")
    return ratio


def crowds(folder: Path, own: int, queries: int) -> float:
    """The same for a chat of few and of many at equal visible rows; the ratio of p95."""
    sizes = (5, 50)
    apps = [crowd(folder / f"crowd{size}.db", size, own) for size in sizes]
    places = [hall(app, size) for app, size in zip(apps, sizes, strict=True)]
    seen = [sum(place.stats().values()) for place in places]
    if seen != [OWN] * len(sizes):
        raise SystemExit(f"not a fair comparison: {seen} rows are visible")
    few, many = (percentiles(times) for times in interleaved(places, queries))
    for app in apps:
        app.close()
    print(f"one chat with {seen[0]} visible memories ({TRAVELLING} kept by the members), {own} hidden each; recall, ms")
    print(f"   5 members: p50 {few[0]:.2f}, p95 {few[1]:.2f}")
    print(f"  50 members: p50 {many[0]:.2f}, p95 {many[1]:.2f}; p95 × {many[1] / few[1]:.2f} (at most {RATIO_MAX})")
    return many[1] / few[1]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--queries", type=int, default=200)
    options.add_argument("--others", type=int, nargs="+", default=[10, 100, 1_000])
    options.add_argument("--own", type=int, default=5_000, help="private memories of each member of the chat")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        by_users = growth(Path(folder), chosen.others, chosen.queries)
        by_members = crowds(Path(folder), chosen.own, chosen.queries)
    if max(by_users, by_members) > RATIO_MAX:
        raise SystemExit("grows with other people")


if __name__ == "__main__":
    main()
