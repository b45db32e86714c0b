"""Only the creator or the person may change a person; a refusal has a code and a ledger row, and changes nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

import pytest

from wellkept.errors import InvalidInput, NotAllowed, PersonNotFound, Refused
from wellkept.flows import views
from wellkept.flows.engine import Engine
from wellkept.flows.people import amend_people
from wellkept.policies.people.persons import learn
from wellkept.policies.people.references import parse
from wellkept.store.contract import NewestRows, Store
from wellkept.types import Alias, Person, Viewpoint

TEAM = {"chat": "team", "chat_type": "group", "participants": ("ana", "bob", "kai")}


@dataclass(frozen=True)
class World:
    engine: Engine
    store: Store
    now: datetime

    def say(self, words: str, *, by: str = "ana", **where) -> Person:
        with self.store.transaction():
            view, _ = views.gather(Viewpoint(user=by, **where), self.store, self.now)
            return views.resolve(parse(words), speaker=by, view=view, store=self.store, now=self.now).person

    def call(self, verb, *words: str | None, by: str | None = "ana", **where):
        return verb(*words, Viewpoint(user=by, **where), self.engine)

    def questions(self):
        return amend_people.questions(views.bare_view(Viewpoint(user="ana"), self.store, self.now), self.store)

    def denied(self) -> list[str | None]:
        return [
            row.entry.reason for row in self.store.ledger(NewestRows(tenant="default")) if row.entry.status == "denied"
        ]


@pytest.fixture
def memory(memory_without_vectors):
    return memory_without_vectors


@pytest.fixture
def world(memory) -> World:
    return World(memory.engine, memory.engine.store, memory.engine.clock())


@pytest.mark.parametrize("verb", [amend_people.alias, amend_people.rename])
def test_a_secret_is_no_name(world, verb):
    world.say("Wojciech")
    with pytest.raises(Refused) as caught:
        world.call(verb, "Wojciech", "password is Gr1ffin-77x")
    assert caught.value.code == "privacy_deny_sensitive"
    assert world.denied() == ["privacy_deny_sensitive"]
    assert world.say("Wojciech").aliases == ()


def test_the_creator_adds_an_alias_that_only_they_see(world):
    person = world.say("Wojciech")
    world.call(amend_people.alias, "Wojciech", "Voytek")
    assert world.say("Voytek").id == person.id


def test_the_person_may_change_themself(world):
    bob = world.say("me", by="bob", **TEAM)
    world.call(amend_people.rename, bob.id, "Robert", by="bob")
    assert world.store.person("default", bob.id).name == "Robert"


@pytest.mark.parametrize("verb", [amend_people.alias, amend_people.rename])
def test_others_are_refused_with_a_code_and_a_row(world, verb):
    bob = world.say("me", by="bob", **TEAM)
    before = world.store.person("default", bob.id)
    with pytest.raises(NotAllowed) as caught:
        world.call(verb, bob.id, "Bobby", by="kai", **TEAM)
    assert caught.value.code == "not_creator"
    assert world.denied() == ["not_creator"]
    assert world.store.person("default", bob.id) == before


@pytest.mark.parametrize("verb", [amend_people.alias, amend_people.rename])
def test_a_stranger_is_as_one_who_does_not_exist(world, verb):
    person = world.say("Noa")
    for target in (person.id, "p_aaaaaaaaaaaaaaaa"):
        with pytest.raises(PersonNotFound) as caught:
            world.call(verb, target, "Nono", by="kai")
        assert str(caught.value) == str(PersonNotFound("anybody"))
    assert world.denied() == []


def test_a_merge_of_somebody_elses_person_is_refused(world):
    mine, bob = world.say("Robert", **TEAM), world.say("me", by="bob", **TEAM)
    with pytest.raises(NotAllowed):
        world.call(amend_people.merge, mine.id, bob.id, **TEAM)
    assert world.denied() == ["not_creator"]
    assert world.store.person("default", bob.id).id == bob.id


@pytest.mark.parametrize("verb", [amend_people.alias, amend_people.rename])
def test_a_user_gets_a_handle_from_nobody_but_the_application(world, verb):
    bob = world.say("me", by="bob", **TEAM)
    with pytest.raises(NotAllowed) as caught:
        world.call(verb, bob.id, "@carol", by="bob")
    assert (caught.value.code, world.denied()) == ("not_vouched", ["not_vouched"])
    world.call(verb, bob.id, "@bob", by=None)
    reached = world.store.person("default", bob.id)
    assert "@bob" in (reached.name, *(alias.value for alias in reached.aliases))
    dan = world.say("Dan", by="bob")
    world.call(verb, dan.id, "@dan", by="bob")


def test_nobody_becomes_a_user_or_a_handle_by_a_merge(world):
    """Whoever spoke of "@dana" first would get into her chats."""
    bob, dana, gina = world.say("me", by="bob"), world.say("@dana", by="bob"), world.say("@gina", by="bob")
    world.say("me", by="dana", username="dana", chat="dm-dana")
    assert world.store.person("default", user="dana").id == dana.id
    for other in (dana, gina):
        for pair in ((bob.id, other.id), (other.id, bob.id)):
            with pytest.raises(NotAllowed) as caught:
                world.call(amend_people.merge, *pair, by="bob")
            assert caught.value.code == "not_vouched"
    assert set(world.denied()) == {"not_vouched"}
    nick = world.say("Nick", by="bob")
    world.say("me", by="kai", chat="club", chat_type="group", participants=(nick.id,))
    with pytest.raises(NotAllowed):
        world.call(amend_people.merge, bob.id, nick.id, by="bob")
    brother = world.say("my brother", by="bob")
    assert world.call(amend_people.merge, dana.id, brother.id, by="bob").person.id == dana.id
    assert world.call(amend_people.merge, bob.id, gina.id, by=None).person.id == bob.id


def test_a_handle_that_is_mentioned_is_not_given_to_a_user(world):
    bob = world.say("me", by="bob", **TEAM)
    with world.store.transaction():
        assert learn(bob, replace(parse("@carol"), name=None), None, by="ana") == bob


def test_an_answer_ends_the_question(world):
    one, other = world.say("Mukesh"), world.say("Makesh")
    assert len(world.questions()) == 1
    world.call(amend_people.merge, one.id, other.id)
    assert world.questions() == ()
    assert world.say("Makesh").id == one.id
    first, second = world.call(amend_people.split, other.id)
    assert (first.id, second.id) == (one.id, other.id)
    assert world.say("Makesh").id == other.id
    assert world.questions() == ()


def test_kept_apart_is_not_asked_again(world):
    one, other = world.say("Mukesh"), world.say("Makesh")
    world.call(amend_people.review, (), (one.id, other.id))
    world.say("Makesh")
    assert world.questions() == ()


def test_a_split_names_the_merged_or_the_whole(world):
    one, other = world.say("Asha"), world.say("Bela")
    world.call(amend_people.merge, "Asha", "Bela")
    first, second = world.call(amend_people.split, "Asha")
    assert {first.id, second.id} == {one.id, other.id}
    with pytest.raises(InvalidInput) as caught:
        world.call(amend_people.split, "Asha")
    assert caught.value.code == "not_merged"


def test_an_empty_name_is_refused(world):
    world.say("Asha")
    with pytest.raises(InvalidInput):
        world.call(amend_people.rename, "Asha", " . ")


def test_work_without_a_user_is_not_asked_who_it_is(world):
    person = world.say("Asha")
    assert world.call(amend_people.rename, person.id, "Usha", by=None).name == "Usha"


def test_a_relation_is_said_and_taken_back_and_is_the_asker_s_own(world):
    world.say("my wife Sarah")
    world.say("Ida")
    sarah = world.say("Sarah")
    view = views.bare_view(Viewpoint(user="ana"), world.store, world.now)

    def ties(name):
        person = world.store.person("default", name)
        return [(one.relationship, one.other_person_id) for one in person.relationships if one.stated_by == "ana"]

    ida = world.say("Ida")
    world.call(amend_people.relate, "Ida", "Sister", None)
    world.call(amend_people.relate, "Ida", "friend", "Sarah")
    assert ties(ida.id) == [("sister", view.person), ("friend", sarah.id)]
    world.call(amend_people.relate, "Ida", "cousin", None)
    assert ties(ida.id) == [("friend", sarah.id), ("cousin", view.person)]
    world.call(amend_people.relate, "Ida", " ", "Sarah")
    assert ties(ida.id) == [("cousin", view.person)]
    for wrong in ("...", "x" * 61):
        with pytest.raises(InvalidInput):
            world.call(amend_people.relate, "Ida", wrong, None)
    with pytest.raises(PersonNotFound):
        world.call(amend_people.relate, "Ida", "aunt", None, by="bob")


CHAT = {"chat": "team", "chat_type": "group"}


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
    monkeypatch.setattr(amend_people, "BATCH", 2)
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
    bob = memory.at(user="bob", username="bob", **CHAT, participants=("ana", "eve"))
    bob.remember("I am the treasurer")
    ana = memory.at(user="ana", **CHAT, participants=("bob", "eve"))
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


def test_somebody_unknown_cannot_be_forgotten(memory):
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
    bob = memory.at(user="bob", username="bob", **CHAT, participants=("ana",))
    bob.remember("I am the treasurer")
    ana = memory.at(user="ana", **CHAT, participants=("bob",))
    ana.add("Bob likes rowing", about=["@bob"])
    before = states(memory)
    with pytest.raises(NotAllowed) as caught:
        ana.forget_person("@bob", delete_record=True)
    assert caught.value.code == "not_creator"
    assert denied(memory) == ["not_creator"]
    assert states(memory) == before


def test_whoever_spoke_of_a_user_first_does_not_remove_the_user(memory):
    ana = memory.at(user="ana", **CHAT, participants=("bob",))
    ana.add("Carl likes rowing", about=["@carl"])
    memory.at(user="carl", username="carl", **CHAT).remember("I like tea")
    assert memory.engine.store.person("default", user="carl").created_by == "ana"
    with pytest.raises(NotAllowed) as caught:
        ana.forget_person("@carl", delete_record=True)
    assert caught.value.code == "not_creator"


def test_the_record_stays_while_memories_of_others_are_seen_about_them(memory):
    memory.at(user="ana").add("Carl runs the shop", about=["@carl"])
    carl = memory.at(user="ana").person("@carl").id
    memory.at(user="bob", **CHAT, participants=("ana", "@carl")).add("Carl is kind", about=["@carl"])
    ana = memory.at(user="ana", **CHAT, participants=("bob", "@carl"))
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
    ana = memory.at(user="ana", **CHAT)
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
    bob = memory.at(user="bob", username="bob", **CHAT, participants=("ana",))
    bob.remember("I am the treasurer")
    bob.add("The printer is on floor two", about=["Sarah"])
    with pytest.raises(NotAllowed) as caught:
        bob.forget_person("me", delete_record=True)
    assert caught.value.code == "person_in_use"
    bob.forget_person("Sarah")
    assert bob.forget_person("me", delete_record=True).archived == 1
    assert memory.engine.store.person("default", user="bob") is None


def test_a_user_leaves_a_record_that_others_need_without_the_link(memory):
    bob = memory.at(user="bob", username="bob", **CHAT, participants=("ana",))
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
