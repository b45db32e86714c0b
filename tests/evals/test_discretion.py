"""What must not travel: the test half is frozen, and both halves stay above the bars."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from evals.discretion import run

FROZEN = "a08d2b90ad7e10160c8424074cf2a0af48c021f2be243802546c25e4b07a45ce"


def test_the_test_half_is_as_it_was_before_the_rules():
    assert hashlib.sha256((Path(run.__file__).parent / "test.txt").read_bytes()).hexdigest() == FROZEN


@pytest.mark.reader
@pytest.mark.parametrize("half", run.HALVES)
def test_what_must_not_travel_is_known(half):
    found = run.key_figures(half)
    assert {name: found[name] >= bar for name, bar in run.TARGETS.items()} == dict.fromkeys(run.TARGETS, True)
