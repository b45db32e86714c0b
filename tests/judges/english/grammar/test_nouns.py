"""Noun phrases as values: number, spelling of names, and the members of a coordination."""

from __future__ import annotations

import pytest

from wellkept.judges.english.grammar.nouns import is_plural_word, members, titled
from wellkept.judges.english.grammar.parser import parse


@pytest.mark.parametrize(
    ("word", "is_plural"), [("dogs", True), ("children", True), ("glass", False), ("news", False), ("cat", False)]
)
def test_number_is_seen_in_the_word(word, is_plural):
    assert is_plural_word(word) is is_plural


def test_a_name_gets_its_capitals():
    assert titled("ana lima") == "Ana Lima"


def test_members_come_with_what_hangs_on_them():
    (clause,) = parse("Tom and the sister of Ana live here")
    assert clause.subject is not None
    assert [noun.name or noun.relation for noun in members(clause.subject)] == ["Tom", "sister", "Ana"]


def test_the_speaker_and_people_are_known_from_things():
    (clause,) = parse("I gave my sister a book")
    assert clause.subject is not None
    assert clause.subject.is_speaker
    assert clause.indirect is not None
    assert clause.indirect.is_person
    assert clause.object is not None
    assert not clause.object.is_person
    assert clause.object.label == "book"
