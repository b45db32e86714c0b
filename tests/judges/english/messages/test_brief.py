"""Few words that are whole: what a body does not bear, how to be addressed, what is off."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.judges.english.grammar.units import units
from wellkept.types import Message

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def contents(text: str) -> list[str]:
    return [claim.content for claim in RulesJudge().extract(Reading(messages=(Message(content=text),), now=NOW))]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I can't do lactose.", "The user can't do lactose"),
        ("I cannot have codeine.", "The user cannot have codeine"),
        ("Mushrooms don't agree with me.", "Mushrooms don't agree with the user"),
        ("Onions have never agreed with Bogdan.", "Onions have never agreed with Bogdan"),
        ("Garlic and leeks don't agree with my mum.", "Garlic and leeks don't agree with the user's mum"),
        ("Red wine doesn't agree with my husband.", "Red wine doesn't agree with the user's husband"),
        ("Milk disagrees with me these days", "Milk disagrees with the user these days"),
    ],
)
def test_what_a_body_does_not_bear_is_kept(text, kept):
    assert contents(text) == [kept]
    assert RulesJudge().is_brief(text)


@pytest.mark.parametrize(
    "text",
    [
        "I can't do Friday.",
        "I can't have another coffee today.",
        "I can't have the fish now.",
        "Your plan doesn't agree with me.",
        "Kavita doesn't agree with me.",
        "Milk agrees with me.",
    ],
)
def test_a_day_a_helping_and_a_dispute_are_no_limit(text):
    assert not RulesJudge().is_brief(text)


def test_food_is_nobody():
    (claim,) = RulesJudge().extract(Reading(messages=(Message(content="Garlic does not agree with my mum."),)))
    assert [who.relation for who in claim.subjects] == ["mother"]


@pytest.mark.parametrize("text", ["I can't do pilates.", "I need to do laundry", "She is going to do ballet"])
def test_do_behind_a_modal_is_the_verb(text):
    (unit,) = units(text, values_max=1)
    assert unit.clause.verb is not None
    assert unit.clause.verb.lemma == "do"


@pytest.mark.parametrize("text", ["Lunch's cancelled", "The gig's off", "Tea moved to 4", "Dentist's cancelled"])
def test_what_ends_or_moves_a_day_is_whole(text):
    assert RulesJudge().is_brief(text)


@pytest.mark.parametrize("text", ["The light's off", "Ugo's off sick", "I'm off!", "Lunch is at 4", "The milk's off"])
def test_what_is_off_otherwise_is_not(text):
    assert not RulesJudge().is_brief(text)
