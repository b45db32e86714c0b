"""Import into a store that holds something already: gate, people and keys decide what becomes of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from wellkept.flows.upkeep import embedding
from wellkept.policies.text import words
from wellkept.policies.writing import conflict, gate
from wellkept.store.contract import Change, Entry
from wellkept.types import Alias, Edge, Memory, Person, Relationship
from wellkept.vocabulary import EdgeKind, Space, State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from wellkept.flows.engine import Engine
    from wellkept.store.contract import Op

_READ = frozenset({"scope", "counter", "memory", "edge", "person", "alias", "relationship", "user"})


@dataclass(kw_only=True)
class _Merging:
    """One merge: where it goes, and under which ids things stand there."""

    tenant: str
    engine: Engine
    now: datetime
    persons: dict[str, str] = field(default_factory=dict)
    memories: dict[str, str] = field(default_factory=dict)
    outcomes: Counter[str] = field(default_factory=Counter)

    def person(self, person_id: str | None) -> str | None:
        """The id that a person of the file has here."""
        return None if person_id is None else self.persons.get(person_id, person_id)


def merge(
    tenant: str,
    lines: Iterable[tuple[int, Mapping[str, Any]]],
    engine: Engine,
    *,
    progress: Callable[[int], None] = lambda _done: None,
) -> Mapping[str, int]:
    """What became of each memory: created, duplicate, superseded, lost or denied. In the open transaction."""
    by_type: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for _, line in lines:
        if line["_type"] in _READ:
            by_type[line["_type"]].append(line)
    merging = _Merging(tenant=tenant, engine=engine, now=engine.clock())
    # Messages are not merged, and neither are the scopes that hold nothing else.
    spaces = {str(space) for space in Space}
    scopes = {
        line["scope"]: (Space(line["space"]), str(line["owner"]))
        for line in by_type["scope"]
        if line["space"] in spaces
    }
    for line in by_type["counter"]:
        if line["scope"] in scopes:
            engine.store.raise_counter(tenant, *scopes[line["scope"]], line["kind"], line["n"])
    _people(by_type, merging)
    for number, line in enumerate(by_type["memory"], start=1):
        merging.outcomes[_memory(engine.store.memory_of(tenant, line), merging)] += 1
        progress(number)
    _links(by_type["edge"], merging)
    if merging.outcomes["created"] + merging.outcomes["superseded"]:
        embedding.later(tenant, engine, now=merging.now)
    return dict(merging.outcomes)


def _people(by_type: Mapping[str, list[Mapping[str, Any]]], merging: _Merging) -> None:
    store, tenant = merging.engine.store, merging.tenant
    for user in by_type["user"]:
        here = store.person_of(tenant, user["user_id"])
        if here is not None:
            merging.persons[user["person_id"]] = here.id
    new = []
    for line in by_type["person"]:
        if line["id"] in merging.persons:
            continue
        here = store.person(tenant, line["id"])
        if here is not None and here.name == line.get("name"):
            continue
        if here is not None:
            owner = line.get("created_by")
            space, whose = (Space.SYSTEM, "import") if owner is None else (Space.USER, owner)
            merging.persons[line["id"]] = store.next_id(tenant, space, whose, "person")
        new.append(line)
    aliases, related = _grouped(by_type["alias"]), _grouped(by_type["relationship"])
    for line in new:
        store.save_person(_person(line, aliases[line["id"]], related[line["id"]], merging))
    for user in by_type["user"]:
        if store.person_of(tenant, user["user_id"]) is None:
            names = {"username": user.get("username"), "display_name": user.get("display_name")}
            store.link_user(tenant, user["user_id"], merging.person(user["person_id"]) or user["person_id"], **names)
    merging.outcomes["people"] += len(new)


def _grouped(lines: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    grouped: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for line in lines:
        grouped[line["person_id"]].append(line)
    return grouped


def _person(
    line: Mapping[str, Any],
    aliases: Iterable[Mapping[str, Any]],
    related: Iterable[Mapping[str, Any]],
    merging: _Merging,
) -> Person:
    return Person(
        id=merging.person(line["id"]) or line["id"],
        tenant=merging.tenant,
        name=line.get("name"),
        created_by=line.get("created_by"),
        created_at=merging.now,
        aliases=tuple(Alias(value=one["value"], added_by=one.get("added_by")) for one in aliases if not one["is_name"]),
        relationships=tuple(
            Relationship(
                relationship=one["relationship"],
                stated_by=one.get("stated_by"),
                other_person_id=merging.person(one.get("other_person_id")),
            )
            for one in related
        ),
        merged_into=merging.person(line.get("merged_into")),
    )


def _memory(told: Memory, merging: _Merging) -> str:
    store = merging.engine.store
    here = store.memory(merging.tenant, told.id)
    if here is not None and here.content == told.content and here.created_at == told.created_at:
        return "duplicate"
    memory = replace(
        told,
        id=told.id if here is None else store.next_id(merging.tenant, told.space, told.owner, told.kind),
        version=1,
        subject_person_ids=tuple(merging.person(one) or one for one in told.subject_person_ids),
        stated_by=merging.person(told.stated_by),
        superseded_by=merging.memories.get(told.superseded_by or "", told.superseded_by),
    )
    merging.memories[told.id] = memory.id
    refusal = gate.admit_text(memory.content)
    if refusal.verdict == "refuse":
        denied = Entry(node="admin", op="create", status="denied", reason=refusal.reason)
        store.record(merging.tenant, memory.space, memory.owner, denied, at=merging.now)
        return "denied"
    return _settle(memory, merging)


def _settle(memory: Memory, merging: _Merging) -> str:
    """By key: the greater statement stands, the lesser is kept on record."""
    store = merging.engine.store
    key = (memory.tenant, memory.space, memory.owner, memory.memory_key, memory.discriminator)
    holder = store.holder(*key) if memory.state is State.ACTIVE else None
    if holder is None:
        _create(memory, "imported", merging)
        return "created"
    if holder.content == memory.content:
        return "duplicate"
    settled = conflict.settle(memory, holder)
    if settled.winner is holder:
        lost = replace(memory, state=State.SUPERSEDED, superseded_at=merging.now, superseded_by=holder.id)
        _create(lost, f"lost:{settled.rule}", merging)
        return "lost"
    over = replace(
        holder,
        state=State.SUPERSEDED,
        superseded_at=merging.now,
        superseded_by=memory.id,
        valid_to=merging.now,
        version=holder.version + 1,
    )
    store.apply([Change(memory=over, entry=_entry("superseded", over))], at=merging.now)
    _create(memory, f"superseded_old:{settled.rule}", merging)
    return "superseded"


def _create(memory: Memory, reason: str, merging: _Merging) -> None:
    terms = words.term_counts(f"{memory.content} {memory.quote or ''}")
    change = Change(memory=memory, entry=_entry(reason, memory), is_new=True, terms=terms)
    merging.engine.store.apply([change], at=merging.now)


def _entry(reason: str, memory: Memory) -> Entry:
    op: Op = "create" if memory.version == 1 else "update"
    return Entry(
        node="admin", op=op, memory_id=memory.id, version=memory.version, category=memory.category, reason=reason
    )


def _links(lines: Iterable[Mapping[str, Any]], merging: _Merging) -> None:
    """Memories that were related stay so."""
    ids = merging.memories
    edges = [
        Edge(kind=EdgeKind.RELATED_TO, src=ids[line["src"]], dst=ids[line["dst"]], strength=line.get("strength"))
        for line in lines
        if line["kind"] == EdgeKind.RELATED_TO and line["src"] in ids and line["dst"] in ids
    ]
    known = merging.engine.store.memories(merging.tenant, [node for edge in edges for node in (edge.src, edge.dst)])
    kept = [edge for edge in edges if edge.src in known and edge.dst in known]
    merging.engine.store.rewire(merging.tenant, add=kept, drop=(), at=merging.now)
