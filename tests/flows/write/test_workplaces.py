"""Where somebody works is known from what they are there, and a new post ends the old one."""

from __future__ import annotations

import pytest

import wellkept
from wellkept.config import Config


@pytest.fixture
def viewpoint(store_path, clock):
    with wellkept.open(store_path, config=Config(), clock=clock, embedder="none", worker="off") as memory:
        yield memory.at(user="u1", chat="c")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (["I started as a nurse at St. Mary's in Leeds."], "You started as a nurse at St. Mary's in Leeds."),
        (["I joined Monzo as a designer in March."], "You joined Monzo as a designer in March."),
        (
            ["I work at Bosch in Stuttgart.", "I'm now a teacher at Oak Hill School in Derby."],
            "You are now a teacher at Oak Hill School in Derby.",
        ),
        (
            ["I work as a welder at Damen.", "I left Damen and now I work for Equinor in Stavanger."],
            "You work for Equinor in Stavanger.",
        ),
    ],
)
def test_where_do_i_work(viewpoint, said, answer):
    for text in said:
        viewpoint.observe([{"content": text}], wait=True)
    assert viewpoint.chat("Where do I work?").text == answer


def test_a_trade_without_a_place_stays(viewpoint):
    for text in ("I work as a welder, always have.", "I work for Equinor in Stavanger."):
        viewpoint.observe([{"content": text}], wait=True)
    assert {item.content for item in viewpoint.list()} == {
        "The user works as a welder",
        "The user works for Equinor in Stavanger",
    }


def test_what_somebody_is_no_longer_is_answered_no(viewpoint):
    for text in ("I'm vegan, just so you know.", "I'm not vegan anymore, by the way."):
        viewpoint.observe([{"content": text}], wait=True)
    assert viewpoint.chat("Am I vegan?").text.startswith("No")


@pytest.mark.parametrize(
    "ahead",
    [
        "I start at the bakery on 4 January.",
        "I'm starting my new job at Siemens in March.",
        "I'll be joining Nokia as a designer from 1 March.",
        "I'm going to work for Shell from next month.",
        "I start as a cook at Vapiano on 1 January.",
    ],
)
def test_a_post_to_come_is_kept_and_ends_none_before_its_day(viewpoint, ahead):
    for text in ("I work at Ericsson in Lund.", ahead):
        viewpoint.observe([{"content": text}], wait=True)
    held = [one.content for one in viewpoint.list()]
    assert len(held) == 2
    assert "The user works at Ericsson in Lund" in held
    assert viewpoint.chat("Where do I work?").text == "You work at Ericsson in Lund."
