"""The whole privacy matrix: every cell on every read path, and every cell swapped once.

`python bench/matrix.py [--postgres]`. The table is tests/privacy/matrix.csv; the tests run the same reads over a part
of the cells where one read shows one cell only.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import stores
from tests.privacy import oracle, readers
from tests.privacy.world import HUB, World, build
from wellkept.store.opening import open_driver


def reads(world: World) -> dict[str, set[str]]:
    """Path → the ids it showed as shipped. A path that holds a few memories at a time is asked once for each batch."""
    app = world.open()
    at, view, store = world.at(app), world.view(app), app.engine.store
    shown = {name: reader(world, store, view) - {HUB} for name, reader in readers.STORE_READERS.items()}
    shown["list"] = set(readers.listed(at)) - {HUB}
    shown["recall"] = set().union(*(readers.recalled(at, word) for word, _ in world.batches()))
    shown["history, show, why, by id"] = readers.by_id(at, list(world.ids))
    shown["people"] = readers.by_person(world, at)
    app.close()
    return shown


def words(world: World) -> dict[str, set[str]]:
    """Paths that give a choice: all they tell must be visible, not all that is visible is told."""
    app = world.open()
    at = world.at(app)
    paths = {"context": readers.in_context, "chat": readers.in_chat, "cards, related": readers.beside}
    told = {
        name: set().union(*(path(at, word, world.numbers) for word, _ in world.batches())) - {HUB}
        for name, path in paths.items()
    }
    app.close()
    return told


def swaps(world: World, shown: set[str]) -> tuple[int, int]:
    """(cells swapped, swaps that the comparison found): each in the table's own characters."""
    swapped = found = 0
    for line in oracle.lines():
        if line["chat"] != world.chat:
            continue
        for level in oracle.LEVELS:
            for place in range(len(line[level])):
                cells = list(oracle.read([oracle.swapped(line, level, place)]))
                said = {world.id_of(cell) for cell in cells if cell.is_shown()}
                swapped += 1
                found += said != {world.id_of(cell) for cell in cells} & shown
    return swapped, found


def weigh(url: str) -> None:
    """The servers of benches do not count by themselves what was written in bulk."""
    driver = open_driver(url)
    driver.create_or_check()
    driver.weigh()
    driver.close()


def judged(world: World) -> Iterator[tuple[str, int]]:
    """What each path shows of a chat's cells, and how many of them are wrong."""
    for name, ids in reads(world).items():
        more, fewer = len(ids - world.shown()), len(world.shown() - ids)
        yield f"{name}: {len(ids)} of {len(world.ids)} shown; {more} too many, {fewer} missing", more + fewer
    for name, ids in words(world).items():
        more = len(ids - world.shown())
        yield f"{name}: {len(ids)} told; {more} too many", more
    for setting in oracle.SETTINGS:
        app = world.open(setting)
        view, store = world.view(app), app.engine.store
        for name, reader in readers.STORE_READERS.items():
            wrong = len((reader(world, store, view) - {HUB}) ^ world.shown(setting))
            yield f"{name}, {setting}: {wrong} wrong", wrong
        app.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--postgres", action="store_true")
    chosen = parser.parse_args()
    began, wrong = time.perf_counter(), 0
    print(f"cells: {sum(len(oracle.cells(chat)) for chat in oracle.CHATS)}, settings: {len(oracle.SETTINGS)}")
    with stores.places("postgres" if chosen.postgres else "sqlite") as places:
        for chat in oracle.CHATS:
            world = build(chat, places.new())
            weigh(world.url)
            for line, count in judged(world):
                print(f"  {chat}, {line}", flush=True)
                wrong += count
            app = world.open()
            swapped, found = swaps(world, set(readers.listed(world.at(app))) - {HUB})
            app.close()
            wrong += swapped - found
            print(f"  {chat}: {swapped} cells swapped one at a time, {found} found")
    print(f"{wrong} wrong, {time.perf_counter() - began:.0f} s")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
