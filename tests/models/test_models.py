from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.errors import InvalidInput
from wellkept.models import Calibration, confusion, fit, joined, pieces
from wellkept.models.bundled import CALIBRATION, MiniLM
from wellkept.models.openai import UNMEASURED

PAIRS = Path(__file__).parents[2] / "evals" / "similarity"
TEST_HALF = "337505c165906578285babf03c95a2ae2eb024455b1ffb394609230c0380c4a9"


def labelled(half: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (PAIRS / f"pairs-{half}.jsonl").read_text(encoding="utf-8").splitlines()]


def cosines(half: str) -> np.ndarray:
    embedder = MiniLM()
    left, right = (embedder.embed([pair[side] for pair in labelled(half)]) for side in ("a", "b"))
    return (left * right).sum(axis=1)


def labels(half: str) -> list[str]:
    return [pair["label"] for pair in labelled(half)]


def test_the_test_half_is_frozen():
    assert hashlib.sha256((PAIRS / "pairs-test.jsonl").read_bytes()).hexdigest() == TEST_HALF


def test_no_pair_is_in_both_halves():
    halves = [{frozenset((pair["a"], pair["b"])) for pair in labelled(half)} for half in ("train", "test")]
    assert all(len(half) >= 250 for half in halves)
    assert not halves[0] & halves[1]


def test_the_mapping_in_use_is_the_fitted_one():
    assert fit(cosines("train"), labels("train")) == CALIBRATION


def test_bands_mean_what_they_say_on_the_test_half():
    bands = confusion(CALIBRATION(cosines("test")), labels("test"))
    unrelated, related = np.array(bands["unrelated"]), np.array(bands["related"])
    judged = np.array(bands["same"]) + np.array(bands["related_contradiction"])
    # What differs only in a number, a name or a "not" reaches the top band too; the guards are there for that.
    assert related[3] + unrelated[3] == 0
    assert judged[0] == 0
    assert judged[2:].sum() >= 0.94 * judged.sum()
    assert unrelated[2:].sum() == 0
    assert unrelated[0] >= 0.75 * unrelated.sum()
    assert related[1:].sum() >= 0.85 * related.sum()


@pytest.mark.parametrize(
    ("cosine", "similarity"),
    [(-1.0, 0.0), (0.2, 0.0), (0.3, 0.25), (0.4, 0.5), (0.7, 0.75), (1.0, 1.0), (1.5, 1.0)],
)
def test_similarity_lies_on_the_line(cosine, similarity):
    line = Calibration(knots=((0.2, 0.0), (0.4, 0.5), (1.0, 1.0)))
    assert line(cosine) == pytest.approx(similarity)
    assert line(np.array([[cosine]])) == pytest.approx(similarity)


@pytest.mark.parametrize("line", [CALIBRATION, UNMEASURED])
@given(left=st.floats(-1, 1), right=st.floats(-1, 1))
def test_similarity_rises_and_stays_in_range(line, left, right):
    low, high = sorted((left, right))
    assert 0 <= line(low) <= line(high) <= 1
    assert line(np.array([low, high])) == pytest.approx([line(low), line(high)], abs=1e-6)


@pytest.mark.parametrize(
    "knots",
    [
        ((0.0, 0.0),),
        ((0.0, 0.0), (0.0, 1.0)),
        ((0.0, 0.5), (1.0, 0.4)),
        ((0.0, -0.1), (1.0, 1.0)),
        ((0.0, 0.0), (1.0, 1.1)),
    ],
)
def test_a_mapping_that_does_not_rise_is_refused(knots):
    with pytest.raises(InvalidInput):
        Calibration(knots=knots)


def test_fit_puts_borders_between_the_labels():
    kinds = ["unrelated"] * 20 + ["related"] * 20 + ["related_contradiction"] * 20 + ["same"] * 20
    values = np.concatenate([np.linspace(low, low + 0.1, 20) for low in (0.0, 0.3, 0.6, 0.85)])
    line = fit(values, kinds)
    assert confusion(line(values), kinds) == {
        "unrelated": (20, 0, 0, 0),
        "related": (2, 18, 0, 0),
        "related_contradiction": (0, 2, 18, 0),
        "same": (0, 0, 0, 20),
    }


def test_confusion_counts_borders_upwards():
    assert confusion(np.array([0.29, 0.30, 0.60, 0.85, 1.0]), ["same"] * 5)["same"] == (1, 1, 1, 2)


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
