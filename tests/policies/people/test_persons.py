"""Persons as values: what they learn, what others see of them, and two as one and back."""

from __future__ import annotations

from datetime import UTC, datetime

from wellkept.policies.people.persons import (
    divided,
    label,
    learn,
    leave_place,
    relation_to,
    seen_by,
    united,
    with_alias,
    with_name,
    with_relationship,
)
from wellkept.types import Alias, Person, Reference, Relationship

NOW = datetime(2026, 3, 2, tzinfo=UTC)
ANA = Person(id="p1", tenant="t", name="Ana", created_by="u1", created_at=NOW)
NOBODY = Person(id="p2", tenant="t", created_by="u1", created_at=NOW)
WIFE = Relationship(relationship="wife", stated_by="u1", other_person_id="p9")


def test_labels_go_from_name_to_handle_to_relation():
    assert label(ANA) == "Ana"
    assert label(with_alias(NOBODY, "@bob", by="u1")) == "@bob"
    assert label(with_relationship(NOBODY, WIFE), asker="u1") == "your wife"
    assert label(with_relationship(NOBODY, WIFE), asker="u2") == "somebody"
    assert label(with_alias(NOBODY, "u-7", by=None)) == "u-7"


def test_others_see_handles_but_no_aliases_and_relations():
    known = with_relationship(with_alias(with_alias(ANA, "Annie", by="u1"), "@ana", by="u1"), WIFE)
    assert seen_by(known, "u1") == known
    assert [alias.value for alias in seen_by(known, "u2").aliases] == ["@ana"]
    assert seen_by(known, "u2").relationships == ()


def test_a_name_is_held_once():
    assert with_alias(ANA, "ana", by="u1") == ANA
    assert with_alias(with_alias(ANA, "Annie", by="u1"), "ANNIE", by="u2").aliases == (
        Alias(value="Annie", added_by="u1"),
    )
    assert with_name(ANA, "Anna", by="u1").aliases == (Alias(value="Ana", added_by="u1"),)
    assert with_name(NOBODY, "Bea", by="u1").aliases == ()


def test_a_love_has_one_stage_at_a_time():
    girlfriend = Relationship(relationship="girlfriend", stated_by="u1", other_person_id="p9")
    friend = Relationship(relationship="friend", stated_by="u1", other_person_id="p9")
    person = with_relationship(with_relationship(ANA, girlfriend), friend)
    assert with_relationship(person, WIFE).relationships == (friend, WIFE)


def test_a_place_for_one_is_left_when_another_takes_it():
    left = leave_place(with_relationship(ANA, WIFE), WIFE)
    assert relation_to(left, "u1") == "former wife"
    friend = Relationship(relationship="friend", stated_by="u1", other_person_id="p9")
    assert leave_place(with_relationship(ANA, friend), friend).relationships == (friend,)


def test_only_the_creator_or_the_person_gives_the_name():
    said = Reference(text="Bob", name="Bob")
    user = Person(id="p3", tenant="t", created_by="u7", created_at=NOW, user_id="u7", aliases=(Alias(value="u7"),))
    assert learn(user, said, None, by="u7").name == "Bob"
    assert learn(NOBODY, said, None, by="u1").name == "Bob"
    heard = learn(user, said, None, by="u1")
    assert heard.name is None
    assert label(seen_by(heard, "u1"), asker="u1") == "Bob"
    assert label(seen_by(heard, "u2"), asker="u2") == "u7"


def test_united_and_divided():
    one = with_alias(ANA, "Annie", by="u1")
    two = with_relationship(with_name(NOBODY, "Anna", by="u1"), WIFE)
    tied = with_relationship(two, Relationship(relationship="sister", stated_by="u1", other_person_id="p1"))
    whole = united(one, tied)
    assert [alias.value for alias in whole.aliases] == ["Annie", "Anna"]
    assert whole.relationships == (WIFE,)
    later = with_alias(whole, "Nan", by="u1")
    assert divided(later, one, tied) == with_alias(one, "Nan", by="u1")


def test_an_unnamed_primary_takes_the_name_and_gives_it_back():
    whole = united(NOBODY, ANA)
    assert whole.name == "Ana"
    assert divided(whole, NOBODY, ANA) == NOBODY
