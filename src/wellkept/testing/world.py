"""A small world for the conformance suite: memories and views made in a line, vectors that mean something."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from wellkept.policies.visibility import View
from wellkept.policies.words import query_terms, term_counts
from wellkept.store.contract import Change, Entry, Search, Store
from wellkept.store.opening import SqlStore
from wellkept.types import Memory, Person
from wellkept.vocabulary import Kind, Space, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
MODEL = "bag@1"
DIMENSIONS = 256
ALICE, BOB, CAROL = "p_alice", "p_bob", "p_carol"


def vector(text: str) -> NDArray[np.float32]:
    """A direction for each word, added up: texts that share words are near each other."""
    total = np.zeros(DIMENSIONS, dtype=np.float32)
    for term, count in term_counts(text).items():
        digest = hashlib.shake_256(term.encode("utf-8", "surrogatepass")).digest(DIMENSIONS)
        total += count * (np.frombuffer(digest, dtype=np.uint8).astype(np.float32) - 127.5)
    length = float(np.linalg.norm(total))
    return total / length if length else total


@contextmanager
def raises(kind: type[Exception]) -> Iterator[list[Exception]]:
    """The block must raise this; the list holds what was raised."""
    caught: list[Exception] = []
    try:
        yield caught
    except kind as error:
        caught.append(error)
    assert caught, f"{kind.__name__} was not raised"


class World:
    """A store and short ways to write to it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.told = 0

    def draft(self, text: str = "Alice likes tea.", **fields: Any) -> Memory:  # noqa: ANN401 -- fields of Memory
        """A memory that is not stored yet, with the next id of its scope; its key is its own unless given."""
        self.told += 1
        space, owner = fields.pop("scope", (Space.USER, "alice"))
        kind = fields.get("kind", Kind.SEMANTIC)
        tenant = fields.pop("tenant", "t")
        defaults: dict[str, Any] = {
            "memory_key": "profile|person|alice|fact",
            "discriminator": str(self.told),
            "created_at": NOW,
            "observed_at": NOW,
            "updated_at": NOW,
        }
        memory_id = fields.pop("id", None) or self.store.next_id(tenant, space, owner, kind)
        return Memory(id=memory_id, tenant=tenant, content=text, space=space, owner=owner, **defaults | fields)

    def change(self, memory: Memory, op: Any = "create", **fields: Any) -> Change:  # noqa: ANN401 -- fields of Change
        """A change with its entry; a new memory brings its words and its vector."""
        entry = Entry(op=op, memory_id=memory.id, version=memory.version, actor="alice")
        defaults: dict[str, Any] = {"memory": memory, "entry": entry}
        if fields.get("is_new") or fields.get("is_text_changed"):
            text = f"{memory.content} {memory.quote or ''}"
            defaults |= {"terms": term_counts(text), "vectors": vector(memory.content)[None, :], "model": MODEL}
        return Change(**defaults | fields)

    def tell(self, text: str = "Alice likes tea.", *, edges: Any = (), **fields: Any) -> Memory:  # noqa: ANN401 -- fields of the record
        """Store a new memory."""
        memory = self.draft(text, **fields)
        self.store.apply([self.change(memory, is_new=True, edges=edges)], at=NOW)
        return memory

    def amend(self, memory: Memory, op: Any = "update", **fields: Any) -> Memory:  # noqa: ANN401 -- fields of Memory
        """Store a change of fields other than the text."""
        changed = replace(memory, version=memory.version + 1, **fields)
        self.store.apply([self.change(changed, op)], at=NOW)
        return changed

    def reword(self, memory: Memory, text: str) -> Memory:
        """Store another text."""
        changed = replace(memory, version=memory.version + 1, content=text)
        self.store.apply([self.change(changed, "update", is_text_changed=True)], at=NOW)
        return changed

    def archive(self, memory: Memory, reason: str = "user_deleted") -> Memory:
        """Take a memory out of the living."""
        return self.amend(memory, "delete", state=State.ARCHIVED, archive_reason=reason)

    def person(self, person_id: str, name: str | None = None, **fields: Any) -> Person:  # noqa: ANN401 -- fields of the record
        """Store a person."""
        person = Person(id=person_id, tenant="t", name=name, **{"created_at": NOW} | fields)
        self.store.keep(person)
        return person


class Checks:
    """A part of the suite: each check has an empty store of its own, and short ways to write to it."""

    world: World

    def setup_method(self) -> None:
        """Before each check."""
        self.world = World(self.make_store())

    def teardown_method(self) -> None:
        """After each check."""
        self.store.close()

    @property
    def store(self) -> Store:
        """The store under test."""
        return self.world.store

    def make_store(self) -> Store:
        """An empty store, another one each time."""
        raise NotImplementedError

    def open_again(self, store: Store) -> Store:
        """Another handle on the same data, as another process would have."""
        raise NotImplementedError

    def tamper(self, store: Store, statement: str) -> None:
        """Change the database behind the store's back. Tables have the same names in every SQL store of ours."""
        assert isinstance(store, SqlStore), "give `tamper` a way of this store's own"
        store._db.driver.run(statement, {})  # noqa: SLF001 -- behind the store's back is the point


def view(**fields: Any) -> View:  # noqa: ANN401 -- fields of View
    """Alice alone with the assistant, unless told otherwise."""
    defaults: dict[str, Any] = {
        "tenant": "t",
        "now": NOW,
        "user": "alice",
        "person": ALICE,
        "present": frozenset({ALICE}),
        "partners": frozenset({ALICE}),
        "spaces": ((Space.USER, "alice"),),
    }
    return View(**defaults | fields)


def search(text: str, **fields: Any) -> Search:  # noqa: ANN401 -- fields of Search and View
    """Look for a text by vector and by words."""
    own = {name: fields.pop(name) for name in ("filter", "limit", "vector", "model", "terms") if name in fields}
    defaults: dict[str, Any] = {"vector": vector(text), "model": MODEL, "terms": tuple(query_terms(text))}
    return Search(view=view(**fields), **defaults | own)
