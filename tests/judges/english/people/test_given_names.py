"""Who begins a sentence: names that look like words are people there, and words that look like names are not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.types import Message

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NAMES = (
    "Mei-Ling Abdul-Rahman Jean-Pierre Jing Ying Lily Molly Beverly Felicity Saiful Rose Rob Sue Hope Grace Will May "
    "April Summer Paris India Can An Van Long Jun Red Star Rich Sunny Charity Blessing McKenzie LaToya O'Brien"
).split()
POSSESSED = "Mei-Ling Lily Rose Hope Grace Will Rob Sue Charity".split()
SENTENCES = ("{} works at the port", "{} is allergic to nuts", "{}'s dog is called Bruno", "{} is my neighbor")


def claims(text):
    said = Message(id="m0", content=text, speaker="u1")
    reading = Reading(messages=(said,), is_explicit=True, speaker="Amara", now=NOW, tenant="t", user="u1")
    return RulesJudge().extract(reading)


@pytest.mark.parametrize("name", NAMES)
def test_whoever_begins_a_sentence_is_somebody(name):
    for sentence in SENTENCES:
        (claim,) = claims(sentence.format(name))
        assert [who.name for who in claim.subjects if not who.is_speaker] == [name], sentence


@pytest.mark.parametrize("name", POSSESSED)
def test_whatever_somebody_has_is_theirs(name):
    (claim,) = claims(f"{name}'s art show opens on 14 February")
    assert [who.name for who in claim.subjects] == [name]


@pytest.mark.parametrize(
    "text",
    [
        "Summer's heat bothers me",
        "Rose is my favorite color",
        "Summer is my favorite season",
        "Paris is my favorite city",
        "Spring rolls make me happy",
        "Red wine gives me headaches",
        "Star Wars bores me",
        "Trying to eat less sugar these days",
    ],
)
def test_a_word_is_nobody(text):
    assert not any(who.name for claim in claims(text) for who in claim.subjects)


@pytest.mark.parametrize("text", ["PyTorch likes tea", "Siemens lives in my head", "T-Mobile works at night"])
def test_what_a_thing_does_fills_no_slot_of_the_speakers(text):
    assert [(claim.slot, claim.subjects) for claim in claims(text) if claim.slot and not claim.subjects] == []


@pytest.mark.parametrize(
    ("text", "slot", "whose"),
    [
        ("Oolong is my favorite tea", ("favorite:tea", "oolong"), []),
        ("Green is Mira's favorite colour", ("favorite:color", "green"), ["Mira"]),
        ("Spring is my favorite season", ("favorite:season", "spring"), []),
        ("Paris is not my favorite city", (None, None), []),
    ],
)
def test_a_favorite_may_stand_last(text, slot, whose):
    (claim,) = claims(text)
    assert (claim.slot, claim.value) == slot
    assert [who.name for who in claim.subjects] == whose
