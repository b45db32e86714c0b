"""Somebody whom others spoke of before: what was said of them is found from the first read, and by the right one."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.errors import NotAllowed

TEAM = {"chat": "team", "chat_type": "group"}


@pytest.fixture
def memory(store_url, clock):
    with wellkept.open(store_url, clock=clock, embedder="none", worker="off") as opened:
        yield opened


@pytest.fixture
def ann(memory):
    return memory.at(user="ann", display_name="Ann", participants=["ann"], **TEAM)


def texts(viewpoint):
    return [one.content for one in viewpoint.list()]


def test_whom_a_handle_was_spoken_of_reads_it_before_writing_anything(memory, ann):
    ann.remember("@bob plays the drums")
    bob = memory.at(user="u-7", chat="dm-bob", username="bob")
    assert texts(bob) == ["@bob plays the drums"]
    assert [hit.text for hit in bob.recall("What do I play?")] == ["@bob plays the drums"]
    assert [bullet.text for bullet in bob.query("What do I play?")] == ["[knowledge] @bob plays the drums"]
    assert "about you" in str(bob.context("What do I play?"))
    assert memory.engine.store.person("default", user="u-7") is None, "a read writes nothing"


def test_a_question_of_the_arrived_is_answered(memory, ann):
    ann.remember("@bob plays the drums")
    assert memory.at(user="u-7", chat="dm-bob", username="bob").chat("What do I play?").text == "You play the drums."


def test_another_handle_or_none_reads_nothing(memory, ann):
    ann.remember("@bob plays the drums")
    assert texts(memory.at(user="u-7", chat="dm", username="bobby")) == []
    assert texts(memory.at(user="u-7", chat="dm")) == []


def test_a_handle_of_another_user_reads_nothing(memory, ann):
    memory.at(user="u-7", chat="dm-bob", username="bob").remember("I live in Ulm")
    ann.remember("@bob plays the drums")
    assert texts(memory.at(user="u-8", chat="dm", username="bob")) == []


def meet(memory, user, name):
    memory.at(user=user, display_name=name, participants=["ann", "bea"], **TEAM).observe(
        [{"role": "user", "content": "hello all"}], extract=False
    )


@pytest.mark.parametrize(("said", "name"), [("Bea", "Bea"), ("Bea", "Bea Lindqvist"), ("Lindqvist", "Bea Lindqvist")])
def test_who_was_spoken_of_before_they_met_is_asked_about_and_made_one(memory, said, name):
    private = memory.at(user="ann", display_name="Ann", chat="dm-ann")
    private.remember(f"{said} plays the cello")
    meet(memory, "ann", "Ann")
    meet(memory, "bea", name)
    [doubt] = private.review_people().waiting
    assert texts(memory.at(user="bea", chat="dm-bea")) == []
    private.review_people(same=[doubt.one.id, doubt.other.id])
    assert private.review_people().waiting == ()
    assert texts(memory.at(user="bea", chat="dm-bea")) == [f"{said} plays the cello"]
    private.split_person(doubt.one.id)
    assert texts(memory.at(user="bea", chat="dm-bea")) == []


def test_what_a_third_one_told_is_not_moved_by_an_answer(memory, ann):
    private = memory.at(user="ann", display_name="Ann", chat="dm-ann")
    private.remember("Bea plays the cello")
    bea = private.person("Bea").id
    memory.at(user="cid", chat="dm-cid").add("Bea owes me a drink", about=[bea])
    meet(memory, "ann", "Ann")
    meet(memory, "bea", "Bea")
    [doubt] = private.review_people().waiting
    with pytest.raises(NotAllowed):
        private.review_people(same=[doubt.one.id, doubt.other.id])


def test_without_a_question_a_user_is_nobody_elses_to_merge(memory, ann):
    ann.remember("Dot plays the cello")
    meet(memory, "ann", "Ann")
    meet(memory, "bea", "Bea")
    with pytest.raises(NotAllowed):
        ann.merge_people("Bea", "Dot")


def test_a_split_gives_each_what_names_them(memory):
    me = memory.at(user="ann", chat="dm-ann")
    me.remember("My friend Liz plays chess")
    me.remember("My colleague Beth plays the harp")
    me.merge_people("Liz", "Beth")
    me.remember("Beth has a parrot")
    me.remember("Liz lives in Rome")
    me.split_person("Liz")
    told = {one.name: [shown.memory.content for shown in one.memories] for one in map(me.person, ("Liz", "Beth"))}
    assert sorted(told["Beth"]) == ["Beth has a parrot", "Beth plays the harp"]
    assert sorted(told["Liz"]) == ["Liz lives in Rome", "Liz plays chess"]
    [parrot] = [one for one in me.list() if "parrot" in one.content]
    assert parrot.memory_key.split("|")[2] == "beth"
    assert parrot.entity_refs == ("person:beth",)
    assert me.remember("Beth has a parrot").outcome == "duplicate"


def test_what_was_told_before_the_name_gets_its_entity_and_key(memory):
    me = memory.at(user="ann", chat="dm-ann")
    me.remember("My wife is allergic to nuts")
    me.remember("My wife's name is Sarah")
    [allergy] = [one for one in me.list() if "nuts" in one.content]
    assert allergy.memory_key == "people|person|sarah|fact"
    assert allergy.entity_refs == ("person:sarah",)
    assert allergy.entity_label == "Sarah"


def test_the_key_is_that_of_whom_a_relationship_is_with(memory):
    me = memory.at(user="ann", chat="dm-ann")
    me.remember("John Doe is my cofounder")
    [one] = me.list()
    assert one.memory_key == "people|person|john_doe|relationship"
