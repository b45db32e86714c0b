"""Every way to read memories, each as a function that gives the ids it showed of a world of cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from tests.privacy.world import HUB, PERSONS, World
from wellkept.api import Viewpoint
from wellkept.errors import MemoryNotFound, PersonNotFound
from wellkept.flows.read import show
from wellkept.policies.visibility import View
from wellkept.store.contract import Filter, Listing, Search, Store

ALL = 1_000_000
_CELL = re.compile(r"Cell(\d+)x")
StoreReader = Callable[[World, Store, View], set[str]]


def seen(_world: World, store: Store, view: View) -> set[str]:
    return {memory.id for memory in store.seen(view, Listing(limit=ALL))}


def candidates(_world: World, store: Store, view: View) -> set[str]:
    """Every cell has the word "of"."""
    return {found.memory.id for found in store.candidates(Search(view=view, terms=("of",), limit=ALL))}


def linked(_world: World, store: Store, view: View) -> set[str]:
    return {memory.id for _, memory, _ in store.linked(view, [HUB], limit=ALL)}


def with_refs(world: World, store: Store, view: View) -> set[str]:
    refs = [f"project:{word}" for word, _ in world.batches()]
    return {memory.id for memory in store.seen(view, Listing(refs=tuple(refs), importance_min=0.0, limit=ALL))}


def about(world: World, store: Store, view: View) -> set[str]:
    """Those about somebody; those about nobody cannot be found by person and are taken from the list."""
    found = {
        memory.id
        for memory in store.seen(view, Listing(filter=Filter(about=frozenset(list(PERSONS.values()))), limit=ALL))
    }
    nobodys = {name for name, cell in world.ids.items() if not cell.subjects}
    assert not found & nobodys
    return found | (seen(world, store, view) & nobodys)


STORE_READERS: Mapping[str, StoreReader] = {
    "seen": seen,
    "candidates": candidates,
    "linked": linked,
    "with_refs": with_refs,
    "about": about,
}


def listed(at: Viewpoint) -> Iterator[str]:
    """The whole list, page by page."""
    page = at.list(limit=1_000)
    while page:
        yield from (memory.id for memory in page)
        page = at.list(limit=1_000, before=page[-1].id)


def recalled(at: Viewpoint, word: str) -> set[str]:
    return {hit.id for hit in at.recall(word, limit=1_000, threshold=0.0)}


def in_context(at: Viewpoint, word: str, numbers: Mapping[int, str]) -> set[str]:
    """The ids of the cells whose text stands in a block: as relevant, as related, or on a card."""
    return {numbers[int(number)] for number in _CELL.findall(str(at.context(word, budget_tokens=100_000)))}


def in_chat(at: Viewpoint, word: str, numbers: Mapping[int, str]) -> set[str]:
    reply = at.chat(f"What do you know about {word}?")
    return {numbers[int(number)] for number in _CELL.findall(reply.text)} | set(reply.memory_ids)


def beside(at: Viewpoint, word: str, numbers: Mapping[int, str]) -> set[str]:
    """What recall tells beside its hits: related texts and entity cards."""
    found = at.recall(word, limit=1, threshold=0.0)
    texts = [*(text for hit in found for text in hit.related), *(fact for card in found.cards for fact in card.facts)]
    return {numbers[int(number)] for text in texts for number in _CELL.findall(text)}


def by_id(at: Viewpoint, ids: Sequence[str]) -> set[str]:
    """The ids whose history, text and reasons are told; all others must be `not_found` in the same words."""
    told, errors = set(), set()
    for name in ids:
        try:
            found = {at.history(name).memory.id, at.show(name).memory.id, at.why(name).id}
        except MemoryNotFound as error:
            errors.add((error.code, str(error)))
        else:
            assert found == {name}
            told.add(name)
    assert len(errors) <= 1
    return told


@contextmanager
def _without_limit() -> Iterator[None]:
    """The whole world is about a few people, and what is shown of a person has no pages."""
    before, show.LIMIT_MAX = show.LIMIT_MAX, ALL
    try:
        yield
    finally:
        show.LIMIT_MAX = before


def by_person(world: World, at: Viewpoint) -> set[str]:
    """What is told of each person that the asker can name; what is about nobody is taken from the list."""
    found: set[str] = set()
    for role, person_id in PERSONS.items():
        try:
            with _without_limit():
                told = {shown.memory.id for shown in at.person(person_id, limit=ALL).memories}
        except PersonNotFound:
            continue  # an id is no right to know: of whom one does not know nothing is told either
        assert all(role in world.ids[name].subjects for name in told)
        found |= told
    return found | {name for name in listed(at) if name != HUB and not world.ids[name].subjects}
