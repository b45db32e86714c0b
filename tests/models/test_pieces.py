from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.models.pieces import joined, pieces


def words(text: str) -> int:
    return len(text.split())


def test_a_short_text_is_one_piece():
    assert pieces("Alice likes tea. Bob does not.", size=words, size_max=6) == ["Alice likes tea. Bob does not."]


def test_pieces_end_at_sentences():
    text = 'Alice likes tea. "Bob does not!" So what? Nothing\nelse matters'
    assert pieces(text, size=words, size_max=5) == [
        "Alice likes tea. ",
        '"Bob does not!" So what? ',
        "Nothing\nelse matters",
    ]


def test_sentences_without_spaces_between_them_are_seen():
    assert pieces("私は寿司が好き。猫もいる。", size=len, size_max=8) == ["私は寿司が好き。", "猫もいる。"]


def test_long_runs_of_stops_and_spaces_are_divided_too():
    for text in ("." * 20_000, " " * 20_000, ". " * 10_000, "\n" * 20_000, "!”" * 10_000, "。" * 20_000):
        parts = pieces(text, size=len, size_max=500)
        assert "".join(parts) == text
        assert max(map(len, parts)) <= 500


def test_a_long_sentence_is_divided_between_words():
    assert pieces("one two three four five", size=words, size_max=2) == ["one two ", "three four ", "five"]


def test_a_long_word_is_divided_anywhere():
    assert pieces("abcdefghij", size=len, size_max=4) == ["ab", "cde", "fg", "hij"]


def test_what_cannot_be_divided_stays():
    assert pieces("a", size=lambda _: 9, size_max=4) == ["a"]


@given(st.text(alphabet=st.sampled_from("ab .!?。\n\t\"')é😀"), max_size=200), st.integers(1, 20))
def test_pieces_hold_the_whole_text_and_keep_the_limit(text, size_max):
    parts = pieces(text, size=len, size_max=size_max)
    assert "".join(parts) == text
    assert all(len(part) <= size_max for part in parts)


def test_pieces_of_a_text_become_one_row():
    vectors = np.array([[1, 0], [1, 0], [0, 1], [0.6, 0.8]], dtype=np.float32)
    rows = joined(vectors, [0, 1, 1, 2], [5, 3, 4, 9])
    assert rows == pytest.approx(np.array([[1, 0], [0.6, 0.8], [0.6, 0.8]]))
    assert (rows[[0, 2]] == vectors[[0, 3]]).all()


def test_texts_in_one_piece_keep_their_rows():
    vectors = np.array([[1, 0], [0, 1]], dtype=np.float32)
    assert joined(vectors, [0, 1], [1, 1]) is vectors
    assert joined(vectors[:0], [], []).shape == (0, 2)
