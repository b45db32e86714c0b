"""What later words end without naming it: a move ends an address, a sale what was said of the thing sold."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

import recollect
from recollect.config import Config

START = datetime(2026, 3, 1, 9, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def heard(tmp_path):
    """Says things a day apart and gives what is live in the end."""
    clock = Clock()
    with recollect.open(tmp_path / "memory.db", config=Config(), clock=clock, embedder="none") as memory:
        viewpoint = memory.at(user="mona", chat="c")

        def say(*texts: str, days: int = 1) -> list[str]:
            for text in texts:
                viewpoint.observe([{"role": "user", "content": text}], wait=True)
                clock.now += timedelta(days=days)
            return sorted(item.content for item in viewpoint.list(limit=50))

        yield say


def test_a_move_ends_the_address_and_the_way_to_work(heard):
    left = heard(
        "I live in Bergen with two cats.",
        "My address is Nygårdsgaten 4, Bergen.",
        "I take the 6:50 bus to work every day.",
        "I moved to Tromsø last week.",
    )
    assert left == ["The user moved to Tromsø last week (2026-02-23 to 2026-03-01)"]


def test_a_plan_to_move_ends_when_it_is_carried_out(heard):
    planned = heard("We decided to move to Ghent in June", "My cousin Piet decided to move to Ghent, too")
    assert any("decided to move to Ghent in June" in one for one in planned)
    left = heard("I live in Ghent now, near the harbour")
    assert not any("decided to move to Ghent in June" in one for one in left)
    assert any(one.startswith("Piet decided") for one in left)


def test_an_address_given_ahead_of_the_move_stays(heard):
    left = heard("I live in Bergen now.", "My address is Storgata 9, Tromsø.", "We live in Tromsø now.")
    assert left == ["The user lives in Tromsø now", "The user's address is Storgata 9, Tromsø"]


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("The storage unit is number 214 on the ground floor, remember that.", "We cancelled the storage unit."),
        ("My old Saab is parked behind the library until May.", "I sold my old Saab yesterday."),
        ("I have pottery class every Thursday at 7pm.", "I quit the Thursday class."),
    ],
)
def test_what_is_gone_takes_with_it_what_was_said_of_it(heard, said, then):
    before = heard(said)
    assert len(before) == 1
    assert before[0] not in heard(then)


def test_a_class_at_another_hour_takes_the_place_of_the_old_one(heard):
    left = heard("I have pottery class every Thursday at 7pm.", "My pottery class starts again in May, Mondays at 6.")
    assert left == ["The user's pottery class starts again in May, Mondays at 6"]


def test_what_is_to_come_is_known_until_it_is_over(heard):
    told = "The user wants to run the Oslo marathon in September"
    assert heard("I want to run the Oslo marathon in September.", days=170) == [told]
    assert heard("Good evening to everybody here.", days=20) == [told]
    assert heard("Good evening to everybody here.", days=40) == []
