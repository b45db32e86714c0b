"""The time that questions about past talk name."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.judges.english.dates.asked_time import asked_time

NOW = datetime(2024, 5, 15, 14, 30, tzinfo=UTC)  # a Wednesday


def window(text: str) -> tuple[str, str] | None:
    found = asked_time(text, NOW).window
    return None if found is None else (f"{found[0]:%Y-%m-%d %H}", f"{found[1]:%Y-%m-%d %H}")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What did we talk about on March 4th?", ("2024-03-04 00", "2024-03-05 00")),
        # Talk lies in the past: a day of this year that is still to come was last year's.
        ("What did we talk about on November 20th?", ("2023-11-20 00", "2023-11-21 00")),
        ("What did Ana say on 2 April 2022?", ("2022-04-02 00", "2022-04-03 00")),
        ("What did we discuss in February?", ("2024-02-01 00", "2024-03-01 00")),
        ("What did we discuss two months ago?", ("2024-03-01 00", "2024-04-01 00")),
        ("What did we discuss last month?", ("2024-04-01 00", "2024-05-01 00")),
        ("What did we discuss 10 days ago?", ("2024-05-05 00", "2024-05-06 00")),
        ("What came up over the last 3 days?", ("2024-05-12 00", "2024-05-15 14")),
        ("What came up over this past week?", ("2024-05-08 00", "2024-05-15 14")),
        ("What came up last week?", ("2024-05-06 00", "2024-05-13 00")),
        ("What have I done in the past couple of weeks?", ("2024-05-01 00", "2024-05-15 14")),
        ("What did you tell me yesterday evening?", ("2024-05-14 17", "2024-05-15 00")),
        ("What did we discuss earlier today?", ("2024-05-15 00", "2024-05-15 14")),
        ("What happened between March 3rd and April 2nd?", ("2024-03-03 00", "2024-04-03 00")),
        # The talk's own day wins over the day that the talk was about.
        ("What did Tara do last Friday, as mentioned on 21 February 2024?", ("2024-02-21 00", "2024-02-22 00")),
        ("What did we plan for next Friday?", None),
        ("What is my sister's name?", None),
        ("How many days are there between the meeting and the launch?", None),
    ],
)
def test_windows(text: str, wanted: tuple[str, str] | None) -> None:
    assert window(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What did we discuss 5 sessions ago?", (-5, -5)),
        ("What did we talk about four conversations back?", (-4, -4)),
        ("What came up between sessions 14 and 16?", (14, 16)),
        ("What did we go over in sessions 3 through 7?", (3, 7)),
        ("What was said from session 9 to session 4?", (4, 9)),
        ("What did we cover between the 3rd and 5th sessions?", (3, 5)),
        ("In our twenty-third chat, what was decided?", (23, 23)),
        ("What did I say in session #12?", (12, 12)),
        ("What did we talk about in our last discussion?", (-1, -1)),
        ("What was the second-to-last conversation about?", (-2, -2)),
        ("And the conversation before last?", (-2, -2)),
        ("What did she mention in the last two sessions?", (-2, -1)),
        ("What did we cover in the first few sessions?", (1, 3)),
        ("Where did we stop the last time we spoke?", (-1, -1)),
        ("What did we talk about when we first met?", (1, 1)),
        ("Worüber sprachen wir vor 3 Sitzungen?", (-3, -3)),
        ("How long is a session?", None),
        ("Which three talks does she like?", None),
    ],
)
def test_talks(text: str, wanted: tuple[int, int] | None) -> None:
    assert asked_time(text, NOW).sessions == wanted


def test_a_weekday_comes_again() -> None:
    found = asked_time("What did we discuss last Saturday?", NOW)
    assert found.step_days == 7
    assert asked_time("What did we discuss on March 4th?", NOW).step_days is None


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("What is my current phone number?", "latest"),
        ("When did I first ride a horse?", "first"),
        ("When was the last time I saw Ana?", "latest"),
        ("Who won the first sprint?", None),
    ],
)
def test_the_end_of_the_story(text: str, order: str | None) -> None:
    assert asked_time(text, NOW).order == order


def test_words_of_the_time_are_taken_out() -> None:
    found = asked_time("What did Ana say about tea on March 4th?", NOW)
    assert found.content == "What did Ana say about tea ?"
    assert found.is_said


def test_the_time_of_an_event_is_not_that_of_the_talk() -> None:
    found = asked_time("When did Melanie go camping in April?", NOW)
    assert found.window is not None
    assert not found.is_said


def test_a_time_beyond_the_calendar_is_none() -> None:
    assert asked_time("What did we discuss 9999 years ago?", NOW).window is None
