"""A merge moves every edge, and a split puts every one back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest

from wellkept.errors import InvalidInput
from wellkept.flows import views
from wellkept.flows.views import part, unite
from wellkept.policies.people.references import parse
from wellkept.store.contract import Attendance, Change, Entry, Store
from wellkept.store.opening import open_store
from wellkept.types import Edge, Memory, Person, Viewpoint
from wellkept.vocabulary import EdgeKind, Kind, Space, State

TENANT = "default"


@dataclass
class World:
    store: Store
    now: datetime
    nodes: list[str] = field(default_factory=list)

    def say(self, words: str, *, by: str = "ana", **where) -> Person:
        with self.store.transaction():
            view, _ = views.gather(Viewpoint(user=by, **where), self.store, self.now)
            found = views.resolve(parse(words), speaker=by, view=view, store=self.store, now=self.now)
        assert found.person is not None
        self.nodes += [found.person.id, view.person or ""]
        return found.person

    def tell(self, *subjects: str, by: str | None = None, state: State = State.ACTIVE) -> Memory:
        with self.store.transaction():
            memory_id = self.store.next_id(TENANT, Space.USER, "ana", Kind.SEMANTIC)
            memory = Memory(
                id=memory_id,
                tenant=TENANT,
                content=f"Something about {' and '.join(subjects)}.",
                space=Space.USER,
                owner="ana",
                subject_person_ids=subjects,
                stated_by=by,
                memory_key="people|person|somebody|fact",
                discriminator=memory_id,
                state=state,
                created_at=self.now,
                observed_at=self.now,
                updated_at=self.now,
            )
            self.store.apply([Change(memory=memory, entry=Entry(op="create"), is_new=True)], at=self.now)
        self.nodes.append(memory_id)
        return memory

    def unite(self, primary: str, secondary: str) -> Person:
        self.now += timedelta(seconds=1)
        with self.store.transaction():
            found = [self.store.person(TENANT, one) for one in (primary, secondary)]
            return unite(found[0], found[1], by="ana", store=self.store, now=self.now)

    def part(self, secondary: str) -> None:
        self.now += timedelta(seconds=1)
        with self.store.transaction():
            part(next(iter(self.store.merges(TENANT, secondary=secondary)), None), store=self.store, now=self.now)

    def edges(self) -> set[Edge]:
        return {edge for node in self.nodes for edge in self.store.edges(TENANT, node, tuple(EdgeKind))}

    def persons(self) -> dict[str, tuple[object, ...]]:
        """People as sets: the order in which they learned a name is no part of what they are."""
        found = self.store.persons(TENANT, sorted(set(self.nodes)))
        return {
            asked: (one.id, one.name, one.user_id, frozenset(one.aliases), frozenset(one.relationships))
            for asked, one in found.items()
        }

    def told(self) -> dict[str, tuple[object, ...]]:
        memories = [self.store.memory(TENANT, node) for node in self.nodes if node.startswith("m_")]
        return {one.id: (one.subject_person_ids, one.stated_by, one.content, one.state) for one in memories}


@pytest.fixture
def world(store_path, clock) -> Iterator[World]:
    store = open_store(store_path)
    yield World(store, clock())
    store.close()


def test_everything_that_named_the_secondary_names_the_primary(world):
    kept = world.say("Mukesh", chat="team", chat_type="group", participants=("bob",))
    gone = world.say("my boss Makesh")
    world.say("Makesh's wife Lata")
    about, both = world.tell(gone.id), world.tell(gone.id, kept.id)
    said, old = world.tell(by=gone.id), world.tell(gone.id, state=State.SUPERSEDED)
    whole = world.unite(kept.id, gone.id)
    assert whole.name == "Mukesh"
    assert [alias.value for alias in whole.aliases] == ["Makesh"]
    assert [one.relationship for one in whole.relationships] == ["boss"]
    told = world.told()
    assert told[about.id][0] == told[both.id][0] == told[old.id][0] == (kept.id,)
    assert told[said.id][1] == kept.id
    assert all(gone.id not in (edge.src, edge.dst) for edge in world.edges() if edge.kind is not EdgeKind.MERGED_INTO)
    assert world.store.person(TENANT, gone.id).id == kept.id
    assert world.say("my boss").id == world.say("Makesh").id == kept.id


def test_a_split_puts_every_edge_back(world):
    kept = world.say("Mukesh", chat="team", chat_type="group", participants=("bob",))
    gone = world.say("my boss Makesh", chat="lunch", chat_type="group")
    world.say("Makesh's wife Lata")
    world.say("Mukesh's wife Lata")
    world.tell(gone.id, kept.id)
    world.tell(kept.id, gone.id, by=gone.id)
    world.tell(gone.id, state=State.ARCHIVED)
    before = world.edges(), world.persons(), world.told()
    world.unite(kept.id, gone.id)
    assert (world.edges(), world.persons(), world.told()) != before
    world.part(gone.id)
    assert (world.edges(), world.persons(), world.told()) == before


def test_what_was_learned_since_stays_with_the_primary(world):
    kept, gone = world.say("Mukesh"), world.say("my boss Makesh")
    old = world.tell(gone.id)
    world.unite(kept.id, gone.id)
    new = world.tell(kept.id)
    world.part(gone.id)
    assert world.told()[old.id][0] == (gone.id,)
    assert world.told()[new.id][0] == (kept.id,)


def test_a_user_moves_along_and_back(world):
    kept = world.say("Robert")
    with world.store.transaction():
        user = views.ensure_user(Viewpoint(user="u-7", display_name="Bob"), world.store, world.now)
    world.unite(kept.id, user.id)
    assert world.store.person(TENANT, user="u-7").id == kept.id
    world.part(user.id)
    assert world.store.person(TENANT, user="u-7").id == user.id


def test_nobody_is_merged_twice_or_with_themself(world):
    one, two = world.say("Asha"), world.say("Bela")
    with pytest.raises(InvalidInput) as caught:
        world.unite(one.id, one.id)
    assert caught.value.code == "already_merged"
    world.unite(one.id, two.id)
    with pytest.raises(InvalidInput):
        world.unite(one.id, two.id)
    with pytest.raises(InvalidInput):
        world.unite(two.id, one.id)


def test_chains_are_followed_and_split_from_the_end(world):
    one, two, three = world.say("Asha"), world.say("Bela"), world.say("Chandra")
    memory = world.tell(three.id)
    world.unite(two.id, three.id)
    world.unite(one.id, two.id)
    assert world.store.person(TENANT, three.id).id == one.id
    with pytest.raises(InvalidInput) as caught:
        world.part(three.id)
    assert caught.value.code == "merged_on"
    world.part(two.id)
    assert world.told()[memory.id][0] == (two.id,)
    world.part(three.id)
    assert world.told()[memory.id][0] == (three.id,)


def test_any_merges_split_in_reverse_leave_the_world_as_it_was(world):
    names = ("Asha", "Bela", "Chandra", "Dov", "Emre", "Farid", "Goran", "Hadiza")
    chance = random.Random(7)
    for name in names:
        world.say(name, chat=chance.choice(("c1", "c2", "c3")), chat_type="group", participants=("bob", "kai"))
    ids = {name: world.say(name).id for name in names}
    for _ in range(30):
        subjects = chance.sample(sorted(ids.values()), chance.randint(0, 3))
        world.tell(*subjects, by=chance.choice((*ids.values(), None)))
    for _ in range(8):
        one, other = chance.sample(names, 2)
        world.say(f"{one}'s {chance.choice(('boss', 'brother', 'friend'))} {other}")
    for user, chat in (("bob", "c1"), ("kai", "c3")):
        person = world.store.person(TENANT, user=user)
        world.store.keep(
            Attendance(
                tenant=TENANT,
                chat=chat,
                chat_type="group",
                person_ids=(person.id, ids[chance.choice(names)]),
                at=world.now,
            )
        )
    worlds, merged = [], []
    for _ in range(6):
        alive = sorted({world.store.person(TENANT, one).id for one in ids.values()})
        primary, secondary = chance.sample(alive, 2)
        worlds.append((world.edges(), world.persons(), world.told()))
        world.unite(primary, secondary)
        merged.append(secondary)
    for secondary, before in zip(reversed(merged), reversed(worlds), strict=True):
        world.part(secondary)
        assert (world.edges(), world.persons(), world.told()) == before
