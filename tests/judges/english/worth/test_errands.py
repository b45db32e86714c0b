"""What stays in its chat: turns, arrangements and what somebody is about; lasting facts travel."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.types import Message

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
STAYS = (
    "Tomasz is up next to speak", "Amina will chair the meeting", "Raj is sharing his screen", "Wei has the floor now",
    "Olu is our next speaker", "Ines is hosting tonight's call", "Pavel goes first", "Lena booked the table for us",
    "It's Mei's turn", "Noor is joining at 3pm", "Bob is stuck in traffic", "Kwame is on mute",
    "Diego is ordering pizza for everyone", "Pavel is driving us home tonight",
)  # fmt: skip
TRAVELS = (
    "Yuki is allergic to nuts", "Raj moved to Pune", "Ines plays the oboe", "Noor runs marathons",
    "Fatima is expecting a baby in May", "Chen is training for a triathlon", "Luca is writing a novel",
    "Luca drives a taxi", "Omar is seeing a therapist", "Anya is moving to Oslo in June", "Sana is running a bakery",
    "Karim is leaving the company", "My niece Pia turns 10 tomorrow", "Our weekly sync is at 10:45",
)  # fmt: skip


def is_portable(text: str) -> bool:
    said = Message(id="m0", content=text, speaker="u1")
    (claim,) = RulesJudge().extract(
        Reading(messages=(said,), is_explicit=True, speaker="Nadia", now=NOW, tenant="t", user="u1")
    )
    return claim.portable


@pytest.mark.parametrize("text", STAYS)
def test_what_goes_on_in_a_chat_stays_there(text):
    assert not is_portable(text)


@pytest.mark.parametrize("text", TRAVELS)
def test_what_lasts_travels(text):
    assert is_portable(text)
