"""Short corrections: what they are, what they are not, and the statement they mend."""

from __future__ import annotations

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.judges.english.messages.repairs import mend, recognise
from wellkept.types import Message


@pytest.mark.parametrize(
    ("statement", "said", "mended"),
    [
        ("The vet visit is on Monday", "no wait, it's on Wednesday, not Monday", "The vet visit is on Wednesday"),
        ("I studied in Ghent", "Sorry, I meant Leuven", "I studied in Leuven"),
        ("My train leaves at 6:15", "scratch that, it's at 7:40", "My train leaves at 7:40"),
        ("My nephew Iker is nine", "Correction: he is ten", "My nephew Iker is ten"),
        ("My aunt Oluchi teaches physics", "oops, I meant chemistry", "My aunt Oluchi teaches chemistry"),
        ("I'm allergic to walnuts", "actually it's not walnuts, it's cashews", "I'm allergic to cashews"),
        ("We fly on the 3rd of May", "hang on, the 5th of May", "We fly on the 5th of May"),
        ("My sofa is grey", "that should be green", "My sofa is green"),
        ("The key hangs in the hallway", "I mean the pantry, not the hallway", "The key hangs in the pantry"),
        ("My vet is Dr. Haddad", "It's Dr. Nyström, not Dr. Haddad", "My vet is Dr. Nyström"),
        ("Our tutor is Mrs. Bello", "Sorry, Prof. Adeyemi, not Mrs. Bello.", "Our tutor is Prof. Adeyemi"),
        ("The ferry leaves at 8 am", "No, at 9 am, not 8 am", "The ferry leaves at 9 am"),
    ],
)
def test_a_repair_goes_into_the_statement_it_mends(statement, said, mended):
    repair = recognise(said)
    assert repair is not None
    assert mend(repair, ["I have two cats", statement][::-1]).text == mended


@pytest.mark.parametrize(
    "said",
    [
        "No, thanks", "no problem", "wait, what?", "oh no, not again", "Sorry Anna", "I mean it",
        "Sorry, that was rude", "no, it's fine", "actually it's nice today", "Sorry, I can't make it",
        "No, I don't like tea", "Actually I live in Porto", "My sister lives in Rome, not Milan",
    ],
)  # fmt: skip
def test_talk_and_whole_sentences_are_no_repairs(said):
    assert recognise(said) is None


def test_a_repair_that_fits_nothing_changes_nothing():
    assert mend(recognise("no wait, Thursday"), ["I like tea", "My name is Ana"]) is None
    # What was said long before is not meant, unless the wrong value is named.
    older = [
        "I like tea",
        "I like go",
        "I like ale",
        "I like rye",
        "I like oats",
        "I like dill",
        "The exam is on Monday",
    ]
    assert mend(recognise("no wait, Thursday"), older) is None
    assert mend(recognise("no wait, Thursday, not Monday"), older).text == "The exam is on Thursday"


def test_the_claim_of_a_repair_is_the_whole_statement():
    window = (Message(content="My flight to Oslo is on Tuesday"), Message(content="wait no, Friday", id="m2"))
    (claim,) = RulesJudge().extract(Reading(messages=window, is_explicit=True))
    assert claim.content == "The user's flight to Oslo is on Friday"
    assert (claim.is_correction, claim.corrects) == (True, "Tuesday")
    assert claim.evidence.message_id == "m2"


@pytest.mark.parametrize(
    ("statement", "said", "mended"),
    [
        ("We pay 900 euros rent", "sorry, 950 euros", "We pay 950 euros rent"),
        ("My niece Sol is in third grade", "Actually, fourth grade", "My niece Sol is in fourth grade"),
    ],
)
def test_what_is_counted_is_not_said_twice(statement, said, mended):
    assert mend(recognise(said), [statement]).text == mended
    assert mend(recognise(said), ["I like tea", "My name is Ana"]) is None


@pytest.mark.parametrize(
    ("statement", "said", "text"),
    [
        (
            "Tiago is allergic to shellfish",
            "Actually he's allergic to nuts, not shellfish",
            "Tiago is allergic to nuts",
        ),
        ("The user works at Nokia", "No, it's at Maersk, not Nokia", "The user works at Maersk"),
        ("Mei plays the flute", "Sorry, she's the oboe, not flute", "Mei plays the oboe"),
    ],
)
def test_words_that_stand_there_already_are_not_said_twice(statement, said, text):
    mended = mend(recognise(said), [statement])
    assert mended.text == text
