"""A time before the subject, with and without a comma; and whose pet it is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.judges.english.messages.fronting import unannounced, with_comma
from wellkept.types import Message

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def read(text: str):
    (claim,) = RulesJudge().extract(Reading(messages=(Message(content=text),), is_explicit=True, now=NOW))
    return claim


@pytest.mark.parametrize("comma", [",", ""])
@pytest.mark.parametrize(
    ("front", "rest", "who"),
    [
        ("On Thursdays", "Ifeoma teaches pottery", "Ifeoma"),
        ("Every winter", "Lars goes to Kiruna", "Lars"),
        ("Last month", "Mehmet moved to Izmir", "Mehmet"),
        ("In April", "Rosa starts at Embraer", "Rosa"),
    ],
)
def test_the_subject_is_who_stands_behind_the_time(front, rest, who, comma):
    claim = read(f"{front}{comma} {rest}")
    assert [one.name for one in claim.subjects] == [who]
    assert claim.content.startswith(who)


@pytest.mark.parametrize(
    "text", ["In May I go to Rome", "On the table lies a book", "Every week counts", "In Rome it rains"]
)
def test_nothing_else_gets_a_comma(text):
    assert with_comma(text) == text


@pytest.mark.parametrize(
    "label", ["Quick update:", "A small life update -", "Side note:", "TL;DR:", "Okay so", "lol ok, so"]
)
def test_a_label_only_announces_what_follows(label):
    (claim,) = RulesJudge().extract(Reading(messages=(Message(content=f"{label} I moved to Oran in May"),), now=NOW))
    assert claim.content.startswith("The user moved to Oran")


@pytest.mark.parametrize("text", ["Bob's update: he moved to Oran in May", "The release notes: I moved to Oran in May"])
def test_what_somebody_else_announces_is_left_as_it_is(text):
    assert unannounced(text) == text


@pytest.mark.parametrize(
    ("text", "who"),
    [("Ravi's rabbit is called Pepper", "Ravi"), ("Noor's cat is Tofu", "Noor"), ("My hamster is called Bolt", None)],
)
def test_somebody_else_s_pet_is_not_the_speaker_s(text, who):
    claim = read(text)
    assert claim.slot.startswith("pet:")
    assert [one.name for one in claim.subjects] == ([who] if who else [])
