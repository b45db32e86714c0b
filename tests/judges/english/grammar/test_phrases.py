"""Noun phrases in a text: owners, coordinations, and the possessive 's."""

from __future__ import annotations

from wellkept.judges.english.grammar.nouns import Noun
from wellkept.judges.english.grammar.phrases import is_possessive, noun_phrase
from wellkept.judges.english.grammar.tokens import tokenise


def first(text: str) -> tuple[Noun, int]:
    tokens = tokenise(text)
    found = noun_phrase(text, tokens, 0, len(tokens))
    assert found is not None
    return found


def test_whose_something_is():
    noun, end = first("my sister's dog barks")
    assert (noun.head, end) == ("dog", 4)
    assert noun.owner is not None
    assert noun.owner.relation == "sister"
    assert noun.owner.owner is not None
    assert noun.owner.owner.is_speaker


def test_a_coordination_is_plural_and_has_its_parts():
    noun, end = first("Tom and Ana live here")
    assert ([part.name for part in noun.parts], noun.is_plural, end) == (["Tom", "Ana"], True, 3)


def test_of_says_whose_relation_it_is():
    noun, _ = first("the sister of Ana sings")
    assert noun.relation == "sister"
    assert noun.of is not None
    assert noun.of.name == "Ana"


def test_nothing_begins_at_a_preposition():
    tokens = tokenise("in Rome")
    assert noun_phrase("in Rome", tokens, 0, len(tokens)) is None


def test_is_and_whose_are_told_apart():
    for text, expected in (("Ana's dog", True), ("Ana's leaving", False)):
        tokens = tokenise(text)
        assert is_possessive(tokens, 1, len(tokens)) is expected
