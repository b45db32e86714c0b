"""What a thing has and who has charge of it: read from the shape of the sentence, whatever the thing."""

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
        ("The page size is 50 rows", "value:page_size", "50 rows"),
        ("The pool depth was lowered to 2 metres", "value:pool_depth", "2 metres"),
        ("The budget for the garden has been cut to 4,000 pounds", "value:garden_budget", "4,000 pounds"),
        ("The quorum of the board went up to 7", "value:board_quorum", "7"),
        ("We renamed the wifi network to Mistral", "value:wifi_network", "mistral"),
        ("My salary was raised to 60k", "salary", "60k"),
        ("My rent went up to 900 euros", "rent", "900 euros"),
        ("Our broadband now costs 35 euros a month", "value:broadband_cost", "35 euros a month"),
        ("Ifeoma owns the checkout service", "held:own:checkout_service", "ifeoma"),
        ("Joaquín leads procurement", "held:lead:procurement", "joaquín"),
        ("Mei is in charge of logistics", "held:charge:logistics", "mei"),
        ("The chess club is run by Inés", "held:run:chess_club", "inés"),
        ("Marisol took over the depot from Kwame", "held:any:depot", "marisol"),
        ("The staging server runs Debian 12", "does:run:staging_server", "debian 12"),
    ],
)
def test_a_thing_has_its_slots(text, slot, value):
    claim = read(text)
    assert claim is not None
    assert (claim.slot, claim.value) == (slot, value)


@pytest.mark.parametrize(
    "text",
    [
        "The answer is 42 I think",
        "The capital of France is Paris",
        "The radius is 5 cm in this case",
        "Amina owns a red bicycle",
        "Maria runs track",
        "My aunt runs a bakery in Leeds",
        "The temperature dropped to 5 degrees",
        "We decided not to raise the fee to 900",
    ],
)
def test_what_is_everybodys_or_nobodys_has_none(text):
    claim = read(text)
    assert claim is None or not (claim.slot or "").startswith(("value:", "held:", "does:"))
