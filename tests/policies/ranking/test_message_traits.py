"""What kind of text a message is."""

from __future__ import annotations

import pytest

from wellkept.policies.ranking.message_traits import (
    ASKS,
    COUNTS,
    DATES,
    NAMES_MAX,
    NAMES_SHIFT,
    NEWS_MAX,
    NEWS_SHIFT,
    OWN,
    traits,
)


@pytest.mark.parametrize(
    ("text", "bit", "is_set"),
    [
        ("How are you?", ASKS, True),
        ("How are you? I am fine.", ASKS, False),
        ("お元気ですか？", ASKS, True),
        ("We left last week.", DATES, True),
        ("Wir sind seit gestern hier.", DATES, True),
        ("The sky is blue.", DATES, False),
        ("She has two cats.", COUNTS, True),
        ("It cost 40 euros.", COUNTS, True),
        ("She has cats.", COUNTS, False),
        ("I like it.", OWN, True),
        ("Es gefällt mir.", OWN, True),
        ("You like it.", OWN, False),
    ],
)
def test_bits(text: str, bit: int, is_set: bool) -> None:
    assert bool(traits(text) & bit) is is_set


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Nice weather today.", 0),
        ("We met in Paris.", 1),
        ("We met Ana and saw Rome with Bob in Italy.", 3),
        ('I read "The Hobbit".', 1),
        ("So do I.", 0),
    ],
)
def test_names_are_counted_up_to_three(text: str, names: int) -> None:
    assert traits(text) >> NAMES_SHIFT & NAMES_MAX == names


@pytest.mark.parametrize(
    ("text", "news"),
    [("My goal is ten pages.", 0), ("My goal is now ten pages.", 1), ("It was recently changed to twelve pages.", 2)],
)
def test_news_is_counted_up_to_two(text: str, news: int) -> None:
    assert traits(text) >> NEWS_SHIFT & 3 == news
    assert news <= NEWS_MAX
