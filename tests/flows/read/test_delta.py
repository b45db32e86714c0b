"""The delta header: three bullets at most, told once, right however many write at the same time."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from wellkept.flows.views import bare_view
from wellkept.policies.context import ToldChange, delta_header
from wellkept.store.contract import Change, Entry, Reader, Taking
from wellkept.testing.world import World
from wellkept.types import Viewpoint

THREADS, CHANGES = 8, 100


def change(number: int, **fields) -> ToldChange:
    defaults = {"rev": number, "event": "created", "memory_id": f"m_{number}", "category": "goals", "importance": 1.0}
    return ToldChange(**defaults | {"text": f"Fact {number}"} | fields)


def test_the_lines_are_those_of_the_specification():
    told = [
        change(1, category="profile", text="Preferred name is Ana", importance=2),
        change(2, event="updated", text="Ship v1 by Sep"),
        change(3, event="merged", text="Is lactose intolerant"),
    ]
    assert delta_header(7, told) == (
        "Memory updates since rev 7:",
        "- +created: [Personal] Preferred name is Ana (imp=2)",
        "- ↑updated: [Goals] Ship v1 by Sep",
        "- ↔merged: Combined 2 notes about Is lactose intolerant",
    )


def test_the_most_important_three_stand_in_their_order_and_the_rest_is_counted():
    told = [change(number, importance=float(number % 4)) for number in range(1, 10)]
    lines = delta_header(0, told)
    assert [re.search(r"Fact (\d)", line)[1] for line in lines[1:]] == ["3", "6", "7"]
    assert lines[-1].endswith("(+6 more)")
    assert delta_header(0, told[:3])[-1].endswith("Fact 3 (imp=3)")
    assert delta_header(0, []) == ()


@pytest.mark.parametrize(
    ("event", "sign"),
    [("deleted", "-deleted"), ("soft_deleted", "~soft_deleted"), ("restored", "^restored")],
)
def test_every_event_has_its_sign(event, sign):
    assert delta_header(0, [change(1, event=event)])[1].startswith(f"- {sign}: [Goals]")


def test_words_of_what_is_deleted_or_replaced_are_not_told():
    assert "Fact" not in delta_header(0, [change(1, event="deleted")])[1]
    assert delta_header(0, [change(1, text=None)]) == (), "what took its place is told"


def test_context_tells_once_and_recall_and_query_only_show(memory):
    ana = memory.at(user="ana", thread="t1", agent="supervisor")
    assert "delta" not in [section.name for section in ana.context("hello").sections]
    memory.at(user="ana").remember("My favorite color is teal")
    shown = ana.recall("color").delta
    assert shown[0] == "Memory updates since rev 0:"
    assert shown[1] == "- +created: [Preferences] The user's favorite color is teal"
    assert ana.query("color").delta == ana.recall("color").delta == shown
    assert ana.context("color", peek=True).sections[0].name == "delta"
    block = str(ana.context("color"))
    assert block.split("\n")[1:3] == list(shown)
    assert ana.recall("color").delta == ()
    assert "Memory updates" not in str(ana.context("color"))
    memory.at(user="ana").remember("My favorite color is amber")
    assert ana.recall("color").delta == (
        "Memory updates since rev 1:",
        "- ↑updated: [Preferences] The user's favorite color is amber",
    )


def test_without_a_thread_nothing_is_told(memory):
    ana = memory.at(user="ana")
    ana.remember("My favorite color is teal")
    assert ana.recall("color").delta == ()


def test_an_agent_is_told_only_of_what_it_may_read(memory):
    stylist, planner = (memory.at(user="ana", thread="t1", agent=name) for name in ("stylist", "planner"))
    stylist.context("hello")
    memory.at(user="ana").add("Ship the ferry by May", category="goals")
    assert stylist.recall("ferry").delta == ()
    assert len(planner.recall("ferry").delta) == 2


def test_what_one_persona_was_told_is_told_to_no_other(memory):
    coach, chef = (memory.at(user="ana", persona=name, thread=f"t-{name}") for name in ("Coach", "Chef"))
    chef.context("hello")
    coach.remember("I skipped training", only_persona=True)
    assert chef.recall("training").delta == ()
    assert "training" in coach.recall("training").delta[1]


def test_forgetting_and_restoring_is_told(memory):
    ana = memory.at(user="ana", thread="t1")
    stored = ana.remember("My favorite color is teal")
    ana.context("x")
    ana.forget(stored.id)
    assert str(ana.context("x")).split("\n")[2] == "- -deleted: [Preferences] a memory of this kind is gone"
    ana.restore(stored.id)
    assert str(ana.context("x")).split("\n")[2].startswith("- ^restored: [Preferences] The user's favorite")


@pytest.mark.parametrize("is_one_user", [True, False])
def test_many_writers_and_every_reader_hears_everything_once(memory_without_vectors, clock, is_one_user):
    store = memory_without_vectors.engine.store
    users = ["ana" if is_one_user else f"user{number}" for number in range(THREADS)]
    readers = [Reader(tenant="t", user=user, thread=f"t{number}") for number, user in enumerate(users)]
    for reader in readers:
        place = bare_view(Viewpoint(tenant="t", user=reader.user), store, clock())
        store.changes(place, reader, taken=Taking(at=clock(), keep_turns=10_000))
    heard: dict[int, list[int]] = {number: [] for number in range(THREADS)}

    def write_and_listen(number: int) -> None:
        reader, world = readers[number], World(store)
        place = bare_view(Viewpoint(tenant="t", user=reader.user), store, clock())
        for count in range(CHANGES):
            world.told = number * CHANGES + count
            with store.transaction():
                draft = world.draft(f"Fact {number} {count}.", scope=("user", reader.user))
                entry = Entry(op="create", memory_id=draft.id, version=1, actor=reader.user, thread=reader.thread)
                store.apply([replace(Change(memory=draft, entry=entry, is_new=True), terms={})], at=clock())
            if count % 10 == number:
                taken = store.changes(place, reader, taken=Taking(at=clock(), keep_turns=10_000))
                heard[number] += [one.rev for one in taken.changes]

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(write_and_listen, range(THREADS)))
    expected = CHANGES * THREADS if is_one_user else CHANGES
    for number, reader in enumerate(readers):
        place = bare_view(Viewpoint(tenant="t", user=reader.user), store, clock())
        rest = store.changes(place, reader, taken=Taking(at=clock(), keep_turns=10_000))
        assert rest.since == len(heard[number])
        assert heard[number] + [one.rev for one in rest.changes] == list(range(1, expected + 1))


def test_a_memory_that_changed_twice_is_told_once(memory):
    ana = memory.at(user="ana", thread="t1")
    ana.remember("I live in Rome")
    ana.remember("I live in Oslo")
    lines = [line for line in str(ana.context("x")).splitlines() if line.startswith(("- +", "- ↑"))]
    assert lines == ["- ↑updated: [Personal] The user lives in Oslo"]


def test_what_was_forgotten_while_nobody_spoke_is_told_once(memory, clock):
    ana = memory.at(user="ana", thread="t1")
    ana.context("hello")
    ana.remember("I saw a blue heron today")
    ana.context("hello")
    clock.advance(days=61)
    memory.upkeep.run("gc")
    assert "- ~soft_deleted: [Event] a memory of this kind is gone" in str(ana.context("hello"))
    assert "soft_deleted" not in str(ana.context("hello"))
