"""Forgetting a person takes out what the asker keeps, touches nobody else's, and tells nobody what others keep."""

from __future__ import annotations

import pytest

from wellkept.errors import NotAllowed, PersonNotFound
from wellkept.flows.people import forget_person as flow
from wellkept.store.contract import NewestRows
from wellkept.types import Alias

TEAM = {"chat": "team", "chat_type": "group"}


@pytest.fixture
def memory(memory_without_vectors):
    return memory_without_vectors


def states(memory) -> dict[str, tuple[str, str | None]]:
    store = memory.engine.store
    ids = {row.entry.memory_id for row in store.ledger(NewestRows(tenant="default", limit=500)) if row.entry.memory_id}
    found = (store.memory("default", one) for one in ids)
    return {one.content: (one.state.value, one.archive_reason) for one in found if one is not None}


def denied(memory) -> list[str | None]:
    return [
        row.entry.reason
        for row in memory.engine.store.ledger(NewestRows(tenant="default", limit=500))
        if row.entry.status == "denied"
    ]


def test_everything_of_the_asker_is_archived_with_a_row_each(memory, monkeypatch):
    monkeypatch.setattr(flow, "BATCH", 2)
    ana = memory.at(user="ana")
    told = [ana.add(f"Sarah's note {number}", about=["Sarah"]).id for number in range(5)]
    own = ana.add("The printer is on floor two").id
    gone = ana.forget_person("Sarah")
    assert (gone.name, gone.archived, gone.kept, gone.is_record_deleted) == ("Sarah", 5, 0, False)
    assert [one.id for one in ana.list()] == [own]
    for memory_id in told:
        event = ana.history(memory_id).events[0]
        assert (event.event, event.meta["reason"], event.actor) == ("DELETE", "forgotten", "ana")
    assert ana.forget_person("Sarah").archived == 0
    assert ana.restore(told[0]).outcome == "updated"
    assert list(memory.engine.store.verify("default")) == []


def test_what_was_replaced_is_forgotten_too(memory):
    ana = memory.at(user="ana")
    ana.remember("My sister Sarah lives in Oslo")
    ana.remember("My sister Sarah lives in Bergen")
    memory.upkeep.gc()
    ana.forget_person("Sarah")
    assert {state for text, state in states(memory).items() if "lives in" in text} == {("archived", "forgotten")}


def test_a_memory_that_was_deleted_before_keeps_its_reason(memory):
    ana = memory.at(user="ana")
    ana.forget(ana.add("Sarah sings", about=["Sarah"]).id)
    assert ana.forget_person("Sarah").archived == 0
    assert states(memory)["Sarah sings"] == ("archived", "user_deleted")


def test_other_peoples_memories_stay(memory):
    bob = memory.at(user="bob", username="bob", **TEAM, participants=("ana", "eve"))
    bob.remember("I am the treasurer")
    ana = memory.at(user="ana", **TEAM, participants=("bob", "eve"))
    ana.add("Bob likes rowing", about=["@bob"])
    ana.add("Bob brings the cake", about=["@bob"], shared=True)
    memory.at(user="eve", chat="dm-eve").add("Bob owes Eve ten euros", about=["@bob"])
    gone = ana.forget_person("@bob")
    assert gone.archived == 2
    found = states(memory)
    assert {found[text] for text in ("Bob likes rowing", "Bob brings the cake")} == {("archived", "forgotten")}
    assert found["Bob owes Eve ten euros"] == ("active", None)
    assert all(state == "active" for text, (state, _) in found.items() if "treasurer" in text)


def test_a_chat_of_others_is_not_theirs_to_change(memory):
    bob = memory.at(user="bob", username="bob", chat="club", chat_type="group", participants=("eve",))
    bob.add("Bob chairs the club", about=["me"], shared=True)
    memory.at(user="ana").add("Bob likes rowing", about=["@bob"])
    assert memory.at(user="ana").forget_person("@bob").archived == 1
    assert states(memory)["Bob chairs the club"] == ("active", None)


def test_a_stranger_is_as_one_who_does_not_exist(memory):
    memory.at(user="ana").add("Sarah sings", about=["Sarah"])
    sarah = memory.at(user="ana").person("Sarah").id
    for reference in (sarah, "p_aaaaaaaaaaaaaaaa", "Sarah"):
        with pytest.raises(PersonNotFound) as caught:
            memory.at(user="kai").forget_person(reference, delete_record=True)
        assert str(caught.value) == str(PersonNotFound("anybody"))
    assert states(memory)["Sarah sings"] == ("active", None)


def test_the_creator_may_remove_the_record(memory):
    ana = memory.at(user="ana")
    ana.remember("My sister Sarah lives in Oslo")
    sarah = ana.person("Sarah").id
    gone = ana.forget_person("my sister", delete_record=True)
    assert gone.is_record_deleted
    assert memory.engine.store.person("default", sarah) is None
    with pytest.raises(PersonNotFound):
        ana.person("Sarah")
    assert sarah not in {one.id for one in ana.people()}
    rows = [
        row.entry
        for row in memory.engine.store.ledger(NewestRows(tenant="default"))
        if row.entry.reason == "person_removed"
    ]
    assert [row.payload for row in rows] == [{"people": [sarah]}]
    ana.remember("My sister Sarah lives in Bergen")
    assert ana.person("Sarah").id != sarah


def test_others_may_not_remove_the_record_and_nothing_changes(memory):
    bob = memory.at(user="bob", username="bob", **TEAM, participants=("ana",))
    bob.remember("I am the treasurer")
    ana = memory.at(user="ana", **TEAM, participants=("bob",))
    ana.add("Bob likes rowing", about=["@bob"])
    before = states(memory)
    with pytest.raises(NotAllowed) as caught:
        ana.forget_person("@bob", delete_record=True)
    assert caught.value.code == "not_creator"
    assert denied(memory) == ["not_creator"]
    assert states(memory) == before


def test_whoever_spoke_of_a_user_first_does_not_remove_the_user(memory):
    ana = memory.at(user="ana", **TEAM, participants=("bob",))
    ana.add("Carl likes rowing", about=["@carl"])
    memory.at(user="carl", username="carl", **TEAM).remember("I like tea")
    assert memory.engine.store.person("default", user="carl").created_by == "ana"
    with pytest.raises(NotAllowed) as caught:
        ana.forget_person("@carl", delete_record=True)
    assert caught.value.code == "not_creator"


def test_the_record_stays_while_memories_of_others_are_seen_about_them(memory):
    memory.at(user="ana").add("Carl runs the shop", about=["@carl"])
    carl = memory.at(user="ana").person("@carl").id
    memory.at(user="bob", **TEAM, participants=("ana", "@carl")).add("Carl is kind", about=["@carl"])
    ana = memory.at(user="ana", **TEAM, participants=("bob", "@carl"))
    assert "Carl is kind" in [one.content for one in ana.list(about=["@carl"])]
    before = states(memory)
    with pytest.raises(NotAllowed) as caught:
        ana.forget_person("@carl", delete_record=True)
    assert caught.value.code == "person_in_use"
    assert denied(memory) == ["person_in_use"]
    assert states(memory) == before
    assert memory.engine.store.person("default", carl) is not None
    assert (ana.forget_person("@carl").archived, ana.forget_person("@carl").kept) == (1, 1)


def test_what_others_keep_to_themselves_does_not_show_in_the_answer(memory):
    answers = []
    for tenant, is_shared in (("one", False), ("two", True)):
        ana = memory.at(user="ana", tenant=tenant)
        ana.remember("My sister Sarah lives in Oslo")
        sarah = ana.person("Sarah").id
        if is_shared:
            memory.at(user="eve", tenant=tenant).add("Sarah owes Eve ten euros", about=[sarah])
        gone = ana.forget_person("Sarah", delete_record=True)
        answers.append((gone.name, gone.archived, gone.kept, gone.is_record_deleted, ana.people(), ana.list()))
        kept = memory.engine.store.person(tenant, sarah)
        assert (kept is not None) == is_shared
    assert answers[0] == answers[1]
    assert (kept.created_by, kept.aliases, kept.relationships) == (None, (), ())
    assert memory.at(user="eve", tenant="two").list()[0].subject_person_ids == (sarah,)


def test_what_others_call_somebody_is_left_to_them(memory):
    ana = memory.at(user="ana", **TEAM)
    ana.remember("My sister Sarah lives in Oslo")
    sarah = ana.person("Sarah").id
    store = memory.engine.store
    person = store.person("default", sarah)
    with store.transaction():
        store.keep(_called(person, "Sal", by="eve"))
    ana.forget_person(sarah, delete_record=True)
    assert [alias.added_by for alias in store.person("default", sarah).aliases] == ["eve"]


def _called(person, alias, *, by):
    return type(person)(**{**vars(person), "aliases": (*person.aliases, Alias(value=alias, added_by=by))})


def test_a_user_may_take_out_their_own_record(memory):
    bob = memory.at(user="bob", username="bob", **TEAM, participants=("ana",))
    bob.remember("I am the treasurer")
    bob.add("The printer is on floor two", about=["Sarah"])
    with pytest.raises(NotAllowed) as caught:
        bob.forget_person("me", delete_record=True)
    assert caught.value.code == "person_in_use"
    bob.forget_person("Sarah")
    assert bob.forget_person("me", delete_record=True).archived == 1
    assert memory.engine.store.person("default", user="bob") is None


def test_a_user_leaves_a_record_that_others_need_without_the_link(memory):
    bob = memory.at(user="bob", username="bob", **TEAM, participants=("ana",))
    bob.remember("I am the treasurer")
    own = memory.engine.store.person("default", user="bob").id
    eve = memory.at(user="eve", chat="dm-eve")
    eve.add("Bob owes Eve ten euros", about=["@bob"], sensitivity="sensitive")
    bob.forget_person("me", delete_record=True)
    store = memory.engine.store
    assert store.person("default", user="bob") is None
    assert store.person("default", own) is not None
    assert own not in store.attendance("default", ["team"]).get("team", frozenset())


def test_the_system_forgets_for_everybody(memory):
    ana = memory.at(user="ana")
    ana.add("Sarah sings", about=["Sarah"])
    sarah = ana.person("Sarah").id
    memory.at(user="eve").add("Sarah paints", about=[sarah])
    gone = memory.people.forget(sarah, delete_record=True)
    assert gone.archived == 2
    assert memory.people.list() == tuple(one for one in memory.people.list() if one.id != sarah)
    assert memory.engine.store.person("default", sarah) is None
