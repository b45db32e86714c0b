"""The frozen half of the todos, and the figures it must reach."""

from __future__ import annotations

import hashlib

import pytest

from evals.todos import run

FROZEN = {
    "test": "c3779cc24aa0454ef481848f6bf40591278b4bf037c989e12849ba6c97d3157d",
    "blind": "10d45bf363d00ef6effbaf5e448099a14f5f5ceb8eda68912bb71c6e7552fd15",
    "unseen": "8ab3d849c58c642eaf0470cb5b20d318927bdcb5f53aa3624b4bde5d2bfec92c",
    "wide": "e75db834d58ecfd859e49be7420ce4618adf3f95e8305006347ded5992f17fb3",
}


@pytest.mark.parametrize("half", FROZEN)
def test_what_is_measured_by_is_frozen(half):
    assert hashlib.sha256((run.HERE / f"{half}.jsonl").read_bytes()).hexdigest() == FROZEN[half]


def test_there_are_enough_and_no_message_stands_in_both_halves():
    halves = {half: {line["text"] for line in run.lines(half)} for half in ("train", *FROZEN)}
    assert len(run.lines("wide")) >= 200
    # Words that end any todo ("done", "never mind") are said alike everywhere.
    assert all(len(text.split()) < 3 for half in FROZEN for text in halves["train"] & halves[half])


@pytest.mark.parametrize("half", run.HALVES)
def test_intents_are_read_right(half):
    figures = run.key_figures(half)
    assert {"kind", "completion"} <= set(figures)
    assert all(share >= run.TARGETS[figure] for figure, share in figures.items())


def test_what_was_written_after_the_rules_is_read_nearly_as_well():
    assert all(share >= run.BLIND_MIN for share in run.key_figures("blind").values())
    assert all(share >= run.UNSEEN_MIN for share in run.key_figures("unseen").values())
