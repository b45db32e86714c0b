"""Same, contradicts, different: the labelled pairs, the guards, and the slots of both sides."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.pairs import run
from wellkept.judges.english.compare import compare, guards, verdict
from wellkept.types import Claim, Memory
from wellkept.vocabulary import Space

TEST_SHA256 = "67342409821d5a2bd0204523f03d43b5c12ab24bd862cb261c547dfa0f331cc6"
NOW = datetime(2026, 11, 18, 10, tzinfo=UTC)


def memory(content: str, **fields: object) -> Memory:
    return Memory(
        id="m1", tenant="default", content=content, space=Space.USER, owner="alice", memory_key="k", discriminator="d",
        created_at=NOW, observed_at=NOW, updated_at=NOW, **fields,
    )  # fmt: skip


def test_the_test_half_is_the_frozen_one():
    path = Path(run.__file__).parent / "test.txt"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == TEST_SHA256


@pytest.mark.parametrize("half", ["train", "test"])
def test_a_merge_or_a_contradiction_is_hardly_ever_said_wrongly(half):
    rows = run.evaluate(half)
    assert len(rows) >= 200
    assert run.figures(rows, "same").precision >= 0.99
    assert run.figures(rows, "contradicts").precision >= 0.97
    assert run.figures(rows, "same").recall >= 0.85
    assert run.figures(rows, "contradicts").recall >= 0.80


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [
        ("The user bought 2 chairs", "The user bought 3 chairs", "numbers"),
        ("The user met Tom on 2026-03-01", "The user met Tom on 2026-03-02", "dates"),
        ("Bob likes tea", "Ben likes tea", "names"),
        ("The user paid 50 euros", "The user paid 50 dollars", "units"),
        ("The user smokes", "The user does not smoke", "negation"),
        ("The user loves jazz", "The user hates jazz", "polarity"),
        ("The user lived in Graz", "The user lives in Graz", "tense"),
        ("The user's wife likes jazz", "The user likes jazz", "subjects"),
    ],
)
def test_each_guard_is_named(first, second, named):
    assert named in guards(first, second)
    assert guards(first, first) == ()


def test_two_values_of_a_slot_that_holds_one_contradict():
    new = Claim(content="The user lives in Turku", slot="city", value="turku", cardinality="one")
    assert compare(new, memory("The user lives in Oulu", fact_key="city", value="oulu")) == "contradicts"


def test_two_values_of_a_slot_that_holds_many_are_different():
    new = Claim(content="The user likes tea", slot="likes", value="tea", cardinality="many")
    assert compare(new, memory("The user likes coffee", fact_key="likes", value="coffee")) == "different"


def test_one_value_in_other_words_is_the_same():
    new = Claim(content="The user's city is Turku", slot="city", value="turku", cardinality="one")
    assert compare(new, memory("The user's city is Turku.", fact_key="city", value="turku")) == "same"


def test_unsure_is_different():
    assert verdict("The user may move to Oslo", "The user moved to Oslo") == "different"
    assert verdict("", "The user likes tea") == "different"


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=120), st.text(max_size=120))
def test_no_text_breaks_it(first, second):
    assert verdict(first, second) == verdict(first, second)
    assert verdict(first, second) in ("same", "contradicts", "different")
    assert guards(first, second) == guards(first, second)


def test_long_input_ends():
    assert verdict("The user likes tea and " * 500, "The user likes tea and " * 500) == "same"
