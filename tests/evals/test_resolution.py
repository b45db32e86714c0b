"""The frozen half of the references, and the figures it must reach."""

from __future__ import annotations

import hashlib

from evals.resolution import run

TEST_SHA256 = "499f2ba80dbe97ae59849917beb65eb5f042352ba45b055505bcc91848661185"


def test_the_test_half_is_frozen():
    assert hashlib.sha256((run.HERE / "test.jsonl").read_bytes()).hexdigest() == TEST_SHA256


def test_references_reach_whom_they_mean():
    figures = run.evaluate("test")
    assert figures.references >= 200
    assert figures.precision >= 0.98
    assert figures.recall >= 0.90
    assert figures.wrong_merges == 0


def test_the_train_half_keeps_its_figures():
    figures = run.evaluate("train")
    assert figures.precision >= 0.98
    assert figures.recall >= 0.90
    assert figures.wrong_merges == 0
