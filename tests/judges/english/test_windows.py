"""Pronouns beside the messages before: one clear meaning, or nothing is read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.types import Message


def read(*said: str) -> list[str]:
    """What is read from the last message; user and assistant take turns, the user has the last word."""
    roles = ["user", "assistant"] * len(said)
    messages = tuple(
        Message(content=text, role=role) for text, role in zip(said, roles[(len(said) + 1) % 2 :], strict=False)
    )
    return [claim.content for claim in RulesJudge().extract(Reading(messages=messages))]


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        (("My sister Folake is visiting.", "Nice.", "She's a nurse in Leeds."), ["Folake is a nurse in Leeds"]),
        (("The new boss will be Marguerite.", "Oh?", "She seems strict."), ["Marguerite seems strict"]),
        (("His mother Anneke lives in Utrecht.",), ["Anneke lives in Utrecht"]),
        (("My GP is Dr. Jansen.",), ["The user's GP is Dr. Jansen"]),
        (("My kuya Ramil lives in Davao, he sells fish",), ["Ramil lives in Davao", "Ramil sells fish"]),
        (("I got engaged to Omar!", "Oh!", "The wedding is in Oslo."), ["The wedding is in Oslo"]),
        (("My wife is called Noor.", "Nice.", "We've been together for nine years."), []),
        (
            ("My sister Ines works in Gdynia.", "Opposite of here?", "She likes kayaks and jazz."),
            ["Ines likes kayaks", "Ines likes jazz"],
        ),
        (
            ("We hired an apprentice! Her name is Noor, she starts on 1 March",),
            ["The user hired an apprentice named Noor", "Noor starts on 1 March"],
        ),
        (("I met a guy named Sunil, he's a chef",), ["The user met a guy named Sunil", "Sunil is a chef"]),
        (("I hate okra but Adeel loves it",), ["The user hates okra", "Adeel loves okra"]),
        (("Rami is twelve and believes he is the new Messi",), ["Rami is twelve"]),
        (("My aunt Graça is 70, we call her Vovó Gra",), ["Graça is 70", "The user calls Graça Vovó Gra"]),
        (("My niece moved to Turku.", "Far!", "I fly there every summer."), ["The user flies to Turku every summer"]),
        (("ok. Please remember the storage unit is number 214",), ["The storage unit is number 214"]),
    ],
)
def test_read(said, facts):
    assert read(*said) == facts


@pytest.mark.parametrize(
    "said",
    [
        ("I live with my partner Joost.", "Nice.", "We have a cat called Biscuit, she's twelve."),
        ("My friend Priyanka came by.", "Nice.", "Priyanka promised to check in on them."),
        ("Mum is in hospital.", "Oh no.", "Folake is with her, which helps."),
        ("I bought Dad a record.", "A great choice.", "He plays it on the same turntable since 1981."),
        ("Who feeds the cat?", "Hm.", "Mehmet does."),
        ("My boss Fergus left.", "Oh.", "ok", "So?", "the weather is bad", "It is.", "He hates golf and tennis."),
        ("Nice office?", "Yes.", "We're about forty people."),
        ("What's their name?", "Hm.", "Thanks, Priyanka! Our one-year-old is so cute, his name is Kyle!"),
        ("Nice family.", "Yes.", "They are my rock in tough times and always cheer me on."),
        ("How was it?", "Well?", "Being able to help them was such a rewarding experience."),
        ("My aunt Joost came by.", "Oh?", "I noticed a little girl, so I sat with her and we talked."),
    ],
)
def test_what_could_mean_somebody_else_is_not_read(said):
    loose = (
        "Joost is",
        "Priyanka promised to check in on Priyanka",
        "Folake is with",
        "great choice",
        "does",
        "Fergus",
    )
    assert not any(
        word in fact
        for fact in read(*said)
        for word in (*loose, "forty", "Priyanka's name", "cheer", "experience", "aunt")
    )


def test_the_people_of_somebody_else_are_not_the_speakers():
    said = (
        Message(role="user", speaker="ola", content="My cousins are my whole world."),
        Message(role="user", speaker="ngozi", content="They live in Enugu and fish for a living."),
    )
    assert RulesJudge().extract(Reading(messages=said, speaker="Ngozi")) == ()


def test_a_pronoun_means_nobody_of_a_talk_that_ended_hours_ago():
    first = datetime(2026, 3, 2, 9, tzinfo=UTC)
    for gap, facts in ((timedelta(minutes=5), ["Bjarne is a welder"]), (timedelta(days=3), [])):
        window = (
            Message(content="My cousin Bjarne was here.", at=first),
            Message(content="He's a welder.", at=first + gap),
        )
        assert [claim.content for claim in RulesJudge().extract(Reading(messages=window))] == facts


def test_whoever_has_a_name_gets_no_second_one_by_a_pronoun():
    assert read("Jobin got engaged in May.", "Lovely!", "Her name is Anitha.") == []
    asked = (Message(content="My wife Liesbeth is a vet."), Message(content="Remember her name is Noor."))
    (told,) = RulesJudge().extract(Reading(messages=asked))
    assert "Liesbeth" not in told.content


def test_a_name_inside_a_sentence_keeps_its_capital():
    said = (Message(content="I played football until my knee gave out in 2009."),)
    (told,) = RulesJudge().extract(Reading(messages=said, speaker="Dilnoza"))
    assert told.content == "Dilnoza played football until Dilnoza's knee gave out in 2009"
