"""Orders on how to answer are wishes of the speaker, kept for good; orders for now and habits are none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.judges.english.worth.standing import orders
from wellkept.judges.english.worth.talk import is_talk
from wellkept.types import Claim, Message


def read(text: str, speaker: str | None = None) -> tuple[Claim, ...]:
    return RulesJudge().extract(Reading(messages=(Message(content=text),), speaker=speaker))


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Please never use hashtags.", "Ana wants the assistant to never use hashtags"),
        ("Stop calling me pal!", "Ana does not want the assistant to call Ana pal"),
        ("Never mention my ex.", "Ana wants the assistant to never mention Ana's ex"),
        (
            "Don't start your replies with 'Sure'.",
            "Ana does not want the assistant to start the assistant's replies with 'Sure'",
        ),
        ("From now on, address me formally.", "Ana wants the assistant to address Ana formally"),
        ("You must never swear", "Ana wants the assistant to never swear"),
        ("I'd like you to keep it short.", "Ana wants the assistant to keep it short"),
        ("Always ask before you delete a file", "Ana wants the assistant to ask before the assistant deletes a file"),
        ("Can you always answer in Portuguese?", "Ana wants the assistant to answer in Portuguese"),
        ("please explain things step by step", "Ana wants the assistant to explain things step by step"),
        ("I'd rather you answered in plain words.", "Ana wants the assistant to answer in plain words"),
        ("I'd much rather you didn't use hashtags", "Ana does not want the assistant to use hashtags"),
        ("I'd prefer it if you wrote shorter replies.", "Ana wants the assistant to write shorter replies"),
        ("It would be nice if you spoke in Welsh.", "Ana wants the assistant to speak in Welsh"),
        ("Would you mind keeping it brief from now on?", "Ana wants the assistant to keep it brief"),
        ("Could you quit apologising from now on?", "Ana does not want the assistant to apologise"),
        ("No more puns, please.", "Ana does not want the assistant to make puns"),
        ("No more long explanations, please", "Ana does not want the assistant to give long explanations"),
        ("Don't ask me so many questions.", "Ana does not want the assistant to ask Ana so many questions"),
        (
            "Stop using tables in your answers.",
            "Ana does not want the assistant to use tables in the assistant's answers",
        ),
    ],
)
def test_a_standing_order_is_a_wish_of_the_speaker(text, content):
    (claim,) = read(text, speaker="Ana")
    assert (claim.content, claim.type, claim.event_type) == (content, "preference", "preference")
    assert claim.quote is not None
    assert claim.quote in text
    assert not is_talk(text)


@pytest.mark.parametrize(
    "text",
    [
        "Write me a poem about the sea", "Use Python for this script", "Don't use the oven", "don't suggest fish",
        "Never been to Rome", "Never give up!", "Don't tell anyone", "Please answer my question",
        "Be careful with that", "Talk to my boss in Spanish", "Translate this into French", "I never use hashtags",
        "You can use it again",
    ],
)  # fmt: skip
def test_what_is_for_now_or_of_oneself_is_no_standing_order(text):
    assert orders(text) == ()


def test_what_stands_beside_an_order_is_read_as_well():
    claims = read("I live in Turku. Never use hashtags.")
    assert {claim.slot for claim in claims} == {"city", "rule:use_hashtags"}


def test_an_order_is_taken_back_by_leave():
    forbidden, allowed = (read(text)[0] for text in ("Don't use hashtags.", "You can use hashtags again."))
    assert forbidden.slot == allowed.slot == "rule:use_hashtags"
    assert forbidden.value != allowed.value


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Remember to never use emojis.", "Ana wants the assistant to never use emojis"),
        ("From now on use 24-hour time.", "Ana wants the assistant to use 24-hour time"),
        ("Please remember: never call me pal.", "Ana wants the assistant to never call Ana pal"),
        ("Remember that you should always answer in French", "Ana wants the assistant to answer in French"),
    ],
)
def test_an_order_that_is_to_be_remembered_is_one_and_nothing_to_do(text, content):
    assert [claim.content for claim in read(text, speaker="Ana")] == [content]
    assert not RulesJudge().intents(text, now=datetime(2026, 11, 15, tzinfo=UTC), open_todos=()).new


def test_what_is_to_be_remembered_and_done_by_the_speaker_is_no_order():
    assert read("Remember to use sunscreen", speaker="Ana")[0].slot is None
    assert RulesJudge().intents("Remember to buy ink", now=datetime(2026, 11, 15, tzinfo=UTC), open_todos=()).new


@pytest.mark.parametrize(
    "text",
    [
        "No more meetings this week, please.",
        "No more wine for me, thanks.",
        "No more excuses.",
        "I'd rather you came on Friday.",
        "I'd rather you told him the truth.",
        "It would be nice if you answered my email.",
        "Would you mind closing the door?",
        "Could you stop the music?",
        "I'd rather you answered in Latin this once.",
    ],
)
def test_what_is_wanted_of_others_or_now_is_no_order(text):
    assert orders(text) == ()


@pytest.mark.parametrize(
    "text", ["No more jokes, please.", "Could you stop using tables from now on?", "Stop calling me pal!"]
)
def test_a_standing_order_is_a_preference_to_governance(text):
    assert RulesJudge().classify(text)[0] == "preference"
    assert RulesJudge().is_brief(text)
