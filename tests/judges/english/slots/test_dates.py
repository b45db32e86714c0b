"""The day or hour of a thing, whatever the thing is: told, moved, called off, and what only looks like one."""

from __future__ import annotations

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.types import Claim, Message


def read(text: str) -> Claim | None:
    return next(iter(RulesJudge().extract(Reading(messages=(Message(content=text),)))), None)


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("The oral is on 3 June", "date:oral", "3 june"),
        ("My colonoscopy is scheduled for the 14th", "date:colonoscopy", "14th"),
        ("The seder starts at 7:30 pm", "schedule:seder", "7:30 pm"),
        ("Our ceilidh takes place on 5 May", "date:ceilidh", "5 may"),
        ("Ngozi's naming ceremony is on Sunday", "date:naming_ceremony", "sunday"),
        ("The opening of the bakery is in March", "date:bakery_opening", "march"),
        ("The Holi party is on Friday", "date:holi_party", "friday"),
        ("The vote isn't until 9 October", "date:vote", "9 october"),
        ("The lecture was pushed to Thursday", "date:lecture", "thursday"),
        ("The bake sale got put back to 11 May", "date:bake_sale", "11 may"),
        ("The survey had to be put off until the 10th of December", "date:survey", "10th of december"),
        ("The council postponed the roadworks to April", "date:roadworks", "april"),
        ("The Nikah is on 6 June", "date:nikah", "6 june"),
        ("Our open day has been rescheduled to 18 March", "date:open_day", "18 march"),
        ("The deadline for the grant was extended to 10 May", "project:grant:deadline", "10 may"),
        ("The kirtan is now on Tuesdays", "schedule:kirtan", "tuesdays"),
        ("The tasting moved to 19", "schedule:tasting", "19"),
        ("The tasting was moved to 9.30", "schedule:tasting", "9.30"),
    ],
)
def test_a_thing_has_a_day_whatever_it_is(text, slot, value):
    claim = read(text)
    assert claim is not None
    assert (claim.slot, claim.value, claim.polarity) == (slot, value, "assert")


@pytest.mark.parametrize("text", ["The oral was cancelled", "My colonoscopy got called off"])
def test_what_is_called_off_has_no_day_any_more(text):
    claim = read(text)
    assert claim is not None
    assert (claim.slot or "").startswith("date:")
    assert claim.polarity == "retract"


@pytest.mark.parametrize(
    "text",
    [
        "My desk moved to floor 3",
        "My cousin moved to Oslo on 3 May",
        "My laptop password changed on 3 May",
        "Our shop is at 12 Elm Street",
        "My novel is set in May 1945",
        "My list starts at 10 items",
        "My car is in the garage until Monday",
        "Our wedding was in 2015",
        "The batch size was changed to 64",
        "My aunt May is a nurse",
    ],
)
def test_what_only_names_a_day_or_a_number_fills_no_day(text):
    claim = read(text)
    assert claim is None or not (claim.slot or "").startswith(("date:", "schedule:"))


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("The exchange rate moved to 1.12", "value:exchange_rate"),
        ("The stock moved to 12", "value:stock"),
        ("The gold price moved to 2000", "value:gold_price"),
        ("The mortgage rate was pushed back to 5", None),
        ("The lecture was pushed to 45", None),
        ("The dial was pushed to 11", None),
    ],
)
def test_a_price_or_a_level_is_no_day(text, slot):
    claim = read(text)
    assert claim is not None
    assert claim.slot == slot


@pytest.mark.parametrize("text", ["Silver is now at 31, by the way.", "Bitcoin moved to 90000 this week."])
def test_what_has_a_price_is_nobody(text):
    claim = read(text)
    assert claim is not None
    assert claim.subjects == ()
