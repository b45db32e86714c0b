"""A judge is handed sentences of a bounded length, a bounded number of them, and none over and over."""

from __future__ import annotations

import pytest

from wellkept.policies.text.legible import CHARACTERS_MAX, REPEATS_MAX, SENTENCE_MAX, SENTENCES_MAX, legible

ORDINARY = " ".join(f"We met number {number} at the harbour, and Ana paid {number}.5 euros." for number in range(60))


@pytest.mark.parametrize("text", ["", "I like tea.", "no stop at all " * 20, ORDINARY])
def test_what_people_say_is_read_whole(text):
    found = legible(text)
    assert found.text == text
    assert not found.unread


@pytest.mark.parametrize("token", ["Mr. ", "a. ", "I like tea.\n", "好。"])
def test_the_same_sentence_is_read_a_few_times(token):
    text = token * (4_000 // len(token))
    assert legible(text).text == token * REPEATS_MAX
    assert not legible(text).unread


@pytest.mark.parametrize("token", ["n't á&#65;", "a.", "(", "password is "])
def test_a_sentence_of_half_a_page_is_not_read(token):
    text = token * (4_000 // len(token))
    assert legible(text).text == ""
    assert legible(text).unread == ((0, len(text)),)


def test_beyond_so_many_sentences_the_rest_is_one_stretch():
    text = "".join(f"Number {number} came. " for number in range(500))
    found = legible(text)
    assert found.text.count(".") == SENTENCES_MAX
    assert found.unread == ((len(found.text), len(text)),)


def test_no_more_than_so_many_characters_are_read():
    text = "".join(f"{number} {'long ' * 100}. " for number in range(100))
    found = legible(text)
    assert CHARACTERS_MAX - SENTENCE_MAX < len(found.text) <= CHARACTERS_MAX + SENTENCES_MAX


def test_what_was_read_is_found_again_where_it_was_said():
    before, long, after = "I like tea. ", "word " * 200 + ". ", "Ana likes jam."
    text = before + long + after
    found = legible(text)
    assert found.text == before + after
    start = found.text.index("Ana")
    assert text[slice(*found.place(start, len(found.text)))] == after
    assert found.place(0, len(found.text)) == (0, len(text))
    assert found.place(0, 0) == (0, 0)
