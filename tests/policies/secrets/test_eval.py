"""The labelled sets for secrets: frozen before the rules were written, and the figures that the rules must reach."""

from __future__ import annotations

from collections import Counter

import pytest

from evals.secrets.make import HALVES, cases, frozen_hash
from evals.secrets.run import TARGETS, evaluate

# The test half is not tuned on. A change to it is a new measurement: say so in docs/secrets.md.
FROZEN = "70692c14ff9455e6088f01e0999ff56b6e05b3038d0abb32a073125b12c6c48d"


def test_the_test_half_is_frozen():
    assert frozen_hash() == FROZEN


@pytest.mark.parametrize(("half", "ordinary_min"), [("train", 500), ("test", 1000)])
def test_the_halves_are_large_enough(half, ordinary_min):
    made = list(cases(half))
    plain = Counter(case.group for case in made if case.label == "secret" and not case.disguise)
    assert len(plain) >= 40
    assert min(plain.values()) >= 5
    assert sum(case.label == "ordinary" for case in made) >= ordinary_min


def test_the_halves_share_no_ordinary_sentence():
    train, test = ({case.text for case in cases(half) if case.label == "ordinary"} for half in HALVES)
    assert not train & test


@pytest.mark.parametrize("half", HALVES)
def test_the_rules_reach_their_targets(half):
    rows = evaluate(half)
    totals = {row.part: row.share for row in rows if row.group == "all"}
    assert {part: share for part, share in totals.items() if share < TARGETS[part]} == {}
    disguises = {row.group: row.share for row in rows if row.part == "disguised refused"}
    assert {name: share for name, share in disguises.items() if share < 0.95} == {}
    classes = {row.group: row.share for row in rows if row.part == "plain refused"}
    assert {name: share for name, share in classes.items() if share < 0.9} == {}
