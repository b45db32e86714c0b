"""A retold statement stands by itself or is not kept: torn, unfinished, dangling or misread ones are left out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wellkept.judges.base import Reading
from wellkept.judges.english import RulesJudge
from wellkept.judges.english.grammar.parser import parse
from wellkept.judges.english.wording.whole import is_whole
from wellkept.types import Message

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def contents(text: str) -> list[str]:
    reading = Reading(messages=(Message(content=text),), speaker="Ngozi", now=NOW)
    return [claim.content for claim in RulesJudge().extract(reading)]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("It's a reminder of all the warmth I get from my grandparents", []),
        ("The advice I got was really helpful", []),
        ("I love rowing and being on the lake", ["Ngozi loves rowing"]),
        ("We enjoy each other's cooking", []),
        ("I finished another quilt like my last one", []),
        ("I'm meeting so many sculptors who are", []),
        ("Haven't had much time for the cello lately", []),
        ("We played every weekend", []),
        ("My brother Uche is so gifted and dedicated", ["Uche is so gifted"]),
        ("We met back in 2010", []),
        ("We live 15 miles apart", []),
        ("Keeps me sane and on my toes", []),
        ("Have a lovely hike", []),
        ("I paint the fence and not exceeding the limit", ["Ngozi paints the fence"]),
        ("Surrounded by pines, taking in the sea air", []),
        ("Progress is progress", []),
        (
            "My wife and I had a small and moving ceremony last week",
            ["Ngozi's wife and Ngozi had a small and moving ceremony last week (2026-11-02 to 2026-11-08)"],
        ),
        ("I gotta watch my salt", ["Ngozi has got to watch Ngozi's salt"]),
        ("Bisi is the clever one", []),
        ("Always been interested in old maps", []),
        ("Greg suggested during our interview on April 25", []),
        ("I love the thought Uche!", []),
        ("After a long day, I bathe in salt water", ["Ngozi bathes in salt water after a long day"]),
        ("I want to be sure the tests run and that my server is patched", []),
        ("We roast chestnuts, tell stories by the fire", []),
        ("My dog Rex has a whole field the king", []),
        ("I also can't cook to save my life", ["Ngozi also can't cook"]),
        ("My aunt and my uncle live in Tartu", ["Ngozi's aunt and uncle live in Tartu"]),
    ],
)
def test_only_what_stands_by_itself_is_kept(text, kept):
    assert contents(text) == kept


@pytest.mark.parametrize(
    ("content", "said", "stands"),
    [
        ("Ngozi moved to Graz", "I moved to Graz", True),
        ("Ngozi being on the lake", "I was on the lake", False),
        ("Ngozi got was helpful", "I got was helpful", False),
        ("Ngozi is learning about shifts, like what Netflix", "I'm learning about shifts", False),
        ("Ngozi has bees and", "I have bees", False),
    ],
)
def test_what_is_read_back_is_what_was_said(content, said, stands):
    assert is_whole(content, parse(said)[0], "Ngozi") is stands
