"""Tastes: many ways to like something, to dislike it, and to have gone off it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.types import Message

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def slot(text: str) -> tuple[str | None, str | None, str]:
    said = Message(id="m0", content=text, speaker="u1")
    (claim,) = RulesJudge().extract(
        Reading(messages=(said,), is_explicit=True, speaker="Amara", now=NOW, tenant="t", user="u1")
    )
    return claim.slot, claim.value, claim.polarity


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I adore injera", ("likes", "injera", "assert")),
        ("I love eating injera", ("likes", "injera", "assert")),
        ("I'm nuts about salsa", ("likes", "salsa", "assert")),
        ("I'm so into pottery", ("likes", "pottery", "assert")),
        ("I'm keen on rowing", ("likes", "rowing", "assert")),
        ("I really dig jazz", ("likes", "jazz", "assert")),
        ("I don't like okra", ("dislikes", "okra", "assert")),
        ("I can't bear techno", ("dislikes", "techno", "assert")),
        ("I can't stand injera anymore", ("dislikes", "injera", "assert")),
        ("I've gone off coffee", ("dislikes", "coffee", "assert")),
        ("I've gone off rowing", ("dislikes", "rowing", "assert")),
        ("I don't care for rowing", ("dislikes", "rowing", "assert")),
        ("I lost my taste for rowing", ("likes", "rowing", "retract")),
        ("I'm sick of sushi", ("dislikes", "sushi", "assert")),
        ("I'm fed up with running", ("dislikes", "running", "assert")),
        ("I'm so over ramen", ("dislikes", "ramen", "assert")),
        ("I don't care for opera", ("dislikes", "opera", "assert")),
        ("I don't like okra any more", ("likes", "okra", "retract")),
        ("I'm not into hiking anymore", ("likes", "hiking", "retract")),
        ("I'm no longer a fan of kimchi", ("likes", "kimchi", "retract")),
        ("I stopped enjoying techno", ("likes", "techno", "retract")),
        ("I lost interest in pottery", ("likes", "pottery", "retract")),
        ("I don't hate cilantro anymore", ("dislikes", "cilantro", "retract")),
    ],
)
def test_a_taste_is_read_from_its_words(text, expected):
    assert slot(text) == expected


@pytest.mark.parametrize("text", ["The alarm went off at six", "I'm over 40", "I would love a dog", "I'm sick of it"])
def test_what_is_no_taste(text):
    assert slot(text)[0] not in {"likes", "dislikes"}
