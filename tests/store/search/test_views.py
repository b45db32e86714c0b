"""The visibility rule in Python and in SQL agree on every combination of what they look at."""

# ruff: noqa: S608 -- the SQL is our own text

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from tests.policies.make import memory
from wellkept.policies.visibility import Facts, View, shown, visible
from wellkept.store.catalogue import catalogue
from wellkept.store.contract import Attendance, Change, Entry, Listing
from wellkept.store.encoding import SCOPE_STEP
from wellkept.store.opening import open_store
from wellkept.types import Edge, Memory
from wellkept.vocabulary import EdgeKind, Kind, MemoryType, Sensitivity, Space, State

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)
ASKER, PARTNER, THIRD = "p_asker", "p_partner", "p_third"
ATTENDED = {"here": [ASKER, PARTNER], "both": [ASKER, PARTNER], "alone": [ASKER]}
FACTS = Facts(attendance={chat: frozenset(persons) for chat, persons in ATTENDED.items()})
IN_SIGHT = ((Space.USER, "asker"), (Space.CHAT, "here"), (Space.PROJECT, "atlas"))
SCOPES = (*IN_SIGHT, (Space.USER, "partner"), (Space.CHAT, "elsewhere"), (Space.PROJECT, "other"))
SUBJECTS = ((), (ASKER,), (PARTNER,), (THIRD,), (ASKER, THIRD), (ASKER, PARTNER))
LEARNED = ((None, None), *product(("here", "both", "alone"), ("private", "group")))
COMPANY = (
    {"chat_type": "private", "person": ASKER, "present": {ASKER}, "partners": {ASKER}},
    {"chat_type": "private", "person": ASKER, "present": {ASKER, PARTNER}, "partners": {PARTNER}},
    {"chat_type": "private", "person": None, "present": set(), "partners": set()},
    {"chat_type": "group", "person": ASKER, "present": {ASKER, PARTNER}, "partners": {PARTNER}},
    {"chat_type": "group", "person": ASKER, "present": {ASKER, PARTNER, THIRD}, "partners": set()},
    {"chat_type": "group", "person": None, "present": {PARTNER}, "partners": set()},
)
MODES = ("default", "seed", "strict")


def views(mode: str) -> list[View]:
    return [
        View(
            tenant="t",
            now=NOW,
            user="asker" if company["person"] else None,
            chat="here",
            spaces=IN_SIGHT,
            persona=persona,
            mode=mode,
            fail_open=fail_open,
            **company | {name: frozenset(company[name]) for name in ("present", "partners")},
        )
        for company, persona, fail_open in product(COMPANY, (None, "coach", "other"), (True, False))
    ]


class World:
    """A store with memories, and what the pure rule must know of each."""

    def __init__(self, path):
        self.store = open_store(path)
        self.memories: dict[str, Memory] = {}
        self.above: dict[str, list[Memory]] = {}
        for chat, persons in ATTENDED.items():
            self.store.keep(Attendance(tenant="t", chat=chat, chat_type="group", person_ids=tuple(persons), at=NOW))

    def tell(self, scope=SCOPES[0], over=(), **fields) -> Memory:
        change = self.draft(scope, over, **fields)
        self.store.apply([change], at=NOW)
        return change.memory

    def tell_all(self, told: list[dict]) -> None:
        self.store.apply([self.draft(**fields) for fields in told], at=NOW)

    def draft(self, scope=SCOPES[0], over=(), **fields) -> Change:
        number = len(self.memories)
        memory = Memory(
            id=f"m_{number:x}",
            tenant="t",
            content="x",
            space=scope[0],
            owner=scope[1],
            memory_key="k",
            discriminator=str(number),
            **{"created_at": NOW, "observed_at": NOW, "updated_at": NOW} | fields,
        )
        edges = tuple(Edge(kind=EdgeKind.SUPERSEDES, src=memory.id, dst=other.id) for other in over)
        self.memories[memory.id] = memory
        for other in over:
            if other.state is State.ACTIVE:
                self.above.setdefault(other.id, []).append(memory)
        entry = Entry(op="create", memory_id=memory.id)
        return Change(memory=memory, entry=entry, is_new=True, terms={}, edges=edges)

    def by_rule(self, view: View) -> set[str]:
        return {memory_id for memory_id in self.memories if self._is_shown(memory_id, view)}

    def _is_shown(self, memory_id: str, view: View) -> bool:
        above = tuple(self.above.get(memory_id, ()))
        facts = replace(FACTS, overriding=above) if above else FACTS
        return visible(self.memories[memory_id], view, facts).verdict == "shown"

    def at_once(self, view: View) -> set[str]:
        """By the same rule for many at once; what has a word above it is judged alone."""
        alone = {memory_id for memory_id in self.above if self._is_shown(memory_id, view)}
        rest = [memory for memory_id, memory in self.memories.items() if memory_id not in self.above]
        return alone | {memory.id for memory in shown(rest, view, FACTS)}

    def by_sql(self, view: View) -> set[str]:
        sql = f"SELECT m.id FROM memories AS m WHERE m.tenant = :tenant AND {catalogue()['visible']}"
        return {row[0] for row in self.store._db.driver.rows(sql, self.store._parameters(view))}

    def by_sight(self, view: View) -> set[str]:
        """What candidates are scored among."""
        sight = self.store._arms.sights.sight(self.store._parameters(view))
        rows = self.store._db.driver.rows("SELECT scope, num, id FROM memories", {})
        ids = {(scope, num): memory_id for scope, num, memory_id in rows}
        return {ids[divmod(place, SCOPE_STEP)] for place in sight.places.tolist()}

    def by_list(self, view: View) -> set[str]:
        """What `seen` lists and `count` counts."""
        found = [memory.id for memory in self.store.seen(view, Listing(limit=len(self.memories)))]
        assert len(found) == len(set(found)) == sum(self.store.counts(view.tenant, view=view).values())
        return set(found)

    def compare(self, views: list[View]) -> int:
        for number, view in enumerate(views):
            wanted = self.by_rule(view)
            # Lists load whole memories, which takes its time: every fifth view must do.
            for way in (self.by_sql, self.by_sight, self.by_list, self.at_once)[: 4 if number % 5 == 0 else 2]:
                found = way(view)
                wrong = sorted(found ^ wanted)
                assert not wrong, (way.__name__, view, self.memories[wrong[0]], self.above.get(wrong[0]))
        return len(views) * len(self.memories)


def who_and_where() -> list[dict]:
    """Every combination of whose a memory is, about whom, by whom, where and how it was said."""
    told = product(
        SCOPES, Sensitivity, SUBJECTS, (None, ASKER, PARTNER, THIRD), LEARNED, (True, False), (True, False),
        (None, "coach"),
    )  # fmt: skip
    names = ("scope", "sensitivity", "subject_person_ids", "stated_by", "learned", "portable", "confidential")
    made = [dict(zip((*names, "persona_id"), values, strict=True)) for values in told]
    for fields in made:
        fields["learned_in"], fields["learned_in_type"] = fields.pop("learned")
    nothing = [
        {"scope": scope, "sensitivity": None, "subject_person_ids": subjects}
        for scope, subjects in product(SCOPES, SUBJECTS)
    ]
    return made + nothing


def overridings() -> list[tuple[dict, dict]]:
    """Every way in which one's own word can stand above what others said."""
    states = ((State.ACTIVE, None), (State.ARCHIVED, "forgotten"), (State.SUPERSEDED, None))
    return [
        (
            {
                "scope": scope,
                "subject_person_ids": (about,),
                "stated_by": THIRD,
                "learned_in": "both",
                "learned_in_type": "group",
                "state": told_state[0],
                "archive_reason": told_state[1],
            },
            {
                "scope": own_scope,
                "subject_person_ids": (about,),
                "stated_by": about,
                "sensitivity": sensitivity,
                "confidential": confidential,
                "learned_in": "here",
                "learned_in_type": "private",
                "state": state[0],
                "archive_reason": state[1],
                "expires_at": over,
            },
        )
        for scope, about, told_state in product(SCOPES[:5], (ASKER, PARTNER), states[:2])
        for own_scope, sensitivity, confidential, state, over in product(
            SCOPES[:5], Sensitivity, (True, False), states, (None, NOW)
        )
    ]


def states_and_times() -> list[dict]:
    """Every state with every time that has come, has gone or is to come."""
    archived = ((State.ARCHIVED, "superseded"), (State.ARCHIVED, "evicted"))
    states = ((State.ACTIVE, None), (State.SUPERSEDED, None), *archived, (State.SOFT_DELETED, None))
    times = (None, NOW - 9 * DAY, NOW, NOW + DAY)
    return [
        {
            "state": state[0],
            "archive_reason": state[1],
            "expires_at": expires,
            "valid_from": since,
            "valid_to": until,
            "kind": kind,
            "type": type_,
            "observed_at": NOW - 4 * DAY,
            "category": "goals" if until else "tasks",
        }
        for state, expires, since, until, kind, type_ in product(
            states, times, times, times, (Kind.SEMANTIC, Kind.PROCEDURAL),
            (MemoryType.KNOWLEDGE, MemoryType.OBSERVATION),
        )
    ]  # fmt: skip


def moments() -> list[View]:
    """Views of now and of then."""
    return [
        replace(views("default")[0], as_of=as_of, include_expired=expired, categories=categories, now=now, **wanted)
        for as_of, expired, categories, now, wanted in product(
            (None, NOW - 5 * DAY, NOW - 2 * DAY, NOW, NOW + 5 * DAY),
            (False, True),
            (None, frozenset({"goals"}), frozenset()),
            (NOW, NOW + DAY, NOW - 2 * DAY, NOW + 4 * DAY),
            ({}, {"kinds": frozenset({Kind.PROCEDURAL})}),
        )
    ]


@pytest.fixture(scope="module")
def matrix(tmp_path_factory) -> World:
    world = World(tmp_path_factory.mktemp("matrix") / "memory.db")
    world.tell_all(who_and_where())
    yield world
    world.store.close()


@pytest.mark.parametrize("mode", MODES)
def test_every_combination_of_who_and_where(matrix, mode):
    cells = matrix.compare(views(mode))
    assert cells == 36 * (6 * 3 * 6 * 4 * 7 * 8 + 36)


def test_every_way_to_be_overridden(tmp_path):
    world = World(tmp_path / "memory.db")
    with world.store.transaction():
        for told, own in overridings():
            world.tell(**own, over=[world.tell(**told)])
    cells = sum(world.compare([view for view in views(mode) if view.persona is None]) for mode in MODES)
    assert cells == 36 * 2 * (5 * 2 * 2) * (5 * 3 * 2 * 3 * 2)
    world.store.close()


def test_every_state_and_time(tmp_path):
    world = World(tmp_path / "memory.db")
    world.tell_all(states_and_times())
    assert world.compare(moments()) == 240 * 5 * 4 * 4 * 4 * 2 * 2
    world.store.close()


def test_some_of_everything_on_postgres(new_database):
    """As many as can be had in seconds, the statements being the same text."""
    chance, world = random.Random(8), World(new_database())
    with world.store.transaction():
        world.tell_all([*chance.sample(who_and_where(), 160), *chance.sample(states_and_times(), 60)])
        for told, own in chance.sample(overridings(), 50):
            world.tell(**own, over=[world.tell(**told)])
    asking = [view for mode in MODES for view in chance.sample(views(mode), 10)] + chance.sample(moments(), 20)
    assert world.compare(asking) == 50 * 320
    assert 100 < sum(len(world.by_rule(view)) for view in asking) < 50 * 320
    world.store.close()


def test_other_tenants_are_another_world(tmp_path):
    world = World(tmp_path / "memory.db")
    world.tell(SCOPES[0])
    view = views("default")[0]
    assert world.by_sql(view) == {"m_0"}
    for way in (world.by_sql, world.by_sight, world.by_list, world.by_rule, world.at_once):
        assert way(replace(view, tenant="u")) == set()
    world.store.close()


def test_many_at_once_are_told_apart_by_tenant_and_space():
    own = memory(tenant="t", space=SCOPES[0][0], owner=SCOPES[0][1])
    others = [replace(own, id="m_2", tenant="u"), replace(own, id="m_3", space=Space.PROJECT)]
    assert shown([own, *others], views("default")[0], FACTS) == [own]
    assert shown([*others, own], views("default")[0], FACTS) == [own]
