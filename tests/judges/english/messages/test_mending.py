"""Which statement a correction means, wherever it was said."""

from __future__ import annotations

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.judges.english.messages.mending import replaced, within
from wellkept.types import Message


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("My tailor is in Parma. It's Modena, not Parma.", "My tailor is in Modena."),
        ("Choir is on Mondays and Fridays. Sorry, Tuesdays and Fridays.", "Choir is on Tuesdays and Fridays."),
        ("I have 40k saved now. No wait, 38k, forgot the rent.", "I have 38k saved now."),
        ("I live in Turku, no wait, Vaasa", "I live in Vaasa"),
        ("My cousin Amir is 31, sorry, 32", "My cousin Amir is 32"),
        ("The parking costs 12 euros. I misspoke, it costs 14 euros.", "The parking costs 14 euros."),
        ("Our vet is called Dr Lund. Sorry, his name is Dr Lind.", "Our vet is called Dr Lind."),
        ("We bought a flat in Split – my mistake, it was Zadar", "We bought a flat in Zadar"),
    ],
)
def test_a_message_that_corrects_itself_says_the_right_value(text, mended):
    assert within(text) == mended


@pytest.mark.parametrize(
    "text",
    [
        "I like tea. Not coffee.", "We have no children, no pets", "My flat is not big, sorry about the noise",
        "We go to Porto. That should be fun!", "Actually I like both",
    ],
)  # fmt: skip
def test_other_messages_stay_as_they_are(text):
    assert within(text) is None


def test_a_whole_statement_replaces_the_value_of_the_same_subject_and_verb():
    assert replaced("Ines grows tomatoes", ["I like jam", "My aunt Ines grows melons"]) == "melons"
    assert replaced("my aunt grows tomatoes", ["Ines grows melons"]) == "melons"
    assert replaced("Ines also grows tomatoes", ["Ines grows melons"]) is None
    assert replaced("Ines grows tomatoes", ["Olga grows melons", "Ines sells melons"]) is None


def test_a_firm_correction_names_what_it_replaces_and_a_soft_one_does_not():
    said = Message(content="My cousin Ines grows melons")
    for opener, wrong in (("Scratch that. ", "melons"), ("Actually, ", None)):
        window = (said, Message(content=f"{opener}Ines grows tomatoes", id="m2"))
        (claim,) = RulesJudge().extract(Reading(messages=window, is_explicit=True))
        assert (claim.is_correction, claim.corrects) == (True, wrong)


def test_what_is_held_is_mended_in_the_words_of_its_speaker():
    reading = Reading(
        messages=(Message(content="It's Modena, not Parma", id="m9"),), known=("The user's tailor is in Parma",)
    )
    (claim,) = RulesJudge().extract(reading)
    assert (claim.content, claim.corrects) == ("The user's tailor is in Modena", "Parma")
