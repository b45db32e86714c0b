from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellkept.errors import InvalidInput
from wellkept.models.calibration import Calibration, confusion, fit
from wellkept.models.minilm import CALIBRATION, MiniLM
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
