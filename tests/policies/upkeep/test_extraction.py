"""What is read of a message: memory's own words blanked, and a long text up to the end of a sentence."""

from __future__ import annotations

from wellkept.policies.upkeep.extraction import CHARACTERS_MAX, readable
from wellkept.types import Message


def read(text: str) -> str:
    found = readable(Message(content=text))
    assert found is not None
    return found.content


def test_a_long_message_is_cut_at_the_end_of_a_sentence():
    text = "I keep bees in Graz. " * 120
    kept = read(text)
    assert CHARACTERS_MAX - 30 < len(kept) <= CHARACTERS_MAX
    assert kept.endswith("Graz.")
    assert text.startswith(kept)


def test_what_fits_is_read_whole():
    assert read("I keep bees in Graz, twelve hives") == "I keep bees in Graz, twelve hives"


def test_one_endless_sentence_is_cut_where_it_must():
    assert len(read("bees and " * 500)) == CHARACTERS_MAX
