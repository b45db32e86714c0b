"""Times in words: the table of expressions in full, and what no text may do."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.dates import run
from wellkept.judges.english.dates import times

NOW = datetime(2026, 11, 18, 10, tzinfo=ZoneInfo("Europe/Berlin"))
TABLE_SHA256 = "d7d8ac9c180a00f1e6102ecce8ce82b9354a88b47371637c65233b131ebea15c"
WORDS = """for until 2 weeks next Monday tomorrow 5pm March 15 the 3rd of in ago 2026-02-30 29 February . , last month
99999 years bis Freitag dans 3 jours between and since 31.2. 00:61 end"""
PIECES = st.sampled_from(WORDS.split())


def test_the_table_is_the_frozen_one():
    assert hashlib.sha256(run.TABLE.read_bytes()).hexdigest() == TABLE_SHA256


@pytest.mark.parametrize("row", run.evaluate(), ids=lambda row: f"{row.case.kind}: {row.case.text}")
def test_every_expression_of_the_table(row):
    assert row.got == row.case.expected


def test_an_expiry_is_never_in_the_past():
    moment, rest = times.expiry("The voucher is valid until 2020-01-01", NOW)
    assert moment is None
    assert rest == "The voucher is valid until 2020-01-01"


def test_a_day_keeps_its_wall_clock_over_a_clock_change():
    before = datetime(2026, 3, 28, 10, tzinfo=ZoneInfo("Europe/Berlin"))
    moment, _ = times.expiry("remember for 1 day that the door is open", before)
    assert moment is not None
    assert moment.astimezone(before.tzinfo) == before + timedelta(days=1)


def test_days_of_every_week_are_no_dates():
    weekly = ("open Tuesday to Saturday", "shifts mon-fri", "choir on Thursday evenings")
    usual = ("I swim every day except Sunday", "I never work on Friday", "We always visit Nuria's aunt on Sunday")
    for text in (*weekly, *usual):
        assert times.annotate(text, NOW) == text
    assert times.annotate("I swim on Sunday", NOW) != "I swim on Sunday"


def test_a_day_that_is_a_value_and_no_date_gets_none():
    assert times.annotate("My favorite day is Friday", NOW) == "My favorite day is Friday"
    assert times.annotate("I take vitamin D in winter", NOW) == "I take vitamin D in winter"


def test_annotating_twice_changes_nothing():
    once = times.annotate("We met yesterday and fly next week", NOW)
    assert times.annotate(once, NOW) == once


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=30).map(" ".join)))
def test_no_text_breaks_it_and_each_gives_the_same_again(text):
    found = times.mentions(text, NOW)
    assert found == times.mentions(text, NOW)
    assert all(one.from_ <= one.to and text[one.start : one.end] == one.text for one in found if "\u2019" not in text)
    assert all(left.end <= right.start for left, right in pairwise(found))
    times.expiry(text, NOW)
    times.period(text, NOW)
    times.annotate(text, NOW)


@pytest.mark.parametrize("piece", ["tomorrow ", "1 ", "until ", "for 2 weeks ", "a", "March ", "in the end of the "])
def test_long_input_ends(piece):
    text = piece * (10_000 // len(piece))
    assert len(times.mentions(text, NOW)) <= times.TEXT_MAX
    times.expiry(text, NOW)
    times.period(text, NOW)


@pytest.mark.parametrize(
    ("told", "day"),
    [
        ("Mona lost Mona's job on Monday", "2026-11-16"),
        ("The user's sister's car broke on Sunday", "2026-11-15"),
        ("Ana's wedding was on Saturday", "2026-11-14"),
        ("On Friday the user's dog died", "2026-11-13"),
        ("Tom's coming on Friday", "2026-11-20"),
        ("Tom's party is on Saturday", "2026-11-21"),
        ("It's on Friday", "2026-11-20"),
    ],
)
def test_whose_something_is_says_nothing_of_the_time(told, day):
    assert f"({day})" in times.annotate(told, NOW)


@pytest.mark.parametrize(
    ("said", "until"),
    [
        ("remember for a few days that x is so", "2026-11-22T10:00"),
        ("remember for a couple of weeks that x is so", "2026-12-02T10:00"),
        ("remember for two and a half weeks that x is so", "2026-12-06T10:00"),
        ("remember for half a year that x is so", "2027-05-18T10:00"),
        ("remember for a week or two that x is so", "2026-12-02T10:00"),
        ("remember for the rest of the month that x is so", "2026-12-01T00:00"),
        ("remember this week that x is so", "2026-11-23T00:00"),
        ("remember just for today that x is so", "2026-11-19T00:00"),
        ("The lift is broken this week", "2026-11-23T00:00"),
        ("I am on a diet for the next couple of weeks", "2026-12-02T10:00"),
        ("merk dir für ein paar Tage, dass x so ist", "2026-11-22T10:00"),
    ],
)
def test_a_vague_duration_is_an_expiry(said, until):
    moment, rest = times.expiry(said, NOW)
    assert moment == datetime.fromisoformat(until).replace(tzinfo=NOW.tzinfo)
    assert len(rest) < len(said)


@pytest.mark.parametrize(
    "said", ["I lived in Rome for a few years", "I start at Bosch this week", "This week was hard"]
)
def test_what_lasted_or_begins_is_no_expiry(said):
    assert times.expiry(said, NOW)[0] is None
