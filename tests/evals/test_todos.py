"""The frozen half of the todos, and the figures it must reach."""

from __future__ import annotations

import hashlib

import pytest

from evals.todos import run

FROZEN = {
    "test": "c3779cc24aa0454ef481848f6bf40591278b4bf037c989e12849ba6c97d3157d",
    "wide": "e75db834d58ecfd859e49be7420ce4618adf3f95e8305006347ded5992f17fb3",
}


@pytest.mark.parametrize("half", FROZEN)
def test_what_is_measured_by_is_frozen(half):
    assert hashlib.sha256((run.HERE / f"{half}.jsonl").read_bytes()).hexdigest() == FROZEN[half]


def test_there_are_enough_and_no_message_stands_in_both_halves():
    halves = {half: {line["text"] for line in run.lines(half)} for half in run.HALVES}
    assert sum(len(run.lines(half)) for half in run.HALVES) >= 200
    assert not halves["train"] & halves["test"]


@pytest.mark.parametrize("half", run.HALVES)
def test_intents_are_read_right(half):
    assert all(run.key_figures(half)[figure] >= least for figure, least in run.TARGETS.items())
