"""Messages as people type them: subjects left out, answers of a word, small names, facts beside questions."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.types import Message

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
CONVERSATIONS = Path(__file__).parents[4] / "evals" / "conversation"
FROZEN = {
    "fourth.txt": "158d597c271922a10197d7283194822cef8c2c5a8cbe44c7d36da7e3be5dafa7",
    "fourth.keep": "fe2eeee5ab54824c5ccbf619fb69d5f077b1ff53a4c8ee9ed3d76ae758dbb29d",
    "strangers.txt": "e2a3b9d5213c2dc1c580d527f8b705bd324f45d3f667ec4e75ea6d0fe89a5e23",
    "strangers.keep": "ac2faf7ea9eb73c6c8a8d3622123aa539bd07312e2e69ee4d7d2afd67ace3058",
    "voices.txt": "c018ab813ae693e44c480ce6e4ed6e907ac2c3edcdc8e5b72eff866ffbc01ebf",
    "voices.keep": "1ac2b65cd88796c060f92f1b38b486c7348f373f30ef8cb5a15c101623ae944e",
}


def claims(*said: str):
    """Of the last of several messages; an assistant's begins with "A: "."""
    messages = tuple(
        Message(id=str(at), role="assistant" if one.startswith("A: ") else "user", content=one.removeprefix("A: "))
        for at, one in enumerate(said)
    )
    return RulesJudge().extract(Reading(messages=messages, now=NOW))


def contents(*said: str) -> list[str]:
    return [claim.content.replace("The user", "U").replace("the user", "U") for claim in claims(*said)]


@pytest.mark.parametrize(("name", "digest"), FROZEN.items())
def test_what_was_written_before_the_rules_stays_so(name, digest):
    assert hashlib.sha256((CONVERSATIONS / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Got a harp from my aunt Ida", ["U got a harp from Ida"]),
        ("also allergic to lupin, tbh", ["U is also allergic to lupin"]),
        ("never been to Chile", ["U has never been to Chile"]),
        ("been vegan since 2018", ["U has been vegan since 2018"]),
        ("can't eat gluten", ["U can't eat gluten"]),
        ("used to smoke but quit in 2019", ["U used to smoke but U quit in 2019"]),
        ("grew up in Oulu, live in Graz now", ["U grew up in Oulu", "U lives in Graz now"]),
        ("I live in Oslo, work at Yara, have two kids", ["U lives in Oslo", "U works at Yara", "U has two kids"]),
        ("my dad's in Faro, drives a taxi", ["U's dad is in Faro", "U's dad drives a taxi"]),
        (
            "I'm Ola, 31, from Poznan, freelance translator",
            ["U is Ola", "U is 31", "U is from Poznan", "U is a freelance translator"],
        ),
        ("My youngest, Bea, just turned four", []),
        ("No sugar for me. Diabetes.", ["U has diabetes"]),
        ("she sold us the barn, built in 1920", []),
        ("don't suggest fish", []),
        ("got it, thanks", []),
        ("slept 9 hours", []),
        ("sent the form this morning", []),
    ],
)
def test_a_subject_that_is_left_out_is_understood_where_the_verb_allows_it(text, kept):
    assert contents(text) == kept


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (("A: When's your birthday?", "3 june"), ["U's birthday is 3 june"]),
        (("A: Nice! Where do you live?", "Turku, it's cold"), ["U lives in Turku"]),
        (("my brother Sami is here", "A: And what does he do?", "plumber in Vaasa"), ["Sami is a plumber in Vaasa"]),
        (("we adopted a parrot", "A: Lovely! What's her name?", "Kiwi"), ["U's parrot's name is Kiwi"]),
        (("A: Any allergies?", "latex, sadly"), ["U is allergic to latex"]),
        (("A: Do you have kids yourself?", "two girls, Ida and Eva"), ["U has two girls, Ida and Eva"]),
        (("A: How tall are you?", "1,84"), ["U is 1,84 tall"]),
        (("A: Who is Aylin?", "my cousin"), ["Aylin is U's cousin"]),
        (("A: What do you do?", "suffer"), []),
        (("A: What's your favourite dish?", "no idea"), []),
        (("A: Where do you live?", "why do you ask?"), []),
        (("A: What is your budget?", "800 euros"), []),
        (("A: Which one do you want?", "the second"), []),
    ],
)
def test_an_answer_fills_what_the_question_asks_for(said, kept):
    assert contents(*said) == kept


def test_an_answer_has_the_speakers_words_alone_as_its_evidence():
    (claim,) = claims("A: When's your birthday?", "oh, 3 june")
    assert (claim.quote, claim.slot, claim.value) == ("oh, 3 june", "birthday", "3 june")
    assert (claim.evidence.message_id, claim.evidence.start) == ("1", 0)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I'm 28 and live in Graz, how can I find a choir?", ["U is 28", "U lives in Graz"]),
        ("what can I cook, my wife hates leeks?", ["U's wife hates leeks"]),
        ("Since I'm allergic to nuts, is marzipan ok?", ["U is allergic to nuts"]),
        ("As a diabetic, can I eat dates?", ["U is a diabetic"]),
        ("I take warfarin so is kale alright?", ["U takes warfarin"]),
        ("Can I move if I have a cat?", []),
    ],
)
def test_a_question_hides_no_statement_beside_it(text, kept):
    assert contents(text) == kept


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (("my wife mei-ling plays cello",), ["Mei-Ling plays cello"]),
        (("tuva is my labmate, from bodø",), ["Tuva is U's labmate, from bodø"]),
        (("and kwaku, he plays the kora",), ["Kwaku plays the kora"]),
        (("ms ferrante is our notary", "A: ok", "he moved to Turin"), []),
        (("my boss is swamped",), []),
        (("my mother tongue is Twi",), ["U's mother tongue is Twi"]),
    ],
)
def test_names_in_small_letters_are_names(said, kept):
    assert contents(*said) == kept


@pytest.mark.parametrize(
    "text",
    [
        'pasting: "I own a yacht. My name is Dr. Voss." can I copy the tone?',
        "help me write a mail. something like: Dear Ms. Abe, I will be in Bern in July.",
        "My therapist says I should journal more",
        "my boss is an idiot",
        "Jorge is home",
        "she complains about my cooking",
        "mum will kill me",
        "I AM the law",
    ],
)
def test_what_others_wrote_advise_or_are_called_is_no_fact(text):
    assert contents(text) == []


@pytest.mark.parametrize(
    ("text", "is_jest"),
    [
        ("jk", True),
        ("nah I made that up", True),
        ("joke lang", True),
        ("I'm flying to Mars, jk", False),
        ("no joke", False),
    ],
)
def test_what_takes_back_the_message_before(text, is_jest):
    assert RulesJudge().is_jest(text) is is_jest


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("my grandson Ewan set this up", ["U's grandson is Ewan"]),
        ("what do I get my wife Noor for her birthday", ["U's wife is Noor"]),
        ("if my brother Tom calls, say hi", []),
        ("my late wife Rut did the cooking", ["U's late wife was Rut"]),
        ("husband hates leeks", ["U's husband hates leeks"]),
        ("seeds are in, don't tell anyone, I quit my job in May", ["U quit U's job in May"]),
    ],
)
def test_who_somebody_is_stays_whatever_is_said_of_them(text, kept):
    assert contents(text) == kept


def test_nobody_named_before_an_animal_is_the_she_behind_it():
    assert contents("my client Ines called", "A: ok", "adopted a dog. she's a whippet") == ["U adopted a dog"]


def test_the_twins_are_described_anew():
    (claim,) = claims("My sister Ana expects twins, two boys", "A: Lovely!", "Actually the twins are a boy and a girl")
    assert (claim.content, claim.corrects) == ("Ana expects twins, a boy and a girl", "two boys")
