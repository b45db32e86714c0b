"""Relationship words, what they cover, and which of them one person may hold."""

from __future__ import annotations

import pytest

from wellkept.policies.people.relations import (
    agree,
    canonical,
    fits,
    gender,
    holders,
    inverse,
    is_address,
    is_several,
    may_coincide,
    relation,
)

REQUIRED = """
wife husband partner spouse fiancé fiancée girlfriend boyfriend ex mom mother dad father parent son daughter
child kid brother sister sibling grandmother grandfather aunt uncle cousin niece nephew mother-in-law father-in-law
sister-in-law in-laws boss manager coworker colleague cofounder friend roommate neighbour neighbor
teacher doctor therapist dentist lawyer
"""


@pytest.mark.parametrize("word", [*REQUIRED.split(), "business partner", "best friend", "brother in law"])
def test_every_word_of_the_contract_is_known(word):
    name = canonical(word)
    assert name is not None
    assert relation(name) is not None
    assert canonical(name) == name


@pytest.mark.parametrize("word", ["dog", "cat", "Max", "laptop", "birthday", ""])
def test_pets_and_things_are_no_relations(word):
    assert canonical(word) is None


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("mum", "mother"),
        ("Schwester", "sister"),
        ("esposa", "wife"),
        ("mère", "mother"),
        ("mere", "mother"),
        ("fratello", "brother"),
        ("irmão", "brother"),
        ("chefe", "boss"),
        ("Großmutter", "grandmother"),
        ("older brother", "brother"),
        ("little sister", "sister"),
        ("mejor amiga", "best friend"),
        ("my flatmate", "roommate"),
        ("kids", "child"),
        ("hermanas", "sister"),
    ],
)
def test_synonyms_and_languages(words, name):
    assert canonical(words) == name


def test_wider_words_fit_narrower_ones_and_back():
    assert fits("spouse", "wife")
    assert fits("wife", "partner")
    assert fits("parent", "father")
    assert not fits("partner", "business partner")
    assert not fits("mother", "father")
    assert not fits("brother", "brother-in-law")


def test_what_is_over_fits_only_its_own_words():
    assert fits("ex-wife", "former wife")
    assert fits("ex", "former husband")
    assert not fits("wife", "former wife")


@pytest.mark.parametrize(
    ("said", "held", "is_one"),
    [
        ("wife", "girlfriend", True),
        ("ex-wife", "wife", True),
        ("wife", "ex-wife", False),
        ("husband", "wife", False),
        ("manager", "boss", True),
        ("best friend", "friend", True),
        ("boss", "brother", False),
        ("friend", "cousin", False),
        ("wife", "former wife", True),
        ("sommelier", "brother", False),
    ],
)
def test_agreement(said, held, is_one):
    assert agree(said, held) is is_one


def test_only_loose_ties_may_coincide():
    assert may_coincide("friend", "coworker")
    assert not may_coincide("friend", "brother")
    assert not may_coincide("friend", "sommelier")


def test_inverses_where_they_are_certain():
    assert inverse("wife") == inverse("husband") == "spouse"
    assert inverse("mother") == "child"
    assert inverse("daughter") == "parent"
    assert inverse("brother") == "sibling"
    assert inverse("boss") == "employee"
    assert inverse("doctor") is None
    assert inverse("sommelier") is None


def test_holders_and_gender():
    assert holders("wife") == holders("boss") == "one"
    assert holders("brother") == holders("friend") == holders("sommelier") == "some"
    assert (gender("wife"), gender("uncle"), gender("friend"), gender("former wife")) == (
        "female",
        "male",
        None,
        "female",
    )


def test_address_and_plurals():
    assert is_address("Mom")
    assert is_address("Oma")
    assert not is_address("boss")
    assert is_several("my kids")
    assert is_several("my friends from school")
    assert is_several("mis hermanos")
    assert not is_several("my boss")
    assert not is_several("mein Lehrer")
    assert not is_several("")
