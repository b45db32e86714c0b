"""How words name somebody, and known variants of names."""

from __future__ import annotations

import pytest

import wellkept
from wellkept import config
from wellkept.errors import ConfigError
from wellkept.policies.people.references import Entities, parse


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


@pytest.fixture
def ana(tmp_path, store_path, clock):
    file = tmp_path / "wellkept.toml"
    overrides = '{ "Acme Incorporated" = "org:acme_corp", "Makesh" = "person:mukesh" }'
    file.write_text(f"[entities]\noverrides = {overrides}\n", encoding="utf-8")
    settings = config.load(file, {})
    with wellkept.open(store_path, config=settings, clock=clock, embedder="none", worker="off") as memory:
        yield memory.at(user="ana", display_name="Ana")


def test_a_variant_of_a_person_is_that_person(ana):
    ana.remember("My friend Mukesh plays the sitar")
    told = ana.remember("Makesh moved to Pune")
    (mukesh,) = ana.people()
    stored = ana.show(told.id).memory
    assert (stored.subject_person_ids, stored.entity_refs[0]) == ((mukesh.id,), "person:mukesh")
    assert stored.content == "Makesh moved to Pune", "the words stay as they were said"
    assert {one.content for one in ana.list(about=["makesh"])} == {"Mukesh plays the sitar", "Makesh moved to Pune"}


def test_a_variant_of_a_thing_has_its_key(ana):
    assert ana.show(ana.remember("I work at Acme Incorporated").id).memory.entity_refs == ("org:acme_corp",)


@pytest.mark.parametrize("bad", [{"x": "y"}, {"x": "person:"}, {"x": "person:John Doe"}, {"!!": "person:a"}])
def test_what_is_no_key_or_no_name_is_refused(bad):
    with pytest.raises(ConfigError, match=r"entities\.overrides"):
        Entities(overrides=bad)
