"""Forms of English verbs, and what a written form can stand for."""

from __future__ import annotations

import pytest

from wellkept.judges.english.grammar.verbs import gerund, guess_form, is_verb, past_of, third_person, verb_form


@pytest.mark.parametrize(
    ("verb", "third", "ing"),
    [("go", "goes", "going"), ("try", "tries", "trying"), ("watch", "watches", "watching"), ("have", "has", "having")],
)
def test_forms_are_spelled(verb, third, ing):
    assert (third_person(verb), gerund(verb)) == (third, ing)


def test_the_past_of_regular_verbs():
    assert [past_of(verb) for verb in ("try", "love", "watch", "play")] == ["tried", "loved", "watched", "played"]


def test_a_written_form_is_read():
    found = verb_form("went")
    assert found is not None
    assert (found.lemma, found.forms) == ("go", {"past"})
    assert verb_form("zzz") is None
    assert is_verb("sang")
    assert not is_verb("teapot")


def test_an_unknown_verb_is_read_by_its_ending():
    assert guess_form("blorbed").lemma == "blorb"
    assert guess_form("blorbed").forms == {"past", "participle"}
