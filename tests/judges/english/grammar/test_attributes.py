"""Nouns that name an attribute of somebody."""

from __future__ import annotations

from wellkept.judges.english.grammar.attributes import ATTRIBUTES, AWAITED, EVENTS, JOB_HINTS, NOT_ATTRIBUTES, SCHEDULED


def test_words_for_one_attribute_share_its_slot():
    assert ATTRIBUTES["name"] == ATTRIBUTES["full name"] == "name"
    assert ATTRIBUTES["surname"] == ATTRIBUTES["last name"] == "last_name"


def test_no_word_both_is_an_attribute_and_is_not():
    assert not NOT_ATTRIBUTES & ATTRIBUTES.keys()


def test_what_is_scheduled_is_awaited():
    assert EVENTS | SCHEDULED <= AWAITED


def test_a_job_shows_in_its_ending():
    assert all(JOB_HINTS.search(word) for word in ("teacher", "nurse", "dentist"))
    assert not JOB_HINTS.search("happy")
