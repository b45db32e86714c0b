"""What the rules know of a message, and the words that describe a password."""

from __future__ import annotations

import pytest

from wellkept.policies.secrets.shapes import Said, is_function_word, is_predicate, word_list

LISTS = ("function", "states", "other languages", "adverbs", "compounds", "actions", "scope openers")


def test_digits_are_counted_in_every_script() -> None:
    assert Said(text="7 and ٤٢", low="7 and ٤٢").digits == 3
    assert Said(text="none", low="none").digits == 0


def test_a_stem_is_found_wherever_it_stands() -> None:
    said = Said(text="The Passport of Pwll", low="the passport of pwll")
    assert said.has(("code", "pass"))
    assert not said.has(("code", "pin"))


@pytest.mark.parametrize("name", LISTS)
def test_each_list_of_words_is_there(name: str) -> None:
    assert len(word_list(name)) > 25
    assert not [word for word in word_list(name) if word.startswith(("#", "["))]


def test_words_that_describe_are_told_from_values() -> None:
    assert all(map(is_predicate, ("wrong", "the", "forgotten", "zu", "isn't", "memorised")))
    assert not any(map(is_predicate, ("sunshine", "tiger", "hunter")))
    assert is_function_word("the")
    assert not is_function_word("nothing")
