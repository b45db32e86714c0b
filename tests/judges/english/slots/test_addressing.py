"""How somebody wants to be addressed is read from many wordings, and from nothing that only looks like one."""

from __future__ import annotations

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.judges.english.slots.addressing import is_wish
from wellkept.types import Message


def read(text: str):
    return RulesJudge().extract(Reading(messages=(Message(id="m1", content=text),)))


def slots(text: str) -> dict[str | None, str | None]:
    return {claim.slot: claim.value for claim in read(text)}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("You can call me Odile", "odile"),
        ("Could you please call me Tamsin from now on?", "tamsin"),
        ("I'd rather be called Wren, if that's okay.", "wren"),
        ("I'd like you to call me Sunny", "sunny"),
        ("Would you mind calling me Jules?", "jules"),
        ("Please address me as Dr. Okafor", "dr. okafor"),
        ("you can call me ines", "ines"),
        ("Du kannst mich gerne Kalle nennen.", "kalle"),
        ("Hola, puedes llamarme Nacho si quieres", "nacho"),
        ("Appelle-moi Zoé, s'il te plaît", "zoé"),
        ("Puoi chiamarmi Beppe", "beppe"),
        ("Pode me chamar de Duda", "duda"),
        ("Je mag me gewoon Bram noemen", "bram"),
    ],
)
def test_a_name(text, name):
    assert slots(text) == {"preferred_name": name}
    assert is_wish(text)


@pytest.mark.parametrize(
    ("text", "pronouns"),
    [
        ("I use she/her", "she/her"),
        ("My pronouns: xe/xem", "xe/xem"),
        ("Please use he/him for me", "he/him"),
        ("I go by she/they", "she/they"),
        ("they/them, please", "they/them"),
        ("Meine Pronomen sind sie/ihr", "sie/ihr"),
        ("Mes pronoms sont iel", "iel"),
    ],
)
def test_pronouns(text, pronouns):
    assert slots(text) == {"pronouns": pronouns}
    assert is_wish(text)


@pytest.mark.parametrize("text", ["Please speak Spanish with me", "Can we talk in Spanish from now on?"])
def test_a_language(text):
    assert slots(text) == {"language": "spanish"}


@pytest.mark.parametrize(
    "text",
    [
        "You can call me back tomorrow",
        "You can call me Tuesday",
        "Call me crazy, but I like the rain",
        "You can call me a taxi to the airport",
        "Please don't call me Robert.",
        "Please never call me Bobby again.",
        "He/she must sign the form before Friday.",
        "My colleague uses they/them pronouns.",
        "My sister goes by Sam at work.",
        "Can you write Python code for me?",
        "I speak German with my neighbour.",
        "Let's talk Saturday",
        "I want to speak Spanish",
        "I prefer to write Python",
    ],
)
def test_no_wish(text):
    assert not {"preferred_name", "pronouns", "language"} & {claim.slot for claim in read(text) if not claim.subjects}
    assert not is_wish(text)


def test_a_run_of_spaces_takes_no_time():
    """Read in every way that the spaces could be split, forty of them would take years."""
    assert slots(f"I work as a nurse{' ' * 40}and you can call me Ines{' ' * 40}.")["preferred_name"] == "ines"
    assert slots(f"I work{' ' * 1_000}as a nurse") == {"job": "nurse"}


def test_the_rest_of_the_message_is_read_and_the_wish_says_where_it_stands():
    text = "My name is Alexandra, but you can call me Alex. I work as a nurse."
    claims = {claim.slot: claim for claim in read(text)}
    assert set(claims) == {"name", "preferred_name", "job"}
    wish = claims["preferred_name"]
    assert "call me Alex" in text[wish.evidence.start : wish.evidence.end]
    assert wish.quote == "but you can call me Alex."
    assert wish.evidence.message_id == "m1"
