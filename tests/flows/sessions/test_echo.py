"""What memory said comes back and teaches nothing; and the harness that says so hears an echo where there is one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import wellkept
from bench import echo
from wellkept.policies import context


def quiet(_line: str) -> None:
    """Progress is for people."""


def test_nothing_is_learned_from_what_memory_said():
    report = echo.run(42, say=quiet)
    assert len(report.before) == len(echo.FACTS)
    assert report.after == report.before


def test_an_echo_is_heard():
    assert not echo.run(14, broken=True, say=quiet).is_silent


def test_every_section_of_a_block_is_known_again():
    """A section with a new title must be added to the ones that are recognised."""
    folder = Path(wellkept.__file__).parent / "flows"
    text = (folder / "read/context.py").read_text(encoding="utf-8")
    named = {*re.findall(r'title="([^"]+)"', text), *re.findall(r'_list\("\w+", "([^"]+)"', text)}
    assert named == set(context.TITLES)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (context.fenced("- likes tea", "a1") + " I like jam", "I like jam"),
        ("<<<memory a1>>>\n- likes tea", ""),
        ("- likes tea\n<<<end a1>>>\nI like jam", "I like jam"),
        ("- [hearsay, about Sarah, from Bob, 2026-02-03] likes tea\nI like jam", "I like jam"),
        ("[person:john]: a; b\nI like jam", "I like jam"),
        ("I like [fresh] jam", "I like [fresh] jam"),
        ("## Known people\n- Ana (sister)\n- Bo\nI like jam", "I like jam"),
        ("## Shopping\n- I like jam", "## Shopping\n- I like jam"),
        ("- [assistant, 2026-03-01 09:30] Ana lives in Porto\nI like jam", "I like jam"),
        ("Memory updates since rev 3:\n- +created: [Personal] x\nI like jam", "I like jam"),
        ("<<<memory a1>>> x <<<end b2>>>", ""),
    ],
)
def test_own_words_are_what_is_left_in_its_place(text, left):
    words = context.own_words(text)
    assert words.strip() == left
    assert len(words) == len(text)
