"""A few words, and whom they name how."""

from __future__ import annotations

import pytest

from wellkept.policies.people.references import parse


@pytest.mark.parametrize(
    ("words", "name", "relation"),
    [
        ("Sarah", "Sarah", None),
        ("my wife", None, "wife"),
        ("my wife Sarah", "Sarah", "wife"),
        ("my wife, Sarah", "Sarah", "wife"),
        ("Sarah, my wife", "Sarah", "wife"),
        ("Sarah is my wife", "Sarah", "wife"),
        ("my wife's name is Sarah", "Sarah", "wife"),
        ("my wife named Sarah", "Sarah", "wife"),
        ("mi esposa Lucía", "Lucía", "wife"),
        ("meine Schwester", None, "sister"),
        ("ma petite sœur Lou", "Lou", "sister"),
        ("la mia ragazza", None, "girlfriend"),
        ("o meu chefe Duarte", "Duarte", "boss"),
        ("my business partner", None, "business partner"),
        ("my business partner's", None, "business partner"),
        ("my late grandmother Rose", "Rose", "grandmother"),
        ("my mother in law Gertrude", "Gertrude", "mother-in-law"),
        ("my colleague from work", None, "coworker"),
        ("the boss", None, "boss"),
        ("Mom", None, "mother"),
        ("Aunt May", "May", "aunt"),
        ("Mother Teresa", "Mother Teresa", None),
        ("Frau Müller", "Frau Müller", None),
        ("Sarah's", "Sarah", None),
        ("James'", "James", None),
        ("Smith, John", "Smith, John", None),
        ("Chef", "Chef", None),
        ("my dog Max", "my dog Max", None),
    ],
)
def test_names_and_relations(words, name, relation):
    found = parse(words)
    assert (found.name, found.relation, found.of, found.text) == (name, relation, None, words)


@pytest.mark.parametrize(
    ("words", "relation", "of_name", "of_relation"),
    [
        ("Tom's sister", "sister", "Tom", None),
        ("my sister's husband", "husband", None, "sister"),
        ("my friend Jo's brother", "brother", "Jo", "friend"),
        ("James' wife", "wife", "James", None),
        ("la hermana de Tomás", "sister", "Tomás", None),
        ("der Bruder von Anna", "brother", "Anna", None),
        ("the wife of my brother", "wife", None, "brother"),
    ],
)
def test_whose_relation(words, relation, of_name, of_relation):
    found = parse(words)
    assert found.relation == relation
    assert found.of is not None
    assert (found.of.name, found.of.relation) == (of_name, of_relation)


def test_handles_and_the_speaker():
    assert parse("@bob_7").handle == "bob_7"
    both = parse("Bob (@bob)")
    assert (both.name, both.handle) == ("Bob", "bob")
    related = parse("my boss @bob")
    assert (related.relation, related.handle) == ("boss", "bob")
    owned = parse("@bob's wife")
    assert owned.of is not None
    assert (owned.relation, owned.handle, owned.of.handle) == ("wife", None, "bob")
    assert parse("me").is_speaker
    assert not parse("Mel").is_speaker
