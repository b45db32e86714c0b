"""Jobs that are killed do their work exactly once; and the harness that says so finds those that do not."""

from __future__ import annotations

import random

import pytest

from bench import jobs_kill
from wellkept.jobs import JOBS


@pytest.mark.parametrize("name", jobs_kill.CASES)
def test_a_killed_job_is_done_once_in_effect(name):
    report = jobs_kill.storm(name, jobs_kill.CASES[name], 2, chance=random.Random(7))
    assert report.faults == []
    assert report.kills >= 2
    assert report.under_way >= 1


@pytest.mark.parametrize("name", ["note", "erase"])
def test_a_killed_job_is_done_once_in_effect_on_postgres(name, databases):
    report = jobs_kill.storm(name, jobs_kill.CASES[name], 2, chance=random.Random(7), places=databases)
    assert report.faults == []
    assert report.kills >= 2


# A webhook is told at least once, by its design: there is no "exactly once" to be found broken.
REPEATABLE = {"deliver"}


def test_every_kind_of_job_is_killed_and_what_is_asked_for_by_hand():
    assert {*JOBS, "approve", "doctor", "import", "merge", "forget"} - REPEATABLE <= jobs_kill.CASES.keys()


def test_an_effect_apart_from_the_end_of_its_job_is_found_out():
    assert jobs_kill.storm("note", jobs_kill.note_case(is_broken=True), 60, chance=random.Random(3)).faults


def test_a_store_that_commits_statement_by_statement_is_found_out():
    assert jobs_kill.storm("gc", jobs_kill.torn(jobs_kill.CASES["gc"]), 60, chance=random.Random(5)).faults
