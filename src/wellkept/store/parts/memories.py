"""Memories: row, version, words, vectors, edges and ledger in one transaction; and reads where no viewpoint asks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from wellkept.errors import DamagedRow, KeyTaken, MemoryNotFound, StoreError, VersionConflict
from wellkept.policies.context import event_of
from wellkept.policies.visibility import View, reach
from wellkept.policies.words import term_counts
from wellkept.store.contract import (
    ACTIVE_FOR,
    Change,
    Changes,
    Due,
    Entry,
    HeldKey,
    InSlot,
    Latest,
    MemoryQuery,
    Note,
    Reader,
    Retracted,
    SaidAbout,
    Taking,
    ThreadChange,
    Unembedded,
    Unexpired,
)
from wellkept.store.core import OpenScope, edge_columns, vector_rows, words_of
from wellkept.store.driver import UniqueClash
from wellkept.store.encoding import (
    Row,
    canonical,
    checksum,
    columns,
    columns_of,
    compact,
    from_json,
    json_list,
    memory_from,
    micros,
    moment,
    record_of,
    strings_of,
    summed,
)
from wellkept.store.parts.ledger import LedgerPart
from wellkept.store.search.views import ViewsPart
from wellkept.types import Edge, Memory, Version
from wellkept.values import frozen
from wellkept.vocabulary import EdgeKind, Kind, Sensitivity, Space, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    _Named = tuple[str, Space, str]
    """A scope by its tenant, space and owner."""


@frozen
class Place:
    """Where a memory stands, and what is stored of it now: a row of `memory_places`."""

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


def own_edges(memory_id: str, said: Memory | Place) -> list[Edge]:
    """The edges that follow from the memory itself."""
    subjects = said.subjects if isinstance(said, Place) else said.subject_person_ids
    edges = [Edge(kind=EdgeKind.ABOUT, src=memory_id, dst=person) for person in subjects]
    if said.stated_by is not None:
        edges.append(Edge(kind=EdgeKind.STATED_BY, src=memory_id, dst=said.stated_by))
    if said.learned_in is not None:
        edges.append(Edge(kind=EdgeKind.LEARNED_IN, src=memory_id, dst=said.learned_in))
    return edges


REBUILD_BATCH = 50
_CHANGING = {"change": "memory_change", "leave": "memory_leave", "retell": "memory_retell"}
_ALL_KINDS = json_list([str(kind) for kind in EdgeKind])
_ADDING = ("memory_add", "version_add", "postings_add", "entity_ref_add", "subject_put", "edge_add")
"""Statements whose rows wait for each other, in the order in which they may refer to one another."""


@dataclass(kw_only=True)
class _Writing:
    """One call of `apply`: scopes that are open, and what has to be renewed at its end."""

    at: int
    places: dict[str, Place] = field(default_factory=dict)
    """What is stored now of the memories that change."""
    scopes: dict[tuple[str, int], OpenScope] = field(default_factory=dict)
    said: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    changed: dict[str, set[str]] = field(default_factory=dict)
    """Memories whose own change may change what they hide, and what is shown of the messages they rest on."""
    shadowed: dict[str, set[str]] = field(default_factory=dict)
    stored: dict[str, bool] = field(default_factory=dict)
    """Memories whose rows were made, and whether they are live."""
    rows: dict[str, list[Mapping[str, Any]]] = field(default_factory=lambda: {name: [] for name in _ADDING})
    """Rows that wait to be added, by statement."""


def indexed_text(content: str, quote: str | None) -> str:
    """What is found by words: the text and the speaker's own words."""
    return f"{content} {quote or ''}"


STILL_ACTIVE = timedelta(hours=1)
IDLE_FOR = timedelta(days=180)
"""How long a thread counts as spoken in without being noted again."""

Noted = tuple[str, str, Mapping[str, Any]]
"""Memory id, event, and what is left to say when the memory is gone."""


class ThreadsPart(LedgerPart, ViewsPart):
    """See `contract.Store`, section "Threads"; and what `apply` and `purge` note for the threads concerned."""

    def _log_changes(self, changes: Sequence[Change], at: datetime) -> None:
        noted: dict[tuple[str, str, str | None, str | None, str | None, bool], list[Noted]] = {}
        for change in changes:
            memory, entry = change.memory, change.entry
            event = event_of(memory, entry.op, change.edges)
            user = memory.owner if memory.space is Space.USER else entry.actor
            if event is None or user is None:
                continue
            shared = entry.thread if memory.space is Space.CHAT else None
            persona = memory.persona_id or entry.persona
            meta = _left_to_say(*_TOLD_OF(memory))
            key = (memory.tenant, user, persona, entry.thread, shared, event == "soft_deleted")
            noted.setdefault(key, []).append((memory.id, event, meta))
        for (tenant, user, persona, thread, shared, is_forgotten), notes in noted.items():
            if thread is not None:
                key_of = {"tenant": tenant, "user": user, "thread": thread, "persona": persona, "at": micros(at)}
                self._db.run("thread_join", key_of)
            # What is forgotten was idle for long: so may be the thread that is to hear of it.
            since = {"since": micros(at - IDLE_FOR)} if is_forgotten else {}
            self._note(tenant, {"user": user, "persona": persona, "shared": shared, **since}, notes, at)

    def _note(self, tenant: str, concerned: Mapping[str, Any], notes: Sequence[Noted], at: datetime) -> None:
        where = {"tenant": tenant, "since": micros(at - ACTIVE_FOR), **concerned}
        for user, thread in self._db.rows("threads_concerned", where):
            key = {"tenant": tenant, "user": user, "thread": thread}
            row = self._db.one("thread_advance", key | {"count": len(notes)})
            assert row is not None, "a thread that was just read is there"
            last, turn = row
            self._db.run_many(
                "change_add",
                [
                    key
                    | {"rev": last - len(notes) + number, "turn": turn, "at": micros(at)}
                    | {"memory_id": memory_id, "event": event, "meta": canonical(dict(meta))}
                    for number, (memory_id, event, meta) in enumerate(notes, start=1)
                ],
            )

    def _log_purge(self, tenant: str, memory_id: str, entry: Entry, at: datetime) -> None:
        row = self._db.one("purged_memory", {"tenant": tenant, "id": memory_id})
        if row is None:
            return
        space, owner, kind, *told = row
        if space != Space.USER or kind == Kind.SHORT_TERM:
            return
        meta = _left_to_say(*told)
        persona = meta.get("persona")
        # What is removed was idle for long, as what is forgotten: so may be the thread that is to hear of it.
        since = micros(at - IDLE_FOR)
        concerned = {"user": owner, "persona": persona or entry.persona, "shared": None, "since": since}
        self._note(tenant, concerned, [(memory_id, "deleted", meta)], at)

    def changes(self, view: View, reader: Reader, *, taken: Taking | None = None) -> Changes:
        if taken is None:
            return self._untold_to(view, reader)
        if not self._db.driver.is_writing and self._has_nothing(reader, taken.at):
            return Changes(since=self._mark(reader)[1])
        with self._within():
            self._db.run("thread_join", _reader_key(reader) | {"persona": reader.persona, "at": micros(taken.at)})
            row = self._db.one("thread_turn", _reader_key(reader))
            assert row is not None, "a thread that was just joined is there"
            self._db.run("changes_trim", _reader_key(reader) | {"turn": row[0] - taken.keep_turns})
            told = self._untold_to(view, reader)
            thread = self._db.one("thread_of", _reader_key(reader))
            assert thread is not None, "a thread that was just joined is there"
            given = told.since + len(told.changes)
            self._db.run("reader_put", _reader_key(reader) | {"rev": thread[0], "given": given})
        return told

    def _untold_to(self, view: View, reader: Reader) -> Changes:
        after, given = self._mark(reader)
        where = self._parameters(view) | {"reader": reader.user, "thread": reader.thread, "after": after}
        found = (_change(row, view) for row in self._db.rows("changes_since", where))
        return Changes(since=given, changes=tuple(one for one in found if one is not None))

    def _mark(self, reader: Reader) -> tuple[int, int]:
        row = self._db.one("reader_of", _reader_key(reader))
        return (0, 0) if row is None else (row[0], row[1])

    def _has_nothing(self, reader: Reader, at: datetime) -> bool:
        """Nothing changed, and the thread is known to be spoken in: then a turn writes nothing."""
        row = self._db.one("thread_of", _reader_key(reader))
        return row is not None and row[0] == self._mark(reader)[0] and at - moment(row[2]) < STILL_ACTIVE


def _reader_key(reader: Reader) -> dict[str, Any]:
    return {"tenant": reader.tenant, "user": reader.user, "thread": reader.thread, "agent": reader.agent or ""}


_TOLD_OF = attrgetter("category", "importance", "persona_id", "confidential", "sensitivity")


def _left_to_say(
    category: str, importance: float, persona: str | None, confidential: object, sensitivity: str | None
) -> dict[str, Any]:
    """What is told of a memory that is gone."""
    meta: dict[str, Any] = {"category": category, "importance": importance}
    if persona is not None:
        meta["persona"] = persona
    if confidential or sensitivity not in (None, Sensitivity.PUBLIC):
        meta["closed"] = True
    return meta


def _change(row: Sequence[Any], view: View) -> ThreadChange | None:
    rev, event, memory_id, said, sight = row
    meta = from_json(said)
    if sight == 0 or (sight is None and not _was_open(meta, view)):
        return None
    return ThreadChange(
        rev=rev,
        event=event,
        memory_id=memory_id,
        category=meta["category"],
        importance=meta["importance"],
        is_live=sight == 2,  # noqa: PLR2004 -- as `changes_since` says it
    )


def _was_open(meta: Mapping[str, Any], view: View) -> bool:
    """Whether a memory that is gone for good was one that this view saw; in doubt it was not."""
    is_read = view.categories is None or meta["category"] in view.categories
    is_for_persona = meta.get("persona") in (None, view.persona)
    return is_read and is_for_persona and not meta.get("closed", False)


class MemoriesPart(ThreadsPart):
    """See `contract.Store`, section "Memories"."""

    def apply(
        self, changes: Sequence[Change], *, at: datetime, notes: Sequence[Note] = (), is_apart: bool = True
    ) -> None:
        if not changes and not notes:
            return
        try:
            with self.transaction() if is_apart else self._within():
                self._apply(changes, notes, at)
        except UniqueClash as clash:
            # Without a part of its own the transaction may answer no more questions.
            raise (self._key_taken(changes) if is_apart else KeyTaken("")) from clash

    def _apply(self, changes: Sequence[Change], notes: Sequence[Note], at: datetime) -> None:
        writing = _Writing(at=micros(at))
        changing = [(one.memory.tenant, one.memory.space, one.memory.owner) for one in changes]
        noted = [(note.tenant, note.space, note.owner) for note in notes]
        opened = self._open_scopes(changing, noted, (changes or notes)[0].entry.actor, writing)
        for tenant in sorted({tenant for tenant, _, _ in changing}):
            old = [one.memory.id for one in changes if not one.is_new and one.memory.tenant == tenant]
            writing.places |= self._places(tenant, old)
        pairs = [(change, opened[named]) for change, named in zip(changes, changing, strict=True)]
        # Those that leave the living go first, so that they free the key for the ones that come.
        for is_live in (False, True):
            for change, scope in pairs:
                if (change.memory.state is State.ACTIVE) is is_live:
                    self._store(change, scope, writing)
        self._add_rows(writing)
        told = [(scope, change.entry) for change, scope in pairs]
        # From the last one on, so that the places of the others stay what they are.
        for note, named in reversed([*zip(notes, noted, strict=True)]):
            told.insert(note.after, (opened[named], note.entry))
        self._append(told, at)
        self._log_changes(changes, at)
        self._finish(writing)

    def _open_scopes(
        self, changing: Sequence[_Named], noted: Sequence[_Named], user: str | None, writing: _Writing
    ) -> Mapping[_Named, OpenScope]:
        """The scopes of changes and notes, opened in the order of their numbers. `user`: who most of them are by."""
        # In one order everywhere, so that two writers never wait for each other in a circle.
        numbers = sorted([(one[0], self._scope_or_new(*one), one) for one in dict.fromkeys([*changing, *noted])])
        opened = {}
        for tenant, number, named in numbers:
            scope = self._open_scope(tenant, number, is_changing=named in changing, user=user)
            opened[named] = writing.scopes[tenant, number] = scope
        return opened

    def _finish(self, writing: _Writing) -> None:
        """Renew what depends on the changed memories, and close the scopes."""
        for tenant, memory_ids in writing.changed.items():
            writing.shadowed.setdefault(tenant, set()).update(self._overridden(tenant, memory_ids))
        for tenant, memory_ids in writing.shadowed.items():
            self._renew_shadows(tenant, memory_ids, writing)
            writing.changed.setdefault(tenant, set()).update(memory_ids)
        for tenant, memory_ids in writing.changed.items():
            self._stir(tenant, memory_ids, writing)
        for scope in writing.scopes.values():
            self._save_scope(scope)
        for tenant, said in writing.said.items():
            self._touch(tenant, said)

    def _key_taken(self, changes: Sequence[Change]) -> StoreError:
        taken: set[tuple[str, ...]] = set()
        for change in changes:
            memory = change.memory
            if memory.state is not State.ACTIVE:
                continue
            key = (memory.tenant, memory.space, memory.owner, memory.memory_key, memory.discriminator)
            live = self.memory(memory.tenant, HeldKey.of(memory))
            if live is not None and live.id != memory.id:
                return KeyTaken(live.id)
            if key in taken:
                return KeyTaken(memory.id)
            taken.add(key)
        return StoreError("It is stored already; nothing was written. Run `wellkept doctor`.", code="already_stored")

    def _add_rows(self, writing: _Writing) -> None:
        """Add what waits: each statement once for all changes."""
        for name, rows in writing.rows.items():
            if rows:
                self._db.run_many(name, rows)
                rows.clear()

    def _store(self, change: Change, scope: OpenScope, writing: _Writing) -> None:
        memory = change.memory
        if memory.id in writing.stored:  # what it changes may wait still
            self._add_rows(writing)
        writing.stored[memory.id] = memory.state is State.ACTIVE
        place = self._place(change, scope, writing)
        columns = columns_of(memory)
        columns |= {"scope": scope.scope, "num": place.num, "rev": scope.rev, "at": writing.at}
        is_new_text = change.is_new or change.is_text_changed
        columns["is_text_changed"] = int(is_new_text)
        searchable = is_searchable(memory.state, memory.archive_reason)
        terms = self._terms(change) if searchable and (is_new_text or not place.is_searchable) else None
        columns["words"] = sum(terms.values()) if terms else place.words if searchable and terms is None else 0
        columns["embedded_model"] = _model_after(change, place) if searchable else ""
        if change.is_new:
            writing.rows["memory_add"].append(columns)
        elif self._db.run(_CHANGING[change.how], columns) != 1:
            raise VersionConflict(memory.id)
        if is_new_text:
            writing.rows["version_add"].append({**columns, "checksum": checksum("versions", columns)})
        if place.is_searchable and place.words > 0 and (terms is not None or not searchable):
            self._db.run("postings_remove", columns)
        if terms:
            writing.rows["postings_add"] += words_of(_own(columns), terms)
        if change.vectors is not None and searchable:
            self._put_vectors(columns, change.vectors)
        elif place.embedded_model and not columns["embedded_model"]:
            self._db.run("vectors_remove", columns)
        self._relate(change, columns, place, writing)

    def _relate(self, change: Change, key: Mapping[str, Any], place: Place, writing: _Writing) -> None:
        """What a memory has to do with people, things and other memories."""
        memory = change.memory
        if memory.entity_refs != place.refs:
            self._put_refs(key, memory, place, writing)
        if memory.subject_person_ids or place.subjects:
            self._put_subjects(key, memory, place, writing)
        said = (memory.subject_person_ids, memory.stated_by, memory.learned_in)
        if said != (place.subjects, place.stated_by, place.learned_in):
            self._put_own_edges(memory, place, writing)
        if change.edges or change.drop_edges:
            self._put_edges(change, writing)
        # A turn of a conversation stands above nothing and rests on no message.
        if not change.is_new and memory.kind is not Kind.SHORT_TERM:
            writing.changed.setdefault(memory.tenant, set()).add(memory.id)

    def _places(self, tenant: str, memory_ids: Sequence[str]) -> dict[str, Place]:
        rows = self._db.rows("memory_places", {"tenant": tenant, "ids": json_list(memory_ids)}) if memory_ids else ()
        return {row[0]: record_of(Place, row[1:]) for row in rows}

    def _place(self, change: Change, scope: OpenScope, writing: _Writing) -> Place:
        memory = change.memory
        if change.is_new:
            scope.last_num += 1
            return Place(scope=scope.scope, num=scope.last_num)
        place = writing.places.get(memory.id)
        if place is None:
            raise MemoryNotFound(memory.id)
        if place.scope != scope.scope:
            raise StoreError("A memory never changes its space or owner; store a new one.", code="moved")
        return place

    def _terms(self, change: Change) -> Mapping[str, int]:
        if change.terms is not None:
            return change.terms
        return term_counts(indexed_text(change.memory.content, change.memory.quote))

    def _index_words(
        self, key: Mapping[str, Any], terms: Mapping[str, int] | None, *, was_indexed: bool, is_searchable: bool
    ) -> None:
        if was_indexed and (terms is not None or not is_searchable):
            self._db.run("postings_remove", key)
        self._db.run_many("postings_add", words_of(_own(key), terms or {}))

    def _put_vectors(self, key: Mapping[str, Any], vectors: NDArray[np.float32]) -> None:
        self._db.run("vectors_remove", key)
        place = {name: key[name] for name in ("tenant", "scope", "num", "rev")} | {"model": key["embedded_model"]}
        self._db.run_many("vector_add", vector_rows(place, vectors))

    def _put_refs(self, key: Mapping[str, Any], memory: Memory, place: Place, writing: _Writing) -> None:
        if place.refs:
            self._db.run("entity_refs_remove", key)
        own = _own(key)
        writing.rows["entity_ref_add"] += [own | {"ref": ref} for ref in memory.entity_refs]

    def _put_subjects(self, key: Mapping[str, Any], memory: Memory, place: Place, writing: _Writing) -> None:
        """Whom a memory is about, and whom that may be told to."""
        people, before = {*memory.subject_person_ids}, {*place.subjects}
        if before != people:
            self._drop_subjects(key, before - people)
        own = _own(key) | {"reach": reach(memory), "is_live": int(memory.state is State.ACTIVE)}
        by = memory.stated_by
        writing.rows["subject_put"] += [
            own | {"person": person, "is_hearsay": int(by is not None and by != person)} for person in sorted(people)
        ]
        said = writing.said.setdefault(memory.tenant, set())
        said.update([(person, place.scope) for person in people | before])

    def _drop_subjects(self, key: Mapping[str, Any], person_ids: Collection[str]) -> None:
        """A memory is no longer about these people."""
        if person_ids:
            own = _own(key)
            self._db.run_many("subject_remove", [own | {"person": person} for person in sorted(person_ids)])

    def _put_own_edges(self, memory: Memory, place: Place, writing: _Writing) -> None:
        """The edges that follow from the memory itself."""
        added = after = own_edges(memory.id, memory)
        before = own_edges(memory.id, place)
        if before:
            dropped = [edge_columns(memory.tenant, edge, writing.at) for edge in before if edge not in after]
            self._db.run_many("edge_remove", dropped)
            added = [edge for edge in after if edge not in before]
        writing.rows["edge_add"] += [edge_columns(memory.tenant, edge, writing.at) for edge in added]

    def _put_edges(self, change: Change, writing: _Writing) -> None:
        memory = change.memory
        for edge in change.edges:
            # Nothing can stand above a memory that is only now stored.
            if edge.kind is EdgeKind.SUPERSEDES and not (change.is_new and memory.id == edge.src != edge.dst):
                self._add_rows(writing)
                self._refuse_cycle(memory.tenant, edge)
        if change.drop_edges:
            self._add_rows(writing)  # one of them may wait
            dropped = [edge_columns(memory.tenant, edge, writing.at) for edge in change.drop_edges]
            self._db.run_many("edge_remove", dropped)
        writing.rows["edge_add"] += [edge_columns(memory.tenant, edge, writing.at) for edge in change.edges]
        below = {edge.dst for edge in change.edges + change.drop_edges if edge.kind is EdgeKind.SUPERSEDES}
        if below:
            writing.shadowed.setdefault(memory.tenant, set()).update(below)

    def _overridden(self, tenant: str, memory_ids: Collection[str]) -> set[str]:
        """What these memories stand above."""
        return {row[0] for row in self._db.rows("superseded_by_ids", {"tenant": tenant, "ids": json_list(memory_ids)})}

    def _refuse_cycle(self, tenant: str, edge: Edge) -> None:
        below = self._db.rows("superseded_ids", {"tenant": tenant, "src": edge.dst})
        if edge.src == edge.dst or (edge.src,) in below:
            raise StoreError("A memory cannot supersede what supersedes it.", code="supersedes_cycle")

    def _renew_shadows(self, tenant: str, memory_ids: set[str], writing: _Writing) -> None:
        """Memories with a word above them, unless they have just left, get a new revision: they may be hidden now."""
        live = [one for one in memory_ids if writing.stored.get(one, True)]
        places = self._db.rows("live_places_of", {"tenant": tenant, "ids": json_list(live)}) if live else ()
        for scope, num, subjects in places:
            writing.said.setdefault(tenant, set()).update((person, scope) for person in strings_of(subjects))
            if (tenant, scope) not in writing.scopes:
                writing.scopes[tenant, scope] = self._open_scope(tenant, scope, is_changing=True)
            rev = writing.scopes[tenant, scope].rev
            self._db.run("shadow", {"tenant": tenant, "scope": scope, "num": num, "rev": rev})

    def _stir(self, tenant: str, memory_ids: set[str], writing: _Writing) -> None:
        """Messages that these memories rest on get a new revision: what may be shown of them may have changed."""
        for scope, num in self._db.rows("rests_on", {"tenant": tenant, "ids": json_list(memory_ids)}):
            if (tenant, scope) not in writing.scopes:
                writing.scopes[tenant, scope] = self._open_scope(tenant, scope, is_changing=True)
            rev = writing.scopes[tenant, scope].rev
            self._db.run("message_stirred", {"tenant": tenant, "scope": scope, "num": num, "rev": rev})

    def _embed_memory(self, memory: Memory, vectors: NDArray[np.float32], *, model: str) -> None:
        """Replace a memory's vectors. Does nothing when its text has changed since: upkeep finds it again."""
        key = {"tenant": memory.tenant, "id": memory.id}
        with self.transaction():
            text = self._db.one("indexed_text", key)
            place = self._places(memory.tenant, [memory.id]).get(memory.id)
            if place is None or text != (memory.content,) or not place.is_searchable:
                return
            rev = self._touch_scope(memory.tenant, place.scope)
            columns = key | {"scope": place.scope, "num": place.num, "rev": rev, "embedded_model": model}
            self._put_vectors(columns, vectors)
            self._db.run("memory_index_state", columns | {"words": place.words})

    def purge(self, tenant: str, memory_id: str, entry: Entry, *, at: datetime) -> None:
        with self.transaction():
            place = self._places(tenant, [memory_id]).get(memory_id)
            if place is None:
                raise MemoryNotFound(memory_id)
            writing, below = _Writing(at=micros(at)), self._overridden(tenant, [memory_id])
            self._log_purge(tenant, memory_id, entry, at)
            scope = self._open_scope(tenant, place.scope, is_changing=True, user=entry.actor)
            writing.scopes[tenant, place.scope] = scope
            key = {"tenant": tenant, "scope": place.scope, "num": place.num, "rev": scope.rev, "id": memory_id}
            key |= {"node": memory_id, "kinds": _ALL_KINDS}
            self._drop_subjects(key, place.subjects)
            for name in (
                "postings_remove", "vectors_remove", "entity_refs_remove", "edges_remove_from", "edges_remove_to",
                "versions_remove", "memory_remove", "scope_purged",
            ):  # fmt: skip
                self._db.run(name, key)
            self._append([(scope, entry)], at)
            writing.said[tenant] = {(person, place.scope) for person in place.subjects}
            writing.shadowed[tenant] = below
            writing.changed[tenant] = {memory_id}
            self._finish(writing)

    def _rebuild_index(self, tenant: str) -> int:
        """Make words anew from the texts, in short transactions; returns how many memories it indexed."""
        done, last = 0, (0, 0)
        while True:
            with self.transaction():
                key = {"tenant": tenant, "scope": last[0], "num": last[1], "limit": REBUILD_BATCH}
                batch = self._db.rows("searchable_after", key)
                revs = {scope: self._touch_scope(tenant, scope) for scope, *_ in batch}
                for scope, num, content, quote, model in batch:
                    terms = term_counts(indexed_text(content, quote))
                    own = {"tenant": tenant, "scope": scope, "num": num, "rev": revs[scope]}
                    self._index_words(own, terms, was_indexed=True, is_searchable=True)
                    self._db.run("memory_index_state", own | {"words": sum(terms.values()), "embedded_model": model})
            if not batch:
                return done
            done, last = done + len(batch), batch[-1][:2]

    def memory(self, tenant: str, which: str | HeldKey) -> Memory | None:
        if isinstance(which, str):
            row = self._db.one("memory_by_id", {"tenant": tenant, "id": which})
        else:
            scope = self._filled(tenant, which.space, which.owner)
            row = None if scope is None else self._db.one("holder", {"tenant": tenant, "scope": scope, **vars(which)})
        return None if row is None else memory_from(row)

    def memories_by_id(self, tenant: str, memory_ids: Sequence[str]) -> Mapping[str, Memory]:
        rows = self._db.rows("memories_by_id", {"tenant": tenant, "ids": json_list(list(memory_ids))})
        return {memory.id: memory for memory in map(memory_from, rows)}

    def memories(self, wanted: MemoryQuery) -> tuple[Memory, ...]:
        if isinstance(wanted, SaidAbout):
            rows = self._said_about(wanted)
        elif isinstance(wanted, Unembedded):
            rows = self._topped_up("unembedded", "unembedded_after", vars(wanted))
        elif isinstance(wanted, Due):
            rows = self._topped_up("due_superseded", "due_dead", columns(wanted))
        else:
            scope = self._filled(*wanted.scope)
            rows = [] if scope is None else self._rows_in(scope, wanted)
        found = tuple(memory_from(row) for row in rows)
        if isinstance(wanted, Latest):  # of several kinds, in one order
            return tuple(sorted(found, key=lambda memory: memory.tick or 0)[-wanted.limit :])
        return found

    def _rows_in(self, scope: int, wanted: InSlot | Latest | Retracted | Unexpired) -> list[Row]:
        """What is wanted of one scope."""
        key: dict[str, Any] = {"tenant": wanted.scope[0], "scope": scope}
        match wanted:
            case InSlot(fact_keys=keys, value=value) if len(keys) == 1:
                name = "in_slot" if value is None else "in_slot_of_value"
                return self._db.rows(name, key | {"fact_key": keys[0], "value": value})
            case InSlot():
                return self._db.rows("in_slots", key | {"fact_keys": compact(wanted.fact_keys), "value": wanted.value})
            case Retracted():
                return self._db.rows("retracted", key | {"limit": wanted.limit})
            case Unexpired():
                key["now"] = micros(wanted.now)
                row = self._db.one("living_count", key)
                return [] if row is None or row[0] <= wanted.more_than else self._db.rows("living", key)
            case Latest():
                each = (
                    self._db.rows("live_in_scope", key | {"kind": str(kind), "limit": wanted.limit})
                    for kind in wanted.kinds
                )
                return [row for rows in each for row in rows]

    def _topped_up(self, first: str, then: str, wanted: Mapping[str, Any]) -> list[Row]:
        """The rows of one statement, and of another as far as there is room left."""
        rows = self._db.rows(first, wanted)
        left = wanted["limit"] - len(rows)
        return rows + self._db.rows(then, {**wanted, "limit": left}) if left > 0 else rows

    def _said_about(self, wanted: SaidAbout) -> list[Row]:
        self._lock_on(
            wanted.tenant, "person", wanted.person_id
        )  # what is said of them in other scopes stays as it is read
        scope = self._scope(wanted.tenant, *wanted.besides) if wanted.besides is not None else None
        key = {"tenant": wanted.tenant, "person": wanted.person_id, "besides": -1 if scope is None else scope}
        return self._db.rows("hearsay_about" if wanted.by_others else "said_about", key | {"limit": wanted.limit})

    def versions(self, tenant: str, memory_id: str) -> tuple[Version, ...]:
        rows = self._db.rows("versions_of", {"tenant": tenant, "id": memory_id})
        for _, _, at, stored, *text in rows:
            if stored is not None and stored != summed([at, *text]):
                raise DamagedRow(f"Memory {memory_id}")
        return tuple(
            Version(memory_id=memory_id, version=number, content=content, quote=quote, at=moment(at))
            for _, number, at, _, content, quote, _ in rows
        )


def _own(key: Mapping[str, Any]) -> dict[str, Any]:
    """Where a memory stands."""
    return {"tenant": key["tenant"], "scope": key["scope"], "num": key["num"]}


def _model_after(change: Change, place: Place) -> str:
    """The model whose vectors the memory has after this change; empty when it has none and waits for upkeep."""
    if change.vectors is not None:
        if change.model is None:
            raise StoreError("Vectors need the name of their model.", code="no_model")
        return change.model
    return "" if change.is_new or change.is_text_changed else place.embedded_model
