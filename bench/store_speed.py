"""How fast the store answers: 100,000 memories, 5,000 of them visible, beside a NumPy product over the same rows.

    python bench/store_speed.py [--memories 100000] [--visible 5000] [--queries 300]

Texts and vectors are drawn from a seed. The embedder is not part of it: query vectors are drawn too.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wellkept.policies.visibility import View
from wellkept.policies.words import query_terms, term_counts
from wellkept.store.contract import Change, Entry, Listing, Search
from wellkept.store.opening import open_store
from wellkept.types import Memory
from wellkept.vocabulary import Kind, Space

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from wellkept.store.contract import Store

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
MODEL = "drawn@1"
DIMENSIONS = 384
BATCH = 500
VOCABULARY = 8_000


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """Texts and vectors from one seed. Words follow Zipf, as words do."""

    random: np.random.Generator
    words: tuple[str, ...]
    bounds: NDArray[np.float64]
    """Where the share of each word ends."""

    @classmethod
    def seeded(cls, seed: int) -> Drawn:
        random = np.random.default_rng(seed)
        syllables = [first + second for first in "bdfgklmnprstv" for second in "aeiou"]
        words = tuple("".join(random.choice(syllables, size=random.integers(2, 5))) for _ in range(VOCABULARY))
        bounds = np.cumsum(1.0 / np.arange(3, VOCABULARY + 3))
        return cls(random=random, words=words, bounds=bounds / bounds[-1])

    def text(self, length: int) -> str:
        return " ".join(self.words[place] for place in np.searchsorted(self.bounds, self.random.random(length)))

    def vectors(self, count: int) -> NDArray[np.float32]:
        rows = self.random.standard_normal((count, DIMENSIONS)).astype(np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def fill(store: Store, owner: str, count: int, drawn: Drawn) -> None:
    """One owner's memories, each about its owner, in transactions of `BATCH`."""
    person = f"p_{owner}"
    for start in range(0, count, BATCH):
        size = min(BATCH, count - start)
        vectors = drawn.vectors(size)
        with store.transaction():
            changes = [change(store, owner, person, drawn.text(12), vectors[number]) for number in range(size)]
            store.apply(changes, at=NOW)


def change(store: Store, owner: str, person: str, text: str, vector: NDArray[np.float32]) -> Change:
    memory_id = store.next_id("default", Space.USER, owner, Kind.SEMANTIC)
    memory = Memory(
        id=memory_id,
        tenant="default",
        content=text,
        space=Space.USER,
        owner=owner,
        subject_person_ids=(person,),
        stated_by=person,
        learned_in=f"dm-{owner}",
        learned_in_type="private",
        memory_key="profile|person|user|fact",
        discriminator=memory_id,
        created_at=NOW - timedelta(minutes=len(text)),
        observed_at=NOW,
        updated_at=NOW,
    )
    entry = Entry(op="create", memory_id=memory_id, version=1, actor=owner)
    terms, rows = term_counts(text), vector[None, :]
    return Change(memory=memory, entry=entry, is_new=True, terms=terms, vectors=rows, model=MODEL)


def view(owner: str) -> View:
    person = frozenset({f"p_{owner}"})
    return View(
        tenant="default",
        now=NOW,
        user=owner,
        person=f"p_{owner}",
        chat=f"dm-{owner}",
        present=person,
        partners=person,
        spaces=((Space.USER, owner), (Space.CHAT, f"dm-{owner}")),
    )


def milliseconds(work: Callable[[int], object], times: int) -> tuple[float, float]:
    """p50 and p95."""
    taken = []
    for number in range(times):
        start = time.perf_counter()
        work(number)
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken), statistics.quantiles(taken, n=20)[-1]


def measure(store: Store, drawn: Drawn, queries: int) -> dict[str, tuple[float, float]]:
    asking = view("user0")
    vectors = drawn.vectors(queries)
    terms = [tuple(query_terms(drawn.text(6))) for _ in range(queries)]
    full = [Search(view=asking, vector=vectors[n], model=MODEL, terms=terms[n]) for n in range(queries)]
    by_vector = [Search(view=asking, vector=vectors[n], model=MODEL) for n in range(queries)]
    by_words = [Search(view=asking, terms=terms[n]) for n in range(queries)]
    figures = {"first candidates() of the process": milliseconds_once(lambda: store.candidates(full[0]))}
    figures["candidates(), both arms"] = milliseconds(lambda n: store.candidates(full[n]), queries)
    figures["candidates(), vector arm"] = milliseconds(lambda n: store.candidates(by_vector[n]), queries)
    figures["candidates(), words arm"] = milliseconds(lambda n: store.candidates(by_words[n]), queries)
    figures |= vector_part(store, by_vector)
    person = "p_user0"

    def write(number: int) -> None:
        store.apply([change(store, "user0", person, drawn.text(12), vectors[number % queries])], at=NOW)

    figures["write, durable"] = milliseconds(write, 50)

    def after_write(number: int) -> float:
        write(number)
        start = time.perf_counter()
        store.candidates(full[number % queries])
        return (time.perf_counter() - start) * 1000

    taken = [after_write(number) for number in range(50)]
    figures["candidates(), right after a write"] = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
    figures["near()"] = milliseconds(lambda n: store.candidates(by_vector[n], within=(Space.USER, "user0")), queries)
    figures["seen(), first page"] = milliseconds(lambda _: store.seen(asking, Listing(limit=20)), 20)
    return figures


def milliseconds_once(work: Callable[[], object]) -> tuple[float, float]:
    start = time.perf_counter()
    work()
    taken = (time.perf_counter() - start) * 1000
    return taken, taken


def vector_part(store: Store, searches: list[Search]) -> dict[str, tuple[float, float]]:
    """Scoring alone, and the same rows as one NumPy product with the same number taken."""
    arms = store._arms  # type: ignore[attr-defined]  # noqa: SLF001 -- a part is measured
    sight = arms.sights.sight(store._parameters(searches[0].view))  # type: ignore[attr-defined]  # noqa: SLF001 -- one arm alone is measured
    _, rows = arms.matrices.some("default", MODEL, sight.places)

    def product(number: int) -> object:
        scores = rows @ searches[number].vector
        chosen = np.argpartition(scores, -50)[-50:]
        return chosen[np.argsort(-scores[chosen])]

    count = len(searches)
    return {
        "vector part": milliseconds(lambda n: arms._vectors("default", sight, searches[n]), count),  # noqa: SLF001 -- one arm alone is measured
        f"NumPy product, {len(rows)} rows, top 50": milliseconds(product, count),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--visible", type=int, default=5_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--path", type=Path, help="keep the store here, and use the one that is there")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    drawn = Drawn.seeded(7)
    with tempfile.TemporaryDirectory() as folder:
        path = given.path or Path(folder) / "memory.db"
        is_new = not path.exists()
        store = open_store(path)
        start = time.perf_counter()
        for number in range(-(-given.memories // given.visible) if is_new else 0):
            fill(store, f"user{number}", given.visible, drawn)
        filled = time.perf_counter() - start
        figures = measure(store, drawn, given.queries)
        store.close()
        size = path.stat().st_size / 2**20
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ratio = figures["vector part"][0] / next(both[0] for name, both in figures.items() if name.startswith("NumPy"))
    if given.json:
        json.dump({"milliseconds": figures, "ratio": ratio, "file_mib": size, "peak_mib": peak}, sys.stdout)
        return
    if is_new:
        print(f"{given.memories} memories written in {filled:.0f} s, {given.memories / filled:.0f} a second")
    print(f"file {size:.0f} MiB, peak memory {peak:.0f} MiB\n\n{'':44}{'p50 ms':>9}{'p95 ms':>9}")
    for name, (middle, high) in figures.items():
        print(f"{name:44}{middle:9.2f}{high:9.2f}")
    print(f"\nvector part / NumPy product: {ratio:.2f}")


if __name__ == "__main__":
    main()
