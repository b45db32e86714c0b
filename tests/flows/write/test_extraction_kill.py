"""Whenever a learner is killed, each exchange is read once; and the harness that says so finds one that is not."""

from __future__ import annotations

from bench import extraction_kill


def quiet(_line: str) -> None:
    """The storm's progress is for people."""


def test_each_exchange_is_read_once():
    report = extraction_kill.run(10, seed=3, say=quiet)
    assert report.faults == ()
    assert report.acknowledged > 10
    assert report.landed["waiting"] > 0, "killed while the exchange waits to be read"
    assert report.landed["reading"] + report.landed["writing"] > 0, "killed while it is being read"


def test_a_job_that_stores_step_by_step_is_found_out():
    assert any(extraction_kill.run(4, seed=seed, broken=True, say=quiet).faults for seed in range(5, 12))
