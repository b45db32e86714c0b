"""The bench of hostile texts tells growth from size, by figures alone."""

from __future__ import annotations

import pytest

from bench.hostile_text import ORDINARY, Row, drawn, every_pair, ordinary, repeated


def row(text, *took):
    return Row(verb="observe", text=text, took=dict(zip((4, 16, 64), took, strict=True)))


@pytest.mark.parametrize("took", [(1, 4, 16), (20, 60, 220), (300, 310, 400), (150, 1, 1)])
def test_what_grows_with_its_size_is_good(took):
    assert row("names of a secret", *took).is_good(1.0)


@pytest.mark.parametrize("took", [(10, 60, 900), (0.3, 4, 70), (700, 1, 1), (100, 400, 1_900)])
def test_what_grows_faster_or_takes_too_long_is_not(took):
    assert not row("names of a secret", *took).is_good(1.0)


def test_ordinary_text_is_held_to_a_stricter_bound():
    assert row("numbers", 100, 300, 1_000).is_good(1.0)
    assert not row(ORDINARY, 100, 300, 1_000).is_good(1.0)


def test_a_slow_machine_fails_nobody():
    assert row("numbers", 1_000, 1_100, 2_000).is_good(0.5)


def test_texts_are_as_long_as_they_say_and_the_same_for_a_seed():
    assert len(repeated("a.", 4)) == len(ordinary(4)) == 3_900
    assert list(drawn(5, 1)) == list(drawn(5, 1)) != list(drawn(5, 2))


def test_the_negative_control_compares_every_piece_with_every_other():
    assert every_pair("a" * 400) == 100
