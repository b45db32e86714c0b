"""Statements one by one: lists value by value, relative clauses, shared auxiliaries, and whose slot is filled."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.judges.english.grammar.parser import parse
from wellkept.types import Claim, Message

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def read(text: str, *, explicit: bool = True) -> tuple[Claim, ...]:
    return RulesJudge().extract(Reading(messages=(Message(content=text),), is_explicit=explicit, now=NOW))


def contents(text: str, *, explicit: bool = True) -> list[str]:
    return [claim.content for claim in read(text, explicit=explicit)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "The staging cluster is in eu-west-1 and prod is in eu-central-1",
            ["The staging cluster is in eu-west-1", "Prod is in eu-central-1"],
        ),
        ("I use GPT-4 for drafts", ["The user uses GPT-4 for drafts"]),
        ("We run Postgres v16.2 in production", ["The team runs Postgres v16.2 in production"]),
    ],
)
def test_a_word_goes_on_with_its_number(text, told):
    assert contents(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I told my parents that I'm dropping out of law school", ["The user is dropping out of law school"]),
        ("I told the dentist I don't smoke", ["The user doesn't smoke"]),
        ("I never told him that I'm adopted", []),
        ("I told Nkechi she should call the vet", []),
    ],
)
def test_what_somebody_said_of_themself_is_so_whomever_they_told_it(text, told):
    assert contents(text, explicit=False) == told


@pytest.mark.parametrize(
    ("text", "slot", "values"),
    [
        ("I'm allergic to latex and mangoes", "allergies", ["latex", "mangoes"]),
        ("I speak Wolof, Pulaar and a bit of English", "languages", ["wolof", "pulaar", "english"]),
        ("I enjoy bouldering, tango and wild swimming", "likes", ["bouldering", "tango", "wild swimming"]),
        ("My wife hates coriander and liver", "dislikes", ["coriander", "liver"]),
        ("I know Elixir and Haskell", "skills", ["elixir", "haskell"]),
        ("I no longer like opera and ballet", "likes", ["opera", "ballet"]),
    ],
)
def test_a_list_is_kept_value_by_value(text, slot, values):
    claims = read(text)
    assert [(claim.slot, claim.value, claim.cardinality) for claim in claims] == [(slot, one, "many") for one in values]


@pytest.mark.parametrize(
    "text",
    [
        "I love fish and chips",
        "I like red and white wine",
        "I like Thai and Korean food",
        "I like playing darts and snooker",
        "I like walking in the hills and valleys",
        "I love my wife and kids",
        "I like my tea hot and sweet",
    ],
)
def test_words_that_hang_together_stay_together(text):
    assert len(read(text)) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I have a niece, Lindi, who lives in Durban", ["The user has a niece, Lindi", "Lindi lives in Durban"]),
        ("I have a brother who works at Volvo", ["The user has a brother", "The user's brother works at Volvo"]),
        ("My aunt Soo-ah, who is a judge, lives in Daegu", ["Soo-ah lives in Daegu", "Soo-ah is a judge"]),
        ("I was born in Split and raised in Trieste", ["The user was born in Split", "The user was raised in Trieste"]),
        ("My hobbies are go and baking", ["One of the user's hobbies is go", "One of the user's hobbies is baking"]),
        ("I have two dogs, Bo and Kit, and a cat named Nori", ["The user has two dogs, Bo and Kit",
                                                            "The user has a cat named Nori"]),
        ("I take my tea with milk", ["The user takes tea with milk"]),
        ("Our team uses Asana", ["The user's team uses Asana"]),
        ("Min's parents live in Incheon", ["Min's parents live in Incheon"]),
        ("i dont eat pork", ["The user doesn't eat pork"]),
        ("I owe my cousin Amadou 40 euros", ["The user owes Amadou 40 euros"]),
    ],
)  # fmt: skip
def test_statements_are_told_in_full(text, told):
    assert contents(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "My parents live in Fes",
        "My brothers work at Siemens",
        "Tom and Ana live in Rome",
        "My parents' address is 12 Elm Street",
        "My dog loves cheese",
        "My family lives in Ohio",
        "Everyone at work speaks Dutch",
        "My car is in the garage until Friday",
        "She moved to Gdansk",
        "I'm Hindu",
    ],
)
def test_what_is_not_one_persons_fills_no_slot(text):
    assert [claim.slot for claim in read(text)] == [None]


@pytest.mark.parametrize(
    ("text", "holder", "child"),
    [("Tobi has a daughter named Ife", "Tobi", "Ife"), ("Marek has a son, Staś", "Marek", "Staś")],
)
def test_a_tie_is_that_of_whoever_has_it(text, holder, child):
    (claim,) = read(text)
    (tie,) = claim.introduces
    assert (tie.name, tie.of.name if tie.of is not None else None) == (child, holder)
    assert [who.name for who in claim.subjects] == [holder, child]


def test_birthplace_and_hometown_are_two_slots():
    claims = [*read("I was born in Bari"), *read("I grew up in Turin")]
    assert [claim.slot for claim in claims] == ["birthplace", "hometown"]


@pytest.mark.parametrize("word", ["n't", "'s", "re'", "that ", "Bob's ", "who ", "I think that "])
def test_ten_thousand_words_are_parsed(word):
    assert parse(word * 10_000)
