"""Where a memory stands in its scope, and what is stored of it there that a change must know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellkept.store.encoding import strings_of
from wellkept.types import Edge
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, State

if TYPE_CHECKING:
    from wellkept.store.driver import Row
    from wellkept.types import Memory


@frozen
class Place:
    """Where a memory stands, and what is stored of it now."""

    scope: int
    num: int
    version: int = 0
    is_searchable: bool = False
    words: int = 0
    embedded_model: str = ""
    subjects: tuple[str, ...] = ()
    stated_by: str | None = None
    learned_in: str | None = None
    refs: tuple[str, ...] = ()


def is_searchable(state: str, archive_reason: str | None) -> bool:
    """Has it entries in the index? What may be asked for `as_of` an earlier day keeps them."""
    return state in (State.ACTIVE, State.SUPERSEDED) or archive_reason == "superseded"


def place_from(row: Row) -> Place:
    """The place that a row of `memory_places` tells of."""
    scope, num, version, state, archive_reason, words, model, subjects, stated_by, learned_in, refs = row
    return Place(
        scope=scope,
        num=num,
        version=version,
        is_searchable=is_searchable(state, archive_reason),
        words=words,
        embedded_model=model,
        subjects=strings_of(subjects),
        stated_by=stated_by,
        learned_in=learned_in,
        refs=strings_of(refs),
    )


def own_edges(memory_id: str, said: Memory | Place) -> list[Edge]:
    """The edges that follow from the memory itself."""
    subjects = said.subjects if isinstance(said, Place) else said.subject_person_ids
    edges = [Edge(kind=EdgeKind.ABOUT, src=memory_id, dst=person) for person in subjects]
    if said.stated_by is not None:
        edges.append(Edge(kind=EdgeKind.STATED_BY, src=memory_id, dst=said.stated_by))
    if said.learned_in is not None:
        edges.append(Edge(kind=EdgeKind.LEARNED_IN, src=memory_id, dst=said.learned_in))
    return edges
