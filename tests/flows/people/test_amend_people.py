"""Only the creator or the person may change a person; a refusal has a code and a ledger row, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

import pytest

from wellkept.errors import InvalidInput, NotAllowed, PersonNotFound, Refused
from wellkept.flows.people import amend_people, identity
from wellkept.policies.people.persons import learn
from wellkept.policies.people.references import parse
from wellkept.store.contract import NewestRows, Store
from wellkept.store.opening import open_store
from wellkept.types import Person, Viewpoint

TEAM = {"chat": "team", "chat_type": "group", "participants": ("ana", "bob", "kai")}


@dataclass(frozen=True)
class World:
    store: Store
    now: datetime

    def say(self, words: str, *, by: str = "ana", **where) -> Person:
        with self.store.transaction():
            view, _ = identity.gather(Viewpoint(user=by, **where), self.store, self.now)
            return identity.resolve(parse(words), speaker=by, view=view, store=self.store, now=self.now).person

    def call(self, verb, *words: str, by: str | None = "ana", **where):
        view = identity.view_of(Viewpoint(user=by, **where), self.store, self.now)
        return verb(*words, view=view, store=self.store)

    def denied(self) -> list[str | None]:
        return [
            row.entry.reason for row in self.store.ledger(NewestRows(tenant="default")) if row.entry.status == "denied"
        ]


@pytest.fixture
def world(store_path, clock) -> Iterator[World]:
    store = open_store(store_path)
    yield World(store, clock())
    store.close()


@pytest.mark.parametrize("verb", [amend_people.add_alias, amend_people.rename_person])
def test_a_secret_is_no_name(world, verb):
    world.say("Wojciech")
    with pytest.raises(Refused) as caught:
        world.call(verb, "Wojciech", "password is Gr1ffin-77x")
    assert caught.value.code == "privacy_deny_sensitive"
    assert world.denied() == ["privacy_deny_sensitive"]
    assert world.say("Wojciech").aliases == ()


def test_the_creator_adds_an_alias_that_only_they_see(world):
    person = world.say("Wojciech")
    world.call(amend_people.add_alias, "Wojciech", "Voytek")
    assert world.say("Voytek").id == person.id


def test_the_person_may_change_themself(world):
    bob = world.say("me", by="bob", **TEAM)
    renamed = world.call(amend_people.rename_person, bob.id, "Robert", by="bob")
    assert renamed.name == "Robert"


@pytest.mark.parametrize("verb", [amend_people.add_alias, amend_people.rename_person])
def test_others_are_refused_with_a_code_and_a_row(world, verb):
    bob = world.say("me", by="bob", **TEAM)
    before = world.store.person("default", bob.id)
    with pytest.raises(NotAllowed) as caught:
        world.call(verb, bob.id, "Bobby", by="kai", **TEAM)
    assert caught.value.code == "not_creator"
    assert world.denied() == ["not_creator"]
    assert world.store.person("default", bob.id) == before


@pytest.mark.parametrize("verb", [amend_people.add_alias, amend_people.rename_person])
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
        world.call(amend_people.merge_people, mine.id, bob.id, **TEAM)
    assert world.denied() == ["not_creator"]
    assert world.store.person("default", bob.id).id == bob.id


@pytest.mark.parametrize("verb", [amend_people.add_alias, amend_people.rename_person])
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
                world.call(amend_people.merge_people, *pair, by="bob")
            assert caught.value.code == "not_vouched"
    assert set(world.denied()) == {"not_vouched"}
    nick = world.say("Nick", by="bob")
    world.say("me", by="kai", chat="club", chat_type="group", participants=(nick.id,))
    with pytest.raises(NotAllowed):
        world.call(amend_people.merge_people, bob.id, nick.id, by="bob")
    brother = world.say("my brother", by="bob")
    assert world.call(amend_people.merge_people, dana.id, brother.id, by="bob").id == dana.id
    assert world.call(amend_people.merge_people, bob.id, gina.id, by=None).id == bob.id


def test_a_handle_that_is_mentioned_is_not_given_to_a_user(world):
    bob = world.say("me", by="bob", **TEAM)
    with world.store.transaction():
        assert learn(bob, replace(parse("@carol"), name=None), None, by="ana") == bob


def test_an_answer_ends_the_question(world):
    one, other = world.say("Mukesh"), world.say("Makesh")
    view = identity.view_of(Viewpoint(user="ana"), world.store, world.now)
    assert len(amend_people.questions(view, world.store)) == 1
    world.call(amend_people.merge_people, one.id, other.id)
    assert amend_people.questions(view, world.store) == ()
    assert world.say("Makesh").id == one.id
    first, second = world.call(amend_people.split_person, other.id)
    assert (first.id, second.id) == (one.id, other.id)
    assert world.say("Makesh").id == other.id
    assert amend_people.questions(view, world.store) == ()


def test_kept_apart_is_not_asked_again(world):
    one, other = world.say("Mukesh"), world.say("Makesh")
    world.call(amend_people.keep_apart, one.id, other.id)
    world.say("Makesh")
    view = identity.view_of(Viewpoint(user="ana"), world.store, world.now)
    assert amend_people.questions(view, world.store) == ()


def test_a_split_names_the_merged_or_the_whole(world):
    one, other = world.say("Asha"), world.say("Bela")
    world.call(amend_people.merge_people, "Asha", "Bela")
    first, second = world.call(amend_people.split_person, "Asha")
    assert {first.id, second.id} == {one.id, other.id}
    with pytest.raises(InvalidInput) as caught:
        world.call(amend_people.split_person, "Asha")
    assert caught.value.code == "not_merged"


def test_an_empty_name_is_refused(world):
    world.say("Asha")
    with pytest.raises(InvalidInput):
        world.call(amend_people.rename_person, "Asha", " . ")


def test_work_without_a_user_is_not_asked_who_it_is(world):
    person = world.say("Asha")
    assert world.call(amend_people.rename_person, person.id, "Usha", by=None).name == "Usha"


def test_a_relation_is_said_and_taken_back_and_is_the_asker_s_own(world):
    world.say("my wife Sarah")
    world.say("Ida")
    sarah = world.say("Sarah")
    view = identity.view_of(Viewpoint(user="ana"), world.store, world.now)

    def ties(name):
        person = world.store.person("default", name)
        return [(one.relationship, one.other_person_id) for one in person.relationships if one.stated_by == "ana"]

    ida = world.say("Ida")
    amend_people.relate_person("Ida", "Sister", to=None, view=view, store=world.store)
    amend_people.relate_person("Ida", "friend", to="Sarah", view=view, store=world.store)
    assert ties(ida.id) == [("sister", view.person), ("friend", sarah.id)]
    amend_people.relate_person("Ida", "cousin", to=None, view=view, store=world.store)
    assert ties(ida.id) == [("friend", sarah.id), ("cousin", view.person)]
    amend_people.unrelate_person("Ida", to="Sarah", view=view, store=world.store)
    assert ties(ida.id) == [("cousin", view.person)]
    for wrong in ("", "x" * 61):
        with pytest.raises(InvalidInput):
            amend_people.relate_person("Ida", wrong, to=None, view=view, store=world.store)
    stranger = identity.view_of(Viewpoint(user="bob"), world.store, world.now)
    with pytest.raises(PersonNotFound):
        amend_people.relate_person("Ida", "aunt", to=None, view=stranger, store=world.store)
