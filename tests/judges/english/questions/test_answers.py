"""Answers from facts: what is said to the asker, what is left unsaid, and when nothing is known."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.answers import run
from wellkept.judges.base import Fact
from wellkept.judges.english.questions.answers import UNKNOWN, answer
from wellkept.judges.english.questions.parse import understand
from wellkept.judges.english.questions.voice import to_second_person
from wellkept.types import Memory
from wellkept.vocabulary import Space

NOW = datetime(2026, 11, 18, 10, tzinfo=UTC)
SETS = Path(__file__).parents[4] / "evals" / "answers"
FROZEN = {
    "test_answerable.txt": "2fab82133e1f5c10d881cf0c7a2f49946ea15f1a987cde6283e44602490e9349",
    "test_facts.txt": "83be1194d306c7103e87f6ce4e6f887ae91bed21be8d16869dd1f74b6fae7e15",
    "test_paraphrase.txt": "6d88382233c684796a31c7e4b98f463a528c5684dd17d225d61a4852f5ef2fb4",
    "test_unanswerable.txt": "8cf3506827889f208ff0832df36ef8b4a935cb4be79b3884859ec13032af7687",
}


def fact(content: str, *subjects: str, relation: str | None = None, **fields: object) -> Fact:
    memory = Memory(
        id=hashlib.sha256(content.encode()).hexdigest()[:8], tenant="default", content=content, space=Space.USER,
        owner="u", memory_key="k", discriminator=content, created_at=NOW, observed_at=NOW, updated_at=NOW, **fields,
    )  # fmt: skip
    relations = (relation,) if relation else ()
    return Fact(memory=memory, similarity=0.5, score=0.5, subjects=subjects or ("you",), relations=relations)


FACTS = (
    fact("The user's favorite color is blue", fact_key="favorite:color", value="blue"),
    fact("The user's wife Sarah likes Italian food", "Sarah", relation="wife"),
    fact("Sarah was born in Leeds", "Sarah", relation="wife"),
    fact("Sarah's birthday is June 12", "Sarah", relation="wife"),
    fact("The user is allergic to peanuts", fact_key="allergies", value="peanuts"),
    fact("The user has a dog named Max", fact_key="pet:dog", value="max"),
    fact("The user's cat Miso only eats tuna"),
    fact("Bob works at Siemens", "Bob", relation="boss"),
    fact("Bob hates long meetings", "Bob", relation="boss"),
    fact("The user likes chess"),
    fact("The user likes rowing"),
    fact("The user doesn't eat pork"),
    fact("The user is 41 years old"),
    fact("The user wakes up at 6:20 and drinks matcha"),
    fact("The user's flight to Lima is on Friday (2026-11-20)"),
    fact("The user's first car was a Fiat Panda"),
    fact("The team decided to use Postgres"),
)


def ask(question: str, facts: tuple[Fact, ...] = FACTS) -> str:
    return answer(understand(question), facts, now=NOW).text


@pytest.mark.parametrize("name", FROZEN)
def test_the_test_half_is_the_frozen_one(name):
    assert hashlib.sha256((SETS / name).read_bytes()).hexdigest() == FROZEN[name]


def test_the_questions_over_a_full_store():
    rows = run.evaluate("test")
    assert [len([row for row in rows if row.kind == kind]) for kind in run.KINDS] == [70, 70, 44]
    figures = run.figures(rows)
    assert figures["answerable"] >= 0.9
    assert figures["unanswerable"] >= 0.9
    assert figures["paraphrase"] >= 0.8
    assert figures["nothing unasked"] == 1.0


def test_whoever_has_a_name_is_answered_as_well():
    rows = run.evaluate("test", name=run.NAME, kinds=("answerable",))
    assert sum(row.is_right for row in rows) >= 0.9 * len(rows)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What's my favorite color?", "Your favorite color is blue."),
        ("which colour do I like best", "Your favorite color is blue."),
        ("What does my wife like?", "Your wife Sarah likes Italian food."),
        ("Where was my wife born?", "Your wife Sarah was born in Leeds."),
        ("Where was Sarah born?", "Sarah was born in Leeds."),
        ("When is my wife's birthday?", "Your wife Sarah's birthday is June 12."),
        ("What's my wife's name?", "Your wife's name is Sarah."),
        ("Who is Sarah?", "Sarah is your wife."),
        ("Who is my boss?", "Your boss is Bob."),
        ("What should I avoid eating?", "You are allergic to peanuts. You don't eat pork."),
        ("Can I eat peanuts?", "No. You are allergic to peanuts."),
        ("Do I have a dog?", "Yes. You have a dog named Max."),
        ("What's my cat's name?", "Your cat's name is Miso."),
        ("Where does my boss work?", "Your boss Bob works at Siemens."),
        ("What do I like?", "You like chess. You like rowing."),
        ("Do I eat pork?", "No. You don't eat pork."),
        ("Does Bob like long meetings?", "No. Bob hates long meetings."),
        ("How old am I?", "You are 41 years old."),
        ("When do I get up?", "You wake up at 6:20."),
        ("When is my flight to Lima?", "Your flight to Lima is on Friday (2026-11-20)."),
        ("What was my first car?", "Your first car was a Fiat Panda."),
        ("What did we decide to use?", "The team decided to use Postgres."),
        ("Is Bob my boss?", "Yes. Bob is your boss."),
        ("Am I married?", "Yes. Your wife is Sarah."),
        ("Do I have a cat?", "Yes. Your cat's name is Miso."),
        ("What do you know about Bob?", "Bob works at Siemens. Bob hates long meetings."),
    ],
)
def test_only_the_asked_fact_is_said(question, expected):
    assert ask(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "What's my favorite food?",
        "What is my sister's name?",
        "Where does Bob live?",
        "When is my birthday?",
        "Where was I born?",
        "What car do I drive?",
        "What's my dog's breed?",
        "How old is Sarah?",
        "What does Bob like?",
        "Do I like tennis?",
        "When is my flight to Oslo?",
        "Who is Fernando?",
        "What do you know about Fernando?",
        "What's my name?",
        "What's the capital of Peru?",
        "Is Sarah allergic to peanuts?",
        "What did she say?",
    ],
)
def test_what_was_never_told_is_not_known(question):
    found = answer(understand(question), FACTS, now=NOW)
    assert found.text == UNKNOWN
    assert found.memory_ids == ()


def test_an_answer_names_the_memories_it_rests_on():
    found = answer(understand("What's my favorite color?"), FACTS, now=NOW)
    assert found.memory_ids == (FACTS[0].memory.id,)


def test_somebody_elses_relation_is_not_the_askers():
    facts = (fact("Bob's wife Ines is a nurse", "Ines"), fact("Aisha's teacher is Mr. Okoro", "Aisha"))
    assert ask("What's my wife's name?", facts) == UNKNOWN
    assert ask("Who is my teacher?", facts) == UNKNOWN
    assert ask("Who is Aisha's teacher?", facts) == "Aisha's teacher is Mr. Okoro."


def test_what_is_told_of_a_thing_is_not_told_of_its_owner():
    facts = (fact("The user's dog Rocco was born in 2018"), fact("The user's car is parked on level 3"))
    assert ask("When was I born?", facts) == UNKNOWN
    assert ask("When is my birthday?", facts) == UNKNOWN
    assert ask("What car do I drive?", facts) == UNKNOWN
    assert ask("When was Rocco born?", facts) == "Your dog Rocco was born in 2018."


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        ("The user likes tea and hates coffee", "You like tea and hate coffee."),
        ("The user has never been to Japan", "You have never been to Japan."),
        ("The user was born in Kavala", "You were born in Kavala."),
        ("The user doesn't smoke", "You don't smoke."),
        ("Bob gave the user a book", "Bob gave you a book."),
        ("The user hurt himself", "You hurt yourself."),
        ("The user has lost her keys", "You have lost your keys."),
        ("The user's son Leo plays the cello", "Your son Leo plays the cello."),
        ("I'm learning Greek with my sister", "You are learning Greek with your sister."),
        ("Der Drucker ist kaputt", "Der Drucker ist kaputt."),
    ],
)
def test_the_second_person(stored, said):
    assert to_second_person(stored) == said


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=120), st.text(min_size=1, max_size=120))
def test_no_text_breaks_it_and_each_gives_the_same_again(question, content):
    facts = (*FACTS, fact(content))
    assert ask(question, facts) == ask(question, facts)
    assert ask(content, facts)


@pytest.mark.parametrize("piece", ["what do I like ", "the user's ", "(", "and Bob "])
def test_long_input_ends(piece):
    long = piece * (10_000 // len(piece))
    assert ask(long)
    assert ask("What do I like?", (*FACTS, fact(long))) == "You like chess. You like rowing."


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("The user's cat Pim is 3", "How old is Pim?"),
        ("The user's cat Pim turned 3 yesterday", "How old is my cat?"),
        ("Noor is a 30-year-old architect", "How old is Noor?"),
        ("The user's dog is a four-year-old beagle", "how old is my dog?"),
        ("The user's house is a 100-year-old cottage", "How old is my house?"),
        ("The user takes 20 mg of citalopram every morning", "What medication am I on?"),
        ("The user takes a beta blocker for migraines", "Which meds do I take?"),
    ],
)
def test_ages_and_medicines_are_known_by_their_form(told, question):
    assert (
        ask(question, (fact(told, *(["Noor"] if "Noor" in told else [])),))
        == told.replace("The user's", "Your").replace("The user takes", "You take") + "."
    )


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("The user's bus is the 3", "How old is my bus?"),
        ("The user's neighbour is a 3-year-old's dad", "How old is my neighbour?"),
    ],
)
def test_a_number_is_no_age_of_whatever_it_stands_beside(told, question):
    assert ask(question, (fact(told),)) == "I don't know."
